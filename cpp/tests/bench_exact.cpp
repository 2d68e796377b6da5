// Figures of the engine, stage by stage.  usage: bench_exact
// [expert|played|large|many|lattice|scattered|channel|threads|session]...
#include <sys/resource.h>

#include <time.h>

#include <chrono>
#include <cstring>
#include <thread>

#include "../exact/engine.hpp"
#include "../exact/session.hpp"
#include "games.hpp"

using namespace mineproof::tests;

namespace {

double wall() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Processor time of this thread, so that a busy machine disturbs less. Reading it costs a fraction of a microsecond.
double now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) / 1e3;
}

double peak_mb() {
  rusage u;
  getrusage(RUSAGE_SELF, &u);
  return static_cast<double>(u.ru_maxrss) / 1024;
}

// One position, solved afresh with every p read; microseconds.
double once(Analysis& a, const Position& p, std::vector<double>& out) {
  const double t = now();
  a.solve(p);
  a.probabilities(out.data());
  return now() - t;
}

void stages(const std::vector<Snapshot>& positions, int rounds, const Channel* channel = nullptr) {
  double front_us = 0, boxes_us = 0, tree_us = 0, order_us = 0, compile_us = 0, forward_us = 0, join_us = 0,
         backward_us = 0;
  std::int64_t parts = 0, boxes = 0, states = 0, entries = 0;
  Workspace ws;
  for (int r = 0; r < rounds; ++r) {
    for (const Snapshot& s : positions) {
      Position p = s.position();
      p.channel = channel;
      ws.begin({});
      double t0 = now();
      Front front = read_front(p, ws);
      double t1 = now();
      front_us += t1 - t0;
      Boxes b = make_boxes(*p.graph, front.mark, front.unknown, front.clue, front.clues, ws);
      double t2 = now();
      boxes_us += t2 - t1;
      std::vector<Part> part(static_cast<std::size_t>(b.components));
      std::vector<Order> order(part.size());
      double t2b = now();
      for (std::size_t i = 0; i < part.size(); ++i) {
        part[i].component = &b.component[i];
        part[i].has_tree = build_tree(b.component[i], ws, part[i].tree);
      }
      double t3 = now();
      tree_us += t3 - t2b;
      for (std::size_t i = 0; i < part.size(); ++i) {
        if (!part[i].has_tree) order[i] = choose_order(b.component[i], ws);
      }
      double t4 = now();
      order_us += t4 - t3;
      for (std::size_t i = 0; i < part.size(); ++i) {
        if (!part[i].has_tree) compile_path(b.component[i], order[i], ws, part[i].program);
        states += part[i].has_tree ? part[i].tree.rows : part[i].program.states;
        entries += part[i].has_tree ? part[i].tree.entries : part[i].program.entries;
        boxes += b.component[i].boxes;
      }
      parts += b.components;
      double t5 = now();
      compile_us += t5 - t4;
      const double z = choose_fugacity(p.prior, front.known, front.unknown, 0);
      run_forward(part.data(), b.components, z, ws);
      double t6 = now();
      forward_us += t6 - t5;
      std::vector<const Polynomial*> list;
      for (auto& x : part) list.push_back(&x.poly);
      JoinInput pool;
      pool.poly = list.data();
      pool.count = b.components;
      pool.fugacity = z;
      pool.sea = b.sea;
      pool.known = front.known;
      pool.cells = p.graph->cells;
      pool.prior = p.prior;
      double t7 = now();
      JoinResult j = join(pool, kAll, ws);
      double t8 = now();
      join_us += t8 - t7;
      for (std::size_t i = 0; i < part.size(); ++i) part[i].outside = j.outside[i];
      run_backward(part.data(), b.components, ws);
      backward_us += now() - t8;
    }
  }
  const double n = static_cast<double>(positions.size()) * rounds;
  std::printf(
      "  stages us: front %.2f boxes %.2f tree %.2f order %.2f compile %.2f forward %.2f join %.2f backward %.2f | "
      "parts %.1f boxes %.1f states %.1f entries %.1f\n",
      front_us / n, boxes_us / n, tree_us / n, order_us / n, compile_us / n, forward_us / n, join_us / n,
      backward_us / n, static_cast<double>(parts) / n, static_cast<double>(boxes) / n, static_cast<double>(states) / n,
      static_cast<double>(entries) / n);
}

void expert() {
  const auto positions = expert_positions(150, 1);
  std::vector<double> out(480);
  Analysis a;
  std::vector<double> best(positions.size(), 1e18);
  double mean = 0;
  const int rounds = 30;
  for (int r = 0; r < rounds; ++r) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const double t = once(a, positions[i].position(), out);
      if (r) mean += t;
      best[i] = std::min(best[i], t);
    }
  }
  std::sort(best.begin(), best.end());
  double sum = 0;
  for (double t : best) sum += t;
  std::printf("expert: %zu positions, mean %.2f us (best-of mean %.2f, p99 %.1f, worst %.1f)\n", positions.size(),
              mean / static_cast<double>(positions.size()) / (rounds - 1), sum / static_cast<double>(positions.size()),
              best[positions.size() * 99 / 100], best.back());
  stages(positions, 10);
}

void big(const char* name, const Snapshot& s, int rounds) {
  std::vector<double> out(s.shown.size());
  Analysis a;
  double best = 1e18;
  double first = 0;
  for (int r = 0; r < rounds; ++r) {
    const double t = once(a, s.position(), out);
    if (!r) first = t;
    best = std::min(best, t);
  }
  double sum = 0, carry = 0;
  for (double p : out) {
    const double y = p - carry, t = sum + y;
    carry = (t - sum) - y;
    sum = t;
  }
  std::printf("%s: %.3f ms best, %.3f ms first; %d components, %d boxes; sum of p off by %.2g; peak %.0f MB\n", name,
              best / 1000, first / 1000, a.components(), a.boxes(), std::abs(sum - static_cast<double>(s.mines)),
              peak_mb());
  std::fflush(stdout);
}

void hard(const char* name, const Snapshot& s) {
  try {
    big(name, s, 1);
    stages({s}, 1);
  } catch (const BudgetExceeded& e) {
    std::printf("%s: %s (boxes %d, width %.1f); peak %.0f MB\n", name, e.what(), e.boxes, e.width, peak_mb());
  }
  std::fflush(stdout);
}

struct Noise {
  const char* name;
  std::vector<double> w;
  Channel channel;
};

enum class Lie { optimistic, cautious, noisy };

// The channels of the package on a square board: P(shown | count) on a cell with d neighbours.
Noise make_channel(Lie lie) {
  Noise n;
  n.name = lie == Lie::optimistic ? "optimistic" : lie == Lie::cautious ? "cautious" : "noisy 0.1";
  n.channel.largest_degree = 8;
  n.channel.codes = 9;
  n.w.assign(9 * 9 * 9, 0.0);
  for (int d = 0; d <= 8; ++d)
    for (int k = 0; k <= d; ++k)
      for (int s = 0; s <= d; ++s) {
        double w = 0;
        if (lie == Lie::optimistic) w = s <= k ? 1.0 / (k + 1) : 0;
        if (lie == Lie::cautious) w = s >= k ? 1.0 / (d - k + 1) : 0;
        if (lie == Lie::noisy) {
          for (int off : {-1, 1}) w += std::clamp(k + off, 0, d) == s ? 0.05 : 0;
          w += s == k ? 0.9 : 0;
        }
        n.w[static_cast<std::size_t>((d * 9 + s) * 9 + k)] = w;
      }
  return n;
}

// Expert positions with the same cells open, each telling what the channel makes of its count.
void channels() {
  const auto positions = expert_positions(60, 2);
  std::vector<double> out(480);
  Analysis a;
  double base = 0;
  for (const auto& s : positions) {
    double best = 1e18;
    for (int r = 0; r < 5; ++r) best = std::min(best, once(a, s.position(), out));
    base += best / static_cast<double>(positions.size());
  }
  std::printf("exact clues: mean %.2f us\n", base);
  stages(positions, 5);
  for (const Lie lie : {Lie::optimistic, Lie::cautious, Lie::noisy}) {
    Noise n = make_channel(lie);
    n.channel.weight = n.w.data();
    Dice dice{5};
    auto told = positions;
    double sum = 0;
    double worst = 0;
    for (auto& s : told) {
      for (std::size_t i = 0; i < s.shown.size(); ++i) {
        const int k = s.shown[i];
        if (k > 8) continue;
        const int d = s.graph.degree(static_cast<std::int32_t>(i));
        double left = static_cast<double>(dice.next() % 1000003) / 1000003.0;
        int c = 0;
        for (; c < d; ++c) {
          left -= n.w[static_cast<std::size_t>((d * 9 + c) * 9 + k)];
          if (left < 0) break;
        }
        s.shown[i] = static_cast<std::uint8_t>(c);
      }
      Position p = s.position();
      p.channel = &n.channel;
      double best = 1e18;
      for (int r = 0; r < 5; ++r) best = std::min(best, once(a, p, out));
      sum += best;
      worst = std::max(worst, best);
    }
    sum /= static_cast<double>(positions.size());
    std::printf("%s: mean %.2f us (%.1fx), worst %.0f\n", n.name, sum, sum / base, worst);
    stages(told, 5, &n.channel);
  }
}

void threads() {
  const auto positions = expert_positions(100, 3);
  double alone = 0;
  for (int n : {1, 2}) {
    const double t = wall();
    std::vector<std::thread> pool;
    std::vector<double> busy(static_cast<std::size_t>(n));
    for (int k = 0; k < n; ++k) {
      pool.emplace_back([&, k] {
        const double begin = now();
        Analysis a;
        std::vector<double> out(480);
        for (int r = 0; r < 300; ++r)
          for (const auto& s : positions) once(a, s.position(), out);
        busy[static_cast<std::size_t>(k)] = now() - begin;
      });
    }
    for (auto& x : pool) x.join();
    const double rate = n * 300.0 * static_cast<double>(positions.size()) / (wall() - t);
    if (n == 1) alone = rate;
    double each = 0;
    for (double b : busy) each += b / (300.0 * static_cast<double>(positions.size())) / n;
    std::printf("threads %d: %.3f positions/us (%.2fx); processor time %.2f us a position\n", n, rate, rate / alone,
                each);
  }
}

// A whole game with certain cells only; every cell that is opened goes through the session.
void session_game(int side, double density) {
  Dice dice{9};
  auto board = std::make_shared<Board>(square(side, side));
  const int first = side / 2 * side + side / 2;
  Snapshot s = deal(board, static_cast<std::int64_t>(side * side * density), first, dice);
  const double start = now();
  Session session(s.position());
  std::vector<std::int32_t> stack{first}, safe, mines;
  std::int64_t opened = 0, asked = 0;
  for (;;) {
    while (!stack.empty()) {
      const std::int32_t c = stack.back();
      stack.pop_back();
      if (session.shown(c) != kHidden) continue;
      const int count = mines_around(*board, s.mine, c);
      session.open(c, static_cast<std::uint8_t>(count));
      ++opened;
      if (count) continue;
      for (int e = s.graph.offset[c]; e < s.graph.offset[c + 1]; ++e) {
        if (session.shown(s.graph.target[e]) == kHidden) stack.push_back(s.graph.target[e]);
      }
    }
    session.newly_certain(safe, mines);
    ++asked;
    if (safe.empty() && mines.empty()) break;
    stack = safe;
  }
  const double t = now() - start;
  std::printf("session %dx%d at %.0f%%: %lld opened, %lld questions, %.2f s, %.2f us an opening; peak %.0f MB\n", side,
              side, density * 100, static_cast<long long>(opened), static_cast<long long>(asked), t / 1e6,
              t / static_cast<double>(opened), peak_mb());
}

}  // namespace

int main(int argc, char** argv) {
  auto asked = [&](const char* name) {
    if (argc < 2) return true;
    for (int i = 1; i < argc; ++i) {
      if (!std::strcmp(argv[i], name)) return true;
    }
    return false;
  };
  if (asked("expert")) expert();
  if (asked("channel")) channels();
  if (asked("threads")) threads();
  if (asked("played")) big("played 100x100/2000", played(100, 100, 0.2, 0.7, 4), 200);
  if (asked("many")) {
    big("10000 patches", patches(1000, 13000, 0.15, 6), 5);
    big("20000 patches", patches(1000, 44000, 0.15, 6), 5);
    stages({patches(1000, 44000, 0.15, 6)}, 3);
  }
  if (asked("lattice")) {
    for (int side : {16, 20, 24, 28}) hard(("lattice " + std::to_string(side)).c_str(), lattice(side, 0.2, 1));
  }
  if (asked("scattered")) {
    for (int seed = 1; seed <= 3; ++seed)
      hard("scattered 40", scattered(40, 0.3, 0.2, static_cast<std::uint64_t>(seed)));
    for (int seed = 1; seed <= 3; ++seed)
      hard("scattered 50", scattered(50, 0.3, 0.2, static_cast<std::uint64_t>(seed)));
  }
  if (asked("scattered100")) {
    for (int seed = 1; seed <= 10; ++seed)
      hard("scattered 100", scattered(100, 0.3, 0.2, static_cast<std::uint64_t>(seed)));
  }
  if (asked("session")) {
    session_game(300, 0.15);
    session_game(1000, 0.15);
  }
  if (asked("large")) {
    for (const Snapshot& s : {played(1000, 1000, 0.15, 0.9, 7), played(1000, 1000, 0.20, 0.88, 8)}) {
      big(s.mines == 150000 ? "1000x1000 15%" : "1000x1000 20%", s, 10);
      stages({s}, 3);
    }
  }
  return 0;
}

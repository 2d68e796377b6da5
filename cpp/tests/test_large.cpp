// Positions beyond the oracle: different ways through the engine must agree, and probabilities sum to the mines.
#include "../exact/engine.hpp"
#include "../exact/session.hpp"
#include "../exact/session_components.hpp"
#include "arguments.hpp"
#include "games.hpp"

using namespace mineproof::tests;

namespace {

double sum_of(const std::vector<double>& p) {
  double sum = 0, carry = 0;
  for (double x : p) {
    const double y = x - carry, t = sum + y;
    carry = (t - sum) - y;
    sum = t;
  }
  return sum;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

std::vector<double> solve(const Position& p, Certain* certain = nullptr) {
  Analysis a;
  std::vector<double> out(static_cast<std::size_t>(p.graph->cells));
  a.solve(p);
  a.probabilities(out.data());
  if (certain) a.certain(certain);
  return out;
}

// Vector front end against the plain one; whole board against its transposition; session against analysis.
void check(const char* name, const Snapshot& s) {
  const std::size_t n = s.shown.size();
  std::vector<Certain> certain(n), other(n);
  const auto p = solve(s.position(), certain.data());
  const double off = std::abs(sum_of(p) - static_cast<double>(s.mines));
  CHECK(off < 1e-9 * static_cast<double>(s.mines), "%s: sum off by %g", name, off);
  Snapshot plain = s;
  plain.graph.rows = plain.graph.cols = 0;
  const auto q = solve(plain.position(), other.data());
  CHECK(largest_difference(p, q) == 0 && certain == other, "%s: front ends differ", name);
  const int rows = s.graph.rows, cols = s.graph.cols;
  Snapshot turned = s;
  turned.board = std::make_shared<Board>(square(cols, rows));
  turned.graph = turned.board->graph();
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c)
      turned.shown[static_cast<std::size_t>(c * rows + r)] = s.shown[static_cast<std::size_t>(r * cols + c)];
  const auto t = solve(turned.position(), other.data());
  double most = 0;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) {
      const std::size_t a = static_cast<std::size_t>(r * cols + c), b = static_cast<std::size_t>(c * rows + r);
      most = std::max(most, std::abs(p[a] - t[b]));
      CHECK(certain[a] == other[b], "%s: certainty changes when the board is turned", name);
    }
  CHECK(most < 1e-12, "%s: turned board differs by %g", name, most);
  Session session(s.position());
  std::vector<double> u(n);
  session.probabilities(u.data());
  const double apart = largest_difference(p, u);
  CHECK(apart < 1e-12, "%s: session differs by %g", name, apart);
  for (std::size_t i = 0; i < n; ++i) {
    CHECK((p[i] == 0.0) == (u[i] == 0.0) && (p[i] == 1.0) == (u[i] == 1.0));
    if (s.mine[i] ? p[i] == 0.0 : p[i] == 1.0) CHECK(false, "%s: the truth is called impossible", name);
  }
  // Keeping few layers instead of all.
  Engine engine;
  engine.ws.keep_entries = 0;
  engine.solve(s.position(), {});
  double kept = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t box = engine.boxes.box_of[i];
    if (box >= 0) kept = std::max(kept, std::abs(engine.box_p[box] - p[i]));
  }
  CHECK(kept < 1e-13, "%s: checkpoints differ by %g", name, kept);
  std::printf("  %s: %d components, sum off by %.2g, turned %.2g, session %.2g\n", name, engine.boxes.components, off,
              most, apart);
}

// Both ways of joining components; the circle needs a total that is not tight.
void check_join(const char* name, const Snapshot& s) {
  Engine engine;
  engine.solve(s.position(), {});
  JoinInput pool = engine.pool();
  pool.way = JoinInput::Way::direct;
  const JoinResult a = join(pool, kAll, engine.ws);
  pool.way = JoinInput::Way::circle;
  const JoinResult b = join(pool, kAll, engine.ws);
  double most = std::abs(a.sea_p - b.sea_p);
  for (std::int32_t i = 0; i < pool.count; ++i) {
    const Polynomial& p = *pool.poly[i];
    double x = 0, y = 0;
    for (std::int32_t m = 0; m < p.length; ++m) x += p.c[m] * a.outside[i][m], y += p.c[m] * b.outside[i][m];
    for (std::int32_t m = 0; m < p.length; ++m) {
      most = std::max(most, std::abs(p.c[m] * a.outside[i][m] / x - p.c[m] * b.outside[i][m] / y));
      CHECK((a.outside[i][m] > 0) == (b.outside[i][m] > 0));
    }
  }
  std::printf("  join of %s: %d components, ways differ by %.2g, log weight by %.2g of %.6g\n", name, pool.count, most,
              std::abs(a.log_weight - b.log_weight), a.log_weight);
  CHECK(most < 1e-12 && std::abs(a.log_weight - b.log_weight) < 1e-9 * std::abs(a.log_weight));
}

// Samples of a board with very many components obey everything, and their mean is right.
void check_samples(const Snapshot& s, int draws) {
  Analysis a;
  const auto p = solve(s.position());
  a.solve(s.position());
  Dice dice{3};
  std::vector<std::uint8_t> out(s.shown.size());
  double z = 0;
  int tested = 0;
  std::vector<int> hits(s.shown.size(), 0);
  for (int d = 0; d < draws; ++d) {
    a.sample({dice_word, &dice}, out.data());
    std::int64_t k = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      k += out[i];
      hits[i] += out[i];
      if (s.shown[i] <= kLargestClue)
        CHECK(mines_around(*s.board, out, static_cast<int>(i)) == s.shown[i] && !out[i], "a sample against a clue");
    }
    CHECK(k == s.mines, "a sample with %lld mines", static_cast<long long>(k));
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double v = p[i] * (1 - p[i]) * draws;
    if (v < 1) continue;
    z += (hits[i] - p[i] * draws) * (hits[i] - p[i] * draws) / v;
    ++tested;
  }
  std::printf("  samples: mean squared deviation %.3f over %d cells\n", z / tested, tested);
  CHECK(std::abs(z / tested - 1) < 0.1);
}

// A session keeps every component in memory of its own, which must be little.
void check_memory(const Snapshot& s) {
  constexpr std::int64_t kMost = 32 << 10;  // bytes a component
  CellMarks marks(s.position());
  LiveComponents components(marks, {}, 0.2);
  while (components.refresh()) {
  }
  const Arena* scratch = nullptr;
  std::int64_t count = 0;
  std::int64_t bytes = 0;
  for (const auto& live : components.slots()) {
    if (!live) continue;
    ++count;
    bytes += live->ws.arena.reserved();
    if (&live->ws.scratch != scratch) bytes += live->ws.scratch.reserved();
    scratch = &live->ws.scratch;
  }
  CHECK(count > 100 && bytes < count * kMost, "%lld bytes of %lld components", static_cast<long long>(bytes),
        static_cast<long long>(count));
  std::printf("  session of %lld components: %lld bytes each\n", static_cast<long long>(count),
              static_cast<long long>(bytes / count));
}

// A lattice far past any budget is given up before much is counted.
void check_hopeless(int side, std::uint64_t seed) {
  const Snapshot s = lattice(side, 0.267, seed);
  Limits limits;
  limits.bytes = std::int64_t{500} << 20;
  Analysis a;
  bool refused = false;
  try {
    a.solve(s.position(), limits);
  } catch (const BudgetExceeded& e) {
    refused = std::string(e.what()).find("far past the budget") != std::string::npos && e.boxes > 0;
  }
  CHECK(refused, "lattice %d, seed %d", side, static_cast<int>(seed));
}

// Lattices past the budget in which two clues clash, a 1 beside a 7: an order that comes upon them within the budget
// tells so. Which ones do depends on the orders that are tried.
void check_clashes() {
  constexpr int kSide = 30;
  Limits limits;
  limits.states = 1 << 21;
  int told = 0;
  for (const std::uint64_t seed : {13, 14, 18, 20, 22, 24, 36, 54}) {
    Dice dice{seed * 7919 + 1};
    Snapshot s = lattice(kSide, 0.4, seed);
    const int row = 2 + 2 * dice.below(kSide / 2 - 2), column = 2 + 2 * dice.below(kSide / 2 - 3);
    const auto clue = static_cast<std::size_t>(row * kSide + column);
    s.shown[clue] = 1;
    s.shown[clue + 2] = 7;
    Analysis a;
    try {
      a.solve(s.position(), limits);
      CHECK(false, "a clash, seed %d", static_cast<int>(seed));
    } catch (const Contradiction&) {
      ++told;
    } catch (const BudgetExceeded&) {
    }
  }
  CHECK(told >= 5, "%d clashes", told);
}

}  // namespace

int main() {
  const auto seeds = static_cast<std::uint64_t>(part_of(3));
  for (const Snapshot& s : expert_positions(part_of(60), 77)) {
    const auto p = solve(s.position());
    CHECK(std::abs(sum_of(p) - 99) < 1e-11);
  }
  check_clashes();
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    check_hopeless(60, seed);
    check("played 40x70", played(40, 70, 0.2, 0.5, seed));
    check("played 100x100", played(100, 100, 0.2, 0.8, seed));
    check("lattice 15", lattice(15, 0.2, seed));
    check("scattered 30", scattered(30, 0.3, 0.2, seed));
  }
  const int shrink = part_of(2) == 2 ? 1 : 2;  // of the largest boards: their sides, and so the patches of an area
  const auto largest = [&](int side, int count, std::uint64_t seed) {
    return patches(side / shrink, count / shrink / shrink, 0.15, seed);
  };
  check("played 300x300", played(300 / shrink, 300 / shrink, 0.2, 0.85, 5));
  check("patches", largest(200, 700, 2));
  check("many patches", largest(500, 6000, 3));
  for (std::uint64_t seed = 1; seed <= seeds + 1; ++seed) {
    check_join("100x100", played(100, 100, 0.2, 0.8, seed));
    check_join("patches", patches(150, 500, 0.15, seed));
    check_join("dense patches", patches(40, 300, 0.2, seed));
  }
  check_join("many patches", largest(400, 4000, 5));
  check_memory(patches(150, 500, 0.15, 1));
  check_samples(patches(60, 60, 0.15, 4), 400);
  check_samples(largest(400, 4000, 4), 60);
  std::printf("test_large: all agree\n");
  return 0;
}

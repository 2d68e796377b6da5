// Greedy orders that close one clue after the other, filtered by estimate and raced.
//
// The width of a layer depends on the clues that are open, so an order is a sequence of clues to close; closing a clue
// eliminates its remaining boxes and opens the clues that share them. The clue to close next is the open one that opens
// the fewest. Estimates of what an order costs may be twofold off in either direction, so on wide components the best
// few are raced: their states are counted, without polynomials, under growing caps.
#include "order.hpp"

#include <algorithm>
#include <cmath>

#include "path.hpp"

namespace mineproof::exact {

namespace {

// log2(0..63), for estimates.
struct Logs {
  double value[64];
  Logs() {
    value[0] = 0;
    for (int i = 1; i < 64; ++i) value[i] = std::log2(i);
  }
  double operator()(std::int32_t n) const { return n < 64 ? value[n] : std::log2(n); }
};
const Logs kLog;

// Which clues share a box, as compressed rows.
struct ClueGraph {
  std::int32_t* offset;
  std::int32_t* target;
};

ClueGraph clue_graph(const Component& c, Arena& arena) {
  const std::size_t n = static_cast<std::size_t>(c.clues);
  std::size_t most = 0;
  for (std::int32_t b = 0; b < c.boxes; ++b) {
    const std::size_t d = static_cast<std::size_t>(c.box_offset[b + 1] - c.box_offset[b]);
    most += d * (d - 1);
  }
  ClueGraph g{arena.take<std::int32_t>(n + 1), arena.take<std::int32_t>(most)};
  std::int32_t* stamp = arena.take<std::int32_t>(n);
  for (std::size_t i = 0; i < n; ++i) stamp[i] = -1;
  std::int32_t at = 0;
  for (std::int32_t q = 0; q < c.clues; ++q) {
    g.offset[q] = at;
    stamp[q] = q;
    for (std::int32_t e = c.clue_offset[q]; e < c.clue_offset[q + 1]; ++e) {
      const std::int32_t b = c.clue_box[e];
      for (std::int32_t f = c.box_offset[b]; f < c.box_offset[b + 1]; ++f) {
        const std::int32_t other = c.box_clue[f];
        if (stamp[other] == q) continue;
        stamp[other] = q;
        g.target[at++] = other;
      }
    }
  }
  g.offset[n] = at;
  return g;
}

int count_bits(std::uint64_t x) {  // std::popcount is a call where the machine may lack the instruction
  x -= x >> 1 & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
  return static_cast<int>(((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

// How a further try differs from the plain one.
struct Style {
  std::uint64_t noise;
  double sweep;
  double amplitude;
};

class Greedy {
 public:
  Greedy(const Component& c, Arena& arena) : c_(c), few_(c.clues <= 64) {
    const std::size_t n = static_cast<std::size_t>(c.clues);
    if (few_) {
      near_ = arena.zeroed<std::uint64_t>(n);
      at_ = arena.take<std::uint64_t>(static_cast<std::size_t>(c.boxes));
      for (std::int32_t b = 0; b < c.boxes; ++b) {
        std::uint64_t clues = 0;
        for (std::int32_t e = c.box_offset[b]; e < c.box_offset[b + 1]; ++e) clues |= std::uint64_t{1} << c.box_clue[e];
        for (std::int32_t e = c.box_offset[b]; e < c.box_offset[b + 1]; ++e) near_[c.box_clue[e]] |= clues;
        at_[b] = clues;
      }
    } else {
      graph_ = clue_graph(c, arena);
    }
    fresh_ = arena.take<std::int32_t>(n);
    left_ = arena.take<std::int32_t>(n);
    distance_ = arena.take<std::int32_t>(n);
    opened_ = arena.take<std::uint8_t>(n);
    open_ = arena.take<std::int32_t>(n);
    taken_ = arena.take<std::uint8_t>(static_cast<std::size_t>(c.boxes));
  }

  // What only tries with a style need.
  void prepare_styles(Arena& arena) {
    const std::size_t n = static_cast<std::size_t>(c_.clues);
    if (few_) graph_ = clue_graph(c_, arena);
    weight_ = arena.take<double>(n);
    for (std::int32_t q = 0; q < c_.clues; ++q) weight_[q] = 0.6 * kLog(c_.clue[q].high + 1);
    if (c_.boxes > 128) return;
    all_of_ = arena.zeroed<Mask>(n);
    rest_of_ = arena.take<Mask>(n);
    for (std::int32_t b = 0; b < c_.boxes; ++b) {
      for (std::int32_t e = c_.box_offset[b]; e < c_.box_offset[b + 1]; ++e) all_of_[c_.box_clue[e]] |= Mask{1} << b;
    }
  }

  std::int32_t neighbours(std::int32_t clue) const {
    return few_ ? count_bits(near_[clue]) - 1 : graph_.offset[clue + 1] - graph_.offset[clue];
  }

  // Numbers the clues by distance from `start`; gives one that is farthest.
  std::int32_t measure(std::int32_t start) {
    std::fill_n(distance_, c_.clues, -1);
    distance_[start] = 0;
    std::int32_t found = 0;
    open_[found++] = start;
    for (std::int32_t i = 0; i < found; ++i) {
      for (std::int32_t e = graph_.offset[open_[i]]; e < graph_.offset[open_[i] + 1]; ++e) {
        const std::int32_t q = graph_.target[e];
        if (distance_[q] >= 0) continue;
        distance_[q] = distance_[open_[i]] + 1;
        open_[found++] = q;
      }
    }
    return open_[found - 1];
  }

  // Fills `order` starting by closing `start`. With a style: weighs clues by their range, sweeps away from the start
  // (measure() has been called) and adds noise.
  void run(std::int32_t start, const Style* style, Order& order) {
    std::uint64_t noise = style ? style->noise : 0;
    for (std::int32_t q = 0; q < c_.clues; ++q) {
      if (!few_) fresh_[q] = neighbours(q);
      left_[q] = c_.clue_offset[q + 1] - c_.clue_offset[q];
      opened_[q] = 0;
    }
    std::fill_n(taken_, c_.boxes, std::uint8_t{0});
    if (rest_of_) std::copy_n(all_of_, c_.clues, rest_of_);
    unopened_ = ~std::uint64_t{0};
    opens_ = 0;
    step_ = 0;
    rest_ = 0;
    open_clue(start, order);
    std::int32_t next = start;
    while (true) {
      close(next, order);
      // Drop what has closed; find the cheapest to close.
      double best = 0;
      next = -1;
      std::int32_t still = 0;
      for (std::int32_t i = 0; i < opens_; ++i) {
        const std::int32_t q = open_[i];
        if (left_[q] == 0) continue;
        open_[still++] = q;
        double cost = fresh(q) * 64 + left_[q];
        if (style) {
          noise = noise * 6364136223846793005u + 1442695040888963407u;
          cost = weighed(q) + style->sweep * distance_[q] + style->amplitude * static_cast<double>(noise >> 44) * 0x1p-20;
        }
        if (q == c_.probe) cost += 1e12;  // closing it gains nothing
        if (next < 0 || cost < best) {
          best = cost;
          next = q;
        }
      }
      opens_ = still;
      if (next < 0) {  // all that hangs together is done; a component with a probe may have more pieces
        while (rest_ < c_.clues && left_[rest_] == 0) ++rest_;
        if (rest_ == c_.clues) break;
        next = rest_;
        open_clue(next, order);
      }
    }
    if (c_.probe >= 0) order.last[c_.probe] = c_.boxes;
  }

 private:
  // Clues not yet opened that closing a clue would open, and those that eliminating a box would.
  std::int32_t fresh(std::int32_t q) const { return few_ ? count_bits(near_[q] & unopened_) : fresh_[q]; }
  std::int32_t fresh_of_box(std::int32_t b) const {
    if (few_) return count_bits(at_[b] & unopened_);
    std::int32_t opens = 0;
    for (std::int32_t f = c_.box_offset[b]; f < c_.box_offset[b + 1]; ++f) opens += !opened_[c_.box_clue[f]];
    return opens;
  }

  // What closing a clue opens, less what it closes.
  double weighed(std::int32_t q) const {
    double cost = left_[q] - 32 * weight_[q];
    for (std::int32_t e = graph_.offset[q]; e < graph_.offset[q + 1]; ++e) {
      const std::int32_t other = graph_.target[e];
      if (!opened_[other]) {
        cost += 64 * weight_[other];
      } else if (left_[other] > 0 && left_[other] <= left_[q]) {
        if (rest_of_) {
          if (!(rest_of_[other] & ~rest_of_[q])) cost -= 64 * weight_[other];
          continue;
        }
        std::int32_t shared = 0;
        for (std::int32_t f = c_.clue_offset[q]; f < c_.clue_offset[q + 1]; ++f) {
          const std::int32_t b = c_.clue_box[f];
          if (taken_[b]) continue;
          for (std::int32_t h = c_.box_offset[b]; h < c_.box_offset[b + 1]; ++h) shared += c_.box_clue[h] == other;
        }
        if (shared == left_[other]) cost -= 64 * weight_[other];
      }
    }
    return cost;
  }

  void open_clue(std::int32_t q, Order& order) {
    opened_[q] = 1;
    open_[opens_++] = q;
    order.first[q] = step_;
    if (few_) {
      unopened_ &= ~(std::uint64_t{1} << q);
      return;
    }
    for (std::int32_t e = graph_.offset[q]; e < graph_.offset[q + 1]; ++e) --fresh_[graph_.target[e]];
  }

  // Eliminates the remaining boxes of a clue, those that open the fewest clues first.
  void close(std::int32_t q, Order& order) {
    while (left_[q] > 0) {
      std::int32_t best = -1;
      std::int32_t least = 0;
      for (std::int32_t e = c_.clue_offset[q]; e < c_.clue_offset[q + 1]; ++e) {
        const std::int32_t b = c_.clue_box[e];
        if (taken_[b]) continue;
        const std::int32_t opens = fresh_of_box(b);
        if (best < 0 || opens < least) {
          best = b;
          least = opens;
        }
        if (opens == 0) break;
      }
      taken_[best] = 1;
      for (std::int32_t f = c_.box_offset[best]; f < c_.box_offset[best + 1]; ++f) {
        const std::int32_t other = c_.box_clue[f];
        if (!opened_[other]) open_clue(other, order);
        if (rest_of_) rest_of_[other] &= ~(Mask{1} << best);
        if (--left_[other] == 0) order.last[other] = step_;
      }
      order.box[step_++] = best;
    }
  }

  const Component& c_;
  const bool few_;                 // sets of clues fit a word, and the graph is made only for tries with a style
  std::uint64_t* near_ = nullptr;  // per clue: the clues that share a box with it, itself too
  std::uint64_t* at_ = nullptr;    // per box: its clues
  std::uint64_t unopened_ = 0;
  ClueGraph graph_{};
  std::int32_t* fresh_;    // clues not yet opened that closing it would open; unless they are few
  std::int32_t* distance_;
  std::int32_t* left_;     // boxes not yet eliminated
  double* weight_ = nullptr;
  using Mask = unsigned __int128;
  Mask* all_of_ = nullptr;   // boxes of a clue, where a mask can hold them
  Mask* rest_of_ = nullptr;  // those not yet eliminated
  std::uint8_t* opened_;
  std::uint8_t* taken_;
  std::int32_t* open_;
  std::int32_t opens_ = 0;
  std::int32_t step_ = 0;
  std::int32_t rest_ = 0;
};

Order blank(const Component& c, Arena& arena) {
  const std::size_t clues = static_cast<std::size_t>(c.clues);
  std::int32_t* p = arena.take<std::int32_t>(static_cast<std::size_t>(c.boxes) + 2 * clues);
  return {p, p + c.boxes, p + c.boxes + c.clues, 0};
}

void copy(const Component& c, const Order& from, Order& to) {
  std::copy_n(from.box, c.boxes, to.box);
  std::copy_n(from.first, c.clues, to.first);
  std::copy_n(from.last, c.clues, to.last);
  to.estimate = from.estimate;
}

struct Scratch {
  std::int32_t* seen;   // per clue
  std::int32_t* cells;  // per clue
  double* range;        // per clue
  std::int32_t* open;   // per box
};

// log2 of the sum over layers of the product of the ranges that the open clues' counts can have.
double estimate(const Component& c, const Order& order, Scratch& s) {
  auto& [seen, cells, range, open] = s;
  for (std::int32_t q = 0; q < c.clues; ++q) {
    seen[q] = 0;
    cells[q] = 0;
    range[q] = 0;
    for (std::int32_t e = c.clue_offset[q]; e < c.clue_offset[q + 1]; ++e) cells[q] += c.size[c.clue_box[e]];
  }
  double width = 0;
  double sum = 0;
  for (std::int32_t t = 0; t < c.boxes; ++t) {
    const std::int32_t b = order.box[t];
    for (std::int32_t e = c.box_offset[b]; e < c.box_offset[b + 1]; ++e) {
      const std::int32_t q = c.box_clue[e];
      const Clue& k = c.clue[q];
      seen[q] += c.size[b];
      double r = 0;
      if (order.last[q] != t) {
        const std::int32_t high = std::min(k.high, seen[q]);
        const std::int32_t low = std::max(0, k.low - (cells[q] - seen[q]));
        r = kLog(std::max(1, high - low + 1));
      }
      width += r - range[q];
      range[q] = r;
    }
    sum += std::exp2(std::min(width, 900.0));
  }
  return std::log2(sum);
}

// The same for clues with weights, where nearly every combination of counts occurs: log2 of the sum over layers of states
// times mines. The counts are also no more than the boxes behind the open clues can make, which is often fewer.
double estimate_weighed(const Component& c, const Order& order, Scratch& s) {
  for (std::int32_t q = 0; q < c.clues; ++q) s.seen[q] = s.cells[q] = 0, s.range[q] = 0;
  for (std::int32_t b = 0; b < c.boxes; ++b) {
    s.open[b] = c.box_offset[b + 1] - c.box_offset[b];
    for (std::int32_t e = c.box_offset[b]; e < c.box_offset[b + 1]; ++e) s.cells[c.box_clue[e]] += c.size[b];
  }
  double width = 0;   // of the counts
  double behind = 0;  // of the boxes
  double sum = 0;
  std::int32_t mines = 1;
  for (std::int32_t t = 0; t < c.boxes; ++t) {
    const std::int32_t b = order.box[t];
    behind += kLog(c.size[b] + 1);
    mines += c.size[b];
    for (std::int32_t e = c.box_offset[b]; e < c.box_offset[b + 1]; ++e) {
      const std::int32_t q = c.box_clue[e];
      const Clue& k = c.clue[q];
      s.seen[q] += c.size[b];
      double r = 0;
      if (order.last[q] != t) {
        const std::int32_t high = std::min(k.high, s.seen[q]);
        const std::int32_t low = std::max(0, k.low - (s.cells[q] - s.seen[q]));
        r = kLog(std::max(1, high - low + 1));
      } else {
        for (std::int32_t f = c.clue_offset[q]; f < c.clue_offset[q + 1]; ++f) {
          if (--s.open[c.clue_box[f]] == 0) behind -= kLog(c.size[c.clue_box[f]] + 1);
        }
      }
      width += r - s.range[q];
      s.range[q] = r;
    }
    sum += std::exp2(std::min({width, behind, 900.0})) * mines;
  }
  return std::log2(sum);
}

}  // namespace

Order choose_order(const Component& c, Workspace& ws) {
  Arena& arena = ws.arena;
  Order best = blank(c, arena);
  if (c.clues == 1) {
    for (std::int32_t b = 0; b < c.boxes; ++b) best.box[b] = b;
    best.first[0] = 0;
    best.last[0] = c.probe == 0 ? c.boxes : c.boxes - 1;
    return best;
  }
  const Arena::Mark mark = arena.mark();
  Greedy greedy(c, arena);
  std::int32_t start = 0;
  for (std::int32_t q = 1; q < c.clues; ++q) {
    if (greedy.neighbours(q) < greedy.neighbours(start)) start = q;
  }
  greedy.run(start, nullptr, best);
  if (c.boxes <= 10) {
    arena.release(mark);
    return best;
  }
  const std::size_t clues = static_cast<std::size_t>(c.clues);
  bool weighs = false;
  for (std::int32_t q = 0; q < c.clues && !weighs; ++q) weighs = c.clue[q].weight;
  Scratch scratch{arena.take<std::int32_t>(clues), arena.take<std::int32_t>(clues), arena.take<double>(clues),
                  arena.take<std::int32_t>(static_cast<std::size_t>(c.boxes))};
  auto rate = [&](Order& o) { o.estimate = weighs ? estimate_weighed(c, o, scratch) : estimate(c, o, scratch); };
  rate(best);
  ws.spend(c.boxes * 20);
  // Small enough: what could be saved is less than what looking costs.
  constexpr double kSmall = 9;
  constexpr double kTryWeighed = 300;  // nanoseconds a box
  constexpr double kEntry = 0.25;      // of a nanosecond: what is spent on trying for each entry that is expected
  auto worth = [&](double e) { return kEntry * std::exp2(std::min(e, 60.0)); };
  const bool small = weighs ? worth(best.estimate) < kTryWeighed * c.boxes : best.estimate <= kSmall + std::log2(c.boxes);
  if (small) {
    arena.release(mark);
    return best;
  }
  // Further orders, with other starts, styles and noise. Trying costs little: as long as it costs less than a part of what
  // the best order so far is expected to cost, go on. Estimates are above the truth, by about kAbove.
  constexpr double kTry = 150;       // nanoseconds a box
  constexpr double kCount = 12;      // a state
  constexpr double kProgram = 60;    // a state
  constexpr double kAbove = 8.5;
  constexpr int kChampions = 3;
  constexpr double kNone = 1e9;
  greedy.prepare_styles(arena);
  Order champion[kChampions];
  for (Order& o : champion) {
    o = blank(c, arena);
    o.estimate = kNone;
  }
  Order trial = blank(c, arena);
  std::uint64_t noise = 0x9e3779b97f4a7c15u;
  std::uint64_t number = 0;
  auto attempt = [&] {
    noise = noise * 6364136223846793005u + 1442695040888963407u;
    std::int32_t from = static_cast<std::int32_t>((noise >> 33) % clues);
    if (number % 2) from = greedy.measure(from);
    greedy.measure(from);
    const Style style{noise, static_cast<double>(number % 5) * 6, number % 3 ? 60.0 : 16.0};
    greedy.run(from, &style, trial);
    rate(trial);
    ++number;
    ws.spend(c.boxes * 40);
    Order* worst = champion;
    for (Order& o : champion) {
      if (o.estimate == trial.estimate) return;  // most likely the same order
      if (o.estimate > worst->estimate) worst = &o;
    }
    if (trial.estimate < worst->estimate) copy(c, trial, *worst);
  };
  auto best_estimate = [&] {
    double e = best.estimate;
    for (const Order& o : champion) e = std::min(e, o.estimate);
    return e;
  };
  // Far past the budget, more tries will not bring a component within reach.
  constexpr std::uint64_t kTries = 800;
  constexpr std::uint64_t kHopelessTries = 60;
  const double hopeless = std::log2(static_cast<double>(std::max<std::int64_t>(ws.states_left(), 1))) + kAbove + 16;
  auto may_try = [&] { return number < (best_estimate() < hopeless ? kTries : kHopelessTries); };
  double spent = 0;
  if (weighs) {
    while (may_try() && spent < worth(best_estimate())) {
      attempt();
      spent += kTryWeighed * c.boxes;
    }
    constexpr double kSure = 22;  // below, counting would cost more than a wrong choice
    if (best_estimate() < kSure) {
      for (const Order& o : champion) {
        if (o.estimate < best.estimate) copy(c, o, best);
      }
      arena.release(mark);
      return best;
    }
  }
  while (!weighs && may_try() && spent < kProgram / 4 * std::exp2(best_estimate() - kAbove)) {
    attempt();
    spent += kTry * c.boxes;
  }
  // Estimates mislead: the best are counted, under caps that grow until one is within; then some more as long as it pays.
  const std::int64_t all = ws.states_left();
  std::int64_t least = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::exp2(std::min(best_estimate() - kAbove + 2, 40.0))), 1 << 14, all);
  bool known = false;  // `least` is the number of states of `best`
  auto count = [&](const Order& o) {
    const Progress p = count_states(c, o, least, ws);
    spent += kCount * static_cast<double>(p.states);
    if (p.steps < c.boxes || p.states > least) return false;
    least = p.states;
    return known = true;
  };
  for (bool first = true;; first = false) {
    std::sort(champion, champion + kChampions, [](const Order& a, const Order& b) { return a.estimate < b.estimate; });
    for (Order& o : champion) {
      if (o.estimate < kNone && count(o)) copy(c, o, best);
      if (known) o.estimate = kNone;
    }
    if (first) count(best);
    if (!known) {
      if (least >= all) break;  // compiling will say so
      least = std::min(least * 4, all);
      continue;
    }
    const int batch = static_cast<int>(std::clamp(kCount * static_cast<double>(least) / (kTry * c.boxes), 4.0, 100.0));
    if (2 * (spent + batch * kTry * c.boxes) > kProgram * static_cast<double>(least)) break;
    for (int i = 0; i < batch; ++i) attempt();
    spent += batch * kTry * c.boxes;
  }
  arena.release(mark);
  return best;
}

}  // namespace mineproof::exact

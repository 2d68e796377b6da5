// Elimination orders: estimates of their width, greedy tries, and a race between the best.
#include "order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "component.hpp"
#include "path.hpp"
#include "wide.hpp"

namespace mineproof::exact {

namespace {

// log2(n), and 0 for 0; looked up below 64.
class Log2 {
 public:
  Log2() {
    value_[0] = 0;
    for (int i = 1; i < kMost; ++i) value_[i] = std::log2(i);
  }
  double operator()(std::int32_t n) const { return n < kMost ? value_[n] : std::log2(n); }

 private:
  static constexpr int kMost = 64;
  double value_[kMost];
};
const Log2 kLog2;

// Which clues of a component share a box: the graph that elimination orders are found on. Compressed rows: the clues
// that share a box with clue q are target[offset[q]] .. target[offset[q + 1] - 1].
struct ClueGraph {
  std::int32_t* offset = nullptr;
  std::int32_t* target = nullptr;
};

ClueGraph clue_graph(const Component& c, Arena& arena) {
  const std::size_t n = static_cast<std::size_t>(c.clues);
  std::size_t most = 0;
  for (std::int32_t b = 0; b < c.boxes; ++b) {
    const std::size_t d = static_cast<std::size_t>(c.box_offset[b + 1] - c.box_offset[b]);
    most += d * (d - 1);
  }
  ClueGraph g{arena.take<std::int32_t>(n + 1), arena.take<std::int32_t>(most)};
  std::int32_t* last_met = arena.take<std::int32_t>(n);  // per clue: the clue it was last listed for
  std::fill_n(last_met, n, -1);
  std::int32_t at = 0;
  for (std::int32_t q = 0; q < c.clues; ++q) {
    g.offset[q] = at;
    last_met[q] = q;
    for (std::int32_t e = c.clue_offset[q]; e < c.clue_offset[q + 1]; ++e) {
      const std::int32_t b = c.clue_box[e];
      for (std::int32_t f = c.box_offset[b]; f < c.box_offset[b + 1]; ++f) {
        const std::int32_t other = c.box_clue[f];
        if (last_met[other] == q) continue;
        last_met[other] = q;
        g.target[at++] = other;
      }
    }
  }
  g.offset[n] = at;
  return g;
}

// What an elimination order is expected to cost, by the width of its layers. Estimates of orders of one component
// lie above the truth, and may be twofold off in either direction between orders.
class OrderWidth {
 public:
  OrderWidth(const Component& component, Arena& arena);

  // Whether some clue has weights.
  bool weighs() const { return weighs_; }
  // log2 of the sum over layers of their states; with weights, of states times mines.
  double estimate(const Order& order) { return estimate(order, c_.boxes); }
  // The same of the layers after the first so many steps.
  double estimate(const Order& order, std::int32_t steps);

 private:
  double by_ranges(const Order& order, std::int32_t steps);
  double by_ranges_and_boxes(const Order& order, std::int32_t steps);
  double range_after(const Order& order, std::int32_t clue, std::int32_t step, std::int32_t size);

  const Component& c_;
  bool weighs_ = false;
  std::int32_t* cells_;  // per clue: all its cells,
  std::int32_t* seen_;   // and those of its eliminated boxes
  double* range_;        // per clue: log2 of the counts it can have while it is open
  std::int32_t* open_;   // per box: its open clues
};

constexpr double kMostBits = 900;  // 2 to this is still a double

OrderWidth::OrderWidth(const Component& c, Arena& arena) : c_(c) {
  const std::size_t clues = static_cast<std::size_t>(c.clues);
  seen_ = arena.take<std::int32_t>(clues);
  cells_ = arena.take<std::int32_t>(clues);
  range_ = arena.take<double>(clues);
  open_ = arena.take<std::int32_t>(static_cast<std::size_t>(c.boxes));
  for (std::int32_t q = 0; q < c.clues && !weighs_; ++q) weighs_ = c.clue[q].weight;
  for (std::int32_t q = 0; q < c.clues; ++q) {
    cells_[q] = 0;
    for (std::int32_t e = c.clue_offset[q]; e < c.clue_offset[q + 1]; ++e) cells_[q] += c.size[c.clue_box[e]];
  }
}

double OrderWidth::estimate(const Order& order, std::int32_t steps) {
  std::fill_n(seen_, c_.clues, 0);
  std::fill_n(range_, c_.clues, 0.0);
  return weighs_ ? by_ranges_and_boxes(order, steps) : by_ranges(order, steps);
}

// A clue has seen `size` more cells: log2 of the counts it can have then, 0 where it closes.
inline double OrderWidth::range_after(const Order& order, std::int32_t clue, std::int32_t step, std::int32_t size) {
  const Clue& k = c_.clue[clue];
  seen_[clue] += size;
  if (order.last[clue] == step) return 0;
  const std::int32_t high = std::min(k.high, seen_[clue]);
  const std::int32_t low = std::max(0, k.low - (cells_[clue] - seen_[clue]));
  return kLog2(std::max(1, high - low + 1));
}

// The states of a layer are at most the product of the ranges of the open clues.
double OrderWidth::by_ranges(const Order& order, std::int32_t steps) {
  double width = 0;
  double sum = 0;
  for (std::int32_t t = 0; t < steps; ++t) {
    const std::int32_t b = order.box[t];
    for (std::int32_t e = c_.box_offset[b]; e < c_.box_offset[b + 1]; ++e) {
      const std::int32_t q = c_.box_clue[e];
      const double range = range_after(order, q, t, c_.size[b]);
      width += range - range_[q];
      range_[q] = range;
    }
    sum += std::exp2(std::min(width, kMostBits));
  }
  return std::log2(sum);
}

// With weights nearly every combination of counts occurs. They are also no more than the boxes behind the open clues
// can make, which is often fewer.
double OrderWidth::by_ranges_and_boxes(const Order& order, std::int32_t steps) {
  for (std::int32_t b = 0; b < c_.boxes; ++b) open_[b] = c_.box_offset[b + 1] - c_.box_offset[b];
  double width = 0;   // of the counts
  double behind = 0;  // of the boxes
  double sum = 0;
  std::int32_t mines = 1;
  for (std::int32_t t = 0; t < steps; ++t) {
    const std::int32_t b = order.box[t];
    behind += kLog2(c_.size[b] + 1);
    mines += c_.size[b];
    for (std::int32_t e = c_.box_offset[b]; e < c_.box_offset[b + 1]; ++e) {
      const std::int32_t q = c_.box_clue[e];
      const double range = range_after(order, q, t, c_.size[b]);
      if (order.last[q] == t) {
        for (std::int32_t f = c_.clue_offset[q]; f < c_.clue_offset[q + 1]; ++f) {
          if (--open_[c_.clue_box[f]] == 0) behind -= kLog2(c_.size[c_.clue_box[f]] + 1);
        }
      }
      width += range - range_[q];
      range_[q] = range;
    }
    sum += std::exp2(std::min({width, behind, kMostBits})) * mines;
  }
  return std::log2(sum);
}

// ---------------------------------------------------------------------------------------- greedy orders

// A clue is open from its first eliminated box to its last; the open clues are the frontier, and the width of a layer
// depends on them. So an order of boxes is made from an order of clues: closing a clue eliminates its remaining boxes
// and opens the clues that share them. The next clue to close is the open one that opens the fewest others, a
// minimum-degree rule for path decompositions.

// How a further try differs from the plain one.
struct OrderVariant {
  std::uint64_t noise = 0;  // seed of what is added to the costs,
  double amplitude = 0;     // up to this
  double sweep = 0;         // cost of each step of distance from the start: the frontier moves away from it
};

class GreedyOrder {
 public:
  GreedyOrder(const Component& component, Arena& arena);

  // Where to start: with a clue that has the fewest neighbours or, where there is a probe, as far from that as
  // possible. A probe stays open to the end and makes all layers from there on wider.
  std::int32_t start() const;

  // The plain order that starts by closing `start`.
  void run(std::int32_t start, Order& order);

  // What only tries with a style need; once, before them.
  void prepare_styles(Arena& arena);
  // Numbers the clues by their distance from `start`; gives one that is farthest.
  std::int32_t measure(std::int32_t start);
  // An order that starts by closing `start`, from which distances were measured last. Clues are weighed by their range.
  void run(std::int32_t start, const OrderVariant& style, Order& order);

 private:
  using BoxSet = Wide;
  static constexpr std::int32_t kMostInSet = 128;

  template <class Cost>
  void close_all(std::int32_t start, Cost cost, Order& order);
  void begin();
  void measure_from_probe(Arena& arena);
  std::int32_t farthest_left() const;
  std::int32_t neighbours(std::int32_t clue) const;  // clues that share a box with this one
  std::int32_t fresh(std::int32_t clue) const;
  std::int32_t fresh_of_box(std::int32_t box) const;
  double weighed_cost(std::int32_t clue) const;
  bool closes_with(std::int32_t other, std::int32_t clue) const;
  void open_clue(std::int32_t clue, Order& order);
  void close(std::int32_t clue, Order& order);

  const Component& c_;
  ClueGraph graph_;  // where clues are few it is made only for tries with a style

  // Sets of clues as words, where clues are few.
  struct Words {
    std::uint64_t* near = nullptr;  // per clue: the clues that share a box with it, itself too
    std::uint64_t* at = nullptr;    // per box: its clues
    std::uint64_t unopened = 0;
  };
  const bool few_;
  Words words_;

  std::int32_t* from_probe_ =
      nullptr;  // per clue, where there is a probe: its distance; c_.clues where there is no way

  // What only tries with a style use.
  struct Weights {
    double* weight = nullptr;          // per clue: log2 of its range, scaled
    std::int32_t* distance = nullptr;  // per clue, from the start
    BoxSet* boxes = nullptr;           // per clue, where sets can hold them,
    BoxSet* left = nullptr;            // and those not yet eliminated
  };
  Weights weights_;

  // How far the order has come.
  std::int32_t* fresh_;   // per clue, unless they are few: unopened clues that closing it would open
  std::int32_t* left_;    // per clue: boxes not yet eliminated
  std::uint8_t* opened_;  // per clue
  std::uint8_t* taken_;   // per box
  std::int32_t* open_;    // the frontier
  std::int32_t opens_ = 0;
  std::int32_t step_ = 0;
};

int count_bits(std::uint64_t x) {  // std::popcount is a call where the machine may lack the instruction
  x -= x >> 1 & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
  return static_cast<int>(((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

inline std::int32_t GreedyOrder::neighbours(std::int32_t clue) const {
  return few_ ? count_bits(words_.near[clue]) - 1 : graph_.offset[clue + 1] - graph_.offset[clue];
}

// Unopened clues that closing a clue would open, and those that eliminating a box would.
inline std::int32_t GreedyOrder::fresh(std::int32_t clue) const {
  return few_ ? count_bits(words_.near[clue] & words_.unopened) : fresh_[clue];
}
inline std::int32_t GreedyOrder::fresh_of_box(std::int32_t box) const {
  if (few_) return count_bits(words_.at[box] & words_.unopened);
  std::int32_t opens = 0;
  for (std::int32_t f = c_.box_offset[box]; f < c_.box_offset[box + 1]; ++f) opens += !opened_[c_.box_clue[f]];
  return opens;
}

GreedyOrder::GreedyOrder(const Component& c, Arena& arena) : c_(c), few_(c.clues <= 64) {
  const std::size_t n = static_cast<std::size_t>(c.clues);
  if (few_) {
    words_.near = arena.zeroed<std::uint64_t>(n);
    words_.at = arena.take<std::uint64_t>(static_cast<std::size_t>(c.boxes));
    for (std::int32_t b = 0; b < c.boxes; ++b) {
      std::uint64_t clues = 0;
      for (std::int32_t e = c.box_offset[b]; e < c.box_offset[b + 1]; ++e) clues |= std::uint64_t{1} << c.box_clue[e];
      for (std::int32_t e = c.box_offset[b]; e < c.box_offset[b + 1]; ++e) words_.near[c.box_clue[e]] |= clues;
      words_.at[b] = clues;
    }
  } else {
    graph_ = clue_graph(c, arena);
  }
  fresh_ = arena.take<std::int32_t>(n);
  left_ = arena.take<std::int32_t>(n);
  opened_ = arena.take<std::uint8_t>(n);
  open_ = arena.take<std::int32_t>(n);
  taken_ = arena.take<std::uint8_t>(static_cast<std::size_t>(c.boxes));
  if (c.probe >= 0) measure_from_probe(arena);
}

// Breadth-first search from the probe.
void GreedyOrder::measure_from_probe(Arena& arena) {
  from_probe_ = arena.take<std::int32_t>(static_cast<std::size_t>(c_.clues));
  std::fill_n(from_probe_, c_.clues, c_.clues);
  from_probe_[c_.probe] = 0;
  std::int32_t found = 0;
  open_[found++] = c_.probe;
  for (std::int32_t i = 0; i < found; ++i) {
    const std::int32_t q = open_[i];
    const auto meet = [&](std::int32_t other) {
      if (from_probe_[other] < c_.clues) return;
      from_probe_[other] = from_probe_[q] + 1;
      open_[found++] = other;
    };
    if (few_) {
      for (std::uint64_t left = words_.near[q]; left; left &= left - 1) meet(std::countr_zero(left));
    } else {
      for (std::int32_t e = graph_.offset[q]; e < graph_.offset[q + 1]; ++e) meet(graph_.target[e]);
    }
  }
}

std::int32_t GreedyOrder::start() const {
  std::int32_t start = 0;
  std::int32_t fewest = neighbours(0);
  for (std::int32_t q = 1; q < c_.clues; ++q) {
    const std::int32_t farther = from_probe_ ? from_probe_[q] - from_probe_[start] : 0;
    if (farther < 0) continue;
    const std::int32_t own = neighbours(q);
    if (farther == 0 && own >= fewest) continue;
    start = q;
    fewest = own;
  }
  return start;
}

// The clue farthest from the probe of those with boxes left; the first of these where there is no probe.
std::int32_t GreedyOrder::farthest_left() const {
  std::int32_t found = -1;
  for (std::int32_t q = 0; q < c_.clues; ++q) {
    if (left_[q] == 0) continue;
    if (found < 0 || (from_probe_ && from_probe_[q] > from_probe_[found])) found = q;
  }
  return found;
}

void GreedyOrder::prepare_styles(Arena& arena) {
  const std::size_t n = static_cast<std::size_t>(c_.clues);
  if (few_) graph_ = clue_graph(c_, arena);
  weights_.distance = arena.take<std::int32_t>(n);
  weights_.weight = arena.take<double>(n);
  for (std::int32_t q = 0; q < c_.clues; ++q) weights_.weight[q] = 0.6 * kLog2(c_.clue[q].high + 1);
  if (c_.boxes > kMostInSet) return;
  weights_.boxes = arena.zeroed<BoxSet>(n);
  weights_.left = arena.take<BoxSet>(n);
  for (std::int32_t b = 0; b < c_.boxes; ++b) {
    for (std::int32_t e = c_.box_offset[b]; e < c_.box_offset[b + 1]; ++e)
      weights_.boxes[c_.box_clue[e]] |= BoxSet{1} << b;
  }
}

std::int32_t GreedyOrder::measure(std::int32_t start) {
  std::int32_t* distance = weights_.distance;
  std::fill_n(distance, c_.clues, -1);
  distance[start] = 0;
  std::int32_t found = 0;
  open_[found++] = start;
  for (std::int32_t i = 0; i < found; ++i) {
    for (std::int32_t e = graph_.offset[open_[i]]; e < graph_.offset[open_[i] + 1]; ++e) {
      const std::int32_t q = graph_.target[e];
      if (distance[q] >= 0) continue;
      distance[q] = distance[open_[i]] + 1;
      open_[found++] = q;
    }
  }
  return open_[found - 1];
}

void GreedyOrder::run(std::int32_t start, Order& order) {
  close_all(start, [this](std::int32_t q) -> double { return fresh(q) * 64 + left_[q]; }, order);
}

void GreedyOrder::run(std::int32_t start, const OrderVariant& style, Order& order) {
  std::uint64_t noise = style.noise;
  const auto cost = [&](std::int32_t q) {
    noise = noise * 6364136223846793005u + 1442695040888963407u;
    return weighed_cost(q) + style.sweep * weights_.distance[q] +
           style.amplitude * static_cast<double>(noise >> 44) * 0x1p-20;
  };
  close_all(start, cost, order);
}

void GreedyOrder::begin() {
  for (std::int32_t q = 0; q < c_.clues; ++q) {
    if (!few_) fresh_[q] = neighbours(q);
    left_[q] = c_.clue_offset[q + 1] - c_.clue_offset[q];
    opened_[q] = 0;
  }
  std::fill_n(taken_, c_.boxes, std::uint8_t{0});
  if (weights_.left) std::copy_n(weights_.boxes, c_.clues, weights_.left);
  words_.unopened = ~std::uint64_t{0};
  opens_ = 0;
  step_ = 0;
}

// Closes `start`, then always the open clue of least cost, until every box is eliminated.
template <class Cost>
void GreedyOrder::close_all(std::int32_t start, Cost cost, Order& order) {
  constexpr double kNever = 1e12;  // closing a probe gains nothing
  begin();
  open_clue(start, order);
  std::int32_t next = start;
  while (true) {
    close(next, order);
    double best = 0;
    next = -1;
    std::int32_t still = 0;
    for (std::int32_t i = 0; i < opens_; ++i) {
      const std::int32_t q = open_[i];
      if (left_[q] == 0) continue;
      open_[still++] = q;
      double own = cost(q);
      if (q == c_.probe) own += kNever;
      if (next < 0 || own < best) {
        best = own;
        next = q;
      }
    }
    opens_ = still;
    if (next < 0) {  // all that hangs together is done; a component with a probe may have more pieces
      next = farthest_left();
      if (next < 0) break;
      open_clue(next, order);
    }
  }
  if (c_.probe >= 0) order.last[c_.probe] = c_.boxes;
}

// Whether all that is left of an open clue belongs to another, and closes with it.
bool GreedyOrder::closes_with(std::int32_t other, std::int32_t clue) const {
  if (weights_.left) return !(weights_.left[other] & ~weights_.left[clue]);
  std::int32_t shared = 0;
  for (std::int32_t f = c_.clue_offset[clue]; f < c_.clue_offset[clue + 1]; ++f) {
    const std::int32_t b = c_.clue_box[f];
    if (taken_[b]) continue;
    for (std::int32_t h = c_.box_offset[b]; h < c_.box_offset[b + 1]; ++h) shared += c_.box_clue[h] == other;
  }
  return shared == left_[other];
}

// What closing a clue opens minus what it closes, each clue weighed by its range.
double GreedyOrder::weighed_cost(std::int32_t clue) const {
  const double* weight = weights_.weight;
  double cost = left_[clue] - 32 * weight[clue];
  for (std::int32_t e = graph_.offset[clue]; e < graph_.offset[clue + 1]; ++e) {
    const std::int32_t other = graph_.target[e];
    if (!opened_[other]) {
      cost += 64 * weight[other];
    } else if (left_[other] > 0 && left_[other] <= left_[clue] && closes_with(other, clue)) {
      cost -= 64 * weight[other];
    }
  }
  return cost;
}

void GreedyOrder::open_clue(std::int32_t clue, Order& order) {
  opened_[clue] = 1;
  open_[opens_++] = clue;
  order.first[clue] = step_;
  if (few_) {
    words_.unopened &= ~(std::uint64_t{1} << clue);
    return;
  }
  for (std::int32_t e = graph_.offset[clue]; e < graph_.offset[clue + 1]; ++e) --fresh_[graph_.target[e]];
}

// Eliminates the remaining boxes of a clue, those that open the fewest clues first.
void GreedyOrder::close(std::int32_t clue, Order& order) {
  while (left_[clue] > 0) {
    std::int32_t best = -1;
    std::int32_t least = 0;
    for (std::int32_t e = c_.clue_offset[clue]; e < c_.clue_offset[clue + 1]; ++e) {
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
      if (weights_.left) weights_.left[other] &= ~(BoxSet{1} << best);
      if (--left_[other] == 0) order.last[other] = step_;
    }
    order.box[step_++] = best;
  }
}

// --------------------------------------------------------------------------------------- the choice

// Estimates of what an order costs may be twofold off in either direction, so on wide components the best few are
// raced: their states are counted, without polynomials, under growing caps.

// Costs in nanoseconds.
constexpr double kTry = 150;         // one more order, a box
constexpr double kTryWeighed = 300;  // the same with weights
constexpr double kEntry = 0.25;      // spent on trying for each entry that is expected, with weights
constexpr double kCount = 12;        // counting a state
constexpr double kProgram = 60;      // a state of the program

constexpr double kSmall = 9;         // log2 of states a box: what could be saved is less than what looking costs
constexpr double kSureWeighed = 22;  // below, with weights, counting would cost more than a wrong choice
constexpr double kAbove = 8.5;       // log2 of how far estimates lie above the truth
constexpr double kNoEstimate = 1e9;
constexpr std::uint64_t kTries = 800;
constexpr std::uint64_t kHopelessTries = 60;  // far past the budget, more tries bring no component within reach
constexpr int kFinalists = 3;

// So many states tell how far the estimate of a component lies above the truth; of the logarithm of what they foretell,
// this share is believed.
struct EstimateCheck {
  std::int64_t states;
  double belief;
};
constexpr EstimateCheck kEstimateChecks[] = {{1 << 20, 0.85}, {1 << 23, 0.9}};

Order blank(const Component& c, Arena& arena) {
  const std::size_t clues = static_cast<std::size_t>(c.clues);
  std::int32_t* p = arena.take<std::int32_t>(static_cast<std::size_t>(c.boxes) + 2 * clues);
  return {p, p + c.boxes, p + c.boxes + c.clues, kNoEstimate};
}

void copy(const Component& c, const Order& from, Order& to) {
  std::copy_n(from.box, c.boxes, to.box);
  std::copy_n(from.first, c.clues, to.first);
  std::copy_n(from.last, c.clues, to.last);
  to.estimate = from.estimate;
}

// Further orders, with other starts, styles and noise. Trying goes on as long as it costs less than a part of what the
// best order so far is expected to cost.
class Race {
 public:
  Race(const Component& c, GreedyOrder& greedy, OrderWidth& width, Workspace& ws, Order& best)
      : c_(c), greedy_(greedy), width_(width), ws_(ws), best_(best), trial_(blank(c, ws.arena)) {
    greedy.prepare_styles(ws.arena);
    for (Order& o : finalist_) o = blank(c, ws.arena);
    hopeless_ = std::log2(static_cast<double>(std::max<std::int64_t>(ws.states_left(), 1))) + kAbove + 16;
  }

  void run() {
    if (width_.weighs()) {
      while (may_try() && spent_ < kEntry * std::exp2(std::min(best_estimate(), 60.0))) attempt(kTryWeighed);
      if (best_estimate() < kSureWeighed) return take_best_estimate();
    } else {
      while (may_try() && spent_ < kProgram / 4 * std::exp2(best_estimate() - kAbove)) attempt(kTry);
    }
    count_finalists();
  }

 private:
  double best_estimate() const {
    double least = best_.estimate;
    for (const Order& o : finalist_) least = std::min(least, o.estimate);
    return least;
  }
  bool may_try() const { return tries_ < (best_estimate() < hopeless_ ? kTries : kHopelessTries); }

  void attempt(double cost) {
    spent_ += cost * c_.boxes;
    noise_ = noise_ * 6364136223846793005u + 1442695040888963407u;
    std::int32_t from = static_cast<std::int32_t>((noise_ >> 33) % static_cast<std::uint64_t>(c_.clues));
    if (tries_ % 2) from = greedy_.measure(from);
    greedy_.measure(from);
    const OrderVariant style{noise_, tries_ % 3 ? 60.0 : 16.0, static_cast<double>(tries_ % 5) * 6};
    greedy_.run(from, style, trial_);
    trial_.estimate = width_.estimate(trial_);
    ++tries_;
    ws_.spend(c_.boxes * 40);
    Order* worst = finalist_;
    for (Order& o : finalist_) {
      if (o.estimate == trial_.estimate) return;  // most likely the same order
      if (o.estimate > worst->estimate) worst = &o;
    }
    if (trial_.estimate < worst->estimate) copy(c_, trial_, *worst);
  }

  void take_best_estimate() {
    for (const Order& o : finalist_) {
      if (o.estimate < best_.estimate) copy(c_, o, best_);
    }
  }

  // Counts the states of an order up to `least_`; true where they are no more. An order along which the clues clash is
  // as good as one that comes to its end: compiling it shows as much.
  bool count(const Order& order) {
    const Progress p = count_states(c_, order, least_, ws_);
    spent_ += kCount * static_cast<double>(p.states);
    if (p.states > least_) return false;
    least_ = p.states;
    return known_ = true;
  }

  // Whether the component seems far past the budget. The first layers of the best order are counted: the logarithm of
  // the estimate is too large by about the same factor in all of them. That is a rule of thumb, hence the margin.
  bool is_far_past(std::int64_t all) {
    const double most = std::log2(static_cast<double>(std::max<std::int64_t>(all, 1)));
    if (best_estimate() < most + kAbove + 2) return false;
    const Order& finalist = *std::min_element(finalist_, finalist_ + kFinalists,
                                              [](const Order& a, const Order& b) { return a.estimate < b.estimate; });
    const Order& order = best_.estimate < finalist.estimate ? best_ : finalist;
    for (const EstimateCheck& glance : kEstimateChecks) {
      if (glance.states > all) return false;  // counting answers as soon
      const Progress seen = count_states(c_, order, glance.states, ws_);
      if (seen.steps == c_.boxes || seen.states <= glance.states) return false;  // all, or the clues clash
      const double truth = std::log2(static_cast<double>(seen.states));
      const double share = truth / std::max(width_.estimate(order, seen.steps), truth);
      if (glance.belief * share * order.estimate > most) return true;
    }
    return false;
  }

  // Estimates mislead: the best are counted, under caps that grow until one is within; then some more as long as it
  // pays.
  void count_finalists() {
    const std::int64_t all = ws_.states_left();
    if (is_far_past(all)) throw BudgetExceeded("that is far past the budget of " + std::to_string(all) + " states");
    const double expected = std::exp2(std::min(best_estimate() - kAbove + 2, 40.0));
    least_ = std::clamp<std::int64_t>(static_cast<std::int64_t>(expected), 1 << 14, all);
    for (bool first = true;; first = false) {
      std::sort(finalist_, finalist_ + kFinalists,
                [](const Order& a, const Order& b) { return a.estimate < b.estimate; });
      for (Order& o : finalist_) {
        if (o.estimate < kNoEstimate && count(o)) copy(c_, o, best_);
        if (known_) o.estimate = kNoEstimate;
      }
      if (first) count(best_);
      if (!known_) {
        if (least_ >= all) return;  // compiling will say so
        least_ = std::min(least_ * 4, all);
        continue;
      }
      const double worth = kCount * static_cast<double>(least_) / (kTry * c_.boxes);
      const int batch = static_cast<int>(std::clamp(worth, 4.0, 100.0));
      if (2 * (spent_ + batch * kTry * c_.boxes) > kProgram * static_cast<double>(least_)) return;
      for (int i = 0; i < batch; ++i) attempt(kTry);
    }
  }

  const Component& c_;
  GreedyOrder& greedy_;
  OrderWidth& width_;
  Workspace& ws_;
  Order& best_;
  Order trial_;
  Order finalist_[kFinalists];
  double hopeless_;
  std::uint64_t noise_ = 0x9e3779b97f4a7c15u;
  std::uint64_t tries_ = 0;
  double spent_ = 0;
  std::int64_t least_ = 0;  // states of the best order, where known_; else a cap
  bool known_ = false;
};

// Whether the first order will do.
bool good_enough(const Component& c, const OrderWidth& width, double estimate) {
  if (width.weighs()) return kEntry * std::exp2(std::min(estimate, 60.0)) < kTryWeighed * c.boxes;
  return estimate <= kSmall + std::log2(c.boxes);
}

// Whether it will do plainly: no layer can have more than 2^kSmall states, whatever is impossible. A layer has at most
// the product of the ranges of its open clues.
bool plainly_good_enough(const Component& c, const Order& order, Arena& arena) {
  double* change = arena.zeroed<double>(static_cast<std::size_t>(c.boxes) + 1);
  for (std::int32_t q = 0; q < c.clues; ++q) {
    if (c.clue[q].weight) return false;
    const double range = kLog2(c.clue[q].high + 1);
    change[order.first[q]] += range;
    change[order.last[q]] -= range;
  }
  constexpr double kRounding = 1e-9;
  double width = 0;
  double most = 0;
  for (std::int32_t t = 0; t < c.boxes; ++t) most = std::max(most, width += change[t]);
  return most <= kSmall - kRounding;
}

}  // namespace

Order choose_order(const Component& c, Workspace& ws) {
  constexpr std::int32_t kFewBoxes = 10;
  Arena& arena = ws.arena;
  Order best = blank(c, arena);
  if (c.clues == 1) {
    for (std::int32_t b = 0; b < c.boxes; ++b) best.box[b] = b;
    best.first[0] = 0;
    best.last[0] = c.probe == 0 ? c.boxes : c.boxes - 1;
    return best;
  }
  const Arena::Mark mark = arena.mark();
  GreedyOrder greedy(c, arena);
  greedy.run(greedy.start(), best);
  if (c.boxes > kFewBoxes) ws.spend(c.boxes * 20);
  if (c.boxes > kFewBoxes && !plainly_good_enough(c, best, arena)) {
    OrderWidth width(c, arena);
    best.estimate = width.estimate(best);
    if (!good_enough(c, width, best.estimate)) Race(c, greedy, width, ws, best).run();
  }
  arena.release(mark);
  return best;
}

}  // namespace mineproof::exact

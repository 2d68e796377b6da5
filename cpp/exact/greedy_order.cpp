#include "greedy_order.hpp"

#include <algorithm>
#include <bit>

#include "logarithm.hpp"

namespace mineproof::exact {

namespace {

int count_bits(std::uint64_t x) {  // std::popcount is a call where the machine may lack the instruction
  x -= x >> 1 & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
  return static_cast<int>(((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

}  // namespace

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

void GreedyOrder::run(std::int32_t start, const Style& style, Order& order) {
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

}  // namespace mineproof::exact

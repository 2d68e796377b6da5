#include "order_width.hpp"

#include <algorithm>
#include <cmath>

#include "logarithm.hpp"

namespace mineproof::exact {

namespace {

constexpr double kMostBits = 900;  // 2 to this is still a double

}  // namespace

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

}  // namespace mineproof::exact

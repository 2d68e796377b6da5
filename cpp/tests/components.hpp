// Random components for tests: boxes of many sizes, weights with holes, exact clues among them.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "../exact/component.hpp"
#include "../exact/underflow.hpp"
#include "boards.hpp"

namespace mineproof::tests {

using namespace mineproof::exact;

// A component with memory of its own; its clues tie all boxes together.
struct Made {
  std::vector<std::int32_t> size, box_offset{0}, box_clue, clue_offset{0}, clue_box;
  std::vector<Clue> clue;
  std::vector<std::vector<double>> weight;
  Component component;
  double steepness = 0;  // weights go down to 2 to the power of minus this

  double weight_of(Dice& dice) const {
    return steepness > 0 ? std::exp2(-steepness * dice.uniform()) : 0.01 + dice.uniform();
  }
  std::int32_t cells_of(std::int32_t q) const {
    std::int32_t cells = 0;
    for (std::int32_t e = clue_offset[q]; e < clue_offset[q + 1]; ++e) cells += size[clue_box[e]];
    return cells;
  }
};

inline void add_clue(Made& m, std::vector<std::int32_t> boxes, Dice& dice, const std::vector<std::int32_t>& truth) {
  std::sort(boxes.begin(), boxes.end());
  boxes.erase(std::unique(boxes.begin(), boxes.end()), boxes.end());
  m.clue_box.insert(m.clue_box.end(), boxes.begin(), boxes.end());
  m.clue_offset.push_back(static_cast<std::int32_t>(m.clue_box.size()));
  const std::int32_t q = static_cast<std::int32_t>(m.clue.size());
  std::int32_t count = 0;
  for (std::int32_t b : boxes) count += truth[b];
  const std::int32_t cells = m.cells_of(q);
  Clue clue{0, cells, nullptr, q};
  std::vector<double> w;
  if (dice.chance(0.08)) {
    clue.low = clue.high = count;
  } else {
    clue.low = dice.chance(0.5) ? 0 : std::max(0, count - dice.below(3));
    clue.high = dice.chance(0.5) ? cells : std::min(cells, count + dice.below(3));
    w.assign(static_cast<std::size_t>(cells) + 1, 0.0);
    for (std::int32_t k = clue.low; k <= clue.high; ++k)
      w[static_cast<std::size_t>(k)] = k != count && dice.chance(0.1) ? 0 : m.weight_of(dice);
    clue.least = std::min(0, smallest_exponent(w.data(), w.size()));
  }
  m.clue.push_back(clue);
  m.weight.push_back(w);
}

inline void make(Made& m, Dice& dice) {
  const int boxes = 1 + dice.below(dice.chance(0.1) ? 90 : 24);
  const int largest = dice.chance(0.5) ? 1 : dice.chance(0.9) ? 4 : 40;
  std::vector<std::int32_t> truth;
  for (int b = 0; b < boxes; ++b) {
    m.size.push_back(dice.chance(0.7) ? 1 : 1 + dice.below(largest));
    truth.push_back(dice.below(m.size.back() + 1));
  }
  const int reach = 1 + dice.below(4);  // how far back a box is tied
  for (int b = 0; b < boxes; ++b) {
    std::vector<std::int32_t> list{b};
    for (int i = dice.below(4); i > 0 && b; --i) list.push_back(std::max(0, b - 1 - dice.below(reach)));
    if (b && list.size() == 1) list.push_back(std::max(0, b - 1 - dice.below(reach)));
    add_clue(m, list, dice, truth);
    while (dice.chance(0.5)) add_clue(m, {b}, dice, truth);
  }
  for (std::size_t q = 0; q < m.clue.size(); ++q)
    m.clue[q].weight = m.weight[q].empty() ? nullptr : m.weight[q].data() + m.clue[q].low;
  for (int b = 0; b < boxes; ++b) {
    for (std::size_t q = 0; q < m.clue.size(); ++q) {
      for (std::int32_t e = m.clue_offset[q]; e < m.clue_offset[q + 1]; ++e) {
        if (m.clue_box[e] == b) m.box_clue.push_back(static_cast<std::int32_t>(q));
      }
    }
    m.box_offset.push_back(static_cast<std::int32_t>(m.box_clue.size()));
  }
  m.component = {boxes,
                 static_cast<std::int32_t>(m.clue.size()),
                 m.size.data(),
                 m.box_offset.data(),
                 m.box_clue.data(),
                 m.clue_offset.data(),
                 m.clue_box.data(),
                 m.clue.data(),
                 -1};
}

}  // namespace mineproof::tests

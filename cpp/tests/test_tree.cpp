// Tree programs against path programs, on random components: boxes of many sizes, weights with holes, exact clues among
// them.
#include <algorithm>

#include "../exact/engine.hpp"
#include "arguments.hpp"
#include "boards.hpp"

using namespace mineproof::tests;

namespace {

// A component with memory of its own; its clues tie all boxes together.
struct Made {
  std::vector<std::int32_t> size, box_offset{0}, box_clue, clue_offset{0}, clue_box;
  std::vector<Clue> clue;
  std::vector<std::vector<double>> weight;
  Component component;

  std::int32_t cells_of(std::int32_t q) const {
    std::int32_t cells = 0;
    for (std::int32_t e = clue_offset[q]; e < clue_offset[q + 1]; ++e) cells += size[clue_box[e]];
    return cells;
  }
};

void add_clue(Made& m, std::vector<std::int32_t> boxes, Dice& dice, const std::vector<std::int32_t>& truth) {
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
    for (std::int32_t k = clue.low; k <= clue.high; ++k)
      w.push_back(k != count && dice.chance(0.1) ? 0 : 0.01 + dice.uniform());
  }
  m.clue.push_back(clue);
  m.weight.push_back(w);
}

void make(Made& m, Dice& dice) {
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
  for (std::size_t q = 0; q < m.clue.size(); ++q) m.clue[q].weight = m.weight[q].empty() ? nullptr : m.weight[q].data();
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

}  // namespace

int main(int argc, char** argv) {
  const int rounds = cases(argc, argv, 6000);
  Dice dice{seed(argc, argv, 31)};
  Workspace ws;
  int trees = 0;
  double worst = 0;
  for (int round = 0; round < rounds; ++round) {
    Made made;
    make(made, dice);
    const std::int32_t boxes = made.component.boxes;
    ws.begin({});
    Part tree, path;
    tree.component = path.component = &made.component;
    tree.has_tree = build_tree(made.component, ws, tree.tree);
    if (!tree.has_tree) continue;
    ++trees;
    CHECK(prepare(made.component, ws, path.program));
    const double fugacity = std::ldexp(1.0, dice.below(6) - 4);
    CHECK(run_forward(&path, 1, fugacity, ws));
    if (!run_forward(&tree, 1, fugacity, ws)) continue;  // underflow: the engine takes the path
    CHECK(tree.poly.first == path.poly.first && tree.poly.length == path.poly.length);
    const double scale = std::ldexp(1.0, static_cast<int>(tree.poly.exponent - path.poly.exponent));
    std::vector<double> outside(static_cast<std::size_t>(tree.poly.length));
    for (std::int32_t m = 0; m < tree.poly.length; ++m) {
      const double a = tree.poly.c[m] * scale;
      const double b = path.poly.c[m];
      CHECK(std::abs(a - b) <= 1e-13 * b, "round %d, %d mines: %.17g, not %.17g", round, m, a, b);
      outside[static_cast<std::size_t>(m)] = dice.chance(0.2) ? 0 : dice.uniform();
    }
    tree.outside = path.outside = outside.data();
    run_backward(&tree, 1, ws);
    run_backward(&path, 1, ws);
    for (std::int32_t b = 0; b < boxes; ++b) {
      const BoxOdds& x = tree.odds[b];
      const BoxOdds& y = path.odds[b];
      worst = std::max(worst, std::abs(x.p - y.p));
      CHECK(std::abs(x.p - y.p) <= 1e-13, "round %d, box %d: %.17g, not %.17g", round, b, x.p, y.p);
      CHECK(x.can_be_mine == y.can_be_mine && x.can_be_safe == y.can_be_safe, "round %d, box %d", round, b);
    }
  }
  CHECK(trees > rounds / 2);
  std::printf("test_tree: %d trees, largest difference %.3g\n", trees, worst);
  return 0;
}

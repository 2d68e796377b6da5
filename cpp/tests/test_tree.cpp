// Tree programs against path programs, on random components: boxes of many sizes, weights with holes, exact clues among
// them.
#include "../exact/engine.hpp"
#include "arguments.hpp"
#include "components.hpp"

using namespace mineproof::tests;

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

// The least and the greatest weights that are taken, and densities next to 0 and 1, against the oracle: what fuzzing
// (cpp/fuzz) found wrong. A density is never certainty, powers of it do not overflow, and sessions agree.
#include <limits>

#include "../exact/session.hpp"
#include "arguments.hpp"
#include "exact_checks.hpp"

using namespace mineproof::tests;

namespace {

double extreme(Dice& dice) {
  switch (dice.below(5)) {
    case 0: return kLeastWeight;
    case 1: return kMostWeight;
    case 2: return 0x1p-190;
    case 3: return 0x1p190;
    default: return dice.uniform() + 0.01;
  }
}

double extreme_density(Dice& dice) {
  switch (dice.below(4)) {
    case 0: return std::numeric_limits<double>::denorm_min();
    case 1: return std::numeric_limits<double>::min();
    case 2: return 1 - std::numeric_limits<double>::epsilon() / 2;
    default: return std::exp(-700 * dice.uniform());
  }
}

// Certainty is a matter of what is possible, whatever the density; a session knows it too.
void check_density(Dice& dice, Analysis& analysis, Case& c) {
  c.position.channel = nullptr;
  c.position.prior = Prior::of_density(extreme_density(dice));
  Position even = c.position;
  even.prior = Prior::of_density(0.5);
  const Truth t = enumerate(c.board, even);
  if (t.layouts == 0) return;
  analysis.solve(c.position);
  Session session(c.position);
  for (int i = 0; i < c.board.cells(); ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    if (c.shown[at] != kHidden) continue;
    const Certain want = !t.can_be_mine[at] ? Certain::safe : !t.can_be_safe[at] ? Certain::mine : Certain::no;
    const double p = analysis.probability(i);
    if (analysis.certain(i) != want || session.certain(i) != want || !(p >= 0 && p <= 1)) print_case(c);
    CHECK(analysis.certain(i) == want && session.certain(i) == want, "cell %d", i);
    CHECK(p >= 0 && p <= 1, "cell %d: %g", i, p);
  }
}

// A board of clues that all say one number, with a weight of any size: its logarithm is their sum.
void check_product(Dice& dice, Analysis& analysis) {
  Case c;
  c.board = square(1, 1 + dice.below(6));
  c.graph = c.board.graph(false);
  const int n = c.board.cells();
  c.shown.assign(static_cast<std::size_t>(n), 0);
  c.channel.largest_degree = 2;
  c.channel.codes = 1;
  for (int i = 0; i < 9; ++i) c.weights.push_back(extreme(dice));
  c.channel.weight = c.weights.data();
  c.position.graph = &c.graph;
  c.position.shown = c.shown.data();
  c.position.channel = &c.channel;
  c.position.prior = Prior::of_total(0);
  double want = 0;
  for (int i = 0; i < n; ++i) want += std::log(c.channel.row(0, c.graph.degree(i))[0]);
  analysis.solve(c.position);
  close_to(analysis.log_weight(), want, 1e-11 * (1 + std::abs(want)), c, "log weight");
}

// A long component on which nearly every cell is a mine: the powers of its odds pass the greatest double.
void check_long(Analysis& analysis) {
  const int cols = 60;
  Case c;
  c.board = square(2, cols);
  c.graph = c.board.graph();
  c.shown.assign(2 * cols, kHidden);
  for (int i = 1; i < cols; i += 2) c.shown[static_cast<std::size_t>(i)] = i % 4 == 1 ? 3 : 2;
  c.position.graph = &c.graph;
  c.position.shown = c.shown.data();
  for (const double density : {1 - std::numeric_limits<double>::epsilon() / 2, 1e-300}) {
    c.position.prior = Prior::of_density(density);
    analysis.solve(c.position);
    CHECK(std::isfinite(analysis.log_weight()), "density %g: %g", density, analysis.log_weight());
    for (int i = 0; i < 2 * cols; ++i) {
      const double p = analysis.probability(i);
      CHECK(p >= 0 && p <= 1, "cell %d: %g", i, p);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int count = cases(argc, argv, 8000);
  Dice dice{seed(argc, argv, 31)};
  Analysis analysis;
  Engine engine;
  Seen seen;
  for (int i = 0; i < count; ++i) {
    Case c;
    random_case(dice, 3 + dice.below(8), c);
    if (i % 2 == 0) {
      check_density(dice, analysis, c);
    } else {
      for (auto& w : c.weights) w = w > 0 ? extreme(dice) : 0;
      for (auto& w : c.table) w = w > 0 ? extreme(dice) : 0;
      c.steep = true;
      check_case(analysis, engine, c, dice, false, &seen);
    }
    check_product(dice, analysis);
  }
  check_long(analysis);
  CHECK(seen.solved > count / 10);
  std::printf("test_extremes: %lld of %d positions solved, largest error %.3g\n", static_cast<long long>(seen.solved),
              count, worst);
}

// Passes that get too small for doubles, on random components with weights far apart: whatever is lost is noticed.
// Where nothing is, what is possible is told by what is not 0, and the chances are those of the extended range. The
// processor's own flag, where there is one, is raised by nothing that goes unnoticed.
#include <algorithm>
#include <cfenv>
#include <limits>

#include "../exact/engine.hpp"
#include "../exact/underflow.hpp"
#include "arguments.hpp"
#include "components.hpp"

using namespace mineproof::tests;

namespace {

// What became of the passes.
struct Tally {
  int passes = 0;
  int lost = 0;
  int raised = 0;  // by the processor's flag
};

// Runs a pass; what it has lost must be told by `lost`.
template <class Pass>
void run(const char* name, int round, Tally& tally, Pass&& pass) {
  std::feclearexcept(FE_UNDERFLOW);
  const bool lost = pass();
  const bool raised = std::fetestexcept(FE_UNDERFLOW) != 0;
  CHECK(lost || !raised, "round %d: %s has lost something unnoticed", round, name);
  ++tally.passes;
  tally.lost += lost;
  tally.raised += raised;
}

bool same_support(const PathProgram& program, const Polynomial& poly, Workspace& ws) {
  std::vector<std::uint64_t> bits(static_cast<std::size_t>(poly.length + 63) / 64);
  forward_support(program, 0, ws, bits.data());
  return std::equal(bits.begin(), bits.end(), poly.support);
}

// The odds of a pass that lost nothing against truth values and the extended range.
void check_odds(int round, const PathProgram& program, double fugacity, const std::vector<double>& outside,
                const std::vector<BoxOdds>& odds, Workspace& ws) {
  std::vector<BoxOdds> exact(odds.size());
  std::vector<std::uint8_t> can;
  for (double x : outside) can.push_back(x > 0);
  backward_support(program, can.data(), ws, exact.data());
  backward_extended(program, fugacity, outside.data(), ws, exact.data());
  for (std::size_t b = 0; b < odds.size(); ++b) {
    CHECK(odds[b].can_be_mine == exact[b].can_be_mine && odds[b].can_be_safe == exact[b].can_be_safe,
          "round %d, box %d", round, static_cast<int>(b));
    CHECK(std::abs(odds[b].p - exact[b].p) <= 1e-12, "round %d, box %d: %.17g, not %.17g", round, static_cast<int>(b),
          odds[b].p, exact[b].p);
  }
}

// Copies of the tables of a tree.
std::vector<std::vector<double>> tables_of(const TreeProgram& tree, const TreeForward& up) {
  std::vector<std::vector<double>> out;
  for (std::int32_t i = 0; i < tree.nodes; ++i) {
    const TreeNode& node = tree.node[i];
    out.emplace_back(up.table[i], up.table[i] + static_cast<std::size_t>(node.rows) * node.stride);
  }
  return out;
}

// The bounds of a backward pass that lost nothing: below every outside weight of an entry that is possible.
void check_bounds(int round, const TreeProgram& tree, const TreeForward& up,
                  const std::vector<std::vector<double>>& before) {
  for (std::int32_t i = 0; i + 1 < tree.nodes; ++i) {
    for (std::size_t e = 0; e < before[i].size(); ++e) {
      const double outside = up.table[i][e];
      if (!(before[i][e] > 0) || !(outside > 0)) continue;
      CHECK(up.least[i] <= exponent_of(outside), "round %d, node %d: %d, not %d", round, i, up.least[i],
            exponent_of(outside));
    }
  }
}

// Outside weights as far apart as joining leaves them.
std::vector<double> outside_of(const Polynomial& poly, Dice& dice) {
  std::vector<double> out;
  const double steepness = dice.chance(0.5) ? 400 : 20;
  for (std::int32_t m = 0; m < poly.length; ++m)
    out.push_back(dice.chance(0.1) ? 0 : std::exp2(-steepness * dice.uniform()));
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = cases(argc, argv, 6000);
  Dice dice{seed(argc, argv, 53)};
  Workspace ws;
  Tally forwards, backwards, tree_forwards, tree_backwards;
  for (int round = 0; round < rounds; ++round) {
    constexpr double kSteepness[] = {0, 4, 40, 200, 400};
    Made made;
    made.steepness = kSteepness[dice.below(5)];
    make(made, dice);
    ws.begin({});
    ws.keep_entries = dice.chance(0.3) ? 0 : 4 << 20;  // few layers are kept, or all
    const double fugacity = std::ldexp(1.0, dice.chance(0.5) ? dice.below(6) - 4 : dice.below(41) - 20);
    PathProgram program;
    try {
      CHECK(prepare(made.component, ws, program));
    } catch (const BudgetExceeded&) {
      continue;  // the weights that meet at a step are too far apart
    }
    PathForward fwd;
    run("the forward pass", round, forwards, [&] {
      forward(program, fugacity, ws, fwd);
      return fwd.lost;
    });
    if (fwd.lost) continue;
    const Polynomial poly = final_polynomial(program, fwd, 0, ws);
    CHECK(same_support(program, poly, ws), "round %d", round);
    const std::vector<double> outside = outside_of(poly, dice);
    if (!std::any_of(outside.begin(), outside.end(), [](double x) { return x > 0; })) continue;
    std::vector<BoxOdds> odds(static_cast<std::size_t>(made.component.boxes));
    bool lost = false;
    run("the backward pass", round, backwards,
        [&] { return lost = backward(program, fwd, outside.data(), ws, odds.data()); });
    if (!lost) check_odds(round, program, fugacity, outside, odds, ws);
    TreeProgram tree;
    if (!build_tree(made.component, ws, tree)) continue;
    TreeForward up;
    run("the tree's forward pass", round, tree_forwards, [&] {
      forward(tree, fugacity, ws, up);
      return up.lost;
    });
    if (up.lost) continue;
    CHECK(same_support(program, final_polynomial(tree, up, ws), ws), "round %d", round);
    const std::vector<std::vector<double>> before = tables_of(tree, up);
    lost = false;
    run("the tree's backward pass", round, tree_backwards, [&] {
      lost = backward(tree, up, outside.data(), ws, odds.data());
      // Columns that mean nothing may raise the flag too.
      std::feclearexcept(FE_UNDERFLOW);
      return lost;
    });
    if (lost) continue;
    check_odds(round, program, fugacity, outside, odds, ws);
    check_bounds(round, tree, up, before);
  }
  const auto print = [](const char* name, const Tally& t) {
    std::printf("  %s: %d, of which %d lost something; the processor's flag was raised by %d\n", name, t.passes, t.lost,
                t.raised);
  };
  print("forward passes", forwards);
  print("backward passes", backwards);
  print("forward passes of trees", tree_forwards);
  print("backward passes of trees", tree_backwards);
  CHECK(forwards.lost > rounds / 100 && backwards.lost > rounds / 100);
  CHECK(forwards.passes - forwards.lost > rounds / 2 && tree_forwards.passes - tree_forwards.lost > rounds / 10);
  std::printf("test_underflow: nothing is lost unnoticed\n");
  return 0;
}

// Analyses of any position, against the oracle where it can follow; the clash of one without a layout.
#include "../exact/analysis.hpp"
#include "../tests/exact_checks.hpp"
#include "tape.hpp"

using namespace mineproof::fuzz;

namespace {

constexpr int kOracle = 11;  // hidden cells that the oracle can follow

// What must hold of any answer, where no oracle says more.
void ask_everything(Analysis& analysis, const Case& c, Tape& tape) {
  const int n = c.board.cells();
  std::vector<double> p(static_cast<std::size_t>(n));
  analysis.probabilities(p.data());
  for (int i = 0; i < n; ++i) {
    const double chance = p[static_cast<std::size_t>(i)];
    CHECK(chance >= 0 && chance <= 1, "cell %d: %g", i, chance);
    if (analysis.certain(i) == Certain::safe) CHECK(chance == 0);
    if (analysis.certain(i) == Certain::mine) CHECK(chance == 1);
  }
  CHECK(!analysis.count().empty());
  std::uint64_t seed = tape.word();
  Dice dice{seed};
  std::vector<std::uint8_t> layout(static_cast<std::size_t>(n));
  for (int draws = 0; draws < 3; ++draws) {
    analysis.sample({dice_word, &dice}, layout.data());
    for (int i = 0; i < n; ++i)
      CHECK(clue_weight(c.position, i, mines_around(c.board, layout, i)) > 0, "a sample against a clue");
  }
  for (int i = 0; i < n; ++i) {
    if (c.shown[static_cast<std::size_t>(i)] != kOpenedMine) analysis.clue_odds(i);
  }
  for (int k = 0; k < analysis.components(); ++k) {
    analysis.component_mines(k);
    analysis.component_clues(k);
  }
  analysis.sea_mines();
}

void check_clash(const Case& c) {
  const Clash found = mineproof::exact::clash(c.position, small_limits());
  std::vector<std::uint8_t> shown = c.shown;
  for (auto& code : shown) code = code <= kLargestClue ? kNoClue : code;
  for (const std::int32_t clue : found.clues)
    shown[static_cast<std::size_t>(clue)] = c.shown[static_cast<std::size_t>(clue)];
  Position p = c.position;
  p.shown = shown.data();
  if (!found.total) p.prior = Prior::of_density(0.5);
  CHECK(!feasible(p, small_limits()), "a clash that has a layout");
  for (const std::int32_t clue : found.clues) {
    shown[static_cast<std::size_t>(clue)] = kNoClue;
    CHECK(feasible(p, small_limits()), "clue %d is not needed", clue);
    shown[static_cast<std::size_t>(clue)] = c.shown[static_cast<std::size_t>(clue)];
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Analysis analysis;
  static Engine engine;
  Tape tape(data, size);
  Case c;
  const bool small = tape.bit();
  any_case(tape, small ? 5 : 9, small ? kOracle : 81, c);
  try {
    if (small) {
      Dice dice{tape.word()};
      Seen seen;
      check_case(analysis, engine, c, dice, false, &seen);
      if (seen.solved == 0) check_clash(c);
    } else {
      try {
        analysis.solve(c.position, small_limits());
        ask_everything(analysis, c, tape);
      } catch (const Contradiction&) {
        check_clash(c);
      }
    }
  } catch (const BudgetExceeded&) {
  }
  return 0;
}

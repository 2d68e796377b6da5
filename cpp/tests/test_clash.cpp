// Clashes: feasible() against the oracle; a clash has no layout, and has one as soon as any member is left out.
#include "../exact/analysis.hpp"
#include "arguments.hpp"
#include "brute.hpp"
#include "positions.hpp"

using namespace mineproof::tests;

int main(int argc, char** argv) {
  const int count = cases(argc, argv, 20000);
  Dice dice{seed(argc, argv, 11)};
  int clashes = 0, with_total = 0;
  for (int i = 0; i < count; ++i) {
    Case c;
    random_case(dice, 3 + dice.below(8), c);
    if (dice.chance(0.5)) {
      for (int k = 0; k < 2; ++k) {
        auto& s = c.shown[static_cast<std::size_t>(dice.below(c.board.cells()))];
        if (s <= kLargestClue) s = static_cast<std::uint8_t>(dice.below(5));
      }
    }
    const bool truth = enumerate(c.board, c.position).layouts > 0;
    CHECK(feasible(c.position) == truth);
    if (truth) continue;
    const Clash clash = mineproof::exact::clash(c.position);
    ++clashes;
    with_total += clash.total;
    auto has = [&](std::int32_t without, bool total) {
      std::vector<std::uint8_t> shown = c.shown;
      for (auto& s : shown) s = s <= kLargestClue ? kNoClue : s;
      for (std::int32_t q : clash.clues) {
        if (q != without) shown[static_cast<std::size_t>(q)] = c.shown[static_cast<std::size_t>(q)];
      }
      Position p = c.position;
      p.shown = shown.data();
      if (!total) p.prior = Prior::of_density(0.5);
      return enumerate(c.board, p).layouts > 0;
    };
    CHECK(!has(-1, clash.total));
    for (std::int32_t q : clash.clues) CHECK(has(q, clash.total), "clue %d is not needed", q);
    if (clash.total) CHECK(has(-1, false), "the total is not needed");
  }
  std::printf("test_clash: %d clashes, %d with the total\n", clashes, with_total);
  return 0;
}

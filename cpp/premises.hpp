// The smallest set of clues that forces a cell: implicit hitting sets over a small search for layouts.
//
// The Python twin, in mineproof/proofs/, works over a SAT solver and for any premises. This one knows plain clues only
// and is made for the few dozen of them around one cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mineproof {

constexpr std::size_t kMostPremises = 128;

// So many mines are in these cells; among proofs of one size the least sum of weights is preferred.
struct PlainClue {
  std::vector<std::int32_t> cells;
  std::int32_t mines = 0;
  std::int64_t weight = 0;
};

struct FewestClues {
  enum class End { kForced, kNotForced, kTooMuch };
  End end = End::kNotForced;
  std::vector<std::int32_t> places;  // of the clues, rising; of a forced cell only
};

// The fewest clues that cannot be met with a mine in `target`; among those the least sum of weights,
// then the least set, compared from its highest place on. The clues must have a layout. At most
// kMostPremises clues; `steps` limits the work.
FewestClues fewest_clues(std::span<const PlainClue> clues, std::int32_t target, std::int64_t steps);

}  // namespace mineproof

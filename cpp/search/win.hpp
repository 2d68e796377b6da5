// The chance to win of cells before the endgame, from rollouts.
//
// The same layouts serve every cell (common random numbers). A cell that is a mine in a layout loses it; that chance is
// known exactly, so only layouts where the cell is safe are counted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/rollout.hpp"

namespace mineproof::search {

struct WinLimits {
  std::size_t samples = 400;
  double seconds = 0;                     // stops after so much time, but not before the first sample is done; 0: never
  bool (*stop)(void* context) = nullptr;  // asked after every game; true ends in exact::Interrupted
  void* context = nullptr;
};

// Chances to win on the layouts where a cell is safe. Each is 0, 1, or that of best play where a game reaches the
// endgame, minus the luck of its guesses: so one may be below 0 or above 1.
struct WinSum {
  std::int32_t cell = 0;
  std::int64_t played = 0;
  double sum = 0;
  double squares = 0;
};

// Where no cell is open yet the deal keeps its promise of the first cell, and each cell has layouts of its own that
// differ as little as possible. `position` has exact clues, no opened mine, and the total of `table`.
std::vector<WinSum> win_sums(const exact::Position& position, const Table& table, const SwiftOptions& options,
                             std::span<const std::int32_t> cells, std::uint64_t seed, const WinLimits& limits = {});

}  // namespace mineproof::search

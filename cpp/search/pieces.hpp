// The parts of a position whose solutions combine freely but for the number of mines, and how their mines can lie.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "exact/component.hpp"

namespace mineproof::search {

// Counts that stop at kMany.
inline constexpr std::uint64_t kMany = std::uint64_t{1} << 62;

inline std::uint64_t add(std::uint64_t a, std::uint64_t b) { return std::min(a + b, kMany); }
inline std::uint64_t times(std::uint64_t a, std::uint64_t b) { return a && b > kMany / a ? kMany : a * b; }

inline std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  std::uint64_t c = 1;
  for (std::uint64_t i = 1; i <= std::min(k, n - k); ++i) {
    if (c > kMany / n) return kMany;
    c = c * (n - std::min(k, n - k) + i) / i;
  }
  return c;
}

// A component of the frontier, or the cells off it: cells, and its solutions by their number of mines.
struct Piece {
  std::vector<std::int32_t> cells;       // box by box
  std::vector<std::int32_t> box_begin;   // boxes + 1
  std::vector<std::uint8_t> counts;      // of every way, the mines of its boxes
  std::vector<std::int32_t> mines;       // of every way
  std::vector<std::uint64_t> solutions;  // by number of mines
  std::int32_t region = 0;
  bool sea = false;

  // The number of mines, when it is the same in every solution.
  std::optional<std::int64_t> fixed() const {
    std::optional<std::int64_t> found;
    for (std::size_t k = 0; k < solutions.size(); ++k) {
      if (!solutions[k]) continue;
      if (found) return std::nullopt;
      found = static_cast<std::int64_t>(k);
    }
    return found;
  }
  std::size_t boxes() const { return box_begin.size() - 1; }
  void clear() {
    cells.clear();
    box_begin.clear();
    counts.clear();
    mines.clear();
    solutions.clear();
    sea = false;
  }
};

// Lists the ways to give every box of a component a number of mines, at most `most_mines` in all, and counts their
// solutions; p.solutions has room for every number of mines. False when there are more than `most_ways`, or when
// finding them takes more than so many steps.
bool list_ways(const exact::Component& component, std::int64_t most_mines, std::size_t most_ways, std::int64_t steps,
               Piece& p);

}  // namespace mineproof::search

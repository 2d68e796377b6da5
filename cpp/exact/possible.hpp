// What the number of mines leaves possible: support only, no weights.
#pragma once

#include "join.hpp"

namespace mineproof::exact {

struct Possible {
  bool feasible = false;
  bool sea_can_be_mine = false;
  bool sea_can_be_safe = false;
  std::uint8_t** mask = nullptr;  // per component, by index into its window: does a layout with that many mines exist?
};

// How many mines components can hold together: the sums of their fewest and of their most, the widest range of one of
// them, and the farthest that two neighbouring counts of one of them are apart.
struct Ranges {
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t widest = 0;
  std::int64_t gap = 1;

  void add(std::int64_t first, std::int64_t range, std::int64_t largest_gap) {
    low += first;
    high += first + range;
    widest = std::max(widest, range);
    gap = std::max(gap, largest_gap);
  }
};

// Do `left` mines in components and sea leave every count of every component possible, and sea cells undecided? True
// only where these few sums show it.
bool leaves_all_open(const Ranges& ranges, std::int64_t left, std::int64_t sea);

// For priors by number of mines (not for independent cells). Constant time a component while the sea is large enough to
// even out the gaps in the components' possible counts, exact sets of sums where it is not.
Possible what_is_possible(const Pool& pool, Workspace& workspace);

}  // namespace mineproof::exact

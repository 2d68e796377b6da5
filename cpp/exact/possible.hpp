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

// For priors by number of mines (not for independent cells). Constant time a component while the sea is large enough to
// even out the gaps in the components' possible counts, exact sets of sums where it is not.
Possible what_is_possible(const Pool& pool, Workspace& workspace);

}  // namespace mineproof::exact

// The order in which the boxes of a component are eliminated: it decides the width of the program.
#pragma once

#include "component.hpp"

namespace mineproof::exact {

// An order of all boxes, with the step at which each clue is first and last touched. A probe is last touched at step
// `boxes`, that is never.
struct Order {
  std::int32_t* box = nullptr;    // box at each step
  std::int32_t* first = nullptr;  // per clue
  std::int32_t* last = nullptr;   // per clue
  double estimate = 0;            // log2 of the estimated number of states of all layers
};

// A good order. Greedy for small components; for wide ones several are found, filtered by estimate and raced by
// counting their states. Spends at most about what it expects to save.
Order choose_order(const Component& component, Workspace& workspace);

}  // namespace mineproof::exact

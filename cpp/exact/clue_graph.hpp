// Which clues of a component share a box: the graph that elimination orders are found on. Internal.
#pragma once

#include "component.hpp"

namespace mineproof::exact {

// Compressed rows: the clues that share a box with clue q are target[offset[q]] .. target[offset[q + 1] - 1].
struct ClueGraph {
  std::int32_t* offset = nullptr;
  std::int32_t* target = nullptr;
};

ClueGraph clue_graph(const Component& component, Arena& arena);

}  // namespace mineproof::exact

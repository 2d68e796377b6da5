// From live clues to boxes (undecided cells with the same clues) and components (boxes tied by clues).
#pragma once

#include "front.hpp"

namespace mineproof::exact {

inline constexpr std::int32_t kSeaBox = -1;
inline constexpr std::int32_t kFixedBox = -2;   // decided or open, no mine
inline constexpr std::int32_t kFixedMine = -3;  // decided or open, a mine

struct Boxes {
  std::int32_t* box_of = nullptr;  // per cell: box, or one of the above
  std::int32_t boxes = 0;
  std::int32_t* component_of = nullptr;  // per box
  std::int32_t* local = nullptr;         // per box: its id within the component
  Component* component = nullptr;
  std::int32_t components = 0;
  std::int64_t sea = 0;  // undecided cells in no box
};

// Boxes of the given clues over the unknown cells of `mark`.
Boxes make_boxes(const Graph& graph, const Mark* mark, std::int64_t unknown, const Clue* clue, std::int32_t clues,
                 Workspace& workspace);

// The same where box_of is given, kSeaBox for every unknown cell around these clues. Other cells are not looked at, and
// `unknown` is the number of cells that count as sea or box.
Boxes split_boxes(const Graph& graph, const Mark* mark, std::int64_t unknown, const Clue* clue, std::int32_t clues,
                  std::int32_t* box_of, Workspace& workspace);

}  // namespace mineproof::exact

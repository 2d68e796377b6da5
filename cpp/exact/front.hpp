// The front end: what single clues decide on their own, and the clues that are left.
#pragma once

#include "component.hpp"
#include "position.hpp"

namespace mineproof::exact {

// What is known of a cell. `unknown` is 0 so that planes of marks are easy to test.
enum class Mark : std::uint8_t {
  unknown = 0,  // hidden, not decided by single clues
  safe = 1,     // hidden, decided
  mine = 2,     // hidden, decided or vouched for
  open = 3,     // opened, no mine
  burst = 4,    // opened mine
};

struct Front {
  Mark* mark = nullptr;      // per cell
  std::int64_t known = 0;    // mines: opened, vouched for or decided
  std::int64_t unknown = 0;  // cells left
  Clue* clue = nullptr;      // clues that still say something, over their unknown neighbours only
  std::int32_t clues = 0;
  double log_weight = 0;    // of weighted clues that no unknown cell touches, and of scaling
  std::int32_t clash = -1;  // cell of a clue that cannot be met; then nothing else is filled in
};

// Marks every cell and lists the live clues, by single-point reasoning on supports until nothing follows any more.
Front read_front(const Position& position, Workspace& workspace);

// Same, on the planes of a plain square board (position.graph->rows > 0, exact clues); see front_grid.cpp.
Front read_front_grid(const Position& position, Workspace& workspace);

// On such a board, for every cell what lies around it: unknown cells, and 16 times the mines. An unknown cell or a mine
// counts itself too.
const std::uint8_t* sums_around(const Graph& graph, const Mark* mark, Workspace& workspace);

// Weights of a weighted clue over its unknown neighbours: `row` by count of all neighbours, `known` of them mines,
// `unknown` undecided. Gives false when no count is possible, sets `flat` when it says nothing; scales the largest
// weight to 0.5..1 and adds the logarithm of what was taken out to log_weight.
bool condition(const double* row, std::int32_t known, std::int32_t unknown, Workspace& workspace, Clue& out, bool& flat,
               double& log_weight);

}  // namespace mineproof::exact

// The frontier's structure: clues, boxes (undecided cells with the same clues), components (boxes tied by clues), and
// what a solver of a component returns.
#pragma once

#include <cstdint>

#include "position.hpp"
#include "workspace.hpp"

namespace mineproof::exact {

enum class Mark : std::uint8_t;  // see front.hpp

// A clue as a function of the mines among the cells of its boxes. Counts outside low..high are impossible.
// Exact clue: low == high and weight == nullptr. Otherwise weight[count - low] for count = low..high; weights may be 0
// inside, never at both ends of a range of more than one count. 0 <= low <= high <= sum of its boxes' sizes. The
// weights of the other counts, from 0 to that sum, lie around those and are 0, so that no loop has to look for the
// ends.
struct Clue {
  std::int32_t low = 0;
  std::int32_t high = 0;
  const double* weight = nullptr;
  std::int32_t cell = -1;  // where it is shown; -1 for a probe, see Component::probe
  // Exponent of a power of two below all weights that are not 0, at most 0; see underflow.hpp.
  std::int32_t least = 0;
};

// Boxes and clues as a bipartite graph, with local ids. Every box has at least one clue, every clue at least one box.
struct Component {
  std::int32_t boxes = 0;
  std::int32_t clues = 0;
  const std::int32_t* size = nullptr;         // cells of a box, >= 1
  const std::int32_t* box_offset = nullptr;   // boxes + 1
  const std::int32_t* box_clue = nullptr;     // clues of a box
  const std::int32_t* clue_offset = nullptr;  // clues + 1
  const std::int32_t* clue_box = nullptr;     // boxes of a clue
  const Clue* clue = nullptr;
  // A clue that is never closed: the program ends with one final state for each count it can have. -1: none.
  // A probe has weight == nullptr, low = 0, high = all its cells, and counts as free, not as exact.
  std::int32_t probe = -1;
};

// The weights of a component by its number of mines: coefficient c[i] belongs to first + i mines and stands for
// c[i] * 2^exponent * fugacity^-(first + i). Support is exact: bit i is set iff some layout has first + i mines,
// even where c[i] has underflowed to 0. The first and the last bit are set.
struct Polynomial {
  std::int32_t first = 0;
  std::int32_t length = 0;
  double* c = nullptr;
  std::int64_t exponent = 0;
  std::uint64_t* support = nullptr;  // (length + 63) / 64 words

  bool has(std::int64_t mines) const {
    const std::int64_t i = mines - first;
    return i >= 0 && i < length && (support[i >> 6] >> (i & 63) & 1);
  }
};

// What is known of a box after the backward pass.
struct BoxOdds {
  double p = 0;              // chance that one given cell of it is a mine; not clamped
  bool can_be_safe = false;  // some layout has a safe cell in it: decided by support
  bool can_be_mine = false;  // some layout has a mine in it

  // From the mass of every number of mines 0..numbers-1 in a box of `size` cells.
  static BoxOdds of_mass(const double* mass, std::int32_t numbers, std::int32_t size) {
    BoxOdds odds;
    double all = 0;
    double mines = 0;
    for (std::int32_t k = 0; k < numbers; ++k) {
      if (!(mass[k] > 0)) continue;
      all += mass[k];
      mines += mass[k] * k;
      if (k > 0) odds.can_be_mine = true;
      if (k < size) odds.can_be_safe = true;
    }
    odds.p = all > 0 ? mines / (all * size) : 0;
    return odds;
  }
};

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

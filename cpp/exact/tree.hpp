// The tree program: a component with likelihoods eliminated box by box along a tree.
//
// Where clues only weigh, nearly every combination of counts occurs, and there are often more clues than boxes: then it
// is cheaper to keep the boxes' own numbers of mines as they are, in dense tables, than the clues' counts. Eliminating
// a box ties together the boxes that it shares a clue or an earlier table with, its separator; the table over them goes
// on to the one of them that is eliminated next. Branches that share nothing but their separators carry the weights of
// few numbers of mines each, and meet in products of polynomials. Nothing is looked up by key, and nothing is dropped:
// results are those of the path program.
#pragma once

#include "component.hpp"

namespace mineproof::exact {

inline constexpr std::int32_t kNoBox = -1;
inline constexpr std::int32_t kMostEntries = 1 << 12;  // assignments of a box and its separator
inline constexpr std::int32_t kMostTied = 12;          // boxes among them

// A table over a separator: a row for each of its assignments, a column for each number of mines in the branch below
// it.
struct TreeNode {
  std::int32_t box = kNoBox;         // eliminated here; kNoBox: a mere product of two tables
  std::int32_t values = 1;           // numbers of mines of the box: 0..values-1
  std::int32_t rows = 1;             // assignments of the separator
  std::int32_t children = 0;         // tables that come in, at most two
  std::int32_t child[2] = {};        // their nodes
  const std::uint16_t* row[2] = {};  // [row * values + k]: the row of the child's table
  double* weight = nullptr;          // same shape: of the clues settled here and the box's own; 0: impossible
  std::int32_t least = 0;            // exponent of a power of two below all weights that are not 0; see underflow.hpp
  std::int32_t low = 0;              // columns: fewest mines and number of columns,
  std::int32_t length = 0;
  std::int32_t stride = 0;  // and how far rows are apart: at least one zero follows each
};

struct TreeProgram {
  std::int32_t nodes = 0;
  TreeNode* node = nullptr;  // children before parents; the last has one row, of the whole component
  std::int64_t rows = 0;     // of all tables
  std::int64_t entries = 0;  // coefficients of all rows
  std::int32_t longest = 1;  // most columns of a table, or of a product of two
  std::int32_t most_values = 1;
};

// Plans and fills the tables; false where a path program is the better choice: mostly exact clues, large tables, clues
// that clash or weights too far apart.
bool build_tree(const Component& component, Workspace& workspace, TreeProgram& out);

// An elimination order of all boxes, with the separator that each leaves behind.
struct TreeOrder {
  std::int32_t* box = nullptr;        // at each step
  std::int32_t* step = nullptr;       // per box
  std::int32_t* offset = nullptr;     // per step, and one more: where its separator begins in
  std::int32_t* separator = nullptr;  // the boxes tied to it, those eliminated first at the front
};

// Min-fill: the box whose elimination adds the fewest edges among its neighbours, and of these the one with the
// shortest polynomials. False where tables become large.
bool choose_tree(const Component& component, Workspace& workspace, TreeOrder& out);

// Tables from the leaves to the root, kept in the workspace's arena.
struct TreeForward {
  double** table = nullptr;       // per node
  std::int32_t* least = nullptr;  // per node: exponent of a power of two below all that is not 0
  std::int64_t exponent = 0;      // of the last one
  double fugacity = 1;
  bool* due = nullptr;       // per node: its table is looked at for its range
  bool* due_back = nullptr;  // the same for its outside weights
  bool lost = false;         // something may have been too small for a double
};
void forward(const TreeProgram& program, double fugacity, Workspace& workspace, TreeForward& out);

// The weights of the component by mine count, in place.
Polynomial final_polynomial(const TreeProgram& program, const TreeForward& forward, Workspace& workspace);

// From the root to the leaves, seeded with the outside weight of every mine count; see the path program's. Of the
// forward tables only the last is left. True where something may have been too small for a double.
bool backward(const TreeProgram& program, TreeForward& forward, const double* outside, Workspace& workspace,
              BoxOdds* odds);

}  // namespace mineproof::exact

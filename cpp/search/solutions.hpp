// Every solution of a position, a row each, with what every hidden cell would show in it.
//
// Solutions of parts of the board that have nothing to do with each other multiply. A region is a set of hidden cells
// that is truly independent of the rest: its number of mines is fixed, and none of its cells would show a mine that
// lies outside it and is not certain. Regions are listed apart, so that their numbers of solutions add, not multiply.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "exact/position.hpp"

namespace mineproof::search {

inline constexpr std::uint8_t kMine = 255;  // in a SolutionTable: the cell is a mine

// Rows are solutions, each equally likely; columns are hidden cells. Columns that never differ may be among them.
struct SolutionTable {
  std::vector<std::int32_t> cells;   // the cell of a column
  std::vector<std::uint8_t> values;  // values[row * stride + column]: the clue it would show, or kMine
  std::size_t rows = 0;
  std::size_t stride = 0;  // bytes of a row: at least the columns, a multiple of 16, the rest is kMine

  std::size_t columns() const { return cells.size(); }
  const std::uint8_t* row(std::size_t index) const { return values.data() + index * stride; }
};

// Keeps its memory from position to position; one a thread. Positions have exact clues and a known total
// (std::invalid_argument otherwise); a position without a solution has a table without rows.
class SolutionLister {
 public:
  SolutionLister();
  ~SolutionLister();
  SolutionLister(SolutionLister&&) noexcept;
  SolutionLister& operator=(SolutionLister&&) noexcept;

  // Every solution in one table. False when there are more than `limit`, or when finding them takes too long.
  bool all(const exact::Position& position, std::size_t limit, SolutionTable& out);

  // Every region in a table of its own. False when one has more than `limit` solutions or takes too long. Hidden cells
  // that are certain, and would show nothing that is not, are in no table.
  bool regions(const exact::Position& position, std::size_t limit, std::vector<SolutionTable>& out);

  // The regions that can be found without looking at the whole board: components of the frontier whose clues fix their
  // number of mines and whose cells have no undecided neighbour outside. Cheap where there are none.
  void isolated(const exact::Position& position, std::size_t limit, std::vector<SolutionTable>& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// SolutionLister::all with memory of its own.
bool list_solutions(const exact::Position& position, std::size_t limit, SolutionTable& out);

}  // namespace mineproof::search

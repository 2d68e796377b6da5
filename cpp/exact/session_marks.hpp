// What a session knows of every cell, and single-point reasoning about it. Internal.
#pragma once

#include <cstdint>
#include <vector>

#include "front.hpp"

namespace mineproof::exact {

// Cells, each at most once.
class CellList {
 public:
  explicit CellList(std::size_t cells) : listed_(cells, 0) {}

  bool empty() const { return cells_.empty(); }
  void add(std::int32_t cell) {
    if (listed_[cell]) return;
    listed_[cell] = 1;
    cells_.push_back(cell);
  }
  // Moves them all to the end of a plain list.
  void move_to(std::vector<std::int32_t>& out) {
    for (const std::int32_t cell : cells_) {
      listed_[cell] = 0;
      out.push_back(cell);
    }
    cells_.clear();
  }

 private:
  std::vector<std::uint8_t> listed_;  // per cell
  std::vector<std::int32_t> cells_;
};

// Marks of all cells, with two counts for every clue. A settled cell changes the counts of the clues around it, and a
// clue whose counts leave no choice settles its other cells.
class Marks {
 public:
  explicit Marks(const Position& position);

  const Graph& graph() const { return *position_.graph; }
  Mark mark(std::int32_t cell) const { return mark_[cell]; }
  const Mark* all() const { return mark_.data(); }
  std::uint8_t shown(std::int32_t cell) const { return shown_[cell]; }
  bool is_clue(std::int32_t cell) const { return shown_[cell] <= kLargestClue; }
  std::int64_t known_mines() const { return known_mines_; }
  std::int64_t unknown_cells() const { return unknown_cells_; }
  // Grows with every change.
  std::uint64_t version() const { return version_; }
  // What is shown now, with the mines that are certain vouched for. Valid until the next call.
  Position position();

  // A hidden cell was opened. Throws std::invalid_argument where it is open already; Contradiction.
  void open(std::int32_t cell, std::uint8_t code);
  // These cells are certain, and so is what single clues make of that. Throws Contradiction.
  void decide(const std::vector<std::int32_t>& safe, const std::vector<std::int32_t>& mines);
  // Hidden cells that became certain since they were last asked for.
  void take_fresh(std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mines);

  // A clue over its unknown cells; false when it says nothing.
  bool read_clue(std::int32_t cell, Workspace& workspace, Clue& out) const;

  // Clues whose unknown cells have changed.
  CellList changed;

 private:
  // Of the neighbours of a clue.
  struct Around {
    std::uint16_t mines = 0;
    std::uint16_t unknown = 0;
  };

  void settle(std::int32_t cell, Mark mark);
  void decide(std::int32_t cell, bool mine);
  void count(std::int32_t clue);
  void propagate();

  Position position_;
  std::vector<std::uint8_t> shown_;
  std::vector<std::uint8_t> vouched_;  // of position()
  std::vector<Mark> mark_;
  std::vector<Around> around_;         // per clue
  std::vector<std::int32_t> waiting_;  // clues to be looked at
  std::vector<std::int32_t> fresh_;
  std::int64_t known_mines_ = 0;
  std::int64_t unknown_cells_ = 0;
  std::uint64_t version_ = 1;
};

}  // namespace mineproof::exact

// What a session keeps from move to move: a mark for every cell, and the components of the frontier, each solved in
// memory of its own. Internal to session.cpp; the tests look at the sizes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine.hpp"
#include "front.hpp"
#include "join.hpp"

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
class CellMarks {
 public:
  explicit CellMarks(const Position& position);

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
  struct NeighbourCounts {
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
  std::vector<NeighbourCounts> around_;  // per clue
  std::vector<std::int32_t> waiting_;    // clues to be looked at
  std::vector<std::int32_t> fresh_;
  std::int64_t known_mines_ = 0;
  std::int64_t unknown_cells_ = 0;
  std::uint64_t version_ = 1;
};

// A component that is kept as long as nothing changes in it.
struct LiveComponent {
  static constexpr std::size_t kFirstBlock = 4096;
  explicit LiveComponent(Arena& scratch) : ws(kFirstBlock, scratch) {}

  Workspace ws;
  std::vector<std::int32_t> clues;  // cells
  std::vector<std::int32_t> cells;  // unknown ones
  Component component;
  Part part;
  std::uint64_t joined = 0;  // the version of the marks that part.odds were joined at
};

// Components live in slots. Those of changed clues are taken apart, found again by search from these clues, and solved.
class LiveComponents {
 public:
  LiveComponents(CellMarks& marks, const Limits& limits, double fugacity);

  // Solves the components of changed clues and decides what they make certain. False where that is nothing.
  bool refresh();

  // The rest is valid when no clue has changed.
  const std::vector<std::unique_ptr<LiveComponent>>& slots() const { return slots_; }  // null where one is free
  // The component of an unknown cell, or nullptr for the sea, and its box there.
  LiveComponent* of(std::int32_t cell) const { return home_[cell] < 0 ? nullptr : slots_[home_[cell]].get(); }
  std::int32_t box_of(std::int32_t cell) const { return box_of_[cell]; }
  // Adds the cells that are certain by part.odds.
  void list_certain(const LiveComponent& live, std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mines) const;
  // How many mines the components can hold together; widest and gap are upper bounds.
  const Ranges& ranges() const { return ranges_; }
  std::int64_t cells() const { return cells_; }

 private:
  static constexpr std::int32_t kNone = -1;

  std::int32_t take_slot();
  void find(std::int32_t slot, std::int32_t start, LiveComponent& live, std::vector<Clue>& clue);
  void solve(LiveComponent& live, const std::vector<Clue>& clue);
  void drop(std::int32_t slot);
  void build(std::int32_t start, std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mines);

  CellMarks& marks_;
  Limits limits_;
  double fugacity_;
  Arena scratch_{Workspace::kScratchBlock};  // of all components
  std::vector<std::unique_ptr<LiveComponent>> slots_;
  std::vector<std::int32_t> free_slots_;
  std::vector<std::int32_t> slot_of_;  // per clue
  std::vector<std::int32_t> home_;     // per cell: the slot of its component
  std::vector<std::int32_t> box_of_;   // per unknown cell of a component
  Ranges ranges_;
  std::int64_t cells_ = 0;  // of all components
};

}  // namespace mineproof::exact

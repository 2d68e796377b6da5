// The components of a session's frontier, each solved in memory of its own. Internal.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine.hpp"
#include "possible.hpp"
#include "session_marks.hpp"

namespace mineproof::exact {

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
  LiveComponents(Marks& marks, const Limits& limits, double fugacity);

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

  Marks& marks_;
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

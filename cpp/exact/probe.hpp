// A hidden cell taken to be safe, and what it would show: its neighbourhood as a clue of free value, the probe.
//
// The cell leaves its box. The components that hold it or a neighbour of it, and the sea cells around it, merge into
// one component. The probe is its clue 0 and is never closed, so that the program of that component ends with a state
// for every count.
#pragma once

#include <cstdint>
#include <vector>

#include "engine.hpp"

namespace mineproof::exact {

class Probe {
 public:
  // A solved position. Keeps its memory from one to the next.
  void begin(const Engine& engine);

  // Looks at a cell that is no certain mine. False where no cell around it is unknown.
  bool look(std::int32_t cell);

  // Of that cell: the components that take part, and the sea around it and left without both.
  bool touches(std::int32_t component) const { return is_touched_[component] != 0; }
  std::int32_t sea_around() const { return sea_around_; }
  std::int64_t sea_left() const { return engine_->boxes.sea - sea_around_ - (own_ == kSeaBox ? 1 : 0); }

  // A box of the merged component: those cells of a box of the position (kSeaBox: of the sea) that lie around the cell,
  // or those that do not.
  struct Half {
    std::int32_t box = kSeaBox;
    bool around = false;
    std::int32_t cells = 0;
  };
  // The merged component, in the arena. False where the cell cannot be safe.
  bool merge(Arena& arena, Component& out);
  // Its boxes.
  const std::vector<Half>& halves() const { return halves_; }

 private:
  struct Lists;

  void touch(std::int32_t component);
  bool add_clues(std::int32_t component, Lists& lists);
  void add_boxes(std::int32_t component, Lists& lists);
  void add_box(std::int32_t box, bool around, std::int32_t cells, Lists& lists);

  const Engine* engine_ = nullptr;
  std::vector<std::int32_t> first_box_;  // per component: where its boxes begin in box_at_
  std::vector<std::int32_t> box_at_;     // box by component and local id

  // Of the current cell.
  std::int32_t own_ = kFixedBox;          // its box
  std::vector<std::int32_t> around_;      // per box: its cells around
  std::vector<std::int32_t> met_;         // boxes around
  std::vector<std::int32_t> touched_;     // components
  std::vector<std::uint8_t> is_touched_;  // per component
  std::int32_t sea_around_ = 0;
  std::vector<Half> halves_;
  std::vector<std::int32_t> rename_;  // per clue of a component: its number in the merged one, or -1
};

}  // namespace mineproof::exact

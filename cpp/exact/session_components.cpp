#include "session_components.hpp"

#include <algorithm>

namespace mineproof::exact {

LiveComponents::LiveComponents(Marks& marks, const Limits& limits, double fugacity)
    : marks_(marks), limits_(limits), fugacity_(fugacity) {
  const auto cells = static_cast<std::size_t>(marks.graph().cells);
  slot_of_.assign(cells, kNone);
  home_.assign(cells, kNone);
  box_of_.assign(cells, kSeaBox);
}

bool LiveComponents::refresh() {
  std::vector<std::int32_t> safe, mines, work;
  marks_.changed.move_to(work);
  for (const std::int32_t clue : work) {
    if (slot_of_[clue] != kNone) drop(slot_of_[clue]);
  }
  // Clues of dropped components have changed: they are work too.
  while (!marks_.changed.empty() || !work.empty()) {
    marks_.changed.move_to(work);
    const std::int32_t clue = work.back();
    work.pop_back();
    if (slot_of_[clue] == kNone && marks_.is_clue(clue)) build(clue, safe, mines);
  }
  marks_.decide(safe, mines);
  return !safe.empty() || !mines.empty();
}

void LiveComponents::drop(std::int32_t slot) {
  const LiveComponent& live = *slots_[slot];
  for (const std::int32_t clue : live.clues) {
    slot_of_[clue] = kNone;
    marks_.changed.add(clue);
  }
  for (const std::int32_t cell : live.cells) {  // some may have been claimed by the component that is being found
    if (home_[cell] == slot) home_[cell] = kNone;
  }
  ranges_.low -= live.part.poly.first;
  ranges_.high -= live.part.poly.first + live.part.poly.length - 1;
  cells_ -= static_cast<std::int64_t>(live.cells.size());
  slots_[slot].reset();
  free_slots_.push_back(slot);
}

std::int32_t LiveComponents::take_slot() {
  if (free_slots_.empty()) {
    slots_.emplace_back();
    return static_cast<std::int32_t>(slots_.size()) - 1;
  }
  const std::int32_t slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

// The component of a clue, by breadth-first search; components that it runs into are dropped.
void LiveComponents::find(std::int32_t slot, std::int32_t start, LiveComponent& live, std::vector<Clue>& clue) {
  const Graph& g = marks_.graph();
  const auto enter = [&](std::int32_t cell) {
    if (slot_of_[cell] == slot) return;
    Clue read;
    if (!marks_.read_clue(cell, live.ws, read)) return;
    if (slot_of_[cell] != kNone) drop(slot_of_[cell]);
    slot_of_[cell] = slot;
    live.clues.push_back(cell);
    clue.push_back(read);
  };
  enter(start);
  for (std::size_t i = 0; i < live.clues.size(); ++i) {
    const std::int32_t c = live.clues[i];
    for (std::int32_t e = g.offset[c]; e < g.offset[c + 1]; ++e) {
      const std::int32_t cell = g.target[e];
      if (marks_.mark(cell) != Mark::unknown || home_[cell] == slot) continue;
      home_[cell] = slot;
      box_of_[cell] = kSeaBox;
      live.cells.push_back(cell);
      for (std::int32_t f = g.offset[cell]; f < g.offset[cell + 1]; ++f) {
        if (marks_.is_clue(g.target[f])) enter(g.target[f]);
      }
    }
  }
}

// Its program, its polynomial, and what its clues alone make certain.
void LiveComponents::solve(LiveComponent& live, const std::vector<Clue>& clue) {
  const Boxes boxes = split_boxes(marks_.graph(), marks_.all(), static_cast<std::int64_t>(live.cells.size()),
                                  clue.data(), static_cast<std::int32_t>(clue.size()), box_of_.data(), live.ws);
  for (const std::int32_t cell : live.cells) box_of_[cell] = boxes.local[box_of_[cell]];
  live.component = boxes.component[0];
  live.part.component = &live.component;
  if (!prepare(live.component, live.ws, live.part.program)) {
    throw Contradiction("the clues of a component clash", live.clues, false);
  }
  run_forward(&live.part, 1, fugacity_, live.ws);
  const Polynomial& p = live.part.poly;
  double* any = live.ws.arena.take<double>(static_cast<std::size_t>(p.length));  // whatever the number of mines
  for (std::int32_t m = 0; m < p.length; ++m) any[m] = p.has(p.first + m) ? 1 : 0;
  live.part.outside = any;
  run_backward(&live.part, 1, live.ws);
}

// Finds and solves the component of a clue; adds what it makes certain to the lists.
void LiveComponents::build(std::int32_t start, std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mines) {
  auto live = std::make_unique<LiveComponent>(scratch_);
  live->ws.begin(limits_);
  std::vector<Clue> clue;
  const std::int32_t slot = take_slot();
  find(slot, start, *live, clue);
  if (live->clues.empty()) {
    free_slots_.push_back(slot);
    return;
  }
  solve(*live, clue);
  const Polynomial& p = live->part.poly;
  std::int64_t gap = 1;
  std::int64_t run = 1;
  for (std::int32_t m = 0; m < p.length; ++m) {
    run = p.has(p.first + m) ? 1 : run + 1;
    gap = std::max(gap, run);
  }
  ranges_.add(p.first, p.length - 1, gap);
  cells_ += static_cast<std::int64_t>(live->cells.size());
  list_certain(*live, safe, mines);
  slots_[slot] = std::move(live);
}

void LiveComponents::list_certain(const LiveComponent& live, std::vector<std::int32_t>& safe,
                                  std::vector<std::int32_t>& mines) const {
  for (const std::int32_t cell : live.cells) {
    const BoxOdds& odds = live.part.odds[box_of_[cell]];
    if (!odds.can_be_mine) safe.push_back(cell);
    if (!odds.can_be_safe) mines.push_back(cell);
  }
}

}  // namespace mineproof::exact

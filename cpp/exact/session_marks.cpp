#include "session_marks.hpp"

#include <stdexcept>

namespace mineproof::exact {

namespace {

bool is_mine(Mark mark) { return mark == Mark::mine || mark == Mark::burst; }

}  // namespace

Marks::Marks(const Position& position)
    : changed(static_cast<std::size_t>(position.graph->cells)),
      position_(position),
      shown_(position.shown, position.shown + position.graph->cells) {
  const std::int32_t cells = graph().cells;
  mark_.resize(shown_.size());
  around_.resize(shown_.size());
  for (std::int32_t i = 0; i < cells; ++i) {
    Mark mark = Mark::open;
    if (shown_[i] == kHidden) mark = position.mines && position.mines[i] ? Mark::mine : Mark::unknown;
    if (shown_[i] == kOpenedMine) mark = Mark::burst;
    mark_[i] = mark;
    unknown_cells_ += mark == Mark::unknown;
    known_mines_ += is_mine(mark);
    if (mark == Mark::mine) fresh_.push_back(i);
  }
  position_.shown = shown_.data();
  position_.mines = nullptr;
  for (std::int32_t i = 0; i < cells; ++i) {
    if (is_clue(i)) count(i);
  }
  propagate();
}

Position Marks::position() {
  vouched_.assign(mark_.size(), 0);
  for (std::size_t i = 0; i < mark_.size(); ++i) vouched_[i] = mark_[i] == Mark::mine;
  Position now = position_;
  now.mines = vouched_.data();
  return now;
}

// The counts of a clue that is new.
void Marks::count(std::int32_t clue) {
  const Graph& g = graph();
  Around& around = around_[clue];
  around = {};
  for (std::int32_t e = g.offset[clue]; e < g.offset[clue + 1]; ++e) {
    const Mark mark = mark_[g.target[e]];
    around.unknown = static_cast<std::uint16_t>(around.unknown + (mark == Mark::unknown));
    around.mines = static_cast<std::uint16_t>(around.mines + is_mine(mark));
  }
  waiting_.push_back(clue);
  if (around.unknown) changed.add(clue);
}

// An unknown cell is settled: every clue around it changes.
void Marks::settle(std::int32_t cell, Mark mark) {
  const Graph& g = graph();
  mark_[cell] = mark;
  --unknown_cells_;
  known_mines_ += is_mine(mark);
  ++version_;
  for (std::int32_t e = g.offset[cell]; e < g.offset[cell + 1]; ++e) {
    const std::int32_t clue = g.target[e];
    if (!is_clue(clue)) continue;
    --around_[clue].unknown;
    if (is_mine(mark)) ++around_[clue].mines;
    waiting_.push_back(clue);
    changed.add(clue);
  }
}

void Marks::decide(std::int32_t cell, bool mine) {
  settle(cell, mine ? Mark::mine : Mark::safe);
  fresh_.push_back(cell);
}

void Marks::decide(const std::vector<std::int32_t>& safe, const std::vector<std::int32_t>& mines) {
  for (const std::int32_t cell : safe) decide(cell, false);
  for (const std::int32_t cell : mines) decide(cell, true);
  propagate();
}

void Marks::propagate() {
  const Graph& g = graph();
  while (!waiting_.empty()) {
    const std::int32_t cell = waiting_.back();
    waiting_.pop_back();
    const std::int32_t known = around_[cell].mines;
    const std::int32_t most = known + around_[cell].unknown;
    std::int32_t low = shown_[cell];
    std::int32_t high = shown_[cell];
    if (position_.channel) {
      const double* row = position_.channel->row(shown_[cell], g.degree(cell));
      low = known;
      high = most;
      while (low <= high && !(row && row[low] > 0)) ++low;
      while (high >= low && !(row[high] > 0)) --high;
    }
    if (low > high || high < known || low > most) throw Contradiction("a clue cannot be met", {cell}, false);
    const bool safe = high == known;
    if (known == most || (!safe && low != most)) continue;
    for (std::int32_t e = g.offset[cell]; e < g.offset[cell + 1]; ++e) {
      if (mark_[g.target[e]] == Mark::unknown) decide(g.target[e], !safe);
    }
  }
}

void Marks::open(std::int32_t cell, std::uint8_t code) {
  const bool burst = code == kOpenedMine;
  const Mark before = mark_[cell];
  if (shown_[cell] != kHidden) throw std::invalid_argument("the cell is open already");
  if ((before == Mark::mine && !burst) || (before == Mark::safe && burst)) {
    throw Contradiction("an opened cell contradicts what was certain", {}, false);
  }
  const Mark now = burst ? Mark::burst : Mark::open;
  if (before == Mark::unknown) settle(cell, now);
  mark_[cell] = now;
  shown_[cell] = code;
  ++version_;
  if (is_clue(cell)) count(cell);
  propagate();
}

void Marks::take_fresh(std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mines) {
  for (const std::int32_t cell : fresh_) {
    if (mark_[cell] == Mark::safe) safe.push_back(cell);
    if (mark_[cell] == Mark::mine) mines.push_back(cell);
  }
  fresh_.clear();
}

bool Marks::read_clue(std::int32_t cell, Workspace& ws, Clue& out) const {
  const Around around = around_[cell];
  if (!around.unknown) return false;
  if (!position_.channel) {
    out = {shown_[cell] - around.mines, shown_[cell] - around.mines, nullptr, cell};
    return true;
  }
  bool flat = false;
  double ignored = 0;
  const double* row = position_.channel->row(shown_[cell], graph().degree(cell));
  condition(row, around.mines, around.unknown, ws, out, flat, ignored);
  out.cell = cell;
  return !flat;
}

}  // namespace mineproof::exact

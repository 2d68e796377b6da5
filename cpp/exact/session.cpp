// Sessions: marks and single-point reasoning, live components, and the answers.
#include "session.hpp"

#include <algorithm>
#include <stdexcept>

#include "session_components.hpp"

namespace mineproof::exact {

namespace {

bool is_mine(Mark mark) { return mark == Mark::mine || mark == Mark::burst; }

}  // namespace

CellMarks::CellMarks(const Position& position)
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

Position CellMarks::position() {
  vouched_.assign(mark_.size(), 0);
  for (std::size_t i = 0; i < mark_.size(); ++i) vouched_[i] = mark_[i] == Mark::mine;
  Position now = position_;
  now.mines = vouched_.data();
  return now;
}

// The counts of a clue that is new.
void CellMarks::count(std::int32_t clue) {
  const Graph& g = graph();
  NeighbourCounts& around = around_[clue];
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
void CellMarks::settle(std::int32_t cell, Mark mark) {
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

void CellMarks::decide(std::int32_t cell, bool mine) {
  settle(cell, mine ? Mark::mine : Mark::safe);
  fresh_.push_back(cell);
}

void CellMarks::decide(const std::vector<std::int32_t>& safe, const std::vector<std::int32_t>& mines) {
  for (const std::int32_t cell : safe) decide(cell, false);
  for (const std::int32_t cell : mines) decide(cell, true);
  propagate();
}

void CellMarks::propagate() {
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

void CellMarks::open(std::int32_t cell, std::uint8_t code) {
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

void CellMarks::take_fresh(std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mines) {
  for (const std::int32_t cell : fresh_) {
    if (mark_[cell] == Mark::safe) safe.push_back(cell);
    if (mark_[cell] == Mark::mine) mines.push_back(cell);
  }
  fresh_.clear();
}

bool CellMarks::read_clue(std::int32_t cell, Workspace& ws, Clue& out) const {
  const NeighbourCounts around = around_[cell];
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

LiveComponents::LiveComponents(CellMarks& marks, const Limits& limits, double fugacity)
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

// A game followed move by move.
//
// Single-point reasoning runs at once, on counts kept per clue (CellMarks). The components of clues that have
// changed are solved when an answer is wanted (LiveComponents); what one alone makes certain is decided like a
// single-point consequence. The number of mines takes part only when it is tight: as long as every count of every
// component leaves room for the others, which a few sums tell, it is not looked at.
struct Session::State {
  Limits limits;
  Prior prior;
  CellMarks marks;
  double fugacity;
  LiveComponents components;

  // All components joined through the number of mines, as of a version of the marks.
  struct WholeBoard {
    Workspace ws;
    JoinResult joined;
    std::uint64_t version = 0;
    std::vector<LiveComponent*> members;
    std::vector<const Polynomial*> poly;
    std::unique_ptr<Analysis> fresh;  // answers where the session's fugacity is no longer fit
  } whole;
  std::uint64_t total_checked = 0;  // the version at which the number of mines was looked at

  State(const Position& position, const Limits& limits)
      : limits(limits),
        prior(plain_prior(position.prior, position.graph->cells)),
        marks(position),
        fugacity(first_fugacity(position, prior)),
        components(marks, limits, fugacity) {}

  static double first_fugacity(const Position& position, const Prior& prior);
  std::int64_t sea() const { return marks.unknown_cells() - components.cells(); }
  JoinInput pool();
  bool check_total();
  void complete();
  void join_all();
  double probability(std::int32_t cell);
};

// By what is shown, before anything is concluded from it.
double Session::State::first_fugacity(const Position& position, const Prior& prior) {
  std::int64_t known = 0;
  std::int64_t unknown = 0;
  for (std::int32_t i = 0; i < position.graph->cells; ++i) {
    const bool hidden = position.shown[i] == kHidden;
    const bool mine = hidden ? position.mines && position.mines[i] : position.shown[i] == kOpenedMine;
    known += mine;
    unknown += hidden && !mine;
  }
  return choose_fugacity(prior, known, unknown, 0);
}

JoinInput Session::State::pool() {
  whole.members.clear();
  whole.poly.clear();
  for (const auto& live : components.slots()) {
    if (!live) continue;
    whole.members.push_back(live.get());
    whole.poly.push_back(&live->part.poly);
  }
  JoinInput p;
  p.poly = whole.poly.data();
  p.count = static_cast<std::int32_t>(whole.poly.size());
  p.fugacity = fugacity;
  p.sea = sea();
  p.known = marks.known_mines();
  p.cells = marks.graph().cells;
  p.prior = prior;
  return p;
}

// Decides what the number of mines makes certain; false where that is nothing.
bool Session::State::check_total() {
  if (total_checked == marks.version()) return false;
  total_checked = marks.version();
  if (prior.kind == Prior::Kind::density) return false;
  if (prior.kind == Prior::Kind::total) {
    if (leaves_all_open(components.ranges(), prior.mines - marks.known_mines(), sea())) return false;
  }
  whole.ws.begin(limits);
  const JoinInput p = pool();
  const PossibleCounts possible = possible_counts(p, whole.ws);
  if (!possible.feasible) throw Contradiction("the number of mines cannot be met", {}, true);
  std::vector<std::int32_t> safe, mines;
  for (std::int32_t i = 0; i < p.count; ++i) {
    LiveComponent& live = *whole.members[i];
    const Polynomial& poly = live.part.poly;
    bool cut = false;
    for (std::int32_t m = 0; m < poly.length; ++m) cut = cut || (poly.has(poly.first + m) && !possible.mask[i][m]);
    if (!cut) continue;
    backward_support(live.part.program, possible.mask[i], live.ws, live.part.odds);
    live.joined = 0;
    components.list_certain(live, safe, mines);
  }
  if (sea() > 0 && (!possible.sea_can_be_mine || !possible.sea_can_be_safe)) {
    for (std::int32_t i = 0; i < marks.graph().cells; ++i) {
      if (marks.mark(i) != Mark::unknown || components.of(i)) continue;
      (possible.sea_can_be_mine ? mines : safe).push_back(i);
    }
  }
  marks.decide(safe, mines);
  return !safe.empty() || !mines.empty();
}

// Works until nothing more follows.
void Session::State::complete() {
  for (;;) {
    while (!marks.changed.empty()) components.refresh();
    if (!check_total() && marks.changed.empty()) return;
  }
}

void Session::State::join_all() {
  complete();
  if (whole.version == marks.version()) return;
  whole.ws.begin(limits);
  whole.joined = join(pool(), kAll, whole.ws);
  if (!whole.joined.feasible) throw Contradiction("the number of mines cannot be met", {}, true);
  whole.fresh.reset();
  for (std::size_t i = 0; i < whole.members.size(); ++i) {
    double* outside = whole.joined.outside[i];
    whole.members[i]->part.outside = outside;
    if (lost_side(*whole.poly[i], outside) && !whole.fresh) {
      whole.fresh = std::make_unique<Analysis>();
      whole.fresh->solve(marks.position(), limits);
    }
  }
  whole.version = marks.version();
}

double Session::State::probability(std::int32_t cell) {
  switch (marks.mark(cell)) {
    case Mark::safe:
    case Mark::open: return 0.0;
    case Mark::mine:
    case Mark::burst: return 1.0;
    case Mark::unknown: break;
  }
  if (whole.fresh) return whole.fresh->probability(cell);
  const JoinResult& joined = whole.joined;
  LiveComponent* live = components.of(cell);
  if (!live) return clamp_probability(joined.sea_p, joined.sea_can_be_mine, joined.sea_can_be_safe);
  if (live->joined != whole.version) {
    run_backward(&live->part, 1, live->ws);
    live->joined = whole.version;
  }
  // Whatever is certain has been decided: an unknown cell can be both.
  return clamp_probability(live->part.odds[components.box_of(cell)].p, true, true);
}

Session::Session(const Position& position, const Limits& limits) : state_(std::make_unique<State>(position, limits)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

void Session::open(std::int32_t cell, std::uint8_t code) { state_->marks.open(cell, code); }

void Session::newly_certain(std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mines) {
  State& s = *state_;
  safe.clear();
  mines.clear();
  for (;;) {
    s.marks.take_fresh(safe, mines);
    if (!safe.empty() || !mines.empty()) return;
    if (!s.marks.changed.empty()) {
      s.components.refresh();
    } else if (!s.check_total() && s.marks.changed.empty()) {
      return;
    }
  }
}

void Session::probabilities(double* out) {
  state_->join_all();
  for (std::int32_t i = 0; i < state_->marks.graph().cells; ++i) out[i] = state_->probability(i);
}

double Session::probability(std::int32_t cell) {
  state_->join_all();
  return state_->probability(cell);
}

Certain Session::certain(std::int32_t cell) {
  state_->complete();
  switch (state_->marks.mark(cell)) {
    case Mark::open:
    case Mark::burst: return Certain::open;
    case Mark::safe: return Certain::safe;
    case Mark::mine: return Certain::mine;
    case Mark::unknown: break;
  }
  return Certain::no;
}

std::uint8_t Session::shown(std::int32_t cell) const { return state_->marks.shown(cell); }

}  // namespace mineproof::exact

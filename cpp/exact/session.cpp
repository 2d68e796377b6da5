// A game followed move by move.
//
// Single-point reasoning runs at once, on counts kept per clue. Components live in slots of their own; a clue whose
// neighbourhood changed is dirty, and when an answer is wanted the components of dirty clues are taken apart, found
// again by search from these clues, and solved. What a component alone makes certain is decided like a single-point
// consequence. The number of mines takes part only when it is tight: as long as every count of every component leaves
// room for the others, which is told by a few sums, it is not looked at.
#include "session.hpp"

#include <algorithm>

#include "engine.hpp"
#include "possible.hpp"
#include "underflow.hpp"

namespace mineproof::exact {

namespace {

// A component with memory of its own.
struct Live {
  static constexpr std::size_t kFirstBlock = 4096;
  Workspace ws{kFirstBlock};
  std::vector<std::int32_t> clues;  // cells
  std::vector<std::int32_t> cells;  // unknown cells, by box_of
  Component component;
  Part part;
  std::uint64_t joined = 0;         // the join that `part.odds` belongs to
};

}  // namespace

struct Session::State {
  Position position;
  Prior prior;
  Limits limits;
  std::vector<std::uint8_t> shown;
  std::vector<Mark> mark;
  std::vector<std::uint16_t> known;     // per clue cell
  std::vector<std::uint16_t> unknown;   // per clue cell
  std::vector<std::int32_t> slot_of;    // per clue cell: its component, or -1
  std::vector<std::int32_t> box_of;     // per unknown cell of a component: its box there
  std::vector<std::int32_t> home;       // per cell: component that holds it, or -1 (valid when nothing is dirty)
  std::vector<std::uint8_t> dirty_flag;
  std::vector<std::int32_t> dirty;
  std::vector<std::int32_t> queue;      // clues to look at
  std::vector<std::int32_t> fresh;      // cells decided since they were last asked for
  std::vector<std::unique_ptr<Live>> live;
  std::vector<std::int32_t> free_slots;
  std::int64_t known_mines = 0;
  std::int64_t unknown_cells = 0;
  // Sums over components.
  std::int64_t low = 0, high = 0, cells = 0;
  std::int64_t widest = 0;              // at least the largest window less one
  std::int64_t gap = 1;                 // at least the largest gap of a support
  bool total_checked = false;
  double fugacity = 1;
  std::uint64_t stamp = 1;              // grows with every change
  std::uint64_t joined_at = 0;
  Workspace join_ws;
  Joined joined;
  std::vector<std::int32_t> pool_slots;
  std::unique_ptr<Analysis> rescue;     // where the session's fugacity is no longer fit: a fresh analysis answers
  std::vector<std::uint8_t> certain_mines;
  std::vector<const Polynomial*> pool_poly;

  const Graph& graph() const { return *position.graph; }

  [[noreturn]] void contradict(const char* what, std::vector<std::int32_t> clues, bool total) const { throw Contradiction(what, std::move(clues), total); }

  void soil(std::int32_t clue) {
    if (dirty_flag[static_cast<std::size_t>(clue)]) return;
    dirty_flag[static_cast<std::size_t>(clue)] = 1;
    dirty.push_back(clue);
  }

  // An unknown cell is settled as `m`: every clue around it changes.
  void settle(std::int32_t cell, Mark m) {
    const Graph& g = graph();
    mark[static_cast<std::size_t>(cell)] = m;
    --unknown_cells;
    const bool mine = m == Mark::mine || m == Mark::burst;
    known_mines += mine;
    ++stamp;
    total_checked = false;
    for (std::int32_t e = g.offset[cell]; e < g.offset[cell + 1]; ++e) {
      const std::int32_t c = g.target[e];
      if (shown[static_cast<std::size_t>(c)] > kLargestClue) continue;
      --unknown[static_cast<std::size_t>(c)];
      if (mine) ++known[static_cast<std::size_t>(c)];
      queue.push_back(c);
      soil(c);
    }
  }

  void decide(std::int32_t cell, bool mine) {
    settle(cell, mine ? Mark::mine : Mark::safe);
    fresh.push_back(cell);
  }

  void propagate() {
    const Graph& g = graph();
    while (!queue.empty()) {
      const std::int32_t cell = queue.back();
      queue.pop_back();
      const std::size_t at = static_cast<std::size_t>(cell);
      const std::int32_t k = known[at];
      const std::int32_t u = unknown[at];
      std::int32_t low_count = shown[at];
      std::int32_t high_count = shown[at];
      if (position.channel) {
        const double* row = position.channel->row(shown[at], g.degree(cell));
        low_count = k;
        high_count = k + u;
        while (low_count <= high_count && !(row && row[low_count] > 0)) ++low_count;
        while (high_count >= low_count && !(row[high_count] > 0)) --high_count;
      }
      if (low_count > high_count || high_count < k || low_count > k + u) contradict("a clue cannot be met", {cell}, false);
      if (!u) continue;
      const bool safe = high_count == k;
      if (!safe && low_count != k + u) continue;
      for (std::int32_t e = g.offset[cell]; e < g.offset[cell + 1]; ++e) {
        if (mark[static_cast<std::size_t>(g.target[e])] == Mark::unknown) decide(g.target[e], !safe);
      }
    }
  }

  // A clue over its unknown cells, or false when it says nothing.
  bool read_clue(std::int32_t cell, Workspace& ws, Clue& out) const {
    const std::size_t at = static_cast<std::size_t>(cell);
    if (!unknown[at]) return false;
    if (!position.channel) {
      out = {shown[at] - known[at], shown[at] - known[at], nullptr, cell};
      return true;
    }
    bool flat = false;
    double ignored = 0;
    condition(position.channel->row(shown[at], graph().degree(cell)), known[at], unknown[at], ws, out, flat, ignored);
    out.cell = cell;
    return !flat;
  }

  void drop(std::int32_t slot) {
    const Live& l = *live[static_cast<std::size_t>(slot)];
    for (std::int32_t c : l.clues) {
      slot_of[static_cast<std::size_t>(c)] = -1;
      soil(c);
    }
    for (std::int32_t x : l.cells) {  // some may have been claimed by the component that is being found
      if (home[static_cast<std::size_t>(x)] == slot) home[static_cast<std::size_t>(x)] = -1;
    }
    low -= l.part.poly.first;
    high -= l.part.poly.first + l.part.poly.length - 1;
    cells -= static_cast<std::int64_t>(l.cells.size());
    live[static_cast<std::size_t>(slot)].reset();
    free_slots.push_back(slot);
  }

  // Finds and solves the component of a clue; adds what it makes certain to the lists.
  void build(std::int32_t start, std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mines) {
    const Graph& g = graph();
    auto l = std::make_unique<Live>();
    l->ws.begin(limits);
    std::vector<Clue> clue;
    std::int32_t slot;
    if (free_slots.empty()) {
      slot = static_cast<std::int32_t>(live.size());
      live.emplace_back();
    } else {
      slot = free_slots.back();
      free_slots.pop_back();
    }
    auto enter = [&](std::int32_t c) {
      const std::size_t at = static_cast<std::size_t>(c);
      if (slot_of[at] == slot) return;
      Clue k;
      if (!read_clue(c, l->ws, k)) return;
      if (slot_of[at] >= 0) drop(slot_of[at]);
      slot_of[at] = slot;
      l->clues.push_back(c);
      clue.push_back(k);
    };
    enter(start);
    for (std::size_t i = 0; i < l->clues.size(); ++i) {
      const std::int32_t c = l->clues[i];
      for (std::int32_t e = g.offset[c]; e < g.offset[c + 1]; ++e) {
        const std::int32_t x = g.target[e];
        if (mark[static_cast<std::size_t>(x)] != Mark::unknown || home[static_cast<std::size_t>(x)] == slot) continue;
        home[static_cast<std::size_t>(x)] = slot;
        box_of[static_cast<std::size_t>(x)] = kSeaBox;
        l->cells.push_back(x);
        for (std::int32_t f = g.offset[x]; f < g.offset[x + 1]; ++f) {
          if (shown[static_cast<std::size_t>(g.target[f])] <= kLargestClue) enter(g.target[f]);
        }
      }
    }
    if (l->clues.empty()) {
      free_slots.push_back(slot);
      return;
    }
    const Boxes boxes = split_boxes(g, mark.data(), static_cast<std::int64_t>(l->cells.size()), clue.data(), static_cast<std::int32_t>(clue.size()), box_of.data(), l->ws);
    for (std::int32_t x : l->cells) box_of[static_cast<std::size_t>(x)] = boxes.local[box_of[static_cast<std::size_t>(x)]];
    l->component = boxes.component[0];
    l->part.component = &l->component;
    if (!prepare(l->component, l->ws, l->part.program)) contradict("the clues of a component clash", l->clues, false);
    run_forward(&l->part, 1, fugacity, l->ws);
    Polynomial& p = l->part.poly;
    low += p.first;
    high += p.first + p.length - 1;
    cells += static_cast<std::int64_t>(l->cells.size());
    widest = std::max<std::int64_t>(widest, p.length - 1);
    std::int64_t run = 1;
    for (std::int32_t m = 0; m < p.length; ++m) {
      run = p.has(p.first + m) ? 1 : run + 1;
      gap = std::max(gap, run);
    }
    // On its own, whatever the total.
    double* flat = l->ws.arena.take<double>(static_cast<std::size_t>(p.length));
    for (std::int32_t m = 0; m < p.length; ++m) flat[m] = p.has(p.first + m) ? 1 : 0;
    l->part.outside = flat;
    run_backward(&l->part, 1, l->ws);
    list_certain(*l, safe, mines);
    live[static_cast<std::size_t>(slot)] = std::move(l);
  }

  void list_certain(const Live& l, std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mines) const {
    for (std::int32_t x : l.cells) {
      const BoxOdds& o = l.part.odds[box_of[static_cast<std::size_t>(x)]];
      if (!o.can_be_mine) safe.push_back(x);
      if (!o.can_be_safe) mines.push_back(x);
    }
  }

  // Solves the components of dirty clues and decides what they make certain. Returns whether anything was decided.
  bool refresh() {
    std::vector<std::int32_t> safe, mines, work;
    work.swap(dirty);
    for (std::int32_t c : work) dirty_flag[static_cast<std::size_t>(c)] = 0;
    for (std::int32_t c : work) {
      if (slot_of[static_cast<std::size_t>(c)] >= 0) drop(slot_of[static_cast<std::size_t>(c)]);
    }
    // Clues of dropped components were soiled: they are work too.
    while (!dirty.empty() || !work.empty()) {
      for (std::int32_t c : dirty) {
        dirty_flag[static_cast<std::size_t>(c)] = 0;
        work.push_back(c);
      }
      dirty.clear();
      const std::int32_t c = work.back();
      work.pop_back();
      if (slot_of[static_cast<std::size_t>(c)] < 0 && shown[static_cast<std::size_t>(c)] <= kLargestClue) build(c, safe, mines);
    }
    for (std::int32_t x : safe) decide(x, false);
    for (std::int32_t x : mines) decide(x, true);
    propagate();
    return !safe.empty() || !mines.empty();
  }

  Pool pool() {
    pool_slots.clear();
    pool_poly.clear();
    for (std::size_t i = 0; i < live.size(); ++i) {
      if (!live[i]) continue;
      pool_slots.push_back(static_cast<std::int32_t>(i));
      pool_poly.push_back(&live[i]->part.poly);
    }
    Pool p;
    p.poly = pool_poly.data();
    p.count = static_cast<std::int32_t>(pool_poly.size());
    p.fugacity = fugacity;
    p.sea = unknown_cells - cells;
    p.known = known_mines;
    p.cells = graph().cells;
    p.prior = prior;
    return p;
  }

  // The number of mines: does it leave every count of every component open? Else what it makes certain is decided.
  bool check_total() {
    if (total_checked) return false;
    total_checked = true;
    if (prior.kind == Prior::Kind::density) return false;
    const std::int64_t sea = unknown_cells - cells;
    if (prior.kind == Prior::Kind::total) {
      if (leaves_all_open({low, high, widest, gap}, prior.mines - known_mines, sea)) return false;
    }
    join_ws.begin(limits);
    const Pool p = pool();
    const Possible possible = what_is_possible(p, join_ws);
    if (!possible.feasible) contradict("the number of mines cannot be met", {}, true);
    std::vector<std::int32_t> safe, mines;
    for (std::int32_t i = 0; i < p.count; ++i) {
      Live& l = *live[static_cast<std::size_t>(pool_slots[static_cast<std::size_t>(i)])];
      bool cut = false;
      for (std::int32_t m = 0; m < l.part.poly.length; ++m) cut = cut || (l.part.poly.has(l.part.poly.first + m) && !possible.mask[i][m]);
      if (!cut) continue;
      backward_support(l.part.program, possible.mask[i], l.ws, l.part.odds);
      l.joined = 0;
      list_certain(l, safe, mines);
    }
    if (sea > 0 && (!possible.sea_can_be_mine || !possible.sea_can_be_safe)) {
      for (std::int32_t x = 0; x < graph().cells; ++x) {
        const std::size_t at = static_cast<std::size_t>(x);
        if (mark[at] == Mark::unknown && home[at] < 0) (possible.sea_can_be_mine ? mines : safe).push_back(x);
      }
    }
    for (std::int32_t x : safe) decide(x, false);
    for (std::int32_t x : mines) decide(x, true);
    propagate();
    return !safe.empty() || !mines.empty();
  }

  // Nothing more follows.
  void complete() {
    for (;;) {
      while (!dirty.empty()) refresh();
      if (!check_total() && dirty.empty()) return;
    }
  }

  void join_all() {
    complete();
    if (joined_at == stamp) return;
    join_ws.begin(limits);
    joined = join(pool(), kAll, join_ws);
    if (!joined.feasible) contradict("the number of mines cannot be met", {}, true);
    rescue.reset();
    for (std::size_t i = 0; i < pool_slots.size(); ++i) {
      live[static_cast<std::size_t>(pool_slots[i])]->part.outside = joined.outside[i];
      if (lost_side(*pool_poly[i], joined.outside[i]) && !rescue) {
        rescue = std::make_unique<Analysis>();
        rescue->solve(position_now(), limits);
      }
    }
    joined_at = stamp;
  }

  Position position_now() {
    certain_mines.assign(mark.size(), 0);
    for (std::size_t i = 0; i < mark.size(); ++i) certain_mines[i] = mark[i] == Mark::mine;
    Position p = position;
    p.mines = certain_mines.data();
    return p;
  }

  double probability_of(std::int32_t cell) {
    const std::size_t at = static_cast<std::size_t>(cell);
    switch (mark[at]) {
      case Mark::safe:
      case Mark::open: return 0.0;
      case Mark::mine:
      case Mark::burst: return 1.0;
      case Mark::unknown: break;
    }
    if (rescue) return rescue->probability(cell);
    if (home[at] < 0) return settled(joined.sea_p, joined.sea_can_be_mine, joined.sea_can_be_safe);
    Live& l = *live[static_cast<std::size_t>(home[at])];
    if (l.joined != joined_at) {
      run_backward(&l.part, 1, l.ws);
      l.joined = joined_at;
    }
    // Whatever is certain has been decided: an unknown cell can be both.
    return settled(l.part.odds[box_of[at]].p, true, true);
  }
};

Session::Session(const Position& position, const Limits& limits) : state_(std::make_unique<State>()) {
  State& s = *state_;
  const Graph& g = *position.graph;
  const std::size_t n = static_cast<std::size_t>(g.cells);
  s.position = position;
  s.limits = limits;
  s.prior = plain_prior(position.prior, g.cells);
  s.shown.assign(position.shown, position.shown + n);
  s.position.shown = s.shown.data();
  s.mark.resize(n);
  s.known.assign(n, 0);
  s.unknown.assign(n, 0);
  s.slot_of.assign(n, -1);
  s.box_of.assign(n, kSeaBox);
  s.home.assign(n, -1);
  s.dirty_flag.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    Mark m = Mark::open;
    if (s.shown[i] == kHidden) m = position.mines && position.mines[i] ? Mark::mine : Mark::unknown;
    if (s.shown[i] == kOpenedMine) m = Mark::burst;
    s.mark[i] = m;
    s.unknown_cells += m == Mark::unknown;
    s.known_mines += m == Mark::mine || m == Mark::burst;
    if (m == Mark::mine) s.fresh.push_back(static_cast<std::int32_t>(i));
  }
  s.position.mines = nullptr;
  s.fugacity = choose_fugacity(s.prior, s.known_mines, s.unknown_cells, 0);
  for (std::int32_t c = 0; c < g.cells; ++c) {
    const std::size_t at = static_cast<std::size_t>(c);
    if (s.shown[at] > kLargestClue) continue;
    for (std::int32_t e = g.offset[c]; e < g.offset[c + 1]; ++e) {
      const Mark m = s.mark[static_cast<std::size_t>(g.target[e])];
      s.unknown[at] += m == Mark::unknown;
      s.known[at] += m == Mark::mine || m == Mark::burst;
    }
    s.queue.push_back(c);
    if (s.unknown[at]) s.soil(c);
  }
  s.propagate();
}

Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

void Session::open(std::int32_t cell, std::uint8_t code) {
  State& s = *state_;
  const Graph& g = s.graph();
  const std::size_t at = static_cast<std::size_t>(cell);
  const bool burst = code == kOpenedMine;
  const Mark before = s.mark[at];
  if (s.shown[at] != kHidden) throw std::invalid_argument("the cell is open already");
  if ((before == Mark::mine && !burst) || (before == Mark::safe && burst)) s.contradict("an opened cell contradicts what was certain", {}, false);
  if (before == Mark::unknown) {
    // Its component, if it has one, is told through the clues around it.
    s.settle(cell, burst ? Mark::burst : Mark::open);
    s.home[at] = -1;
  } else {
    s.mark[at] = burst ? Mark::burst : Mark::open;
  }
  s.shown[at] = code;
  ++s.stamp;
  s.total_checked = false;
  if (code <= kLargestClue) {
    std::uint16_t known = 0;
    std::uint16_t unknown = 0;
    for (std::int32_t e = g.offset[cell]; e < g.offset[cell + 1]; ++e) {
      const Mark m = s.mark[static_cast<std::size_t>(g.target[e])];
      unknown = static_cast<std::uint16_t>(unknown + (m == Mark::unknown));
      known = static_cast<std::uint16_t>(known + (m == Mark::mine || m == Mark::burst));
    }
    s.known[at] = known;
    s.unknown[at] = unknown;
    s.queue.push_back(cell);
    if (unknown) s.soil(cell);
  }
  s.propagate();
}

void Session::newly_certain(std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mines) {
  State& s = *state_;
  safe.clear();
  mines.clear();
  for (;;) {
    for (std::int32_t c : s.fresh) {
      const Mark m = s.mark[static_cast<std::size_t>(c)];
      if (m == Mark::safe) safe.push_back(c);
      if (m == Mark::mine) mines.push_back(c);
    }
    s.fresh.clear();
    if (!safe.empty() || !mines.empty()) return;
    if (!s.dirty.empty()) {
      s.refresh();
    } else if (!s.check_total() && s.dirty.empty()) {
      return;
    }
  }
}

void Session::probabilities(double* out) {
  State& s = *state_;
  s.join_all();
  for (std::int32_t i = 0; i < s.graph().cells; ++i) out[i] = s.probability_of(i);
}

double Session::probability(std::int32_t cell) {
  state_->join_all();
  return state_->probability_of(cell);
}

Certain Session::certain(std::int32_t cell) {
  State& s = *state_;
  s.complete();
  switch (s.mark[static_cast<std::size_t>(cell)]) {
    case Mark::open:
    case Mark::burst: return Certain::open;
    case Mark::safe: return Certain::safe;
    case Mark::mine: return Certain::mine;
    case Mark::unknown: break;
  }
  return Certain::no;
}

std::uint8_t Session::shown(std::int32_t cell) const { return state_->shown[static_cast<std::size_t>(cell)]; }

}  // namespace mineproof::exact

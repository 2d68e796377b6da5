// A game followed move by move.
//
// Single-point reasoning runs at once, on counts kept per clue (session_marks). The components of clues that have
// changed are solved when an answer is wanted (session_components); what one alone makes certain is decided like a
// single-point consequence. The number of mines takes part only when it is tight: as long as every count of every
// component leaves room for the others, which a few sums tell, it is not looked at.
#include "session.hpp"

#include "session_components.hpp"

namespace mineproof::exact {

struct Session::State {
  Limits limits;
  Prior prior;
  Marks marks;
  double fugacity;
  LiveComponents components;

  // All components joined through the number of mines, as of a version of the marks.
  struct Whole {
    Workspace ws;
    Joined joined;
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
  Pool pool();
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

Pool Session::State::pool() {
  whole.members.clear();
  whole.poly.clear();
  for (const auto& live : components.slots()) {
    if (!live) continue;
    whole.members.push_back(live.get());
    whole.poly.push_back(&live->part.poly);
  }
  Pool p;
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
  const Pool p = pool();
  const Possible possible = what_is_possible(p, whole.ws);
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
  const Joined& joined = whole.joined;
  LiveComponent* live = components.of(cell);
  if (!live) return settled(joined.sea_p, joined.sea_can_be_mine, joined.sea_can_be_safe);
  if (live->joined != whole.version) {
    run_backward(&live->part, 1, live->ws);
    live->joined = whole.version;
  }
  // Whatever is certain has been decided: an unknown cell can be both.
  return settled(live->part.odds[components.box_of(cell)].p, true, true);
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

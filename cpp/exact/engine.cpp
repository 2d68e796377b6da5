// The steps of an analysis in their order, within the budget; the questions asked afterwards; clashing clues.
#include "engine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "analysis.hpp"
#include "join.hpp"

namespace mineproof::exact {

namespace {
constexpr int kAttempts = 40;
}  // namespace

Engine::Engine() = default;
Engine::~Engine() = default;

double clamp_probability(double p, bool can_be_mine, bool can_be_safe) {
  if (!can_be_mine) return 0.0;
  if (!can_be_safe) return 1.0;
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  constexpr double kMost = 1.0 - std::numeric_limits<double>::epsilon() / 2;
  return std::min(std::max(p, kLeast), kMost);
}

Certain certainty_of(bool can_be_mine, bool can_be_safe) {
  return !can_be_mine ? Certain::safe : !can_be_safe ? Certain::mine : Certain::no;
}

bool prepare(const Component& component, Workspace& ws, PathProgram& program) {
  try {
    const Order order = choose_order(component, ws);
    return compile_path(component, order, ws, program);
  } catch (BudgetExceeded& e) {
    name_component(component, program, e);
    throw;
  }
}

const PathProgram& path_of(Part& part, Workspace& ws) {
  if (!part.program.layer) prepare(*part.component, ws, part.program);
  return part.program;
}

void name_component(const Component& component, const PathProgram& program, BudgetExceeded& e) {
  if (e.boxes) return;  // named already
  e.boxes = component.boxes;
  for (std::int32_t q = 0; q < component.clues; ++q) {
    if (component.clue[q].cell >= 0) e.clues.push_back(component.clue[q].cell);
  }
  std::sort(e.clues.begin(), e.clues.end());
  e.width = std::log2(static_cast<double>(std::max<std::uint32_t>(program.widest, 1)));
}

double choose_fugacity(const Prior& prior, std::int64_t known, std::int64_t unknown, std::int64_t largest) {
  double d = 0.2;
  if (prior.kind == Prior::Kind::density) d = prior.chance;
  if (prior.kind == Prior::Kind::total) {
    d = static_cast<double>(prior.mines - known) / static_cast<double>(std::max<std::int64_t>(unknown, 1));
  }
  const double z = d < 1 ? d / (1 - d) : 1e6;
  if (!(z > 1e-6)) return 0x1p-20;
  if (z > 1e6) return 0x1p20;
  if (largest > 1200) return z;
  return std::ldexp(1.0, static_cast<int>(std::lround(std::log2(z))));
}

Prior plain_prior(const Prior& prior, std::int64_t cells) {
  if (prior.kind != Prior::Kind::density) return prior;
  if (prior.chance <= 0) return Prior::of_total(0);
  if (prior.chance >= 1) return Prior::of_total(cells);
  return prior;
}

bool run_forward(Part* part, std::int32_t parts, double fugacity, Workspace& ws) {
  std::int32_t i = 0;
  bool trees = false;
  bool lost = false;
  try {
    for (; i < parts; ++i) {
      if (part[i].has_tree) {
        trees = true;
        forward(part[i].tree, fugacity, ws, part[i].tree_forward);
        part[i].poly = final_polynomial(part[i].tree, part[i].tree_forward, ws);
        part[i].forward.fugacity = fugacity;
        lost = lost || part[i].tree_forward.lost;
        continue;
      }
      forward(part[i].program, fugacity, ws, part[i].forward);
      part[i].poly = final_polynomial(part[i].program, part[i].forward, 0, ws);
      lost = lost || part[i].forward.lost;
    }
  } catch (BudgetExceeded& e) {
    name_component(*part[i].component, part[i].program, e);
    throw;
  }
  if (!lost) return true;
  if (trees) return false;
  for (i = 0; i < parts; ++i) {
    Part& p = part[i];
    if (p.program.weighs) {
      p.extended = true;
      forward_extended(p.program, fugacity, ws, p.forward);
      p.poly = final_polynomial(p.program, p.forward, 0, ws);
    }
    forward_support(p.program, 0, ws, p.poly.support);
  }
  return true;
}

void run_backward(Part* part, std::int32_t parts, Workspace& ws) {
  bool lost = false;
  for (std::int32_t i = 0; i < parts; ++i) {
    Part& p = part[i];
    if (!p.odds) p.odds = ws.arena.take<BoxOdds>(static_cast<std::size_t>(p.component->boxes));
    if (p.has_tree)
      lost |= backward(p.tree, p.tree_forward, p.outside, ws, p.odds);
    else if (!p.extended)
      lost |= backward(p.program, p.forward, p.outside, ws, p.odds);
  }
  for (std::int32_t i = 0; i < parts; ++i) {
    Part& p = part[i];
    if (!lost && !p.extended) continue;
    path_of(p, ws);
    if (p.program.weighs) backward_extended(p.program, p.forward.fugacity, p.outside, ws, p.odds);
    const Arena::Mark mark = ws.arena.mark();
    std::uint8_t* can = ws.arena.take<std::uint8_t>(static_cast<std::size_t>(p.poly.length));
    for (std::int32_t m = 0; m < p.poly.length; ++m) can[m] = p.outside[m] > 0;
    backward_support(p.program, can, ws, p.odds);
    ws.arena.release(mark);
  }
}

JoinInput Engine::pool() {
  const std::size_t n = static_cast<std::size_t>(boxes.components);
  const Polynomial** list = ws.arena.take<const Polynomial*>(n + 1);
  for (std::size_t i = 0; i < n; ++i) list[i] = &part[i].poly;
  JoinInput p;
  p.poly = list;
  p.count = boxes.components;
  p.fugacity = fugacity;
  p.sea = boxes.sea;
  p.known = front.known;
  p.cells = position.graph->cells;
  p.prior = position.prior;
  return p;
}

void Engine::solve(const Position& asked, const Limits& limits) {
  look(asked, limits);
  compile();
  weigh();
}

void Engine::look(const Position& asked, const Limits& limits) {
  ws.begin(limits);
  sampler.reset();
  part = nullptr;
  position = asked;
  position.prior = plain_prior(asked.prior, asked.graph->cells);
  front = read_front(position, ws);
  if (front.clash >= 0) throw Contradiction("a clue cannot be met", {front.clash}, false);
}

template <class Work>
void Engine::naming_the_cell(Work&& work) {
  try {
    work();
  } catch (BudgetExceeded& e) {
    // The first hidden cell around its first clue.
    if (!e.clues.empty()) {
      const Graph& g = *position.graph;
      for (std::int32_t i = g.offset[e.clues[0]]; i < g.offset[e.clues[0] + 1] && e.cell < 0; ++i) {
        if (front.mark[g.target[i]] == Mark::unknown) e.cell = g.target[i];
      }
    }
    throw;
  }
}

void Engine::compile() {
  naming_the_cell([this] { compile_parts(); });
}

void Engine::weigh() {
  naming_the_cell([this] { weigh_parts(); });
}

void Engine::compile_parts() {
  boxes = make_boxes(*position.graph, front.mark, front.unknown, front.clue, front.clues, ws);
  const std::int32_t parts = boxes.components;
  part = ws.arena.take<Part>(static_cast<std::size_t>(parts));
  for (std::int32_t i = 0; i < parts; ++i) {
    part[i] = Part{};
    const Component& c = boxes.component[i];
    part[i].component = &c;
    part[i].has_tree = build_tree(c, ws, part[i].tree);
    if (part[i].has_tree) continue;
    if (!prepare(c, ws, part[i].program)) {
      std::vector<std::int32_t> clues;
      for (std::int32_t q = 0; q < c.clues; ++q) clues.push_back(c.clue[q].cell);
      throw Contradiction("the clues of a component clash", std::move(clues), false);
    }
  }
  box_certain = ws.arena.take<Certain>(static_cast<std::size_t>(boxes.boxes) + 3) + 3;
  box_certain[kSeaBox] = box_certain[kFixedBox] = box_certain[kFixedMine] = sea_certain = Certain::no;
}

// Do the paths show all that is certain? Only where every component has one, and the prior plainly adds nothing.
bool Engine::paths_suffice() const {
  Ranges ranges;
  for (std::int32_t i = 0; i < boxes.components; ++i) {
    if (part[i].has_tree) return false;
    const PathProgram& p = part[i].program;
    const Layer& last = p.layer[p.steps];
    ranges.add(last.low[0], static_cast<std::int64_t>(last.offset[1]) - 1, p.gap);
  }
  if (position.prior.kind == Prior::Kind::density) return true;
  if (position.prior.kind != Prior::Kind::total) return false;
  return leaves_all_open(ranges, position.prior.mines - front.known, boxes.sea);
}

bool Engine::prove() {
  if (!paths_suffice()) {
    weigh();
    return true;
  }
  for (std::int32_t i = 0; i < boxes.components; ++i) {
    part[i].odds = ws.arena.take<BoxOdds>(static_cast<std::size_t>(boxes.component[i].boxes));
    find_box_support(part[i].program, ws, part[i].odds);
  }
  for (std::int32_t b = 0; b < boxes.boxes; ++b) {
    const BoxOdds& o = part[boxes.component_of[b]].odds[boxes.local[b]];
    box_certain[b] = certainty_of(o.can_be_mine, o.can_be_safe);
  }
  return false;
}

void Engine::weigh_parts() {
  const std::int32_t parts = boxes.components;
  std::int64_t largest = 0;
  for (std::int32_t i = 0; i < parts; ++i) {
    const Component& c = boxes.component[i];
    std::int64_t cells = 0;
    for (std::int32_t b = 0; b < c.boxes; ++b) cells += c.size[b];
    largest = std::max(largest, cells);
  }
  fugacity = choose_fugacity(position.prior, front.known, front.unknown, largest);
  Arena::Mark mark = ws.arena.mark();
  for (int attempt = 0;; ++attempt) {
    if (!run_forward(part, parts, fugacity, ws)) {
      ws.arena.release(mark);
      for (std::int32_t i = 0; i < parts; ++i) {
        path_of(part[i], ws);
        part[i].has_tree = false;
      }
      mark = ws.arena.mark();
      run_forward(part, parts, fugacity, ws);
    }
    joined = join(pool(), kAll, ws);
    if (!joined.feasible) {
      std::vector<std::int32_t> clues;
      for (std::int32_t i = 0; i < front.clues; ++i) clues.push_back(front.clue[i].cell);
      throw Contradiction("the number of mines cannot be met", std::move(clues), true);
    }
    // Extreme totals or weights: with another fugacity what counts comes back into range.
    int side = 0;
    for (std::int32_t i = 0; i < parts && !side; ++i) side = lost_side(part[i].poly, joined.outside[i]);
    if (!side) break;
    if (attempt == kAttempts) throw BudgetExceeded("weights are too far apart for double precision");
    fugacity = std::ldexp(fugacity, side * 7);
    ws.arena.release(mark);
  }
  for (std::int32_t i = 0; i < parts; ++i) part[i].outside = joined.outside[i];
  run_backward(part, parts, ws);
  const std::size_t n = static_cast<std::size_t>(boxes.boxes);
  box_p = ws.arena.take<double>(n + 3) + 3;
  box_p[kSeaBox] = 0;
  box_p[kFixedBox] = 0;
  box_p[kFixedMine] = 1;
  for (std::size_t b = 0; b < n; ++b) {
    const BoxOdds& o = part[boxes.component_of[b]].odds[boxes.local[b]];
    box_p[b] = clamp_probability(o.p, o.can_be_mine, o.can_be_safe);
    box_certain[b] = certainty_of(o.can_be_mine, o.can_be_safe);
  }
  if (boxes.sea > 0) {
    sea_p = clamp_probability(joined.sea_p, joined.sea_can_be_mine, joined.sea_can_be_safe);
    sea_certain = certainty_of(joined.sea_can_be_mine, joined.sea_can_be_safe);
    box_p[kSeaBox] = sea_p;
    box_certain[kSeaBox] = sea_certain;
  }
}

Analysis::Analysis() : engine_(std::make_unique<Engine>()) {}
Analysis::~Analysis() = default;
Analysis::Analysis(Analysis&&) noexcept = default;
Analysis& Analysis::operator=(Analysis&&) noexcept = default;

void Analysis::solve(const Position& position, const Limits& limits) { engine_->solve(position, limits); }

double Analysis::probability(std::int32_t cell) const { return engine_->box_p[engine_->boxes.box_of[cell]]; }

Certain Analysis::certain(std::int32_t cell) const {
  const Engine& e = *engine_;
  switch (e.front.mark[cell]) {
    case Mark::open:
    case Mark::burst: return Certain::open;
    case Mark::safe: return Certain::safe;
    case Mark::mine: return Certain::mine;
    case Mark::unknown: break;
  }
  const std::int32_t box = e.boxes.box_of[cell];
  return box < 0 ? e.sea_certain : e.box_certain[box];
}

void Analysis::probabilities(double* out) const {
  const std::int32_t n = engine_->position.graph->cells;
  const std::int32_t* __restrict box_of = engine_->boxes.box_of;
  const double* __restrict p = engine_->box_p;
  for (std::int32_t i = 0; i < n; ++i) out[i] = p[box_of[i]];
}

void Analysis::certain(Certain* out) const {
  const std::int32_t n = engine_->position.graph->cells;
  for (std::int32_t i = 0; i < n; ++i) out[i] = certain(i);
}

void Analysis::certain_cells(std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mines) const {
  safe.clear();
  mines.clear();
  const std::int32_t n = engine_->position.graph->cells;
  for (std::int32_t i = 0; i < n; ++i) {
    const Certain c = certain(i);
    if (c == Certain::safe) safe.push_back(i);
    if (c == Certain::mine) mines.push_back(i);
  }
}

double Analysis::log_weight() const { return engine_->joined.log_weight + engine_->front.log_weight; }

std::int32_t Analysis::boxes() const { return engine_->boxes.boxes; }
std::int32_t Analysis::components() const { return engine_->boxes.components; }

void Analysis::box_of(std::int32_t* out) const {
  for (std::int32_t i = 0; i < engine_->position.graph->cells; ++i) out[i] = std::max(engine_->boxes.box_of[i], kFixed);
}

std::int32_t Analysis::component_of_box(std::int32_t box) const { return engine_->boxes.component_of[box]; }

std::vector<std::int32_t> Analysis::component_clues(std::int32_t component) const {
  const Component& c = engine_->boxes.component[component];
  std::vector<std::int32_t> out;
  for (std::int32_t q = 0; q < c.clues; ++q) out.push_back(c.clue[q].cell);
  std::sort(out.begin(), out.end());
  return out;
}

Spread Analysis::component_mines(std::int32_t component) const {
  const Part& p = engine_->part[component];
  Spread s;
  s.first = p.poly.first;
  double all = 0;
  for (std::int32_t m = 0; m < p.poly.length; ++m) {
    s.p.push_back(p.poly.c[m] * p.outside[m]);
    all += s.p.back();
  }
  for (double& x : s.p) x /= all;
  return s;
}

namespace {

// Support only: no weights, no backward passes.
bool has_layout(const Position& asked, Workspace& ws, std::vector<std::int32_t>* near) {
  Position position = asked;
  position.prior = plain_prior(asked.prior, asked.graph->cells);
  const Arena::Mark mark = ws.arena.mark();
  struct Release {
    Workspace& ws;
    Arena::Mark mark;
    ~Release() { ws.arena.release(mark); }
  } release{ws, mark};
  const Front front = read_front(position, ws);
  if (front.clash >= 0) {
    if (near) *near = {front.clash};
    return false;
  }
  const Boxes boxes = make_boxes(*position.graph, front.mark, front.unknown, front.clue, front.clues, ws);
  std::vector<Polynomial> poly(static_cast<std::size_t>(boxes.components));
  std::vector<const Polynomial*> list;
  for (std::int32_t i = 0; i < boxes.components; ++i) {
    PathProgram program;
    if (!prepare(boxes.component[i], ws, program)) {
      if (near) {
        for (std::int32_t q = 0; q < boxes.component[i].clues; ++q) near->push_back(boxes.component[i].clue[q].cell);
      }
      return false;
    }
    const Layer& last = program.layer[program.steps];
    Polynomial& p = poly[static_cast<std::size_t>(i)];
    p.first = last.low[0];
    p.length = static_cast<std::int32_t>(last.offset[1]);
    p.support = ws.arena.take<std::uint64_t>(static_cast<std::size_t>(p.length + 63) / 64);
    forward_support(program, 0, ws, p.support);
    list.push_back(&p);
  }
  if (position.prior.kind == Prior::Kind::density) return true;
  JoinInput pool;
  pool.poly = list.data();
  pool.count = boxes.components;
  pool.sea = boxes.sea;
  pool.known = front.known;
  pool.cells = position.graph->cells;
  pool.prior = position.prior;
  return possible_counts(pool, ws).feasible;
}

// A channel that says only what is possible: its weights, however far apart, become 0 and 1.
class SupportOnly {
 public:
  explicit SupportOnly(const Position& position) : position_(position) {
    if (!position.channel) return;
    channel_ = *position.channel;
    const std::size_t most = static_cast<std::size_t>(channel_.largest_degree) + 1;
    weight_.assign(channel_.weight, channel_.weight + most * static_cast<std::size_t>(channel_.codes) * most);
    for (double& w : weight_) w = w > 0 ? 1 : 0;
    channel_.weight = weight_.data();
    position_.channel = &channel_;
  }
  SupportOnly(const SupportOnly&) = delete;
  SupportOnly& operator=(const SupportOnly&) = delete;
  const Position& position() const { return position_; }

 private:
  Position position_;
  Channel channel_;
  std::vector<double> weight_;
};

// Clues that may be switched on and off: a clue that is off is an opened cell that says nothing.
class Subset {
 public:
  Subset(const Position& position, Workspace& ws) : original_(position), position_(position), ws_(ws) {
    shown_.assign(position.shown, position.shown + position.graph->cells);
    for (std::uint8_t& s : shown_) {
      if (s <= kLargestClue) s = kNoClue;
    }
    position_.shown = shown_.data();
  }
  void on(const std::vector<std::int32_t>& clues) {
    for (std::int32_t c : clues) shown_[static_cast<std::size_t>(c)] = original_.shown[c];
  }
  void off(const std::vector<std::int32_t>& clues) {
    for (std::int32_t c : clues) shown_[static_cast<std::size_t>(c)] = kNoClue;
  }
  bool feasible() { return has_layout(position_, ws_, nullptr); }

 private:
  const Position& original_;
  Position position_;
  Workspace& ws_;
  std::vector<std::uint8_t> shown_;
};

// QuickXplain: with what is on and `candidates` there is no layout; a smallest part of the candidates of which that is
// still true. `fresh`: something was switched on since feasibility was last known.
std::vector<std::int32_t> explain(Subset& set, const std::vector<std::int32_t>& candidates, bool fresh) {
  if (fresh && !set.feasible()) return {};
  if (candidates.size() == 1) return candidates;
  const auto middle = candidates.begin() + static_cast<std::ptrdiff_t>(candidates.size() / 2);
  const std::vector<std::int32_t> a(candidates.begin(), middle);
  const std::vector<std::int32_t> b(middle, candidates.end());
  set.on(a);
  std::vector<std::int32_t> from_b = explain(set, b, true);
  set.off(a);
  set.on(from_b);
  std::vector<std::int32_t> from_a = explain(set, a, !from_b.empty());
  set.off(from_b);
  from_a.insert(from_a.end(), from_b.begin(), from_b.end());
  return from_a;
}

// All clues, those near the trouble first, by distance.
std::vector<std::int32_t> by_distance(const Position& p, const std::vector<std::int32_t>& near) {
  const Graph& g = *p.graph;
  std::vector<char> seen(static_cast<std::size_t>(g.cells), 0);
  std::vector<std::int32_t> queue;
  auto add = [&](std::int32_t c) {
    if (!seen[static_cast<std::size_t>(c)]) {
      seen[static_cast<std::size_t>(c)] = 1;
      queue.push_back(c);
    }
  };
  for (std::int32_t c : near) add(c);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (std::int32_t e = g.offset[queue[i]]; e < g.offset[queue[i] + 1]; ++e) add(g.target[e]);
  }
  for (std::int32_t c = 0; c < g.cells; ++c) add(c);
  std::vector<std::int32_t> clues;
  for (std::int32_t c : queue) {
    if (p.shown[c] <= kLargestClue) clues.push_back(c);
  }
  return clues;
}

}  // namespace

bool feasible(const Position& position, const Limits& limits) {
  Workspace ws;
  ws.begin(limits);
  const SupportOnly support(position);
  return has_layout(support.position(), ws, nullptr);
}

Clash clash(const Position& asked, const Limits& limits) {
  Workspace ws;
  ws.begin(limits);
  const SupportOnly support(asked);
  Position position = support.position();
  Clash out;
  std::vector<std::int32_t> near;
  position.prior = Prior::of_density(0.5);  // any number of mines
  if (has_layout(position, ws, &near)) {
    position.prior = asked.prior;
    out.total = true;
    if (has_layout(position, ws, nullptr)) throw std::invalid_argument("the position has a layout: nothing clashes");
  }
  std::vector<std::int32_t> clues = by_distance(position, near);
  Subset set(position, ws);
  if (!set.feasible()) return out;  // the number of mines alone is impossible
  // The nearest clues that suffice, then the smallest part of them.
  std::size_t count = 16;
  while (count < clues.size()) {
    const std::vector<std::int32_t> some(clues.begin(), clues.begin() + static_cast<std::ptrdiff_t>(count));
    set.on(some);
    const bool fine = set.feasible();
    set.off(some);
    if (!fine) break;
    count *= 4;
  }
  clues.resize(std::min(count, clues.size()));
  out.clues = explain(set, clues, false);
  std::sort(out.clues.begin(), out.clues.end());
  return out;
}

}  // namespace mineproof::exact

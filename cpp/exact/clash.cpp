#include "clash.hpp"

#include <algorithm>
#include <stdexcept>

#include "engine.hpp"
#include "possible.hpp"

namespace mineproof::exact {

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
  Pool pool;
  pool.poly = list.data();
  pool.count = boxes.components;
  pool.sea = boxes.sea;
  pool.known = front.known;
  pool.cells = position.graph->cells;
  pool.prior = position.prior;
  return what_is_possible(pool, ws).feasible;
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

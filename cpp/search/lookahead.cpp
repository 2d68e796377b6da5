// Sealed pairs, and the score of a cell by what it may show.
#include "search/lookahead.hpp"

#include <algorithm>
#include <cmath>

#include "rng.hpp"

namespace mineproof::search {

using namespace exact;

namespace {

constexpr std::int32_t kMostApart = 3;  // more mines than these are too unlikely to matter
constexpr double kMatters = 0.004;      // chance of a sealed pair from which on it is worked out
constexpr double kSure = 1e-7;

bool touches(const Graph& g, std::int32_t a, std::int32_t b) {
  for (std::int32_t e = g.offset[a]; e < g.offset[a + 1]; ++e) {
    if (g.target[e] == b) return true;
  }
  return false;
}

}  // namespace

SealedPairs::SealedPairs(const Graph& g) {
  for (std::int32_t a = 0; a < g.cells; ++a) {
    for (std::int32_t e = g.offset[a]; e < g.offset[a + 1]; ++e) {
      const std::int32_t b = g.target[e];
      if (b < a) continue;
      Pair pair{a, b, static_cast<std::int32_t>(apart_.size()), 0};
      for (std::int32_t f = g.offset[a]; f < g.offset[a + 1]; ++f) {
        if (g.target[f] != b && !touches(g, b, g.target[f])) apart_.push_back(g.target[f]);
      }
      for (std::int32_t f = g.offset[b]; f < g.offset[b + 1]; ++f) {
        if (g.target[f] != a && !touches(g, a, g.target[f])) apart_.push_back(g.target[f]);
      }
      pair.end = static_cast<std::int32_t>(apart_.size());
      if (pair.end - pair.begin <= kMostApart) tight_.push_back(static_cast<std::int32_t>(pairs_.size()));
      pairs_.push_back(pair);
    }
  }
  std::vector<std::int32_t> next(g.offset, g.offset + g.cells);  // a cell has as many pairs as neighbours
  pair_at_begin_.assign(g.offset, g.offset + g.cells + 1);
  pairs_at_.resize(2 * pairs_.size());
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    for (const std::int32_t x : {pairs_[i].a, pairs_[i].b})
      pairs_at_[static_cast<std::size_t>(next[static_cast<std::size_t>(x)]++)] = static_cast<std::int32_t>(i);
  }
}

void SealedPairs::begin(Engine& engine) {
  engine_ = &engine;
  forced_ = -1;
  influence_.clear();
  const std::int32_t* box_of = engine.boxes.box_of;
  // Off the frontier few mines are known: there only pairs that few cells tell apart are likely enough.
  for (const std::int32_t i : tight_) {
    const Pair& pair = pairs_[static_cast<std::size_t>(i)];
    if (box_of[pair.a] == kSeaBox && box_of[pair.b] == kSeaBox) look(i);
  }
  const std::int32_t cells = engine.position.graph->cells;
  for (std::int32_t x = 0; x < cells; ++x) {
    if (box_of[x] < 0) continue;
    for (std::int32_t e = pair_at_begin_[x]; e < pair_at_begin_[x + 1]; ++e) {
      const std::int32_t i = pairs_at_[static_cast<std::size_t>(e)];
      const Pair& pair = pairs_[static_cast<std::size_t>(i)];
      const std::int32_t other = box_of[pair.a + pair.b - x];
      if (other == kSeaBox || (other >= 0 && x == pair.a)) look(i);
    }
  }
}

void SealedPairs::look(std::int32_t index) {
  const Pair& pair = pairs_[static_cast<std::size_t>(index)];
  const std::int32_t a = pair.a, b = pair.b;
  const Mark* mark = engine_->front.mark;
  const double* p = engine_->box_p;
  const std::int32_t* box_of = engine_->boxes.box_of;
  unknown_.clear();
  double likely = std::min(p[box_of[a]], p[box_of[b]]);
  for (std::int32_t i = pair.begin; i < pair.end; ++i) {
    const std::int32_t x = apart_[static_cast<std::size_t>(i)];
    if (mark[x] == Mark::mine) continue;
    if (mark[x] != Mark::unknown) return;
    likely *= p[box_of[x]];
    if (likely < kMatters) return;
    unknown_.push_back(x);
  }
  const double share = together(a, b);
  if (!(share > 0)) return;
  if (influence_.empty()) influence_.assign(static_cast<std::size_t>(engine_->position.graph->cells), 0.0);
  for (const std::int32_t x : {a, b}) {
    double& most = influence_[static_cast<std::size_t>(x)];
    most = std::max(most, share);
    const bool earlier = forced_ < 0 || index < forced_pair_;  // whatever the order in which pairs are looked at
    if (share < p[box_of[x]] - kSure || !earlier) continue;
    forced_ = x;
    forced_pair_ = index;
  }
}

// The chance that all cells of `unknown_` and `a` are mines, and `b` is none.
double SealedPairs::together(std::int32_t a, std::int32_t b) {
  const Graph& g = *engine_->position.graph;
  const Boxes& boxes = engine_->boxes;
  // Cells of different components, or off the frontier, are nearly independent.
  double chance = engine_->box_p[boxes.box_of[a]] * (1 - engine_->box_p[boxes.box_of[b]]);
  for (const std::int32_t x : unknown_) chance *= engine_->box_p[boxes.box_of[x]];
  met_.clear();
  auto meet = [&](std::int32_t x) {
    const std::int32_t box = boxes.box_of[x];
    if (box < 0) return false;
    const std::int32_t k = boxes.component_of[box];
    if (std::find(met_.begin(), met_.end(), k) != met_.end()) return true;
    met_.push_back(k);
    return false;
  };
  bool tied = meet(a);
  tied = meet(b) || tied;
  for (const std::int32_t x : unknown_) tied = meet(x) || tied;
  if (!tied) return chance;
  const std::size_t n = static_cast<std::size_t>(g.cells);
  shown_.assign(engine_->position.shown, engine_->position.shown + n);
  mines_.assign(n, 0);
  for (const std::int32_t x : unknown_) mines_[static_cast<std::size_t>(x)] = 1;
  mines_[static_cast<std::size_t>(a)] = 1;
  shown_[static_cast<std::size_t>(b)] = kNoClue;
  Position asked = engine_->position;
  asked.shown = shown_.data();
  asked.mines = mines_.data();
  try {
    what_if_.solve(asked, {});
  } catch (const Contradiction&) {
    return 0;
  }
  return std::exp(what_if_.joined.log_weight - engine_->joined.log_weight);
}

namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace

void Lookahead::begin(Engine& engine, std::int64_t mines) {
  engine_ = &engine;
  left_ = mines - engine.front.known;
  const Graph& g = *engine.position.graph;
  const Boxes& boxes = engine.boxes;
  const std::size_t n = at(boxes.boxes);
  const std::size_t parts = at(boxes.components);
  around_living_.assign(n, 0);
  met_.clear();
  probe_.begin(engine);
  const std::uint8_t* shown = engine.position.shown;
  some_zero_ = std::find(shown, shown + g.cells, std::uint8_t{0}) != shown + g.cells;
  list_unknown();
  find_all_dead();
  expected_.assign(parts, 0);
  for (std::int32_t b = 0; b < boxes.boxes; ++b) {
    const std::int32_t k = boxes.component_of[b];
    expected_[k] += engine.box_p[b] * boxes.component[k].size[boxes.local[b]];
  }
}

// Lists the unknown cells, and counts them around every cell.
void Lookahead::list_unknown() {
  const Graph& g = *engine_->position.graph;
  const Mark* mark = engine_->front.mark;
  unknown_.resize(at(g.cells));
  std::size_t found = 0;
  for (std::int32_t i = 0; i < g.cells; ++i) {
    unknown_[found] = i;
    found += mark[i] == Mark::unknown ? 1 : 0;
  }
  unknown_.resize(found);
  unknown_around_.assign(at(g.cells), 0);
  if (g.rows > 0) {
    const Arena::Mark before = engine_->ws.arena.mark();
    const std::uint8_t* sums = sums_around(g, mark, engine_->ws);
    for (std::int32_t i = 0; i < g.cells; ++i) unknown_around_[at(i)] = (sums[i] & 15) - (mark[i] == Mark::unknown);
    engine_->ws.arena.release(before);
    return;
  }
  for (const std::int32_t i : unknown_) {
    for (std::int32_t e = g.offset[i]; e < g.offset[i + 1]; ++e) ++unknown_around_[at(g.target[e])];
  }
}

// Which unknown cells are dead, how many of every box and of the sea are not, and what each adds to the kinds of its
// neighbours.
void Lookahead::find_all_dead() {
  const Graph& g = *engine_->position.graph;
  const Boxes& boxes = engine_->boxes;
  dead_.assign(at(g.cells), 0);
  term_.assign(at(g.cells), 0);
  living_cells_.assign(at(boxes.boxes) + 1, 0);
  // What a living and a dead cell of each box add; before the first box, of the sea.
  terms_.resize(2 * (at(boxes.boxes) + 1));
  for (std::size_t i = 0; i < terms_.size(); ++i) terms_[i] = mix64(i + 2 + golden);
  for (const std::int32_t i : unknown_) {
    const std::int32_t b = boxes.box_of[i];
    // No clue tells about a cell of the sea.
    const bool dead = b < 0 ? unknown_around_[at(i)] == 0 : find_dead(i);
    dead_[at(i)] = dead;
    living_cells_[at(b + 1)] += dead ? 0 : 1;
    term_[at(i)] = terms_[2 * at(b + 1) + (dead ? 1 : 0)];
  }
}

// A dead cell would show nothing new: it has no unknown neighbours, or some clue beside it counts exactly these and the
// cell itself.
bool Lookahead::find_dead(std::int32_t cell) const {
  const Graph& g = *engine_->position.graph;
  const Mark* mark = engine_->front.mark;
  const std::int32_t unknown = unknown_around_[at(cell)];
  if (unknown == 0) return true;
  for (std::int32_t e = g.offset[cell]; e < g.offset[cell + 1]; ++e) {
    const std::int32_t clue = g.target[e];
    if (mark[clue] != Mark::open || engine_->position.shown[clue] > kLargestClue) continue;
    // The clue counts the cell itself too.
    if (unknown_around_[at(clue)] != unknown + 1) continue;
    std::int32_t shared = 0;
    for (std::int32_t f = g.offset[clue]; f < g.offset[clue + 1]; ++f) {
      const std::int32_t x = g.target[f];
      if (mark[x] != Mark::unknown || x == cell) continue;
      for (std::int32_t h = g.offset[cell]; h < g.offset[cell + 1]; ++h) shared += g.target[h] == x;
    }
    if (shared == unknown) return true;
  }
  return false;
}

bool Lookahead::may_show_first_zero(std::int32_t cell) const {
  if (some_zero_) return false;
  const Graph& g = *engine_->position.graph;
  for (std::int32_t e = g.offset[cell]; e < g.offset[cell + 1]; ++e) {
    if (engine_->front.mark[g.target[e]] == Mark::mine) return false;
  }
  return true;
}

std::uint64_t Lookahead::kind(std::int32_t cell) const {
  const Graph& g = *engine_->position.graph;
  // A sum of mixed numbers does not depend on the order.
  std::uint64_t sum = 0;
  for (std::int32_t e = g.offset[cell]; e < g.offset[cell + 1]; ++e) sum += term_[at(g.target[e])];
  const auto box = static_cast<std::uint64_t>(engine_->boxes.box_of[cell] + 2);
  return mix64(sum + mix64((box << 1 | (may_show_first_zero(cell) ? 1u : 0u)) + 2 * golden));
}

// Counts the living cells around a cell, by box; what dies with it does not count.
void Lookahead::count_living(std::int32_t cell) {
  const Graph& g = *engine_->position.graph;
  for (const std::int32_t b : met_) around_living_[b] = 0;
  met_.clear();
  sea_around_living_ = 0;
  for (std::int32_t e = g.offset[cell]; e < g.offset[cell + 1]; ++e) {
    const std::int32_t x = g.target[e];
    if (engine_->front.mark[x] != Mark::unknown) continue;
    const bool living = !dead(x) && unknown_around_[x] > 1;
    const std::int32_t b = engine_->boxes.box_of[x];
    if (b < 0) {
      sea_around_living_ += living;
    } else {
      if (living && !around_living_[b]++) met_.push_back(b);
    }
  }
}

// How many cells of a box of the merged component are living.
std::int32_t Lookahead::living_in(const Probe::Half& half, std::int32_t cell) const {
  if (half.box == kSeaBox) return sea_around_living_;
  if (half.around) return std::clamp(around_living_[half.box], 0, half.cells);
  // Cells around that die with this one were counted as living in the box.
  const bool own = half.box == engine_->boxes.box_of[cell];
  const std::int32_t living = box_living(half.box) - (own && !dead(cell) ? 1 : 0) - around_living_[half.box];
  return std::clamp(living, 0, half.cells);
}

// outside_[i]: the weight of everything else for first + i mines in the merged component, i = 0..last - first.
void Lookahead::outside_of(std::int32_t first, std::int32_t last) {
  // Components that are not touched, multiplied.
  product_.assign(1, 1.0);
  std::int64_t low = 0;
  for (std::int32_t k = 0; k < engine_->boxes.components; ++k) {
    if (probe_.touches(k)) continue;
    const Polynomial& p = engine_->part[k].poly;
    rest_.assign(product_.size() + at(p.length) - 1, 0.0);
    double most = 0;
    for (std::int32_t m = 0; m < p.length; ++m) most = std::max(most, p.c[m]);
    for (std::int32_t m = 0; m < p.length; ++m) {
      const double w = p.c[m] / most;
      for (std::size_t j = 0; j < product_.size(); ++j) rest_[j + at(m)] += w * product_[j];
    }
    product_.swap(rest_);
    low += p.first;
  }
  const std::int64_t sea = probe_.sea_left();
  // The sea takes r mines, for r = left - low - first - i - j: binomials times powers of the fugacity, the most
  // likely 1.
  const std::int64_t high = left_ - low - first;
  const std::size_t length = at(last - first) + product_.size();
  tail_.assign(length, 0.0);
  const double z = engine_->fugacity;
  auto put = [&](std::int64_t r, double w) {
    const std::int64_t i = high - r;
    if (i >= 0 && i < static_cast<std::int64_t>(length)) tail_[static_cast<std::size_t>(i)] = w;
  };
  const std::int64_t lowest = std::max<std::int64_t>(0, high - static_cast<std::int64_t>(length) + 1);
  const std::int64_t highest = std::min(sea, high);
  const auto mode = static_cast<std::int64_t>(static_cast<double>(sea + 1) * z / (1 + z));
  const std::int64_t start = std::clamp(mode, lowest, std::max(lowest, highest));
  double w = 1;
  for (std::int64_t r = start; r <= highest; ++r) {
    put(r, w);
    w *= static_cast<double>(sea - r) / static_cast<double>(r + 1) * z;
  }
  w = 1;
  for (std::int64_t r = start; r > lowest; --r) {
    w *= static_cast<double>(r) / (static_cast<double>(sea - r + 1) * z);
    if (r - 1 <= highest) put(r - 1, w);
  }
  outside_.assign(at(last - first) + 1, 0.0);
  for (std::size_t i = 0; i < outside_.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < product_.size(); ++j) sum += product_[j] * tail_[i + j];
    outside_[i] = sum;
  }
}

// What the components that are not touched offer, as now; gives the mines that are expected in them.
double Lookahead::rest_of_board(BestTwo& best) const {
  const Boxes& boxes = engine_->boxes;
  double expected = 0;
  for (std::int32_t k = 0; k < boxes.components; ++k) {
    if (!probe_.touches(k)) expected += expected_[k];
  }
  for (std::int32_t b = 0; b < boxes.boxes; ++b) {
    if (!probe_.touches(boxes.component_of[b])) best.add(1 - engine_->box_p[b], box_living(b));
  }
  return expected;
}

// The mass and the expected mines of every value that the cell may show, the most likely first. Gives the mass of all.
double Lookahead::weigh_values(const PathProgram& program, const PathForward& forward) {
  const Layer& last = program.last();
  std::int32_t low = last.low[0], high = 0;
  for (std::uint32_t i = 0; i < last.states; ++i) {
    low = std::min(low, last.low[i]);
    high = std::max(high, last.low[i] + static_cast<std::int32_t>(last.window(i)) - 1);
  }
  outside_of(low, high);
  const double* c = forward.coefficient[program.steps];
  values_.clear();
  double all = 0;
  for (std::uint32_t i = 0; i < last.states; ++i) {
    Value v{i, last.low[i] - low, 0, 0};
    for (std::uint32_t m = 0; m < last.window(i); ++m) {
      const std::int32_t mines = last.low[i] + static_cast<std::int32_t>(m);
      const double w = c[last.offset[i] + m] * outside_[at(mines - low)];
      v.mass += w;
      v.mines += w * mines;
    }
    if (!(v.mass > 0)) continue;
    all += v.mass;
    values_.push_back(v);
  }
  std::sort(values_.begin(), values_.end(), [](const Value& a, const Value& b) { return a.mass > b.mass; });
  return all;
}

// The best that is left after a value: the odds of the merged component are known.
Lookahead::BestTwo Lookahead::after(const Value& v, std::int32_t cell, const BestTwo& others, double expected) const {
  BestTwo best = others, any = others;
  const std::int64_t sea = probe_.sea_left();
  if (sea > 0) {
    const double mines = static_cast<double>(left_) - expected - v.mines / v.mass;
    const double p = std::clamp(mines / static_cast<double>(sea), 0.0, 1.0);
    const bool own = engine_->boxes.box_of[cell] == kSeaBox;
    best.add(1 - p, box_living(kSeaBox) - sea_around_living_ - (own && !dead(cell) ? 1 : 0));
    any.add(1 - p, static_cast<std::int32_t>(std::min<std::int64_t>(sea, 2)));
  }
  const std::vector<Probe::Half>& halves = probe_.halves();
  for (std::size_t b = 0; b < halves.size(); ++b) {
    const double p = odds_[b].can_be_mine ? odds_[b].p : 0.0;
    best.add(1 - p, living_[b]);
    any.add(1 - p, halves[b].cells);
  }
  if (!(best.first > 0)) best = any;
  if (!(best.first > 0)) best.first = best.second = 1;  // nothing is left but mines
  if (!(best.second > 0)) best.second = best.first;
  return best;
}

Lookahead::Judgement Lookahead::judge(std::int32_t cell, const Blend& blend, double bound) {
  Engine& e = *engine_;
  const double safety = 1 - e.box_p[e.boxes.box_of[cell]];
  const double zero = may_show_first_zero(cell) ? blend.zero : 0;
  Judgement out;
  if (safety * (1 + zero) <= bound) {
    out.complete = false;
    return out;
  }
  const Arena::Mark mark = e.ws.arena.mark();
  Component component;
  PathProgram program;
  if (!probe_.look(cell) || !probe_.merge(e.ws.arena, component) || !prepare(component, e.ws, program)) {
    e.ws.arena.release(mark);
    out.dead = true;
    return out;
  }
  count_living(cell);
  living_.clear();
  for (const Probe::Half& half : probe_.halves()) living_.push_back(living_in(half, cell));
  BestTwo others;
  const double expected = rest_of_board(others);
  PathForward fwd;
  forward(program, e.fugacity, e.ws, fwd);
  const double all = weigh_values(program, fwd);
  out.dead = values_.size() <= 1;
  odds_.resize(at(component.boxes));
  const Layer& last = program.last();
  double* seed = e.ws.arena.zeroed<double>(last.entries());
  double remaining = safety;
  for (const Value& v : values_) {
    if (out.score + remaining * (1 + zero) <= bound) {
      out.complete = false;
      break;
    }
    const double chance = v.mass / all * safety;
    remaining -= chance;
    double* own = seed + last.offset[v.state];
    std::copy_n(outside_.begin() + v.first, last.window(v.state), own);
    backward(program, fwd, seed, e.ws, odds_.data());
    std::fill_n(own, last.window(v.state), 0.0);
    const BestTwo best = after(v, cell, others, expected);
    const double opens = program.final_count[v.state] == 0 ? zero : 0;
    out.score += chance * (blend.best * best.first + blend.second * best.second + opens);
  }
  e.ws.arena.release(mark);
  return out;
}

}  // namespace mineproof::search

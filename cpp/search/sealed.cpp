#include "search/sealed.hpp"

#include <algorithm>
#include <cmath>

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

Sealed::Sealed(const Graph& g) {
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

void Sealed::begin(Engine& engine) {
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

void Sealed::look(std::int32_t index) {
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
double Sealed::together(std::int32_t a, std::int32_t b) {
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

}  // namespace mineproof::search

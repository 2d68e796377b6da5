// Probes: the component around a cell taken to be safe, and what that cell would show.
#include "probe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine.hpp"

namespace mineproof::exact {

namespace {

constexpr std::int32_t kProbe = 0;
constexpr std::int32_t kGone = -1;

}  // namespace

// The lists of a merged component while it is made, with room for the most it can have.
struct Probe::Lists {
  std::int32_t* size = nullptr;
  std::int32_t* box_offset = nullptr;
  std::int32_t* box_clue = nullptr;
  std::int32_t* clue_offset = nullptr;
  Clue* clue = nullptr;
  std::int32_t boxes = 0;
  std::int32_t clues = 0;
  std::int32_t pairs = 0;

  void add_clue(const Clue& added) { clue[clues++] = added; }
  void add_pair(std::int32_t q) { box_clue[pairs++] = q; }

  // The component, with the boxes of every clue.
  Component component(Arena& arena) {
    box_offset[boxes] = pairs;
    std::int32_t* clue_box = arena.take<std::int32_t>(static_cast<std::size_t>(pairs));
    for (std::int32_t e = 0; e < pairs; ++e) ++clue_offset[box_clue[e] + 2];
    for (std::int32_t q = 0; q < clues; ++q) clue_offset[q + 2] += clue_offset[q + 1];
    for (std::int32_t b = 0; b < boxes; ++b) {
      for (std::int32_t e = box_offset[b]; e < box_offset[b + 1]; ++e) clue_box[clue_offset[box_clue[e] + 1]++] = b;
    }
    return {boxes, clues, size, box_offset, box_clue, clue_offset, clue_box, clue, kProbe};
  }
};

void Probe::begin(const Engine& engine) {
  engine_ = &engine;
  const Boxes& boxes = engine.boxes;
  const auto parts = static_cast<std::size_t>(boxes.components);
  const auto n = static_cast<std::size_t>(boxes.boxes);
  around_.assign(n, 0);
  met_.clear();
  is_touched_.assign(parts, 0);
  touched_.clear();
  first_box_.assign(parts + 1, 0);
  box_at_.assign(n, 0);
  for (std::size_t i = 0; i < parts; ++i) first_box_[i + 1] = first_box_[i] + boxes.component[i].boxes;
  for (std::int32_t b = 0; b < boxes.boxes; ++b) box_at_[first_box_[boxes.component_of[b]] + boxes.local[b]] = b;
}

void Probe::touch(std::int32_t component) {
  if (is_touched_[component]) return;
  is_touched_[component] = 1;
  touched_.push_back(component);
}

bool Probe::look(std::int32_t cell) {
  const Graph& g = *engine_->position.graph;
  const Boxes& boxes = engine_->boxes;
  for (const std::int32_t b : met_) around_[b] = 0;
  for (const std::int32_t k : touched_) is_touched_[k] = 0;
  met_.clear();
  touched_.clear();
  sea_around_ = 0;
  for (std::int32_t e = g.offset[cell]; e < g.offset[cell + 1]; ++e) {
    const std::int32_t x = g.target[e];
    if (engine_->front.mark[x] != Mark::unknown) continue;
    const std::int32_t b = boxes.box_of[x];
    if (b < 0) {
      ++sea_around_;
      continue;
    }
    if (!around_[b]++) met_.push_back(b);
    touch(boxes.component_of[b]);
  }
  own_ = boxes.box_of[cell];
  const bool some = sea_around_ > 0 || !met_.empty();
  if (own_ >= 0) touch(boxes.component_of[own_]);
  return some;
}

// Numbers the clues of a component; one whose only cell was this one goes. False where that one needs a mine.
bool Probe::add_clues(std::int32_t component, Lists& lists) {
  const Boxes& boxes = engine_->boxes;
  const Component& c = boxes.component[component];
  const bool holds = own_ >= 0 && boxes.component_of[own_] == component && c.size[boxes.local[own_]] == 1;
  rename_.assign(static_cast<std::size_t>(c.clues), kGone);
  for (std::int32_t q = 0; q < c.clues; ++q) {
    const bool gone =
        holds && c.clue_offset[q + 1] - c.clue_offset[q] == 1 && c.clue_box[c.clue_offset[q]] == boxes.local[own_];
    if (gone && c.clue[q].low > 0) return false;
    if (gone) continue;
    rename_[q] = lists.clues;
    lists.add_clue(c.clue[q]);
  }
  return true;
}

void Probe::add_box(std::int32_t box, bool around, std::int32_t cells, Lists& lists) {
  lists.size[lists.boxes] = cells;
  lists.box_offset[lists.boxes++] = lists.pairs;
  if (around) lists.add_pair(kProbe);
  halves_.push_back({box, around, cells});
}

void Probe::add_boxes(std::int32_t component, Lists& lists) {
  const Component& c = engine_->boxes.component[component];
  for (std::int32_t b = 0; b < c.boxes; ++b) {
    const std::int32_t box = box_at_[first_box_[component] + b];
    const std::int32_t around = around_[box];
    const std::int32_t rest = c.size[b] - around - (box == own_ ? 1 : 0);
    for (const bool half : {false, true}) {
      const std::int32_t cells = half ? around : rest;
      if (cells <= 0) continue;
      add_box(box, half, cells, lists);
      for (std::int32_t e = c.box_offset[b]; e < c.box_offset[b + 1]; ++e) {
        if (rename_[c.box_clue[e]] != kGone) lists.add_pair(rename_[c.box_clue[e]]);
      }
    }
  }
}

bool Probe::merge(Arena& arena, Component& out) {
  std::size_t boxes = 1, clues = 1, pairs = 1;
  for (const std::int32_t k : touched_) {
    const Component& c = engine_->boxes.component[k];
    boxes += 2 * static_cast<std::size_t>(c.boxes);
    clues += static_cast<std::size_t>(c.clues);
    pairs += static_cast<std::size_t>(2 * c.box_offset[c.boxes] + c.boxes);
  }
  Lists lists;
  lists.size = arena.take<std::int32_t>(boxes);
  lists.box_offset = arena.take<std::int32_t>(boxes + 1);
  lists.box_clue = arena.take<std::int32_t>(pairs);
  lists.clue_offset = arena.zeroed<std::int32_t>(clues + 2);
  lists.clue = arena.take<Clue>(clues);
  std::int32_t unknown = sea_around_;
  for (const std::int32_t b : met_) unknown += around_[b];
  lists.add_clue({0, unknown, nullptr, -1});
  halves_.clear();
  for (const std::int32_t k : touched_) {
    if (!add_clues(k, lists)) return false;
    add_boxes(k, lists);
  }
  if (sea_around_ > 0) add_box(kSeaBox, true, sea_around_, lists);
  out = lists.component(arena);
  return true;
}

// ------------------------------------------------------------------------- what a hidden cell would show

namespace {

// Sum of the final states' polynomials, for the join.
Polynomial sum_of(const std::vector<Polynomial>& parts, Workspace& ws) {
  Polynomial out;
  std::int32_t low = std::numeric_limits<std::int32_t>::max();
  std::int32_t high = 0;
  for (const Polynomial& p : parts) {
    low = std::min(low, p.first);
    high = std::max(high, p.first + p.length);
  }
  out.first = low;
  out.length = high - low;
  out.exponent = parts.front().exponent;
  out.c = ws.arena.zeroed<double>(static_cast<std::size_t>(out.length));
  out.support = ws.arena.zeroed<std::uint64_t>(static_cast<std::size_t>(out.length + 63) / 64);
  for (const Polynomial& p : parts) {
    for (std::int32_t m = 0; m < p.length; ++m) {
      const std::int32_t i = p.first + m - low;
      out.c[i] += p.c[m];
      if (p.has(p.first + m)) out.support[i >> 6] |= std::uint64_t{1} << (i & 63);
    }
  }
  return out;
}

// The weights of the final states of a program by their number of mines.
std::vector<Polynomial> final_polynomials(const PathProgram& program, double fugacity, Workspace& ws) {
  PathForward fwd;
  forward(program, fugacity, ws, fwd);
  const bool lost = fwd.lost;
  if (lost && program.weighs) forward_extended(program, fugacity, ws, fwd);
  std::vector<Polynomial> final;
  for (std::uint32_t i = 0; i < program.last().states; ++i) final.push_back(final_polynomial(program, fwd, i, ws));
  if (lost) {
    for (std::uint32_t i = 0; i < program.last().states; ++i) forward_support(program, i, ws, final[i].support);
  }
  return final;
}

// The merged component joined with those that the probe does not touch: its outside weights, or nullptr where there are
// none.
const double* outside_of(Engine& e, const Probe& probe, const Polynomial& merged) {
  const JoinInput whole = e.pool();
  JoinInput pool = whole;
  const Polynomial** list = e.ws.arena.take<const Polynomial*>(static_cast<std::size_t>(whole.count) + 1);
  pool.count = 0;
  for (std::int32_t i = 0; i < whole.count; ++i) {
    if (!probe.touches(i)) list[pool.count++] = whole.poly[i];
  }
  const std::int32_t mine = pool.count;
  list[pool.count++] = &merged;
  pool.poly = list;
  pool.sea = probe.sea_left();
  const JoinResult joined = join(pool, mine, e.ws);
  if (!joined.feasible) return nullptr;
  if (lost_side(merged, joined.outside[mine])) throw BudgetExceeded("weights are too far apart for double precision");
  return joined.outside[mine];
}

// The mass of every count that a cell would show, where it is safe; `base` mines around it are certain.
void odds_by_probe(Engine& e, std::int32_t cell, std::int32_t base, std::vector<double>& counts) {
  Workspace& ws = e.ws;
  Probe probe;
  probe.begin(e);
  probe.look(cell);
  Component c;
  if (!probe.merge(ws.arena, c)) return;
  PathProgram program;
  if (!prepare(c, ws, program)) return;
  const std::vector<Polynomial> final = final_polynomials(program, e.fugacity, ws);
  const Polynomial merged = sum_of(final, ws);
  const double* outside = outside_of(e, probe, merged);
  if (!outside) return;
  for (std::size_t i = 0; i < final.size(); ++i) {
    const Polynomial& p = final[i];
    double mass = 0;
    bool can = false;
    for (std::int32_t m = 0; m < p.length; ++m) {
      const double w = outside[p.first + m - merged.first];
      mass += p.c[m] * w;
      can = can || (w > 0 && p.has(p.first + m));
    }
    if (can)
      counts[static_cast<std::size_t>(base + program.final_count[i])] =
          std::max(mass, std::numeric_limits<double>::min());
  }
}

}  // namespace

ClueOdds Analysis::clue_odds(std::int32_t cell) {
  Engine& e = *engine_;
  const Graph& g = *e.position.graph;
  ClueOdds out;
  out.counts.assign(static_cast<std::size_t>(g.degree(cell)) + 1, 0.0);
  out.mine = probability(cell);
  if (e.front.mark[cell] == Mark::mine || e.front.mark[cell] == Mark::burst || out.mine == 1.0) return out;
  std::int32_t base = 0;
  bool unknown = false;
  for (std::int32_t i = g.offset[cell]; i < g.offset[cell + 1]; ++i) {
    const Mark m = e.front.mark[g.target[i]];
    base += m == Mark::mine || m == Mark::burst;
    unknown = unknown || m == Mark::unknown;
  }
  if (!unknown) {
    out.counts[static_cast<std::size_t>(base)] = 1 - out.mine;
    return out;
  }
  e.ws.adopt(e.ws.limits());
  const Arena::Mark mark = e.ws.arena.mark();
  odds_by_probe(e, cell, base, out.counts);
  e.ws.arena.release(mark);
  double all = 0;
  for (double x : out.counts) all += x;
  for (double& x : out.counts) {
    if (x > 0) x = std::max(x / all * (1 - out.mine), std::numeric_limits<double>::denorm_min());
  }
  return out;
}

}  // namespace mineproof::exact

// What a hidden cell would show: its neighbourhood becomes a clue of free value, a probe, that is never closed.
//
// The cell itself is taken to be safe and leaves its box; the components that hold it or a neighbour of it, and the sea
// cells around it, merge into one; the program of that one ends with a state for every count.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine.hpp"
#include "underflow.hpp"

namespace mineproof::exact {

namespace {

struct Edited {
  std::vector<std::int32_t> size;
  std::vector<std::vector<std::int32_t>> clues;  // of each box
  std::vector<Clue> clue;
};

// The merged component of a probe, in the arena. Clues left without any box must allow a count of 0.
Component pack(const Edited& e, std::int32_t probe, Arena& arena) {
  const std::size_t boxes = e.size.size();
  const std::size_t clues = e.clue.size();
  std::size_t edges = 0;
  for (const auto& list : e.clues) edges += list.size();
  std::int32_t* size = arena.take<std::int32_t>(boxes);
  std::int32_t* box_offset = arena.take<std::int32_t>(boxes + 1);
  std::int32_t* box_clue = arena.take<std::int32_t>(edges);
  std::int32_t* clue_offset = arena.zeroed<std::int32_t>(clues + 2);
  std::int32_t* clue_box = arena.take<std::int32_t>(edges);
  Clue* clue = arena.take<Clue>(clues);
  std::copy(e.size.begin(), e.size.end(), size);
  std::copy(e.clue.begin(), e.clue.end(), clue);
  std::int32_t at = 0;
  for (std::size_t b = 0; b < boxes; ++b) {
    box_offset[b] = at;
    for (std::int32_t q : e.clues[b]) {
      box_clue[at++] = q;
      ++clue_offset[q + 2];
    }
  }
  box_offset[boxes] = at;
  for (std::size_t q = 0; q < clues; ++q) clue_offset[q + 2] += clue_offset[q + 1];
  for (std::size_t b = 0; b < boxes; ++b) {
    for (std::int32_t q : e.clues[b]) clue_box[clue_offset[q + 1]++] = static_cast<std::int32_t>(b);
  }
  Component c;
  c.boxes = static_cast<std::int32_t>(boxes);
  c.clues = static_cast<std::int32_t>(clues);
  c.size = size;
  c.box_offset = box_offset;
  c.box_clue = box_clue;
  c.clue_offset = clue_offset;
  c.clue_box = clue_box;
  c.clue = clue;
  c.probe = probe;
  return c;
}

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

void odds_by_probe(Engine& e, std::int32_t cell, std::int32_t base, std::vector<double>& counts) {
  Workspace& ws = e.ws;
  const Graph& g = *e.position.graph;
  const Boxes& boxes = e.boxes;
  // Cells around the probe by box, and the components that take part.
  std::vector<std::pair<std::int32_t, std::int32_t>> around;  // raw box, cells of it around
  std::vector<std::int32_t> touched;
  std::int64_t sea_around = 0;
  std::int32_t unknown = 0;
  auto touch = [&](std::int32_t component) {
    if (std::find(touched.begin(), touched.end(), component) == touched.end()) touched.push_back(component);
  };
  for (std::int32_t i = g.offset[cell]; i < g.offset[cell + 1]; ++i) {
    const std::int32_t x = g.target[i];
    if (e.front.mark[x] != Mark::unknown) continue;
    ++unknown;
    const std::int32_t b = boxes.box_of[x];
    if (b < 0) {
      ++sea_around;
      continue;
    }
    touch(boxes.component_of[b]);
    auto it = std::find_if(around.begin(), around.end(), [&](const auto& p) { return p.first == b; });
    if (it == around.end()) around.push_back({b, 1}); else ++it->second;
  }
  const std::int32_t own = e.front.mark[cell] == Mark::unknown ? boxes.box_of[cell] : kFixedBox;
  if (own >= 0) touch(boxes.component_of[own]);
  // Build the merged component.
  Edited edited;
  const std::int32_t probe = 0;
  edited.clue.push_back({0, unknown, nullptr, -1});
  for (std::int32_t component : touched) {
    const Component& c = boxes.component[component];
    const std::int32_t shift = static_cast<std::int32_t>(edited.clue.size());
    edited.clue.insert(edited.clue.end(), c.clue, c.clue + c.clues);
    for (std::int32_t b = 0; b < c.boxes; ++b) {
      std::int32_t inside = 0;
      for (const auto& [raw, n] : around) {
        if (boxes.component_of[raw] == component && boxes.local[raw] == b) inside = n;
      }
      std::int32_t rest = c.size[b] - inside;
      if (own >= 0 && boxes.component_of[own] == component && boxes.local[own] == b) --rest;
      std::vector<std::int32_t> list(c.box_clue + c.box_offset[b], c.box_clue + c.box_offset[b + 1]);
      for (std::int32_t& q : list) q += shift;
      if (rest > 0) {
        edited.size.push_back(rest);
        edited.clues.push_back(list);
      }
      if (inside > 0) {
        edited.size.push_back(inside);
        list.push_back(probe);
        edited.clues.push_back(list);
      }
    }
  }
  if (sea_around > 0) {
    edited.size.push_back(static_cast<std::int32_t>(sea_around));
    edited.clues.push_back({probe});
  }
  // Clues that lost their only cell.
  std::vector<std::int32_t> cells(edited.clue.size(), 0);
  for (std::size_t b = 0; b < edited.size.size(); ++b) {
    for (std::int32_t q : edited.clues[b]) cells[static_cast<std::size_t>(q)] += edited.size[b];
  }
  std::vector<std::int32_t> rename(edited.clue.size(), -1);
  std::vector<Clue> kept;
  for (std::size_t q = 0; q < edited.clue.size(); ++q) {
    if (cells[q] == 0) {
      if (edited.clue[q].low > 0) return;  // the cell cannot be safe
      continue;
    }
    rename[q] = static_cast<std::int32_t>(kept.size());
    kept.push_back(edited.clue[q]);
  }
  edited.clue = kept;
  for (auto& list : edited.clues) {
    for (std::int32_t& q : list) q = rename[static_cast<std::size_t>(q)];
  }
  const Component c = pack(edited, probe, ws.arena);
  PathProgram program;
  if (!prepare(c, ws, program)) return;
  PathForward fwd;
  clear_underflow();
  forward(program, e.fugacity, ws, fwd);
  const bool lost = underflowed();
  if (lost && program.weighs) forward_extended(program, e.fugacity, ws, fwd);
  const std::uint32_t finals = program.layer[program.steps].states;
  std::vector<Polynomial> final;
  for (std::uint32_t i = 0; i < finals; ++i) final.push_back(final_polynomial(program, fwd, i, ws));
  if (lost) {
    for (std::uint32_t i = 0; i < finals; ++i) forward_support(program, i, ws, final[i].support);
  }
  const Polynomial merged = sum_of(final, ws);
  // Join with the components that are not touched.
  const Pool whole = e.pool();
  Pool pool = whole;
  const Polynomial** list = ws.arena.take<const Polynomial*>(static_cast<std::size_t>(whole.count) + 1);
  pool.count = 0;
  for (std::int32_t i = 0; i < whole.count; ++i) {
    if (std::find(touched.begin(), touched.end(), i) == touched.end()) list[pool.count++] = whole.poly[i];
  }
  const std::int32_t mine = pool.count;
  list[pool.count++] = &merged;
  pool.poly = list;
  pool.sea = whole.sea - sea_around - (own == kSeaBox ? 1 : 0);
  const Joined joined = join(pool, mine, ws);
  if (!joined.feasible) return;
  const double* outside = joined.outside[mine];
  if (lost_side(merged, outside)) throw BudgetExceeded("weights are too far apart for double precision");
  for (std::uint32_t i = 0; i < finals; ++i) {
    const Polynomial& p = final[i];
    double mass = 0;
    bool can = false;
    for (std::int32_t m = 0; m < p.length; ++m) {
      const double w = outside[p.first + m - merged.first];
      mass += p.c[m] * w;
      can = can || (w > 0 && p.has(p.first + m));
    }
    if (can) counts[static_cast<std::size_t>(base + program.final_count[i])] = std::max(mass, std::numeric_limits<double>::min());
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

// What a hidden cell would show, by a probe.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine.hpp"
#include "probe.hpp"

namespace mineproof::exact {

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
  const Pool whole = e.pool();
  Pool pool = whole;
  const Polynomial** list = e.ws.arena.take<const Polynomial*>(static_cast<std::size_t>(whole.count) + 1);
  pool.count = 0;
  for (std::int32_t i = 0; i < whole.count; ++i) {
    if (!probe.touches(i)) list[pool.count++] = whole.poly[i];
  }
  const std::int32_t mine = pool.count;
  list[pool.count++] = &merged;
  pool.poly = list;
  pool.sea = probe.sea_left();
  const Joined joined = join(pool, mine, e.ws);
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

// The same passes in extended range, for weights so far apart that doubles lose all of what counts. Rare, so simple.
#include <cmath>

#include "path_edges.hpp"

namespace mineproof::exact {

namespace {

using Real = long double;
constexpr int kRange = 4000;

void box_weights(std::int32_t size, std::int32_t lists, double fugacity, Real* out) {
  Real w = 1;
  Real z = 1;
  for (std::int32_t k = 0; k < lists; ++k) {
    out[k] = w * z;
    w = w * (size - k) / (k + 1);
    z *= fugacity;
  }
}

Real edge_weight(const Layer& now, const Real* weight, const Edge& e) {
  return now.factor ? weight[e.mines] * now.factor[e.index] : weight[e.mines];
}

std::int64_t rescale(Real* c, std::size_t n) {
  Real most = 0;
  for (std::size_t i = 0; i < n; ++i) most = std::max(most, c[i]);
  if (!(most > 0)) return 0;
  const int e = std::ilogb(most);
  if (e > -kRange && e < kRange) return 0;
  for (std::size_t i = 0; i < n; ++i) c[i] = std::ldexp(c[i], -e);
  return e;
}

// Coefficients of every layer.
Real** all_layers(const PathProgram& p, double fugacity, Workspace& ws, std::int64_t* exponent) {
  Real** c = ws.arena.take<Real*>(static_cast<std::size_t>(p.steps) + 1);
  c[0] = ws.arena.take<Real>(1);
  c[0][0] = 1;
  *exponent = 0;
  for (std::int32_t t = 0; t < p.steps; ++t) {
    const Layer& now = p.layer[t];
    const Layer& then = p.layer[t + 1];
    const std::size_t entries = then.entries();
    Real* to = c[t + 1] = ws.arena.take<Real>(entries);
    std::fill_n(to, entries, Real{0});
    const Arena::Mark mark = ws.arena.mark();
    Real* weight = ws.arena.take<Real>(static_cast<std::size_t>(now.lists));
    box_weights(p.size[p.box[t]], now.lists, fugacity, weight);
    each_edge(now, then, [&](const Edge& e) {
      const Real w = edge_weight(now, weight, e);
      for (std::uint32_t m = 0; m < e.window; ++m) to[e.to + m] += w * c[t][e.from + m];
    });
    ws.arena.release(mark);
    ws.spend(static_cast<std::int64_t>(entries) * 4 + now.states);
    *exponent += rescale(to, entries);
  }
  return c;
}

}  // namespace

void forward_extended(const PathProgram& p, double fugacity, Workspace& ws, PathForward& f) {
  const std::size_t entries = p.last().entries();
  double* out = ws.arena.take<double>(entries);
  const Arena::Mark mark = ws.arena.mark();
  Real** c = all_layers(p, fugacity, ws, &f.exponent);
  Real most = 0;
  for (std::size_t i = 0; i < entries; ++i) most = std::max(most, c[p.steps][i]);
  const int e = most > 0 ? std::ilogb(most) : 0;
  for (std::size_t i = 0; i < entries; ++i) out[i] = static_cast<double>(std::ldexp(c[p.steps][i], -e));
  f.exponent += e;
  f.coefficient[p.steps] = out;
  ws.arena.release(mark);
}

void backward_extended(const PathProgram& p, double fugacity, const double* outside, Workspace& ws, BoxOdds* odds) {
  const Arena::Mark mark = ws.arena.mark();
  std::int64_t exponent;
  Real** c = all_layers(p, fugacity, ws, &exponent);
  Real* then_c = ws.arena.take<Real>(p.most_entries());
  Real* now_c = ws.arena.take<Real>(p.most_entries());
  Real* weight = ws.arena.take<Real>(p.most_lists());
  Real* mass = ws.arena.take<Real>(p.most_lists());
  std::copy_n(outside, p.last().entries(), then_c);
  for (std::int32_t t = p.steps - 1; t >= 0; --t) {
    const Layer& now = p.layer[t];
    const Layer& then = p.layer[t + 1];
    const std::int32_t size = p.size[p.box[t]];
    box_weights(size, now.lists, fugacity, weight);
    std::fill_n(mass, now.lists, Real{0});
    std::fill_n(now_c, now.entries(), Real{0});
    each_edge(now, then, [&](const Edge& e) {
      const Real w = edge_weight(now, weight, e);
      for (std::uint32_t m = 0; m < e.window; ++m) {
        const Real x = w * then_c[e.to + m];
        now_c[e.from + m] += x;
        mass[e.mines] += c[t][e.from + m] * x;
      }
    });
    Real all = 0;
    Real mines = 0;
    for (std::int32_t k = 0; k < now.lists; ++k) {
      all += mass[k];
      mines += mass[k] * k;
    }
    odds[p.box[t]].p = all > 0 ? static_cast<double>(mines / (all * size)) : 0;
    ws.spend(static_cast<std::int64_t>(now.entries()) * 6 + now.states);
    rescale(now_c, now.entries());
    std::swap(now_c, then_c);
  }
  ws.arena.release(mark);
}

}  // namespace mineproof::exact

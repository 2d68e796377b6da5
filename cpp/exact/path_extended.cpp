// The same passes in extended range, for weights so far apart that doubles lose all of what counts. Rare, so simple.
#include <cmath>

#include "path.hpp"

namespace mineproof::exact {

namespace {

using Real = long double;
constexpr int kRange = 4000;

std::uint32_t window(const Layer& layer, std::uint32_t state) { return layer.offset[state + 1] - layer.offset[state]; }

void box_weights(std::int32_t size, std::int32_t lists, double fugacity, Real* out) {
  Real w = 1;
  Real z = 1;
  for (std::int32_t k = 0; k < lists; ++k) {
    out[k] = w * z;
    w = w * (size - k) / (k + 1);
    z *= fugacity;
  }
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
    const std::size_t entries = then.offset[then.states];
    Real* to = c[t + 1] = ws.arena.take<Real>(entries);
    std::fill_n(to, entries, Real{0});
    const Arena::Mark mark = ws.arena.mark();
    Real* weight = ws.arena.take<Real>(static_cast<std::size_t>(now.lists));
    box_weights(p.size[p.box[t]], now.lists, fugacity, weight);
    std::size_t e = 0;
    for (std::uint32_t i = 0; i < now.states; ++i) {
      const Real* a = c[t] + now.offset[i];
      for (std::int32_t k = 0; k < now.lists; ++k, ++e) {
        const std::uint32_t j = now.next[e];
        if (j == kDead) continue;
        Real* b = to + then.offset[j] + (now.low[i] + k - then.low[j]);
        const Real w = now.factor ? weight[k] * now.factor[e] : weight[k];
        for (std::uint32_t m = 0; m < window(now, i); ++m) b[m] += w * a[m];
      }
    }
    ws.arena.release(mark);
    ws.spend(static_cast<std::int64_t>(entries) * 4 + now.states);
    *exponent += rescale(to, entries);
  }
  return c;
}

}  // namespace

void forward_extended(const PathProgram& p, double fugacity, Workspace& ws, PathForward& f) {
  const Layer& last = p.layer[p.steps];
  const std::size_t entries = last.offset[last.states];
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
  std::size_t most = 1;
  std::int32_t lists = 1;
  for (std::int32_t t = 0; t <= p.steps; ++t) {
    most = std::max<std::size_t>(most, p.layer[t].offset[p.layer[t].states]);
    lists = std::max(lists, p.layer[t].lists);
  }
  Real* then_c = ws.arena.take<Real>(most);
  Real* now_c = ws.arena.take<Real>(most);
  Real* weight = ws.arena.take<Real>(static_cast<std::size_t>(lists));
  Real* mass = ws.arena.take<Real>(static_cast<std::size_t>(lists));
  const Layer& last = p.layer[p.steps];
  for (std::uint32_t m = 0; m < last.offset[last.states]; ++m) then_c[m] = outside[m];
  for (std::int32_t t = p.steps - 1; t >= 0; --t) {
    const Layer& now = p.layer[t];
    const Layer& then = p.layer[t + 1];
    const std::int32_t size = p.size[p.box[t]];
    box_weights(size, now.lists, fugacity, weight);
    std::fill_n(mass, now.lists, Real{0});
    std::size_t e = 0;
    for (std::uint32_t i = 0; i < now.states; ++i) {
      const Real* a = c[t] + now.offset[i];
      Real* b = now_c + now.offset[i];
      std::fill_n(b, window(now, i), Real{0});
      for (std::int32_t k = 0; k < now.lists; ++k, ++e) {
        const std::uint32_t j = now.next[e];
        if (j == kDead) continue;
        const Real* from = then_c + then.offset[j] + (now.low[i] + k - then.low[j]);
        const Real w = now.factor ? weight[k] * now.factor[e] : weight[k];
        for (std::uint32_t m = 0; m < window(now, i); ++m) {
          const Real x = w * from[m];
          b[m] += x;
          mass[k] += a[m] * x;
        }
      }
    }
    Real all = 0;
    Real mines = 0;
    for (std::int32_t k = 0; k < now.lists; ++k) {
      all += mass[k];
      mines += mass[k] * k;
    }
    odds[p.box[t]].p = all > 0 ? static_cast<double>(mines / (all * size)) : 0;
    ws.spend(static_cast<std::int64_t>(now.offset[now.states]) * 6 + now.states);
    rescale(now_c, now.offset[now.states]);
    std::swap(now_c, then_c);
  }
  ws.arena.release(mark);
}

}  // namespace mineproof::exact

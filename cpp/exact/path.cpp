// Running a path program: forward and backward over its layers, in doubles, in extended range, in truth values and
// modulo a prime.
#include "path.hpp"

#include <algorithm>
#include <cmath>

#include "integer.hpp"
#include "path_short.hpp"

namespace mineproof::exact {

// ------------------------------------------------------------------------------------- forward, in doubles

namespace {

// A layer whose largest entry has left 2^-kRange..2^kRange is brought back to 2^0. The entries are looked at every
// kEvery layers only: in one step a layer grows by no more than the sum of its box weights.
constexpr int kRange = 200;
constexpr int kEvery = 8;
constexpr double kMostGrowth = 300;  // bits since the last look: with kRange far from the 1,023 that a double has

double largest(const double* c, std::size_t n) {
  constexpr std::size_t kLanes = 8;  // side by side, for the vector units
  double lane[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (std::size_t j = 0; j < kLanes; ++j) lane[j] = c[i + j] > lane[j] ? c[i + j] : lane[j];
  }
  double most = 0;
  for (; i < n; ++i) most = std::max(most, c[i]);
  for (double x : lane) most = std::max(most, x);
  return most;
}

MINEPROOF_INLINE void forward_loop(const Layer& now, const Layer& then, const double* __restrict from,
                                   double* __restrict to, const double* weight, std::uint32_t first,
                                   std::uint32_t last) {
  each_edge(now, then, first, last, [&](const Edge& e) MINEPROOF_INLINE_LAMBDA {
    const double* a = from + e.from;
    double* b = to + e.to;
    const double w = edge_weight(now, weight, e);
    for (std::uint32_t m = 0; m < e.window; ++m) b[m] += w * a[m];
  });
}
using ForwardLoop = void (*)(const Layer&, const Layer&, const double*, double*, const double*, std::uint32_t,
                             std::uint32_t);
void forward_any(const Layer& now, const Layer& then, const double* from, double* to, const double* weight,
                 std::uint32_t first, std::uint32_t last) {
  forward_loop(now, then, from, to, weight, first, last);
}
MINEPROOF_AVX2 void forward_avx2(const Layer& now, const Layer& then, const double* from, double* to,
                                 const double* weight, std::uint32_t first, std::uint32_t last) {
  forward_loop(now, then, from, to, weight, first, last);
}

// Is anything in a step too small for a double?
bool loses(const Layer& now, const Layer& then, const double* from, const double* weight) {
  bool lost = false;
  each_edge(now, then, [&](const Edge& e) {
    const double w = edge_weight(now, weight, e);
    for (std::uint32_t m = 0; m < e.window && !lost; ++m)
      lost = from[e.from + m] > 0 && too_small(w * from[e.from + m]);
  });
  return lost;
}

// The layers to be kept of a large program: one whenever the entries since the last reach the size at which kept layers
// and one stretch between them need the same memory.
void take_checkpoints(const PathProgram& p, Arena& arena, double** coefficient) {
  const double mean = static_cast<double>(p.entries) / p.steps;
  const std::int64_t stretch = static_cast<std::int64_t>(std::sqrt(static_cast<double>(p.entries) * mean));
  std::int64_t since = 0;
  for (std::int32_t t = 1; t <= p.steps; ++t) {
    since += p.layer[t].entries();
    coefficient[t] = nullptr;
    if (since >= stretch || t == p.steps) {
      coefficient[t] = arena.take<double>(p.layer[t].entries());
      since = 0;
    }
  }
}

}  // namespace

void box_weights(std::int32_t size, std::int32_t lists, double fugacity, double* out) {
  if (size == 1) {  // most often
    out[0] = 1;
    if (lists > 1) out[1] = fugacity;
    return;
  }
  double w = 1;
  for (std::int32_t k = 0; k < lists; ++k) {
    out[k] = w;
    w = w * (size - k) / (k + 1);
  }
  double z = 1;
  for (std::int32_t k = 1; k < lists; ++k) out[k] *= z *= fugacity;
}

std::uint32_t slice(const Layer& layer, std::uint32_t first) {
  constexpr std::uint32_t kEntries = 200'000;
  if (layer.entries() - layer.offset[first] <= kEntries) return layer.states;
  const std::uint32_t* end =
      std::upper_bound(layer.offset + first + 1, layer.offset + layer.states, layer.offset[first] + kEntries);
  return static_cast<std::uint32_t>(end - layer.offset);
}

int rescale(double* c, std::size_t n, LayerDepth& depth) {
  const double most = largest(c, n);
  if (most == 0) return 0;
  int e;
  std::frexp(most, &e);
  if (e >= -kRange && e <= kRange) return 0;
  // Two factors: 2^-e itself may be out of range.
  const double a = std::ldexp(1.0, -(e / 2));
  const double b = std::ldexp(1.0, -(e - e / 2));
  if (depth.least - e < kLeastExponent) {
    depth.least = smallest_exponent(c, n);
    depth.lost = depth.lost || depth.least - e < kLeastExponent;
  }
  for (std::size_t i = 0; i < n; ++i) c[i] = c[i] * a * b;
  depth.least -= e;
  return e;
}

RangeWatch::RangeWatch(const PathProgram& p, double fugacity)
    : p_(p), growth_(1 + std::abs(static_cast<double>(std::ilogb(fugacity)))) {}

bool RangeWatch::due(std::int32_t t) {
  grown_ += p_.size[p_.box[t]] * growth_;
  if (t % kEvery != 0 && grown_ <= kMostGrowth && !p_.layer[t].factor) return false;
  grown_ = 0;
  return true;
}

void forward_step(const PathProgram& p, std::int32_t t, double fugacity, const double* from, double* to, double* weight,
                  Workspace& ws, LayerDepth& depth) {
  const Layer& now = p.layer[t];
  const Layer& then = p.layer[t + 1];
  box_weights(p.size[p.box[t]], now.lists, fugacity, weight);
  const std::int32_t least = least_edge(now, fugacity);
  if (std::min(depth.least, 0) + least < kLeastExponent) {
    depth.least = smallest_exponent(from, now.entries());
    if (std::min(depth.least, 0) + least < kLeastExponent)
      depth.lost = depth.lost || least < kLeastExponent || loses(now, then, from, weight);
  }
  depth.least += least;
  const std::size_t entries = then.entries();
  std::fill_n(to, entries, 0.0);
  const ForwardLoop loop = entries > kWide && has_avx2() ? forward_avx2 : forward_any;
  for (std::uint32_t i = 0; i < now.states;) {
    const std::uint32_t end = slice(now, i);
    loop(now, then, from, to, weight, i, end);
    ws.spend(static_cast<std::int64_t>(now.offset[end] - now.offset[i]) * 2 + (end - i) * now.lists);
    i = end;
  }
}

void forward(const PathProgram& p, double fugacity, Workspace& ws, PathForward& out) {
  if (forward_short(p, fugacity, ws, out)) return;
  Arena& arena = ws.arena;
  out.fugacity = fugacity;
  out.exponent = 0;
  out.coefficient = arena.take<double*>(static_cast<std::size_t>(p.steps) + 1);
  out.least = arena.take<std::int32_t>(static_cast<std::size_t>(p.steps) + 1);
  double* weight = arena.take<double>(p.most_lists());
  out.coefficient[0] = arena.take<double>(1);
  out.coefficient[0][0] = 1;
  out.least[0] = 0;
  RangeWatch watch(p, fugacity);
  LayerDepth depth;
  if (p.entries <= ws.keep_entries) {
    for (std::int32_t t = 0; t < p.steps; ++t) {
      const std::size_t entries = p.layer[t + 1].entries();
      double* to = out.coefficient[t + 1] = arena.take<double>(entries);
      forward_step(p, t, fugacity, out.coefficient[t], to, weight, ws, depth);
      if (watch.due(t)) out.exponent += rescale(to, entries, depth);
      out.least[t + 1] = depth.least;
    }
    out.lost = depth.lost;
    return;
  }
  take_checkpoints(p, arena, out.coefficient);
  const Arena::Mark mark = arena.mark();
  const std::size_t most = p.most_entries();
  double* buffer[2] = {arena.take<double>(most), arena.take<double>(most)};
  const double* from = out.coefficient[0];
  for (std::int32_t t = 0; t < p.steps; ++t) {
    double* to = out.coefficient[t + 1] ? out.coefficient[t + 1] : buffer[t & 1];
    forward_step(p, t, fugacity, from, to, weight, ws, depth);
    if (watch.due(t)) out.exponent += rescale(to, p.layer[t + 1].entries(), depth);
    out.least[t + 1] = depth.least;
    from = to;
  }
  out.lost = depth.lost;
  arena.release(mark);
}

Polynomial final_polynomial(const PathProgram& p, const PathForward& f, std::uint32_t state, Workspace& ws) {
  const Layer& last = p.last();
  Polynomial out;
  out.first = last.low[state];
  out.length = static_cast<std::int32_t>(last.window(state));
  out.c = f.coefficient[p.steps] + last.offset[state];
  out.exponent = f.exponent;
  out.support = ws.arena.zeroed<std::uint64_t>(static_cast<std::size_t>(out.length + 63) / 64);
  for (std::int32_t i = 0; i < out.length; ++i) {
    if (out.c[i] > 0) out.support[i >> 6] |= std::uint64_t{1} << (i & 63);
  }
  return out;
}

// ------------------------------------------------------------------------------------ backward, in doubles

namespace {

// What the pass over one step reads and writes.
struct BackwardStep {
  const Layer& now;
  const Layer& then;
  const double* from;    // forward coefficients of this layer
  const double* then_c;  // outside weights of the next layer,
  double* now_c;         // and of this one
  const double* weight;  // of mines in the box
  double* mass;          // of mines in the box: of all layouts with so many
};

MINEPROOF_INLINE void backward_loop(const BackwardStep& s, std::uint32_t first, std::uint32_t last) {
  const Layer& now = s.now;
  std::fill(s.now_c + now.offset[first], s.now_c + now.offset[last], 0.0);
  each_edge(now, s.then, first, last, [&](const Edge& e) MINEPROOF_INLINE_LAMBDA {
    s.mass[e.mines] +=
        gather(s.from + e.from, s.now_c + e.from, s.then_c + e.to, edge_weight(now, s.weight, e), e.window);
  });
}
void backward_any(const BackwardStep& s, std::uint32_t first, std::uint32_t last) { backward_loop(s, first, last); }
MINEPROOF_AVX2 void backward_avx2(const BackwardStep& s, std::uint32_t first, std::uint32_t last) {
  backward_loop(s, first, last);
}

// Memory of the pass.
struct Scratch {
  double* then_c;
  double* now_c;
  double* weight;
  double* mass;

  Scratch(const PathProgram& p, Arena& arena) {
    const std::size_t most = p.most_entries();
    const std::size_t lists = p.most_lists();
    then_c = arena.take<double>(most);
    now_c = arena.take<double>(most);
    weight = arena.take<double>(lists);
    mass = arena.take<double>(lists);
  }
};

// Is anything in a step too small for a double?
bool loses(const BackwardStep& s) {
  bool lost = false;
  each_edge(s.now, s.then, [&](const Edge& e) {
    const double w = edge_weight(s.now, s.weight, e);
    for (std::uint32_t m = 0; m < e.window && !lost; ++m) {
      const double x = w * s.then_c[e.to + m];
      const double a = s.from[e.from + m];
      lost = s.then_c[e.to + m] > 0 && (too_small(x) || (a > 0 && too_small(a * x)));
    }
  });
  return lost;
}

// Updates the smallest exponent after one step backward, given that its forward coefficients are no smaller than
// 2^least, and notes whether a product underflowed. The entries are read only where these bounds do not decide it.
void track_smallest(const BackwardStep& s, double fugacity, std::int32_t least, LayerDepth& depth) {
  const std::int32_t edge = least_edge(s.now, fugacity);
  if (std::min(depth.least, 0) + std::min(least, 0) + edge < kLeastExponent) {
    depth.least = smallest_exponent(s.then_c, s.then.entries());
    least = smallest_exponent(s.from, s.now.entries());
    if (std::min(depth.least, 0) + std::min(least, 0) + edge < kLeastExponent)
      depth.lost = depth.lost || edge < kLeastExponent || loses(s);
  }
  depth.least += edge;
}

// Fills the outside weights of layer t and the odds of its box. Forward coefficients are no smaller than 2^least;
// `depth` is that of the outside weights.
void backward_step(const PathProgram& p, std::int32_t t, double fugacity, const double* from, std::int32_t least,
                   const Scratch& scratch, Workspace& ws, BoxOdds& odds, LayerDepth& depth) {
  const BackwardStep s{p.layer[t], p.layer[t + 1], from, scratch.then_c, scratch.now_c, scratch.weight, scratch.mass};
  const Layer& now = s.now;
  const std::int32_t size = p.size[p.box[t]];
  box_weights(size, now.lists, fugacity, scratch.weight);
  track_smallest(s, fugacity, least, depth);
  std::fill_n(scratch.mass, now.lists, 0.0);
  const auto loop = now.entries() > kWide && has_avx2() ? backward_avx2 : backward_any;
  for (std::uint32_t i = 0; i < now.states;) {
    const std::uint32_t end = slice(now, i);
    loop(s, i, end);
    ws.spend(static_cast<std::int64_t>(now.offset[end] - now.offset[i]) * 3 + (end - i) * now.lists);
    i = end;
  }
  odds = BoxOdds::of_mass(scratch.mass, now.lists, size);
}

// The forward coefficients of layers begin..end-1, of which only the first was kept: gone over again. `lost` becomes
// true where something is too small for a double.
double** forward_again(const PathProgram& p, const PathForward& f, std::int32_t begin, std::int32_t end, double* weight,
                       Workspace& ws, bool& lost) {
  LayerDepth depth{f.least[begin], false};
  double** layer = ws.arena.take<double*>(static_cast<std::size_t>(end - begin));
  layer[0] = f.coefficient[begin];
  RangeWatch watch(p, f.fugacity);
  for (std::int32_t t = begin; t + 1 < end; ++t) {
    const std::size_t entries = p.layer[t + 1].entries();
    double* to = layer[t + 1 - begin] = ws.arena.take<double>(entries);
    forward_step(p, t, f.fugacity, layer[t - begin], to, weight, ws, depth);
    if (watch.due(t)) rescale(to, entries, depth);
    f.least[t + 1] = depth.least;
  }
  lost = lost || depth.lost;
  return layer;
}

}  // namespace

bool backward(const PathProgram& p, const PathForward& f, const double* outside, Workspace& ws, BoxOdds* odds) {
  if (backward_short(p, f, outside, ws, odds)) return false;
  Arena& arena = ws.arena;
  const Arena::Mark mark = arena.mark();
  Scratch scratch(p, arena);
  std::copy_n(outside, p.last().entries(), scratch.then_c);
  LayerDepth depth{smallest_exponent(outside, p.last().entries()), false};
  RangeWatch watch(p, f.fugacity);
  for (std::int32_t end = p.steps; end > 0;) {
    std::int32_t begin = end - 1;
    while (!f.coefficient[begin]) --begin;
    const Arena::Mark inner = arena.mark();
    double* const* from = f.coefficient + begin;
    if (end - begin > 1) from = forward_again(p, f, begin, end, scratch.weight, ws, depth.lost);
    for (std::int32_t t = end - 1; t >= begin; --t) {
      backward_step(p, t, f.fugacity, from[t - begin], f.least[t], scratch, ws, odds[p.box[t]], depth);
      if (watch.due(t)) rescale(scratch.now_c, p.layer[t].entries(), depth);
      std::swap(scratch.now_c, scratch.then_c);
    }
    arena.release(inner);
    end = begin;
  }
  arena.release(mark);
  return depth.lost;
}

// -------------------------------------------------------------------------------- both, in extended range

// For weights so far apart that doubles lose all that counts. This is rare, so it is kept simple.

namespace {

using Real = long double;
constexpr int kExtendedRange = 4000;

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
  if (e > -kExtendedRange && e < kExtendedRange) return 0;
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

// ------------------- both, in truth values: which mine counts are possible, and what follows for each box

namespace {

// Which coefficients of the next layer are reached from those of this one; `to` is all 0 before.
void reach(const Layer& now, const Layer& then, const std::uint8_t* from, std::uint8_t* to, Workspace& ws) {
  each_edge(now, then, [&](const Edge& e) {
    for (std::uint32_t m = 0; m < e.window; ++m) to[e.to + m] |= from[e.from + m];
  });
  ws.spend(then.entries() / 4 + now.states * now.lists);
}

// From which coefficients of this layer some of the next are reached, and what is possible in its box where these can
// be completed.
void reach_back(const Layer& now, const Layer& then, std::int32_t size, const std::uint8_t* reached,
                const std::uint8_t* then_c, std::uint8_t* now_c, BoxOdds& odds) {
  odds.can_be_mine = odds.can_be_safe = false;
  std::fill_n(now_c, now.entries(), std::uint8_t{0});
  each_edge(now, then, [&](const Edge& e) {
    std::uint8_t any = 0;
    for (std::uint32_t m = 0; m < e.window; ++m) {
      now_c[e.from + m] |= then_c[e.to + m];
      any |= reached[e.from + m] & then_c[e.to + m];
    }
    if (any && e.mines > 0) odds.can_be_mine = true;
    if (any && e.mines < size) odds.can_be_safe = true;
  });
}

}  // namespace

void forward_support(const PathProgram& p, std::uint32_t state, Workspace& ws, std::uint64_t* bits) {
  const Arena::Mark mark = ws.arena.mark();
  const std::size_t most = p.most_entries();
  std::uint8_t* now_c = ws.arena.take<std::uint8_t>(most);
  std::uint8_t* then_c = ws.arena.take<std::uint8_t>(most);
  now_c[0] = 1;
  for (std::int32_t t = 0; t < p.steps; ++t) {
    const Layer& then = p.layer[t + 1];
    std::fill_n(then_c, then.entries(), std::uint8_t{0});
    reach(p.layer[t], then, now_c, then_c, ws);
    std::swap(now_c, then_c);
  }
  const Layer& last = p.last();
  const std::uint32_t n = last.window(state);
  std::fill_n(bits, (n + 63) / 64, std::uint64_t{0});
  for (std::uint32_t m = 0; m < n; ++m) {
    if (now_c[last.offset[state] + m]) bits[m >> 6] |= std::uint64_t{1} << (m & 63);
  }
  ws.arena.release(mark);
}

void backward_support(const PathProgram& p, const std::uint8_t* outside, Workspace& ws, BoxOdds* odds) {
  const Arena::Mark mark = ws.arena.mark();
  // Truth values are small: all forward layers are kept.
  std::uint8_t** reached = ws.arena.take<std::uint8_t*>(static_cast<std::size_t>(p.steps) + 1);
  for (std::int32_t t = 0; t <= p.steps; ++t) reached[t] = ws.arena.zeroed<std::uint8_t>(p.layer[t].entries());
  reached[0][0] = 1;
  for (std::int32_t t = 0; t < p.steps; ++t) reach(p.layer[t], p.layer[t + 1], reached[t], reached[t + 1], ws);
  const std::size_t most = p.most_entries();
  std::uint8_t* now_c = ws.arena.take<std::uint8_t>(most);
  std::uint8_t* then_c = ws.arena.take<std::uint8_t>(most);
  for (std::uint32_t m = 0; m < p.last().entries(); ++m) then_c[m] = outside[m] ? 1 : 0;
  for (std::int32_t t = p.steps - 1; t >= 0; --t) {
    const Layer& now = p.layer[t];
    const std::int32_t box = p.box[t];
    reach_back(now, p.layer[t + 1], p.size[box], reached[t], then_c, now_c, odds[box]);
    ws.spend(now.entries() / 4 + now.states * now.lists);
    std::swap(now_c, then_c);
  }
  ws.arena.release(mark);
}

// ------------------------------------------------------------------ forward modulo a prime, for exact counts

void forward_modulo(const PathProgram& p, std::uint32_t state, std::uint64_t prime, Workspace& ws, std::uint64_t* out) {
  const Arena::Mark mark = ws.arena.mark();
  const std::size_t most = p.most_entries();
  std::uint64_t* now_c = ws.arena.take<std::uint64_t>(most);
  std::uint64_t* then_c = ws.arena.take<std::uint64_t>(most);
  now_c[0] = 1;
  Residue* weight = ws.arena.take<Residue>(p.most_lists());
  for (std::int32_t t = 0; t < p.steps; ++t) {
    const Layer& now = p.layer[t];
    const Layer& then = p.layer[t + 1];
    binomials_modulo(p.size[p.box[t]], now.lists, prime, weight);
    std::fill_n(then_c, then.entries(), std::uint64_t{0});
    each_edge(now, then, [&](const Edge& e) {
      const std::uint64_t* a = now_c + e.from;
      std::uint64_t* b = then_c + e.to;
      const Residue w = weight[e.mines];
      const auto add = [&](std::uint64_t& sum, std::uint64_t x) {
        x += sum;
        sum = x >= prime ? x - prime : x;
      };
      if (w.value == 1) {
        for (std::uint32_t m = 0; m < e.window; ++m) add(b[m], a[m]);
      } else {
        for (std::uint32_t m = 0; m < e.window; ++m) add(b[m], w.times(a[m], prime));
      }
    });
    ws.spend(static_cast<std::int64_t>(then.entries()) * 3 + now.states * now.lists);
    std::swap(now_c, then_c);
  }
  const Layer& last = p.last();
  std::copy_n(now_c + last.offset[state], last.window(state), out);
  ws.arena.release(mark);
}

}  // namespace mineproof::exact

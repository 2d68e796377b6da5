// The forward pass of a path program in doubles.
#include <algorithm>
#include <cmath>

#include "path_short.hpp"

namespace mineproof::exact {

namespace {

// A layer whose largest entry has left 2^-kRange..2^kRange is brought back to 2^0. Between two looks, kEvery layers
// apart, a layer grows by no more than the sum of its box weights a step.
constexpr int kRange = 200;
constexpr int kEvery = 8;
constexpr double kMostGrowth = 300;  // bits

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

int rescale(double* c, std::size_t n, Depth& depth) {
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

Watch::Watch(const PathProgram& p, double fugacity)
    : p_(p), growth_(1 + std::abs(static_cast<double>(std::ilogb(fugacity)))) {}

bool Watch::due(std::int32_t t) {
  grown_ += p_.size[p_.box[t]] * growth_;
  if (t % kEvery != 0 && grown_ <= kMostGrowth && !p_.layer[t].factor) return false;
  grown_ = 0;
  return true;
}

void forward_step(const PathProgram& p, std::int32_t t, double fugacity, const double* from, double* to, double* weight,
                  Workspace& ws, Depth& depth) {
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
  Watch watch(p, fugacity);
  Depth depth;
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

}  // namespace mineproof::exact

// Running a compiled path program: forward and backward over its edges, in doubles, truth values or residues.
#include <algorithm>
#include <cmath>

#include "binomial.hpp"
#include "path.hpp"
#include "vector.hpp"

namespace mineproof::exact {

namespace {

constexpr std::size_t kWide = 256;  // entries of a layer from which the vector loops are worth a call

std::uint32_t window(const Layer& layer, std::uint32_t state) { return layer.offset[state + 1] - layer.offset[state]; }

// Weights of k = 0..lists-1 mines in a box: binomials times fugacity^k.
void box_weights(std::int32_t size, std::int32_t lists, double fugacity, double* out) {
  double w = 1;
  for (std::int32_t k = 0; k < lists; ++k) {
    out[k] = w;
    w = w * (size - k) / (k + 1);
  }
  double z = 1;
  for (std::int32_t k = 1; k < lists; ++k) out[k] *= z *= fugacity;
}

std::int32_t most_lists(const PathProgram& p) {
  std::int32_t most = 1;
  for (std::int32_t t = 0; t < p.steps; ++t) most = std::max(most, p.layer[t].lists);
  return most;
}

// b += w c, and the sum of a w c.
MINEPROOF_INLINE double gather(const double* __restrict a, double* __restrict b, const double* __restrict c, double w, std::uint32_t n) {
  double dot = 0;
  std::uint32_t m = 0;
  if (n >= 8) {  // four sums side by side, for the vector units
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (; m + 4 <= n; m += 4) {
      const double x0 = w * c[m], x1 = w * c[m + 1], x2 = w * c[m + 2], x3 = w * c[m + 3];
      b[m] += x0;
      b[m + 1] += x1;
      b[m + 2] += x2;
      b[m + 3] += x3;
      s0 += a[m] * x0;
      s1 += a[m + 1] * x1;
      s2 += a[m + 2] * x2;
      s3 += a[m + 3] * x3;
    }
    dot = (s0 + s1) + (s2 + s3);
  }
  for (; m < n; ++m) {
    const double x = w * c[m];
    b[m] += x;
    dot += a[m] * x;
  }
  return dot;
}

// Scaling: a layer whose largest entry has left 2^-kRange..2^kRange is brought back to 2^0. Looked at every few layers;
// between two looks a layer can grow by no more than the sum of its box weights a step.
constexpr int kRange = 200;
constexpr int kEvery = 8;

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

int rescale(double* c, std::size_t n) {
  const double most = largest(c, n);
  if (most == 0) return 0;
  int e;
  std::frexp(most, &e);
  if (e >= -kRange && e <= kRange) return 0;
  // Two factors: 2^-e itself may be out of range.
  const double a = std::ldexp(1.0, -(e / 2));
  const double b = std::ldexp(1.0, -(e - e / 2));
  for (std::size_t i = 0; i < n; ++i) c[i] = c[i] * a * b;
  return e;
}

// Bits by which a layer can grow or shrink for each cell of its box: where boxes are large, looking every few layers is
// not enough.
double growth(double fugacity) { return 1 + std::abs(static_cast<double>(std::ilogb(fugacity))); }


// The end of a run of states, from `first` on, that is a fraction of a millisecond of work: interruption is looked at
// between runs.
std::uint32_t slice(const Layer& layer, std::uint32_t first) {
  constexpr std::uint32_t kEntries = 200'000;
  if (layer.offset[layer.states] - layer.offset[first] <= kEntries) return layer.states;
  const std::uint32_t* end = std::upper_bound(layer.offset + first + 1, layer.offset + layer.states, layer.offset[first] + kEntries);
  return static_cast<std::uint32_t>(end - layer.offset);
}

MINEPROOF_INLINE void forward_loop(const Layer& now, const Layer& then, const double* __restrict from, double* __restrict to, const double* weight,
                                   std::uint32_t first, std::uint32_t last) {
  std::size_t e = static_cast<std::size_t>(first) * static_cast<std::size_t>(now.lists);
  for (std::uint32_t i = first; i < last; ++i) {
    const double* a = from + now.offset[i];
    const std::uint32_t n = window(now, i);
    for (std::int32_t k = 0; k < now.lists; ++k, ++e) {
      const std::uint32_t j = now.next[e];
      if (j == kDead) continue;
      double* b = to + then.offset[j] + (now.low[i] + k - then.low[j]);
      const double w = now.factor ? weight[k] * now.factor[e] : weight[k];
      for (std::uint32_t m = 0; m < n; ++m) b[m] += w * a[m];
    }
  }
}
void forward_any(const Layer& a, const Layer& b, const double* c, double* d, const double* e, std::uint32_t f, std::uint32_t l) { forward_loop(a, b, c, d, e, f, l); }
MINEPROOF_AVX2 void forward_avx2(const Layer& a, const Layer& b, const double* c, double* d, const double* e, std::uint32_t f, std::uint32_t l) { forward_loop(a, b, c, d, e, f, l); }

// One step of the forward pass, from layer t to layer t + 1.
void forward_step(const PathProgram& p, std::int32_t t, double fugacity, const double* from, double* to, double* weight, Workspace& ws) {
  const Layer& now = p.layer[t];
  const Layer& then = p.layer[t + 1];
  box_weights(p.size[p.box[t]], now.lists, fugacity, weight);
  const std::size_t entries = then.offset[then.states];
  std::fill_n(to, entries, 0.0);
  const auto loop = entries > kWide && has_avx2() ? forward_avx2 : forward_any;
  for (std::uint32_t i = 0; i < now.states;) {
    const std::uint32_t end = slice(now, i);
    loop(now, then, from, to, weight, i, end);
    ws.spend(static_cast<std::int64_t>(now.offset[end] - now.offset[i]) * 2 + (end - i) * now.lists);
    i = end;
  }
}

// When a layer's range is looked at; the same going over a part of the layers again.
class Watch {
 public:
  Watch(const PathProgram& p, double fugacity) : p_(p), growth_(growth(fugacity)) {}
  bool due(std::int32_t t) {
    grown_ += p_.size[p_.box[t]] * growth_;
    if (t % kEvery != 0 && grown_ <= 300 && !p_.layer[t].factor) return false;
    grown_ = 0;
    return true;
  }

 private:
  const PathProgram& p_;
  double growth_;
  double grown_ = 0;
};

}  // namespace

void forward(const PathProgram& p, double fugacity, Workspace& ws, PathForward& out) {
  Arena& arena = ws.arena;
  out.fugacity = fugacity;
  out.exponent = 0;
  out.coefficient = arena.take<double*>(static_cast<std::size_t>(p.steps) + 1);
  double* weight = arena.take<double>(static_cast<std::size_t>(most_lists(p)));
  out.coefficient[0] = arena.take<double>(1);
  out.coefficient[0][0] = 1;
  Watch watch(p, fugacity);
  if (p.entries <= ws.keep_entries) {
    for (std::int32_t t = 0; t < p.steps; ++t) {
      const std::size_t entries = p.layer[t + 1].offset[p.layer[t + 1].states];
      double* to = out.coefficient[t + 1] = arena.take<double>(entries);
      forward_step(p, t, fugacity, out.coefficient[t], to, weight, ws);
      if (watch.due(t)) out.exponent += rescale(to, entries);
    }
    return;
  }
  // Checkpoints: a layer is kept whenever the entries since the last one reach the size at which kept layers and one
  // stretch between them need the same memory.
  const double mean = static_cast<double>(p.entries) / p.steps;
  const std::int64_t stretch = static_cast<std::int64_t>(std::sqrt(static_cast<double>(p.entries) * mean));
  std::size_t most = 1;
  for (std::int32_t t = 0; t <= p.steps; ++t) most = std::max<std::size_t>(most, p.layer[t].offset[p.layer[t].states]);
  std::int64_t since = 0;
  for (std::int32_t t = 0; t < p.steps; ++t) {
    const std::int64_t entries = p.layer[t + 1].offset[p.layer[t + 1].states];
    since += entries;
    out.coefficient[t + 1] = nullptr;
    if (since >= stretch || t + 1 == p.steps) {
      out.coefficient[t + 1] = arena.take<double>(static_cast<std::size_t>(entries));
      since = 0;
    }
  }
  const Arena::Mark mark = arena.mark();
  double* buffer[2] = {arena.take<double>(most), arena.take<double>(most)};
  const double* from = out.coefficient[0];
  for (std::int32_t t = 0; t < p.steps; ++t) {
    double* to = out.coefficient[t + 1] ? out.coefficient[t + 1] : buffer[t & 1];
    forward_step(p, t, fugacity, from, to, weight, ws);
    if (watch.due(t)) out.exponent += rescale(to, p.layer[t + 1].offset[p.layer[t + 1].states]);
    from = to;
  }
  arena.release(mark);
}

Polynomial final_polynomial(const PathProgram& p, const PathForward& f, std::uint32_t state, Workspace& ws) {
  const Layer& last = p.layer[p.steps];
  Polynomial out;
  out.first = last.low[state];
  out.length = static_cast<std::int32_t>(window(last, state));
  out.c = f.coefficient[p.steps] + last.offset[state];
  out.exponent = f.exponent;
  out.support = ws.arena.zeroed<std::uint64_t>(static_cast<std::size_t>(out.length + 63) / 64);
  for (std::int32_t i = 0; i < out.length; ++i) {
    if (out.c[i] > 0) out.support[i >> 6] |= std::uint64_t{1} << (i & 63);
  }
  return out;
}

namespace {

MINEPROOF_INLINE void backward_loop(const Layer& now, const Layer& then, const double* from, const double* then_c, double* now_c, const double* weight,
                                    double* mass, std::uint32_t first, std::uint32_t last) {
  std::size_t e = static_cast<std::size_t>(first) * static_cast<std::size_t>(now.lists);
  for (std::uint32_t i = first; i < last; ++i) {
    const double* a = from + now.offset[i];
    double* b = now_c + now.offset[i];
    const std::uint32_t n = window(now, i);
    std::fill_n(b, n, 0.0);
    for (std::int32_t k = 0; k < now.lists; ++k, ++e) {
      const std::uint32_t j = now.next[e];
      if (j == kDead) continue;
      const double* c = then_c + then.offset[j] + (now.low[i] + k - then.low[j]);
      const double w = now.factor ? weight[k] * now.factor[e] : weight[k];
      mass[k] += gather(a, b, c, w, n);
    }
  }
}
void backward_any(const Layer& a, const Layer& b, const double* c, const double* d, double* e, const double* f, double* g, std::uint32_t h, std::uint32_t l) {
  backward_loop(a, b, c, d, e, f, g, h, l);
}
MINEPROOF_AVX2 void backward_avx2(const Layer& a, const Layer& b, const double* c, const double* d, double* e, const double* f, double* g, std::uint32_t h,
                                  std::uint32_t l) {
  backward_loop(a, b, c, d, e, f, g, h, l);
}

// The backward pass over one step: fills the layer's own outside weights and the odds of its box.
void backward_step(const PathProgram& p, std::int32_t t, double fugacity, const double* from, const double* then_c, double* now_c, double* weight,
                   double* mass, Workspace& ws, BoxOdds& odds) {
  const Layer& now = p.layer[t];
  const Layer& then = p.layer[t + 1];
  const std::int32_t size = p.size[p.box[t]];
  box_weights(size, now.lists, fugacity, weight);
  std::fill_n(mass, now.lists, 0.0);
  const auto loop = now.offset[now.states] > kWide && has_avx2() ? backward_avx2 : backward_any;
  for (std::uint32_t i = 0; i < now.states;) {
    const std::uint32_t end = slice(now, i);
    loop(now, then, from, then_c, now_c, weight, mass, i, end);
    ws.spend(static_cast<std::int64_t>(now.offset[end] - now.offset[i]) * 3 + (end - i) * now.lists);
    i = end;
  }
  odds = BoxOdds::of_mass(mass, now.lists, size);
}

}  // namespace

void backward(const PathProgram& p, const PathForward& f, const double* outside, Workspace& ws, BoxOdds* odds) {
  Arena& arena = ws.arena;
  const Arena::Mark mark = arena.mark();
  std::size_t most = 1;
  for (std::int32_t t = 0; t <= p.steps; ++t) most = std::max<std::size_t>(most, p.layer[t].offset[p.layer[t].states]);
  double* then_c = arena.take<double>(most);
  double* now_c = arena.take<double>(most);
  const std::size_t lists = static_cast<std::size_t>(most_lists(p));
  double* weight = arena.take<double>(lists);
  double* mass = arena.take<double>(lists);
  const Layer& last = p.layer[p.steps];
  for (std::uint32_t m = 0; m < last.offset[last.states]; ++m) then_c[m] = outside[m];
  Watch watch(p, f.fugacity);
  double** stretch = nullptr;  // coefficients of the layers between two kept ones
  std::int32_t end = p.steps;
  while (end > 0) {
    std::int32_t begin = end - 1;
    while (!f.coefficient[begin]) --begin;
    const Arena::Mark inner = arena.mark();
    if (end - begin > 1) {
      stretch = arena.take<double*>(static_cast<std::size_t>(end - begin));
      stretch[0] = f.coefficient[begin];
      Watch again(p, f.fugacity);
      for (std::int32_t t = begin; t + 1 < end; ++t) {
        const std::size_t entries = p.layer[t + 1].offset[p.layer[t + 1].states];
        double* to = stretch[t + 1 - begin] = arena.take<double>(entries);
        forward_step(p, t, f.fugacity, stretch[t - begin], to, weight, ws);
        if (again.due(t)) rescale(to, entries);
      }
    }
    for (std::int32_t t = end - 1; t >= begin; --t) {
      const double* from = t == begin ? f.coefficient[t] : stretch[t - begin];
      backward_step(p, t, f.fugacity, from, then_c, now_c, weight, mass, ws, odds[p.box[t]]);
      if (watch.due(t)) rescale(now_c, p.layer[t].offset[p.layer[t].states]);
      std::swap(now_c, then_c);
    }
    arena.release(inner);
    end = begin;
  }
  arena.release(mark);
}

void forward_support(const PathProgram& p, std::uint32_t state, Workspace& ws, std::uint64_t* bits) {
  const Arena::Mark mark = ws.arena.mark();
  std::size_t most = 1;
  for (std::int32_t t = 0; t <= p.steps; ++t) most = std::max<std::size_t>(most, p.layer[t].offset[p.layer[t].states]);
  std::uint8_t* now_c = ws.arena.take<std::uint8_t>(most);
  std::uint8_t* then_c = ws.arena.take<std::uint8_t>(most);
  now_c[0] = 1;
  for (std::int32_t t = 0; t < p.steps; ++t) {
    const Layer& now = p.layer[t];
    const Layer& then = p.layer[t + 1];
    std::fill_n(then_c, then.offset[then.states], std::uint8_t{0});
    std::size_t e = 0;
    for (std::uint32_t i = 0; i < now.states; ++i) {
      const std::uint8_t* a = now_c + now.offset[i];
      const std::uint32_t n = window(now, i);
      for (std::int32_t k = 0; k < now.lists; ++k, ++e) {
        const std::uint32_t j = now.next[e];
        if (j == kDead) continue;
        std::uint8_t* b = then_c + then.offset[j] + (now.low[i] + k - then.low[j]);
        for (std::uint32_t m = 0; m < n; ++m) b[m] |= a[m];
      }
    }
    ws.spend(then.offset[then.states] / 4 + now.states * now.lists);
    std::swap(now_c, then_c);
  }
  const Layer& last = p.layer[p.steps];
  const std::uint32_t n = window(last, state);
  std::fill_n(bits, (n + 63) / 64, std::uint64_t{0});
  for (std::uint32_t m = 0; m < n; ++m) {
    if (now_c[last.offset[state] + m]) bits[m >> 6] |= std::uint64_t{1} << (m & 63);
  }
  ws.arena.release(mark);
}

void backward_support(const PathProgram& p, const std::uint8_t* outside, Workspace& ws, BoxOdds* odds) {
  const Arena::Mark mark = ws.arena.mark();
  // Truth values are small: all forward layers are kept.
  std::uint8_t** reach = ws.arena.take<std::uint8_t*>(static_cast<std::size_t>(p.steps) + 1);
  std::size_t most = 1;
  for (std::int32_t t = 0; t <= p.steps; ++t) {
    const std::size_t n = p.layer[t].offset[p.layer[t].states];
    reach[t] = ws.arena.zeroed<std::uint8_t>(n);
    most = std::max(most, n);
  }
  reach[0][0] = 1;
  for (std::int32_t t = 0; t < p.steps; ++t) {
    const Layer& now = p.layer[t];
    const Layer& then = p.layer[t + 1];
    std::size_t e = 0;
    for (std::uint32_t i = 0; i < now.states; ++i) {
      const std::uint8_t* a = reach[t] + now.offset[i];
      const std::uint32_t n = window(now, i);
      for (std::int32_t k = 0; k < now.lists; ++k, ++e) {
        const std::uint32_t j = now.next[e];
        if (j == kDead) continue;
        std::uint8_t* b = reach[t + 1] + then.offset[j] + (now.low[i] + k - then.low[j]);
        for (std::uint32_t m = 0; m < n; ++m) b[m] |= a[m];
      }
    }
    ws.spend(then.offset[then.states] / 4 + now.states * now.lists);
  }
  std::uint8_t* now_c = ws.arena.take<std::uint8_t>(most);
  std::uint8_t* then_c = ws.arena.take<std::uint8_t>(most);
  const Layer& last = p.layer[p.steps];
  for (std::uint32_t m = 0; m < last.offset[last.states]; ++m) then_c[m] = outside[m] ? 1 : 0;
  for (std::int32_t t = p.steps - 1; t >= 0; --t) {
    const Layer& now = p.layer[t];
    const Layer& then = p.layer[t + 1];
    const std::int32_t box = p.box[t];
    BoxOdds& o = odds[box];
    o.can_be_mine = o.can_be_safe = false;
    std::size_t e = 0;
    for (std::uint32_t i = 0; i < now.states; ++i) {
      const std::uint8_t* a = reach[t] + now.offset[i];
      std::uint8_t* b = now_c + now.offset[i];
      const std::uint32_t n = window(now, i);
      std::fill_n(b, n, std::uint8_t{0});
      for (std::int32_t k = 0; k < now.lists; ++k, ++e) {
        const std::uint32_t j = now.next[e];
        if (j == kDead) continue;
        const std::uint8_t* c = then_c + then.offset[j] + (now.low[i] + k - then.low[j]);
        std::uint8_t any = 0;
        for (std::uint32_t m = 0; m < n; ++m) {
          b[m] |= c[m];
          any |= a[m] & c[m];
        }
        if (any && k > 0) o.can_be_mine = true;
        if (any && k < p.size[box]) o.can_be_safe = true;
      }
    }
    ws.spend(now.offset[now.states] / 4 + now.states * now.lists);
    std::swap(now_c, then_c);
  }
  ws.arena.release(mark);
}

void forward_modulo(const PathProgram& p, std::uint32_t state, std::uint64_t prime, Workspace& ws, std::uint64_t* out) {
  const Arena::Mark mark = ws.arena.mark();
  std::size_t most = 1;
  for (std::int32_t t = 0; t <= p.steps; ++t) most = std::max<std::size_t>(most, p.layer[t].offset[p.layer[t].states]);
  std::uint64_t* now_c = ws.arena.take<std::uint64_t>(most);
  std::uint64_t* then_c = ws.arena.take<std::uint64_t>(most);
  now_c[0] = 1;
  const std::size_t lists = static_cast<std::size_t>(most_lists(p));
  Residue* weight = ws.arena.take<Residue>(lists);
  for (std::int32_t t = 0; t < p.steps; ++t) {
    const Layer& now = p.layer[t];
    const Layer& then = p.layer[t + 1];
    binomials_modulo(p.size[p.box[t]], now.lists, prime, weight);
    std::fill_n(then_c, then.offset[then.states], std::uint64_t{0});
    std::size_t e = 0;
    for (std::uint32_t i = 0; i < now.states; ++i) {
      const std::uint64_t* a = now_c + now.offset[i];
      const std::uint32_t n = window(now, i);
      for (std::int32_t k = 0; k < now.lists; ++k, ++e) {
        const std::uint32_t j = now.next[e];
        if (j == kDead) continue;
        std::uint64_t* b = then_c + then.offset[j] + (now.low[i] + k - then.low[j]);
        if (weight[k].value == 1) {
          for (std::uint32_t m = 0; m < n; ++m) {
            const std::uint64_t x = b[m] + a[m];
            b[m] = x >= prime ? x - prime : x;
          }
        } else {
          for (std::uint32_t m = 0; m < n; ++m) {
            const std::uint64_t x = b[m] + weight[k].times(a[m], prime);
            b[m] = x >= prime ? x - prime : x;
          }
        }
      }
    }
    ws.spend(static_cast<std::int64_t>(then.offset[then.states]) * 3 + now.states * now.lists);
    std::swap(now_c, then_c);
  }
  const Layer& last = p.layer[p.steps];
  std::copy_n(now_c + last.offset[state], window(last, state), out);
  ws.arena.release(mark);
}

}  // namespace mineproof::exact

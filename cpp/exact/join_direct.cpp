// Joining components by convolution.
#include <algorithm>
#include <cmath>

#include "join_ways.hpp"
#include "tail.hpp"

namespace mineproof::exact {

namespace {

// Brings the largest entry to [0.5, 1) and gives the power of two taken out.
int normalize(double* c, std::int64_t n) {
  double most = 0;
  for (std::int64_t i = 0; i < n; ++i) most = std::max(most, c[i]);
  if (!(most > 0)) return 0;
  int e;
  std::frexp(most, &e);
  if (e > -64 && e < 64) return 0;
  const double a = std::ldexp(1.0, -(e / 2));
  const double b = std::ldexp(1.0, -(e - e / 2));
  for (std::int64_t i = 0; i < n; ++i) c[i] = c[i] * a * b;
  return e;
}

// Products of the first i polynomials, i = 0..count: the weight of first[i] + j mines is c[i][j].
struct Prefixes {
  std::int64_t* first;
  std::int64_t* length;
  double** c;
};

// Trimmed to what `high` mines allow. `exponent` becomes the power of two taken out of the last one.
Prefixes prefixes(const Pool& pool, std::int64_t high, Workspace& ws, std::int64_t* exponent) {
  const std::size_t n = static_cast<std::size_t>(pool.count) + 1;
  Prefixes a{ws.arena.take<std::int64_t>(n), ws.arena.take<std::int64_t>(n), ws.arena.take<double*>(n)};
  a.first[0] = 0;
  a.length[0] = 1;
  a.c[0] = ws.arena.take<double>(1);
  a.c[0][0] = 1;
  *exponent = 0;
  for (std::int32_t i = 0; i < pool.count; ++i) {
    const Polynomial& p = *pool.poly[i];
    a.first[i + 1] = a.first[i] + p.first;
    std::int64_t length = a.length[i] + p.length - 1;
    length = std::min(length, std::max<std::int64_t>(high - a.first[i + 1] + 1, 1));
    a.length[i + 1] = length;
    double* c = a.c[i + 1] = ws.arena.zeroed<double>(static_cast<std::size_t>(length));
    for (std::int32_t m = 0; m < p.length; ++m) {
      const double w = p.c[m];
      const std::int64_t most = std::min(a.length[i], length - m);
      const double* from = a.c[i];
      for (std::int64_t j = 0; j < most; ++j) c[j + m] += w * from[j];
    }
    ws.spend(a.length[i] * p.length + 20);
    *exponent += normalize(c, length) + p.exponent;
  }
  return a;
}

// The pool with one component moved to the end; unchanged where none is asked for.
Pool with_last(const Pool& pool, std::int32_t only, Arena& arena) {
  Pool moved = pool;
  if (only == kAll) return moved;
  const Polynomial** list = arena.take<const Polynomial*>(static_cast<std::size_t>(pool.count));
  std::int32_t n = 0;
  for (std::int32_t i = 0; i < pool.count; ++i) {
    if (i != only) list[n++] = pool.poly[i];
  }
  list[n] = pool.poly[only];
  moved.poly = list;
  return moved;
}

// The total weight, and the sea.
void weigh_all(const Pool& pool, const Prefixes& a, const Tail& t, std::int64_t exponent, Joined& out) {
  const std::int32_t n = pool.count;
  double all = 0;
  double mines = 0;
  for (std::int64_t i = 0; i < t.length; ++i) {
    const double f = a.c[n][t.first + i - a.first[n]];
    all += f * t.value[i];
    mines += f * t.mines[i];
  }
  out.sea_p = pool.sea > 0 && all > 0 ? mines / (all * static_cast<double>(pool.sea)) : 0;
  out.log_weight = std::log(all) + t.log_scale + static_cast<double>(exponent) * std::log(2.0);
}

}  // namespace

void join_direct(const Pool& pool, std::int32_t only, const Possible& possible, Workspace& ws, Joined& out) {
  std::int64_t exponent;
  const Pool others = with_last(pool, only, ws.arena);
  const Prefixes a = prefixes(others, room(pool).high, ws, &exponent);
  const std::int32_t n = pool.count;
  const Tail t = tail(pool, a.first[n], a.first[n] + a.length[n] - 1, ws);
  weigh_all(pool, a, t, exponent, out);
  // Backward: b holds, for j mines in the components before i, the weight of the rest.
  std::int64_t b_length = a.length[n];
  double* b = ws.arena.zeroed<double>(static_cast<std::size_t>(b_length));
  for (std::int64_t i = 0; i < t.length; ++i) b[t.first + i - a.first[n]] = t.value[i];
  for (std::int32_t i = n - 1; i >= 0; --i) {
    const Polynomial& p = *others.poly[i];
    const std::int32_t index = only == kAll ? i : only;
    double* w = out.outside[index] = ws.arena.take<double>(static_cast<std::size_t>(p.length));
    const bool more = i > 0 && only == kAll;
    double* before = more ? ws.arena.zeroed<double>(static_cast<std::size_t>(a.length[i])) : nullptr;
    // b index of (j in prefix, m in component) is j + m, since firsts add up.
    for (std::int32_t m = 0; m < p.length; ++m) {
      const std::int64_t most = std::min(a.length[i], b_length - m);
      const double* from = a.c[i];
      double dot = 0;
      for (std::int64_t j = 0; j < most; ++j) dot += from[j] * b[j + m];
      w[m] = dot;
      if (more) {
        for (std::int64_t j = 0; j < most; ++j) before[j] += p.c[m] * b[j + m];
      }
    }
    ws.spend(a.length[i] * p.length * 2 + 20);
    settle(p, possible.mask[index], w);
    if (!more) break;
    normalize(before, a.length[i]);
    b = before;
    b_length = a.length[i];
  }
}

FrontierSpread frontier_spread(const Pool& pool, Workspace& ws) {
  std::int64_t exponent;
  const Prefixes a = prefixes(pool, room(pool).high, ws, &exponent);
  const Tail t = tail(pool, a.first[pool.count], a.first[pool.count] + a.length[pool.count] - 1, ws);
  FrontierSpread out{t.first, t.length, ws.arena.take<double>(static_cast<std::size_t>(t.length))};
  for (std::int64_t i = 0; i < t.length; ++i)
    out.p[i] = a.c[pool.count][t.first + i - a.first[pool.count]] * t.value[i];
  return out;
}

}  // namespace mineproof::exact

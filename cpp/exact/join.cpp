// Joining components: what the number of mines leaves possible, the weight of the sea, and two ways to sum.
#include "join.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

namespace mineproof::exact {

namespace {

using Kind = Prior::Kind;

// Outside weights are kept above this part of their largest, so that products with them do not underflow.
constexpr double kFloor = 0x1p-400;

// Independent cells: every component stands alone. 0 < chance < 1.
void join_density(const JoinInput& pool, Workspace& ws, JoinResult& out) {
  const double d = pool.prior.chance;
  const double step = d / (1 - d) / pool.fugacity;
  out.log_weight = static_cast<double>(pool.known) * std::log(d) +
                   static_cast<double>(pool.cells - pool.known - pool.sea) * std::log1p(-d);
  for (std::int32_t i = 0; i < pool.count; ++i) {
    const Polynomial& p = *pool.poly[i];
    double* w = out.outside[i] = ws.arena.take<double>(static_cast<std::size_t>(p.length));
    // Powers of the step from the largest on: none overflows, and what is possible does not underflow.
    const std::int32_t largest = step > 1 ? p.length - 1 : 0;
    const double part = step > 1 ? 1 / step : step;
    double all = 0;
    double x = 1;
    for (std::int32_t k = 0; k < p.length; ++k, x *= part) {
      const std::int32_t m = step > 1 ? largest - k : k;
      w[m] = std::max(x, kFloor);
      all += p.c[m] * w[m];
    }
    out.log_weight += std::log(all) + static_cast<double>(p.exponent) * std::log(2.0);
    out.log_weight += static_cast<double>(p.first + largest) * std::log(step);
  }
  out.sea_p = d;
  out.sea_can_be_mine = out.sea_can_be_safe = true;
}

// Whether direct convolution is much work, and the total leaves enough slack for the circle.
bool prefers_circle(const JoinInput& pool) {
  if (pool.prior.kind != Kind::total || pool.count < 24) return false;
  constexpr std::int64_t kWorth = 60'000;
  constexpr std::int64_t kSlack = 64;
  const std::int64_t left = pool.prior.mines - pool.known;
  std::int64_t low = 0, high = pool.sea, width = 1, work = 0;
  for (std::int32_t i = 0; i < pool.count; ++i) {
    const Polynomial& p = *pool.poly[i];
    low += p.first;
    high += p.first + p.length - 1;
    width += p.length - 1;
    work += std::min(width, std::max<std::int64_t>(left - low, 1)) * p.length;
  }
  return work > kWorth && left - low > kSlack && high - left > kSlack;
}

}  // namespace

void settle(const Polynomial& p, const std::uint8_t* possible, double* outside) {
  double most = 0;
  for (std::int32_t i = 0; i < p.length; ++i) {
    if (possible[i]) most = std::max(most, outside[i]);
  }
  const double floor = most > 0 ? most * kFloor : 1.0;
  for (std::int32_t i = 0; i < p.length; ++i) outside[i] = possible[i] ? std::max(outside[i], floor) : 0.0;
}

JoinResult join(const JoinInput& pool, std::int32_t only, Workspace& ws) {
  JoinResult out;
  out.outside = ws.arena.zeroed<double*>(static_cast<std::size_t>(pool.count) + 1);
  out.feasible = true;
  if (pool.prior.kind == Kind::density) {
    join_density(pool, ws, out);
    return out;
  }
  const PossibleCounts possible = possible_counts(pool, ws);
  out.feasible = possible.feasible;
  if (!possible.feasible) return out;
  out.sea_can_be_mine = possible.sea_can_be_mine;
  out.sea_can_be_safe = possible.sea_can_be_safe;
  const bool circle = pool.way == JoinInput::Way::cheaper ? prefers_circle(pool) : pool.way == JoinInput::Way::circle;
  if (circle)
    join_circle(pool, only, possible, ws, out);
  else
    join_direct(pool, only, possible, ws, out);
  return out;
}

int lost_side(const Polynomial& p, const double* outside) {
  std::int32_t inner = 0;
  std::int32_t outer = 0;
  double mass = 0;
  for (std::int32_t m = 0; m < p.length; ++m) {
    mass += p.c[m] * outside[m];
    if (p.c[m] > p.c[inner]) inner = m;
    if (outside[m] > outside[outer]) outer = m;
  }
  if (mass > 0x1p-300 * (p.c[inner] * outside[outer]) && mass > 0) return 0;
  return outer >= inner ? 1 : -1;
}

namespace {

// A set of numbers first + i as bits.
struct Sums {
  std::int64_t first = 0;
  std::int64_t length = 0;
  std::vector<std::uint64_t> bits;

  bool has(std::int64_t v) const {
    const std::int64_t i = v - first;
    return i >= 0 && i < length && (bits[static_cast<std::size_t>(i >> 6)] >> (i & 63) & 1);
  }
};

// All sums of one number of `a` and one of a component.
Sums plus(const Sums& a, const Polynomial& p, Workspace& ws) {
  Sums out;
  out.first = a.first + p.first;
  out.length = a.length + p.length - 1;
  out.bits.assign(static_cast<std::size_t>(out.length + 63) / 64, 0);
  for (std::int32_t m = 0; m < p.length; ++m) {
    if (!(p.support[m >> 6] >> (m & 63) & 1)) continue;
    const std::size_t words = static_cast<std::size_t>(m >> 6);
    const int shift = m & 63;
    for (std::size_t i = 0; i < a.bits.size(); ++i) {
      if (i + words < out.bits.size()) out.bits[i + words] |= a.bits[i] << shift;
      if (shift && i + words + 1 < out.bits.size()) out.bits[i + words + 1] |= a.bits[i] >> (64 - shift);
    }
  }
  ws.spend(static_cast<std::int64_t>(a.bits.size()) * p.length);
  return out;
}

void mask_component(const JoinInput& pool, const Sums& others, const Polynomial& p, std::uint8_t* mask) {
  for (std::int32_t m = 0; m < p.length; ++m) {
    mask[m] = 0;
    if (!p.has(p.first + m)) continue;
    for (std::int64_t i = 0; i < others.length && !mask[m]; ++i) {
      if (others.has(others.first + i)) mask[m] = fits(pool, others.first + i + p.first + m, 0, pool.sea);
    }
  }
}

// Exact sets of sums, halving the components so that each is left out once.
void halve(const JoinInput& pool, std::int32_t from, std::int32_t to, const Sums& others, Workspace& ws,
           PossibleCounts& out) {
  if (to - from == 1) {
    mask_component(pool, others, *pool.poly[from], out.mask[from]);
    return;
  }
  const std::int32_t mid = (from + to) / 2;
  Sums left = others;
  for (std::int32_t i = mid; i < to; ++i) left = plus(left, *pool.poly[i], ws);
  halve(pool, from, mid, left, ws, out);
  Sums right = others;
  for (std::int32_t i = from; i < mid; ++i) right = plus(right, *pool.poly[i], ws);
  halve(pool, mid, to, right, ws, out);
}

void exact_sets(const JoinInput& pool, Workspace& ws, PossibleCounts& out) {
  Sums none;
  none.length = 1;
  none.bits.assign(1, 1);
  Sums all = none;
  for (std::int32_t i = 0; i < pool.count; ++i) all = plus(all, *pool.poly[i], ws);
  for (std::int64_t i = 0; i < all.length; ++i) {
    const std::int64_t j = all.first + i;
    if (!all.has(j)) continue;
    out.feasible = out.feasible || fits(pool, j, 0, pool.sea);
    if (pool.sea > 0) {
      out.sea_can_be_mine = out.sea_can_be_mine || fits(pool, j, 1, pool.sea);
      out.sea_can_be_safe = out.sea_can_be_safe || fits(pool, j, 0, pool.sea - 1);
    }
  }
  if (out.feasible && pool.count) halve(pool, 0, pool.count, none, ws, out);
}

}  // namespace

bool leaves_all_open(const Ranges& r, std::int64_t left, std::int64_t sea) {
  const bool even = sea == 0 ? r.gap == 1 : sea >= r.gap;
  const bool sea_free = sea == 0 || (r.low < left && left - sea < r.high);
  return even && sea_free && r.low + r.widest <= left && left - sea <= r.high - r.widest;
}

PossibleCounts possible_counts(const JoinInput& pool, Workspace& ws) {
  PossibleCounts out;
  out.mask = ws.arena.take<std::uint8_t*>(static_cast<std::size_t>(pool.count) + 1);
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t gap = 1;  // largest distance between neighbouring possible counts of any component
  for (std::int32_t i = 0; i < pool.count; ++i) {
    const Polynomial& p = *pool.poly[i];
    out.mask[i] = ws.arena.take<std::uint8_t>(static_cast<std::size_t>(p.length));
    low += p.first;
    high += p.first + p.length - 1;
    std::int64_t run = 1;
    for (std::int32_t m = 0; m < p.length; ++m) {
      const bool here = p.support[m >> 6] >> (m & 63) & 1;
      out.mask[i][m] = here;
      run = here ? 1 : run + 1;
      gap = std::max(gap, run);
    }
  }
  const Room r = room(pool);
  // Sums of numbers whose gaps are at most `gap` have gaps of at most `gap` (change one summand at a time), so a run of
  // `gap` consecutive numbers that meets their range contains one. The sea's own tests have a run shorter by one.
  if (r.holes || r.high - r.low + 1 < gap || (pool.sea > 0 && r.high - r.low < gap)) {
    exact_sets(pool, ws, out);
    return out;
  }
  auto meets = [](std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) { return a <= d && c <= b; };
  out.feasible = meets(low, high, r.low, r.high);
  if (!out.feasible) return out;
  if (pool.sea > 0) {  // at least one mine, at least one safe cell: the room shrinks by one at one end
    out.sea_can_be_mine = meets(low, high, r.low, r.high - 1);
    out.sea_can_be_safe = meets(low, high, r.low + 1, r.high);
  }
  for (std::int32_t i = 0; i < pool.count; ++i) {
    const Polynomial& p = *pool.poly[i];
    const std::int64_t others_low = low - p.first;
    const std::int64_t others_high = high - (p.first + p.length - 1);
    // Nothing to do where every count of the component leaves room.
    if (meets(others_low, others_high, r.low - p.first, r.high - p.first) &&
        meets(others_low, others_high, r.low - p.first - p.length + 1, r.high - p.first - p.length + 1)) {
      continue;
    }
    for (std::int32_t m = 0; m < p.length; ++m) {
      out.mask[i][m] = out.mask[i][m] && meets(others_low, others_high, r.low - p.first - m, r.high - p.first - m);
    }
  }
  return out;
}

namespace {

using Kind = Prior::Kind;

// A positive number m * 2^e with m in [0.5, 1), or zero.
struct ScaledNumber {
  long double m = 0;
  std::int64_t e = 0;

  void normalize() {
    int shift;
    m = std::frexp(m, &shift);
    e += shift;
  }
};

TailWeights tail_of_total(const JoinInput& pool, std::int64_t low, std::int64_t high, Workspace& ws) {
  const std::int64_t left = pool.prior.mines - pool.known;
  TailWeights t;
  t.first = std::max(low, left - pool.sea);
  t.length = std::min(high, left) - t.first + 1;
  if (t.length <= 0) {
    t.length = 0;
    return t;
  }
  const std::size_t n = static_cast<std::size_t>(t.length);
  t.value = ws.arena.take<double>(n);
  t.mines = ws.arena.take<double>(n);
  // value(j + 1) / value(j) = (left - j) / (sea - left + j + 1) / fugacity falls with j: start at the peak.
  auto ratio = [&](std::int64_t j) {
    return static_cast<long double>(left - j) / (static_cast<long double>(pool.sea - left + j + 1) * pool.fugacity);
  };
  std::int64_t a = 0;
  std::int64_t b = t.length - 1;
  while (a < b) {
    const std::int64_t mid = (a + b) / 2;
    if (ratio(t.first + mid) >= 1)
      a = mid + 1;
    else
      b = mid;
  }
  const std::int64_t peak = a;
  long double v = 1;
  for (std::int64_t i = peak; i < t.length; ++i) {
    t.value[i] = static_cast<double>(v);
    t.mines[i] = static_cast<double>(v * static_cast<long double>(left - t.first - i));
    v *= ratio(t.first + i);
  }
  v = 1;
  for (std::int64_t i = peak - 1; i >= 0; --i) {
    v /= ratio(t.first + i);
    t.value[i] = static_cast<double>(v);
    t.mines[i] = static_cast<double>(v * static_cast<long double>(left - t.first - i));
  }
  const std::int64_t j = t.first + peak;
  const double s = static_cast<double>(pool.sea);
  const double k = static_cast<double>(left - j);
  t.log_scale = std::lgamma(s + 1) - std::lgamma(k + 1) - std::lgamma(s - k + 1) -
                static_cast<double>(j) * std::log(pool.fugacity);
  return t;
}

// Ways to lay s mines in the sea.
void fill_ways(const JoinInput& pool, ScaledNumber* ways) {
  ScaledNumber c{1, 0};
  for (std::int64_t s = 0; s <= pool.sea; ++s) {
    c.normalize();
    ways[s] = c;
    c.m *= static_cast<long double>(pool.sea - s) / static_cast<long double>(s + 1);
  }
}

// Weight of one layout with k mines in all.
void fill_layouts(const JoinInput& pool, ScaledNumber* layout) {
  ScaledNumber c{1, 0};
  for (std::int64_t k = 0; k <= pool.cells; ++k) {
    c.normalize();
    ScaledNumber w = pool.prior.kind == Kind::number ? c : ScaledNumber{1, 0};
    w.m *= pool.prior.table[k];
    if (w.m > 0)
      w.normalize();
    else
      w.m = 0;
    layout[k] = w;
    if (k < pool.cells) c.m *= static_cast<long double>(k + 1) / static_cast<long double>(pool.cells - k);
  }
}

// Any prior by number of mines: sums over the mines of the sea.
TailWeights tail_of_table(const JoinInput& pool, std::int64_t low, std::int64_t high, Workspace& ws) {
  TailWeights t;
  t.first = low;
  t.length = std::max<std::int64_t>(0, high - low + 1);
  const std::size_t n = static_cast<std::size_t>(t.length);
  t.value = ws.arena.zeroed<double>(n);
  t.mines = ws.arena.zeroed<double>(n);
  const Arena::Mark mark = ws.arena.mark();
  ScaledNumber* ways = ws.arena.take<ScaledNumber>(static_cast<std::size_t>(pool.sea) + 1);
  ScaledNumber* layout = ws.arena.take<ScaledNumber>(static_cast<std::size_t>(pool.cells) + 1);
  fill_ways(pool, ways);
  fill_layouts(pool, layout);
  ScaledNumber* sum = ws.arena.take<ScaledNumber>(n);
  ScaledNumber* mines = ws.arena.take<ScaledNumber>(n);
  ScaledNumber tilt{1 / static_cast<long double>(pool.fugacity), 0};
  tilt.normalize();
  ScaledNumber power{1, 0};
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min() / 4;
  std::int64_t top = kNever;
  for (std::int64_t i = 0; i < t.length; ++i) {
    const std::int64_t base = pool.known + low + i;
    const std::int64_t most = std::min(pool.sea, pool.cells - base);
    std::int64_t e = kNever;
    for (std::int64_t s = 0; s <= most; ++s) {
      if (layout[base + s].m > 0) e = std::max(e, ways[s].e + layout[base + s].e);
    }
    sum[i] = mines[i] = {0, 0};
    if (e == kNever) continue;
    for (std::int64_t s = 0; s <= most; ++s) {
      const std::int64_t d = ways[s].e + layout[base + s].e - e;
      if (layout[base + s].m == 0 || d < -200) continue;
      const long double x = std::ldexp(ways[s].m * layout[base + s].m, static_cast<int>(d));
      sum[i].m += x;
      mines[i].m += x * static_cast<long double>(s);
    }
    sum[i].e = mines[i].e = e;
    ws.spend(most);
  }
  // Multiply by fugacity^-j, relative to j = low, and bring all to one scale.
  for (std::int64_t i = 0; i < t.length; ++i) {
    for (ScaledNumber* x : {&sum[i], &mines[i]}) {
      if (x->m == 0) continue;
      x->m *= power.m;
      x->e += power.e;
      x->normalize();
    }
    if (sum[i].m > 0) top = std::max(top, sum[i].e);
    power.m *= tilt.m;
    power.e += tilt.e;
    power.normalize();
  }
  for (std::int64_t i = 0; i < t.length; ++i) {
    if (sum[i].m > 0) {
      const int shift = static_cast<int>(std::max<std::int64_t>(sum[i].e - top, -5000));
      t.value[i] = static_cast<double>(std::ldexp(sum[i].m, shift));
    }
    if (mines[i].m > 0) {
      const int shift = static_cast<int>(std::max<std::int64_t>(mines[i].e - top, -5000));
      t.mines[i] = static_cast<double>(std::ldexp(mines[i].m, shift));
    }
  }
  t.log_scale = static_cast<double>(top) * std::log(2.0) - static_cast<double>(low) * std::log(pool.fugacity);
  ws.arena.release(mark);
  return t;
}

}  // namespace

TailWeights tail(const JoinInput& pool, std::int64_t low, std::int64_t high, Workspace& ws) {
  if (pool.prior.kind == Kind::total) return tail_of_total(pool, low, high, ws);
  return tail_of_table(pool, low, high, ws);
}

std::vector<double> sea_weights(const JoinInput& pool, std::int64_t j) {
  std::vector<double> out(static_cast<std::size_t>(pool.sea) + 1, 0.0);
  if (pool.prior.kind == Kind::total) {
    out[static_cast<std::size_t>(pool.prior.mines - pool.known - j)] = 1;
    return out;
  }
  std::vector<ScaledNumber> ways(out.size());
  std::vector<ScaledNumber> layout(static_cast<std::size_t>(pool.cells) + 1);
  fill_ways(pool, ways.data());
  fill_layouts(pool, layout.data());
  const std::size_t base = static_cast<std::size_t>(pool.known + j);
  bool any = false;
  std::int64_t top = 0;
  for (std::size_t s = 0; s < out.size(); ++s) {
    if (layout[base + s].m == 0) continue;
    const std::int64_t e = ways[s].e + layout[base + s].e;
    top = any ? std::max(top, e) : e;
    any = true;
  }
  for (std::size_t s = 0; s < out.size(); ++s) {
    if (layout[base + s].m == 0) continue;
    const std::int64_t e = std::max<std::int64_t>(ways[s].e + layout[base + s].e - top, -5000);
    out[s] = static_cast<double>(std::ldexp(ways[s].m * layout[base + s].m, static_cast<int>(e)));
  }
  return out;
}

Room room(const JoinInput& pool) {
  if (pool.prior.kind == Kind::total) {
    const std::int64_t left = pool.prior.mines - pool.known;
    return {left - pool.sea, left, false};
  }
  // The table's support, as far as it is one run.
  const double* w = pool.prior.table;
  std::int64_t a = 0;
  std::int64_t b = pool.cells;
  while (a <= b && !(w[a] > 0)) ++a;
  while (b >= a && !(w[b] > 0)) --b;
  if (a > b) return {};
  Room r{a - pool.known - pool.sea, b - pool.known, false};
  for (std::int64_t k = a; k <= b; ++k) r.holes = r.holes || !(w[k] > 0);
  return r;
}

bool fits(const JoinInput& pool, std::int64_t j, std::int64_t low_s, std::int64_t high_s) {
  if (pool.prior.kind == Kind::total) {
    const std::int64_t s = pool.prior.mines - pool.known - j;
    return s >= low_s && s <= high_s;
  }
  for (std::int64_t s = low_s; s <= high_s; ++s) {
    const std::int64_t k = pool.known + j + s;
    if (k >= 0 && k <= pool.cells && pool.prior.table[k] > 0) return true;
  }
  return false;
}

// ----------------------------------------------------------------------------------------- by convolution

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
Prefixes prefixes(const JoinInput& pool, std::int64_t high, Workspace& ws, std::int64_t* exponent) {
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
JoinInput with_last(const JoinInput& pool, std::int32_t only, Arena& arena) {
  JoinInput moved = pool;
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
void weigh_all(const JoinInput& pool, const Prefixes& a, const TailWeights& t, std::int64_t exponent, JoinResult& out) {
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

void join_direct(const JoinInput& pool, std::int32_t only, const PossibleCounts& possible, Workspace& ws,
                 JoinResult& out) {
  std::int64_t exponent;
  const JoinInput others = with_last(pool, only, ws.arena);
  const Prefixes a = prefixes(others, room(pool).high, ws, &exponent);
  const std::int32_t n = pool.count;
  const TailWeights t = tail(pool, a.first[n], a.first[n] + a.length[n] - 1, ws);
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

FrontierSpread frontier_spread(const JoinInput& pool, Workspace& ws) {
  std::int64_t exponent;
  const Prefixes a = prefixes(pool, room(pool).high, ws, &exponent);
  const TailWeights t = tail(pool, a.first[pool.count], a.first[pool.count] + a.length[pool.count] - 1, ws);
  FrontierSpread out{t.first, t.length, ws.arena.take<double>(static_cast<std::size_t>(t.length))};
  for (std::int64_t i = 0; i < t.length; ++i)
    out.p[i] = a.c[pool.count][t.first + i - a.first[pool.count]] * t.value[i];
  return out;
}

// ------------------------------------------------------------------------------------- on the unit circle

// For very many components convolution is quadratic. The coefficient of the total is a sum over points of the unit
// circle (a discrete Fourier transform) instead, after tilting by a fugacity that puts the expected total at the wanted
// one. Only a few points matter, whatever the size.

namespace {

using Complex = std::complex<double>;

constexpr double kNegligible = 1e-21;
constexpr long double kNegligibleLog = -48.4L;
constexpr long double kTwoPi = 6.283185307179586476925286766559L;

Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// The tilted mean and variance of the total at fugacity exp(x) relative to the pool's.
struct Moments {
  double mean = 0;
  double variance = 0;
};

Moments moments(const JoinInput& pool, double x, double* log_norm) {
  Moments out;
  const double y = std::exp(x);
  for (std::int32_t i = 0; i < pool.count; ++i) {
    const Polynomial& p = *pool.poly[i];
    double s0 = 0, s1 = 0, s2 = 0, w = 1;
    int e = 0;
    for (std::int32_t m = 0; m < p.length; ++m) {
      const double v = p.c[m] * w;
      s0 += v;
      s1 += v * m;
      s2 += v * m * m;
      w *= y;
      if (w > 0x1p300) {  // long windows: keep the running sums in range
        w *= 0x1p-300, s0 *= 0x1p-300, s1 *= 0x1p-300, s2 *= 0x1p-300;
        ++e;
      }
    }
    const double mean = s1 / s0;
    out.mean += p.first + mean;
    out.variance += std::max(0.0, s2 / s0 - mean * mean);
    if (log_norm) log_norm[i] = std::log(s0) + 300 * e * std::log(2.0);
  }
  const double z = pool.fugacity * y;
  const double q = z / (1 + z);
  const double s = static_cast<double>(pool.sea);
  out.mean += s * q;
  out.variance += s * q * (1 - q);
  return out;
}

// A point of the circle that matters.
struct Point {
  Complex turn;
  double weight = 0;
  Complex sea;  // the sea's factor with the phase of the wanted total
  Complex one;  // factor that turns a free sea cell into a mine
  Complex all;  // the product of everything
};

class CircleJoin {
 public:
  CircleJoin(const JoinInput& pool, Workspace& ws) : pool_(pool), ws_(ws), left_(pool.prior.mines - pool.known) {
    tilt();
    normalize();
    choose_points();
  }

  // The total weight, and the sea.
  void weigh_all(JoinResult& out) const {
    double all = 0;
    double mines = 0;
    for (const Point& p : points_) {
      all += p.weight * p.all.real();
      mines += p.weight * times(p.all, p.one).real();
    }
    out.sea_p = all > 0 ? std::clamp(mines / all, 0.0, 1.0) : 0;
    double log_weight = std::log(all / static_cast<double>(count_)) +
                        static_cast<double>(pool_.sea) * std::log1p(pool_.fugacity * std::exp(x_)) -
                        static_cast<double>(left_ - base_) * (x_ + std::log(pool_.fugacity));
    for (std::int32_t i = 0; i < pool_.count; ++i) {
      log_weight += log_norm_[i] + static_cast<double>(pool_.poly[i]->exponent) * std::log(2.0) -
                    static_cast<double>(pool_.poly[i]->first) * std::log(pool_.fugacity);
    }
    out.log_weight = log_weight;
  }

  // The outside weights of one component.
  void weigh_one(std::int32_t only, const PossibleCounts& possible, JoinResult& out) const {
    std::vector<Complex> rest(points_.size());
    for (std::size_t j = 0; j < points_.size(); ++j) {
      rest[j] = 1;
      for (std::int32_t i = 0; i < pool_.count; ++i) {
        if (i != only) rest[j] = times(rest[j], evaluate(i, points_[j].turn));
      }
    }
    weigh(only, rest, possible, out);
  }

  // The outside weights of every component: products of everything before and everything after it, point by point.
  void weigh_each(const PossibleCounts& possible, JoinResult& out) const {
    const std::size_t n = static_cast<std::size_t>(pool_.count);
    const std::size_t k = points_.size();
    Complex* prefix = ws_.arena.take<Complex>(k * n);
    Complex* value = ws_.arena.take<Complex>(k * n);
    std::vector<Complex> run(k, Complex{1, 0});
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < k; ++j) {
        prefix[i * k + j] = run[j];
        value[i * k + j] = evaluate(static_cast<std::int32_t>(i), points_[j].turn);
        run[j] = times(run[j], value[i * k + j]);
      }
      ws_.spend(static_cast<std::int64_t>(k) * 10);
    }
    std::fill(run.begin(), run.end(), Complex{1, 0});
    std::vector<Complex> rest(k);
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t j = 0; j < k; ++j) {
        rest[j] = times(prefix[i * k + j], run[j]);
        run[j] = times(run[j], value[i * k + j]);
      }
      weigh(static_cast<std::int32_t>(i), rest, possible, out);
      ws_.spend(static_cast<std::int64_t>(k) * 15);
    }
  }

 private:
  // Newton's method, kept within bounds, for the logarithm of the fugacity.
  void tilt() {
    double lo = -80, hi = 80;
    for (int round = 0; round < 100; ++round) {
      const Moments now = moments(pool_, x_, nullptr);
      const double off = static_cast<double>(left_) - now.mean;
      if (std::abs(off) < 1e-3 * std::sqrt(now.variance + 1)) break;
      (off > 0 ? lo : hi) = x_;
      const double step = off / std::max(now.variance, 1e-9);
      const double guess = x_ + std::clamp(step, -4.0, 4.0);
      x_ = guess > lo && guess < hi ? guess : (lo + hi) / 2;
      ws_.spend(pool_.count * 8);
    }
  }

  // Tilted and normalized coefficients, and the number of points.
  void normalize() {
    const std::size_t n = static_cast<std::size_t>(pool_.count);
    log_norm_ = ws_.arena.take<double>(n);
    const Moments tilted = moments(pool_, x_, log_norm_);
    std::int64_t span = pool_.sea + 1;
    std::size_t entries = 0;
    for (std::int32_t i = 0; i < pool_.count; ++i) {
      span += pool_.poly[i]->length - 1;
      base_ += pool_.poly[i]->first;
      entries += static_cast<std::size_t>(pool_.poly[i]->length);
    }
    count_ = std::min<std::int64_t>(span + 1, static_cast<std::int64_t>(12 * std::sqrt(tilted.variance)) + 24);
    tilted_ = ws_.arena.take<double>(entries);
    at_ = ws_.arena.take<std::size_t>(n + 1);
    entries = 0;
    for (std::int32_t i = 0; i < pool_.count; ++i) {
      const Polynomial& p = *pool_.poly[i];
      at_[i] = entries;
      for (std::int32_t m = 0; m < p.length; ++m) {
        tilted_[entries++] = p.c[m] > 0 ? std::exp(std::log(p.c[m]) + x_ * m - log_norm_[i]) : 0.0;
      }
    }
    at_[n] = entries;
  }

  // The value of a component at a point, by Horner's rule.
  Complex evaluate(std::int32_t i, Complex turn) const {
    Complex v = 0;
    for (std::size_t e = at_[i + 1]; e-- > at_[i];) {
      v = times(v, turn);
      v.real(v.real() + tilted_[e]);
    }
    return v;
  }

  void choose_points() {
    for (std::int64_t h = 0; 2 * h <= count_; ++h) {
      Point point;
      if (!place(h, point)) continue;
      Complex v = point.sea;
      std::int32_t i = 0;
      for (; i < pool_.count; ++i) {
        v = times(v, evaluate(i, point.turn));
        if ((i & 15) == 15 && std::norm(v) < kNegligible * kNegligible) break;
      }
      ws_.spend(i * 10 + 20);
      if (std::norm(v) < kNegligible * kNegligible) continue;
      point.all = v;
      points_.push_back(point);
    }
  }

  // Point h of the upper half circle with the factors of the sea; false where these alone are negligible.
  bool place(std::int64_t h, Point& point) const {
    const double z = pool_.fugacity * std::exp(x_);
    const double q = z / (1 + z);
    const long double angle = kTwoPi * static_cast<long double>(h) / static_cast<long double>(count_);
    const long double c = std::cos(angle);
    const long double s = std::sin(angle);
    // |1 - q + q e^it|^2 = 1 - 2q(1-q)(1-cos t)
    const long double half = std::sin(angle / 2);
    const long double norm2 = 1 - 4 * static_cast<long double>(q) * (1 - static_cast<long double>(q)) * half * half;
    const long double log_modulus = norm2 > 0 ? std::log(norm2) / 2 * static_cast<long double>(pool_.sea) : -1e9L;
    if (pool_.sea > 0 && log_modulus < kNegligibleLog) return false;
    const long double alpha = std::atan2(q * s, 1 - q + q * c);
    const long double phase =
        static_cast<long double>(pool_.sea) * alpha - static_cast<long double>(left_ - base_) * angle;
    const double modulus = pool_.sea > 0 ? static_cast<double>(std::exp(log_modulus)) : 1.0;
    point.turn = {static_cast<double>(c), static_cast<double>(s)};
    point.weight = h == 0 || 2 * h == count_ ? 1 : 2;
    point.sea = {modulus * static_cast<double>(std::cos(phase)), modulus * static_cast<double>(std::sin(phase))};
    const Complex mine{static_cast<double>(q * c), static_cast<double>(q * s)};
    const Complex cell{static_cast<double>(1 - q + q * c), static_cast<double>(q * s)};
    point.one = mine / cell;
    return true;
  }

  // The outside weights of a component from the product of all others, without the sea, at every point.
  void weigh(std::int32_t i, const std::vector<Complex>& rest, const PossibleCounts& possible, JoinResult& out) const {
    const Polynomial& p = *pool_.poly[i];
    double* w = out.outside[i] = ws_.arena.zeroed<double>(static_cast<std::size_t>(p.length));
    for (std::size_t j = 0; j < points_.size(); ++j) {
      Complex v = times(rest[j], points_[j].sea) * points_[j].weight;
      for (std::int32_t m = 0; m < p.length; ++m) {
        w[m] += v.real();
        v = times(v, points_[j].turn);
      }
    }
    for (std::int32_t m = 0; m < p.length; ++m) w[m] *= std::exp(x_ * m - log_norm_[i]);
    settle(p, possible.mask[i], w);
  }

  const JoinInput& pool_;
  Workspace& ws_;
  std::int64_t left_;           // mines among components and sea
  std::int64_t base_ = 0;       // fewest mines of all components
  double x_ = 0;                // logarithm of the tilting fugacity, relative to the pool's
  double* log_norm_ = nullptr;  // per component: of its tilted coefficients
  double* tilted_ = nullptr;    // coefficients of all components
  std::size_t* at_ = nullptr;   // per component: where its own begin
  std::int64_t count_ = 0;      // points of the whole circle
  std::vector<Point> points_;   // those that matter, of its upper half
};

}  // namespace

void join_circle(const JoinInput& pool, std::int32_t only, const PossibleCounts& possible, Workspace& ws,
                 JoinResult& out) {
  const CircleJoin circle(pool, ws);
  circle.weigh_all(out);
  if (only != kAll)
    circle.weigh_one(only, possible, out);
  else
    circle.weigh_each(possible, out);
}

}  // namespace mineproof::exact

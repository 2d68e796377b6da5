#include "tail.hpp"

#include <cmath>
#include <limits>

namespace mineproof::exact {

namespace {

using Kind = Prior::Kind;

// A positive number m * 2^e with m in [0.5, 1), or zero.
struct Scaled {
  long double m = 0;
  std::int64_t e = 0;

  void normalize() {
    int shift;
    m = std::frexp(m, &shift);
    e += shift;
  }
};

Tail tail_of_total(const Pool& pool, std::int64_t low, std::int64_t high, Workspace& ws) {
  const std::int64_t left = pool.prior.mines - pool.known;
  Tail t;
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
void fill_ways(const Pool& pool, Scaled* ways) {
  Scaled c{1, 0};
  for (std::int64_t s = 0; s <= pool.sea; ++s) {
    c.normalize();
    ways[s] = c;
    c.m *= static_cast<long double>(pool.sea - s) / static_cast<long double>(s + 1);
  }
}

// Weight of one layout with k mines in all.
void fill_layouts(const Pool& pool, Scaled* layout) {
  Scaled c{1, 0};
  for (std::int64_t k = 0; k <= pool.cells; ++k) {
    c.normalize();
    Scaled w = pool.prior.kind == Kind::number ? c : Scaled{1, 0};
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
Tail tail_of_table(const Pool& pool, std::int64_t low, std::int64_t high, Workspace& ws) {
  Tail t;
  t.first = low;
  t.length = std::max<std::int64_t>(0, high - low + 1);
  const std::size_t n = static_cast<std::size_t>(t.length);
  t.value = ws.arena.zeroed<double>(n);
  t.mines = ws.arena.zeroed<double>(n);
  const Arena::Mark mark = ws.arena.mark();
  Scaled* ways = ws.arena.take<Scaled>(static_cast<std::size_t>(pool.sea) + 1);
  Scaled* layout = ws.arena.take<Scaled>(static_cast<std::size_t>(pool.cells) + 1);
  fill_ways(pool, ways);
  fill_layouts(pool, layout);
  Scaled* sum = ws.arena.take<Scaled>(n);
  Scaled* mines = ws.arena.take<Scaled>(n);
  Scaled tilt{1 / static_cast<long double>(pool.fugacity), 0};
  tilt.normalize();
  Scaled power{1, 0};
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
    for (Scaled* x : {&sum[i], &mines[i]}) {
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

Tail tail(const Pool& pool, std::int64_t low, std::int64_t high, Workspace& ws) {
  if (pool.prior.kind == Kind::total) return tail_of_total(pool, low, high, ws);
  return tail_of_table(pool, low, high, ws);
}

std::vector<double> sea_weights(const Pool& pool, std::int64_t j) {
  std::vector<double> out(static_cast<std::size_t>(pool.sea) + 1, 0.0);
  if (pool.prior.kind == Kind::total) {
    out[static_cast<std::size_t>(pool.prior.mines - pool.known - j)] = 1;
    return out;
  }
  std::vector<Scaled> ways(out.size());
  std::vector<Scaled> layout(static_cast<std::size_t>(pool.cells) + 1);
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

Room room(const Pool& pool) {
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

bool fits(const Pool& pool, std::int64_t j, std::int64_t low_s, std::int64_t high_s) {
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

}  // namespace mineproof::exact

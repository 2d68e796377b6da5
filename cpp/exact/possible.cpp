#include "possible.hpp"

#include <vector>

#include "tail.hpp"

namespace mineproof::exact {

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

void mask_component(const Pool& pool, const Sums& others, const Polynomial& p, std::uint8_t* mask) {
  for (std::int32_t m = 0; m < p.length; ++m) {
    mask[m] = 0;
    if (!p.has(p.first + m)) continue;
    for (std::int64_t i = 0; i < others.length && !mask[m]; ++i) {
      if (others.has(others.first + i)) mask[m] = fits(pool, others.first + i + p.first + m, 0, pool.sea);
    }
  }
}

// Exact sets of sums, halving the components so that each is left out once.
void halve(const Pool& pool, std::int32_t from, std::int32_t to, const Sums& others, Workspace& ws, Possible& out) {
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

void exact_sets(const Pool& pool, Workspace& ws, Possible& out) {
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

Possible what_is_possible(const Pool& pool, Workspace& ws) {
  Possible out;
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

}  // namespace mineproof::exact

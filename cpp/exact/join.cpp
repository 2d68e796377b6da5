#include "join.hpp"

#include <algorithm>
#include <cmath>

#include "join_ways.hpp"

namespace mineproof::exact {

namespace {

using Kind = Prior::Kind;

// Outside weights are kept above this part of their largest, so that products with them do not underflow.
constexpr double kFloor = 0x1p-400;

// Independent cells: every component stands alone. 0 < chance < 1.
void join_density(const Pool& pool, Workspace& ws, Joined& out) {
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
bool prefers_circle(const Pool& pool) {
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

Joined join(const Pool& pool, std::int32_t only, Workspace& ws) {
  Joined out;
  out.outside = ws.arena.zeroed<double*>(static_cast<std::size_t>(pool.count) + 1);
  out.feasible = true;
  if (pool.prior.kind == Kind::density) {
    join_density(pool, ws, out);
    return out;
  }
  const Possible possible = what_is_possible(pool, ws);
  out.feasible = possible.feasible;
  if (!possible.feasible) return out;
  out.sea_can_be_mine = possible.sea_can_be_mine;
  out.sea_can_be_safe = possible.sea_can_be_safe;
  const bool circle = pool.way == Pool::Way::cheaper ? prefers_circle(pool) : pool.way == Pool::Way::circle;
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

}  // namespace mineproof::exact

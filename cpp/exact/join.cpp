#include "join.hpp"

#include <cmath>
#include <complex>
#include <limits>

#include "possible.hpp"
#include "tail.hpp"

namespace mineproof::exact {

namespace {

using Kind = Prior::Kind;

// Outside weights are kept above this part of their largest, so that products with them do not underflow.
constexpr double kFloor = 0x1p-400;

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

// Zero exactly where impossible, positive exactly where possible.
void settle(const Polynomial& p, const std::uint8_t* possible, double* outside) {
  double most = 0;
  for (std::int32_t i = 0; i < p.length; ++i) {
    if (possible[i]) most = std::max(most, outside[i]);
  }
  const double floor = most > 0 ? most * kFloor : 1.0;
  for (std::int32_t i = 0; i < p.length; ++i) outside[i] = possible[i] ? std::max(outside[i], floor) : 0.0;
}

// Independent cells: every component stands alone. 0 < chance < 1.
void join_density(const Pool& pool, Workspace& ws, Joined& out) {
  const double d = pool.prior.chance;
  const double step = d / (1 - d) / pool.fugacity;
  out.log_weight = static_cast<double>(pool.known) * std::log(d) +
                   static_cast<double>(pool.cells - pool.known - pool.sea) * std::log1p(-d);
  for (std::int32_t i = 0; i < pool.count; ++i) {
    const Polynomial& p = *pool.poly[i];
    double* w = out.outside[i] = ws.arena.take<double>(static_cast<std::size_t>(p.length));
    double all = 0;
    double x = 1;
    for (std::int32_t m = 0; m < p.length; ++m, x *= step) {
      w[m] = x;
      all += p.c[m] * x;
    }
    out.log_weight += std::log(all) + static_cast<double>(p.exponent) * std::log(2.0) + p.first * std::log(step);
  }
  out.sea_p = d;
  out.sea_can_be_mine = out.sea_can_be_safe = true;
}

struct Chain {
  std::int64_t* first;   // per position 0..count
  std::int64_t* length;
  double** c;
};

// Products of the first i polynomials, trimmed to what `high` mines allow.
Chain prefixes(const Pool& pool, std::int64_t high, Workspace& ws, std::int64_t* exponent) {
  const std::size_t n = static_cast<std::size_t>(pool.count) + 1;
  Chain a{ws.arena.take<std::int64_t>(n), ws.arena.take<std::int64_t>(n), ws.arena.take<double*>(n)};
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

void join_direct(const Pool& pool, std::int32_t only, const Possible& possible, Workspace& ws, Joined& out) {
  const Room r = room(pool);
  std::int64_t exponent;
  Pool others = pool;
  const Polynomial** list = nullptr;
  if (only != kAll) {  // the one asked for goes last
    list = ws.arena.take<const Polynomial*>(static_cast<std::size_t>(pool.count));
    std::int32_t n = 0;
    for (std::int32_t i = 0; i < pool.count; ++i) {
      if (i != only) list[n++] = pool.poly[i];
    }
    list[n] = pool.poly[only];
    others.poly = list;
  }
  const Chain a = prefixes(others, r.high, ws, &exponent);
  const std::int32_t n = pool.count;
  const Tail t = tail(pool, a.first[n], a.first[n] + a.length[n] - 1, ws);
  // The total, and the sea.
  double all = 0;
  double mines = 0;
  for (std::int64_t i = 0; i < t.length; ++i) {
    const double f = a.c[n][t.first + i - a.first[n]];
    all += f * t.value[i];
    mines += f * t.mines[i];
  }
  out.sea_p = pool.sea > 0 && all > 0 ? mines / (all * static_cast<double>(pool.sea)) : 0;
  out.log_weight = std::log(all) + t.log_scale + static_cast<double>(exponent) * std::log(2.0);
  // Backward: b holds, for j mines in the components before i, the weight of the rest.
  std::int64_t b_first = a.first[n];
  std::int64_t b_length = a.length[n];
  double* b = ws.arena.zeroed<double>(static_cast<std::size_t>(b_length));
  for (std::int64_t i = 0; i < t.length; ++i) b[t.first + i - b_first] = t.value[i];
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
    b_first = a.first[i];
    b_length = a.length[i];
  }
}

using Complex = std::complex<double>;

Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// The tilted mean and variance of the total at fugacity exp(x) relative to the pool's.
struct Moments {
  double mean = 0;
  double variance = 0;
};

Moments moments(const Pool& pool, double x, double* log_norm) {
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

// Very many components: the coefficient of the total as a sum over points of the unit circle, after tilting by a
// fugacity that puts the expected total at the wanted one. Only a few points matter, whatever the size.
void join_circle(const Pool& pool, std::int32_t only, const Possible& possible, Workspace& ws, Joined& out) {
  const std::int64_t left = pool.prior.mines - pool.known;
  const std::size_t n = static_cast<std::size_t>(pool.count);
  double lo = -80, hi = 80, x = 0;
  Moments mo;
  for (int round = 0; round < 100; ++round) {
    mo = moments(pool, x, nullptr);
    const double off = static_cast<double>(left) - mo.mean;
    if (std::abs(off) < 1e-3 * std::sqrt(mo.variance + 1)) break;
    (off > 0 ? lo : hi) = x;
    const double step = off / std::max(mo.variance, 1e-9);
    const double guess = x + std::clamp(step, -4.0, 4.0);
    x = guess > lo && guess < hi ? guess : (lo + hi) / 2;
    ws.spend(pool.count * 8);
  }
  double* log_norm = ws.arena.take<double>(n);
  mo = moments(pool, x, log_norm);
  const double y = std::exp(x);
  const double q = pool.fugacity * y / (1 + pool.fugacity * y);
  std::int64_t span = pool.sea + 1;
  std::int64_t base = 0;
  std::int32_t longest = 1;
  for (std::int32_t i = 0; i < pool.count; ++i) {
    span += pool.poly[i]->length - 1;
    base += pool.poly[i]->first;
    longest = std::max(longest, pool.poly[i]->length);
  }
  const std::int64_t points = std::min<std::int64_t>(span + 1, static_cast<std::int64_t>(12 * std::sqrt(mo.variance)) + 24);
  // Tilted and normalized coefficients, once.
  std::size_t entries = 0;
  for (std::int32_t i = 0; i < pool.count; ++i) entries += static_cast<std::size_t>(pool.poly[i]->length);
  double* tilted = ws.arena.take<double>(entries);
  std::size_t* at = ws.arena.take<std::size_t>(n + 1);
  entries = 0;
  for (std::int32_t i = 0; i < pool.count; ++i) {
    const Polynomial& p = *pool.poly[i];
    at[i] = entries;
    for (std::int32_t m = 0; m < p.length; ++m) {
      tilted[entries++] = p.c[m] > 0 ? std::exp(std::log(p.c[m]) + x * m - log_norm[i]) : 0.0;
    }
  }
  at[n] = entries;
  auto evaluate = [&](std::int32_t i, Complex turn) {  // Horner
    Complex v = 0;
    for (std::size_t e = at[i + 1]; e-- > at[i];) {
      v = times(v, turn);
      v.real(v.real() + tilted[e]);
    }
    return v;
  };
  constexpr double kNegligible = 1e-21;
  struct Point {
    Complex turn;
    double weight;
    Complex sea;   // the sea's factor with the phase of the wanted total
    Complex all;
    Complex one;   // factor that turns a free sea cell into a mine
  };
  std::vector<Point> kept;
  const long double two_pi = 6.283185307179586476925286766559L;
  for (std::int64_t h = 0; 2 * h <= points; ++h) {
    const long double angle = two_pi * static_cast<long double>(h) / static_cast<long double>(points);
    const long double c = std::cos(angle);
    const long double s = std::sin(angle);
    // |1 - q + q e^it|^2 = 1 - 2q(1-q)(1-cos t)
    const long double half = std::sin(angle / 2);
    const long double norm2 = 1 - 4 * static_cast<long double>(q) * (1 - static_cast<long double>(q)) * half * half;
    const long double log_modulus = norm2 > 0 ? std::log(norm2) / 2 * static_cast<long double>(pool.sea) : -1e9L;
    if (pool.sea > 0 && log_modulus < -48.4L) continue;
    const long double alpha = std::atan2(q * s, 1 - q + q * c);
    const long double phase = static_cast<long double>(pool.sea) * alpha - static_cast<long double>(left - base) * angle;
    const double modulus = pool.sea > 0 ? static_cast<double>(std::exp(log_modulus)) : 1.0;
    Point point;
    point.turn = {static_cast<double>(c), static_cast<double>(s)};
    point.weight = h == 0 || 2 * h == points ? 1 : 2;
    point.sea = {modulus * static_cast<double>(std::cos(phase)), modulus * static_cast<double>(std::sin(phase))};
    const Complex mine{static_cast<double>(q * c), static_cast<double>(q * s)};
    const Complex cell{static_cast<double>(1 - q + q * c), static_cast<double>(q * s)};
    point.one = mine / cell;
    Complex v = point.sea;
    std::int32_t i = 0;
    for (; i < pool.count; ++i) {
      v = times(v, evaluate(i, point.turn));
      if ((i & 15) == 15 && std::norm(v) < kNegligible * kNegligible) break;
    }
    ws.spend(i * 10 + 20);
    if (std::norm(v) < kNegligible * kNegligible) continue;
    point.all = v;
    kept.push_back(point);
  }
  double all = 0;
  double mines = 0;
  for (const Point& p : kept) {
    all += p.weight * p.all.real();
    mines += p.weight * times(p.all, p.one).real();
  }
  out.sea_p = all > 0 ? std::clamp(mines / all, 0.0, 1.0) : 0;
  double log_weight = std::log(all / static_cast<double>(points)) + static_cast<double>(pool.sea) * std::log1p(pool.fugacity * y) -
                      static_cast<double>(left - base) * (x + std::log(pool.fugacity));
  for (std::int32_t i = 0; i < pool.count; ++i) {
    log_weight += log_norm[i] + static_cast<double>(pool.poly[i]->exponent) * std::log(2.0) -
                  static_cast<double>(pool.poly[i]->first) * std::log(pool.fugacity);
  }
  out.log_weight = log_weight;
  // Outside weights: products of everything before and everything after, point by point.
  const std::size_t k = kept.size();
  Complex* prefix = ws.arena.take<Complex>(only == kAll ? k * n : k);
  auto weigh = [&](std::int32_t i, const Complex* rest) {  // rest: product of all others, without the sea
    const Polynomial& p = *pool.poly[i];
    double* w = out.outside[i] = ws.arena.zeroed<double>(static_cast<std::size_t>(p.length));
    for (std::size_t j = 0; j < k; ++j) {
      Complex v = times(rest[j], kept[j].sea) * kept[j].weight;
      for (std::int32_t m = 0; m < p.length; ++m) {
        w[m] += v.real();
        v = times(v, kept[j].turn);
      }
    }
    for (std::int32_t m = 0; m < p.length; ++m) w[m] *= std::exp(x * m - log_norm[i]);
    settle(p, possible.mask[i], w);
  };
  if (only != kAll) {
    for (std::size_t j = 0; j < k; ++j) {
      prefix[j] = 1;
      for (std::int32_t i = 0; i < pool.count; ++i) {
        if (i != only) prefix[j] = times(prefix[j], evaluate(i, kept[j].turn));
      }
    }
    weigh(only, prefix);
    return;
  }
  Complex* value = ws.arena.take<Complex>(k * n);
  std::vector<Complex> run(k, Complex{1, 0});
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      prefix[i * k + j] = run[j];
      value[i * k + j] = evaluate(static_cast<std::int32_t>(i), kept[j].turn);
      run[j] = times(run[j], value[i * k + j]);
    }
    ws.spend(static_cast<std::int64_t>(k) * 10);
  }
  std::fill(run.begin(), run.end(), Complex{1, 0});
  std::vector<Complex> rest(k);
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = 0; j < k; ++j) {
      rest[j] = times(prefix[i * k + j], run[j]);
      run[j] = times(run[j], value[i * k + j]);
    }
    weigh(static_cast<std::int32_t>(i), rest.data());
    ws.spend(static_cast<std::int64_t>(k) * 15);
  }
}

// Work of the direct chain, and whether the total leaves enough slack for the circle.
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
  if (circle) join_circle(pool, only, possible, ws, out);
  else join_direct(pool, only, possible, ws, out);
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

FrontierSpread frontier_spread(const Pool& pool, Workspace& ws) {
  const Room r = room(pool);
  std::int64_t exponent;
  const Chain a = prefixes(pool, r.high, ws, &exponent);
  const Tail t = tail(pool, a.first[pool.count], a.first[pool.count] + a.length[pool.count] - 1, ws);
  FrontierSpread out{t.first, t.length, ws.arena.take<double>(static_cast<std::size_t>(t.length))};
  for (std::int64_t i = 0; i < t.length; ++i) out.p[i] = a.c[pool.count][t.first + i - a.first[pool.count]] * t.value[i];
  return out;
}

}  // namespace mineproof::exact

// Joining very many components: the coefficient of the total as a sum over points of the unit circle (a discrete
// Fourier transform), after tilting by a fugacity that puts the expected total at the wanted one. Only a few points
// matter, whatever the size.
#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "join_ways.hpp"

namespace mineproof::exact {

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
  CircleJoin(const Pool& pool, Workspace& ws) : pool_(pool), ws_(ws), left_(pool.prior.mines - pool.known) {
    tilt();
    normalize();
    choose_points();
  }

  // The total weight, and the sea.
  void weigh_all(Joined& out) const {
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
  void weigh_one(std::int32_t only, const Possible& possible, Joined& out) const {
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
  void weigh_each(const Possible& possible, Joined& out) const {
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
  void weigh(std::int32_t i, const std::vector<Complex>& rest, const Possible& possible, Joined& out) const {
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

  const Pool& pool_;
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

void join_circle(const Pool& pool, std::int32_t only, const Possible& possible, Workspace& ws, Joined& out) {
  const CircleJoin circle(pool, ws);
  circle.weigh_all(out);
  if (only != kAll)
    circle.weigh_one(only, possible, out);
  else
    circle.weigh_each(possible, out);
}

}  // namespace mineproof::exact

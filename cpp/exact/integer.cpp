// Exact arithmetic: large products, Chinese remainders, and sums over a product of powers.
#include "integer.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#if MINEPROOF_HAS_AVX2
#include <immintrin.h>
#endif

namespace mineproof::exact {

namespace {

bool at_least(const Natural& a, const Natural& b) {
  if (a.limb.size() != b.limb.size()) return a.limb.size() > b.limb.size();
  return !std::lexicographical_compare(a.limb.rbegin(), a.limb.rend(), b.limb.rbegin(), b.limb.rend());
}

auto paying(Workspace& ws) {
  return [&ws](std::size_t limbs) { ws.spend(1 + static_cast<std::int64_t>(limbs / 4)); };
}

}  // namespace

Natural product(const Natural& a, const Natural& b, Workspace& ws) {
  Natural out;
  out.add_product(a, b, paying(ws));
  return out;
}

Natural product_of(const std::vector<Natural>& factor, std::size_t from, std::size_t to, Workspace& ws) {
  if (from == to) return Natural(1);
  if (to - from == 1) return factor[from];
  const std::size_t middle = from + (to - from) / 2;
  return product(product_of(factor, from, middle, ws), product_of(factor, middle, to, ws), ws);
}

Natural whole_binomial(std::int64_t n, std::int64_t k, Workspace& ws) {
  if (k < 0 || k > n) return Natural();
  if (k == 0 || k == n) return Natural(1);
  std::vector<bool> composite(static_cast<std::size_t>(n) + 1);
  std::vector<Natural> factor;
  std::uint64_t word = 1;
  for (std::int64_t p = 2; p <= n; ++p) {
    if (composite[static_cast<std::size_t>(p)]) continue;
    for (std::int64_t m = p * p; m <= n; m += p) composite[static_cast<std::size_t>(m)] = true;
    // p divides it as often as there are carries when k and n - k are added in base p (Kummer).
    std::int64_t a = k, b = n - k, carry = 0;
    while (a || b) {
      carry = a % p + b % p + carry >= p ? 1 : 0;
      a /= p;
      b /= p;
      if (!carry) continue;
      if (word >> 32 != 0) {
        factor.emplace_back(word);
        word = 1;
      }
      word *= static_cast<std::uint64_t>(p);
    }
    ws.spend(10);
  }
  factor.emplace_back(word);
  return product_of(factor, 0, factor.size(), ws);
}

Remainders::Remainders(std::vector<std::uint32_t> primes, Workspace& ws) : prime_(std::move(primes)) {
  inverse_.resize(prime_.size());
  for (std::size_t block = 0; block < prime_.size(); block += kLanes) {
    const PrimeField f(&prime_[block]);
    Lanes others = f.one;
    for (std::size_t j = 0; j < prime_.size(); ++j) {
      Lanes factor;
      for (int l = 0; l < kLanes; ++l) factor.v[l] = j == block + static_cast<std::size_t>(l) ? 1 : prime_[j];
      others = f.times(others, f.scaled(factor));
    }
    const Lanes inverse = f.reduce(f.inverse(others));
    for (std::size_t l = 0; l < kLanes; ++l) inverse_[block + l] = static_cast<std::uint32_t>(inverse.v[l]);
    ws.spend(static_cast<std::int64_t>(prime_.size()) * 8);
  }
  build(0, prime_.size(), ws);
}

void Remainders::build(std::size_t from, std::size_t to, Workspace& ws) {
  const std::size_t own = product_.size();
  product_.emplace_back();
  if (to - from <= 2) {
    std::uint64_t word = 1;
    for (std::size_t i = from; i < to; ++i) word *= prime_[i];
    product_[own] = Natural(word);
    return;
  }
  const std::size_t middle = from + (to - from) / 2;
  build(from, middle, ws);
  const std::size_t right = product_.size();
  build(middle, to, ws);
  product_[own] = product(product_[own + 1], product_[right], ws);
}

// The sum over the primes of a times the product of the others; `node` is that of these primes, and the next after
// them on return.
Natural Remainders::sum_of(const std::uint32_t* a, std::size_t from, std::size_t to, std::size_t& node,
                           Workspace& ws) const {
  ++node;
  if (to - from == 1) return Natural(a[from]);
  if (to - from == 2) {
    return Natural(std::uint64_t{a[from]} * prime_[from + 1] + std::uint64_t{a[from + 1]} * prime_[from]);
  }
  const std::size_t middle = from + (to - from) / 2;
  const std::size_t left = node;
  const Natural x = sum_of(a, from, middle, node, ws);
  const std::size_t right = node;
  const Natural y = sum_of(a, middle, to, node, ws);
  Natural out;
  out.add_product(x, product_[right], paying(ws));
  out.add_product(y, product_[left], paying(ws));
  return out;
}

Natural Remainders::number(const std::uint32_t* remainder, Workspace& ws) const {
  std::vector<std::uint32_t> a(prime_.size());
  long double whole = 0;
  for (std::size_t i = 0; i < prime_.size(); ++i) {
    a[i] = static_cast<std::uint32_t>(std::uint64_t{remainder[i]} * inverse_[i] % prime_[i]);
    whole += static_cast<long double>(a[i]) / static_cast<long double>(prime_[i]);
  }
  std::size_t node = 0;
  Natural sum = sum_of(a.data(), 0, prime_.size(), node, ws);
  // The sum of the fractions a / p has this whole part, or one more where rounding hides it.
  sum.subtract(product(product_[0], Natural(static_cast<std::uint64_t>(std::max(whole - 1.0L, 0.0L))), ws));
  while (at_least(sum, product_[0])) sum.subtract(product_[0]);
  return sum;
}

std::int64_t Remainders::bytes(std::size_t primes) {
  std::int64_t levels = 3;
  for (std::size_t n = primes; n > 1; n = (n + 1) / 2) ++levels;
  const std::int64_t n = static_cast<std::int64_t>(primes);
  return n * 4 * levels + n * (2 * 4 + 2 * static_cast<std::int64_t>(sizeof(Natural)));
}

namespace {

constexpr std::int64_t kShortestRun = 16;
constexpr double kRunBits = 16;     // a coefficient has so many times more bits than the factors of a run
constexpr double kOtherTerms = 30;  // what else a coefficient takes, in terms of the recurrence,
constexpr double kLimbTerms = 4;    // and a product of two limbs

struct Scratch {
  std::vector<Lanes> slope, shape;  // of the recurrence: R, and -Q
  std::vector<Lanes> c, dc;         // coefficients, and each times its number
  std::vector<Lanes> inverse;       // of 1, 2, ..., scaled
};

// Sums of products, of at most kUnreduced terms; the newest coefficient is the first.
struct PlainSums {
  static MINEPROOF_INLINE Lanes of(const Lanes* slope, const Lanes* shape, const Lanes* c, const Lanes* dc,
                                   std::int64_t terms) {
    Lanes sum{};
    for (std::int64_t k = 0; k < terms; ++k) {
      for (int l = 0; l < kLanes; ++l) {
        sum.v[l] += detail::narrow(slope[k].v[l], c[-k].v[l]) + detail::narrow(shape[k].v[l], dc[-k].v[l]);
      }
    }
    return sum;
  }
};

#if MINEPROOF_HAS_AVX2
struct Avx2Sums {
  MINEPROOF_AVX2 static MINEPROOF_INLINE __m256i at(const Lanes& x, int half) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(x.v) + half);
  }
  MINEPROOF_AVX2 static Lanes of(const Lanes* slope, const Lanes* shape, const Lanes* c, const Lanes* dc,
                                 std::int64_t terms) {
    __m256i a = _mm256_setzero_si256(), b = a, d = a, e = a;
    for (std::int64_t k = 0; k < terms; ++k) {
      a = _mm256_add_epi64(a, _mm256_mul_epu32(at(slope[k], 0), at(c[-k], 0)));
      b = _mm256_add_epi64(b, _mm256_mul_epu32(at(slope[k], 1), at(c[-k], 1)));
      d = _mm256_add_epi64(d, _mm256_mul_epu32(at(shape[k], 0), at(dc[-k], 0)));
      e = _mm256_add_epi64(e, _mm256_mul_epu32(at(shape[k], 1), at(dc[-k], 1)));
    }
    Lanes sum;
    _mm256_store_si256(reinterpret_cast<__m256i*>(sum.v), _mm256_add_epi64(a, d));
    _mm256_store_si256(reinterpret_cast<__m256i*>(sum.v) + 1, _mm256_add_epi64(b, e));
    return sum;
  }
};
#endif

// All terms of one coefficient, divided by 2^32.
template <class Sums>
MINEPROOF_INLINE Lanes sum_terms(const PrimeField& f, const Lanes* slope, const Lanes* shape, const Lanes* c,
                                 const Lanes* dc, std::int64_t terms) {
  Lanes total{};
  for (; terms > 0; terms -= kUnreduced) {
    total = f.plus(total, f.reduce_any(Sums::of(slope, shape, c, dc, std::min(terms, kUnreduced))));
    slope += kUnreduced;
    shape += kUnreduced;
    c -= kUnreduced;
    dc -= kUnreduced;
  }
  return total;
}

// The recurrence n q_0 c_n = sum over k of (r_(k-1) - (n - k) q_k) c_(n-k), where Q is the product of the polynomials
// and R / Q the logarithmic derivative of the product of powers; (Q, R) -> (Q p, R p + m p' Q) for each polynomial.
struct Start {
  Lanes constant;  // c_0
  Lanes by_first;  // 1 / q_0, times 2^64
};

Start begin(const PrimeField& f, const std::vector<Power>& powers, Scratch& s) {
  std::vector<Lanes> q{f.of(1)}, r;
  Lanes constant = f.one;
  for (const Power& power : powers) {
    const std::size_t n = power.c.size();
    std::vector<Lanes> both(q.size() + n - 1, Lanes{}), other(q.size() + n - 2, Lanes{});
    for (std::size_t i = 0; i < n; ++i) {
      const Lanes c = f.scaled(power.c[i]);
      const Lanes steep = f.times(c, f.scaled(i * static_cast<std::uint64_t>(power.times)));
      for (std::size_t j = 0; j < q.size(); ++j) both[i + j] = f.plus(both[i + j], f.times(c, q[j]));
      for (std::size_t j = 0; j < r.size(); ++j) other[i + j] = f.plus(other[i + j], f.times(c, r[j]));
      for (std::size_t j = 0; i && j < q.size(); ++j) {
        other[i + j - 1] = f.plus(other[i + j - 1], f.times(steep, q[j]));
      }
      if (i == 0) constant = f.times(constant, f.power(c, static_cast<std::uint64_t>(power.times)));
    }
    q = std::move(both);
    r = std::move(other);
  }
  s.slope = std::move(r);
  s.shape.clear();
  for (std::size_t k = 1; k < q.size(); ++k) s.shape.push_back(f.minus(Lanes{}, q[k]));
  return {f.reduce(constant), f.scaled(f.inverse(f.scaled(q[0])))};
}

// Inverses of 1, 2, ..., count, scaled, from that of their product.
void invert_all(const PrimeField& f, std::int64_t count, std::vector<Lanes>& out) {
  const std::size_t n = static_cast<std::size_t>(count);
  out.resize(n + 1);
  out[0] = f.one;
  Lanes number = f.one;
  for (std::size_t i = 0; i < n; ++i, number = f.plus(number, f.one)) out[i + 1] = f.times(out[i], number);
  Lanes all = f.inverse(out[n]);
  for (std::size_t i = n; i-- > 0;) {
    number = f.minus(number, f.one);
    const Lanes own = f.times(all, out[i]);
    all = f.times(all, number);
    out[i] = own;
  }
}

// The sum of each run modulo eight primes: out[run * stride + lane]. For coefficients c_a, ..., c_(b-1) of a run that
// is the sum of c_i times the factors of a..i-1 times the divisors of i..b-1.
template <class Sums>
MINEPROOF_INLINE void sum_runs(const PrimeField& f, const std::vector<Power>& powers, const Runs& runs, Scratch& s,
                               Workspace& ws, std::uint32_t* out, std::size_t stride) {
  const Start start = begin(f, powers, s);
  const std::int64_t degree = static_cast<std::int64_t>(s.shape.size());
  invert_all(f, runs.to, s.inverse);
  s.c.resize(static_cast<std::size_t>(runs.to));
  s.dc.resize(static_cast<std::size_t>(runs.to));
  s.c[0] = start.constant;
  s.dc[0] = Lanes{};
  const auto advance = [&](std::int64_t n, std::int64_t end) MINEPROOF_INLINE_LAMBDA {
    ws.spend((end - n) * (degree + 10) / 2);
    for (n = std::max<std::int64_t>(n, 1); n < end; ++n) {
      const std::size_t at = static_cast<std::size_t>(n);
      const Lanes sum =
          sum_terms<Sums>(f, s.slope.data(), s.shape.data(), &s.c[at - 1], &s.dc[at - 1], std::min(n, degree));
      s.dc[at] = f.times(sum, start.by_first);
      s.c[at] = f.times(s.dc[at], s.inverse[at - 1]);
    }
  };
  for (std::int64_t n = 0; n < runs.from; n += runs.length) advance(n, std::min(n + runs.length, runs.from));
  Lanes factor = f.scaled(static_cast<std::uint64_t>(runs.factor(runs.from)));
  Lanes divisor = f.scaled(static_cast<std::uint64_t>(runs.divisor(runs.from)));
  for (std::int64_t run = 0; run < runs.count(); ++run) {
    advance(runs.first(run), runs.end(run));
    Lanes sum{};
    Lanes factors = f.one;
    for (std::int64_t i = runs.first(run); i < runs.end(run); ++i) {
      sum = f.times(f.plus(sum, f.times(s.c[static_cast<std::size_t>(i)], factors)), divisor);
      factors = f.times(factors, factor);
      factor = f.minus(factor, f.one);
      divisor = f.plus(divisor, f.one);
    }
    for (std::size_t l = 0; l < kLanes; ++l) {
      out[static_cast<std::size_t>(run) * stride + l] = static_cast<std::uint32_t>(sum.v[l]);
    }
  }
}

void sum_runs_anywhere(const PrimeField& f, const std::vector<Power>& powers, const Runs& runs, Scratch& s,
                       Workspace& ws, std::uint32_t* out, std::size_t stride) {
  sum_runs<PlainSums>(f, powers, runs, s, ws, out, stride);
}

#if MINEPROOF_HAS_AVX2
MINEPROOF_AVX2 void sum_runs_avx2(const PrimeField& f, const std::vector<Power>& powers, const Runs& runs, Scratch& s,
                                  Workspace& ws, std::uint32_t* out, std::size_t stride) {
  sum_runs<Avx2Sums>(f, powers, runs, s, ws, out, stride);
}
#endif

// Runs put together: their sum, and the products of their factors and divisors.
struct RunSum {
  Natural sum, factors, divisors;
};

template <class Number>
Natural product_of_numbers(std::int64_t from, std::int64_t to, Number&& number, Workspace& ws) {
  std::vector<Natural> words;
  for (std::int64_t i = from; i < to; ++i) words.emplace_back(static_cast<std::uint64_t>(number(i)));
  return product_of(words, 0, words.size(), ws);
}

RunSum join(const Runs& runs, const std::vector<std::uint32_t>& remainder, const Remainders& remainders,
            std::size_t stride, std::int64_t from, std::int64_t to, Workspace& ws) {
  if (to - from == 1) {
    const std::int64_t a = runs.first(from), b = runs.end(from);
    return {remainders.number(&remainder[static_cast<std::size_t>(from) * stride], ws),
            product_of_numbers(
                a, b, [&](std::int64_t i) { return runs.factor(i); }, ws),
            product_of_numbers(a, b, [&](std::int64_t i) { return runs.divisor(i); }, ws)};
  }
  const std::int64_t middle = from + (to - from) / 2;
  const RunSum x = join(runs, remainder, remainders, stride, from, middle, ws);
  const RunSum y = join(runs, remainder, remainders, stride, middle, to, ws);
  RunSum out{product(x.sum, y.divisors, ws), product(x.factors, y.factors, ws), product(x.divisors, y.divisors, ws)};
  out.sum.add(product(x.factors, y.sum, ws));
  return out;
}

}  // namespace

PowerSum::PowerSum(std::vector<Power> powers, std::int64_t sea, std::int64_t left) : powers_(std::move(powers)) {
  std::int64_t last = 0;
  for (const Power& power : powers_) {
    const std::int64_t degree = static_cast<std::int64_t>(power.c.size()) - 1;
    degree_ += degree;
    last += degree * power.times;
    double sum = 0;
    for (const std::uint64_t c : power.c) sum += static_cast<double>(c);
    bits_ += static_cast<double>(power.times) * std::log2(sum);
  }
  bits_ += 1 + bits_ * 1e-12;  // for the rounding of the logarithms
  const double step = std::log2(static_cast<double>(sea) + static_cast<double>(last) + 2);
  const std::int64_t run = std::max<std::int64_t>(kShortestRun, static_cast<std::int64_t>(bits_ / (kRunBits * step)));
  runs_ = {std::max<std::int64_t>(0, left - sea), std::min(last, left) + 1, run, sea, left};
  const double most = bits_ + static_cast<double>(run) * step + std::log2(static_cast<double>(run)) + 1;
  primes_ = (static_cast<std::size_t>(most / kPrimeBits) / kLanes + 1) * kLanes;
}

double PowerSum::terms() const {
  if (runs_.from >= runs_.to) return 0;
  const double primes = static_cast<double>(primes_);
  const double limbs = primes * 28 / 64;
  const double joined = static_cast<double>(runs_.to - runs_.from) * 20 / 64 + limbs;
  const double sea = static_cast<double>(std::min(runs_.left, runs_.sea)) * 3 / 64;
  const double recurrence = static_cast<double>(runs_.to) * static_cast<double>(degree_ + kOtherTerms) * primes;
  return recurrence + kLimbTerms * (static_cast<double>(runs_.count()) * limbs * limbs + 3 * joined * (joined + sea));
}

std::vector<std::uint32_t> PowerSum::primes() const {
  std::vector<std::uint32_t> out;
  FallingPrimes falling;
  while (out.size() < primes_) {
    const std::uint32_t p = falling.next();
    // The recurrence divides by the first coefficients.
    if (std::all_of(powers_.begin(), powers_.end(), [&](const Power& power) { return power.c[0] % p != 0; })) {
      out.push_back(p);
    }
  }
  return out;
}

Natural PowerSum::compute(Workspace& ws) const {
  if (runs_.from >= runs_.to) return Natural();
  const std::size_t runs = static_cast<std::size_t>(runs_.count());
  const std::int64_t lanes = 3 * runs_.to + 8 * (degree_ + 1);
  const std::int64_t answer = (runs_.to - runs_.from) * 4 + runs_.sea / 8 + static_cast<std::int64_t>(primes_) * 4;
  const MemoryHold held(ws, lanes * static_cast<std::int64_t>(sizeof(Lanes)) +
                                static_cast<std::int64_t>(runs * primes_ * 4) + Remainders::bytes(primes_) +
                                12 * answer);
  const std::vector<std::uint32_t> prime = primes();
  std::vector<std::uint32_t> remainder(runs * primes_);
  {
    Scratch scratch;
    for (std::size_t b = 0; b < primes_; b += kLanes) {
      const PrimeField f(&prime[b]);
#if MINEPROOF_HAS_AVX2
      const auto run = has_avx2() ? sum_runs_avx2 : sum_runs_anywhere;
#else
      const auto run = sum_runs_anywhere;
#endif
      run(f, powers_, runs_, scratch, ws, &remainder[b], primes_);
    }
  }
  const Remainders remainders(prime, ws);
  const RunSum all = join(runs_, remainder, remainders, primes_, 0, runs_.count(), ws);
  Natural out = product(all.sum, whole_binomial(runs_.sea, runs_.left - runs_.from, ws), ws);
  out.divide_exactly(all.divisors, [&](std::size_t limbs) { ws.spend(1 + static_cast<std::int64_t>(limbs / 4)); });
  return out;
}

}  // namespace mineproof::exact

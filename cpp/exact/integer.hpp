// Exact arithmetic for counts: natural numbers of any size, residues modulo primes, and their way back to whole
// numbers.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "vector.hpp"
#include "wide.hpp"
#include "workspace.hpp"

namespace mineproof::exact {

// A natural number, as far as counting needs it: little-endian 64-bit limbs without leading zeros.
struct Natural {
  std::vector<std::uint64_t> limb;

  Natural() = default;
  explicit Natural(std::uint64_t v) {
    if (v) limb.push_back(v);
  }
  bool zero() const { return limb.empty(); }
  void trim() {
    while (!limb.empty() && limb.back() == 0) limb.pop_back();
  }

  void multiply(std::uint64_t f) {
    Wide carry = 0;
    for (std::uint64_t& x : limb) {
      carry += mineproof::multiply(x, f);
      x = low_word(carry);
      carry >>= 64;
    }
    if (carry) limb.push_back(low_word(carry));
    if (!f) limb.clear();
  }
  void divide(std::uint64_t d) {  // exact or rounding down
    std::uint64_t rest = 0;
    for (std::size_t i = limb.size(); i-- > 0;) {
      const Division step = mineproof::divide(make_wide(rest, limb[i]), d);
      limb[i] = step.quotient;
      rest = step.rest;
    }
    trim();
  }
  void add(std::uint64_t v) {
    for (std::size_t i = 0; v; ++i) {
      if (i == limb.size()) limb.push_back(0);
      limb[i] += v;
      v = limb[i] < v ? 1 : 0;
    }
  }
  void add(const Natural& o) {
    if (limb.size() < o.limb.size()) limb.resize(o.limb.size(), 0);
    Wide carry = 0;
    for (std::size_t i = 0; i < limb.size() && (i < o.limb.size() || carry); ++i) {
      carry += limb[i];
      if (i < o.limb.size()) carry += o.limb[i];
      limb[i] = low_word(carry);
      carry >>= 64;
    }
    if (carry) limb.push_back(low_word(carry));
  }
  void subtract(const Natural& o) {  // o <= *this
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < limb.size(); ++i) {
      const std::uint64_t x = limb[i];
      const std::uint64_t y = i < o.limb.size() ? o.limb[i] : 0;
      limb[i] = x - y - borrow;
      borrow = x < y || (borrow && x == y) ? 1 : 0;
    }
    trim();
  }
  // *this += a * b; pay(n) is called for every n limb products.
  template <class Pay>
  void add_product(const Natural& a, const Natural& b, Pay&& pay) {
    if (a.zero() || b.zero()) return;
    const std::size_t need = a.limb.size() + b.limb.size() + 1;
    if (limb.size() < need) limb.resize(need, 0);
    const Natural& shorter = a.limb.size() < b.limb.size() ? a : b;
    const Natural& longer = a.limb.size() < b.limb.size() ? b : a;
    for (std::size_t i = 0; i < shorter.limb.size(); ++i) {
      Wide carry = 0;
      const std::uint64_t f = shorter.limb[i];
      std::size_t k = i;
      for (std::size_t j = 0; j < longer.limb.size(); ++j, ++k) {
        carry += mineproof::multiply(longer.limb[j], f) + limb[k];
        limb[k] = low_word(carry);
        carry >>= 64;
      }
      for (; carry; ++k) {
        carry += limb[k];
        limb[k] = low_word(carry);
        carry >>= 64;
      }
      pay(longer.limb.size());
    }
    trim();
  }
  void add_product(const Natural& a, const Natural& b) {
    add_product(a, b, [](std::size_t) {});
  }
  // d divides *this. From the lowest limb up: each limb of the quotient follows from one product modulo 2^64.
  template <class Pay>
  void divide_exactly(Natural d, Pay&& pay) {
    if (zero()) return;
    const std::uint64_t twos = d.trailing_zeros();
    d.shift_right(twos);
    shift_right(twos);
    std::uint64_t inverse = d.limb[0];  // Newton: right to 3 bits, then 6, 12, 24, 48, 96
    for (int i = 0; i < 5; ++i) inverse *= 2 - d.limb[0] * inverse;
    const std::size_t length = limb.size() - d.limb.size() + 1;
    for (std::size_t i = 0; i < length; ++i) {
      const std::uint64_t q = limb[i] * inverse;
      const std::size_t end = std::min(d.limb.size(), length - i);
      Wide carry = 0;  // of q d; what lies above the quotient is 0 in the end
      std::uint64_t borrow = 0;
      for (std::size_t j = 0; j < end; ++j) {
        carry += mineproof::multiply(d.limb[j], q);
        const std::uint64_t x = limb[i + j];
        const std::uint64_t y = low_word(carry);
        limb[i + j] = x - y - borrow;
        borrow = x < y || (borrow && x == y) ? 1 : 0;
        carry >>= 64;
      }
      const std::uint64_t more = low_word(carry);
      for (std::size_t j = i + end; j < length; ++j) {
        const std::uint64_t x = limb[j];
        const std::uint64_t y = j == i + end ? more : 0;
        limb[j] = x - y - borrow;
        borrow = x < y || (borrow && x == y) ? 1 : 0;
        if (j > i + end && !borrow) break;
      }
      limb[i] = q;
      pay(end);
    }
    limb.resize(length);
    trim();
  }
  std::uint64_t trailing_zeros() const {  // of a number that is not 0
    std::size_t i = 0;
    while (limb[i] == 0) ++i;
    return i * 64 + static_cast<std::uint64_t>(std::countr_zero(limb[i]));
  }
  void shift_right(std::uint64_t bits) {
    const std::size_t words = std::min(static_cast<std::size_t>(bits >> 6), limb.size());
    const int s = static_cast<int>(bits & 63);
    limb.erase(limb.begin(), limb.begin() + static_cast<std::ptrdiff_t>(words));
    if (s) {
      for (std::size_t i = 0; i < limb.size(); ++i) {
        limb[i] = limb[i] >> s | (i + 1 < limb.size() ? limb[i + 1] << (64 - s) : 0);
      }
    }
    trim();
  }
  void shift_left(std::uint64_t bits) {
    if (zero()) return;
    const std::size_t words = static_cast<std::size_t>(bits >> 6);
    const int s = static_cast<int>(bits & 63);
    if (s) {
      limb.push_back(0);
      for (std::size_t i = limb.size(); i-- > 0;) limb[i] = limb[i] << s | (i ? limb[i - 1] >> (64 - s) : 0);
    }
    limb.insert(limb.begin(), words, 0);
    trim();
  }
};

// ----------------------------------------------------------------------------- modulo one prime of 62 bits

// A constant modulo a prime p < 2^62 with its quotient, for Shoup's multiplication: one product high, one low.
struct Residue {
  std::uint64_t value = 0;
  std::uint64_t quotient = 0;  // floor(value * 2^64 / p)

  static Residue of(std::uint64_t value, std::uint64_t prime) {
    return {value, divide(make_wide(value, 0), prime).quotient};
  }
  // value * x mod p for x < p.
  std::uint64_t times(std::uint64_t x, std::uint64_t prime) const {
    const std::uint64_t q = high_word(multiply(quotient, x));
    const std::uint64_t r = value * x - q * prime;
    return r >= prime ? r - prime : r;
  }
};

inline std::uint64_t multiply_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t prime) {
  return divide(multiply(a, b), prime).rest;
}

inline std::uint64_t power_modulo(std::uint64_t base, std::uint64_t exponent, std::uint64_t prime) {
  std::uint64_t result = 1;
  for (; exponent; exponent >>= 1, base = multiply_modulo(base, base, prime)) {
    if (exponent & 1) result = multiply_modulo(result, base, prime);
  }
  return result;
}

// C(n, k) mod p for k = 0..count-1; n < p.
inline void binomials_modulo(std::int32_t n, std::int32_t count, std::uint64_t prime, Residue* out) {
  std::uint64_t c = 1;
  for (std::int32_t k = 0; k < count; ++k) {
    out[k] = Residue::of(c, prime);
    if (k + 1 == count) return;
    c = multiply_modulo(c, static_cast<std::uint64_t>(n - k), prime);
    c = multiply_modulo(c, power_modulo(static_cast<std::uint64_t>(k + 1), prime - 2, prime), prime);
  }
}

// -------------------------------------------------------------------- modulo eight primes of 28 bits at once

constexpr int kLanes = 8;
constexpr int kPrimeBits = 27;            // every prime has at least so many bits to give
constexpr std::int64_t kUnreduced = 127;  // terms of two products of 56 bits that 64 bits hold

// The odd primes below 2^28, in falling order.
class FallingPrimes {
 public:
  std::uint32_t next() {
    do last_ -= 2;
    while (!prime(last_));
    return last_;
  }

 private:
  static bool prime(std::uint32_t n) {
    for (std::uint32_t d = 3; d * d <= n; d += 2) {
      if (n % d == 0) return false;
    }
    return true;
  }
  std::uint32_t last_ = (1u << 28) + 1;
};

namespace detail {

// The product of two numbers of 32 bits; the masks tell the compiler that they are.
MINEPROOF_INLINE std::uint64_t narrow(std::uint64_t a, std::uint64_t b) {
  return (a & 0xffffffffu) * (b & 0xffffffffu);
}

// t, or t - p where it is no less than p; with a signed comparison, which vectors have.
MINEPROOF_INLINE std::uint64_t once_less(std::uint64_t t, std::uint64_t p) {
  const std::int64_t less = static_cast<std::int64_t>(t - p);
  return static_cast<std::uint64_t>(less) + (less < 0 ? p : 0);
}

}  // namespace detail

struct alignas(64) Lanes {
  std::uint64_t v[kLanes];
};

// Numbers below eight primes lie in 64-bit lanes. Products are reduced as Montgomery does: times() divides by 2^32, so
// that one factor is usually kept as scaled() makes it, times 2^32.
struct PrimeField {
  Lanes p, low_inverse, one, square;  // -1/p modulo 2^32; 2^32 and 2^64 modulo p

  explicit PrimeField(const std::uint32_t* prime) {
    for (int l = 0; l < kLanes; ++l) {
      const std::uint32_t q = prime[l];
      std::uint32_t inverse = q;  // Newton: right to 3 bits, then 6, 12, 24, 48
      for (int i = 0; i < 4; ++i) inverse *= 2 - q * inverse;
      p.v[l] = q;
      low_inverse.v[l] = 0u - inverse;
      one.v[l] = (std::uint64_t{1} << 32) % q;
      square.v[l] = one.v[l] * one.v[l] % q;
    }
  }

  // x / 2^32 for x below 2^32 p.
  MINEPROOF_INLINE Lanes reduce(const Lanes& x) const {
    Lanes out;
    for (int l = 0; l < kLanes; ++l) {
      const std::uint64_t m = detail::narrow(x.v[l], low_inverse.v[l]);
      out.v[l] = detail::once_less((x.v[l] + detail::narrow(m, p.v[l])) >> 32, p.v[l]);
    }
    return out;
  }
  // x / 2^32 for any x.
  MINEPROOF_INLINE Lanes reduce_any(const Lanes& x) const {
    Lanes y;
    for (int l = 0; l < kLanes; ++l) {
      std::uint64_t t = detail::narrow(x.v[l] >> 32, one.v[l]) + (x.v[l] & 0xffffffffu);
      t = detail::narrow(t >> 32, one.v[l]) + (t & 0xffffffffu);
      y.v[l] = t;
    }
    return reduce(y);
  }
  // a b / 2^32
  MINEPROOF_INLINE Lanes times(const Lanes& a, const Lanes& b) const {
    Lanes x;
    for (int l = 0; l < kLanes; ++l) x.v[l] = detail::narrow(a.v[l], b.v[l]);
    return reduce(x);
  }
  MINEPROOF_INLINE Lanes plus(const Lanes& a, const Lanes& b) const {
    Lanes x;
    for (int l = 0; l < kLanes; ++l) x.v[l] = detail::once_less(a.v[l] + b.v[l], p.v[l]);
    return x;
  }
  MINEPROOF_INLINE Lanes minus(const Lanes& a, const Lanes& b) const {
    Lanes x;
    for (int l = 0; l < kLanes; ++l) x.v[l] = detail::once_less(a.v[l] + p.v[l] - b.v[l], p.v[l]);
    return x;
  }
  MINEPROOF_INLINE Lanes of(std::uint64_t n) const {
    Lanes x;
    for (int l = 0; l < kLanes; ++l) x.v[l] = n % p.v[l];
    return x;
  }
  MINEPROOF_INLINE Lanes scaled(const Lanes& a) const { return times(a, square); }
  MINEPROOF_INLINE Lanes scaled(std::uint64_t n) const { return scaled(of(n)); }
  // Of scaled numbers.
  Lanes power(const Lanes& of, std::uint64_t exponent) const {
    Lanes x = one;
    Lanes base = of;
    for (; exponent; exponent >>= 1, base = times(base, base)) {
      if (exponent & 1) x = times(x, base);
    }
    return x;
  }
  // Of a scaled number that is not 0, scaled. By its power p - 2.
  Lanes inverse(const Lanes& of) const {
    Lanes x = one;
    Lanes base = of;
    for (int bit = 0; bit < 28; ++bit, base = times(base, base)) {
      const Lanes y = times(x, base);
      for (int l = 0; l < kLanes; ++l) x.v[l] = (p.v[l] - 2) >> bit & 1 ? y.v[l] : x.v[l];
    }
    return x;
  }
};

// ------------------------------------------------- large products, and numbers from their remainders

// a * b; polls.
Natural product(const Natural& a, const Natural& b, Workspace& workspace);
// The product of all; polls.
Natural product_of(const std::vector<Natural>& factor, std::size_t from, std::size_t to, Workspace& workspace);
// C(n, k), from its prime factors; polls.
Natural whole_binomial(std::int64_t n, std::int64_t k, Workspace& workspace);

// Chinese remainders by a tree of products, which is built once for many numbers.
class Remainders {
 public:
  // Different primes of 28 bits, a multiple of kLanes of them.
  Remainders(std::vector<std::uint32_t> primes, Workspace& workspace);

  // The number below the product of all primes that leaves these remainders.
  Natural number(const std::uint32_t* remainder, Workspace& workspace) const;
  // Memory of the tree, and of the numbers that number() works on.
  static std::int64_t bytes(std::size_t primes);

 private:
  Natural sum_of(const std::uint32_t* a, std::size_t from, std::size_t to, std::size_t& node,
                 Workspace& workspace) const;
  void build(std::size_t from, std::size_t to, Workspace& workspace);

  std::vector<std::uint32_t> prime_;
  std::vector<std::uint32_t> inverse_;  // of the product of the others, modulo each prime
  std::vector<Natural> product_;        // of a node's primes, a node before its halves, the left before the right
};

// ----- one coefficient of a product of powers: the number of layouts where the total ties thousands of components

// A polynomial with whole coefficients, c[0] and the last not 0, to a power.
struct Power {
  std::vector<std::uint64_t> c;
  std::int64_t times = 0;
};

// The binomials C(sea, left - i) of coefficients from..to-1, in runs: each follows from the one before by a factor
// left - i and a divisor sea - left + i + 1.
struct Runs {
  std::int64_t from = 0, to = 0, length = 1;
  std::int64_t sea = 0, left = 0;

  std::int64_t count() const { return (to - from + length - 1) / length; }
  std::int64_t first(std::int64_t run) const { return from + run * length; }
  std::int64_t end(std::int64_t run) const { return std::min(first(run + 1), to); }
  std::int64_t factor(std::int64_t i) const { return left - i; }
  std::int64_t divisor(std::int64_t i) const { return sea - left + i + 1; }
};

// The sum over i of a_i * C(sea, left - i), where a is the product of the powers.
//
// Coefficients of the product follow from its logarithmic derivative: a recurrence as long as the degrees of the
// different polynomials together, whatever the powers are. It runs modulo primes of 28 bits, eight at a time.
//
// One binomial follows from another by a small fraction. So within a run of coefficients the sum is, but for a common
// factor, a whole number of not many more bits than a coefficient has, which is far less than the answer. Primes enough
// for that are taken; the sums of the runs are put together in whole numbers.
class PowerSum {
 public:
  PowerSum(std::vector<Power> powers, std::int64_t sea, std::int64_t left);

  // Terms of the recurrence modulo all primes, with the rest of the work in such terms.
  double terms() const;
  // Polls, and counts its memory.
  Natural compute(Workspace& workspace) const;

 private:
  std::vector<std::uint32_t> primes() const;

  std::vector<Power> powers_;
  std::int64_t degree_ = 0;  // of the different polynomials together
  double bits_ = 0;          // of a coefficient, at most
  Runs runs_;
  std::size_t primes_ = 0;
};

}  // namespace mineproof::exact

// Arithmetic modulo eight primes of 28 bits at once, and the primes. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vector.hpp"

namespace mineproof::exact {

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
struct Field {
  Lanes p, low_inverse, one, square;  // -1/p modulo 2^32; 2^32 and 2^64 modulo p

  explicit Field(const std::uint32_t* prime) {
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

}  // namespace mineproof::exact

// Binomial coefficients: exact residues for counting. (Weights of the sea are in tail.hpp.)
#pragma once

#include <cstdint>

#include "wide.hpp"

namespace mineproof::exact {

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

}  // namespace mineproof::exact

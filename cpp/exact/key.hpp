// Keys of states: unsigned integers of 64, 128 and 256 bits.
#pragma once

#include <cstdint>

#include "wide.hpp"

namespace mineproof::exact {

using Narrow = std::uint64_t;
using Double = Wide;

// 256 bits, for frontiers of more than some 30 clues.
struct Quad {
  Double high = 0;
  Double low = 0;

  Quad() = default;
  constexpr Quad(std::uint64_t v) : low(v) {}
  constexpr Quad(Double h, Double l) : high(h), low(l) {}

  friend constexpr bool operator==(const Quad& a, const Quad& b) { return a.low == b.low && a.high == b.high; }
  friend constexpr bool operator<(const Quad& a, const Quad& b) {
    return a.high < b.high || (a.high == b.high && a.low < b.low);
  }
  friend constexpr Quad operator&(Quad a, Quad b) { return {a.high & b.high, a.low & b.low}; }
  friend constexpr Quad operator|(Quad a, Quad b) { return {a.high | b.high, a.low | b.low}; }
  friend constexpr Quad operator^(Quad a, Quad b) { return {a.high ^ b.high, a.low ^ b.low}; }
  friend constexpr Quad operator~(Quad a) { return {~a.high, ~a.low}; }
  friend constexpr Quad operator-(Quad a, Quad b) {
    return {a.high - b.high - (a.low < b.low ? 1u : 0u), a.low - b.low};
  }
  friend constexpr Quad operator+(Quad a, Quad b) {
    const Double low = a.low + b.low;
    return {a.high + b.high + (low < a.low ? 1u : 0u), low};
  }
  friend constexpr Quad operator<<(Quad a, int s) {
    if (s == 0) return a;
    if (s >= 128) return {a.low << (s - 128), 0};
    return {(a.high << s) | (a.low >> (128 - s)), a.low << s};
  }
  friend constexpr Quad operator>>(Quad a, int s) {
    if (s == 0) return a;
    if (s >= 128) return {0, a.high >> (s - 128)};
    return {a.high >> s, (a.low >> s) | (a.high << (128 - s))};
  }
  explicit operator std::uint64_t() const { return static_cast<std::uint64_t>(low); }
};

template <class Key>
inline constexpr int kBits = static_cast<int>(sizeof(Key) * 8) - 1;  // one bit is kept free: all ones is "no key"

}  // namespace mineproof::exact

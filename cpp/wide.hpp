// Unsigned integers of 128 bits: the compiler's own where it has them, else two words.
//
// MINEPROOF_NO_INT128 takes the two words everywhere, for tests.
#pragma once

#include <cstdint>

#if defined(__SIZEOF_INT128__) && !defined(MINEPROOF_NO_INT128)
#define MINEPROOF_HAS_INT128 1
#else
#define MINEPROOF_HAS_INT128 0
#endif

namespace mineproof {

#if MINEPROOF_HAS_INT128

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t low_word(Wide x) noexcept { return static_cast<std::uint64_t>(x); }
constexpr std::uint64_t high_word(Wide x) noexcept { return static_cast<std::uint64_t>(x >> 64); }
constexpr Wide make_wide(std::uint64_t high, std::uint64_t low) noexcept { return static_cast<Wide>(high) << 64 | low; }
constexpr Wide multiply(std::uint64_t a, std::uint64_t b) noexcept { return static_cast<Wide>(a) * b; }

#else

// As many operators as the core uses.
class Wide {
 public:
  Wide() = default;
  constexpr Wide(std::uint64_t low) noexcept : low_(low) {}
  constexpr Wide(std::uint64_t high, std::uint64_t low) noexcept : high_(high), low_(low) {}

  constexpr std::uint64_t high() const noexcept { return high_; }
  constexpr std::uint64_t low() const noexcept { return low_; }
  explicit constexpr operator std::uint64_t() const noexcept { return low_; }
  explicit constexpr operator bool() const noexcept { return (high_ | low_) != 0; }

  friend constexpr bool operator==(Wide a, Wide b) noexcept { return a.low_ == b.low_ && a.high_ == b.high_; }
  friend constexpr bool operator<(Wide a, Wide b) noexcept {
    return a.high_ < b.high_ || (a.high_ == b.high_ && a.low_ < b.low_);
  }
  friend constexpr Wide operator&(Wide a, Wide b) noexcept { return {a.high_ & b.high_, a.low_ & b.low_}; }
  friend constexpr Wide operator|(Wide a, Wide b) noexcept { return {a.high_ | b.high_, a.low_ | b.low_}; }
  friend constexpr Wide operator^(Wide a, Wide b) noexcept { return {a.high_ ^ b.high_, a.low_ ^ b.low_}; }
  friend constexpr Wide operator~(Wide a) noexcept { return {~a.high_, ~a.low_}; }
  friend constexpr Wide operator+(Wide a, Wide b) noexcept {
    const std::uint64_t low = a.low_ + b.low_;
    return {a.high_ + b.high_ + (low < a.low_ ? 1u : 0u), low};
  }
  friend constexpr Wide operator-(Wide a, Wide b) noexcept {
    return {a.high_ - b.high_ - (a.low_ < b.low_ ? 1u : 0u), a.low_ - b.low_};
  }
  friend constexpr Wide operator<<(Wide a, int s) noexcept {
    if (s == 0) return a;
    if (s >= 64) return {a.low_ << (s - 64), 0};
    return {a.high_ << s | a.low_ >> (64 - s), a.low_ << s};
  }
  friend constexpr Wide operator>>(Wide a, int s) noexcept {
    if (s == 0) return a;
    if (s >= 64) return {0, a.high_ >> (s - 64)};
    return {a.high_ >> s, a.low_ >> s | a.high_ << (64 - s)};
  }
  constexpr Wide& operator&=(Wide b) noexcept { return *this = *this & b; }
  constexpr Wide& operator|=(Wide b) noexcept { return *this = *this | b; }
  constexpr Wide& operator+=(Wide b) noexcept { return *this = *this + b; }
  constexpr Wide& operator>>=(int s) noexcept { return *this = *this >> s; }

 private:
  std::uint64_t high_ = 0;
  std::uint64_t low_ = 0;
};

constexpr std::uint64_t low_word(Wide x) noexcept { return x.low(); }
constexpr std::uint64_t high_word(Wide x) noexcept { return x.high(); }
constexpr Wide make_wide(std::uint64_t high, std::uint64_t low) noexcept { return {high, low}; }
constexpr Wide multiply(std::uint64_t a, std::uint64_t b) noexcept {
  const std::uint64_t mask = 0xFFFFFFFFu;
  const std::uint64_t ll = (a & mask) * (b & mask);
  const std::uint64_t lh = (a & mask) * (b >> 32);
  const std::uint64_t hl = (a >> 32) * (b & mask);
  const std::uint64_t hh = (a >> 32) * (b >> 32);
  const std::uint64_t middle = (ll >> 32) + (lh & mask) + (hl & mask);
  return {hh + (lh >> 32) + (hl >> 32) + (middle >> 32), (middle << 32) | (ll & mask)};
}

#endif

struct Division {
  std::uint64_t quotient;
  std::uint64_t rest;
};

// x / d, where the quotient fits a word: high_word(x) < d.
constexpr Division divide(Wide x, std::uint64_t d) noexcept {
#if MINEPROOF_HAS_INT128
  const std::uint64_t quotient = static_cast<std::uint64_t>(x / d);
  return {quotient, low_word(x) - quotient * d};
#else
  std::uint64_t quotient = 0;
  std::uint64_t rest = high_word(x);
  for (int bit = 63; bit >= 0; --bit) {  // by hand, a binary digit at a time
    const bool over = rest >> 63 != 0;
    rest = rest << 1 | (low_word(x) >> bit & 1u);
    if (over || rest >= d) {
      rest -= d;
      quotient |= std::uint64_t{1} << bit;
    }
  }
  return {quotient, rest};
#endif
}

}  // namespace mineproof

// Can a result of a pass be too small for a double? Bounds that are known before a step answer it: a power of
// two below everything that is not 0. A pass multiplies and adds what is not negative, so a product is no smaller than
// the product of the bounds of its factors. Where a bound gets too low the numbers themselves are looked at.
//
// No flag of the processor is read: some machines have none, and where a program must not lose anything the answer is
// the same everywhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

namespace mineproof::exact {

// Exponents of powers of two. Results of at least 2^kLeastExponent are exact to the last bit.
inline constexpr std::int32_t kLeastExponent = -1022;
inline constexpr std::int32_t kMostExponent = 1023;

// The exponent of a positive number, rounded down; below kLeastExponent where it is too small for a double already.
inline std::int32_t exponent_of(double x) {
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);  // not every library has std::bit_cast
  return static_cast<std::int32_t>(bits >> 52) - 1023;
}

// 2 to a power, kLeastExponent..kMostExponent.
inline double power_of_two(std::int32_t exponent) {
  const std::uint64_t bits = static_cast<std::uint64_t>(exponent + 1023) << 52;
  double x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

// The exponent of the smallest number of a list that is not 0, rounded down; kMostExponent where there is none.
inline std::int32_t smallest_exponent(const double* c, std::size_t n) {
  constexpr std::size_t kLanes = 8;  // side by side, for the vector units
  constexpr double kNone = std::numeric_limits<double>::max();
  double lane[kLanes];
  std::fill_n(lane, kLanes, kNone);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (std::size_t j = 0; j < kLanes; ++j) {
      const double x = c[i + j] > 0 ? c[i + j] : kNone;
      lane[j] = x < lane[j] ? x : lane[j];
    }
  }
  double least = kNone;
  for (; i < n; ++i) {
    if (c[i] > 0) least = std::min(least, c[i]);
  }
  for (double x : lane) least = std::min(least, x);
  return exponent_of(least);
}

// The bits that the weight of each mine takes off a product; none where mines are favoured.
inline std::int32_t bits_of_mine(double fugacity) { return std::max(0, -exponent_of(fugacity)); }

// A product of two positive numbers that is too small for a double.
inline bool too_small(double product) { return product < std::numeric_limits<double>::min(); }

}  // namespace mineproof::exact

// Rows of polynomials, four columns at a time.
//
// Rows are worked on past their last column up to a multiple of four: what follows a row of a table is zero.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "underflow.hpp"
#include "vector.hpp"

namespace mineproof::exact::rows {

// Sums stay in registers only if the loops over them are unrolled. clang does so unasked.
#if defined(__GNUC__) && !defined(__clang__)
#define MINEPROOF_UNROLL _Pragma("GCC unroll 4")
#else
#define MINEPROOF_UNROLL
#endif

using Four = double __attribute__((vector_size(32)));

inline constexpr std::int32_t kMargin = 16;  // zeros on both sides of a row that is copied, and around all tables

inline std::int32_t whole(std::int32_t n) { return (n + 3) & ~3; }
// Rows begin anywhere: a reference to four of their columns would claim an alignment they do not have.
MINEPROOF_INLINE Four four(const double* p) {
  Four x;
  std::memcpy(&x, p, sizeof x);
  return x;
}
MINEPROOF_INLINE void put(double* p, const Four& x) { std::memcpy(p, &x, sizeof x); }

MINEPROOF_INLINE double sum_of(const Four& x) { return (x[0] + x[1]) + (x[2] + x[3]); }

// to = a x + b y.
MINEPROOF_INLINE void combine(double a, const double* x, double b, const double* y, double* to, std::int32_t n) {
  for (std::int32_t i = 0; i < n; i += 4) put(to + i, a * four(x + i) + b * four(y + i));
}

// to[i] = the sum over j of b[j] a[i - j], for Lanes * 4 values of i from 0 on.
template <int Lanes>
MINEPROOF_INLINE void multiply_block(const double* a, const double* b, std::int32_t from, std::int32_t end,
                                     double* to) {
  Four sum[Lanes] = {};
  for (std::int32_t j = from; j < end; ++j) {
    MINEPROOF_UNROLL for (int l = 0; l < Lanes; ++l) sum[l] += b[j] * four(a - j + 4 * l);
  }
  MINEPROOF_UNROLL for (int l = 0; l < Lanes; ++l) put(to + 4 * l, sum[l]);
}

// The product of two polynomials; `a` has kMargin zeros on both sides, `to` room for a multiple of four.
MINEPROOF_INLINE void multiply(const double* a, std::int32_t n, const double* b, std::int32_t m, double* to) {
  const std::int32_t all = n + m - 1;
  for (std::int32_t i = 0; i < all;) {
    const std::int32_t left = all - i;
    const std::int32_t from = std::max(0, i - n + 1);
    if (left > 12) {
      multiply_block<4>(a + i, b, from, std::min(m, i + 16), to + i);
      i += 16;
    } else if (left > 8) {
      multiply_block<3>(a + i, b, from, std::min(m, i + 12), to + i);
      i += 12;
    } else if (left > 4) {
      multiply_block<2>(a + i, b, from, std::min(m, i + 8), to + i);
      i += 8;
    } else {
      multiply_block<1>(a + i, b, from, std::min(m, i + 4), to + i);
      i += 4;
    }
  }
}

// to[i] += w times the sum over j < m of b[j] d[i + j], for i < n and up to a multiple of four: columns side by side,
// for long rows,
template <int Lanes>
MINEPROOF_INLINE void correlate_block(const double* d, const double* b, std::int32_t m, double w, double* to) {
  Four sum[Lanes] = {};
  for (std::int32_t j = 0; j < m; ++j) {
    MINEPROOF_UNROLL for (int l = 0; l < Lanes; ++l) sum[l] += b[j] * four(d + j + 4 * l);
  }
  MINEPROOF_UNROLL for (int l = 0; l < Lanes; ++l) put(to + 4 * l, four(to + 4 * l) + w * sum[l]);
}
MINEPROOF_INLINE void correlate_long(const double* d, const double* b, std::int32_t m, double w, double* to,
                                     std::int32_t n) {
  for (std::int32_t i = 0; i < n;) {
    const std::int32_t left = n - i;
    if (left > 12) {
      correlate_block<4>(d + i, b, m, w, to + i);
      i += 16;
    } else if (left > 8) {
      correlate_block<3>(d + i, b, m, w, to + i);
      i += 12;
    } else if (left > 4) {
      correlate_block<2>(d + i, b, m, w, to + i);
      i += 8;
    } else {
      correlate_block<1>(d + i, b, m, w, to + i);
      i += 4;
    }
  }
}
// or one after the other, for short ones; zeros follow b.
template <int Columns>
MINEPROOF_INLINE void correlate_few(const double* d, const double* b, std::int32_t m, double w, double* to) {
  Four sum[Columns] = {};
  for (std::int32_t j = 0; j < m; j += 4) {
    MINEPROOF_UNROLL for (int l = 0; l < Columns; ++l) sum[l] += four(b + j) * four(d + j + l);
  }
  MINEPROOF_UNROLL for (int l = 0; l < Columns; ++l) to[l] += w * sum_of(sum[l]);
}
MINEPROOF_INLINE void correlate_short(const double* d, const double* b, std::int32_t m, double w, double* to,
                                      std::int32_t n) {
  std::int32_t i = 0;
  for (; i + 3 < n; i += 4) correlate_few<4>(d + i, b, m, w, to + i);
  if (i + 1 < n) {
    correlate_few<2>(d + i, b, m, w, to + i);
    i += 2;
  }
  if (i < n) correlate_few<1>(d + i, b, m, w, to + i);
}

MINEPROOF_INLINE double dot(const double* a, const double* b, std::int32_t n) {
  Four sum{0, 0, 0, 0};
  for (std::int32_t i = 0; i < n; i += 4) sum += four(a + i) * four(b + i);
  return sum_of(sum);
}

// Brings a table whose largest entry has left 2^-100..2^100 back to 2^0; gives the exponent taken out. Entries that are
// not 0 are no smaller than 2^least; `lost` becomes true where one of them gets too small for a double.
MINEPROOF_INLINE int rescale(double* c, std::int64_t n, std::int32_t& least, bool& lost) {
  Four most{0, 0, 0, 0};
  for (std::int64_t i = 0; i < n; i += 4) most = four(c + i) > most ? four(c + i) : most;
  const double largest = std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
  if (largest > 0x1p-100 && largest < 0x1p100) return 0;
  if (!(largest > 0)) return 0;
  int e;
  std::frexp(largest, &e);
  const double a = std::ldexp(1.0, -(e / 2));
  const double b = std::ldexp(1.0, -(e - e / 2));
  if (least - e < kLeastExponent) {
    least = smallest_exponent(c, static_cast<std::size_t>(n));
    lost = lost || least - e < kLeastExponent;
  }
  least -= e;
  for (std::int64_t i = 0; i < n; ++i) c[i] = c[i] * a * b;
  return e;
}

}  // namespace mineproof::exact::rows

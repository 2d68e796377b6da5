// Natural numbers of any size, as far as counting needs them: little-endian 64-bit limbs without leading zeros.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "wide.hpp"

namespace mineproof::exact {

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
  // *this += a * b; pay(n) is told of every n limb products.
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

}  // namespace mineproof::exact

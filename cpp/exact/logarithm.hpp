// Logarithms of small numbers, for estimates.
#pragma once

#include <cmath>
#include <cstdint>

namespace mineproof::exact {

// log2(n), and 0 for 0; looked up below 64.
class Log2 {
 public:
  Log2() {
    value_[0] = 0;
    for (int i = 1; i < kMost; ++i) value_[i] = std::log2(i);
  }
  double operator()(std::int32_t n) const { return n < kMost ? value_[n] : std::log2(n); }

 private:
  static constexpr int kMost = 64;
  double value_[kMost];
};
inline const Log2 kLog2;

}  // namespace mineproof::exact

// The chance to win by some games, drawn towards a half while they are few.
#pragma once

#include <algorithm>

namespace mineproof::search {

// The mean of `games` chances to win that sum up to `sum`, with a prior of kWeight games at one half. At least kLeast:
// chances without their luck may be negative.
inline double hope(double sum, double games) {
  constexpr double kCoin = 0.5, kWeight = 16, kLeast = 0.01;
  return std::max((kCoin * kWeight + sum) / (kWeight + games), kLeast);
}

}  // namespace mineproof::search

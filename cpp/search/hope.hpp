// The chance to win as far as some games tell: few games are taken for less than they say.
#pragma once

#include <algorithm>

namespace mineproof::search {

// After so many games, whose chances to win sum up to `sum`. Before any is played it is a coin's, and that counts as some
// games; it is never nothing, though chances without their luck may sum up to less than that.
inline double hope(double sum, double games) {
  constexpr double kCoin = 0.5, kWeight = 16, kLeast = 0.01;
  return std::max((kCoin * kWeight + sum) / (kWeight + games), kLeast);
}

}  // namespace mineproof::search

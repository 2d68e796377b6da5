// The weight of everything off the frontier, by the number of mines on it: binomials of the sea times the prior.
#pragma once

#include <vector>

#include "join.hpp"

namespace mineproof::exact {

// For j = first .. first + length - 1 mines on the frontier: value[i] is the weight of the rest, times fugacity^-j, and
// mines[i] is the same weighted by the number of mines in the sea; both over exp(log_scale), largest value near 1.
// Values may underflow: what is possible is told by `Room`.
struct Tail {
  std::int64_t first = 0;
  std::int64_t length = 0;
  double* value = nullptr;
  double* mines = nullptr;
  double log_scale = 0;
};
Tail tail(const Pool& pool, std::int64_t low, std::int64_t high, Workspace& workspace);

// Which numbers of frontier mines the prior and the sea can complete: low..high, without holes unless `holes`.
struct Room {
  std::int64_t low = 0;
  std::int64_t high = -1;
  bool holes = false;
};
Room room(const Pool& pool);
// Exact, for any prior: can j frontier mines be completed with s of `sea` cells, low_s <= s <= high_s?
bool fits(const Pool& pool, std::int64_t j, std::int64_t low_s, std::int64_t high_s);

// Weights of 0..sea mines in the sea given j on the frontier, for any prior but independent cells; scaled freely.
std::vector<double> sea_weights(const Pool& pool, std::int64_t j);

}  // namespace mineproof::exact

// Joining the components with each other and with the sea (hidden cells off the frontier) through the number of mines.
#pragma once

#include <vector>

#include "component.hpp"
#include "position.hpp"

namespace mineproof::exact {

// What is to be joined. Polynomials carry the given fugacity (see Polynomial).
struct JoinInput {
  enum class Way : std::uint8_t { cheaper, direct, circle };
  Way way = Way::cheaper;  // how a known total is joined; the others are for tests
  const Polynomial* const* poly = nullptr;
  std::int32_t count = 0;
  double fugacity = 1;
  std::int64_t sea = 0;    // cells of the sea
  std::int64_t known = 0;  // mines already certain, opened or vouched for
  std::int64_t cells = 0;  // of the whole board
  Prior prior;
};

struct JoinResult {
  bool feasible = false;  // some layout meets the prior's number of mines
  // Per component, by index into its window: the weight of everything outside it, to be multiplied with c[i]. Zero
  // exactly where no layout of the others fits; scaled freely. Only of component `only` when one is asked for.
  double** outside = nullptr;
  double sea_p = 0;  // chance of a mine for one sea cell; not clamped
  bool sea_can_be_mine = false;
  bool sea_can_be_safe = false;
  double log_weight = 0;  // natural logarithm of the total weight
};

inline constexpr std::int32_t kAll = -1;

// Outside weights of every component, or of the one numbered `only`.
JoinResult join(const JoinInput& pool, std::int32_t only, Workspace& workspace);

// Is the product of a component and its outside too small a part of what it could be, for doubles to tell? Then a
// fugacity that favours more (+1) or fewer (-1) mines is needed; 0: all is well.
int lost_side(const Polynomial& poly, const double* outside);

// Distribution of the number of mines in all components together (not scaled), by direct convolution; with the prior.
// first + i mines have weight p[i].
struct FrontierSpread {
  std::int64_t first = 0;
  std::int64_t length = 0;
  double* p = nullptr;
};
FrontierSpread frontier_spread(const JoinInput& pool, Workspace& workspace);

// What the number of mines leaves possible: support only, no weights.
struct PossibleCounts {
  bool feasible = false;
  bool sea_can_be_mine = false;
  bool sea_can_be_safe = false;
  std::uint8_t** mask = nullptr;  // per component, by index into its window: does a layout with that many mines exist?
};

// How many mines components can hold together: the sums of their fewest and of their most, the widest range of one of
// them, and the farthest that two neighbouring counts of one of them are apart.
struct Ranges {
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t widest = 0;
  std::int64_t gap = 1;

  void add(std::int64_t first, std::int64_t range, std::int64_t largest_gap) {
    low += first;
    high += first + range;
    widest = std::max(widest, range);
    gap = std::max(gap, largest_gap);
  }
};

// Do `left` mines in components and sea leave every count of every component possible, and sea cells undecided? True
// only where these few sums show it.
bool leaves_all_open(const Ranges& ranges, std::int64_t left, std::int64_t sea);

// For priors by number of mines (not for independent cells). Constant time a component while the sea is large enough to
// even out the gaps in the components' possible counts, exact sets of sums where it is not.
PossibleCounts possible_counts(const JoinInput& pool, Workspace& workspace);

// The two ways to join components under a known number of mines.
//
// By convolution: products of the components before and after each. Exact up to rounding, for any prior by number.
void join_direct(const JoinInput& pool, std::int32_t only, const PossibleCounts& possible, Workspace& workspace,
                 JoinResult& out);

// By Fourier transform on a few points of the unit circle, for very many components and a known total.
void join_circle(const JoinInput& pool, std::int32_t only, const PossibleCounts& possible, Workspace& workspace,
                 JoinResult& out);

// Outside weights made zero exactly where impossible, positive exactly where possible.
void settle(const Polynomial& poly, const std::uint8_t* possible, double* outside);

// The weight of everything off the frontier, by the number of mines on it: binomials of the sea times the prior.
//
// For j = first .. first + length - 1 mines on the frontier: value[i] is the weight of the rest, times fugacity^-j, and
// mines[i] is the same weighted by the number of mines in the sea; both over exp(log_scale), largest value near 1.
// Values may underflow: `Room` says what is possible.
struct TailWeights {
  std::int64_t first = 0;
  std::int64_t length = 0;
  double* value = nullptr;
  double* mines = nullptr;
  double log_scale = 0;
};
TailWeights tail(const JoinInput& pool, std::int64_t low, std::int64_t high, Workspace& workspace);

// Which numbers of frontier mines the prior and the sea can complete: low..high, without holes unless `holes`.
struct Room {
  std::int64_t low = 0;
  std::int64_t high = -1;
  bool holes = false;
};
Room room(const JoinInput& pool);
// Exact, for any prior: can j frontier mines be completed with s of `sea` cells, low_s <= s <= high_s?
bool fits(const JoinInput& pool, std::int64_t j, std::int64_t low_s, std::int64_t high_s);

// Weights of 0..sea mines in the sea given j on the frontier, for any prior but independent cells; scaled freely.
std::vector<double> sea_weights(const JoinInput& pool, std::int64_t j);

}  // namespace mineproof::exact

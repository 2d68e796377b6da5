// Joining the components with each other and with the sea (hidden cells off the frontier) through the number of mines.
#pragma once

#include "component.hpp"
#include "position.hpp"

namespace mineproof::exact {

// What is to be joined. Polynomials carry the given fugacity (see Polynomial).
struct Pool {
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

struct Joined {
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
Joined join(const Pool& pool, std::int32_t only, Workspace& workspace);

// Is what a component and its outside weigh together too small a part of what they could, for doubles to tell? Then a
// fugacity that favours more (+1) or fewer (-1) mines is needed; 0: all is well.
int lost_side(const Polynomial& poly, const double* outside);

// Distribution of the number of mines in all components together (not scaled), by direct convolution; with the prior.
// first + i mines have weight p[i].
struct FrontierSpread {
  std::int64_t first = 0;
  std::int64_t length = 0;
  double* p = nullptr;
};
FrontierSpread frontier_spread(const Pool& pool, Workspace& workspace);

}  // namespace mineproof::exact

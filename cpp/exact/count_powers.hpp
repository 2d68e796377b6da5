// The number of layouts where thousands of components are tied by the total: one coefficient of a product of powers,
// modulo many primes. Internal.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "integer.hpp"
#include "workspace.hpp"

namespace mineproof::exact {

// A polynomial with whole coefficients, c[0] and the last not 0, to a power.
struct Power {
  std::vector<std::uint64_t> c;
  std::int64_t times = 0;
};

// The binomials C(sea, left - i) of coefficients from..to-1, in runs: each follows from the one before by a factor
// left - i and a divisor sea - left + i + 1.
struct Runs {
  std::int64_t from = 0, to = 0, length = 1;
  std::int64_t sea = 0, left = 0;

  std::int64_t count() const { return (to - from + length - 1) / length; }
  std::int64_t first(std::int64_t run) const { return from + run * length; }
  std::int64_t end(std::int64_t run) const { return std::min(first(run + 1), to); }
  std::int64_t factor(std::int64_t i) const { return left - i; }
  std::int64_t divisor(std::int64_t i) const { return sea - left + i + 1; }
};

// The sum over i of a_i * C(sea, left - i), where a is the product of the powers.
//
// Coefficients of the product follow from its logarithmic derivative: a recurrence as long as the degrees of the
// different polynomials together, whatever the powers are. It runs modulo primes of 28 bits, eight at a time.
//
// One binomial follows from another by a small fraction. So within a run of coefficients the sum is, but for a common
// factor, a whole number of not many more bits than a coefficient has, which is far less than the answer. Primes enough
// for that are taken; the sums of the runs are put together in whole numbers.
class PowerSum {
 public:
  PowerSum(std::vector<Power> powers, std::int64_t sea, std::int64_t left);

  // Terms of the recurrence modulo all primes, with the rest of the work in such terms.
  double terms() const;
  // Polls, and counts its memory.
  Natural compute(Workspace& workspace) const;

 private:
  std::vector<std::uint32_t> primes() const;

  std::vector<Power> powers_;
  std::int64_t degree_ = 0;  // of the different polynomials together
  double bits_ = 0;          // of a coefficient, at most
  Runs runs_;
  std::size_t primes_ = 0;
};

}  // namespace mineproof::exact

// A chance as Python gives it: out of 2^64, which may be reached.
#pragma once

#include <cstdint>

#include "bindings/arrays.hpp"
#include "rng.hpp"

namespace mineproof::bindings {

inline Chance chance_of(const nb::int_& threshold) {
  const nb::int_ whole = nb::borrow<nb::int_>(nb::int_(1) << nb::int_(64));
  if (threshold.equal(whole)) return {0, true};
  std::uint64_t value = 0;
  if (!nb::try_cast(threshold, value)) refuse("threshold must be 0 to 2**64");
  return {value, false};
}

}  // namespace mineproof::bindings

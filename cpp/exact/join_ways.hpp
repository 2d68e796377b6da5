// The two ways to join components under a known number of mines. Internal.
#pragma once

#include "join.hpp"
#include "possible.hpp"

namespace mineproof::exact {

// By convolution: products of the components before and after each. Exact up to rounding, for any prior by number.
void join_direct(const Pool& pool, std::int32_t only, const Possible& possible, Workspace& workspace, Joined& out);

// By Fourier transform on a few points of the unit circle, for very many components and a known total.
void join_circle(const Pool& pool, std::int32_t only, const Possible& possible, Workspace& workspace, Joined& out);

// Outside weights made zero exactly where impossible, positive exactly where possible.
void settle(const Polynomial& poly, const std::uint8_t* possible, double* outside);

}  // namespace mineproof::exact

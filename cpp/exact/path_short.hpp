// The passes of short programs in doubles. Internal.
//
// Most programs are short and have no weights. What their coefficients can come to is known before a pass: so little
// above and below 1 that nothing underflows and nothing need be scaled. There nothing is watched from step to step,
// which would take longer than the steps themselves. The results are the same to the last bit.
#pragma once

#include "path_doubles.hpp"

namespace mineproof::exact {

// The forward pass; false, and nothing is done, where the program is not short.
bool forward_short(const PathProgram& program, double fugacity, Workspace& workspace, PathForward& out);

// The backward pass after such a forward pass; false, and nothing is done, where the outside weights are too far
// from 1.
bool backward_short(const PathProgram& program, const PathForward& forward, const double* outside, Workspace& workspace,
                    BoxOdds* odds);

}  // namespace mineproof::exact

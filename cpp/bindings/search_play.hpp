// The section of the seam to the players of the core.
#pragma once

#include <nanobind/nanobind.h>

namespace mineproof::bindings {

void bind_search_play(nanobind::module_& m);

}  // namespace mineproof::bindings

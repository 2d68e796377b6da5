// The sections of the module: each binds one family of functions.
#pragma once

#include <nanobind/nanobind.h>

namespace mineproof::bindings {

void bind_build(nanobind::module_& m);
void bind_dealing(nanobind::module_& m);
void bind_exact_models(nanobind::module_& m);
void bind_exact_solving(nanobind::module_& m);
void bind_exact_many(nanobind::module_& m);
void bind_exact_session(nanobind::module_& m);
void bind_search_endgame(nanobind::module_& m);
void bind_games(nanobind::module_& m);
void bind_batch(nanobind::module_& m);
void bind_seat(nanobind::module_& m);
void bind_premises(nanobind::module_& m);
void bind_generating(nanobind::module_& m);

}  // namespace mineproof::bindings

// mineproof._core: translates between Python and the core. With cpp/bindings/, the only code that knows nanobind.
#include <nanobind/nanobind.h>

#include "bindings/sections.hpp"

NB_MODULE(_core, m) {
  using namespace mineproof::bindings;
  m.doc() = "The compiled core of mineproof. Import it through mineproof.kernel.";
  // JAX keeps arrays past the end of the interpreter, and with them the batch whose memory they are.
  nanobind::set_leak_warnings(false);
  bind_build(m);
  bind_dealing(m);
  bind_exact_models(m);
  bind_exact_solving(m);
  bind_exact_many(m);
  bind_exact_session(m);
  bind_search_endgame(m);
  bind_games(m);
  bind_batch(m);
  bind_seat(m);
  bind_premises(m);
  bind_generating(m);
}

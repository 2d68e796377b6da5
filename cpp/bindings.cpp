// mineproof._core: translates between Python and the core. With cpp/bindings/, the only code that knows nanobind.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "bindings/arrays.hpp"

namespace nb = nanobind;

namespace {

std::string compiler() {
#if defined(__clang__)
  return "clang++ " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__);
#elif defined(__GNUC__)
  return "g++ " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__);
#elif defined(_MSC_VER)
  return "MSVC " + std::to_string(_MSC_VER);
#else
  return "unknown compiler";
#endif
}

nb::typed<nb::dict, nb::str, nb::str> build_info() {
  nb::typed<nb::dict, nb::str, nb::str> info;
  info["compiler"] = compiler();
  info["flags"] = MINEPROOF_FLAGS;
  info["version"] = MINEPROOF_VERSION;
  return info;
}

}  // namespace

NB_MODULE(_core, m) {
  using namespace mineproof::bindings;
  m.doc() = "The compiled core of mineproof. Import it through mineproof.kernel.";
  // JAX keeps arrays past the end of the interpreter, and with them the batch whose memory they are.
  nb::set_leak_warnings(false);
  m.def("build_info", &build_info, "Compiler, flags and version of this build.");
  bind_deals(m);
  bind_exact_models(m);
  bind_exact_solve(m);
  bind_exact_many(m);
  bind_exact_session(m);
  bind_search_endgame(m);
  bind_games(m);
  bind_batch(m);
  bind_player(m);
  bind_premises(m);
  bind_no_guess(m);
}

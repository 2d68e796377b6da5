// What the core was built with.
#include <nanobind/stl/string.h>

#include <string>

#include "bindings/sections.hpp"

namespace mineproof::bindings {

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

void bind_build(nb::module_& m) { m.def("build_info", &build_info, "Compiler, flags and version of this build."); }

}  // namespace mineproof::bindings

// Two compilations of one loop: for every x86-64, and for those with AVX2, chosen when the program runs. No FMA:
// results are the same to the last bit on every machine.
//
// MINEPROOF_NO_AVX2 leaves the second one out.
#pragma once

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(MINEPROOF_NO_AVX2)
#include <cpuid.h>
#define MINEPROOF_AVX2 __attribute__((target("avx2")))
#define MINEPROOF_HAS_AVX2 1
#else
#define MINEPROOF_AVX2
#define MINEPROOF_HAS_AVX2 0
#endif
#define MINEPROOF_INLINE inline __attribute__((always_inline))
#define MINEPROOF_INLINE_LAMBDA __attribute__((always_inline))

namespace mineproof::exact {

#if MINEPROOF_HAS_AVX2
namespace detail {

// Whether the processor has AVX2 and the system saves its registers. By cpuid itself: __builtin_cpu_supports needs a
// symbol of the compiler's runtime that a shared library does not find everywhere.
inline bool ask_for_avx2() {
  constexpr unsigned kSaved = 1u << 27, kAvx = 1u << 28, kAvx2 = 1u << 5, kRegisters = 6;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & kSaved) == 0 || (c & kAvx) == 0) return false;
  unsigned saved = 0, above = 0;
  __asm__("xgetbv" : "=a"(saved), "=d"(above) : "c"(0));
  if ((saved & kRegisters) != kRegisters) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & kAvx2) != 0;
}

}  // namespace detail
#endif

inline bool has_avx2() {
#if MINEPROOF_HAS_AVX2
  static const bool yes = detail::ask_for_avx2();
  return yes;
#else
  return false;
#endif
}

}  // namespace mineproof::exact

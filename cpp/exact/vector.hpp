// Two compilations of one loop: for every x86-64, and for those with AVX2, chosen when the program runs. No FMA:
// results are the same to the last bit on every machine.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__)
#define MINEPROOF_AVX2 __attribute__((target("avx2")))
#define MINEPROOF_HAS_AVX2 1
#else
#define MINEPROOF_AVX2
#define MINEPROOF_HAS_AVX2 0
#endif
#define MINEPROOF_INLINE inline __attribute__((always_inline))
#define MINEPROOF_INLINE_LAMBDA __attribute__((always_inline))

namespace mineproof::exact {

inline bool has_avx2() {
#if MINEPROOF_HAS_AVX2
  static const bool yes = __builtin_cpu_supports("avx2") != 0;
  return yes;
#else
  return false;
#endif
}

}  // namespace mineproof::exact

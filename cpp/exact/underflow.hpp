// Has any result been too small for a double since the last look? The processor keeps a sticky flag: reading it is free
// of cost for the loops. Where it is raised, what is possible is decided again in truth values.
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace mineproof::exact {

#if defined(__SSE2__)
inline void clear_underflow() {
  asm volatile("" ::: "memory");
  _mm_setcsr(_mm_getcsr() & ~0x10u);
  asm volatile("" ::: "memory");
}
inline bool underflowed() {
  asm volatile("" ::: "memory");
  return (_mm_getcsr() & 0x10u) != 0;
}
#else
inline void clear_underflow() { std::feclearexcept(FE_UNDERFLOW); }
inline bool underflowed() { return std::fetestexcept(FE_UNDERFLOW) != 0; }
#endif

}  // namespace mineproof::exact

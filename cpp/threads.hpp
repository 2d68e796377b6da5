// Threads, where there are any. A build without them does all work on the calling thread.
//
// MINEPROOF_NO_THREADS leaves them out; WebAssembly has none unless it is compiled with them.
#pragma once

#if defined(MINEPROOF_NO_THREADS) || (defined(__wasm__) && !defined(_REENTRANT))
#define MINEPROOF_HAS_THREADS 0
#else
#define MINEPROOF_HAS_THREADS 1
#include <mutex>
#include <thread>
#endif

namespace mineproof {

#if MINEPROOF_HAS_THREADS

using Mutex = std::mutex;
using Guard = std::lock_guard<std::mutex>;
using ThreadName = std::thread::id;

inline ThreadName this_thread() noexcept { return std::this_thread::get_id(); }

#else

struct Mutex {};
struct Guard {
  explicit Guard(Mutex&) noexcept {}
};
using ThreadName = int;

inline ThreadName this_thread() noexcept { return 0; }

#endif

}  // namespace mineproof

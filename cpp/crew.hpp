// Threads that work side by side, and the one that called them.
#pragma once

#include <chrono>
#include <cstddef>
#include <system_error>
#include <vector>

#include "threads.hpp"

#if MINEPROOF_HAS_THREADS
#include <condition_variable>
#endif

namespace mineproof {

// Runs work(0) on this thread and work(1), ..., work(size - 1) each on one of its own; returns when all are done. Where
// no more threads are to be had, those there are do it. `work` must not throw. This thread calls `breathe` about every
// `breath` while it waits for the others.
#if MINEPROOF_HAS_THREADS

template <class Work, class Breathe>
void run_crew(std::size_t size, std::chrono::milliseconds breath, Work&& work, Breathe&& breathe) {
  std::mutex mutex;
  std::condition_variable done;
  std::size_t finished = 0;
  std::vector<std::thread> others;
  others.reserve(size);
  for (std::size_t i = 1; i < size; ++i) {
    try {
      others.emplace_back([&, i] {
        work(i);
        const std::lock_guard lock(mutex);
        ++finished;
        done.notify_one();
      });
    } catch (const std::system_error&) {
      break;
    }
  }
  work(0);
  {
    std::unique_lock lock(mutex);
    while (!done.wait_for(lock, breath, [&] { return finished == others.size(); })) {
      lock.unlock();
      breathe();
      lock.lock();
    }
  }
  for (std::thread& other : others) other.join();
}

#else

template <class Work, class Breathe>
void run_crew(std::size_t, std::chrono::milliseconds, Work&& work, Breathe&&) {
  work(0);
}

#endif

}  // namespace mineproof

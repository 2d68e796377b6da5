// Threads that wait for the next piece of work: cheaper to call than new ones, for work of microseconds.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <system_error>
#include <vector>

#include "threads.hpp"

#if !defined(_WIN32)
#include <unistd.h>
#endif

namespace mineproof::batch {

// Where no more threads are to be had, those there are do all the work; so does the calling thread alone in a process
// that was forked off, which has none of them.
#if MINEPROOF_HAS_THREADS

class Team {
 public:
  explicit Team(std::size_t size) : size_(size), process_(process()) {
    for (std::size_t member = 1; member < size; ++member) {
      try {
        others_.emplace_back([this, member] { serve(member); });
      } catch (const std::system_error&) {
        break;
      }
    }
  }

  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  ~Team() {
    if (forked()) {
      for (std::thread& other : others_) other.detach();
      return;
    }
    ending_ = true;
    round_.fetch_add(1);
    round_.notify_all();
    for (std::thread& other : others_) other.join();
  }

  std::size_t size() const noexcept { return size_; }

  // work(0), ..., work(size - 1), side by side; returns when all are done. `work` must not throw.
  void run(const std::function<void(std::size_t)>& work) {
    const std::size_t helped = forked() ? 0 : others_.size();
    if (helped > 0) {
      work_ = &work;
      busy_.store(helped);
      round_.fetch_add(1);
      round_.notify_all();
    }
    work(0);
    for (std::size_t member = helped + 1; member < size_; ++member) work(member);
    for (std::size_t left = busy_.load(); helped > 0 && left != 0; left = busy_.load()) busy_.wait(left);
  }

 private:
  static std::int64_t process() noexcept {
#if defined(_WIN32)
    return 0;
#else
    return getpid();
#endif
  }
  bool forked() const noexcept { return process() != process_; }

  void serve(std::size_t member) {
    for (std::uint64_t seen = 0;;) {
      round_.wait(seen);
      seen = round_.load();
      if (ending_) return;
      (*work_)(member);
      if (busy_.fetch_sub(1) == 1) busy_.notify_one();
    }
  }

  std::size_t size_;
  std::int64_t process_;
  std::atomic<std::uint64_t> round_{0};
  std::atomic<std::size_t> busy_{0};
  std::atomic<bool> ending_{false};
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::vector<std::thread> others_;
};

#else

class Team {
 public:
  explicit Team(std::size_t size) : size_(size) {}
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  std::size_t size() const noexcept { return size_; }
  void run(const std::function<void(std::size_t)>& work) {
    for (std::size_t member = 0; member < size_; ++member) work(member);
  }

 private:
  std::size_t size_;
};

#endif

}  // namespace mineproof::batch

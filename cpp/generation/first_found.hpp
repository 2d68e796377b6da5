// The first of many numbered attempts that succeed, tried on several threads: the same for any number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "crew.hpp"
#include "threads.hpp"

namespace mineproof::generation {

// Attempts 0, 1, ..., of which at most so many are made, and no more once `count` have succeeded.
struct Attempts {
  std::size_t most = 0;
  std::size_t count = 0;
  std::size_t threads = 1;
  std::size_t block = 1;  // attempts that a thread takes at a time
};

template <class Result>
struct Found {
  std::vector<Result> results;  // in the order of the attempts
  std::size_t tried = 0;        // up to the last that was needed
};

// Threads take blocks one by one. A block that is done before an earlier one counts only when that one is done.
template <class Result>
class FirstFound {
 public:
  FirstFound(const Attempts& attempts, const std::function<bool()>& breathe) : attempts_(attempts), breathe_(breathe) {}

  // make() gives every thread a function of its own, from the number of an attempt to std::optional<Result>.
  template <class Make>
  Found<Result> run(Make&& make) {
    const auto work = [&](std::size_t thread) {
      try {
        work_on(make(), thread == 0);
      } catch (...) {
        const Guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        stopping_ = true;
      }
    };
    if (attempts_.count > 0) run_crew(attempts_.threads, kBreath, work, [this] { breathe(); });
    if (failure_) std::rethrow_exception(failure_);
    return cut();
  }

 private:
  using Numbered = std::pair<std::size_t, Result>;
  static constexpr std::chrono::milliseconds kBreath{50};

  void breathe() {
    if (!breathe_()) stopping_ = true;
  }

  template <class Attempt>
  void work_on(Attempt attempt, bool breathes) {
    auto breathed = std::chrono::steady_clock::now();
    while (!stopping_) {
      const std::size_t block = next_.fetch_add(1);
      const std::size_t begin = block * attempts_.block;
      if (begin >= attempts_.most) return;
      const std::size_t end = std::min(begin + attempts_.block, attempts_.most);
      std::vector<Numbered> found;
      for (std::size_t i = begin; i < end && !stopping_; ++i) {
        if (std::optional<Result> result = attempt(i)) found.emplace_back(i, std::move(*result));
        if (!breathes) continue;
        const auto now = std::chrono::steady_clock::now();
        if (now - breathed < kBreath) continue;
        breathed = now;
        breathe();
      }
      add(block, std::move(found));
    }
  }

  void add(std::size_t block, std::vector<Numbered> found) {
    const Guard lock(mutex_);
    waiting_.emplace(block, std::move(found));
    for (auto at = waiting_.begin(); at != waiting_.end() && at->first == done_; at = waiting_.erase(at)) {
      std::move(at->second.begin(), at->second.end(), std::back_inserter(found_));
      ++done_;
      if (found_.size() >= attempts_.count) stopping_ = true;
    }
  }

  Found<Result> cut() {
    Found<Result> all;
    all.tried = std::min(done_ * attempts_.block, attempts_.most);
    if (found_.size() >= attempts_.count) {
      found_.resize(attempts_.count);
      all.tried = found_.empty() ? 0 : found_.back().first + 1;
    }
    for (Numbered& one : found_) all.results.push_back(std::move(one.second));
    return all;
  }

  const Attempts attempts_;
  const std::function<bool()>& breathe_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stopping_{false};
  Mutex mutex_;
  std::map<std::size_t, std::vector<Numbered>> waiting_;
  std::vector<Numbered> found_;
  std::size_t done_ = 0;  // blocks
  std::exception_ptr failure_;
};

}  // namespace mineproof::generation

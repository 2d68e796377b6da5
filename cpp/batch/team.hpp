// Threads that wait for the next piece of work: cheaper to call than new ones, for work of microseconds.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <system_error>
#include <vector>

#include "apart.hpp"
#include "threads.hpp"

#if !defined(_WIN32)
#include <unistd.h>
#endif

namespace mineproof::batch {

// Each member has a share of the pieces, the same in every round, so that what they are about stays in the cache of its
// core. It takes its own from the front, and when it has done them the others' from the back: of a member that has not
// come yet all, of one at work only what it would not reach soon, since memory must come from core to core for it. The
// calling thread begins at once and never waits for one that is still asleep: a member that comes when all pieces are
// taken finds the door closed. Where no more threads are to be had, those there are do all the work; so does the
// calling thread alone in a process that was forked off, which has none of them.
#if MINEPROOF_HAS_THREADS

class Team {
 public:
  using Work = std::function<void(std::size_t member, std::size_t piece)>;

  explicit Team(std::size_t size) : size_(size), process_(process()), shares_(size) {
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
    call();
    for (std::thread& other : others_) other.join();
  }

  std::size_t size() const noexcept { return size_; }

  // Does the pieces 0, ..., pieces - 1, fewer than 2^32 of them, each once, by members 0, ..., size - 1; returns when
  // all are done. `work` must not throw.
  void run(std::size_t pieces, const Work& work) {
    if (others_.empty() || forked()) {
      for (std::size_t piece = 0; piece < pieces; ++piece) work(0, piece);
      return;
    }
    work_ = work;
    pieces_ = pieces;
    for (std::size_t member = 0; member < size_; ++member)
      shares_[member].left.store({bound(pieces, member), bound(pieces, member + 1)});
    door_.fetch_or(kOpen);
    call();
    take(0);
    door_.fetch_and(~kOpen);
    for (int tries = 0; tries < kTries && door_.load() != 0; ++tries) breathe();
    for (std::uint32_t inside = door_.load(); inside != 0; inside = door_.load()) door_.wait(inside);
  }

 private:
  static constexpr std::uint32_t kOpen = 1u << 31;  // below it: how many of the others are inside
  static constexpr int kTries = 16000;              // some 0.2 milliseconds: waking a thread can take as long

  // A piece of another's share takes as long as some four or five of one's own.
  static constexpr std::uint32_t kNear = 5;

  // Pieces that nobody has taken yet, from the front by the owner and from the back by the others.
  struct Pieces {
    std::uint32_t first, end;
  };
  struct alignas(kApart) Share {
    std::atomic<Pieces> left{Pieces{0, 0}};
  };

  static std::int64_t process() noexcept {
#if defined(_WIN32)
    return 0;
#else
    return getpid();
#endif
  }
  bool forked() const noexcept { return process() != process_; }

  // A moment for the other thread of a core.
  static void breathe() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
  }

  void call() {
    round_.fetch_add(1);
    round_.notify_all();
  }

  std::uint32_t bound(std::size_t pieces, std::size_t member) const noexcept {
    return static_cast<std::uint32_t>(pieces * member / size_);
  }

  static std::optional<std::size_t> next_of_own(Share& share) noexcept {
    for (Pieces left = share.left.load(); left.first < left.end;) {
      if (share.left.compare_exchange_weak(left, {left.first + 1, left.end})) return left.first;
    }
    return {};
  }

  static std::optional<std::size_t> next_of_other(Share& share, std::uint32_t begin) noexcept {
    for (Pieces left = share.left.load(); left.first + (left.first == begin ? 0 : kNear) < left.end;) {
      if (share.left.compare_exchange_weak(left, {left.first, left.end - 1})) return left.end - 1;
    }
    return {};
  }

  void take(std::size_t member) {
    while (const auto piece = next_of_own(shares_[member])) work_(member, *piece);
    for (std::size_t turn = 1; turn < size_; ++turn) {
      const std::size_t other = (member + turn) % size_;
      while (const auto piece = next_of_other(shares_[other], bound(pieces_, other))) work_(member, *piece);
    }
  }

  void serve(std::size_t member) {
    for (std::uint32_t seen = 0;;) {
      for (int tries = 0; tries < kTries && round_.load() == seen; ++tries) breathe();
      round_.wait(seen);
      seen = round_.load();
      if (ending_) return;
      if (door_.fetch_add(1) & kOpen) take(member);
      if (door_.fetch_sub(1) == 1) door_.notify_one();
    }
  }

  alignas(kApart) std::atomic<std::uint32_t> round_{0};
  alignas(kApart) std::atomic<std::uint32_t> door_{0};
  alignas(kApart) std::size_t size_;  // from here on nothing changes during a round
  std::int64_t process_;
  Work work_;
  std::size_t pieces_ = 0;
  Apart<Share> shares_;
  std::vector<std::thread> others_;
  std::atomic<bool> ending_{false};
};

#else

class Team {
 public:
  using Work = std::function<void(std::size_t member, std::size_t piece)>;

  explicit Team(std::size_t size) : size_(size) {}
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  std::size_t size() const noexcept { return size_; }
  void run(std::size_t pieces, const Work& work) {
    for (std::size_t piece = 0; piece < pieces; ++piece) work(0, piece);
  }

 private:
  std::size_t size_;
};

#endif

}  // namespace mineproof::batch

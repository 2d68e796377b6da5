// Threads, where there are any. A build without them does all work on the calling thread.
//
// MINEPROOF_NO_THREADS leaves them out; WebAssembly has none unless it is compiled with them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <system_error>
#include <vector>

#if defined(MINEPROOF_NO_THREADS) || (defined(__wasm__) && !defined(_REENTRANT))
#define MINEPROOF_HAS_THREADS 0
#else
#define MINEPROOF_HAS_THREADS 1
#include <condition_variable>
#include <mutex>
#include <thread>
#endif
#if !defined(_WIN32)
#include <unistd.h>
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

// Runs work(0) on this thread and work(1), ..., work(size - 1) each on one of its own; returns when all are done. Where
// no more threads can be started, the started ones do it. `work` must not throw. This thread calls `poll` about every
// `interval` while it waits for the others.
#if MINEPROOF_HAS_THREADS

template <class Work, class Poll>
void run_on_threads(std::size_t size, std::chrono::milliseconds interval, Work&& work, Poll&& poll) {
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
    while (!done.wait_for(lock, interval, [&] { return finished == others.size(); })) {
      lock.unlock();
      poll();
      lock.lock();
    }
  }
  for (std::thread& other : others) other.join();
}

#else

template <class Work, class Poll>
void run_on_threads(std::size_t, std::chrono::milliseconds, Work&& work, Poll&&) {
  work(0);
}

#endif

// Padded memory, which shares no cache line with any other. What one core writes beside what another reads or writes
// costs both a transfer of the cache line; and cores fetch lines beside those that they use.
inline constexpr std::size_t kPadding = 1024;  // bytes: some lines, for what is fetched beside them

template <typename T>
struct PaddedAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{kPadding};

  PaddedAllocator() = default;
  template <typename Other>
  PaddedAllocator(const PaddedAllocator<Other>&) noexcept {}

  T* allocate(std::size_t count) {
    const std::size_t blocks = (count * sizeof(T) + kPadding - 1) / kPadding;
    return static_cast<T*>(::operator new(blocks * kPadding, alignment));
  }
  void deallocate(T* memory, std::size_t) noexcept { ::operator delete(memory, alignment); }
  bool operator==(const PaddedAllocator&) const = default;
};

// A vector in padded memory.
template <typename T>
using PaddedVector = std::vector<T, PaddedAllocator<T>>;

// Threads that wait for the next piece of work: cheaper to call than new ones, for work of microseconds.
//
// Each member has a share of the pieces, the same in every round, so that what they are about stays in the cache of its
// core. It takes its own from the front, and when it has done them the others' from the back: of a member that has not
// come yet all, of one at work only what it would not reach soon, since memory must come from core to core for it. The
// calling thread begins at once and never waits for one that is still asleep: a member that comes when all pieces are
// taken finds the door closed. Where no more threads can be started, the started ones do all the work; so does the
// calling thread alone in a process that was forked off, which has none of them.
#if MINEPROOF_HAS_THREADS

class ThreadTeam {
 public:
  using Work = std::function<void(std::size_t member, std::size_t piece)>;

  explicit ThreadTeam(std::size_t size) : size_(size), process_(process()), shares_(size) {
    for (std::size_t member = 1; member < size; ++member) {
      try {
        others_.emplace_back([this, member] { serve(member); });
      } catch (const std::system_error&) {
        break;
      }
    }
  }

  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  ~ThreadTeam() {
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
    for (int tries = 0; tries < kTries && door_.load() != 0; ++tries) pause();
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
  struct alignas(kPadding) Share {
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
  static void pause() noexcept {
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
      for (int tries = 0; tries < kTries && round_.load() == seen; ++tries) pause();
      round_.wait(seen);
      seen = round_.load();
      if (ending_) return;
      if (door_.fetch_add(1) & kOpen) take(member);
      if (door_.fetch_sub(1) == 1) door_.notify_one();
    }
  }

  alignas(kPadding) std::atomic<std::uint32_t> round_{0};
  alignas(kPadding) std::atomic<std::uint32_t> door_{0};
  alignas(kPadding) std::size_t size_;  // from here on nothing changes during a round
  std::int64_t process_;
  Work work_;
  std::size_t pieces_ = 0;
  PaddedVector<Share> shares_;
  std::vector<std::thread> others_;
  std::atomic<bool> ending_{false};
};

#else

class ThreadTeam {
 public:
  using Work = std::function<void(std::size_t member, std::size_t piece)>;

  explicit ThreadTeam(std::size_t size) : size_(size) {}
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  std::size_t size() const noexcept { return size_; }
  void run(std::size_t pieces, const Work& work) {
    for (std::size_t piece = 0; piece < pieces; ++piece) work(0, piece);
  }

 private:
  std::size_t size_;
};

#endif

}  // namespace mineproof

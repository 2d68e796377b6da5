// Memory and budget of one thread: bump allocation in blocks that are kept between calls.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "position.hpp"

namespace mineproof::exact {

// A bump arena. Nothing is destroyed: only trivially destructible things go in. A Mark taken earlier gives back
// everything allocated since. Blocks are kept for the next call, but no more than kKept bytes of them.
class Arena {
 public:
  struct Mark {
    std::size_t block = 0;
    std::size_t used = 0;
  };

  explicit Arena(std::size_t first_block = std::size_t{48} << 10) : first_block_(first_block) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  template <class T>
  T* take(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return static_cast<T*>(raw(count * sizeof(T)));
  }
  template <class T>
  T* zeroed(std::size_t count) {
    T* p = take<T>(count);
    if (count) std::memset(static_cast<void*>(p), 0, count * sizeof(T));
    return p;
  }

  Mark mark() const { return {current_, used_}; }
  void release(Mark m) {
    current_ = m.block;
    used_ = m.used;
  }
  void clear();
  void set_limit(std::int64_t bytes) { limit_ = bytes; }
  std::int64_t reserved() const { return reserved_; }
  // Memory of others that counts against the limit too. Throws BudgetExceeded.
  void hold(std::int64_t bytes) {
    if (reserved_ + held_ + bytes > limit_) over_limit();
    held_ += bytes;
  }
  void let_go(std::int64_t bytes) { held_ -= bytes; }

 private:
  struct Block {
    std::unique_ptr<std::byte[]> memory;
    std::size_t size = 0;
  };
  static constexpr std::size_t kKept = std::size_t{64} << 20;

  void* raw(std::size_t bytes) {
    bytes = (bytes + 31) & ~std::size_t{31};
    if (current_ < blocks_.size() && used_ + bytes <= blocks_[current_].size) {
      void* p = blocks_[current_].memory.get() + used_;
      used_ += bytes;
      return p;
    }
    return slow(bytes);
  }
  void* slow(std::size_t bytes);
  [[noreturn]] void over_limit() const;

  std::vector<Block> blocks_;
  std::size_t first_block_;
  std::size_t current_ = 0;
  std::size_t used_ = 0;
  std::int64_t reserved_ = 0;
  std::int64_t held_ = 0;
  std::int64_t limit_ = std::int64_t{4} << 30;
};

// Arena, budget and interruption together. Every loop that can be long calls spend() with the work it has done.
class Workspace {
 public:
  static constexpr std::size_t kScratchBlock = std::size_t{128} << 10;

  Arena arena;
  // What is of use while one program is compiled: who begins to compile takes all of it.
  Arena& scratch = own_scratch_;
  // Coefficients that a forward pass keeps at most; beyond, going over some layers again is cheaper: first touch of
  // memory costs more than arithmetic.
  std::int64_t keep_entries = 4 << 20;

  Workspace() = default;
  // For one of many on a thread, which share their scratch memory; that must outlive it.
  Workspace(std::size_t first_block, Arena& shared) : arena(first_block), scratch(shared) {}

  void begin(const Limits& limits) {
    limits_ = limits;
    states_ = 0;
    work_ = 0;
    polled_ = 0;
    arena.set_limit(limits.bytes);
    arena.clear();
  }
  void adopt(const Limits& limits) {
    limits_ = limits;
    states_ = 0;
    arena.set_limit(limits.bytes);
  }
  // `units` are steps of a few nanoseconds. Throws Interrupted.
  void spend(std::int64_t units) {
    work_ += units;
    if (work_ >= kPoll) poll();
  }
  // What was spent since begin().
  std::int64_t spent() const { return polled_ + work_; }
  // States that a program keeps. Throws BudgetExceeded.
  void charge(std::int64_t states) {
    states_ += states;
    if (states_ > limits_.states) over_states();
  }
  std::int64_t states_left() const { return limits_.states - states_; }
  const Limits& limits() const { return limits_; }

 private:
  static constexpr std::int64_t kPoll = 200'000;
  void poll();
  [[noreturn]] void over_states();

  Arena own_scratch_{kScratchBlock};
  Limits limits_;
  std::int64_t states_ = 0;
  std::int64_t work_ = 0;    // since the last poll
  std::int64_t polled_ = 0;  // up to it
};

// Memory outside of the arena, as long as this lives.
class MemoryHold {
 public:
  MemoryHold(Workspace& workspace, std::int64_t bytes) : arena_(workspace.arena), bytes_(bytes) { arena_.hold(bytes); }
  ~MemoryHold() { arena_.let_go(bytes_); }
  MemoryHold(const MemoryHold&) = delete;
  MemoryHold& operator=(const MemoryHold&) = delete;

 private:
  Arena& arena_;
  std::int64_t bytes_;
};

}  // namespace mineproof::exact

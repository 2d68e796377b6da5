// A memoised policy: what it does at the positions it has met. Rollouts from one position meet the same positions again
// and again. A policy is a function of what is shown, so the reply remembered is the reply that would be worked out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rng.hpp"
#include "search/memory.hpp"

namespace mineproof::search {

struct Reply {
  std::uint32_t begin = 0, end = 0;  // cells to open, in Replies
  double risk = 0;                   // of the cell, where it is a guess
  double chance = -1;                // of winning by best play, where it is known; nothing is opened then
};

class Replies {
 public:
  // Forgets everything.
  void clear() {
    ++generation_;
    cells_.clear();
    used_ = 0;
  }
  // Counts work from 0 again. Makes room before, so that the count does not depend on what is remembered.
  void count() {
    if (used_ > kMost / 8) clear();
    ++count_;
    work_ = 0;
  }
  // What the positions met since then cost to work out, each counted once, whether they were known or not.
  std::int64_t work() const { return work_; }
  static Key key(std::span<const std::uint8_t> shown);

  // The reply at a position, or nullptr.
  const Reply* find(const Key& key) {
    if (slots_.empty()) return nullptr;
    Slot& slot = slots_[place(key)];
    if (slot.generation != generation_) return nullptr;
    if (slot.count != count_) work_ += slot.work;
    slot.count = count_;
    return &slot.reply;
  }
  std::span<const std::int32_t> cells(const Reply& reply) const {
    return std::span(cells_).subspan(reply.begin, reply.end - reply.begin);
  }
  // Remembers a reply; forgets all others where there is no more room.
  Reply remember(const Key& key, std::span<const std::int32_t> cells, double risk, double chance, std::int64_t work);

 private:
  struct Slot {
    Key key;
    Reply reply;
    std::uint32_t generation = 0;
    std::uint32_t count = 0;  // the last one in which it was met
    std::int64_t work = 0;    // what it cost
  };
  static constexpr std::size_t kFirst = 1 << 10;
  static constexpr std::size_t kMost = 1 << 18;

  std::size_t place(const Key& key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = key.low & mask;
    while (slots_[i].generation == generation_ && slots_[i].key != key) i = (i + 1) & mask;
    return i;
  }

  std::vector<Slot> slots_;
  std::vector<std::int32_t> cells_;
  std::size_t used_ = 0;
  std::uint32_t generation_ = 1;
  std::uint32_t count_ = 1;
  std::int64_t work_ = 0;
};

}  // namespace mineproof::search

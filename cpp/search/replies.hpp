// What a policy does at the positions it has met. Rollouts from one position meet the same ones again and again: on few
// layouts out of many does the first clue differ, or the second. A policy is a function of what is shown, so that a
// reply that is remembered is the one that would be worked out.
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
  static Key key(std::span<const std::uint8_t> shown);

  // The reply at a position, or nullptr.
  const Reply* find(const Key& key) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[place(key)];
    return slot.generation == generation_ ? &slot.reply : nullptr;
  }
  std::span<const std::int32_t> cells(const Reply& reply) const {
    return std::span(cells_).subspan(reply.begin, reply.end - reply.begin);
  }
  // Remembers a reply; forgets all others where there is no more room.
  Reply remember(const Key& key, std::span<const std::int32_t> cells, double risk, double chance);

 private:
  struct Slot {
    Key key;
    Reply reply;
    std::uint32_t generation = 0;
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
};

}  // namespace mineproof::search

// States by key: open addressing, emptied in no time between two steps.
#pragma once

#include <bit>

#include "key.hpp"
#include "workspace.hpp"

namespace mineproof::exact {

// States by key, for programs with weights: there most combinations occur, and looking one up is cheaper than a merge.
class StateTable {
 public:
  explicit StateTable(Arena& arena) : arena_(arena) {}

  // Empty, with room for this many.
  void clear(std::size_t most) {
    if (size_ < most + most / 2 + 2) {
      size_ = std::bit_ceil(2 * most + 64);
      shift_ = 64 - std::countr_zero(size_);
      slot_ = arena_.zeroed<Slot>(size_);
      round_ = 0;
    }
    ++round_;
  }
  // The state with a key; where there is none yet, it becomes `fresh`.
  std::uint32_t find(Narrow key, std::uint32_t fresh) {
    for (std::size_t i = (key * 0x9e3779b97f4a7c15u) >> shift_;; i = (i + 1) & (size_ - 1)) {
      Slot& s = slot_[i];
      if (s.round != round_) {
        s = {key, round_, fresh};
        return fresh;
      }
      if (s.key == key) return s.state;
    }
  }

 private:
  struct Slot {
    Narrow key;
    std::uint32_t round;  // the step at which it was filled
    std::uint32_t state;
  };
  Arena& arena_;
  Slot* slot_ = nullptr;
  std::size_t size_ = 0;
  int shift_ = 0;
  std::uint32_t round_ = 0;
};

}  // namespace mineproof::exact

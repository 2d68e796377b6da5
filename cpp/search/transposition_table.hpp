// A transposition table: the values of the states that a search has met.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mineproof::search {

// A hash of a set of rows: toggling a row adds it or takes it away.
struct Key {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  void toggle(const Key& other) {
    high ^= other.high;
    low ^= other.low;
  }
  bool operator==(const Key&) const = default;
};

// Values of states by a 128-bit hash of their set of rows: collisions by chance do not happen in practice.
class TranspositionTable {
 public:
  struct Entry {
    Key key;
    std::uint32_t generation = 0;
    std::uint32_t value = 0;
    bool exact = false;  // else an upper bound
  };

  void begin() {
    used_ = 0;
    if (entries_.empty() || entries_.size() > kKept) {
      entries_.assign(kFirst, Entry{});
      entries_.shrink_to_fit();
      generation_ = 0;
    }
    ++generation_;
  }
  // The entry of a key, or the empty one where it belongs.
  Entry& find(const Key& key) {
    const std::size_t mask = entries_.size() - 1;
    for (std::size_t i = key.low & mask;; i = (i + 1) & mask) {
      Entry& e = entries_[i];
      if (e.generation != generation_ || e.key == key) return e;
    }
  }
  bool filled(const Entry& entry) const { return entry.generation == generation_; }
  // A memory that is full takes nothing new: that costs time, not truth.
  void store(const Key& key, std::uint32_t value, bool exact) {
    if (2 * (used_ + 1) > entries_.size()) {
      if (entries_.size() == kMost) {
        if (Entry& old = find(key); filled(old)) old = Entry{key, generation_, value, exact};
        return;
      }
      grow();
    }
    Entry& e = find(key);
    if (!filled(e)) ++used_;
    e = Entry{key, generation_, value, exact};
  }

 private:
  static constexpr std::size_t kFirst = 1 << 10;
  static constexpr std::size_t kKept = 1 << 16;
  static constexpr std::size_t kMost = 1 << 24;  // half a gigabyte

  void grow() {
    std::vector<Entry> old(entries_.size() * 2);
    old.swap(entries_);
    for (const Entry& e : old) {
      if (e.generation == generation_) find(e.key) = e;
    }
  }

  std::vector<Entry> entries_;
  std::size_t used_ = 0;
  std::uint32_t generation_ = 0;
};

}  // namespace mineproof::search

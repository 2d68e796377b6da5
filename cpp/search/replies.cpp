#include "search/replies.hpp"

#include <algorithm>
#include <cstring>

namespace mineproof::search {

// Two sums of mixed words: collisions by chance do not happen in practice.
Key Replies::key(std::span<const std::uint8_t> shown) {
  Key key{golden, 0};
  for (std::size_t i = 0; i < shown.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, shown.data() + i, std::min(sizeof word, shown.size() - i));
    key.low = (key.low ^ word) * 0xBF58476D1CE4E5B9ull;
    key.low ^= key.low >> 29;
    key.high = (key.high + word) * 0x94D049BB133111EBull;
    key.high ^= key.high >> 32;
  }
  return {mix64(key.high), mix64(key.low)};
}

Reply Replies::remember(const Key& key, std::span<const std::int32_t> cells, double risk, double chance,
                        std::int64_t work) {
  if (2 * (used_ + 1) > slots_.size()) {
    if (slots_.size() >= kMost) {
      clear();
    } else {
      std::vector<Slot> old(slots_.empty() ? kFirst : 2 * slots_.size());
      old.swap(slots_);
      for (const Slot& slot : old) {
        if (slot.generation == generation_) slots_[place(slot.key)] = slot;
      }
    }
  }
  const auto begin = static_cast<std::uint32_t>(cells_.size());
  cells_.insert(cells_.end(), cells.begin(), cells.end());
  const Reply reply{begin, static_cast<std::uint32_t>(cells_.size()), risk, chance};
  slots_[place(key)] = {key, reply, generation_, count_, work};
  ++used_;
  work_ += work;
  return reply;
}

}  // namespace mineproof::search

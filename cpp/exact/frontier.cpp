#include "frontier.hpp"

namespace mineproof::exact {

std::int32_t key_bits(const Component& c, const Order& order) {
  std::int32_t bits = 0;
  std::int32_t most = 0;
  for (std::int32_t q = 0; q < c.clues && bits <= kBits<Narrow>; ++q) bits += field_width(c.clue[q]);
  if (bits <= kBits<Narrow>) return bits;  // all clues together fit the narrowest keys
  bits = 0;
  for (std::int32_t t = 0; t < c.boxes; ++t) {
    const std::int32_t b = order.box[t];
    for (std::int32_t e = c.box_offset[b]; e < c.box_offset[b + 1]; ++e) {
      if (order.first[c.box_clue[e]] == t) bits += field_width(c.clue[c.box_clue[e]]);
    }
    most = std::max(most, bits);
    for (std::int32_t e = c.box_offset[b]; e < c.box_offset[b + 1]; ++e) {
      if (order.last[c.box_clue[e]] == t) bits -= field_width(c.clue[c.box_clue[e]]);
    }
  }
  return most;
}

}  // namespace mineproof::exact

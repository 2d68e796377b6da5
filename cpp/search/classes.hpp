// A table of solutions made ready for the search: cells that are mines in the same solutions are one column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "search/memory.hpp"
#include "search/solutions.hpp"

namespace mineproof::search {

// Sixteen columns of a row at once.
using Bytes = std::uint8_t __attribute__((vector_size(16)));
inline constexpr std::size_t kWide = sizeof(Bytes);

inline Bytes load(const std::uint8_t* from) {
  Bytes x;
  std::memcpy(&x, from, kWide);
  return x;
}

struct Classes {
  static constexpr std::int32_t kAlwaysMine = -1;
  static constexpr std::int32_t kSaysNothing = -2;  // safe, with one value

  std::vector<Key> keys;                 // of rows; a function of the row's number only
  std::vector<std::uint8_t> values;      // rows of classes; what a class shows is a number for the values of its cells
  std::size_t stride = 0;                // bytes of a row, a multiple of kWide; beyond the classes kMine
  std::size_t count = 0;                 // of classes
  std::vector<std::int32_t> class_of;    // per column of the table: its class, or one of the above
  std::vector<std::int32_t> first_cell;  // per class

  void read(const SolutionTable& table);
  const std::uint8_t* row(std::uint32_t index) const { return values.data() + index * stride; }

  // Would the cells that are safe in both rows show the same?
  bool alike(std::uint32_t a, std::uint32_t b) const {
    for (std::size_t v = 0; v < stride; v += kWide) {
      const Bytes x = load(row(a) + v);
      const Bytes y = load(row(b) + v);
      const Bytes differ = reinterpret_cast<Bytes>((x != y) & (x != kMine) & (y != kMine));
      std::uint64_t half[2];
      std::memcpy(half, &differ, kWide);
      if (half[0] | half[1]) return false;
    }
    return true;
  }
};

}  // namespace mineproof::search

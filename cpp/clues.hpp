// Counting the mines around each cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace mineproof {

// Who touches whom, in compressed rows: the neighbours of cell c are
// targets[offsets[c]] .. targets[offsets[c + 1] - 1].
struct Neighbours {
  std::span<const std::int32_t> offsets;
  std::span<const std::int32_t> targets;

  std::size_t cells() const noexcept { return offsets.size() - 1; }
};

// The most neighbours a cell may have: a count is one byte.
constexpr std::int32_t max_neighbours = 255;

// Throws std::invalid_argument, naming the place, where the rows are not in order, a neighbour is
// no cell, or a cell has more than max_neighbours.
void check(const Neighbours& neighbours);

// For every cell, mines themselves included, the number of mines among its neighbours. A mine is any
// byte that is not 0.
void count_mines(const Neighbours& neighbours, std::span<const std::uint8_t> mines,
                 std::span<std::uint8_t> counts) noexcept;

}  // namespace mineproof

// Dealing mines, shared bit for bit with src/mineproof/board.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "apart.hpp"
#include "rng.hpp"

namespace mineproof {

// A byte a cell: 0 is no, anything else yes.
using Mask = std::span<const std::uint8_t>;
using MutableMask = std::span<std::uint8_t>;

// Number of cells that are not excluded.
std::size_t free_cells(Mask excluded) noexcept;

// Deals a fixed number of mines: the cells are shuffled, and the mines are the first of that order
// that are not excluded. Keeps its scratch space from one deal to the next.
class NumberDealer {
 public:
  // Writes 0 or 1 into every byte of `mines`. Needs mines.size() == excluded.size() < 2^31 and
  // count <= free_cells(excluded).
  void deal(Stream& stream, Mask excluded, std::size_t count, MutableMask mines);

 private:
  Apart<std::int32_t> order_;
};

// Makes each cell that is not excluded a mine with the given chance, independently. Draws one
// number for every cell, excluded or not, so that excluding a cell changes no other.
void deal_independent(Stream& stream, Mask excluded, Chance chance, MutableMask mines) noexcept;

}  // namespace mineproof

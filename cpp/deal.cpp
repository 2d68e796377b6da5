#include "deal.hpp"

#include <algorithm>
#include <numeric>

namespace mineproof {

std::size_t free_cells(Mask excluded) noexcept {
  return static_cast<std::size_t>(std::count(excluded.begin(), excluded.end(), std::uint8_t{0}));
}

void NumberDealer::deal(Stream& stream, Mask excluded, std::size_t count, MutableMask mines) {
  const std::size_t cells = mines.size();
  order_.resize(cells);
  std::iota(order_.begin(), order_.end(), 0);
  std::fill(mines.begin(), mines.end(), std::uint8_t{0});
  // Locals, since for all the compiler knows writing a mine could change anything else.
  std::int32_t* const order = order_.data();
  Stream draws = stream;
  for (std::size_t i = 0; count > 0 && i < cells; ++i) {
    std::int32_t& drawn = order[i + draws.below(cells - i)];
    const auto cell = static_cast<std::size_t>(drawn);
    drawn = order[i];  // what stands before is not looked at again
    if (!excluded[cell]) {
      mines[cell] = 1;
      --count;
    }
  }
  stream = draws;
}

void deal_independent(Stream& stream, Mask excluded, Chance chance, MutableMask mines) noexcept {
  for (std::size_t cell = 0; cell < mines.size(); ++cell) {
    const bool drawn = stream.happens(chance);
    mines[cell] = drawn && !excluded[cell];
  }
}

}  // namespace mineproof

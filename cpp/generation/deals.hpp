// What is dealt to look for boards that need no guess.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "deal.hpp"
#include "generation/clearing.hpp"

namespace mineproof::generation {

struct Deals {
  std::int64_t mines = 0;
  std::vector<std::uint8_t> excluded;  // a byte a cell: kept free of mines
  std::int32_t first = 0;              // the cell opened first; it is kept free
  Logic logic = Logic::total;          // what the player concludes from
  std::uint64_t seed = 0;
  std::uint64_t start = 0;  // the index of the first deal
  std::size_t deals = 0;    // at most so many are tried
  std::size_t count = 0;    // and no more once so many boards are found
  std::size_t threads = 1;

  // Deal `index`, in a layout that has a byte a cell.
  void lay(NumberDealer& dealer, std::uint64_t index, MutableMask layout) const {
    Stream stream(seed, index, Purpose::deal);
    dealer.deal(stream, excluded, static_cast<std::size_t>(mines), layout);
  }
};

}  // namespace mineproof::generation

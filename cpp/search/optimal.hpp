// Best play from the empty board: the greatest number of layouts that any player can win.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "game.hpp"
#include "search/endgame.hpp"

namespace mineproof::search {

struct OptimalLimits {
  std::size_t layouts = 4'000'000;
  EndgameLimits endgame{4'000'000'000};
};

enum class OptimalEnd : std::uint8_t { solved, too_many_layouts, too_much_work };

struct OptimalAnswer {
  OptimalEnd end = OptimalEnd::solved;
  std::uint64_t wins = 0;          // layouts won by best play, of those the deal allows with the best first cell
  std::uint64_t total = 0;         // those layouts
  std::vector<std::int32_t> best;  // the given first cells that are as good; empty where no cell may be opened
};

// `first` are the cells to begin with: one of every set of cells that a symmetry of the board makes alike. Under
// `opening` a cell whose neighbourhood leaves no room for the mines cannot be the first.
OptimalAnswer optimal(const exact::Graph& graph, std::int64_t mines, FirstClick rule,
                      std::span<const std::int32_t> first, const OptimalLimits& limits = {});

}  // namespace mineproof::search

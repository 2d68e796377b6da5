// What a player is told before a game, by the names Python uses.
#pragma once

#include <string>
#include <vector>

#include "bindings/exact.hpp"
#include "search/player.hpp"

namespace mineproof::bindings {

inline FirstClick first_click_of(const std::string& name) {
  if (name == "any") return FirstClick::any;
  if (name == "safe") return FirstClick::safe;
  if (name == "opening") return FirstClick::opening;
  refuse("first_click is any, safe or opening");
}

inline void check_mines(const Board& board, std::int64_t mines) {
  if (mines < 0 || mines > board.graph.cells) refuse("the mines do not fit on the board");
}

inline void check_cells(const Board& board, const std::vector<std::int32_t>& cells) {
  for (const std::int32_t cell : cells) {
    if (cell < 0 || cell >= board.graph.cells) refuse("a cell is not on the board");
  }
}

inline search::Table table_of(const Board& board, std::int64_t mines, const std::string& first_click,
                              const std::vector<std::int32_t>& first) {
  check_mines(board, mines);
  if (first.empty()) refuse("at least one cell to begin with is expected");
  check_cells(board, first);
  return {board.graph, mines, first_click_of(first_click), first};
}

}  // namespace mineproof::bindings

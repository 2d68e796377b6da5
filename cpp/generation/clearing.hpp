// Whether a board needs no guess: plays what is certain on a layout, and stops where nothing is.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "search/prover.hpp"
#include "search/sweep.hpp"

namespace mineproof::generation {

// What a player concludes from: pairs of clues, all clues, or all clues and the number of mines.
enum class Logic : std::uint8_t { pairs, clues, total };

// One layout after another on one board. Which cells are open in the end does not depend on the order of the moves:
// what is certain stays so.
class Clearing {
 public:
  // The graph must outlive it.
  Clearing(const exact::Graph& graph, std::int64_t mines, Logic logic = Logic::total);

  // Whether every safe cell can be opened from this first cell on, without a guess. The layout has the board's number
  // of mines; the first cell is none of them. Throws exact::BudgetExceeded.
  bool clears(std::span<const std::uint8_t> layout, std::int32_t first);

  // Where it stopped: the codes of what is open, valid until the next layout.
  std::span<const std::uint8_t> shown() { return sweep_->shown(); }

 private:
  Logic logic_;
  search::Prover prover_;
  std::unique_ptr<search::Sweep> sweep_;
};

}  // namespace mineproof::generation

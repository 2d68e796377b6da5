// Guesses that cannot be avoided: pairs of cells that no clue will ever tell apart.
//
// Two neighbours are sealed when exactly one of them is a mine and every cell that touches just one of them is a mine
// too. Nothing that can be opened sees the one without the other, so it will come to an even guess. The influence of a
// cell is the chance that it is a mine of a sealed pair. That much of its risk is lost whatever is done, so opening it
// early costs less than its risk says.
#pragma once

#include <cstdint>
#include <vector>

#include "exact/engine.hpp"

namespace mineproof::search {

class Sealed {
 public:
  explicit Sealed(const exact::Graph& graph);

  // Works out the influence of every cell of a solved position, where it may matter.
  void begin(exact::Engine& engine);

  double influence(std::int32_t cell) const {
    return influence_.empty() ? 0.0 : influence_[static_cast<std::size_t>(cell)];
  }
  // A cell whose whole risk is lost anyway, or -1: to open it now costs nothing.
  std::int32_t forced() const { return forced_; }

 private:
  struct Pair {
    std::int32_t a, b;
    std::int32_t begin, end;  // in apart_
  };
  void look(std::int32_t pair);
  double together(std::int32_t a, std::int32_t b);

  exact::Engine* engine_ = nullptr;
  exact::Engine what_if_;
  std::vector<double> influence_;            // empty: none
  std::vector<std::uint8_t> shown_, mines_;  // of what is asked
  std::vector<Pair> pairs_;
  std::vector<std::int32_t> pairs_at_, pair_at_begin_;  // the pairs of every cell; cells + 1
  std::vector<std::int32_t> tight_;                     // pairs that few cells tell apart
  std::int32_t forced_pair_ = 0;                        // where forced_ was found
  std::vector<std::int32_t> apart_;                     // cells that touch just one of a pair
  std::vector<std::int32_t> unknown_;                   // those of the pair at hand that may be mines or not
  std::vector<std::int32_t> met_;                       // components of these
  std::int32_t forced_ = -1;
};

}  // namespace mineproof::search

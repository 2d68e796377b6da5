// How good a guess is, one clue ahead: what opening a cell would leave, and which guesses cannot be avoided.
#pragma once

#include <cstdint>
#include <vector>

#include "exact/engine.hpp"
#include "exact/probe.hpp"

namespace mineproof::search {

// Guesses that cannot be avoided: pairs of cells that no clue will ever tell apart.
//
// Two neighbours are sealed when exactly one of them is a mine and every cell that touches just one of them is a mine
// too. Nothing that can be opened sees the one without the other, so it will come to an even guess. The influence of a
// cell is the chance that it is a mine of a sealed pair. That much of its risk is lost whatever is done, so opening it
// early costs less than its risk says.
class SealedPairs {
 public:
  explicit SealedPairs(const exact::Graph& graph);

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
  std::vector<std::int32_t> unknown_;                   // those of the current pair that may be mines or not
  std::vector<std::int32_t> met_;                       // components of these
  std::int32_t forced_ = -1;
};

// ------------ what opening a cell would leave: for every clue it may show, how safe the next cells would be

// The cell's neighbourhood becomes a clue of free value, a probe (exact/probe.hpp). The components it touches merge
// into one, whose program ends in a state for every value; one forward pass serves all values, one backward pass a
// value gives the chances after it. Components that are not touched keep their chances: they change only through the
// number of mines, which matters little while there are many solutions.

// How a position is judged by the safety of the two safest living cells after each clue; and, as long as no zero is
// open, what a zero adds to that: it opens its neighbours, which may open more.
struct Blend {
  double best = 0.6;
  double second = 0.4;
  double zero = 0.04;
};

class Lookahead {
 public:
  // A solved position without cells that are certain to be safe.
  void begin(exact::Engine& engine, std::int64_t mines_left);

  // Cells of one kind have the same chances and the same ones around them: they are judged alike.
  std::uint64_t kind(std::int32_t cell) const;

  // Would it show the same in every layout where it is safe, by a quick look at the clues around it? It tells
  // nothing new then.
  bool dead(std::int32_t cell) const { return dead_[static_cast<std::size_t>(cell)] != 0; }

  // The unknown cells in rising order, and how many of a box (kSeaBox: of the sea) are not dead.
  const std::vector<std::int32_t>& unknown() const { return unknown_; }
  std::int32_t box_living(std::int32_t box) const { return living_cells_[static_cast<std::size_t>(box + 1)]; }

  struct Judgement {
    double score = 0;      // sum over clues of the chance of the clue (and no mine) times the blend after it
    bool dead = false;     // it would show one value only
    bool complete = true;  // false: the score cannot reach the bound and is that far only
  };
  // The score of opening a cell; given up as soon as it cannot reach `bound`.
  Judgement judge(std::int32_t cell, const Blend& blend, double bound);

 private:
  struct BestTwo {
    double first = 0, second = 0;
    void add(double safety, std::int32_t cells) {
      if (cells <= 0) return;
      if (safety > first) {
        second = cells > 1 ? safety : first;
        first = safety;
      } else if (safety > second) {
        second = safety;
      }
    }
  };
  // A value that the cell may show.
  struct Value {
    std::uint32_t state;  // of the program's last layer
    std::int32_t first;   // where its mine counts begin in outside_
    double mass, mines;   // its weight, and the mines of the merged component times that
  };

  void list_unknown();
  void find_all_dead();
  bool find_dead(std::int32_t cell) const;
  bool may_show_first_zero(std::int32_t cell) const;
  void count_living(std::int32_t cell);
  std::int32_t living_in(const exact::Probe::Half& half, std::int32_t cell) const;
  double rest_of_board(BestTwo& best) const;
  double weigh_values(const exact::PathProgram& program, const exact::PathForward& forward);
  BestTwo after(const Value& value, std::int32_t cell, const BestTwo& others, double expected) const;
  void outside_of(std::int32_t first, std::int32_t last);

  exact::Engine* engine_ = nullptr;
  std::int64_t left_ = 0;
  bool some_zero_ = false;  // is open
  std::vector<std::uint8_t> dead_;
  std::vector<std::int32_t> unknown_;
  std::vector<std::int32_t> unknown_around_;  // per cell, of unknown cells
  std::vector<std::int32_t> living_cells_;    // of the sea, then per box
  std::vector<std::uint64_t> terms_, term_;   // of kinds: by box, and per cell
  std::vector<double> expected_;              // per component: mines

  // Of the current cell.
  exact::Probe probe_;
  std::vector<std::int32_t> met_;            // boxes with living cells around,
  std::vector<std::int32_t> around_living_;  // and per box their number
  std::int32_t sea_around_living_ = 0;
  std::vector<std::int32_t> living_;  // per box of the merged component
  std::vector<Value> values_;
  std::vector<double> outside_;  // see outside_of()
  std::vector<double> rest_, product_, tail_;
  std::vector<exact::BoxOdds> odds_;
};

}  // namespace mineproof::search

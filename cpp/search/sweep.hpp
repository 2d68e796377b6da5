// What one clue proves, or two clues together: the easy half of a game. A sweep plays it on a known layout, for
// rollouts; a survey finds it from the codes alone, for players.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "exact/position.hpp"
#include "exact/vector.hpp"

namespace mineproof::search {

// Opens the cells that one clue proves safe, or two clues together, at once.
//
// For rollouts, where the layout is known: nearly all moves of a game are of this kind. Which cells are open when
// nothing follows any more does not depend on the order in which they were opened.
class Sweep {
 public:
  virtual ~Sweep() = default;

  // Games begin at these codes from now on. Codes that contradict each other do no harm, but no layout agrees with
  // them.
  virtual void begin(const std::uint8_t* shown) = 0;
  // The layout of the next games, a byte a cell; it must agree with the codes.
  virtual void lay(std::span<const std::uint8_t> layout) = 0;
  // A new game, from the beginning.
  virtual void resume() = 0;
  // Opens a hidden cell, and all that follows from what is shown then. A mine loses the game and is not shown.
  virtual void open(std::int32_t cell) = 0;

  virtual bool is_open(std::int32_t cell) const = 0;
  // The codes; valid until the next game or move.
  virtual std::span<const std::uint8_t> shown() = 0;
  bool lost() const { return lost_; }
  bool over() const { return lost_ || left_ == 0; }

 protected:
  bool lost_ = false;
  std::int64_t left_ = 0;  // safe cells that are hidden
};

// The graph must outlive it.
std::unique_ptr<Sweep> make_sweep(const exact::Graph& graph, std::int64_t mines);
// Two implementations that open the same cells: one for any graph, looking again only at what changed; one with
// bitboards for plain square boards of at most so many columns, with AVX2 where there is some.
inline constexpr std::int32_t kMostColumns = 64;
std::unique_ptr<Sweep> make_graph_sweep(const exact::Graph& graph, std::int64_t mines);
std::unique_ptr<Sweep> make_grid_sweep(const exact::Graph& graph, std::int64_t mines, bool avx2 = exact::has_avx2());

// The cheap half of what is certain: what one clue proves or, where that opens nothing, two clues together. For
// players, who see codes and no layout. A sweep concludes the same and opens it at once.
class Survey {
 public:
  virtual ~Survey() = default;

  // The hidden cells that single clues prove safe, one after another until nothing follows; where there are none, those
  // that clues prove safe taken singly or two at a time. In rising order. False where there are none, and where a clue
  // cannot be met: the engine says more then.
  virtual bool find(const std::uint8_t* shown, std::vector<std::int32_t>& safe) = 0;

  // All that clues decide taken singly or two at a time, in rising order. False where a clue cannot be met.
  virtual bool decide(const std::uint8_t* shown, std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mines) = 0;
};

// The graph must outlive it.
std::unique_ptr<Survey> make_survey(const exact::Graph& graph);
// Two implementations that find the same cells, as those of sweeps.
std::unique_ptr<Survey> make_graph_survey(const exact::Graph& graph);
std::unique_ptr<Survey> make_grid_survey(const exact::Graph& graph, bool avx2 = exact::has_avx2());

}  // namespace mineproof::search

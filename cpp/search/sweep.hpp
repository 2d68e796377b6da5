// The easy half of a game: cells that one clue proves safe, or two clues together, are opened at once.
//
// For rollouts, where the layout is known: nearly all moves of a game are of this kind. Which cells are open when
// nothing follows any more does not depend on the order in which they were opened.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "exact/position.hpp"
#include "exact/vector.hpp"

namespace mineproof::search {

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

}  // namespace mineproof::search

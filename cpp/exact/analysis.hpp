// Everything the clues say about the hidden cells: the public face of the engine.
//
//   Analysis analysis;                 // reusable; one per thread
//   analysis.solve(position);          // throws Contradiction, BudgetExceeded, Interrupted
//   analysis.probabilities(out);       // chance of a mine for every cell
//
// solve() may be called again and again: memory is kept and reused. Pointers of the position must stay valid while
// lazy questions (count, sample, clue odds) are asked. An Analysis is not thread-safe; different ones share nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "position.hpp"

namespace mineproof::exact {

enum class Certain : std::uint8_t {
  open = 0,  // the cell is not hidden
  no = 1,    // hidden, may or may not be a mine
  safe = 2,  // hidden, a mine in no layout
  mine = 3,  // hidden, a mine in every layout
};

// The distribution of a number of mines: value first + i has probability p[i].
struct Spread {
  std::int64_t first = 0;
  std::vector<double> p;
};

// What opening a hidden cell would show.
struct ClueOdds {
  double mine = 0;             // chance that it is a mine
  std::vector<double> counts;  // counts[v]: chance that it is safe AND has v mines around it; degree + 1 entries
};

// A non-negative integer of any size as little-endian 64-bit limbs, without leading zero limbs (zero is empty).
using Limbs = std::vector<std::uint64_t>;

// A source of uniform 64-bit words.
struct WordSource {
  std::uint64_t (*next)(void* context) = nullptr;
  void* context = nullptr;
};

struct Engine;  // everything behind the face; see engine.hpp

class Analysis {
 public:
  Analysis();
  ~Analysis();
  Analysis(Analysis&&) noexcept;
  Analysis& operator=(Analysis&&) noexcept;

  void solve(const Position& position, const Limits& limits = {});

  // Chance of a mine for every cell. Exactly 0.0 or 1.0 if and only if certain; opened cells give 0.0, opened mines
  // and vouched mines 1.0.
  void probabilities(double* out) const;
  double probability(std::int32_t cell) const;
  Certain certain(std::int32_t cell) const;
  void certain(Certain* out) const;
  void certain_cells(std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mines) const;

  // Natural logarithm of the total weight of all layouts (prior times likelihoods; for a known total with exact clues
  // the logarithm of the number of solutions).
  double log_weight() const;

  // Frontier. Boxes are hidden, not single-point-certain cells with the same clues; a component is a set of boxes tied
  // by clues. kSea: touches no live clue. kFixed: decided by single-point reasoning, or not hidden.
  static constexpr std::int32_t kSea = -1;
  static constexpr std::int32_t kFixed = -2;
  std::int32_t boxes() const;
  std::int32_t components() const;
  void box_of(std::int32_t* out) const;  // per cell: box, kSea or kFixed
  std::int32_t component_of_box(std::int32_t box) const;
  Spread component_mines(std::int32_t component) const;                     // posterior of the mines among its cells
  Spread sea_mines() const;                                                 // posterior of the mines off the frontier
  std::vector<std::int32_t> component_clues(std::int32_t component) const;  // cells

  // Exact number of layouts of nonzero weight: of the given total; of every total where the prior allows several.
  Limbs count();

  // A layout drawn from the posterior: out[cell] = 1 where there is a mine (all cells, opened mines included).
  // Layouts depend on those drawn before, unless restart_samples() is called.
  void sample(WordSource words, std::uint8_t* out);
  void restart_samples();

  // What a hidden cell would show if it were opened; for an opened one, the mines that lie around it.
  ClueOdds clue_odds(std::int32_t cell);

 private:
  std::unique_ptr<Engine> engine_;
};

// Is there a layout of nonzero weight? Cheap: support only.
bool feasible(const Position& position, const Limits& limits = {});

// Why a position has no layout: a minimal set of clues that clash.
struct Clash {
  std::vector<std::int32_t> clues;  // cells; without any one of them the rest has a layout
  bool total = false;               // the prior's number of mines is needed too
};

// Requires a position without a layout (else throws std::invalid_argument).
Clash clash(const Position& position, const Limits& limits = {});

}  // namespace mineproof::exact

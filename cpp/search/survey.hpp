// The cheap half of what is certain: what one clue proves or, where that opens nothing, two clues together.
//
// For players, who see codes and no layout. A sweep (sweep.hpp) concludes the same and opens it at once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "exact/position.hpp"
#include "exact/vector.hpp"

namespace mineproof::search {

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

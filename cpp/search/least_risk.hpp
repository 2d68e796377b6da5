// The cells of least risk and, among these, those that tell about the fewest neighbours.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "search/player.hpp"

namespace mineproof::search {

// The unknown cells whose `risk` (a function of the chance of a mine) is least and below `bound`; of these the cells
// with the fewest neighbours that `counts`. In rising order. Cells of a box share their risk, so boxes are compared.
template <class Risk, class Counts>
void least_risk(const Situation& s, Risk risk, double bound, Counts counts, std::vector<std::int32_t>& out) {
  const exact::Graph& g = s.table.graph;
  const exact::Boxes& boxes = s.engine.boxes;
  exact::Arena& arena = s.engine.ws.arena;
  const exact::Arena::Mark mark = arena.mark();
  const std::int32_t first = boxes.sea > 0 ? exact::kSeaBox : 0;
  double* own = arena.take<double>(static_cast<std::size_t>(boxes.boxes) + 1) + 1;
  double least = bound;
  for (std::int32_t b = first; b < boxes.boxes; ++b) least = std::min(least, own[b] = risk(s.engine.box_p[b]));
  // Before the first box: a fixed mine, a fixed safe cell, the sea.
  std::uint8_t* chosen = arena.zeroed<std::uint8_t>(static_cast<std::size_t>(boxes.boxes) + 3) + 3;
  for (std::int32_t b = first; b < boxes.boxes; ++b) chosen[b] = own[b] == least && own[b] < bound;
  std::int32_t fewest = 0;
  out.clear();
  for (std::int32_t i = 0; i < g.cells; ++i) {
    if (!chosen[boxes.box_of[i]]) continue;
    std::int32_t around = 0;
    for (std::int32_t e = g.offset[i]; e < g.offset[i + 1]; ++e) around += counts(g.target[e]);
    if (!out.empty() && around > fewest) continue;
    if (around < fewest) out.clear();
    fewest = around;
    out.push_back(i);
  }
  arena.release(mark);
}

}  // namespace mineproof::search

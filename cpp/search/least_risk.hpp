// The cells of least risk and, among these, those that tell about the fewest neighbours.
#pragma once

#include <cstdint>
#include <vector>

#include "search/player.hpp"

namespace mineproof::search {

// The unknown cells whose `risk` (a function of the chance of a mine) is least and below `bound`; of these the cells
// with the fewest neighbours that `counts`. In rising order.
template <class Risk, class Counts>
void least_risk(const Situation& s, Risk risk, double bound, Counts counts, std::vector<std::int32_t>& out) {
  const exact::Graph& g = s.table.graph;
  double least = bound;
  std::int32_t fewest = 0;
  out.clear();
  for (std::int32_t i = 0; i < g.cells; ++i) {
    if (s.engine.front.mark[i] != exact::Mark::unknown) continue;
    const double own = risk(s.engine.box_p[s.engine.boxes.box_of[i]]);
    if (own >= bound || own > least) continue;
    std::int32_t around = 0;
    for (std::int32_t e = g.offset[i]; e < g.offset[i + 1]; ++e) around += counts(g.target[e]);
    if (own == least && around > fewest) continue;
    if (own < least || around < fewest) out.clear();
    least = own;
    fewest = around;
    out.push_back(i);
  }
}

}  // namespace mineproof::search

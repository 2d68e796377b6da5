#include "search/exact_guesser.hpp"

#include <cmath>

namespace mineproof::search {

Guess ExactGuesser::first(const Table& table) {
  const std::size_t which = stream_.below(table.first.size());
  return {table.first[which], 0, static_cast<std::int32_t>(table.first.size())};
}

Guess ExactGuesser::choose(const Situation& s) {
  constexpr double kDigits = 1e12;  // equal chances are equal whatever the order in which they were summed
  const exact::Graph& g = s.table.graph;
  double least = 2 * kDigits;
  std::int32_t fewest = 0;
  for (std::int32_t i = 0; i < g.cells; ++i) {
    if (s.engine.front.mark[i] != exact::Mark::unknown) continue;
    const double risk = std::nearbyint(s.engine.box_p[s.engine.boxes.box_of[i]] * kDigits);
    if (risk >= kDigits || risk > least) continue;
    std::int32_t hidden = 0;
    for (std::int32_t e = g.offset[i]; e < g.offset[i + 1]; ++e) hidden += s.position.shown[g.target[e]] == exact::kHidden;
    if (risk == least && hidden > fewest) continue;
    if (risk < least || hidden < fewest) equal_.clear();
    least = risk;
    fewest = hidden;
    equal_.push_back(i);
  }
  const std::int32_t cell = equal_[stream_.below(equal_.size())];
  return {cell, s.engine.box_p[s.engine.boxes.box_of[cell]], static_cast<std::int32_t>(equal_.size())};
}

}  // namespace mineproof::search

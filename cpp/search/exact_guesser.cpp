#include "search/exact_guesser.hpp"

#include <cmath>

#include "search/least_risk.hpp"

namespace mineproof::search {

Guess ExactGuesser::first(const Table& table) {
  const std::size_t which = stream_.below(table.first.size());
  return {table.first[which], 0, static_cast<std::int32_t>(table.first.size())};
}

Guess ExactGuesser::choose(const Situation& s) {
  constexpr double kDigits = 1e12;  // equal chances are equal whatever the order in which they were summed
  const auto rounded = [](double risk) { return std::nearbyint(risk * kDigits); };
  const auto hidden = [&](std::int32_t cell) { return s.position.shown[cell] == exact::kHidden; };
  least_risk(s, rounded, kDigits, hidden, equal_);
  const std::int32_t cell = equal_[stream_.below(equal_.size())];
  return {cell, s.engine.box_p[s.engine.boxes.box_of[cell]], static_cast<std::int32_t>(equal_.size())};
}

}  // namespace mineproof::search

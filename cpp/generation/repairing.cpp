#include "generation/repairing.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace mineproof::generation {

namespace {

std::size_t at(std::int32_t cell) { return static_cast<std::size_t>(cell); }

}  // namespace

Repairer::Repairer(const exact::Graph& graph, const Deals& deals)
    : graph_(graph), deals_(deals), clearing_(graph, deals.mines, deals.logic) {}

// How many cells are open where the game ends; all of the board where no guess was needed.
std::int32_t Repairer::play(const std::vector<std::uint8_t>& layout) {
  if (clearing_.clears(layout, deals_.first)) return graph_.cells;
  return search::count_open(clearing_.shown().data(), graph_.cells);
}

// The hidden cells that may be mines and touch an open one.
void Repairer::list_near() {
  const auto shown = clearing_.shown();
  near_.clear();
  for (std::int32_t cell = 0; cell < graph_.cells; ++cell) {
    if (shown[at(cell)] != exact::kHidden || deals_.excluded[at(cell)]) continue;
    const std::int32_t* begin = graph_.target + graph_.offset[cell];
    const std::int32_t* end = graph_.target + graph_.offset[cell + 1];
    if (std::any_of(begin, end, [&](std::int32_t n) { return shown[at(n)] != exact::kHidden; })) near_.push_back(cell);
  }
}

bool Repairer::repair(std::uint64_t index, Repaired& out) {
  std::vector<std::uint8_t>& layout = out.layout;
  out.index = index;
  out.changes = 0;
  layout.resize(at(graph_.cells));
  deals_.lay(dealer_, index, layout);
  Stream stream(deals_.seed, index, Purpose::repair);
  std::int32_t open = play(layout);
  list_near();
  for (std::int32_t in_vain = 0; open < graph_.cells && in_vain < kPatience; ++in_vain) {
    if (near_.empty()) return false;
    const std::int32_t one = near_[stream.below(near_.size())];
    others_.clear();
    for (std::int32_t cell = 0; cell < graph_.cells; ++cell) {
      if (!deals_.excluded[at(cell)] && layout[at(cell)] != layout[at(one)]) others_.push_back(cell);
    }
    if (others_.empty()) continue;
    const std::int32_t other = others_[stream.below(others_.size())];
    std::swap(layout[at(one)], layout[at(other)]);
    const std::int32_t now = play(layout);
    if (now < open) {
      std::swap(layout[at(one)], layout[at(other)]);
      continue;
    }
    ++out.changes;
    if (now > open) in_vain = -1;
    open = now;
    list_near();
  }
  return open == graph_.cells;
}

Found<Repaired> repair(const exact::Graph& graph, const Deals& deals, const std::function<bool()>& breathe) {
  const auto make = [&] {
    auto repairer = std::make_shared<Repairer>(graph, deals);
    return [&deals, repairer](std::size_t attempt) -> std::optional<Repaired> {
      Repaired repaired;
      if (!repairer->repair(deals.start + attempt, repaired)) return std::nullopt;
      return repaired;
    };
  };
  return FirstFound<Repaired>({deals.deals, deals.count, deals.threads, 1}, breathe).run(make);
}

}  // namespace mineproof::generation

// Playing what is certain on a layout, and the two ways to find boards without guesses.
#include "generation/no_guess.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace mineproof::generation {

namespace {

// A density forbids no number of mines: only clues count then.
exact::Prior prior_of(std::int64_t mines, Logic logic) {
  return logic == Logic::total ? exact::Prior::of_total(mines) : exact::Prior::of_density(0.5);
}

}  // namespace

ClearanceTest::ClearanceTest(const exact::Graph& graph, std::int64_t mines, Logic logic)
    : logic_(logic), prover_(graph, prior_of(mines, logic)), sweep_(search::make_sweep(graph, mines)) {
  const std::vector<std::uint8_t> hidden(static_cast<std::size_t>(graph.cells), exact::kHidden);
  sweep_->begin(hidden.data());
}

bool ClearanceTest::clears(std::span<const std::uint8_t> layout, std::int32_t first) {
  sweep_->lay(layout);
  sweep_->resume();
  sweep_->open(first);
  while (!sweep_->over()) {
    if (logic_ == Logic::pairs || !prover_.find(sweep_->shown().data())) return false;
    for (const std::int32_t cell : prover_.safe()) {
      if (!sweep_->is_open(cell)) sweep_->open(cell);
    }
  }
  return true;
}

namespace {

constexpr std::size_t kBlock = 32;

}  // namespace

SearchResult<std::uint64_t> find_no_guess(const exact::Graph& graph, const DealSearch& deals,
                                          const std::function<bool()>& poll) {
  const auto make = [&] {
    auto clearance = std::make_shared<ClearanceTest>(graph, deals.mines, deals.logic);
    auto dealer = std::make_shared<NumberDealer>();
    return [&deals, clearance, dealer, layout = std::vector<std::uint8_t>(static_cast<std::size_t>(graph.cells))](
               std::size_t attempt) mutable -> std::optional<std::uint64_t> {
      const std::uint64_t index = deals.start + attempt;
      deals.lay(*dealer, index, layout);
      if (!clearance->clears(layout, deals.first)) return std::nullopt;
      return index;
    };
  };
  return FirstSuccesses<std::uint64_t>({deals.deals, deals.count, deals.threads, kBlock}, poll).run(make);
}

std::vector<bool> clear_many(const exact::Graph& graph, std::int64_t mines, std::int32_t first, Logic logic,
                             std::span<const std::uint8_t> layouts, std::size_t threads,
                             const std::function<bool()>& poll) {
  const auto cells = static_cast<std::size_t>(graph.cells);
  const std::size_t number = cells == 0 ? 0 : layouts.size() / cells;
  const auto make = [&] {
    auto clearance = std::make_shared<ClearanceTest>(graph, mines, logic);
    return [&, clearance](std::size_t i) -> std::optional<std::size_t> {
      const std::span<const std::uint8_t> layout = layouts.subspan(i * cells, cells);
      if (layout[static_cast<std::size_t>(first)] || !clearance->clears(layout, first)) return std::nullopt;
      return i;
    };
  };
  std::vector<bool> clears(number);
  for (const std::size_t i : FirstSuccesses<std::size_t>({number, number, threads, kBlock}, poll).run(make).results)
    clears[i] = true;
  return clears;
}

namespace {

std::size_t at(std::int32_t cell) { return static_cast<std::size_t>(cell); }

}  // namespace

BoardRepairer::BoardRepairer(const exact::Graph& graph, const DealSearch& deals)
    : graph_(graph), deals_(deals), clearance_(graph, deals.mines, deals.logic) {}

// How many cells are open where the game ends; all of the board where no guess was needed.
std::int32_t BoardRepairer::play(const std::vector<std::uint8_t>& layout) {
  if (clearance_.clears(layout, deals_.first)) return graph_.cells;
  return search::count_open(clearance_.shown().data(), graph_.cells);
}

// The hidden cells that may be mines and touch an open one.
void BoardRepairer::list_near() {
  const auto shown = clearance_.shown();
  near_.clear();
  for (std::int32_t cell = 0; cell < graph_.cells; ++cell) {
    if (shown[at(cell)] != exact::kHidden || deals_.excluded[at(cell)]) continue;
    const std::int32_t* begin = graph_.target + graph_.offset[cell];
    const std::int32_t* end = graph_.target + graph_.offset[cell + 1];
    if (std::any_of(begin, end, [&](std::int32_t n) { return shown[at(n)] != exact::kHidden; })) near_.push_back(cell);
  }
}

bool BoardRepairer::repair(std::uint64_t index, RepairedBoard& out) {
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

SearchResult<RepairedBoard> repair(const exact::Graph& graph, const DealSearch& deals,
                                   const std::function<bool()>& poll) {
  const auto make = [&] {
    auto repairer = std::make_shared<BoardRepairer>(graph, deals);
    return [&deals, repairer](std::size_t attempt) -> std::optional<RepairedBoard> {
      RepairedBoard repaired;
      if (!repairer->repair(deals.start + attempt, repaired)) return std::nullopt;
      return repaired;
    };
  };
  return FirstSuccesses<RepairedBoard>({deals.deals, deals.count, deals.threads, 1}, poll).run(make);
}

}  // namespace mineproof::generation

#include "generation/clearing.hpp"

namespace mineproof::generation {

namespace {

// A density forbids no number of mines: only clues count then.
exact::Prior prior_of(std::int64_t mines, Logic logic) {
  return logic == Logic::total ? exact::Prior::of_total(mines) : exact::Prior::of_density(0.5);
}

}  // namespace

Clearing::Clearing(const exact::Graph& graph, std::int64_t mines, Logic logic)
    : logic_(logic), prover_(graph, prior_of(mines, logic)), sweep_(search::make_sweep(graph, mines)) {
  const std::vector<std::uint8_t> hidden(static_cast<std::size_t>(graph.cells), exact::kHidden);
  sweep_->begin(hidden.data());
}

bool Clearing::clears(std::span<const std::uint8_t> layout, std::int32_t first) {
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

}  // namespace mineproof::generation

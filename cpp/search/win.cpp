#include "search/win.hpp"

#include <algorithm>
#include <chrono>

#include "deal.hpp"
#include "search/hope.hpp"

namespace mineproof::search {

namespace {

// The deal of sample `index` when a game begins in a cell.
class FirstDeal {
 public:
  explicit FirstDeal(const Table& table)
      : table_(table), excluded_(static_cast<std::size_t>(table.graph.cells)), mines_(excluded_.size()) {}

  std::span<const std::uint8_t> beside(std::int32_t cell, std::uint64_t seed, std::uint64_t index) {
    const exact::Graph& g = table_.graph;
    std::fill(excluded_.begin(), excluded_.end(), std::uint8_t{0});
    excluded_[static_cast<std::size_t>(cell)] = 1;
    if (table_.first_click == FirstClick::opening) {
      for (std::int32_t e = g.offset[cell]; e < g.offset[cell + 1]; ++e)
        excluded_[static_cast<std::size_t>(g.target[e])] = 1;
    }
    Stream stream(seed, index, Purpose::sample);
    dealer_.deal(stream, excluded_, static_cast<std::size_t>(table_.mines), mines_);
    return mines_;
  }

 private:
  const Table& table_;
  NumberDealer dealer_;
  std::vector<std::uint8_t> excluded_, mines_;
};

}  // namespace

std::vector<WinSum> win_sums(const exact::Position& position, const Table& table, const SwiftOptions& options,
                             std::span<const std::int32_t> cells, std::uint64_t seed, const WinLimits& limits) {
  const auto start = std::chrono::steady_clock::now();
  const auto late = [&] {
    const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - start;
    return limits.seconds > 0 && gone.count() >= limits.seconds;
  };
  const bool fresh =
      table.first_click != FirstClick::any && std::all_of(position.shown, position.shown + table.graph.cells,
                                                          [](std::uint8_t code) { return code == exact::kHidden; });
  std::vector<WinSum> sums;
  for (const std::int32_t cell : cells) sums.push_back({cell, 0, 0, 0});
  Rollout rollout(options, table);
  rollout.begin(position, Stream(seed, 0, Purpose::sample));
  FirstDeal deal(table);
  std::vector<WinSum> whole;
  for (std::size_t sample = 0; sample < limits.samples && !late(); ++sample) {
    whole = sums;
    if (!fresh) rollout.draw();
    for (WinSum& sum : sums) {
      // Cells are compared on the same layouts: one that not all were tried on is dropped.
      if (sample && late()) return whole;
      if (fresh) rollout.lay(deal.beside(sum.cell, seed, sample));
      if (rollout.is_mine(sum.cell)) continue;
      const double chance = rollout.play(sum.cell, 0).without_luck(hope(sum.sum, static_cast<double>(sum.played)));
      ++sum.played;
      sum.sum += chance;
      sum.squares += chance * chance;
      if (limits.stop && limits.stop(limits.context)) throw exact::Interrupted();
    }
  }
  return sums;
}

}  // namespace mineproof::search

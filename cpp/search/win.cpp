#include "search/win.hpp"

#include <algorithm>
#include <chrono>

#include "clues.hpp"
#include "deal.hpp"
#include "exact/analysis.hpp"

namespace mineproof::search {

namespace {

std::uint64_t next_word(void* stream) { return static_cast<Stream*>(stream)->next(); }

// One layout at a time, and games on it from a given position.
class Rollout {
 public:
  Rollout(const exact::Position& position, const Table& table)
      : table_(table),
        cells_(static_cast<std::size_t>(table.graph.cells)),
        neighbours_{{table.graph.offset, cells_ + 1}, {table.graph.target, static_cast<std::size_t>(table.graph.offset[cells_])}},
        begin_(position.shown, position.shown + cells_),
        mines_(cells_),
        counts_(cells_),
        excluded_(cells_) {
    for (const std::uint8_t code : begin_) opened_ += code != exact::kHidden && code != exact::kOpenedMine ? 1 : 0;
    fresh_ = table.first_click != FirstClick::any &&
             std::all_of(begin_.begin(), begin_.end(), [](std::uint8_t code) { return code == exact::kHidden; });
    if (!fresh_) analysis_.solve(position);
  }

  void draw(std::uint64_t seed, std::uint64_t index) {
    seed_ = seed;
    index_ = index;
    if (fresh_) return;
    Stream stream(seed, index, Purpose::sample);
    analysis_.sample({&next_word, &stream}, mines_.data());
    count_mines(neighbours_, mines_, counts_);
  }

  // The deal of a game that begins in this cell.
  void deal_beside(std::int32_t cell) {
    if (!fresh_) return;
    std::fill(excluded_.begin(), excluded_.end(), std::uint8_t{0});
    excluded_[static_cast<std::size_t>(cell)] = 1;
    if (table_.first_click == FirstClick::opening) {
      for (const std::int32_t near : around(cell)) excluded_[static_cast<std::size_t>(near)] = 1;
    }
    Stream stream(seed_, index_, Purpose::sample);
    dealer_.deal(stream, excluded_, static_cast<std::size_t>(table_.mines), mines_);
    count_mines(neighbours_, mines_, counts_);
  }

  bool is_mine(std::int32_t cell) const { return mines_[static_cast<std::size_t>(cell)] != 0; }

  // Does the player win after this safe cell is opened?
  bool wins(std::int32_t cell, Player& player) {
    shown_ = begin_;
    left_ = static_cast<std::int64_t>(cells_) - table_.mines - opened_;
    player.begin(Stream(seed_, index_, Purpose::agent));
    open(cell);
    while (left_ > 0) {
      const Player::Decision& decision = player.decide(shown_.data());
      if (!decision.proved) {
        if (is_mine(decision.guess.cell)) return false;
        open(decision.guess.cell);
        continue;
      }
      for (const std::int32_t safe : decision.safe) open(safe);
    }
    return true;
  }

 private:
  std::span<const std::int32_t> around(std::int32_t cell) const {
    const exact::Graph& g = table_.graph;
    return {g.target + g.offset[cell], static_cast<std::size_t>(g.degree(cell))};
  }

  void open(std::int32_t cell) {
    waiting_.assign(1, cell);
    while (!waiting_.empty()) {
      const std::size_t at = static_cast<std::size_t>(waiting_.back());
      waiting_.pop_back();
      if (shown_[at] != exact::kHidden) continue;
      shown_[at] = counts_[at];
      --left_;
      if (counts_[at]) continue;
      for (const std::int32_t near : around(static_cast<std::int32_t>(at))) {
        if (shown_[static_cast<std::size_t>(near)] == exact::kHidden) waiting_.push_back(near);
      }
    }
  }

  const Table& table_;
  std::size_t cells_;
  Neighbours neighbours_;
  exact::Analysis analysis_;
  NumberDealer dealer_;
  std::vector<std::uint8_t> begin_, mines_, counts_, excluded_, shown_;
  std::vector<std::int32_t> waiting_;
  std::int64_t opened_ = 0;
  std::int64_t left_ = 0;  // safe cells still hidden
  std::uint64_t seed_ = 0;
  std::uint64_t index_ = 0;
  bool fresh_ = false;
};

}  // namespace

std::vector<WinCount> win_counts(const exact::Position& position, const Table& table, Player& player,
                                 std::span<const std::int32_t> cells, std::uint64_t seed, const WinLimits& limits) {
  std::vector<WinCount> counts;
  for (const std::int32_t cell : cells) counts.push_back({cell, 0, 0});
  Rollout rollout(position, table);
  const auto start = std::chrono::steady_clock::now();
  const auto late = [&] {
    const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - start;
    return limits.seconds > 0 && gone.count() >= limits.seconds;
  };
  std::vector<WinCount> whole;
  for (std::size_t sample = 0; sample < limits.samples; ++sample) {
    whole = counts;
    rollout.draw(seed, sample);
    for (WinCount& count : counts) {
      // Cells are compared on the same layouts: one that not all were tried on is dropped.
      if (sample && late()) return whole;
      rollout.deal_beside(count.cell);
      if (rollout.is_mine(count.cell)) continue;
      ++count.played;
      count.won += rollout.wins(count.cell, player) ? 1 : 0;
      if (limits.stop && limits.stop(limits.context)) throw exact::Interrupted();
    }
    if (late()) break;
  }
  return counts;
}

}  // namespace mineproof::search

// Boards that need no guess: whether a layout is one, deals tried until one is, and deals repaired until they are.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "exact/position.hpp"
#include "game.hpp"
#include "search/prover.hpp"
#include "search/sweep.hpp"
#include "threads.hpp"

namespace mineproof::generation {

// What a player concludes from: pairs of clues, all clues, or all clues and the number of mines.
enum class Logic : std::uint8_t { pairs, clues, total };

// Whether a layout needs no guess: plays what is certain on it, and stops where nothing is. One layout after another
// on one board. Which cells are open in the end does not depend on the order of the moves:
// what is certain stays so.
class ClearanceTest {
 public:
  // The graph must outlive it.
  ClearanceTest(const exact::Graph& graph, std::int64_t mines, Logic logic = Logic::total);

  // Whether every safe cell can be opened from this first cell on, without a guess. The layout has the board's number
  // of mines; the first cell is none of them. Throws exact::BudgetExceeded.
  bool clears(std::span<const std::uint8_t> layout, std::int32_t first);

  // Where it stopped: the codes of what is open, valid until the next layout.
  std::span<const std::uint8_t> shown() { return sweep_->shown(); }

 private:
  Logic logic_;
  search::Prover prover_;
  std::unique_ptr<search::Sweep> sweep_;
};

// Which deals are tried.
struct DealSearch {
  std::int64_t mines = 0;
  std::vector<std::uint8_t> excluded;  // a byte a cell: kept free of mines
  std::int32_t first = 0;              // the cell opened first; it is kept free
  Logic logic = Logic::total;          // what the player concludes from
  std::uint64_t seed = 0;
  std::uint64_t start = 0;  // the index of the first deal
  std::size_t deals = 0;    // at most so many are tried
  std::size_t count = 0;    // and no more once so many boards are found
  std::size_t threads = 1;

  // Deal `index`, in a layout that has a byte a cell.
  void lay(NumberDealer& dealer, std::uint64_t index, MutableMask layout) const {
    Stream stream(seed, index, Purpose::deal);
    dealer.deal(stream, excluded, static_cast<std::size_t>(mines), layout);
  }
};

// ------------------------- the first numbered attempts that succeed: the same for any number of threads

// Attempts 0, 1, ..., of which at most so many are made, and no more once `count` have succeeded.
struct Attempts {
  std::size_t most = 0;
  std::size_t count = 0;
  std::size_t threads = 1;
  std::size_t block = 1;  // attempts that a thread takes at a time
};

template <class Result>
struct SearchResult {
  std::vector<Result> results;  // in the order of the attempts
  std::size_t tried = 0;        // up to the last that was needed
};

// Threads take blocks one by one. A block that is done before an earlier one counts only when that one is done.
template <class Result>
class FirstSuccesses {
 public:
  FirstSuccesses(const Attempts& attempts, const std::function<bool()>& poll) : attempts_(attempts), poll_(poll) {}

  // make() gives every thread a function of its own, from the number of an attempt to std::optional<Result>.
  template <class Make>
  SearchResult<Result> run(Make&& make) {
    const auto work = [&](std::size_t thread) {
      try {
        work_on(make(), thread == 0);
      } catch (...) {
        const Guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        stopping_ = true;
      }
    };
    if (attempts_.count > 0) run_on_threads(attempts_.threads, kPollInterval, work, [this] { poll(); });
    if (failure_) std::rethrow_exception(failure_);
    return cut();
  }

 private:
  using Numbered = std::pair<std::size_t, Result>;
  static constexpr std::chrono::milliseconds kPollInterval{50};

  void poll() {
    if (!poll_()) stopping_ = true;
  }

  template <class Attempt>
  void work_on(Attempt attempt, bool polls) {
    auto polled = std::chrono::steady_clock::now();
    while (!stopping_) {
      const std::size_t block = next_.fetch_add(1);
      const std::size_t begin = block * attempts_.block;
      if (begin >= attempts_.most) return;
      const std::size_t end = std::min(begin + attempts_.block, attempts_.most);
      std::vector<Numbered> found;
      for (std::size_t i = begin; i < end && !stopping_; ++i) {
        if (std::optional<Result> result = attempt(i)) found.emplace_back(i, std::move(*result));
        if (!polls) continue;
        const auto now = std::chrono::steady_clock::now();
        if (now - polled < kPollInterval) continue;
        polled = now;
        poll();
      }
      add(block, std::move(found));
    }
  }

  void add(std::size_t block, std::vector<Numbered> found) {
    const Guard lock(mutex_);
    waiting_.emplace(block, std::move(found));
    for (auto at = waiting_.begin(); at != waiting_.end() && at->first == done_; at = waiting_.erase(at)) {
      std::move(at->second.begin(), at->second.end(), std::back_inserter(found_));
      ++done_;
      if (found_.size() >= attempts_.count) stopping_ = true;
    }
  }

  SearchResult<Result> cut() {
    SearchResult<Result> all;
    all.tried = std::min(done_ * attempts_.block, attempts_.most);
    if (found_.size() >= attempts_.count) {
      found_.resize(attempts_.count);
      all.tried = found_.empty() ? 0 : found_.back().first + 1;
    }
    for (Numbered& one : found_) all.results.push_back(std::move(one.second));
    return all;
  }

  const Attempts attempts_;
  const std::function<bool()>& poll_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stopping_{false};
  Mutex mutex_;
  std::map<std::size_t, std::vector<Numbered>> waiting_;
  std::vector<Numbered> found_;
  std::size_t done_ = 0;  // blocks
  std::exception_ptr failure_;
};

// Rejection: the indices of the deals that need no guess. Each layout that the first cell allows is dealt with the same
// chance, so each one that is found is equally likely. `poll` is called by the calling thread now and then; false stops
// it, and what is returned then is of no use. Throws exact::BudgetExceeded.
SearchResult<std::uint64_t> find_no_guess(const exact::Graph& graph, const DealSearch& deals,
                                          const std::function<bool()>& poll);

// Of given layouts, one after another in a table: which can be cleared from `first` on. As above.
std::vector<bool> clear_many(const exact::Graph& graph, std::int64_t mines, std::int32_t first, Logic logic,
                             std::span<const std::uint8_t> layouts, std::size_t threads,
                             const std::function<bool()>& poll);

// Changes that a deal may be tried with since one last opened more; then it is given up.
inline constexpr std::int32_t kPatience = 200;

struct RepairedBoard {
  std::uint64_t index = 0;           // the deal it was made of
  std::int32_t changes = 0;          // that stayed
  std::vector<std::uint8_t> layout;  // a byte a cell
};

// Repair, where such boards are rare: a deal is changed near the place where it gets stuck.
//
// A hidden cell there changes places with any other cell, a mine with a safe one, and the change stays if no fewer
// cells can be opened than before. What comes out needs no guess, but such boards are not equally likely. With hidden
// cells alone it would take a fifth of the time, but the mines would end up in heaps.
class BoardRepairer {
 public:
  // Graph and deals must outlive it.
  BoardRepairer(const exact::Graph& graph, const DealSearch& deals);

  // Whether deal `index` could be repaired; the same in every run. Throws exact::BudgetExceeded.
  bool repair(std::uint64_t index, RepairedBoard& out);

 private:
  std::int32_t play(const std::vector<std::uint8_t>& layout);
  void list_near();

  const exact::Graph& graph_;
  const DealSearch& deals_;
  ClearanceTest clearance_;
  NumberDealer dealer_;
  std::vector<std::int32_t> near_, others_;
};

// The deals that could be repaired; see `find_no_guess`.
SearchResult<RepairedBoard> repair(const exact::Graph& graph, const DealSearch& deals,
                                   const std::function<bool()>& poll);

}  // namespace mineproof::generation

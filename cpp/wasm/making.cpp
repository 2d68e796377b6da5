// Boards: dealt, and such that need no guess.
#include <functional>

#include "deal.hpp"
#include "generation/keeping.hpp"
#include "generation/repairing.hpp"
#include "wasm/answer.hpp"
#include "wasm/board.hpp"
#include "wasm/time.hpp"

using namespace mineproof;
using namespace mineproof::wasm;

namespace {

void check_logic(std::int32_t place) {
  if (place < 0 || place > 2) refuse("the logic is pairs, clues or total");
}

generation::Deals deals_of(const Board& board, const std::uint8_t* excluded, std::int32_t first, std::int32_t logic,
                           std::uint64_t seed, std::uint64_t start, std::int32_t deals, std::int32_t count) {
  board.check_cell(first);
  check_logic(logic);
  const std::vector<std::uint8_t> kept(excluded, excluded + board.cells());
  if (!kept[static_cast<std::size_t>(first)]) refuse("the first cell must be kept free of mines");
  const std::int64_t mines = board.total();
  if (static_cast<std::size_t>(mines) > free_cells(kept)) refuse("the mines do not fit");
  return {mines,
          kept,
          first,
          static_cast<generation::Logic>(logic),
          seed,
          start,
          static_cast<std::size_t>(deals),
          static_cast<std::size_t>(count),
          1};
}

// Attempts that end with the time that is allowed.
template <class Result, class Run>
generation::Found<Result> in_time(double seconds, Run&& run) {
  const Deadline deadline(seconds);
  generation::Found<Result> found = run([&deadline] { return !deadline.passed(); });
  if (deadline.passed()) throw exact::Interrupted();
  return found;
}

}  // namespace

// A layout of so many mines outside the excluded cells, a byte a cell.
MINEPROOF_EXPORT(deal)
std::int32_t deal(const Board* board, const std::uint8_t* excluded, std::int32_t mines, std::uint64_t seed,
                  std::uint64_t index) {
  return answered([&] {
    const Mask kept{excluded, board->cells()};
    if (mines < 0 || static_cast<std::size_t>(mines) > free_cells(kept)) refuse("the mines do not fit");
    answer().bytes.resize(board->cells());
    Stream stream(seed, index, Purpose::deal);
    NumberDealer().deal(stream, kept, static_cast<std::size_t>(mines), answer().bytes);
  });
}

// The mines around every cell of a layout.
MINEPROOF_EXPORT(count_around)
std::int32_t count_around(const Board* board, const std::uint8_t* mines) {
  return answered([&] {
    answer().bytes.resize(board->cells());
    count_mines(board->neighbours(), {mines, board->cells()}, answer().bytes);
  });
}

// Of the deals from `start` on, at most so many of them, the first that need no guess: their indices in `words`; how
// many were tried is the one number.
MINEPROOF_EXPORT(keep)
std::int32_t keep(const Board* board, const std::uint8_t* excluded, std::int32_t first, std::int32_t logic,
                  std::uint64_t seed, std::uint64_t start, std::int32_t deals, std::int32_t count, double seconds) {
  return answered([&] {
    const generation::Deals asked = deals_of(*board, excluded, first, logic, seed, start, deals, count);
    const auto kept = in_time<std::uint64_t>(seconds, [&](const std::function<bool()>& breathe) {
      return generation::keep(board->graph(), asked, breathe);
    });
    answer().words = kept.results;
    answer().numbers.push_back(static_cast<std::int32_t>(kept.tried));
  });
}

// The same for deals that are changed until they need no guess; then their layouts lie in `bytes`, one after another,
// and the changes that stayed follow in `numbers`.
MINEPROOF_EXPORT(repair)
std::int32_t repair(const Board* board, const std::uint8_t* excluded, std::int32_t first, std::int32_t logic,
                    std::uint64_t seed, std::uint64_t start, std::int32_t deals, std::int32_t count, double seconds) {
  return answered([&] {
    const generation::Deals asked = deals_of(*board, excluded, first, logic, seed, start, deals, count);
    const auto mended = in_time<generation::Repaired>(seconds, [&](const std::function<bool()>& breathe) {
      return generation::repair(board->graph(), asked, breathe);
    });
    answer().numbers.push_back(static_cast<std::int32_t>(mended.tried));
    for (const generation::Repaired& one : mended.results) {
      answer().words.push_back(one.index);
      answer().numbers.push_back(one.changes);
      answer().bytes.insert(answer().bytes.end(), one.layout.begin(), one.layout.end());
    }
  });
}

// Which layouts, one after another in a table, can be cleared from a first cell without a guess: a byte each.
MINEPROOF_EXPORT(clear)
std::int32_t clear_many(const Board* board, const std::uint8_t* layouts, std::int32_t count, std::int32_t first,
                        std::int32_t logic) {
  return answered([&] {
    board->check_cell(first);
    check_logic(logic);
    const std::int64_t mines = board->total();
    for (std::int32_t i = 0; i < count; ++i) {
      const Mask layout{layouts + static_cast<std::size_t>(i) * board->cells(), board->cells()};
      if (layout[static_cast<std::size_t>(first)]) refuse("the first cell is a mine; accepted: another one");
      const auto laid = static_cast<std::int64_t>(board->cells() - free_cells(layout));
      if (laid == mines) continue;
      refuse("the layout has " + std::to_string(laid) + " mines; accepted: the board's " + std::to_string(mines));
    }
    const std::span<const std::uint8_t> table{layouts, static_cast<std::size_t>(count) * board->cells()};
    const std::vector<bool> cleared = generation::clear_many(
        board->graph(), mines, first, static_cast<generation::Logic>(logic), table, 1, [] { return true; });
    answer().bytes.assign(cleared.begin(), cleared.end());
  });
}

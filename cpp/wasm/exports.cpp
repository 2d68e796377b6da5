// The functions that JavaScript calls.
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "exact/analysis.hpp"
#include "game.hpp"
#include "generation/no_guess.hpp"
#include "search/endgame.hpp"
#include "search/solutions.hpp"
#include "wasm/board.hpp"

using namespace mineproof;
using namespace mineproof::wasm;

namespace {

template <class T>
std::vector<T> copy_of(const T* from, std::size_t size) {
  return {from, from + size};
}

// One engine serves all positions and keeps its memory; it is made anew after an error.
std::unique_ptr<exact::Analysis>& engine() {
  static std::unique_ptr<exact::Analysis> kept;
  return kept;
}

// What `ask` finds in the solved position.
template <class Ask>
void with_solved(const Board& board, const std::uint8_t* shown, const std::uint8_t* vouched,
                 const exact::Limits& limits, Ask&& ask) {
  auto one = engine() ? std::move(engine()) : std::make_unique<exact::Analysis>();
  one->solve(board.position(shown, vouched), limits);
  ask(*one);
  engine() = std::move(one);
}

}  // namespace

// ---------------------------------------------------------------------- boards, and positions on them

// Room for what JavaScript hands over; freed by `give_back`.
MINEPROOF_EXPORT(take) void* take(std::size_t size) { return ::operator new(size, std::nothrow); }
MINEPROOF_EXPORT(give_back) void give_back(void* room) { ::operator delete(room); }

// A board; its address is the one number of the answer.
MINEPROOF_EXPORT(board)
std::int32_t board(const std::int32_t* offsets, std::int32_t cells, const std::int32_t* targets, std::int32_t edges,
                   std::int32_t rows, std::int32_t cols) {
  return run_call([&] {
    if (cells < 1 || cells > kMostCells) {
      refuse("a board of " + std::to_string(cells) + " cells; accepted: 1 to " + std::to_string(kMostCells));
    }
    auto made = std::make_unique<Board>(copy_of(offsets, static_cast<std::size_t>(cells) + 1),
                                        copy_of(targets, static_cast<std::size_t>(edges)), rows, cols);
    answer().numbers.push_back(static_cast<std::int32_t>(reinterpret_cast<std::uintptr_t>(made.release())));
  });
}
MINEPROOF_EXPORT(free_board) void free_board(Board* board) { delete board; }

// A number of mines; a density, where it is negative; any number alike, from 1 on, where both are.
MINEPROOF_EXPORT(deal_mines)
std::int32_t deal_mines(Board* board, std::int32_t mines, double density) {
  return run_call([&] {
    if (mines >= 0) return board->set_prior(exact::Prior::of_total(mines), {});
    if (density >= 0) return board->set_prior(exact::Prior::of_density(density), {});
    std::vector<double> numbers(board->cells() + 1, 1.0);
    numbers[0] = 0;
    board->set_prior(exact::Prior::of_number(nullptr), std::move(numbers));
  });
}

// Likelihoods of clues: weights[degree][shown][count], as exact::Channel has them.
MINEPROOF_EXPORT(lie)
std::int32_t lie(Board* board, std::int32_t largest_degree, std::int32_t codes, const double* weights) {
  return run_call([&] {
    const auto degrees = static_cast<std::size_t>(largest_degree) + 1;
    board->set_channel(largest_degree, codes, copy_of(weights, degrees * degrees * static_cast<std::size_t>(codes)));
  });
}

// The chance of a mine in every cell; the logarithm of the weight of all layouts follows them.
MINEPROOF_EXPORT(solve)
std::int32_t solve(const Board* board, const std::uint8_t* shown, const std::uint8_t* vouched, std::int64_t states,
                   std::int64_t memory, double seconds) {
  return run_call([&] {
    Deadline deadline(seconds);
    with_solved(*board, shown, vouched, deadline.limits(states, memory), [&](exact::Analysis& analysis) {
      answer().chances.resize(board->cells() + 1);
      analysis.probabilities(answer().chances.data());
      answer().chances.back() = analysis.log_weight();
    });
  });
}

// The number of layouts, in words.
MINEPROOF_EXPORT(count)
std::int32_t count(const Board* board, const std::uint8_t* shown, const std::uint8_t* vouched, std::int64_t states,
                   std::int64_t memory, double seconds) {
  return run_call([&] {
    Deadline deadline(seconds);
    with_solved(*board, shown, vouched, deadline.limits(states, memory),
                [&](exact::Analysis& analysis) { answer().words = analysis.count(); });
  });
}

// Of a position without a layout: the fewest clues that clash, and in a byte whether the number of mines is needed.
MINEPROOF_EXPORT(clash)
std::int32_t clash(const Board* board, const std::uint8_t* shown, const std::uint8_t* vouched, std::int64_t states,
                   std::int64_t memory, double seconds) {
  return run_call([&] {
    Deadline deadline(seconds);
    const exact::Clash found = exact::clash(board->position(shown, vouched), deadline.limits(states, memory));
    answer().numbers = found.clues;
    answer().bytes.push_back(found.total);
  });
}

// --------------------------- moves: best play at the end, the guess of a player, what an opened cell shows

// Best play by independent regions. A region has its number of cells and these cells in `numbers`; in `words` the
// solutions won when each cell is opened first, those won by best play, and all. Where there is too much of something,
// `over_budget`.
MINEPROOF_EXPORT(endgame)
std::int32_t endgame(const Board* board, const std::uint8_t* shown, const std::uint8_t* vouched, std::int32_t solutions,
                     std::int64_t work) {
  return run_call([&] {
    board->total();
    std::vector<search::SolutionTable> tables;
    if (!search::SolutionLister().regions(board->position(shown, vouched), static_cast<std::size_t>(solutions),
                                          tables)) {
      throw exact::BudgetExceeded("a part of the position has more than " + std::to_string(solutions) + " solutions");
    }
    search::Endgame solver;
    search::EndgameLimits left{work, nullptr, nullptr};
    for (const search::SolutionTable& table : tables) {
      std::vector<std::uint64_t> wins;
      const search::EndgameAnswer best = solver.values(table, wins, left);
      if (!best.solved) {
        throw exact::BudgetExceeded("best play needs more than " + std::to_string(work) + " rows of work");
      }
      left.work -= solver.work();
      answer().numbers.push_back(static_cast<std::int32_t>(table.cells.size()));
      answer().numbers.insert(answer().numbers.end(), table.cells.begin(), table.cells.end());
      answer().words.insert(answer().words.end(), wins.begin(), wins.end());
      answer().words.push_back(best.wins);
      answer().words.push_back(best.total);
    }
  });
}

// The guess of a player where nothing is certainly safe: its cell, and the number of cells it was chosen from; its risk
// is the one chance. Nothing where some cell is certainly safe, or none can be.
MINEPROOF_EXPORT(guess)
std::int32_t guess(Board* board, const std::uint8_t* shown, std::int32_t champion, std::int32_t first_click,
                   const std::int32_t* first, std::int32_t firsts, std::uint64_t key) {
  return run_call([&] {
    board->position(shown, nullptr);
    search::Player& player = board->player(champion ? "champion" : "swift", first_click_of(first_click),
                                           std::vector<std::int32_t>(first, first + firsts));
    player.begin_with(key);
    if (player.prove(shown)) return;
    std::vector<std::int32_t> mines;
    player.certain_mines(mines);
    const auto hidden = std::count(shown, shown + board->cells(), exact::kHidden);
    if (hidden == static_cast<std::ptrdiff_t>(mines.size())) return;
    const search::Guess chosen = player.guess();
    answer().numbers = {chosen.cell, chosen.among};
    answer().chances = {chosen.risk};
  });
}

// What is shown after a hidden cell is opened on these mines, with what a zero opens around it. A flag has `flag_code`
// here, and stays.
MINEPROOF_EXPORT(open)
std::int32_t open_cell(const Board* board, const std::uint8_t* mines, const std::uint8_t* shown, std::int32_t cell) {
  return run_call([&] {
    board->check_cell(cell);
    if (shown[cell] != hidden_code) {
      refuse("cell " + std::to_string(cell) + " is open or flagged; accepted: a hidden cell");
    }
    GameRules rules;
    rules.first_click = FirstClick::any;
    rules.layout.assign(mines, mines + board->cells());
    for (std::uint8_t& mine : rules.layout) mine = mine != 0;
    Referee referee(board->neighbours(), rules);
    std::vector<std::uint8_t> laid(board->cells());
    answer().bytes.resize(board->cells());
    GameState game;
    game.mines = laid.data();
    game.shown = answer().bytes.data();
    referee.begin(game, 0, 0);
    std::copy_n(shown, board->cells(), answer().bytes.begin());
    referee.open(game, cell);
  });
}

// -------------------------------------------------------------------- deals, and boards without guesses

namespace {

void check_logic(std::int32_t place) {
  if (place < 0 || place > 2) refuse("the logic is pairs, clues or total");
}

generation::DealSearch deals_of(const Board& board, const std::uint8_t* excluded, std::int32_t first,
                                std::int32_t logic, std::uint64_t seed, std::uint64_t start, std::int32_t deals,
                                std::int32_t count) {
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
generation::SearchResult<Result> in_time(double seconds, Run&& run) {
  const Deadline deadline(seconds);
  generation::SearchResult<Result> found = run([&deadline] { return !deadline.passed(); });
  if (deadline.passed()) throw exact::Interrupted();
  return found;
}

}  // namespace

// A layout of so many mines outside the excluded cells, a byte a cell.
MINEPROOF_EXPORT(deal)
std::int32_t deal(const Board* board, const std::uint8_t* excluded, std::int32_t mines, std::uint64_t seed,
                  std::uint64_t index) {
  return run_call([&] {
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
  return run_call([&] {
    answer().bytes.resize(board->cells());
    count_mines(board->neighbours(), {mines, board->cells()}, answer().bytes);
  });
}

// Of the deals from `start` on, at most so many of them, the first that need no guess: their indices in `words`; how
// many were tried is the one number.
MINEPROOF_EXPORT(keep)
std::int32_t keep(const Board* board, const std::uint8_t* excluded, std::int32_t first, std::int32_t logic,
                  std::uint64_t seed, std::uint64_t start, std::int32_t deals, std::int32_t count, double seconds) {
  return run_call([&] {
    const generation::DealSearch asked = deals_of(*board, excluded, first, logic, seed, start, deals, count);
    const auto kept = in_time<std::uint64_t>(seconds, [&](const std::function<bool()>& poll) {
      return generation::find_no_guess(board->graph(), asked, poll);
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
  return run_call([&] {
    const generation::DealSearch asked = deals_of(*board, excluded, first, logic, seed, start, deals, count);
    const auto repaired = in_time<generation::RepairedBoard>(
        seconds, [&](const std::function<bool()>& poll) { return generation::repair(board->graph(), asked, poll); });
    answer().numbers.push_back(static_cast<std::int32_t>(repaired.tried));
    for (const generation::RepairedBoard& one : repaired.results) {
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
  return run_call([&] {
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

// What the last call left to be read.
using mineproof::wasm::answer;
MINEPROOF_EXPORT(chances) const double* answered_chances() { return answer().chances.data(); }
MINEPROOF_EXPORT(chances_size) std::size_t answered_chances_size() { return answer().chances.size(); }
MINEPROOF_EXPORT(numbers) const std::int32_t* answered_numbers() { return answer().numbers.data(); }
MINEPROOF_EXPORT(numbers_size) std::size_t answered_numbers_size() { return answer().numbers.size(); }
MINEPROOF_EXPORT(words) const std::uint64_t* answered_words() { return answer().words.data(); }
MINEPROOF_EXPORT(words_size) std::size_t answered_words_size() { return answer().words.size(); }
MINEPROOF_EXPORT(bytes) const std::uint8_t* answered_bytes() { return answer().bytes.data(); }
MINEPROOF_EXPORT(bytes_size) std::size_t answered_bytes_size() { return answer().bytes.size(); }
MINEPROOF_EXPORT(message) const char* answered_message() { return answer().message.data(); }
MINEPROOF_EXPORT(message_size) std::size_t answered_message_size() { return answer().message.size(); }

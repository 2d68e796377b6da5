// Moves: best play at the end, the guess of a player, and what an opened cell shows.
#include <algorithm>
#include <string>

#include "game.hpp"
#include "search/endgame.hpp"
#include "search/solutions.hpp"
#include "wasm/answer.hpp"
#include "wasm/board.hpp"

using namespace mineproof;
using namespace mineproof::wasm;

// Best play by independent regions. A region has its number of cells and these cells in `numbers`; in `words` the
// solutions won when each cell is opened first, those won by best play, and all. Where there is too much of something,
// `over_budget`.
MINEPROOF_EXPORT(endgame)
std::int32_t endgame(const Board* board, const std::uint8_t* shown, const std::uint8_t* vouched, std::int32_t solutions,
                     std::int64_t work) {
  return answered([&] {
    board->total();
    std::vector<search::SolutionTable> tables;
    if (!search::Lister().regions(board->position(shown, vouched), static_cast<std::size_t>(solutions), tables)) {
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
  return answered([&] {
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
  return answered([&] {
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

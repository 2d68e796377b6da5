// Boards without guesses: a board is kept exactly where analyses from scratch clear it; threads change nothing;
// repaired boards need no guess. ARGS: number of boards, seed.
#include <algorithm>

#include "../exact/analysis.hpp"
#include "../generation/no_guess.hpp"
#include "arguments.hpp"
#include "boards.hpp"

using namespace mineproof;
using namespace mineproof::tests;

namespace {

// The codes when nothing more is certain, by a fresh analysis before every move: slow, and plain.
std::vector<std::uint8_t> plain(const Board& board, const std::vector<std::uint8_t>& mine, int first, bool total) {
  const exact::Graph graph = board.graph();
  std::vector<std::uint8_t> shown(mine.size(), exact::kHidden);
  const auto open = [&](int cell) {
    shown[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(mines_around(board, mine, cell));
  };
  open(first);
  const auto mines = std::count(mine.begin(), mine.end(), 1);
  for (bool more = true; more;) {
    exact::Position position;
    position.graph = &graph;
    position.shown = shown.data();
    position.prior = total ? exact::Prior::of_total(mines) : exact::Prior::of_density(0.5);
    exact::Analysis analysis;
    analysis.solve(position);
    more = false;
    for (int cell = 0; cell < board.cells() && !more; ++cell) {
      if (shown[static_cast<std::size_t>(cell)] != exact::kHidden) continue;
      if (analysis.certain(cell) != exact::Certain::safe) continue;
      CHECK(!mine[static_cast<std::size_t>(cell)], "a mine is certain to be safe");
      open(cell);
      more = true;
    }
  }
  return shown;
}

void check_clearing(Dice& dice) {
  const Board board = any_board(dice, 30);
  const exact::Graph graph = board.graph(dice.chance(0.7));
  const int cells = board.cells(), first = dice.below(cells);
  std::vector<std::uint8_t> mine(static_cast<std::size_t>(cells));
  for (int i = 0; i < cells; ++i) mine[static_cast<std::size_t>(i)] = i != first && dice.chance(0.2);
  const auto mines = std::count(mine.begin(), mine.end(), 1);
  const bool total = dice.chance(0.5);
  generation::ClearanceTest clearing(graph, mines, total ? generation::Logic::total : generation::Logic::clues);
  const std::vector<std::uint8_t> wanted = plain(board, mine, first, total);
  const auto hidden = std::count(wanted.begin(), wanted.end(), exact::kHidden);
  for (int again = 0; again < 2; ++again) {  // it keeps memory from game to game
    CHECK(clearing.clears(mine, first) == (hidden == mines), "%s", board.name.c_str());
    if (hidden > mines) CHECK(std::ranges::equal(clearing.shown(), wanted), "%s", board.name.c_str());
  }
}

void check_threads(Dice& dice) {
  const Board board = dice.chance(0.5) ? square(6, 7) : hex(6, 6);
  const exact::Graph graph = board.graph();
  generation::DealSearch deals;
  deals.mines = 6 + dice.below(4);
  deals.first = dice.below(board.cells());
  deals.excluded.assign(static_cast<std::size_t>(board.cells()), 0);
  deals.excluded[static_cast<std::size_t>(deals.first)] = 1;
  deals.seed = dice.next();
  deals.start = static_cast<std::uint64_t>(dice.below(1000));
  deals.deals = static_cast<std::size_t>(dice.below(400));
  deals.count = static_cast<std::size_t>(dice.below(30));
  const auto poll = [] { return true; };
  const auto kept = generation::find_no_guess(graph, deals, poll);
  const auto mended = generation::repair(graph, deals, poll);
  CHECK(kept.results.size() <= deals.count && kept.tried <= deals.deals);
  generation::ClearanceTest clearing(graph, deals.mines);
  for (const generation::RepairedBoard& one : mended.results) {
    CHECK(clearing.clears(one.layout, deals.first), "a repaired board needs a guess");
    CHECK(std::count(one.layout.begin(), one.layout.end(), 1) == deals.mines);
  }
  deals.threads = 2 + static_cast<std::size_t>(dice.below(3));
  const auto kept_again = generation::find_no_guess(graph, deals, poll);
  const auto mended_again = generation::repair(graph, deals, poll);
  CHECK(kept_again.results == kept.results && kept_again.tried == kept.tried);
  CHECK(mended_again.tried == mended.tried && mended_again.results.size() == mended.results.size());
  for (std::size_t i = 0; i < mended.results.size(); ++i)
    CHECK(mended_again.results[i].layout == mended.results[i].layout);
  std::vector<std::uint8_t> table;
  for (const generation::RepairedBoard& one : mended.results)
    table.insert(table.end(), one.layout.begin(), one.layout.end());
  const auto clears =
      generation::clear_many(graph, deals.mines, deals.first, generation::Logic::total, table, deals.threads, poll);
  CHECK(std::count(clears.begin(), clears.end(), true) == static_cast<std::ptrdiff_t>(mended.results.size()));
}

}  // namespace

int main(int argc, char** argv) {
  const int number = cases(argc, argv, 3000);
  Dice dice{seed(argc, argv, 11)};
  for (int i = 0; i < number; ++i) check_clearing(dice);
  for (int i = 0; i < number / 100; ++i) check_threads(dice);
  std::printf("generation: %d boards cleared as by plain analyses, %d batches on several threads\n", number,
              number / 100);
}

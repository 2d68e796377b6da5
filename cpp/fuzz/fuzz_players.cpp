// Players of the core on any codes and in whole games; best play in endgames and on small boards; games played out.
#include "../search/endgame.hpp"
#include "../search/player.hpp"
#include "../search/rollout.hpp"
#include "../search/solutions.hpp"
#include "tape.hpp"

using namespace mineproof::fuzz;
using namespace mineproof::search;
using mineproof::FirstClick;

namespace {

const char* const kNames[] = {"exact", "swift", "champion"};

Options options_of(const std::string& name) {
  return name == "champion" ? Options{{"rollouts", 32}, {"work", 50}} : Options{};
}

FirstClick any_first_click(Tape& tape) { return static_cast<FirstClick>(tape.below(3)); }

// A seat: any codes may be shown to it, one after the other.
void sit(const Table& table, Case& c, Tape& tape) {
  const std::string name = kNames[tape.below(3)];
  const auto player = make_player(table, name, options_of(name));
  player->begin_with(tape.word());
  for (int shows = 0; shows < 3; ++shows) {
    if (shows > 0) any_codes(tape, c.board.cells(), c);
    try {
      if (player->prove(c.shown.data())) {
        for (const auto cell : player->safe()) CHECK(c.shown[static_cast<std::size_t>(cell)] == kHidden);
        continue;
      }
      std::vector<std::int32_t> mines;
      player->certain_mines(mines);
      if (std::count(c.shown.begin(), c.shown.end(), kHidden) > static_cast<std::ptrdiff_t>(mines.size())) {
        const Guess guess = player->guess();
        CHECK(guess.cell >= 0 && guess.cell < c.board.cells());
        CHECK(c.shown[static_cast<std::size_t>(guess.cell)] == kHidden, "cell %d is open", guess.cell);
        CHECK(guess.risk >= 0 && guess.risk <= 1, "risk %g", guess.risk);
      }
    } catch (const Contradiction&) {
    } catch (const BudgetExceeded&) {
    }
  }
}

void play_games(const Table& table, Tape& tape) {
  const bool cascade = tape.bit();
  const mineproof::GameRules rules{static_cast<std::size_t>(table.mines), table.first_click, cascade};
  if (!mineproof::Referee::fits(table.neighbours(), rules)) return;
  const std::string name = kNames[tape.below(3)];
  const GameSeries series{tape.word(), tape.word(), tape.word(), 2, 1};
  std::vector<PlayedGame> played;
  play_many(table, rules, name, options_of(name), series, [] { return true; }, played);
  CHECK(played.size() == 2);
  for (const PlayedGame& one : played) CHECK(!one.end.won || one.end.safe_left == 0);
}

void endgames(const Case& c) {
  std::vector<SolutionTable> tables;
  if (!SolutionLister().regions(c.position, 200, tables)) return;
  Endgame solver;
  for (const SolutionTable& table : tables) {
    std::vector<std::uint64_t> wins;
    const EndgameAnswer answer = solver.values(table, wins, {200'000});
    if (!answer.solved) continue;
    CHECK(answer.wins <= answer.total && answer.total == table.rows);
    for (const std::uint64_t won : wins) CHECK(won <= answer.wins);
  }
}

void best_first(const Table& table) {
  OptimalLimits limits;
  limits.layouts = 2000;
  limits.endgame.work = 200'000;
  std::vector<std::int32_t> first;
  for (std::int32_t i = 0; i < table.graph.cells; ++i) first.push_back(i);
  const OptimalAnswer answer = optimal(table.graph, table.mines, table.first_click, first, limits);
  CHECK(answer.end != OptimalEnd::solved || answer.wins <= answer.total);
}

void play_out(const Table& table, const Case& c, Tape& tape) {
  std::vector<std::int32_t> cells;
  for (std::int32_t i = 0; i < table.graph.cells && cells.size() < 4; ++i) {
    if (c.shown[static_cast<std::size_t>(i)] == kHidden) cells.push_back(i);
  }
  WinLimits limits;
  limits.samples = 4;
  for (const WinSum& sum : win_sums(c.position, table, {}, cells, tape.word(), limits)) CHECK(std::isfinite(sum.sum));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Tape tape(data, size);
  Case c;
  const int kind = tape.below(5);
  c.board = any_board(tape, kind == 3 ? 4 : 7);
  c.graph = c.board.graph(tape.bit());
  any_codes(tape, c.board.cells(), c);
  c.position.graph = &c.graph;
  c.position.shown = c.shown.data();
  std::int64_t mines = 0;
  for (const auto m : c.mine) mines += m;
  if (tape.below(8) == 0) mines = tape.below(c.board.cells() + 1);
  c.position.prior = Prior::of_total(mines);
  const Table table{c.graph, mines, any_first_click(tape), {static_cast<std::int32_t>(tape.byte() % c.graph.cells)}};
  try {
    switch (kind) {
      case 0: sit(table, c, tape); break;
      case 1: play_games(table, tape); break;
      case 2: endgames(c); break;
      case 3: best_first(table); break;
      default: play_out(table, c, tape);
    }
  } catch (const Contradiction&) {
  } catch (const BudgetExceeded&) {
  }
  return 0;
}

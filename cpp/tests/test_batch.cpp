// Batches: every game is the one that a single game with its seed and index is, for any number of threads and every way
// of beginning anew; clues are those of the deal; flags bar cells; illegal moves and what is no action change nothing.
#include "../batch/batch.hpp"

#include <memory>

#include "arguments.hpp"
#include "boards.hpp"

using namespace mineproof;
using namespace mineproof::tests;
using batch::Autoreset;
using batch::Batch;
using batch::BatchRules;
using batch::IllegalAction;

namespace {

constexpr std::size_t kGames = 7, kGamesOfThread = 120;  // so many that each thread has enough to do

Neighbours neighbours_of(const tests::Board& board) { return {board.offset, board.target}; }

// The deal of a game, from the dealer itself: codes must agree with it.
void check_codes(const Neighbours& near, const GameRules& rules, std::uint64_t seed, std::uint64_t index,
                 std::int32_t first, const std::uint8_t* shown) {
  std::vector<std::uint8_t> excluded(near.cells()), mines(near.cells()), counts(near.cells());
  if (rules.first_click != FirstClick::any) excluded[static_cast<std::size_t>(first)] = 1;
  if (rules.first_click == FirstClick::opening) {
    for (std::int32_t at = near.offsets[static_cast<std::size_t>(first)];
         at < near.offsets[static_cast<std::size_t>(first) + 1]; ++at)
      excluded[static_cast<std::size_t>(near.targets[static_cast<std::size_t>(at)])] = 1;
  }
  Stream stream(seed, index, Purpose::deal);
  NumberDealer().deal(stream, excluded, rules.mines, mines);
  count_mines(near, mines, counts);
  for (std::size_t cell = 0; cell < near.cells(); ++cell) {
    if (shown[cell] == hidden_code || shown[cell] == flag_code) continue;
    CHECK(mines[cell] ? shown[cell] == mine_code : shown[cell] == counts[cell]);
  }
}

// A batch against one game after the other, by random actions with illegal ones among them.
int compare(const tests::Board& board, const BatchRules& rules, std::size_t threads, int rounds, Dice& dice) {
  const std::size_t many = threads == 1 ? kGames : threads * kGamesOfThread;
  const Neighbours near = neighbours_of(board);
  const std::size_t cells = near.cells();
  Batch batch(near, rules, many, threads);
  CHECK(batch.threads() == threads);
  std::vector<std::unique_ptr<Game>> games;
  std::vector<std::uint64_t> index(many, 0);
  std::vector<std::int32_t> first(many, -1);
  std::vector<char> waits(many, 0);
  for (std::size_t i = 0; i < many; ++i) {
    batch.seed(i, 100 + i, 0);
    games.push_back(std::make_unique<Game>(near, rules.game));
    games[i]->begin(100 + i, 0);
  }
  batch.reset({});
  int moves = 0;
  std::vector<std::int64_t> actions(many);
  for (int round = 0; round < rounds; ++round) {
    batch.random_actions(actions);
    for (std::int64_t& action : actions) {
      if (dice.chance(0.1)) action = dice.below(static_cast<int>(batch.actions()));
    }
    const auto before = batch.shown, legal = batch.legal;
    batch.step(actions);
    for (std::size_t i = 0; i < many; ++i) {
      const std::uint8_t* shown = batch.shown.data() + i * cells;
      const auto action = static_cast<std::size_t>(actions[i]);
      const auto anew = [&] {
        games[i]->begin(100 + i, ++index[i]);
        first[i] = -1;
      };
      if (waits[i]) {
        CHECK(!batch.moved[i] && !batch.terminated[i] && batch.opened[i] == 0);
        anew();
        waits[i] = 0;
        CHECK(std::equal(shown, shown + cells, games[i]->shown()));
        continue;
      }
      CHECK(batch.moved[i]);
      // What the game showed before it was reset in the same step: at its end, or where its steps ran out.
      const bool ended = batch.terminated[i] || batch.truncated[i];
      const bool same = rules.autoreset == Autoreset::same_step;
      const std::uint8_t* last = ended && same ? batch.final_shown.data() + i * cells : shown;
      if (!legal[i * batch.actions() + action]) {
        CHECK(batch.illegal[i] && batch.terminated[i] == (rules.illegal == IllegalAction::end));
        if (rules.illegal == IllegalAction::stay) CHECK(std::equal(last, last + cells, before.data() + i * cells));
      } else if (action < cells) {
        if (first[i] < 0) first[i] = static_cast<std::int32_t>(action);
        games[i]->open(static_cast<std::int32_t>(action));
        CHECK(batch.terminated[i] == games[i]->over() && batch.won[i] == games[i]->end().won);
        ++moves;
      }
      CHECK(std::equal(last, last + cells, games[i]->shown()));
      if (first[i] >= 0) check_codes(near, rules.game, 100 + i, index[i], first[i], last);
      if (!ended) continue;
      if (same) {
        const std::uint8_t* could = batch.final_legal.data() + i * batch.actions();
        for (std::size_t cell = 0; cell < cells && (batch.terminated[i] || first[i] >= 0); ++cell)
          CHECK(could[cell] == (batch.truncated[i] && last[cell] == hidden_code));
        anew();
        CHECK(std::equal(shown, shown + cells, games[i]->shown()));
      } else if (rules.autoreset == Autoreset::next_step) {
        waits[i] = 1;
      } else {
        CHECK(batch.waiting() == i);
        std::vector<std::uint8_t> chosen(many, 0);
        chosen[i] = 1;
        batch.reset(chosen);
        anew();
      }
    }
  }
  return moves;
}

// Flags count, bar their cells from opening and from cascades, and come off again.
void flags(const tests::Board& board, Dice& dice) {
  const Neighbours near = neighbours_of(board);
  BatchRules rules;
  rules.flags = true;
  rules.most_steps = 1000;
  Batch batch(near, rules, 1, 1);
  batch.seed(0, dice.next(), 0);
  batch.reset({});
  const auto cells = static_cast<std::int64_t>(near.cells());
  if (cells < 2) return;
  const std::int64_t cell = dice.below(static_cast<int>(cells));
  const std::vector<std::int64_t> flag{cells + cell}, open{cell}, other{(cell + 1) % cells};
  batch.step(flag);
  CHECK(batch.shown[static_cast<std::size_t>(cell)] == flag_code && batch.mines_left[0] == -1);
  CHECK(!batch.legal[static_cast<std::size_t>(cell)] && batch.legal[static_cast<std::size_t>(flag[0])]);
  batch.step(open);
  CHECK(batch.illegal[0]);
  batch.step(other);  // no mines: everything but the flag may open
  CHECK(batch.shown[static_cast<std::size_t>(cell)] == flag_code && !batch.terminated[0]);
  batch.step(flag);
  CHECK(batch.mines_left[0] == 0 && batch.legal[static_cast<std::size_t>(cell)]);
}

// Whoever calls could let another thread write into the actions: what is none changes no game, and no other memory.
void strange_actions(const tests::Board& board, Dice& dice) {
  const Neighbours near = neighbours_of(board);
  for (const bool with_flags : {false, true}) {
    BatchRules rules;
    rules.flags = with_flags;
    rules.most_steps = 1000;
    Batch batch(near, rules, 1, 1);
    batch.seed(0, dice.next(), 0);
    batch.reset({});
    const auto before = batch.shown;
    const auto many = static_cast<std::int64_t>(batch.actions());
    for (const std::int64_t action : {std::int64_t{-1}, many, many + 1, std::int64_t{1} << 32, INT64_MAX, INT64_MIN}) {
      const std::vector<std::int64_t> strange{action};
      CHECK(batch.first_illegal(strange) == 0u);
      batch.step(strange);
      CHECK(batch.illegal[0] && batch.moved[0] && !batch.terminated[0] && batch.shown == before);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int boards = cases(argc, argv, 300);
  Dice dice{seed(argc, argv, 5)};
  int moves = 0;
  for (int k = 0; k < boards; ++k) {
    const tests::Board board = any_board(dice, 40);
    const Neighbours near = neighbours_of(board);
    BatchRules rules;
    rules.game.first_click = static_cast<FirstClick>(dice.below(3));
    rules.game.cascade = dice.chance(0.8);
    rules.game.mines = static_cast<std::size_t>(dice.below(static_cast<int>(near.cells()) + 1) / 3);
    if (!Referee::fits(near, rules.game)) rules.game.mines = 0;
    if (!Referee::fits(near, rules.game)) continue;
    rules.autoreset = static_cast<Autoreset>(dice.below(3));
    rules.illegal = static_cast<IllegalAction>(dice.below(2));
    rules.most_steps = 3 + dice.below(60);
    moves += compare(board, rules, 1, 40, dice);
    if (k % 10 == 0) moves += compare(board, rules, 2 + static_cast<std::size_t>(dice.below(2)), 20, dice);
    flags(board, dice);
    strange_actions(board, dice);
  }
  CHECK(moves > 10 * boards, "%d", moves);
  std::printf("test_batch: %d moves\n", moves);
}

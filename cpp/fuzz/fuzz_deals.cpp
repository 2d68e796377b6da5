// Graphs of any bytes, refused or dealt on; deals, counts and random games.
#include <numeric>
#include <stdexcept>

#include "../game.hpp"
#include "tape.hpp"

using namespace mineproof;
using fuzz::Tape;

namespace {

std::vector<std::int32_t> any_numbers(Tape& tape, std::size_t most) {
  std::vector<std::int32_t> numbers;
  for (std::size_t size = tape.byte() % (most + 1); size > 0; --size) {
    const std::uint8_t b = tape.byte();
    numbers.push_back(b < 250 ? b % 40 : static_cast<std::int32_t>(tape.word()));
  }
  return numbers;
}

// Rows of any numbers: refused, or fit to be counted on.
void any_rows(Tape& tape) {
  std::vector<std::int32_t> offsets = any_numbers(tape, 40);
  if (tape.bit()) std::sort(offsets.begin(), offsets.end());
  const std::vector<std::int32_t> targets = any_numbers(tape, 200);
  const Neighbours neighbours{offsets, targets};
  try {
    check(neighbours);
  } catch (const std::invalid_argument&) {
    return;
  }
  std::vector<std::uint8_t> mines(neighbours.cells()), counts(neighbours.cells());
  for (auto& mine : mines) mine = tape.byte();
  count_mines(neighbours, mines, counts);
}

void deals(Tape& tape) {
  Stream stream(tape.word(), tape.word(), Purpose::deal);
  std::vector<std::uint8_t> excluded(1 + static_cast<std::size_t>(tape.below(100)));
  for (auto& one : excluded) one = tape.below(4) == 0;
  std::vector<std::uint8_t> mines(excluded.size());
  const std::size_t room = free_cells(excluded);
  const std::size_t count = room == 0 ? 0 : static_cast<std::size_t>(tape.byte()) % (room + 1);
  NumberDealer dealer;
  dealer.deal(stream, excluded, count, mines);
  CHECK(std::accumulate(mines.begin(), mines.end(), std::size_t{0}) == count);
  for (std::size_t i = 0; i < mines.size(); ++i) CHECK(!(mines[i] && excluded[i]));
  deal_independent(stream, excluded, {tape.word(), tape.bit()}, mines);
  for (std::size_t i = 0; i < mines.size(); ++i) CHECK(mines[i] <= 1 && !(mines[i] && excluded[i]));
}

void games(Tape& tape) {
  const tests::Board board = fuzz::any_board(tape, 8);
  const Neighbours neighbours{board.offset, board.target};
  const GameRules rules{static_cast<std::size_t>(tape.below(board.cells() + 1)), static_cast<FirstClick>(tape.below(3)),
                        tape.bit()};
  if (!Referee::fits(neighbours, rules)) return;
  Game game(neighbours, rules);
  for (std::uint64_t index = 0; index < 3; ++index) {
    const GameEnd end = play_random(game, tape.word(), tape.word(), index);
    CHECK(!end.won || end.safe_left == 0);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Tape tape(data, size);
  switch (tape.below(3)) {
    case 0: any_rows(tape); break;
    case 1: deals(tape); break;
    default: games(tape);
  }
  return 0;
}

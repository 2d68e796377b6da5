// Processor time of a player's games, and a hash of all its guesses: two cores that print the same hash play the same
// games.  usage: bench_players [player] [games] [safe|opening] [seed] [rows cols mines]
#include <cstring>
#include <ctime>
#include <memory>

#include "../search/player.hpp"
#include "boards.hpp"

using namespace mineproof;

namespace {

double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Hash {
  std::uint64_t value = 1469598103934665603u;

  void add(std::uint64_t x) {
    value = (value ^ x) * 1099511628211u;
    value ^= value >> 29;
  }
  void add(double x) {
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    add(bits);
  }
};

struct Tally {
  int won = 0, guesses = 0;
  Hash hash;
};

void play(Game& game, search::Player& player, std::uint64_t seed, std::uint64_t index, Tally& tally) {
  game.begin(seed, index);
  player.begin(Stream(seed, index, Purpose::agent));
  while (!game.over()) {
    if (player.prove(game.shown())) {
      for (const std::int32_t cell : player.safe()) {
        if (!game.is_open(static_cast<std::size_t>(cell))) game.open(cell);
      }
      continue;
    }
    ++tally.guesses;
    tally.hash.add(static_cast<std::uint64_t>(player.count_mines()));
    const search::Guess guess = player.guess();
    tally.hash.add(static_cast<std::uint64_t>(guess.cell));
    tally.hash.add(guess.risk);
    tally.hash.add(static_cast<std::uint64_t>(guess.among));
    if (guess.chance) tally.hash.add(*guess.chance);
    game.open(guess.cell);
  }
  tally.won += game.end().won;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "swift";
  const int games = argc > 2 ? std::atoi(argv[2]) : 4000;
  const bool opening = argc > 3 && std::string(argv[3]) == "opening";
  const std::uint64_t seed = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1;
  const int rows = argc > 7 ? std::atoi(argv[5]) : 16;
  const int cols = argc > 7 ? std::atoi(argv[6]) : 30;
  const int mines = argc > 7 ? std::atoi(argv[7]) : 99;
  const tests::Board board = tests::square(rows, cols);
  search::Table table;
  table.graph = board.graph();
  table.mines = mines;
  table.first_click = opening ? FirstClick::opening : FirstClick::safe;
  table.first = {opening ? 3 * cols + 3 : 0};
  GameRules rules;
  rules.mines = static_cast<std::size_t>(mines);
  rules.first_click = table.first_click;
  const std::unique_ptr<search::Player> player = search::make_player(table, name, {});
  Game game(table.neighbours(), rules);
  Tally tally;
  const double start = now();
  for (int i = 0; i < games; ++i) play(game, *player, seed, static_cast<std::uint64_t>(i), tally);
  const double seconds = now() - start;
  std::printf("%s, %dx%d/%d, %s: %d games, %.0f a CPU second; %d won, %d guesses, hash %016llx\n", name.c_str(), rows,
              cols, mines, opening ? "opening" : "safe", games, games / seconds, tally.won, tally.guesses,
              static_cast<unsigned long long>(tally.hash.value));
  return 0;
}

#include "search/player.hpp"

#include <utility>

namespace mineproof::search {

Player::Player(const Table& table, std::unique_ptr<Guesser> guesser)
    : table_(table), guesser_(std::move(guesser)), prover_(table.graph, table.mines) {}

bool Player::prove(const std::uint8_t* shown) {
  open_ = count_open(shown, table_.graph.cells);
  return !first() && prover_.prove(shown);
}

Guess Player::guess() {
  if (first()) return guesser_->first(table_);
  return guesser_->choose({table_, prover_.position(), prover_.engine(), open_});
}

void Player::certain_mines(std::vector<std::int32_t>& out) const {
  out.clear();
  if (!first()) prover_.certain_mines(out);
}

Played play(Game& game, Player& player, std::uint64_t seed, std::uint64_t agent_seed, std::uint64_t index) {
  Played played;
  game.begin(seed, index);
  player.begin(Stream(agent_seed, index, Purpose::agent));
  while (!game.over()) {
    if (!player.prove(game.shown())) {
      ++played.guesses;
      played.flags = player.count_mines();
      game.open(player.guess().cell);
      continue;
    }
    for (const std::int32_t cell : player.safe()) {
      if (!game.is_open(static_cast<std::size_t>(cell))) game.open(cell);
    }
  }
  played.end = game.end();
  played.gain = player.gain();
  return played;
}

}  // namespace mineproof::search

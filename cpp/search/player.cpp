#include "search/player.hpp"

#include <utility>

namespace mineproof::search {

Player::Player(const Table& table, std::unique_ptr<Guesser> guesser)
    : table_(table), guesser_(std::move(guesser)), prover_(table.graph, table.mines) {}

const Player::Decision& Player::decide(const std::uint8_t* shown) {
  if (!prove(shown)) guess();
  return decision_;
}

bool Player::prove(const std::uint8_t* shown) {
  open_ = count_open(shown, table_.graph.cells);
  decision_.mines = 0;
  decision_.proved = !first() && prover_.prove(shown);
  if (!decision_.proved) {
    decision_.safe.clear();
    if (!first()) decision_.mines = prover_.count_mines();
    return false;
  }
  decision_.safe = prover_.safe();
  return true;
}

const Guess& Player::guess() {
  decision_.guess = first() ? guesser_->first(table_) : guesser_->choose({table_, prover_.position(), prover_.engine(), open_});
  return decision_.guess;
}

void Player::certain_mines(std::vector<std::int32_t>& out) const {
  out.clear();
  if (decision_.mines > 0) prover_.certain_mines(out);
}

Played play(Game& game, Player& player, std::uint64_t seed, std::uint64_t agent_seed, std::uint64_t index) {
  Played played;
  game.begin(seed, index);
  player.begin(Stream(agent_seed, index, Purpose::agent));
  while (!game.over()) {
    const Player::Decision& decision = player.decide(game.shown());
    if (!decision.proved) {
      ++played.guesses;
      played.flags = decision.mines;
      game.open(decision.guess.cell);
      continue;
    }
    for (const std::int32_t cell : decision.safe) {
      if (!game.is_open(static_cast<std::size_t>(cell))) game.open(cell);
    }
  }
  played.end = game.end();
  played.gain = player.gain();
  return played;
}

}  // namespace mineproof::search

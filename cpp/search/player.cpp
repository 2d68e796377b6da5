#include "search/player.hpp"

#include <algorithm>
#include <utility>

namespace mineproof::search {

namespace {

constexpr double kStageEnds[kStages - 1] = {6,  9,   13,  20,  30,  42,  55, 70,
                                            90, 110, 135, 160, 185, 208, 225};  // logarithms of the number of solutions

}  // namespace

Player::Player(const Table& table, std::unique_ptr<Guesser> guesser, bool swept)
    : table_(table),
      guesser_(std::move(guesser)),
      prover_(table.graph, exact::Prior::of_total(table.mines), swept ? nullptr : make_survey(table.graph)) {}

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

std::size_t Player::stage() const {
  if (first()) return kStages - 1;
  const exact::Engine& e = prover_.engine();
  const double solutions = e.joined.log_weight + e.front.log_weight;
  return static_cast<std::size_t>(std::lower_bound(kStageEnds, kStageEnds + kStages - 1, solutions) - kStageEnds);
}

Played play(Game& game, Player& player, std::uint64_t seed, std::uint64_t agent_seed, std::uint64_t index) {
  Played played;
  std::optional<double> known;
  game.begin(seed, index);
  player.begin(Stream(agent_seed, index, Purpose::agent));
  while (!game.over()) {
    if (!player.prove(game.shown())) {
      ++played.guesses;
      played.flags = player.count_mines();
      const std::size_t stage = player.stage();
      const Guess guess = player.guess();
      game.open(guess.cell);
      if (!known) known = guess.chance;
      if (!known) played.luck[stage] += game.burst() ? guess.risk - 1 : guess.risk;
      continue;
    }
    for (const std::int32_t cell : player.safe()) {
      if (!game.is_open(static_cast<std::size_t>(cell))) game.open(cell);
    }
  }
  played.end = game.end();
  played.chance = known.value_or(played.end.won ? 1 : 0);
  played.gain = player.gain();
  return played;
}

}  // namespace mineproof::search

#include "search/player.hpp"

#include <algorithm>

namespace mineproof::search {

using exact::Certain;
using exact::Mark;

Player::Player(const Table& table, std::unique_ptr<Guesser> guesser, Order order)
    : table_(table), guesser_(std::move(guesser)), order_(order) {}

const Player::Decision& Player::decide(const std::uint8_t* shown) {
  if (!prove(shown)) guess();
  return decision_;
}

bool Player::prove(const std::uint8_t* shown) {
  const std::int32_t cells = table_.graph.cells;
  decision_.proved = false;
  decision_.safe.clear();
  decision_.mines = 0;
  open_ = 0;
  for (std::int32_t i = 0; i < cells; ++i) open_ += shown[i] != exact::kHidden ? 1 : 0;
  if (first()) return false;
  exact::Position& position = position_;
  position.graph = &table_.graph;
  position.shown = shown;
  position.prior = exact::Prior::of_total(table_.mines);
  if (order_ == Order::cheap_first) {
    glance_.begin({});
    const exact::Front front = exact::read_front(position, glance_);
    if (front.clash < 0) list_marked(front.mark, Mark::safe);
    decision_.proved = !decision_.safe.empty();
    if (decision_.proved) return true;
  }
  engine_.solve(position, {});
  if (some_certain(Certain::safe) || engine_.sea_certain == Certain::safe) {
    for (std::int32_t i = 0; i < cells; ++i) {
      if (certain(i) == Certain::safe) decision_.safe.push_back(i);
    }
  } else {
    list_marked(engine_.front.mark, Mark::safe);
  }
  decision_.proved = !decision_.safe.empty();
  if (decision_.proved) return true;
  for (std::int32_t i = 0; i < cells; ++i) decision_.mines += engine_.front.mark[i] == Mark::mine ? 1 : 0;
  if (some_certain(Certain::mine) || engine_.sea_certain == Certain::mine) {
    decision_.mines = 0;
    for (std::int32_t i = 0; i < cells; ++i) decision_.mines += certain(i) == Certain::mine ? 1 : 0;
  }
  return false;
}

const Guess& Player::guess() {
  decision_.guess = first() ? guesser_->first(table_) : guesser_->choose({table_, position_, engine_, open_});
  return decision_.guess;
}

bool Player::some_certain(Certain which) const {
  const std::int32_t boxes = engine_.boxes.boxes;
  for (std::int32_t b = 0; b < boxes; ++b) {
    if (engine_.box_certain[b] == which) return true;
  }
  return false;
}

Certain Player::certain(std::int32_t cell) const {
  switch (engine_.front.mark[cell]) {
    case Mark::open:
    case Mark::burst: return Certain::open;
    case Mark::safe: return Certain::safe;
    case Mark::mine: return Certain::mine;
    case Mark::unknown: break;
  }
  const std::int32_t box = engine_.boxes.box_of[cell];
  return box < 0 ? engine_.sea_certain : engine_.box_certain[box];
}

void Player::certain_mines(std::vector<std::int32_t>& out) const {
  out.clear();
  for (std::int32_t i = 0; decision_.mines > 0 && i < table_.graph.cells; ++i) {
    if (certain(i) == Certain::mine) out.push_back(i);
  }
}

void Player::list_marked(const Mark* mark, Mark which) {
  const std::int32_t cells = table_.graph.cells;
  std::int32_t found = 0;
  for (std::int32_t i = 0; i < cells; ++i) found += mark[i] == which ? 1 : 0;
  for (std::int32_t i = 0; found > 0; ++i) {
    if (mark[i] != which) continue;
    decision_.safe.push_back(i);
    --found;
  }
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

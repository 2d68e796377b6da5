#include "search/player.hpp"

#include <algorithm>

namespace mineproof::search {

using exact::Certain;
using exact::Mark;

namespace {

// How many of n bytes are `value`: counted in bytes, as many at a time as a register holds.
template <class Byte>
std::int32_t count_of(const Byte* bytes, std::int32_t n, Byte value) {
  constexpr std::int32_t kMost = 255;
  std::int32_t found = 0;
  for (std::int32_t begin = 0; begin < n; begin += kMost) {
    const std::int32_t end = std::min(n, begin + kMost);
    std::uint8_t here = 0;
    for (std::int32_t i = begin; i < end; ++i) here = static_cast<std::uint8_t>(here + (bytes[i] == value));
    found += here;
  }
  return found;
}

}  // namespace

Player::Player(const Table& table, std::unique_ptr<Guesser> guesser) : table_(table), guesser_(std::move(guesser)) {}

const Player::Decision& Player::decide(const std::uint8_t* shown) {
  if (!prove(shown)) guess();
  return decision_;
}

bool Player::prove(const std::uint8_t* shown) {
  const std::int32_t cells = table_.graph.cells;
  decision_.proved = false;
  decision_.safe.clear();
  decision_.mines = 0;
  open_ = cells - count_of(shown, cells, exact::kHidden);
  if (first()) return false;
  exact::Position& position = position_;
  position.graph = &table_.graph;
  position.shown = shown;
  position.prior = exact::Prior::of_total(table_.mines);
  engine_.look(position, {});
  list_settled();
  decision_.proved = !decision_.safe.empty();
  if (decision_.proved) return true;
  engine_.compile();
  const bool weighed = engine_.prove();
  list_safe();
  decision_.proved = !decision_.safe.empty();
  if (decision_.proved) return true;
  if (!weighed) engine_.weigh();  // chances are wanted for a guess only
  count_mines();
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
  return engine_.sea_certain == which;
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

// The hidden cells that single clues prove safe.
void Player::list_settled() {
  const Mark* mark = engine_.front.mark;
  std::int32_t found = count_of(mark, table_.graph.cells, Mark::safe);
  for (std::int32_t i = 0; found > 0; ++i) {
    if (mark[i] != Mark::safe) continue;
    decision_.safe.push_back(i);
    --found;
  }
}

// The hidden cells that several clues or the number of mines prove safe, where single clues prove none.
void Player::list_safe() {
  if (!some_certain(Certain::safe)) return;
  // Every cell is written down, and stays where it is safe: no branch depends on it.
  const std::int32_t cells = table_.graph.cells;
  const std::int32_t* box_of = engine_.boxes.box_of;
  const Certain* certain = engine_.box_certain;
  listed_.resize(static_cast<std::size_t>(cells) + 1);
  std::int32_t* out = listed_.data();
  std::size_t found = 0;
  for (std::int32_t i = 0; i < cells; ++i) {
    out[found] = i;
    found += static_cast<std::size_t>(certain[box_of[i]] == Certain::safe);
  }
  decision_.safe.assign(out, out + found);
}

void Player::count_mines() {
  const std::int32_t cells = table_.graph.cells;
  if (!some_certain(Certain::mine)) {
    decision_.mines = count_of(engine_.front.mark, cells, Mark::mine);
    return;
  }
  for (std::int32_t i = 0; i < cells; ++i) decision_.mines += certain(i) == Certain::mine ? 1 : 0;
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

// A step of all games of a batch, shared out to threads.
#include "batch/batch.hpp"

#include <algorithm>
#include <cstring>

namespace mineproof::batch {

namespace {

constexpr std::uint8_t kOver = 1, kCutOff = 2;
constexpr std::size_t kMostInPiece = 32;  // games that a thread takes at a time

// What a thread must have to do in a step, or calling it costs more than it saves. It is counted in cells that are
// written; what does not depend on the size of the board takes as long as some 512.
constexpr std::size_t kLeastWork = 60000, kWorkBesideCells = 512;

std::size_t worth_calling(std::size_t threads, std::size_t games, std::size_t cells) noexcept {
  return std::clamp<std::size_t>(games * (cells + kWorkBesideCells) / kLeastWork, 1, threads);
}

}  // namespace

Batch::Batch(const Neighbours& neighbours, const BatchRules& rules, std::size_t games, std::size_t threads)
    : shown(games * neighbours.cells(), hidden_code),
      legal(games * neighbours.cells() * (rules.flags ? 2 : 1)),
      mines_left(games),
      final_shown(rules.autoreset == Autoreset::same_step ? shown.size() : 0),
      final_legal(rules.autoreset == Autoreset::same_step ? legal.size() : 0),
      final_mines_left(rules.autoreset == Autoreset::same_step ? games : 0),
      first(games, -1),
      final_first(final_mines_left.size()),
      opened(games),
      terminated(games),
      truncated(games),
      won(games),
      illegal(games),
      moved(games),
      rules_(rules),
      cells_(neighbours.cells()),
      mines_(games * neighbours.cells()),
      codes_(games * neighbours.cells()),
      ended_(games),
      states_(games),
      seeds_(games),
      indices_(games),
      steps_(games),
      referees_(worth_calling(threads, games, neighbours.cells()), ThreadReferee{Referee(neighbours, rules.game)}),
      team_(referees_.size()) {
  for (std::size_t game = 0; game < games; ++game) {
    states_[game].mines = mines_.data() + game * cells_;
    states_[game].shown = codes_.data() + game * cells_;
  }
  seed_actions(0);
}

void Batch::seed(std::size_t game, std::uint64_t seed, std::uint64_t index) {
  seeds_[game] = seed;
  indices_[game] = index;
}

template <typename Work>
void Batch::each(const Work& work) {
  // All threads read this, and the caller writes on the stack around it.
  struct alignas(kPadding) Round {
    Batch& batch;
    std::size_t many;
    Work work;
  };
  const Round round{*this, std::clamp<std::size_t>(games() / (8 * team_.size()), 1, kMostInPiece), work};
  team_.run((games() + round.many - 1) / round.many, [&round](std::size_t member, std::size_t piece) {
    const std::size_t end = std::min(round.batch.games(), (piece + 1) * round.many);
    for (std::size_t game = piece * round.many; game < end; ++game)
      round.work(round.batch.referees_[member].referee, game);
  });
}

void Batch::reset(Mask chosen) {
  each([this, chosen](Referee& referee, std::size_t game) {
    if (!chosen.empty() && !chosen[game]) return;
    terminated[game] = truncated[game] = won[game] = illegal[game] = moved[game] = 0;
    ended_[game] = 0;
    opened[game] = 0;
    begin(referee, game);
    write(referee, game);
  });
}

void Batch::begin(Referee& referee, std::size_t game) {
  referee.begin(states_[game], seeds_[game], indices_[game]);
  ++indices_[game];
  steps_[game] = 0;
  first[game] = -1;
}

void Batch::step(std::span<const std::int64_t> actions) {
  each([this, actions](Referee& referee, std::size_t game) { play(referee, game, actions[game]); });
}

void Batch::play(Referee& referee, std::size_t game, std::int64_t action) {
  GameState& state = states_[game];
  const bool anew = rules_.autoreset == Autoreset::next_step && ended_[game];
  terminated[game] = truncated[game] = won[game] = illegal[game] = 0;
  opened[game] = 0;
  moved[game] = !anew;
  ended_[game] = 0;
  if (anew) {  // the reset takes this step; the action is ignored
    begin(referee, game);
    return write(referee, game);
  }
  ++steps_[game];
  bool over = false;
  if (!is_legal(referee, game, action)) {
    illegal[game] = 1;
    over = rules_.illegal == IllegalAction::end;
  } else if (static_cast<std::size_t>(action) < cells_) {
    if (!state.dealt) first[game] = static_cast<std::int32_t>(action);
    const std::int32_t before = state.opened - state.exploded;
    referee.open(state, static_cast<std::int32_t>(action));
    opened[game] = state.opened - state.exploded - before;
  } else {
    referee.toggle_flag(state, static_cast<std::int32_t>(action - static_cast<std::int64_t>(cells_)));
  }
  over = over || referee.over(state);
  const bool cut_off = !over && steps_[game] >= rules_.most_steps;
  terminated[game] = over;
  won[game] = referee.won(state);
  truncated[game] = cut_off;
  ended_[game] = over ? kOver : cut_off ? kCutOff : 0;
  write(referee, game);
  if (rules_.autoreset != Autoreset::same_step || !ended_[game]) return;
  std::memcpy(final_shown.data() + game * cells_, state.shown, cells_);
  std::memcpy(final_legal.data() + game * actions(), legal.data() + game * actions(), actions());
  final_mines_left[game] = mines_left[game];
  final_first[game] = first[game];
  ended_[game] = 0;
  begin(referee, game);
  write(referee, game);
}

// What may be done now, and how many mines are left.
void Batch::write(const Referee& referee, std::size_t game) {
  const GameState& state = states_[game];
  std::uint8_t* row = legal.data() + game * actions();
  const bool told = rules_.total_known && (state.dealt || rules_.game.dealt == DealKind::number);
  const auto total = state.dealt ? state.total : static_cast<std::int32_t>(rules_.game.mines);
  mines_left[game] = told ? total - state.flags - state.exploded : 0;
  std::memcpy(shown.data() + game * cells_, state.shown, cells_);
  if (referee.over(state) || ended_[game] == kOver) {
    std::memset(row, 0, actions());
    return;
  }
  const std::uint8_t* seen = state.shown;
  const std::size_t cells = cells_;  // a byte that is written could be anything else's, for all the compiler knows
  for (std::size_t cell = 0; cell < cells; ++cell) row[cell] = seen[cell] == hidden_code;
  if (rules_.flags) {
    for (std::size_t cell = 0; cell < cells; ++cell)
      row[cells + cell] = seen[cell] == hidden_code || seen[cell] == flag_code;
  }
  if (!state.dealt && rules_.game.first_click == FirstClick::opening) {
    for (std::size_t cell = 0; cell < cells; ++cell) {
      if (!referee.has_room(static_cast<std::int32_t>(cell))) row[cell] = 0;
    }
  }
}

bool Batch::is_legal(const Referee& referee, std::size_t game, std::int64_t action) const noexcept {
  const GameState& state = states_[game];
  if (ended_[game] == kOver || referee.over(state)) return false;
  // They were checked, but the memory is the caller's: another thread may have written there since.
  if (action < 0 || static_cast<std::size_t>(action) >= actions()) return false;
  const bool opens = static_cast<std::size_t>(action) < cells_;
  const auto cell = static_cast<std::int32_t>(opens ? action : action - static_cast<std::int64_t>(cells_));
  const std::uint8_t code = state.shown[cell];
  if (!opens) return code == hidden_code || code == flag_code;
  return code == hidden_code && (state.dealt || referee.has_room(cell));
}

std::optional<std::size_t> Batch::waiting() const noexcept {
  if (rules_.autoreset != Autoreset::disabled) return {};
  for (std::size_t game = 0; game < games(); ++game) {
    if (ended_[game]) return game;
  }
  return {};
}

std::optional<std::size_t> Batch::first_illegal(std::span<const std::int64_t> actions) const noexcept {
  for (std::size_t game = 0; game < games(); ++game) {
    const bool anew = rules_.autoreset == Autoreset::next_step && ended_[game];
    if (!anew && !is_legal(referees_.front().referee, game, actions[game])) return game;
  }
  return {};
}

// ------------------------------------------------------------------------------------ at random

void Batch::seed_actions(std::uint64_t seed) {
  choices_.clear();
  for (std::size_t game = 0; game < games(); ++game) choices_.emplace_back(seed, game, Purpose::agent);
}

void Batch::random_actions(std::span<std::int64_t> actions) {
  each([this, actions](Referee&, std::size_t game) { actions[game] = random_action(game); });
}

std::int64_t Batch::random_action(std::size_t game) {
  const std::size_t many = actions();
  const std::uint8_t* row = legal.data() + game * many;
  // Most are legal for most of a game, so a few draws do; then they are counted.
  std::uint64_t drawn = choices_[game].below(many);
  for (int tries = 0; tries < 8 && !row[drawn]; ++tries) drawn = choices_[game].below(many);
  if (!row[drawn]) {
    const auto left = static_cast<std::uint64_t>(std::count(row, row + many, std::uint8_t{1}));
    std::uint64_t skip = left == 0 ? 0 : choices_[game].below(left);
    drawn = 0;
    while (left > 0 && drawn + 1 < many && (!row[drawn] || skip-- > 0)) ++drawn;
  }
  return static_cast<std::int64_t>(drawn);
}

}  // namespace mineproof::batch

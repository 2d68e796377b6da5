// Counting, dealing and refereeing.
#include "game.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace mineproof {

void check(const Neighbours& neighbours) {
  const auto& [offsets, targets] = neighbours;
  if (offsets.empty()) throw std::invalid_argument("offsets is empty; it needs cells + 1 entries");
  if (offsets.front() != 0) throw std::invalid_argument("offsets[0] is not 0");
  const std::size_t cells = neighbours.cells();
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const std::int64_t degree = std::int64_t{offsets[cell + 1]} - offsets[cell];
    if (degree < 0) {
      throw std::invalid_argument("offsets[" + std::to_string(cell + 1) + "] is smaller than the one before it");
    }
    if (degree > max_neighbours) {
      throw std::invalid_argument("cell " + std::to_string(cell) + " has " + std::to_string(degree) +
                                  " neighbours; at most " + std::to_string(max_neighbours) + " are accepted");
    }
  }
  if (static_cast<std::size_t>(offsets.back()) != targets.size()) {
    throw std::invalid_argument("offsets ends at " + std::to_string(offsets.back()) + ", but there are " +
                                std::to_string(targets.size()) + " targets");
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i] < 0 || static_cast<std::size_t>(targets[i]) >= cells) {
      throw std::invalid_argument("targets[" + std::to_string(i) + "] is " + std::to_string(targets[i]) +
                                  "; cells are 0 to " + std::to_string(static_cast<std::int64_t>(cells) - 1));
    }
  }
}

void count_mines(const Neighbours& neighbours, std::span<const std::uint8_t> mines,
                 std::span<std::uint8_t> counts) noexcept {
  const std::int32_t* offsets = neighbours.offsets.data();
  const std::int32_t* targets = neighbours.targets.data();
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    unsigned count = 0;
    for (std::int32_t i = offsets[cell]; i < offsets[cell + 1]; ++i) {
      count += mines[targets[i]] != 0;
    }
    counts[cell] = static_cast<std::uint8_t>(count);
  }
}

std::size_t free_cells(Mask excluded) noexcept {
  return static_cast<std::size_t>(std::count(excluded.begin(), excluded.end(), std::uint8_t{0}));
}

void NumberDealer::deal(Stream& stream, Mask excluded, std::size_t count, MutableMask mines) {
  const std::size_t cells = mines.size();
  order_.resize(cells);
  std::iota(order_.begin(), order_.end(), 0);
  std::fill(mines.begin(), mines.end(), std::uint8_t{0});
  // Locals, since for all the compiler knows writing a mine could change anything else.
  std::int32_t* const order = order_.data();
  Stream draws = stream;
  for (std::size_t i = 0; count > 0 && i < cells; ++i) {
    std::int32_t& drawn = order[i + draws.below(cells - i)];
    const auto cell = static_cast<std::size_t>(drawn);
    drawn = order[i];  // what stands before is not looked at again
    if (!excluded[cell]) {
      mines[cell] = 1;
      --count;
    }
  }
  stream = draws;
}

void deal_independent(Stream& stream, Mask excluded, Chance chance, MutableMask mines) noexcept {
  for (std::size_t cell = 0; cell < mines.size(); ++cell) {
    const bool drawn = stream.happens(chance);
    mines[cell] = drawn && !excluded[cell];
  }
}

std::uint8_t Lies::shown(std::size_t neighbours, std::size_t count, std::uint64_t key,
                         std::int32_t cell) const noexcept {
  const std::uint64_t drawn = Stream(key, static_cast<std::uint64_t>(cell), Purpose::clues).next();
  const std::uint64_t* row = below.data() + table[neighbours] + static_cast<std::int64_t>(count * (neighbours + 2));
  const std::int32_t end = last[static_cast<std::size_t>(last_table[neighbours]) + count];
  std::int32_t word = 0;
  while (word < end && drawn >= row[word]) ++word;
  return word == 0 ? blank_code : static_cast<std::uint8_t>(word - 1);
}

// ------------------------------------------------------------------------------------- referee

Referee::Referee(const Neighbours& neighbours, const GameRules& rules)
    : neighbours_(neighbours), rules_(rules), excluded_(neighbours.cells()), waiting_(neighbours.cells()) {}

bool Referee::fits(const Neighbours& neighbours, const GameRules& rules) noexcept {
  if (!rules.given.empty()) return rules.mines + rules.free.size() <= neighbours.cells();
  std::size_t kept_free = rules.first_click == FirstClick::any ? 0 : 1;
  if (rules.first_click == FirstClick::opening) {
    std::int32_t most = 0;
    for (std::size_t cell = 0; cell < neighbours.cells(); ++cell)
      most = std::max(most, neighbours.offsets[cell + 1] - neighbours.offsets[cell]);
    kept_free += static_cast<std::size_t>(most);
  }
  return rules.mines + kept_free <= neighbours.cells();
}

bool Referee::has_room(std::int32_t first) const noexcept {
  if (rules_.dealt == DealKind::independent || !rules_.layout.empty()) return true;
  std::size_t kept_free = rules_.first_click == FirstClick::any ? 0 : 1;
  if (rules_.first_click == FirstClick::opening) kept_free += degree(static_cast<std::size_t>(first));
  const std::size_t mines = rules_.dealt == DealKind::uniform ? 1 : rules_.mines;
  return mines + kept_free <= cells();
}

void Referee::begin(GameState& game, std::uint64_t seed, std::uint64_t index) {
  game = {game.mines, game.shown, seed, index};
  std::memset(game.shown, hidden_code, cells());
  if (!rules_.lies.none()) game.key = Stream(seed, index, Purpose::clues).next();
  if (!rules_.layout.empty() || !rules_.given.empty() || rules_.given_random > 0 ||
      rules_.first_click == FirstClick::any) {
    deal(game, {});
    open_given(game);
  }
}

void Referee::exclude(std::int32_t cell) {
  if (excluded_[static_cast<std::size_t>(cell)]) return;
  excluded_[static_cast<std::size_t>(cell)] = 1;
  kept_free_.push_back(cell);
}

void Referee::deal(GameState& game, std::span<const std::int32_t> first) {
  const MutableMask mines{game.mines, cells()};
  game.dealt = true;
  if (!rules_.layout.empty()) {
    std::copy(rules_.layout.begin(), rules_.layout.end(), mines.begin());
  } else {
    kept_free_.clear();
    for (const std::int32_t cell : rules_.free) exclude(cell);
    if (rules_.first_click != FirstClick::any) {
      for (const std::int32_t cell : first) {
        exclude(cell);
        if (rules_.first_click != FirstClick::opening) continue;
        for (std::int32_t at = neighbours_.offsets[static_cast<std::size_t>(cell)];
             at < neighbours_.offsets[static_cast<std::size_t>(cell) + 1]; ++at)
          exclude(neighbours_.targets[static_cast<std::size_t>(at)]);
      }
    }
    Stream stream(game.seed, game.index, Purpose::deal);
    std::size_t number = rules_.mines;
    if (rules_.dealt == DealKind::uniform)
      number = 1 + Stream(game.seed, game.index, Purpose::number).below(cells() - kept_free_.size());
    if (rules_.dealt == DealKind::independent) {
      deal_independent(stream, excluded_, rules_.chance, mines);
    } else {
      dealer_.deal(stream, excluded_, number, mines);
    }
    for (const std::int32_t cell : kept_free_) excluded_[static_cast<std::size_t>(cell)] = 0;
  }
  const bool fixed = rules_.dealt == DealKind::number && rules_.layout.empty();
  game.total = static_cast<std::int32_t>(fixed ? rules_.mines : cells() - free_cells(mines));
  game.safe_left = static_cast<std::int32_t>(cells()) - game.total;
}

void Referee::open_given(GameState& game) {
  std::vector<std::int32_t> drawn;
  if (rules_.given_random > 0) {
    for (std::size_t cell = 0; cell < cells(); ++cell) {
      if (!game.mines[cell]) drawn.push_back(static_cast<std::int32_t>(cell));
    }
    Stream stream(game.seed, game.index, Purpose::given);
    for (std::size_t i = 0; i < rules_.given_random && i + 1 < drawn.size(); ++i)
      std::swap(drawn[i], drawn[i + stream.below(drawn.size() - i)]);
    drawn.resize(std::min(drawn.size(), rules_.given_random));
  }
  for (const std::int32_t cell : rules_.given_random > 0 ? drawn : rules_.given) {
    if (game.shown[cell] == hidden_code && !over(game)) reveal(game, cell);
  }
  game.given = game.opened;
}

void Referee::open(GameState& game, std::int32_t cell) {
  if (!game.dealt) deal(game, {&cell, 1});
  ++game.clicks;
  reveal(game, cell);
}

void Referee::reveal(GameState& game, std::int32_t cell) {
  const std::uint8_t* mines = game.mines;
  std::uint8_t* shown = game.shown;
  ++game.opened;
  if (mines[cell]) {
    shown[cell] = mine_code;
    ++game.exploded;
    return;
  }
  const std::int32_t* offsets = neighbours_.offsets.data();
  const std::int32_t* targets = neighbours_.targets.data();
  std::int32_t* const waiting = waiting_.data();
  const bool exact = rules_.lies.none(), cascade = rules_.cascade;
  std::size_t waits = 0;
  std::int32_t more = 0;  // cells opened beside this one
  shown[cell] = 0;        // open, so that it is not met again
  for (;;) {
    std::size_t count = 0;
    const std::int32_t begin = offsets[cell], end = offsets[cell + 1];
    for (std::int32_t at = begin; at < end; ++at) count += mines[targets[at]];
    const auto near = static_cast<std::size_t>(end - begin);
    const std::uint8_t code = exact ? static_cast<std::uint8_t>(count) : rules_.lies.shown(near, count, game.key, cell);
    shown[cell] = code;
    if (code == 0 && cascade && (exact || rules_.lies.proves_zero[near])) {
      for (std::int32_t at = begin; at < end; ++at) {
        const std::int32_t other = targets[at];
        if (shown[other] != hidden_code) continue;
        shown[other] = 0;
        waiting[waits++] = other;
        ++more;
      }
    }
    if (waits == 0) break;
    cell = waiting[--waits];
  }
  game.opened += more;
  game.safe_left -= more + 1;
}

void Referee::toggle_flag(GameState& game, std::int32_t cell) const noexcept {
  const bool sets = game.shown[cell] == hidden_code;
  game.shown[cell] = sets ? flag_code : hidden_code;
  game.flags += sets ? 1 : -1;
}

bool Referee::over(const GameState& game) const noexcept {
  if (game.exploded > 0 && !rules_.goes_on) return true;
  if (!game.dealt) return false;
  if (rules_.mark_all || rules_.goes_on) return static_cast<std::size_t>(game.opened + game.flags) == cells();
  return game.safe_left == 0;
}

bool Referee::won(const GameState& game) const noexcept {
  return over(game) && game.exploded == 0 && game.safe_left == 0;
}

// ---------------------------------------------------------------------------------------- game

Game::Game(const Neighbours& neighbours, const GameRules& rules)
    : referee_(neighbours, rules), mines_(neighbours.cells()), shown_(neighbours.cells()) {
  state_.mines = mines_.data();
  state_.shown = shown_.data();
}

GameEnd play_random(Game& game, std::uint64_t seed, std::uint64_t agent_seed, std::uint64_t index) {
  game.begin(seed, index);
  Stream stream(agent_seed, index, Purpose::agent);
  while (!game.over()) {
    std::uint64_t skip = stream.below(game.hidden());
    std::size_t cell = 0;
    for (;; ++cell) {
      if (game.is_open(cell)) continue;
      if (skip-- == 0) break;
    }
    game.open(static_cast<std::int32_t>(cell));
  }
  return game.end();
}

}  // namespace mineproof

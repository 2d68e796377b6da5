#include "game.hpp"

#include <algorithm>

namespace mineproof {

Game::Game(const Neighbours& neighbours, const GameRules& rules)
    : neighbours_(neighbours),
      rules_(rules),
      excluded_(neighbours.cells()),
      mines_(neighbours.cells()),
      counts_(neighbours.cells()),
      shown_(neighbours.cells()) {}

bool Game::fits(const Neighbours& neighbours, const GameRules& rules) noexcept {
  std::size_t kept_free = rules.first_click == FirstClick::any ? 0 : 1;
  if (rules.first_click == FirstClick::opening) {
    std::int32_t most = 0;
    for (std::size_t cell = 0; cell < neighbours.cells(); ++cell)
      most = std::max(most, neighbours.offsets[cell + 1] - neighbours.offsets[cell]);
    kept_free += static_cast<std::size_t>(most);
  }
  return rules.mines + kept_free <= neighbours.cells();
}

void Game::begin(std::uint64_t seed, std::uint64_t index) {
  seed_ = seed;
  index_ = index;
  dealt_ = exploded_ = false;
  end_ = {};
  std::ranges::fill(shown_, hidden_code);
  if (rules_.first_click == FirstClick::any) deal(-1);
}

void Game::deal(std::int32_t first) {
  std::ranges::fill(excluded_, std::uint8_t{0});
  if (first >= 0) {
    const auto cell = static_cast<std::size_t>(first);
    excluded_[cell] = 1;
    if (rules_.first_click == FirstClick::opening)
      for (std::int32_t at = neighbours_.offsets[cell]; at < neighbours_.offsets[cell + 1]; ++at)
        excluded_[static_cast<std::size_t>(neighbours_.targets[static_cast<std::size_t>(at)])] = 1;
  }
  Stream stream(seed_, index_, Purpose::deal);
  dealer_.deal(stream, excluded_, rules_.mines, mines_);
  count();
  end_.safe_left = static_cast<std::int32_t>(cells() - rules_.mines);
}

void Game::count() {
  count_mines(neighbours_, mines_, counts_);
  dealt_ = true;
}

void Game::open(std::int32_t cell) {
  if (!dealt_) deal(cell);
  ++end_.clicks;
  ++end_.opened;
  if (mines_[static_cast<std::size_t>(cell)]) {
    shown_[static_cast<std::size_t>(cell)] = mine_code;
    exploded_ = true;
    return;
  }
  shown_[static_cast<std::size_t>(cell)] = counts_[static_cast<std::size_t>(cell)];
  --end_.safe_left;
  waiting_.assign(1, cell);
  while (!waiting_.empty()) {
    const auto here = static_cast<std::size_t>(waiting_.back());
    waiting_.pop_back();
    if (counts_[here] || !rules_.cascade) continue;
    for (std::int32_t at = neighbours_.offsets[here]; at < neighbours_.offsets[here + 1]; ++at) {
      const std::int32_t near = neighbours_.targets[static_cast<std::size_t>(at)];
      if (shown_[static_cast<std::size_t>(near)] != hidden_code) continue;
      shown_[static_cast<std::size_t>(near)] = counts_[static_cast<std::size_t>(near)];
      ++end_.opened;
      --end_.safe_left;
      waiting_.push_back(near);
    }
  }
}

GameEnd Game::end() const noexcept {
  GameEnd end = end_;
  end.won = !exploded_ && end.safe_left == 0;
  return end;
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

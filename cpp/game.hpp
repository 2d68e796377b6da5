// A game in the core: the deal at the first click, cascades, and the end, as the Python referee plays it.
//
// Covered here are the rules of the ordinary game: a fixed number of mines, exact clues, a mine loses, every safe cell
// open wins. The Python referee plays everything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "clues.hpp"
#include "deal.hpp"

namespace mineproof {

// What the deal promises of the first opened cell.
enum class FirstClick : std::uint8_t { any, safe, opening };

struct GameRules {
  std::size_t mines = 0;
  FirstClick first_click = FirstClick::safe;
  bool cascade = true;
};

// What a game left.
struct GameEnd {
  bool won = false;
  std::int32_t clicks = 0;     // cells the player opened
  std::int32_t opened = 0;     // cells opened in all, a mine included
  std::int32_t safe_left = 0;  // safe cells still hidden
};

// One game after another on one board; keeps its memory from game to game. The mines must fit beside every first cell
// that can be chosen: see `fits`.
class Game {
 public:
  Game(const Neighbours& neighbours, const GameRules& rules);

  // Whether the mines can be laid whatever the first cell is.
  static bool fits(const Neighbours& neighbours, const GameRules& rules) noexcept;

  void begin(std::uint64_t seed, std::uint64_t index);
  bool over() const noexcept { return exploded_ || (dealt_ && end_.safe_left == 0); }
  // Opens a hidden cell and what its zero opens around it.
  void open(std::int32_t cell);

  std::size_t cells() const noexcept { return shown_.size(); }
  std::size_t hidden() const noexcept { return shown_.size() - static_cast<std::size_t>(end_.opened); }
  bool is_open(std::size_t cell) const noexcept { return shown_[cell] != hidden_code; }
  // What the player sees: a byte a cell, in the codes of exact/position.hpp.
  const std::uint8_t* shown() const noexcept { return shown_.data(); }
  GameEnd end() const noexcept;

 private:
  static constexpr std::uint8_t hidden_code = 255, mine_code = 254;
  void deal(std::int32_t first);
  void count();

  Neighbours neighbours_;
  GameRules rules_;
  NumberDealer dealer_;
  std::vector<std::uint8_t> excluded_, mines_, counts_, shown_;
  std::vector<std::int32_t> waiting_;
  std::uint64_t seed_ = 0, index_ = 0;
  bool dealt_ = false, exploded_ = false;
  GameEnd end_;
};

// The agent `random`: opens a hidden cell, each equally likely, drawn from the stream of (agent_seed, index).
GameEnd play_random(Game& game, std::uint64_t seed, std::uint64_t agent_seed, std::uint64_t index);

}  // namespace mineproof

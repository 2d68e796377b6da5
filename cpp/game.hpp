// Games in the core: who touches whom, the deal, and the referee, as the Python referee plays them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rng.hpp"
#include "threads.hpp"

namespace mineproof {

// Who touches whom, in compressed rows: the neighbours of cell c are
// targets[offsets[c]] .. targets[offsets[c + 1] - 1].
struct Neighbours {
  std::span<const std::int32_t> offsets;
  std::span<const std::int32_t> targets;

  std::size_t cells() const noexcept { return offsets.size() - 1; }
};

// The most neighbours a cell may have: a count is one byte.
constexpr std::int32_t max_neighbours = 255;

// Throws std::invalid_argument, naming the place, where the rows are not in order, a neighbour is
// no cell, or a cell has more than max_neighbours.
void check(const Neighbours& neighbours);

// For every cell, mines themselves included, the number of mines among its neighbours. A mine is any
// byte that is not 0.
void count_mines(const Neighbours& neighbours, std::span<const std::uint8_t> mines,
                 std::span<std::uint8_t> counts) noexcept;

// --------------------------------------------------- deals, shared bit for bit with src/mineproof/board

// A byte a cell: 0 is no, anything else yes.
using Mask = std::span<const std::uint8_t>;
using MutableMask = std::span<std::uint8_t>;

// Number of cells that are not excluded.
std::size_t free_cells(Mask excluded) noexcept;

// Deals a fixed number of mines: the cells are shuffled, and the mines are the first of that order
// that are not excluded. Keeps its scratch space from one deal to the next.
class NumberDealer {
 public:
  // Writes 0 or 1 into every byte of `mines`. Needs mines.size() == excluded.size() < 2^31 and
  // count <= free_cells(excluded).
  void deal(Stream& stream, Mask excluded, std::size_t count, MutableMask mines);

 private:
  PaddedVector<std::int32_t> order_;
};

// Makes each cell that is not excluded a mine with the given chance, independently. Draws one
// number for every cell, excluded or not, so that excluding a cell changes no other.
void deal_independent(Stream& stream, Mask excluded, Chance chance, MutableMask mines) noexcept;

// ---------------------------------------- the deal at the first click, cascades, flags and the end of a game

// The referee here holds the rules and scratch memory, and no game: one referee serves many games that lie in memory of
// their own. A `Game` is a referee with one game. The players of the core know the ordinary rules only: a number of
// mines, exact clues, a mine loses, every safe cell open wins.

// What the deal promises of the first opened cell.
enum class FirstClick : std::uint8_t { any, safe, opening };

// How many mines are dealt: a number, each cell by itself, or a number that is drawn uniformly from 1 up.
enum class DealKind : std::uint8_t { number, independent, uniform };

// Clues that lie: what a cell shows is drawn, from a stream of the game and the cell.
struct Lies {
  // For each number of neighbours its table in `below`, or -1; empty where clues are exact. The table has a row for
  // each true count, with the chances out of 2^64 that nothing, 0, 1, ... or less is shown; an entry of `last` says
  // which of these is certain.
  std::vector<std::int64_t> table;
  std::vector<std::int64_t> last_table;
  std::vector<std::uint64_t> below;
  std::vector<std::int32_t> last;
  std::vector<std::uint8_t> proves_zero;  // by the number of neighbours: whether a shown 0 is true

  bool none() const noexcept { return table.empty(); }
  // The code of what a cell shows.
  std::uint8_t shown(std::size_t neighbours, std::size_t count, std::uint64_t key, std::int32_t cell) const noexcept;
};

struct GameRules {
  std::size_t mines = 0;
  FirstClick first_click = FirstClick::safe;
  bool cascade = true;
  std::vector<std::int32_t> given = {};  // cells opened before the first move; they are the first click
  std::vector<std::int32_t> free = {};   // where cells are given: those that the deal keeps free of mines
  DealKind dealt = DealKind::number;
  Chance chance = {};                     // of a mine in a cell, where they are independent
  bool goes_on = false;                   // after a mine
  bool mark_all = false;                  // every cell open or flagged is the goal
  std::size_t given_random = 0;           // so many safe cells, drawn, are given
  std::vector<std::uint8_t> layout = {};  // mines that are set and not dealt
  Lies lies = {};
};

// What a game left.
struct GameEnd {
  bool won = false;
  std::int32_t clicks = 0;     // cells the player opened
  std::int32_t opened = 0;     // cells opened in all, given ones and a mine included
  std::int32_t given = 0;      // cells opened before the first move, with what their zeros opened
  std::int32_t safe_left = 0;  // safe cells still hidden
};

// One game. Its mines and what is shown are a byte a cell in memory that somebody else keeps.
struct GameState {
  std::uint8_t* mines = nullptr;
  std::uint8_t* shown = nullptr;  // the codes of exact/position.hpp, and `flag_code`
  std::uint64_t seed = 0, index = 0, key = 0;
  bool dealt = false;
  std::int32_t clicks = 0, opened = 0, given = 0, safe_left = 0, total = 0, exploded = 0, flags = 0;
};

inline constexpr std::uint8_t hidden_code = 255, mine_code = 254, blank_code = 253, flag_code = 252;

class Referee {
 public:
  Referee(const Neighbours& neighbours, const GameRules& rules);

  // Whether the mines can be laid whatever the first cell is.
  static bool fits(const Neighbours& neighbours, const GameRules& rules) noexcept;
  // Whether the mines can be laid with this first cell.
  bool has_room(std::int32_t first) const noexcept;

  void begin(GameState& game, std::uint64_t seed, std::uint64_t index);
  // Opens a hidden cell without a flag, and what its zero opens around it.
  void open(GameState& game, std::int32_t cell);
  // Sets a flag on a hidden cell, or takes it off.
  void toggle_flag(GameState& game, std::int32_t cell) const noexcept;
  bool over(const GameState& game) const noexcept;
  bool won(const GameState& game) const noexcept;

  std::size_t cells() const noexcept { return neighbours_.cells(); }
  const GameRules& rules() const noexcept { return rules_; }

 private:
  std::size_t degree(std::size_t cell) const noexcept {
    return static_cast<std::size_t>(neighbours_.offsets[cell + 1] - neighbours_.offsets[cell]);
  }
  void deal(GameState& game, std::span<const std::int32_t> first);
  void exclude(std::int32_t cell);
  void open_given(GameState& game);
  void reveal(GameState& game, std::int32_t cell);

  Neighbours neighbours_;
  GameRules rules_;
  NumberDealer dealer_;
  PaddedVector<std::uint8_t> excluded_;  // all 0 between deals
  PaddedVector<std::int32_t> kept_free_;
  PaddedVector<std::int32_t> waiting_;  // opened, and to be looked around: room for every cell
};

// One game after another on one board; keeps its memory from game to game. The mines must fit beside every first cell
// that can be chosen: see `Referee::fits`.
class Game {
 public:
  Game(const Neighbours& neighbours, const GameRules& rules);
  Game(const Game&) = delete;
  Game& operator=(const Game&) = delete;

  void begin(std::uint64_t seed, std::uint64_t index) { referee_.begin(state_, seed, index); }
  bool over() const noexcept { return referee_.over(state_); }
  bool burst() const noexcept { return state_.exploded > 0; }  // some mine was opened
  // Opens a hidden cell and what its zero opens around it.
  void open(std::int32_t cell) { referee_.open(state_, cell); }

  std::size_t cells() const noexcept { return shown_.size(); }
  std::size_t hidden() const noexcept { return shown_.size() - static_cast<std::size_t>(state_.opened); }
  bool is_open(std::size_t cell) const noexcept { return shown_[cell] != hidden_code; }
  // What the player sees: a byte a cell, in the codes of exact/position.hpp.
  const std::uint8_t* shown() const noexcept { return shown_.data(); }
  GameEnd end() const noexcept {
    return {referee_.won(state_), state_.clicks, state_.opened, state_.given, state_.safe_left};
  }

 private:
  Referee referee_;
  std::vector<std::uint8_t> mines_, shown_;
  GameState state_;
};

// The agent `random`: opens a hidden cell, each equally likely, drawn from the stream of (agent_seed, index).
GameEnd play_random(Game& game, std::uint64_t seed, std::uint64_t agent_seed, std::uint64_t index);

}  // namespace mineproof

// Who plays: opens what is certain, and asks a guesser where nothing is.
//
// A player sees codes (exact/position.hpp) and never a layout. What it does is a function of these codes and of a
// stream of its own, so that any referee who shows the same codes sees the same moves.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "game.hpp"
#include "rng.hpp"
#include "search/prover.hpp"

namespace mineproof::search {

// What is told before a game begins.
struct Table {
  exact::Graph graph;
  std::int64_t mines = 0;
  FirstClick first_click = FirstClick::safe;
  std::vector<std::int32_t> first;  // cells that are good to begin with, the best first; not empty

  Neighbours neighbours() const {
    const auto cells = static_cast<std::size_t>(graph.cells);
    return {{graph.offset, cells + 1}, {graph.target, static_cast<std::size_t>(graph.offset[cells])}};
  }
};

// A position in which no hidden cell is known to be safe, with its solution.
struct Situation {
  const Table& table;
  const exact::Position& position;
  exact::Engine& engine;
  std::int32_t move = 0;  // how many cells are open: names the randomness of this decision
};

struct Guess {
  std::int32_t cell = 0;
  double risk = 0;
  std::int32_t among = 1;                       // the cells it was chosen from
  std::optional<double> chance = std::nullopt;  // to win from here by best play, where it is known
};

// Chooses a cell where nothing is certain. Keeps memory only: a choice depends on the situation and the stream.
class Guesser {
 public:
  virtual ~Guesser() = default;
  // A new game. Randomness comes from the stream, or is named by one number drawn from it.
  virtual void begin(Stream stream) { begin_with(stream.next()); }
  virtual void begin_with(std::uint64_t) {}
  // Where to begin when the first cell is kept free of mines.
  virtual Guess first(const Table& table) = 0;
  virtual Guess choose(const Situation& situation) = 0;
  // The measured gain of this game's decisions over those of a default, for guessers that measure it.
  virtual double gain() const { return 0; }
};

// A move has two halves: what is certain and, where nothing is, the guess. The codes must stay as they are in between.
class Player {
 public:
  // `swept`: the positions it is shown were swept before (sweep.hpp), so that there is no need for a survey.
  Player(const Table& table, std::unique_ptr<Guesser> guesser, bool swept = false);

  void begin(Stream stream) { guesser_->begin(stream); }
  void begin_with(std::uint64_t key) { guesser_->begin_with(key); }
  double gain() const { return guesser_->gain(); }

  // Whether some hidden cell is certain to be safe at these codes; some cell must be hidden and safe.
  bool prove(const std::uint8_t* shown);
  // Where some are: those that were proved, in rising order; not all, where the cheapest proofs suffice.
  const std::vector<std::int32_t>& safe() const { return prover_.safe(); }
  // Where none is: the guess, and the hidden cells that are certain to be mines.
  Guess guess();
  std::int32_t count_mines() const { return first() ? 0 : prover_.count_mines(); }
  void certain_mines(std::vector<std::int32_t>& out) const;
  // Where none is: the stage of the game, from the end on.
  std::size_t stage() const;
  // What the engine has spent on this position, in its steps.
  std::int64_t spent() const { return prover_.engine().ws.spent(); }

 private:
  // A first click whose cell is kept free of mines: no position is like it, and where to begin is told by the table.
  bool first() const { return open_ == 0 && table_.mines > 0 && table_.first_click != FirstClick::any; }

  const Table& table_;
  std::unique_ptr<Guesser> guesser_;
  Prover prover_;
  std::int32_t open_ = 0;
};

// The luck of guesses is told by how many solutions there were: it is worth more the nearer the end.
inline constexpr std::size_t kStages = 16;

// What a game left, and how it went.
struct Played {
  GameEnd end;
  std::int32_t guesses = 0;
  std::int32_t flags = 0;  // mines that were certain when the last guess was made
  double gain = 0;         // see Guesser::gain
  double chance = 0;       // 1 or 0, or the chance to win by best play as soon as that was known
  // Until then, by stage: guesses that opened no mine minus their expected number. The mean of each is 0.
  std::array<double, kStages> luck{};
};

// Game `index` of `seed`, played out.
Played play(Game& game, Player& player, std::uint64_t seed, std::uint64_t agent_seed, std::uint64_t index);

}  // namespace mineproof::search

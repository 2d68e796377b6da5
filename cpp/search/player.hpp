// Who plays: opens what is certain, and asks a guesser where nothing is.
//
// A player sees codes (exact/position.hpp) and never a layout. What it does is a function of these codes and of a
// stream of its own, so that any referee who shows the same codes sees the same moves.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "game.hpp"
#include "rng.hpp"
#include "search/prover.hpp"

namespace mineproof::search {

// What a player knows before a game begins.
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
  // A first click whose cell is kept free of mines: no position is like it, and the table says where to begin.
  bool first() const { return open_ == 0 && table_.mines > 0 && table_.first_click != FirstClick::any; }

  const Table& table_;
  std::unique_ptr<Guesser> guesser_;
  Prover prover_;
  std::int32_t open_ = 0;
};

// Luck is summed by stage. The number of solutions decides the stage: a guess is worth more the nearer the end.
inline constexpr std::size_t kStages = 16;

// What a game left, and how it went.
struct PlayedGame {
  GameEnd end;
  std::int32_t guesses = 0;
  std::int32_t flags = 0;  // mines that were certain when the last guess was made
  double gain = 0;         // see Guesser::gain
  double chance = 0;       // 1 or 0, or the chance to win by best play as soon as that was known
  // Until then, by stage: guesses that opened no mine minus their expected number. The mean of each is 0.
  std::array<double, kStages> luck{};
};

// Game `index` of `seed`, played out.
PlayedGame play(Game& game, Player& player, std::uint64_t seed, std::uint64_t agent_seed, std::uint64_t index);

// The unknown cells whose `risk` (a function of the chance of a mine) is least and below `bound`; of these the cells
// with the fewest neighbours that `counts`. In rising order. Cells of a box share their risk, so boxes are compared.
template <class Risk, class Counts>
void least_risk(const Situation& s, Risk risk, double bound, Counts counts, std::vector<std::int32_t>& out) {
  const exact::Graph& g = s.table.graph;
  const exact::Boxes& boxes = s.engine.boxes;
  exact::Arena& arena = s.engine.ws.arena;
  const exact::Arena::Mark mark = arena.mark();
  const std::int32_t first = boxes.sea > 0 ? exact::kSeaBox : 0;
  double* own = arena.take<double>(static_cast<std::size_t>(boxes.boxes) + 1) + 1;
  double least = bound;
  for (std::int32_t b = first; b < boxes.boxes; ++b) least = std::min(least, own[b] = risk(s.engine.box_p[b]));
  // Before the first box: a fixed mine, a fixed safe cell, the sea.
  std::uint8_t* chosen = arena.zeroed<std::uint8_t>(static_cast<std::size_t>(boxes.boxes) + 3) + 3;
  for (std::int32_t b = first; b < boxes.boxes; ++b) chosen[b] = own[b] == least && own[b] < bound;
  std::int32_t fewest = 0;
  out.clear();
  for (std::int32_t i = 0; i < g.cells; ++i) {
    if (!chosen[boxes.box_of[i]]) continue;
    std::int32_t around = 0;
    for (std::int32_t e = g.offset[i]; e < g.offset[i + 1]; ++e) around += counts(g.target[e]);
    if (!out.empty() && around > fewest) continue;
    if (around < fewest) out.clear();
    fewest = around;
    out.push_back(i);
  }
  arena.release(mark);
}

// The policy `exact-risk`: the cell with the least chance of a mine; of equally risky cells one with the fewest hidden
// neighbours, drawn from the stream where several are left; the same draw as the Python policy makes.
class ExactGuesser final : public Guesser {
 public:
  void begin(Stream stream) override { stream_ = stream; }
  Guess first(const Table& table) override;
  Guess choose(const Situation& situation) override;

 private:
  Stream stream_{0, 0, Purpose::agent};
  std::vector<std::int32_t> equal_;
};

// --------------------------------------------------------------------------- players by name, and their games

// The options of a player; every one is a number.
using Options = std::map<std::string, double>;

// `exact`, `swift` or `champion`. Throws std::invalid_argument for another name, and for an option it does not have.
std::unique_ptr<Player> make_player(const Table& table, const std::string& name, const Options& options);

// Many games of one player.
struct GameSeries {
  std::uint64_t seed = 0;
  std::uint64_t agent_seed = 0;
  std::uint64_t first_index = 0;
  std::size_t games = 0;
  std::size_t threads = 1;
};

// Games first_index, first_index + 1, ... in `out`, the same for any number of threads. `poll` is called by the
// calling thread now and then; false stops the games, and the rest of `out` is left alone.
void play_many(const Table& table, const GameRules& rules, const std::string& name, const Options& options,
               const GameSeries& series, const std::function<bool()>& poll, std::vector<PlayedGame>& out);

}  // namespace mineproof::search

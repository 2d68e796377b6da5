// Many games side by side, a step of all of them in one call: what learners play on.
//
// What the player of each game may know lies in rows of plain memory that are written in place, one row a game. The
// mines are private: nothing here tells them, before or after the end of a game. The rows are for others to read; what
// others write there changes no game.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "game.hpp"
#include "threads.hpp"

namespace mineproof::batch {

// When a game that has ended begins anew: never by itself, in the next step, or in the step that ended it.
enum class Autoreset : std::uint8_t { disabled, next_step, same_step };

// What an action that is no legal move does: nothing, or it ends the game.
enum class IllegalAction : std::uint8_t { stay, end };

struct BatchRules {
  GameRules game;
  bool flags = false;  // with actions that set and take flags: cells + c, for cell c
  bool total_known = true;
  IllegalAction illegal = IllegalAction::stay;
  Autoreset autoreset = Autoreset::next_step;
  std::int32_t most_steps = 0;  // a game is cut off after so many
};

class Batch {
 public:
  // The neighbours must outlive the batch. It plays on at most so many threads: on as many as have enough to do.
  Batch(const Neighbours& neighbours, const BatchRules& rules, std::size_t games, std::size_t threads);

  std::size_t games() const noexcept { return states_.size(); }
  std::size_t cells() const noexcept { return cells_; }
  std::size_t threads() const noexcept { return team_.size(); }
  std::size_t actions() const noexcept { return rules_.flags ? 2 * cells_ : cells_; }

  // Names the game that comes next in a row of the batch.
  void seed(std::size_t game, std::uint64_t seed, std::uint64_t index);
  // Begins the next game wherever `chosen` says so; everywhere if it is empty.
  void reset(Mask chosen);
  // One action for each game; one that is not in 0..actions()-1 is no legal move.
  void step(std::span<const std::int64_t> actions);
  // A legal action for each game, each equally likely; 0 where there is none.
  void random_actions(std::span<std::int64_t> actions);
  void seed_actions(std::uint64_t seed);
  // The first game that has ended and waits for a reset, if any.
  std::optional<std::size_t> waiting() const noexcept;
  // The first game for which this is no legal action, if any; a game about to be reset takes any.
  std::optional<std::size_t> first_illegal(std::span<const std::int64_t> actions) const noexcept;

  // Rows, one a game.
  PaddedVector<std::uint8_t> shown;        // codes, cells() each
  PaddedVector<std::uint8_t> legal;        // actions() each
  PaddedVector<std::int32_t> mines_left;   // mines less flags and opened mines, where the total is known
  PaddedVector<std::uint8_t> final_shown;  // of the games that ended in this step, with autoreset in the same step
  PaddedVector<std::uint8_t> final_legal;  // none where the game was over, some where it was cut off
  PaddedVector<std::int32_t> final_mines_left;
  PaddedVector<std::int32_t> first;  // the cell for which the mines were dealt; -1 where no click dealt them
  PaddedVector<std::int32_t> final_first;
  PaddedVector<std::int32_t> opened;  // safe cells that the step opened
  PaddedVector<std::uint8_t> terminated, truncated, won, illegal, moved;

 private:
  struct alignas(kPadding) ThreadReferee {
    Referee referee;
  };

  // Does something for every game, on all threads: `work(referee, game)`.
  template <typename Work>
  void each(const Work& work);
  void play(Referee& referee, std::size_t game, std::int64_t action);
  void begin(Referee& referee, std::size_t game);
  void write(const Referee& referee, std::size_t game);
  bool is_legal(const Referee& referee, std::size_t game, std::int64_t action) const noexcept;
  std::int64_t random_action(std::size_t game);

  BatchRules rules_;
  std::size_t cells_;
  PaddedVector<std::uint8_t> mines_, codes_, ended_;
  PaddedVector<GameState> states_;
  PaddedVector<std::uint64_t> seeds_, indices_;
  PaddedVector<std::int32_t> steps_;
  PaddedVector<Stream> choices_;
  PaddedVector<ThreadReferee> referees_;  // one a thread
  ThreadTeam team_;
};

}  // namespace mineproof::batch

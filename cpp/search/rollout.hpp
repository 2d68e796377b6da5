// Rollouts: games played to the end on layouts drawn from what is known.
//
// Every layout that agrees with the clues is equally likely to be drawn, and every candidate is tried on the same
// layouts. A rollout ends where best play is known: its exact chance to win is a less noisy result than a win or a
// loss.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "exact/analysis.hpp"
#include "search/player.hpp"
#include "search/replies.hpp"
#include "search/sweep.hpp"
#include "search/swift.hpp"

namespace mineproof::search {

class Rollout {
 public:
  Rollout(const SwiftOptions& options, const Table& table);

  // Forgets what the policy did in an earlier game.
  void forget() { replies_.clear(); }
  // Layouts are drawn from this position from now on, by the words of a stream.
  void begin(const exact::Position& position, Stream stream);
  // Draws the next layout.
  void draw();
  // Takes a layout that was dealt elsewhere; a byte a cell.
  void lay(std::span<const std::uint8_t> layout) {
    layout_.assign(layout.begin(), layout.end());
    sweep_->lay(layout_);
  }
  bool is_mine(std::int32_t cell) const { return layout_[static_cast<std::size_t>(cell)] != 0; }
  // How a game ended, and its luck: successful guesses minus their expected number. The mean of the luck is 0 whatever
  // is played, so it is a control variate: the chance minus a multiple of it has the same mean and far less noise.
  struct End {
    double chance = 0;  // to win: 0, 1, or by best play where the game comes to the endgame
    double luck = 0;

    // The chance with the luck taken out, where games from there are won with about the chance `won`.
    double without_luck(double won) const { return chance - kAfterGuess * won * luck; }

   private:
    static constexpr double kAfterGuess = 1.15;  // by which factor a successful guess raises the chance to win
  };
  // Plays on it: `cell`, with this risk of a mine, is opened first, and the policy plays on.
  End play(std::int32_t cell, double risk);
  // What the rollouts cost since begin(), if nothing is remembered from before: positions at which the policy is worked
  // out, a hard one counted as several.
  std::int64_t work() const { return replies_.work(); }

 private:
  Reply work_out(const Key& key, const std::uint8_t* shown);

  Player player_;  // the policy
  std::unique_ptr<Sweep> sweep_;
  exact::Analysis analysis_;
  exact::Position position_;
  Stream stream_{0, 0, Purpose::sample};
  std::vector<std::uint8_t> layout_;
  Replies replies_;
};

}  // namespace mineproof::search

// Rollouts: games played to the end on layouts drawn from what is known, and the chances to win that they give.
//
// Every layout that agrees with the clues is equally likely to be drawn, and every candidate is tried on the same
// layouts (common random numbers). A rollout ends where best play is known: its exact chance to win is a less noisy
// result than a win or a loss.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "exact/analysis.hpp"
#include "rng.hpp"
#include "search/player.hpp"
#include "search/sweep.hpp"
#include "search/swift.hpp"
#include "search/transposition_table.hpp"

namespace mineproof::search {

// The chance to win by some games, drawn towards a half while they are few: the mean of `games` chances that sum up to
// `sum`, with a prior of kWeight games at one half. At least kLeast:
// chances without their luck may be negative.
inline double expected_chance(double sum, double games) {
  constexpr double kCoin = 0.5, kWeight = 16, kLeast = 0.01;
  return std::max((kCoin * kWeight + sum) / (kWeight + games), kLeast);
}

// What a policy does at a position.
struct Reply {
  std::uint32_t begin = 0, end = 0;  // cells to open, in ReplyCache
  double risk = 0;                   // of the cell, where it is a guess
  double chance = -1;                // of winning by best play, where it is known; nothing is opened then
};

// A memoised policy: what it does at the positions it has met. Rollouts from one position meet the same positions again
// and again. A policy is a function of what is shown, so the reply remembered is the reply that would be worked out.
class ReplyCache {
 public:
  // Forgets everything.
  void clear() {
    ++generation_;
    cells_.clear();
    used_ = 0;
  }
  // Counts work from 0 again. Makes room before, so that the count does not depend on what is remembered.
  void count() {
    if (used_ > kMost / 8) clear();
    ++count_;
    work_ = 0;
  }
  // What the positions met since then cost to work out, each counted once, whether they were known or not.
  std::int64_t work() const { return work_; }
  static Key key(std::span<const std::uint8_t> shown);

  // The reply at a position, or nullptr.
  const Reply* find(const Key& key) {
    if (slots_.empty()) return nullptr;
    Slot& slot = slots_[place(key)];
    if (slot.generation != generation_) return nullptr;
    if (slot.count != count_) work_ += slot.work;
    slot.count = count_;
    return &slot.reply;
  }
  std::span<const std::int32_t> cells(const Reply& reply) const {
    return std::span(cells_).subspan(reply.begin, reply.end - reply.begin);
  }
  // Remembers a reply; forgets all others where there is no more room.
  Reply remember(const Key& key, std::span<const std::int32_t> cells, double risk, double chance, std::int64_t work);

 private:
  struct Slot {
    Key key;
    Reply reply;
    std::uint32_t generation = 0;
    std::uint32_t count = 0;  // the last one in which it was met
    std::int64_t work = 0;    // what it cost
  };
  static constexpr std::size_t kFirst = 1 << 10;
  static constexpr std::size_t kMost = 1 << 18;

  std::size_t place(const Key& key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = key.low & mask;
    while (slots_[i].generation == generation_ && slots_[i].key != key) i = (i + 1) & mask;
    return i;
  }

  std::vector<Slot> slots_;
  std::vector<std::int32_t> cells_;
  std::size_t used_ = 0;
  std::uint32_t generation_ = 1;
  std::uint32_t count_ = 1;
  std::int64_t work_ = 0;
};

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
  ReplyCache replies_;
};

// ------------------------------------------------------ the chances to win of cells before the endgame

// The same layouts serve every cell. A cell that is a mine in a layout loses it; that chance is known exactly, so only
// layouts where the cell is safe are counted.

struct WinLimits {
  std::size_t samples = 400;
  double seconds = 0;                     // stops after so much time, but not before the first sample is done; 0: never
  bool (*stop)(void* context) = nullptr;  // asked after every game; true ends in exact::Interrupted
  void* context = nullptr;
};

// Chances to win on the layouts where a cell is safe. Each is 0, 1, or that of best play where a game reaches the
// endgame, minus the luck of its guesses: so one may be below 0 or above 1.
struct WinSum {
  std::int32_t cell = 0;
  std::int64_t played = 0;
  double sum = 0;
  double squares = 0;
};

// Where no cell is open yet the deal keeps its promise of the first cell, and each cell has layouts of its own that
// differ as little as possible. `position` has exact clues, no opened mine, and the total of `table`.
std::vector<WinSum> win_sums(const exact::Position& position, const Table& table, const SwiftOptions& options,
                             std::span<const std::int32_t> cells, std::uint64_t seed, const WinLimits& limits = {});

}  // namespace mineproof::search

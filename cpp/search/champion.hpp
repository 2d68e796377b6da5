// The policy `champion`: as swift, with rollouts where candidates are close.
#pragma once

#include "search/rollout.hpp"

namespace mineproof::search {

struct ChampionOptions {
  // Best play from more solutions on than swift's: it pays a little, and a champion may take its time.
  ChampionOptions() { swift.endgame = 2000; }

  SwiftOptions swift;
  std::int32_t rollouts = 2048;   // layouts tried at most in one decision; 0: none
  std::int64_t work = 5000;       // positions worked out at most in them: a decision takes no longer than that
  double slack = 0.06;            // candidates whose score comes this near are tried
  std::int32_t candidates = 4;    // at most
  double below = 80;              // only where the logarithm of the number of solutions is below this
  double sure = 0.7;              // a candidate must be better by this many standard errors
  std::int32_t fresh = 0;         // layouts to measure the gain of a changed decision on; 0: it is not measured
};

class Champion final : public Guesser {
 public:
  Champion(const ChampionOptions& options, const Table& table);
  void begin_with(std::uint64_t key) override;
  Guess first(const Table& table) override { return swift_.first(table); }
  Guess choose(const Situation& situation) override;
  double gain() const override { return gain_; }

 private:
  struct Rival {
    std::int32_t cell;
    double risk;
    double ahead = 0;    // sum of the differences to the default
    double squares = 0;  // of the differences
    bool alive = true;
  };
  std::int32_t race(const Situation& situation);

  ChampionOptions options_;
  Swift swift_;
  Rollout rollout_;
  Swift::Ranking ranking_;
  std::vector<Rival> rivals_;  // the first is the default: what swift would choose
  std::uint64_t key_ = 0;
  double gain_ = 0;
};

}  // namespace mineproof::search

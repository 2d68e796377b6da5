// The policy `champion`: swift, with rollouts where they may tell more than its score.
#pragma once

#include "search/contest.hpp"
#include "search/rollout.hpp"

namespace mineproof::search {

struct ChampionOptions {
  // Best play with more solutions left than swift's: it gains a little, and a champion may take its time.
  ChampionOptions() { swift.endgame = 2000; }

  SwiftOptions swift;
  ContestOptions contest;
  std::int32_t rollouts = 4096;  // layouts tried at most in one decision; 0: none
  std::int64_t work = 8000;      // positions worked out at most in them: bounds a decision
  double slack = 0.08;           // candidates whose score comes this near are tried
  std::int32_t candidates = 6;   // at most
  std::int32_t fresh = 0;        // layouts to measure the gain of a changed decision on; 0: it is not measured
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
  };
  void list_rivals();
  std::size_t race(const Situation& situation);
  double measure(const Situation& situation, const Rival& rival);
  double value(Rollout& rollout, const Rival& rival) const;

  ChampionOptions options_;
  Swift swift_;
  Rollout rollout_;  // by a plainer player
  Rollout fresh_;    // by swift itself: these measure
  Contest contest_;
  Swift::Ranking ranking_;
  std::vector<Rival> rivals_;  // the first is the default: what swift would choose
  std::vector<double> scores_, values_;
  std::uint64_t key_ = 0;
  double gain_ = 0;
};

}  // namespace mineproof::search

// The policy `champion`: swift, with rollouts where they may tell more than its score. A contest between the best cells
// decides how many rollouts are worth their price.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/rollout.hpp"

namespace mineproof::search {

// Which of several cells wins most? Scores give a first idea, rollouts correct it at the price of time.
//
// The advantage of a rival over the default has a normal prior around what the scores tell. Rollouts are noisy
// observations of it, and the posterior mean is what is expected. Trying goes on as long as the value of information of
// more rollouts is worth their price.
struct ContestOptions {
  double price = 1.5e-6;  // the value of information that one more position must have, in chances to win
  double spread = 0.07;   // standard deviation of the prior, as a share of the chance to win
  double trust =
      0.55;  // share of the difference between rollouts and scores that is believed, however many rollouts there are
};

class Contest {
 public:
  // Rivals by their scores; the first is the default, which plays as long as any other does.
  void begin(const ContestOptions& options, std::span<const double> scores);

  // What every rival that plays reached on one layout; values of others are not read.
  void add(std::span<const double> values);

  // Looks at all of it: who leads, who still plays. False where no rival is worth another rollout; `cost` is the number
  // of positions to be worked out for one more rollout of one rival.
  bool go_on(double cost);

  bool plays(std::size_t rival) const { return rivals_[rival].plays; }
  // As of the last go_on(): the rival that is expected to win most.
  std::size_t leader() const { return leader_; }
  // The chance to win by the default, as far as it is known.
  double chance() const { return expected_chance(wins_, layouts_); }
  std::int32_t layouts() const { return layouts_; }

 private:
  struct Rival {
    double score = 0;
    double ahead = 0;     // sum of the differences to the default
    double squares = 0;   // of the differences
    double noise = 0;     // variance of one difference
    double expected = 0;  // advantage over the default
    bool plays = true;
  };
  void expect();
  double promise(std::size_t rival, double more) const;

  ContestOptions options_;
  std::vector<Rival> rivals_;
  std::size_t leader_ = 0;
  std::int32_t layouts_ = 0;
  double wins_ = 0;   // of the default, summed
  double doubt_ = 0;  // variance of the prior
};

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

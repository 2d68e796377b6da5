// Which of several cells wins most? Scores give a first idea, rollouts correct it at the price of time.
//
// The advantage of a rival over the default has a normal prior around what the scores tell. Rollouts are noisy
// observations of it, and the posterior mean is what is expected. Trying goes on as long as the value of information of
// more rollouts is worth their price.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/hope.hpp"

namespace mineproof::search {

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

  // Looks at all of it: who leads, who still plays. False where nobody is worth trying any more; `cost` is the number
  // of positions to be worked out for one more rollout of one rival.
  bool go_on(double cost);

  bool plays(std::size_t rival) const { return rivals_[rival].plays; }
  // As of the last go_on(): the rival that is expected to win most.
  std::size_t leader() const { return leader_; }
  // The chance to win by the default, as far as it is known.
  double chance() const { return hope(wins_, layouts_); }
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

}  // namespace mineproof::search

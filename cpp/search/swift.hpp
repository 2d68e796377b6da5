// The policy `swift`: looks one clue ahead.
#pragma once

#include <optional>

#include "search/endgame.hpp"
#include "search/lookahead.hpp"
#include "search/player.hpp"

namespace mineproof::search {

struct SwiftOptions {
  double window = 0.9;        // candidates are at least this share as safe as the safest cell
  Blend blend;                // of the safest and the second safest living cell after each clue
  double influence = 0.4;     // worth of a guess that some layouts force anyway, see lookahead.hpp
  bool lookahead = true;      // false: the least risk decides, and nothing of the above
  std::size_t endgame = 400;  // best play where a region has at most this many solutions; 0: never
};

class Swift final : public Guesser {
 public:
  Swift(const SwiftOptions& options, const exact::Graph& graph) : options_(options), sealed_pairs_(graph) {}
  Guess first(const Table& table) override;
  Guess choose(const Situation& situation) override;

  struct Candidate {
    std::int32_t cell = 0;
    double risk = 0;
    double rounded = 0;  // the risk in units within which risks are equal
    double score = 0;
    bool dead = false;
    bool complete = true;  // false: its score is not known, but too low to matter
  };
  struct Ranking {
    Guess guess;
    bool settled = false;               // there is nothing to weigh: best play, a forced guess, or one candidate
    std::optional<double> chance;       // the chance to win from here by best play, where it is known
    std::vector<Candidate> candidates;  // where it is not settled
  };
  // The choice, and the scores of all candidates that come within `slack` of it.
  void rank(const Situation& situation, double slack, Ranking& out);

 private:
  bool stands_alone(const Situation& situation);
  void endgame(const Situation& situation, Ranking& out);
  Guess safest(const Situation& situation);
  bool list_candidates(const Situation& situation, std::vector<Candidate>& candidates);

  SwiftOptions options_;
  SolutionLister lister_;
  Endgame endgame_;
  std::vector<SolutionTable> tables_;
  Lookahead lookahead_;
  SealedPairs sealed_pairs_;
  Ranking ranking_;
  std::vector<std::uint64_t> kinds_;
  std::vector<std::uint8_t> safe_enough_;  // per box, after the sea: to be a candidate
  std::vector<std::int32_t> safest_;       // scratch of safest()
  std::vector<std::uint8_t> alone_;        // scratch of stands_alone(), per component
};

}  // namespace mineproof::search

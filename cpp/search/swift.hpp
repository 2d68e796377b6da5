// The policy `swift`: looks one clue ahead.
#pragma once

#include <optional>

#include "search/endgame.hpp"
#include "search/lookahead.hpp"
#include "search/player.hpp"
#include "search/sealed.hpp"

namespace mineproof::search {

struct SwiftOptions {
  double window = 0.9;     // candidates are at least this share as safe as the safest cell
  Blend blend;             // of the safest and the second safest living cell after each clue
  double influence = 0.4;  // worth of a guess that some layouts force anyway, see sealed.hpp
  std::size_t endgame = 400;          // best play where a region has at most this many solutions; 0: never
  std::int64_t endgame_work = 4'000'000;
};

class Swift final : public Guesser {
 public:
  Swift(const SwiftOptions& options, const exact::Graph& graph) : options_(options), sealed_(graph) {}
  Guess first(const Table& table) override;
  Guess choose(const Situation& situation) override;

  // A candidate with its score; the first is the choice.
  struct Candidate {
    std::int32_t cell = 0;
    double risk = 0;
    double score = 0;
    bool dead = false;
  };

 private:
  std::optional<Guess> endgame(const Situation& situation);

  SwiftOptions options_;
  Lister lister_;
  Endgame endgame_;
  std::vector<SolutionTable> tables_;
  Lookahead lookahead_;
  Sealed sealed_;
  std::vector<Candidate> candidates_;
  std::vector<std::uint64_t> kinds_;
};

}  // namespace mineproof::search

// The policy `swift`: looks one clue ahead.
#pragma once

#include <unordered_set>

#include "search/lookahead.hpp"
#include "search/player.hpp"

namespace mineproof::search {

struct SwiftOptions {
  double window = 0.9;     // candidates are at least this share as safe as the safest cell
  Blend blend;             // of the safest and the second safest living cell after each clue
  double influence = 0.4;  // worth of a guess that some layouts force anyway, see sealed.hpp
};

class Swift final : public Guesser {
 public:
  explicit Swift(const SwiftOptions& options) : options_(options) {}
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
  SwiftOptions options_;
  Lookahead lookahead_;
  std::vector<Candidate> candidates_;
  std::vector<std::uint64_t> kinds_;
};

}  // namespace mineproof::search

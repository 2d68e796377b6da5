// The policy `exact-risk`: the cell with the least chance of a mine.
#pragma once

#include "search/player.hpp"

namespace mineproof::search {

// Of equally risky cells one with the fewest hidden neighbours, drawn from the stream where several are left; the same
// draw as the Python policy makes.
class ExactGuesser final : public Guesser {
 public:
  void begin(Stream stream) override { stream_ = stream; }
  Guess first(const Table& table) override;
  Guess choose(const Situation& situation) override;

 private:
  Stream stream_{0, 0, Purpose::agent};
  std::vector<std::int32_t> equal_;
};

}  // namespace mineproof::search

// An analysis that follows a game: opening a cell re-solves only what it touches.
//
// A Session copies what is shown; the graph and the channel are borrowed. Answers equal those of a fresh Analysis.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis.hpp"

namespace mineproof::exact {

class Session {
 public:
  explicit Session(const Position& position, const Limits& limits = {});
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  // A hidden cell was opened and shows `code` (0..250, kNoClue, kOpenedMine). A few microseconds: consequences beyond
  // single-point reasoning are worked out when they are asked for. Throws Contradiction; the session is then dead.
  void open(std::int32_t cell, std::uint8_t code);

  // Cells that became certain since the last call and are still hidden. Single-point consequences come first and at
  // once; only when there are none are the touched components solved. Empty: nothing (more) is certain.
  void newly_certain(std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mines);

  void probabilities(double* out);
  double probability(std::int32_t cell);
  Certain certain(std::int32_t cell);
  std::uint8_t shown(std::int32_t cell) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mineproof::exact

// What is certain in a position: the first half of every move.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "exact/engine.hpp"
#include "search/sweep.hpp"

namespace mineproof::search {

// The cells that single clues settle are found first, as long as there are any, and then those that two clues settle
// together: they cost least. The same cells are open when a guess is due as if all that is certain were opened at once.
class Prover {
 public:
  // A board and what is known of its mines; the graph must outlive it. Without a survey where the positions that it is
  // shown were swept before.
  Prover(const exact::Graph& graph, const exact::Prior& prior, std::unique_ptr<Survey> survey = nullptr);

  // Whether some hidden cell is certain to be safe at these codes. Where none is, the position is weighed: a guess
  // needs chances. The codes must stay as they are as long as the engine is read.
  bool prove(const std::uint8_t* shown);
  // The same for those who never guess: where none is safe, nothing is weighed.
  bool find(const std::uint8_t* shown);
  // The cells that were proved, in rising order.
  const std::vector<std::int32_t>& safe() const { return safe_; }

  // Where nothing was proved: the hidden cells that are certain to be mines, and their number.
  std::int32_t count_mines() const;
  void certain_mines(std::vector<std::int32_t>& out) const;

  const exact::Position& position() const { return position_; }
  exact::Engine& engine() { return engine_; }
  const exact::Engine& engine() const { return engine_; }

 private:
  bool some_certain(exact::Certain which) const;
  exact::Certain certain(std::int32_t cell) const;
  void list_settled();
  void list_safe();
  bool find(const std::uint8_t* shown, bool& weighed);

  exact::Position position_;
  exact::Engine engine_;
  std::unique_ptr<Survey> survey_;
  std::vector<std::int32_t> safe_, listed_;  // the latter scratch of list_safe()
};

// How many of the cells are not hidden.
std::int32_t count_open(const std::uint8_t* shown, std::int32_t cells);

}  // namespace mineproof::search

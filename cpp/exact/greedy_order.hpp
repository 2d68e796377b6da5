// Greedy elimination orders that close one clue after the other. Internal.
//
// A clue is open from its first eliminated box to its last; the open clues are the frontier, and the width of a layer
// depends on them. So an order of boxes is made from an order of clues: closing a clue eliminates its remaining boxes
// and opens the clues that share them. The next clue to close is the open one that opens the fewest others, a
// minimum-degree rule for path decompositions.
#pragma once

#include "clue_graph.hpp"
#include "order.hpp"
#include "wide.hpp"

namespace mineproof::exact {

// How a further try differs from the plain one.
struct Style {
  std::uint64_t noise = 0;  // seed of what is added to the costs,
  double amplitude = 0;     // up to this
  double sweep = 0;         // cost of each step of distance from the start: the frontier moves away from it
};

class GreedyOrder {
 public:
  GreedyOrder(const Component& component, Arena& arena);

  // Where to start: with a clue that has the fewest neighbours or, where there is a probe, as far from that as
  // possible. A probe stays open to the end and makes all layers from there on wider.
  std::int32_t start() const;

  // The plain order that starts by closing `start`.
  void run(std::int32_t start, Order& order);

  // What only tries with a style need; once, before them.
  void prepare_styles(Arena& arena);
  // Numbers the clues by their distance from `start`; gives one that is farthest.
  std::int32_t measure(std::int32_t start);
  // An order that starts by closing `start`, from which distances were measured last. Clues are weighed by their range.
  void run(std::int32_t start, const Style& style, Order& order);

 private:
  using BoxSet = Wide;
  static constexpr std::int32_t kMostInSet = 128;

  template <class Cost>
  void close_all(std::int32_t start, Cost cost, Order& order);
  void begin();
  void measure_from_probe(Arena& arena);
  std::int32_t farthest_left() const;
  std::int32_t neighbours(std::int32_t clue) const;  // clues that share a box with this one
  std::int32_t fresh(std::int32_t clue) const;
  std::int32_t fresh_of_box(std::int32_t box) const;
  double weighed_cost(std::int32_t clue) const;
  bool closes_with(std::int32_t other, std::int32_t clue) const;
  void open_clue(std::int32_t clue, Order& order);
  void close(std::int32_t clue, Order& order);

  const Component& c_;
  ClueGraph graph_;  // where clues are few it is made only for tries with a style

  // Sets of clues as words, where clues are few.
  struct Words {
    std::uint64_t* near = nullptr;  // per clue: the clues that share a box with it, itself too
    std::uint64_t* at = nullptr;    // per box: its clues
    std::uint64_t unopened = 0;
  };
  const bool few_;
  Words words_;

  std::int32_t* from_probe_ =
      nullptr;  // per clue, where there is a probe: its distance; c_.clues where there is no way

  // What only tries with a style use.
  struct Weights {
    double* weight = nullptr;          // per clue: log2 of its range, scaled
    std::int32_t* distance = nullptr;  // per clue, from the start
    BoxSet* boxes = nullptr;           // per clue, where sets can hold them,
    BoxSet* left = nullptr;            // and those not yet eliminated
  };
  Weights weights_;

  // How far the order has come.
  std::int32_t* fresh_;   // per clue, unless they are few: unopened clues that closing it would open
  std::int32_t* left_;    // per clue: boxes not yet eliminated
  std::uint8_t* opened_;  // per clue
  std::uint8_t* taken_;   // per box
  std::int32_t* open_;    // the frontier
  std::int32_t opens_ = 0;
  std::int32_t step_ = 0;
};

}  // namespace mineproof::exact

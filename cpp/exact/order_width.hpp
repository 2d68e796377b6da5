// What an elimination order is expected to cost, by the width of its layers. Internal.
#pragma once

#include "order.hpp"

namespace mineproof::exact {

// Estimates of orders of one component. They lie above the truth, and may be twofold off in either direction between
// orders.
class OrderWidth {
 public:
  OrderWidth(const Component& component, Arena& arena);

  // Whether some clue has weights.
  bool weighs() const { return weighs_; }
  // log2 of the sum over layers of their states; with weights, of states times mines.
  double estimate(const Order& order) { return estimate(order, c_.boxes); }
  // The same of the layers after the first so many steps.
  double estimate(const Order& order, std::int32_t steps);

 private:
  double by_ranges(const Order& order, std::int32_t steps);
  double by_ranges_and_boxes(const Order& order, std::int32_t steps);
  double range_after(const Order& order, std::int32_t clue, std::int32_t step, std::int32_t size);

  const Component& c_;
  bool weighs_ = false;
  std::int32_t* cells_;  // per clue: all its cells,
  std::int32_t* seen_;   // and those of its eliminated boxes
  double* range_;        // per clue: log2 of the counts it can have while it is open
  std::int32_t* open_;   // per box: its open clues
};

}  // namespace mineproof::exact

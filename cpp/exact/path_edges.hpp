// The living edges of a layer. Internal.
#pragma once

#include "path.hpp"
#include "vector.hpp"

namespace mineproof::exact {

// An edge from state `state` with `mines` mines in the box: the coefficients of its window go from `from` on in this
// layer to `to` on in the next.
struct Edge {
  std::uint32_t state;
  std::int32_t mines;
  std::size_t index;  // into Layer::next and Layer::factor
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t window;
};

// Visits the edges of the states first..last-1 in their order.
template <class Visit>
MINEPROOF_INLINE void each_edge(const Layer& now, const Layer& then, std::uint32_t first, std::uint32_t last,
                                Visit&& visit) {
  std::size_t e = static_cast<std::size_t>(first) * static_cast<std::size_t>(now.lists);
  for (std::uint32_t i = first; i < last; ++i) {
    const std::uint32_t from = now.offset[i];
    const std::uint32_t window = now.window(i);
    for (std::int32_t k = 0; k < now.lists; ++k, ++e) {
      const std::uint32_t j = now.next[e];
      if (j == kDead) continue;
      visit(Edge{i, k, e, from, then.offset[j] + static_cast<std::uint32_t>(now.low[i] + k - then.low[j]), window});
    }
  }
}
template <class Visit>
MINEPROOF_INLINE void each_edge(const Layer& now, const Layer& then, Visit&& visit) {
  each_edge(now, then, 0, now.states, visit);
}

}  // namespace mineproof::exact

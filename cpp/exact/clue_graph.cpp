#include "clue_graph.hpp"

namespace mineproof::exact {

ClueGraph clue_graph(const Component& c, Arena& arena) {
  const std::size_t n = static_cast<std::size_t>(c.clues);
  std::size_t most = 0;
  for (std::int32_t b = 0; b < c.boxes; ++b) {
    const std::size_t d = static_cast<std::size_t>(c.box_offset[b + 1] - c.box_offset[b]);
    most += d * (d - 1);
  }
  ClueGraph g{arena.take<std::int32_t>(n + 1), arena.take<std::int32_t>(most)};
  std::int32_t* last_met = arena.take<std::int32_t>(n);  // per clue: the clue it was last listed for
  std::fill_n(last_met, n, -1);
  std::int32_t at = 0;
  for (std::int32_t q = 0; q < c.clues; ++q) {
    g.offset[q] = at;
    last_met[q] = q;
    for (std::int32_t e = c.clue_offset[q]; e < c.clue_offset[q + 1]; ++e) {
      const std::int32_t b = c.clue_box[e];
      for (std::int32_t f = c.box_offset[b]; f < c.box_offset[b + 1]; ++f) {
        const std::int32_t other = c.box_clue[f];
        if (last_met[other] == q) continue;
        last_met[other] = q;
        g.target[at++] = other;
      }
    }
  }
  g.offset[n] = at;
  return g;
}

}  // namespace mineproof::exact

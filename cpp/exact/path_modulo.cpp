// Running a path program modulo a prime, for exact counts.
#include <algorithm>

#include "binomial.hpp"
#include "path_edges.hpp"

namespace mineproof::exact {

void forward_modulo(const PathProgram& p, std::uint32_t state, std::uint64_t prime, Workspace& ws, std::uint64_t* out) {
  const Arena::Mark mark = ws.arena.mark();
  const std::size_t most = p.most_entries();
  std::uint64_t* now_c = ws.arena.take<std::uint64_t>(most);
  std::uint64_t* then_c = ws.arena.take<std::uint64_t>(most);
  now_c[0] = 1;
  Residue* weight = ws.arena.take<Residue>(p.most_lists());
  for (std::int32_t t = 0; t < p.steps; ++t) {
    const Layer& now = p.layer[t];
    const Layer& then = p.layer[t + 1];
    binomials_modulo(p.size[p.box[t]], now.lists, prime, weight);
    std::fill_n(then_c, then.entries(), std::uint64_t{0});
    each_edge(now, then, [&](const Edge& e) {
      const std::uint64_t* a = now_c + e.from;
      std::uint64_t* b = then_c + e.to;
      const Residue w = weight[e.mines];
      const auto add = [&](std::uint64_t& sum, std::uint64_t x) {
        x += sum;
        sum = x >= prime ? x - prime : x;
      };
      if (w.value == 1) {
        for (std::uint32_t m = 0; m < e.window; ++m) add(b[m], a[m]);
      } else {
        for (std::uint32_t m = 0; m < e.window; ++m) add(b[m], w.times(a[m], prime));
      }
    });
    ws.spend(static_cast<std::int64_t>(then.entries()) * 3 + now.states * now.lists);
    std::swap(now_c, then_c);
  }
  const Layer& last = p.last();
  std::copy_n(now_c + last.offset[state], last.window(state), out);
  ws.arena.release(mark);
}

}  // namespace mineproof::exact

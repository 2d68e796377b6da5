// Running a path program in truth values: which mine counts are possible, and what follows for each box.
#include <algorithm>

#include "path_edges.hpp"

namespace mineproof::exact {

namespace {

// Which coefficients of the next layer are reached from those of this one; `to` is all 0 before.
void reach(const Layer& now, const Layer& then, const std::uint8_t* from, std::uint8_t* to, Workspace& ws) {
  each_edge(now, then, [&](const Edge& e) {
    for (std::uint32_t m = 0; m < e.window; ++m) to[e.to + m] |= from[e.from + m];
  });
  ws.spend(then.entries() / 4 + now.states * now.lists);
}

// From which coefficients of this layer some of the next are reached, and what is possible in its box where these can
// be completed.
void reach_back(const Layer& now, const Layer& then, std::int32_t size, const std::uint8_t* reached,
                const std::uint8_t* then_c, std::uint8_t* now_c, BoxOdds& odds) {
  odds.can_be_mine = odds.can_be_safe = false;
  std::fill_n(now_c, now.entries(), std::uint8_t{0});
  each_edge(now, then, [&](const Edge& e) {
    std::uint8_t any = 0;
    for (std::uint32_t m = 0; m < e.window; ++m) {
      now_c[e.from + m] |= then_c[e.to + m];
      any |= reached[e.from + m] & then_c[e.to + m];
    }
    if (any && e.mines > 0) odds.can_be_mine = true;
    if (any && e.mines < size) odds.can_be_safe = true;
  });
}

}  // namespace

void forward_support(const PathProgram& p, std::uint32_t state, Workspace& ws, std::uint64_t* bits) {
  const Arena::Mark mark = ws.arena.mark();
  const std::size_t most = p.most_entries();
  std::uint8_t* now_c = ws.arena.take<std::uint8_t>(most);
  std::uint8_t* then_c = ws.arena.take<std::uint8_t>(most);
  now_c[0] = 1;
  for (std::int32_t t = 0; t < p.steps; ++t) {
    const Layer& then = p.layer[t + 1];
    std::fill_n(then_c, then.entries(), std::uint8_t{0});
    reach(p.layer[t], then, now_c, then_c, ws);
    std::swap(now_c, then_c);
  }
  const Layer& last = p.last();
  const std::uint32_t n = last.window(state);
  std::fill_n(bits, (n + 63) / 64, std::uint64_t{0});
  for (std::uint32_t m = 0; m < n; ++m) {
    if (now_c[last.offset[state] + m]) bits[m >> 6] |= std::uint64_t{1} << (m & 63);
  }
  ws.arena.release(mark);
}

void backward_support(const PathProgram& p, const std::uint8_t* outside, Workspace& ws, BoxOdds* odds) {
  const Arena::Mark mark = ws.arena.mark();
  // Truth values are small: all forward layers are kept.
  std::uint8_t** reached = ws.arena.take<std::uint8_t*>(static_cast<std::size_t>(p.steps) + 1);
  for (std::int32_t t = 0; t <= p.steps; ++t) reached[t] = ws.arena.zeroed<std::uint8_t>(p.layer[t].entries());
  reached[0][0] = 1;
  for (std::int32_t t = 0; t < p.steps; ++t) reach(p.layer[t], p.layer[t + 1], reached[t], reached[t + 1], ws);
  const std::size_t most = p.most_entries();
  std::uint8_t* now_c = ws.arena.take<std::uint8_t>(most);
  std::uint8_t* then_c = ws.arena.take<std::uint8_t>(most);
  for (std::uint32_t m = 0; m < p.last().entries(); ++m) then_c[m] = outside[m] ? 1 : 0;
  for (std::int32_t t = p.steps - 1; t >= 0; --t) {
    const Layer& now = p.layer[t];
    const std::int32_t box = p.box[t];
    reach_back(now, p.layer[t + 1], p.size[box], reached[t], then_c, now_c, odds[box]);
    ws.spend(now.entries() / 4 + now.states * now.lists);
    std::swap(now_c, then_c);
  }
  ws.arena.release(mark);
}

}  // namespace mineproof::exact

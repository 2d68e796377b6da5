// Which states of a path program lead to an end.
#include "path.hpp"

namespace mineproof::exact {

void trim(PathProgram& p, Workspace& ws) {
  const Arena::Mark mark = ws.arena.mark();
  std::uint32_t** renamed = ws.arena.take<std::uint32_t*>(static_cast<std::size_t>(p.steps) + 1);
  const std::uint32_t finals = p.layer[p.steps].states;
  renamed[p.steps] = ws.arena.take<std::uint32_t>(finals);
  for (std::uint32_t i = 0; i < finals; ++i) renamed[p.steps][i] = i;
  p.states = finals;
  p.entries = p.layer[p.steps].offset[finals];
  p.widest = finals;
  for (std::int32_t t = p.steps - 1; t >= 0; --t) {
    Layer& l = p.layer[t];
    const std::size_t lists = static_cast<std::size_t>(l.lists);
    const std::uint32_t* target = renamed[t + 1];
    std::uint32_t* name = renamed[t] = ws.arena.take<std::uint32_t>(l.states);
    std::uint32_t kept = 0;
    std::uint32_t offset = 0;
    for (std::uint32_t i = 0; i < l.states; ++i) {
      const std::uint32_t* from = l.next + i * lists;
      std::uint32_t* to = l.next + kept * lists;  // never ahead of `from`
      bool alive = false;
      const std::uint32_t window = l.offset[i + 1] - l.offset[i];
      for (std::size_t k = 0; k < lists; ++k) {
        const std::uint32_t next = from[k] == kDead ? kDead : target[from[k]];
        to[k] = next;
        if (l.factor) l.factor[kept * lists + k] = l.factor[i * lists + k];
        alive = alive || next != kDead;
      }
      name[i] = alive ? kept : kDead;
      if (!alive) continue;
      l.low[kept] = l.low[i];
      l.offset[kept] = offset;
      offset += window;
      ++kept;
    }
    ws.spend(static_cast<std::int64_t>(l.states) * l.lists);
    l.offset[kept] = offset;
    l.states = kept;
    p.states += kept;
    p.entries += offset;
    p.widest = std::max(p.widest, kept);
  }
  ws.arena.release(mark);
}

void possible_by_clues(const PathProgram& p, Workspace& ws, BoxOdds* odds) {
  const Arena::Mark mark = ws.arena.mark();
  std::size_t most = 1;
  for (std::int32_t t = 0; t <= p.steps; ++t) most = std::max<std::size_t>(most, p.layer[t].states);
  std::uint8_t* now = ws.arena.take<std::uint8_t>(most);
  std::uint8_t* then = ws.arena.take<std::uint8_t>(most);
  std::fill_n(then, p.layer[p.steps].states, std::uint8_t{1});
  for (std::int32_t t = p.steps - 1; t >= 0; --t) {
    const Layer& l = p.layer[t];
    const std::int32_t size = p.size[p.box[t]];
    std::uint8_t mine = 0;
    std::uint8_t safe = 0;
    const std::uint32_t* next = l.next;
    for (std::uint32_t i = 0; i < l.states; ++i) {
      std::uint8_t alive = 0;
      for (std::int32_t k = 0; k < l.lists; ++k, ++next) {
        const std::uint8_t can = *next == kDead ? 0 : then[*next];
        alive |= can;
        mine |= k > 0 ? can : 0;
        safe |= k < size ? can : 0;
      }
      now[i] = alive;
    }
    ws.spend(static_cast<std::int64_t>(l.states) * l.lists);
    BoxOdds& o = odds[p.box[t]];
    o.can_be_mine = mine;
    o.can_be_safe = safe;
    std::swap(now, then);
  }
  ws.arena.release(mark);
}

}  // namespace mineproof::exact

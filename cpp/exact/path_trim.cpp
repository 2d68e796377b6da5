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

}  // namespace mineproof::exact

#include "boxes.hpp"

namespace mineproof::exact {

Boxes make_boxes(const Graph& g, const Mark* mark, std::int64_t unknown, const Clue* clue, std::int32_t clues, Workspace& ws) {
  const std::size_t n = static_cast<std::size_t>(g.cells);
  std::int32_t* box_of = ws.arena.take<std::int32_t>(n);
  const std::uint8_t* __restrict code = reinterpret_cast<const std::uint8_t*>(mark);
  std::int32_t* __restrict to = box_of;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t m = code[i];  // unknown 0, safe 1, mine 2, open 3, burst 4
    to[i] = kSeaBox - (m != 0 ? 1 : 0) - ((m & 1) == 0 && m != 0 ? 1 : 0);
  }
  return split_boxes(g, mark, unknown, clue, clues, box_of, ws);
}

Boxes split_boxes(const Graph& g, const Mark* mark, std::int64_t unknown, const Clue* clue, std::int32_t clues, std::int32_t* box_of,
                  Workspace& ws) {
  Arena& arena = ws.arena;
  Boxes out;
  out.box_of = box_of;
  // The clues' cells, once: the graph is not looked at again.
  std::int32_t* offset = arena.take<std::int32_t>(static_cast<std::size_t>(clues) + 1);
  std::size_t pairs = 0;
  for (std::int32_t q = 0; q < clues; ++q) pairs += static_cast<std::size_t>(g.degree(clue[q].cell));
  std::int32_t* cell = arena.take<std::int32_t>(pairs);
  offset[0] = 0;
  std::int32_t at = 0;
  for (std::int32_t q = 0; q < clues; ++q) {
    const std::int32_t c = clue[q].cell;
    for (std::int32_t e = g.offset[c]; e < g.offset[c + 1]; ++e) {
      const std::int32_t x = g.target[e];
      cell[at] = x;
      at += mark[x] == Mark::unknown;
    }
    offset[q + 1] = at;
  }
  // Partition refinement: each clue splits the boxes that it covers in part.
  const std::size_t most = static_cast<std::size_t>(std::min<std::int64_t>(at, unknown)) + 1;
  std::int32_t* size = arena.take<std::int32_t>(most);
  std::int32_t* hits = arena.zeroed<std::int32_t>(most);
  std::int32_t* moved = arena.take<std::int32_t>(most);
  std::int32_t* touched = arena.take<std::int32_t>(most);
  std::int32_t boxes = 0;
  for (std::int32_t q = 0; q < clues; ++q) {
    std::int32_t fresh = kSeaBox;
    std::int32_t touches = 0;
    for (std::int32_t e = offset[q]; e < offset[q + 1]; ++e) {
      const std::int32_t b = out.box_of[cell[e]];
      if (b >= 0 && !hits[b]++) touched[touches++] = b;
    }
    for (std::int32_t i = 0; i < touches; ++i) {
      const std::int32_t b = touched[i];
      if (hits[b] == size[b]) {
        moved[b] = b;
      } else {
        size[boxes] = hits[b];
        size[b] -= hits[b];
        moved[b] = boxes++;
      }
    }
    for (std::int32_t e = offset[q]; e < offset[q + 1]; ++e) {
      std::int32_t& b = out.box_of[cell[e]];
      if (b >= 0) {
        b = moved[b];
      } else {
        if (fresh == kSeaBox) {
          fresh = boxes++;
          size[fresh] = 0;
        }
        b = fresh;
        ++size[fresh];
      }
    }
    for (std::int32_t i = 0; i < touches; ++i) hits[touched[i]] = 0;
    if ((q & 255) == 255) ws.spend(8000);
  }
  out.boxes = boxes;
  // Distinct boxes of every clue, in place of its cells; then clues of every box.
  std::int32_t* degree = arena.zeroed<std::int32_t>(static_cast<std::size_t>(boxes) + 1);
  std::int32_t* stamp = arena.take<std::int32_t>(static_cast<std::size_t>(boxes));
  for (std::int32_t b = 0; b < boxes; ++b) stamp[b] = -1;
  std::int32_t write = 0;
  std::int32_t begin = 0;
  out.sea = unknown;
  for (std::int32_t b = 0; b < boxes; ++b) out.sea -= size[b];
  for (std::int32_t q = 0; q < clues; ++q) {
    const std::int32_t end = offset[q + 1];
    for (std::int32_t e = begin; e < end; ++e) {
      const std::int32_t b = out.box_of[cell[e]];
      if (stamp[b] == q) continue;
      stamp[b] = q;
      cell[write++] = b;
      ++degree[b];
    }
    begin = end;
    offset[q + 1] = write;
  }
  std::int32_t* box_offset = arena.take<std::int32_t>(static_cast<std::size_t>(boxes) + 1);
  box_offset[0] = 0;
  for (std::int32_t b = 0; b < boxes; ++b) {
    box_offset[b + 1] = box_offset[b] + degree[b];
    degree[b] = box_offset[b];
  }
  std::int32_t* box_clue = arena.take<std::int32_t>(static_cast<std::size_t>(write));
  for (std::int32_t q = 0; q < clues; ++q) {
    for (std::int32_t e = offset[q]; e < offset[q + 1]; ++e) box_clue[degree[cell[e]]++] = q;
  }
  // Components by breadth-first search; local ids in the order of discovery, so that neighbours are near in memory.
  out.component_of = arena.take<std::int32_t>(static_cast<std::size_t>(boxes));
  out.local = arena.take<std::int32_t>(static_cast<std::size_t>(boxes));
  for (std::int32_t b = 0; b < boxes; ++b) out.component_of[b] = -1;
  std::int32_t* clue_local = arena.take<std::int32_t>(static_cast<std::size_t>(clues));
  for (std::int32_t q = 0; q < clues; ++q) clue_local[q] = -1;
  std::int32_t* found = arena.take<std::int32_t>(static_cast<std::size_t>(boxes));
  std::int32_t* met = arena.take<std::int32_t>(static_cast<std::size_t>(clues));
  out.component = arena.take<Component>(static_cast<std::size_t>(clues));
  for (std::int32_t start = 0; start < clues; ++start) {
    if (clue_local[start] >= 0) continue;
    std::int32_t nb = 0;
    std::int32_t nc = 0;
    std::int32_t edges = 0;
    met[nc] = start;
    clue_local[start] = nc++;
    for (std::int32_t i = 0; i < nc; ++i) {
      const std::int32_t q = met[i];
      edges += offset[q + 1] - offset[q];
      for (std::int32_t e = offset[q]; e < offset[q + 1]; ++e) {
        const std::int32_t b = cell[e];
        if (out.component_of[b] >= 0) continue;
        out.component_of[b] = out.components;
        out.local[b] = nb;
        found[nb++] = b;
        for (std::int32_t f = box_offset[b]; f < box_offset[b + 1]; ++f) {
          const std::int32_t other = box_clue[f];
          if (clue_local[other] >= 0) continue;
          met[nc] = other;
          clue_local[other] = nc++;
        }
      }
    }
    Component& c = out.component[out.components++];
    c = Component{};
    c.boxes = nb;
    c.clues = nc;
    std::int32_t* c_size = arena.take<std::int32_t>(static_cast<std::size_t>(2 * nb + nc + 2 + 2 * edges));
    std::int32_t* c_box_offset = c_size + nb;
    std::int32_t* c_clue_offset = c_box_offset + nb + 1;
    std::int32_t* c_box_clue = c_clue_offset + nc + 1;
    std::int32_t* c_clue_box = c_box_clue + edges;
    Clue* c_clue = arena.take<Clue>(static_cast<std::size_t>(nc));
    std::int32_t w = 0;
    for (std::int32_t i = 0; i < nb; ++i) {
      const std::int32_t b = found[i];
      c_size[i] = size[b];
      c_box_offset[i] = w;
      for (std::int32_t e = box_offset[b]; e < box_offset[b + 1]; ++e) c_box_clue[w++] = clue_local[box_clue[e]];
    }
    c_box_offset[nb] = w;
    w = 0;
    for (std::int32_t i = 0; i < nc; ++i) {
      const std::int32_t q = met[i];
      c_clue[i] = clue[q];
      c_clue_offset[i] = w;
      for (std::int32_t e = offset[q]; e < offset[q + 1]; ++e) c_clue_box[w++] = out.local[cell[e]];
    }
    c_clue_offset[nc] = w;
    c.size = c_size;
    c.box_offset = c_box_offset;
    c.clue_offset = c_clue_offset;
    c.box_clue = c_box_clue;
    c.clue_box = c_clue_box;
    c.clue = c_clue;
  }
  ws.spend(boxes * 8);
  return out;
}

}  // namespace mineproof::exact

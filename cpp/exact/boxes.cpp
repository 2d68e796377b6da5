#include "boxes.hpp"

#include <algorithm>

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
  std::int32_t* owner = arena.take<std::int32_t>(pairs);  // the clue of each
  offset[0] = 0;
  std::int32_t at = 0;
  for (std::int32_t q = 0; q < clues; ++q) {
    const std::int32_t c = clue[q].cell;
    for (std::int32_t e = g.offset[c]; e < g.offset[c + 1]; ++e) {
      const std::int32_t x = g.target[e];
      cell[at] = x;
      owner[at] = q;
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
  // Distinct boxes of every clue, in place of its cells; then clues of every box. One loop over all pairs: clues have few cells,
  // and so many short loops are hard to foresee for the processor.
  std::int32_t* degree = arena.zeroed<std::int32_t>(static_cast<std::size_t>(boxes) + 1);
  std::int32_t* stamp = arena.take<std::int32_t>(static_cast<std::size_t>(boxes));
  for (std::int32_t b = 0; b < boxes; ++b) stamp[b] = -1;
  out.sea = unknown;
  for (std::int32_t b = 0; b < boxes; ++b) out.sea -= size[b];
  std::int32_t write = 0;
  std::fill_n(offset, clues + 1, 0);
  for (std::int32_t e = 0; e < at; ++e) {
    const std::int32_t q = owner[e];
    const std::int32_t b = out.box_of[cell[e]];
    const std::int32_t fresh = stamp[b] != q ? 1 : 0;
    stamp[b] = q;
    cell[write] = b;
    owner[write] = q;
    write += fresh;
    degree[b] += fresh;
    offset[q + 1] += fresh;
  }
  for (std::int32_t q = 0; q < clues; ++q) offset[q + 1] += offset[q];
  std::int32_t* box_offset = arena.take<std::int32_t>(static_cast<std::size_t>(boxes) + 1);
  box_offset[0] = 0;
  for (std::int32_t b = 0; b < boxes; ++b) {
    box_offset[b + 1] = box_offset[b] + degree[b];
    degree[b] = box_offset[b];
  }
  std::int32_t* box_clue = arena.take<std::int32_t>(static_cast<std::size_t>(write));
  for (std::int32_t e = 0; e < write; ++e) box_clue[degree[cell[e]]++] = owner[e];
  // Components by breadth-first search; local ids in the order of discovery, so that neighbours are near in memory. When a clue
  // is looked at its boxes get theirs, when a box is found its clues do: the components' own lists are written on the way, one
  // component behind the other.
  const std::size_t n_boxes = static_cast<std::size_t>(boxes);
  const std::size_t n_clues = static_cast<std::size_t>(clues);
  const std::size_t n_pairs = static_cast<std::size_t>(write);
  out.component_of = arena.take<std::int32_t>(n_boxes);
  out.local = arena.take<std::int32_t>(n_boxes);
  for (std::int32_t b = 0; b < boxes; ++b) out.component_of[b] = -1;
  std::int32_t* clue_local = arena.take<std::int32_t>(n_clues);
  for (std::int32_t q = 0; q < clues; ++q) clue_local[q] = -1;
  std::int32_t* met = arena.take<std::int32_t>(n_clues + 1);
  out.component = arena.take<Component>(n_clues);
  std::int32_t* c_size = arena.take<std::int32_t>(n_boxes);
  std::int32_t* c_box_offset = arena.take<std::int32_t>(n_boxes + n_clues);
  std::int32_t* c_clue_offset = arena.take<std::int32_t>(2 * n_clues);
  std::int32_t* c_box_clue = arena.take<std::int32_t>(n_pairs);
  std::int32_t* c_clue_box = arena.take<std::int32_t>(n_pairs);
  Clue* c_clue = arena.take<Clue>(n_clues);
  for (std::int32_t start = 0; start < clues; ++start) {
    if (clue_local[start] >= 0) continue;
    std::int32_t nb = 0;
    std::int32_t nc = 0;
    std::int32_t edges = 0;   // of the boxes
    std::int32_t ends = 0;    // of the clues
    met[nc] = start;
    clue_local[start] = nc++;
    for (std::int32_t i = 0; i < nc; ++i) {
      const std::int32_t q = met[i];
      c_clue[i] = clue[q];
      c_clue_offset[i] = ends;
      for (std::int32_t e = offset[q]; e < offset[q + 1]; ++e) {
        const std::int32_t b = cell[e];
        if (out.component_of[b] < 0) {
          out.component_of[b] = out.components;
          out.local[b] = nb;
          c_size[nb] = size[b];
          c_box_offset[nb++] = edges;
          for (std::int32_t f = box_offset[b]; f < box_offset[b + 1]; ++f) {
            const std::int32_t other = box_clue[f];
            const std::int32_t known = clue_local[other];
            const std::int32_t local = known < 0 ? nc : known;
            met[nc] = other;
            clue_local[other] = c_box_clue[edges++] = local;
            nc += known < 0 ? 1 : 0;
          }
        }
        c_clue_box[ends++] = out.local[b];
      }
    }
    c_box_offset[nb] = edges;
    c_clue_offset[nc] = ends;
    Component& c = out.component[out.components++];
    c = Component{};
    c.boxes = nb;
    c.clues = nc;
    c.size = c_size;
    c.box_offset = c_box_offset;
    c.clue_offset = c_clue_offset;
    c.box_clue = c_box_clue;
    c.clue_box = c_clue_box;
    c.clue = c_clue;
    c_size += nb;
    c_box_offset += nb + 1;
    c_clue_offset += nc + 1;
    c_box_clue += edges;
    c_clue_box += ends;
    c_clue += nc;
  }
  ws.spend(boxes * 8);
  return out;
}

}  // namespace mineproof::exact

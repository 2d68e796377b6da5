// Boxes by partition refinement or by sums over clues, components by breadth-first search.
#include "component.hpp"

#include <algorithm>
#include <bit>

#include "front.hpp"

namespace mineproof::exact {

namespace {

// Pairs of a clue and something it counts, clue by clue: first its unknown cells, later its boxes.
struct Incidence {
  std::int32_t* offset = nullptr;  // clues + 1
  std::int32_t* member = nullptr;  // a cell, or a box
  std::int32_t* owner = nullptr;   // its clue
  std::int32_t clues = 0;
  std::int32_t pairs = 0;
};

// The clues of every box.
struct ClueLists {
  std::int32_t* offset = nullptr;  // boxes + 1
  std::int32_t* clue = nullptr;
};

// The unknown cells of every clue. The graph is not looked at again.
Incidence clue_cells(const Graph& g, const Mark* mark, const Clue* clue, std::int32_t clues, Arena& arena) {
  Incidence in;
  in.clues = clues;
  in.offset = arena.take<std::int32_t>(static_cast<std::size_t>(clues) + 1);
  std::size_t most = 0;
  for (std::int32_t q = 0; q < clues; ++q) most += static_cast<std::size_t>(g.degree(clue[q].cell));
  in.member = arena.take<std::int32_t>(most);
  in.owner = arena.take<std::int32_t>(most);
  in.offset[0] = 0;
  std::int32_t at = 0;
  for (std::int32_t q = 0; q < clues; ++q) {
    const std::int32_t c = clue[q].cell;
    for (std::int32_t e = g.offset[c]; e < g.offset[c + 1]; ++e) {
      const std::int32_t x = g.target[e];
      in.member[at] = x;
      in.owner[at] = q;
      at += mark[x] == Mark::unknown;
    }
    in.offset[q + 1] = at;
  }
  in.pairs = at;
  return in;
}

// Partition refinement: each clue splits the boxes that it covers in part. Fills box_of, gives the sizes of the boxes.
std::int32_t* refine(const Incidence& in, std::int64_t unknown, std::int32_t* box_of, std::int32_t& boxes_out,
                     Workspace& ws) {
  Arena& arena = ws.arena;
  const std::size_t most = static_cast<std::size_t>(std::min<std::int64_t>(in.pairs, unknown)) + 1;
  std::int32_t* size = arena.take<std::int32_t>(most);
  std::int32_t* hits = arena.zeroed<std::int32_t>(most);
  std::int32_t* moved = arena.take<std::int32_t>(most);
  std::int32_t* touched = arena.take<std::int32_t>(most);
  const std::int32_t* offset = in.offset;
  const std::int32_t* cell = in.member;
  std::int32_t boxes = 0;
  for (std::int32_t q = 0; q < in.clues; ++q) {
    std::int32_t fresh = kSeaBox;
    std::int32_t touches = 0;
    for (std::int32_t e = offset[q]; e < offset[q + 1]; ++e) {
      const std::int32_t b = box_of[cell[e]];
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
      std::int32_t& b = box_of[cell[e]];
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
  boxes_out = boxes;
  return size;
}

// The key of a clue: cells around the same clues have the same sum of keys, others hardly ever.
std::uint64_t key_of(std::int32_t clue) {
#ifdef MINEPROOF_WEAK_KEYS  // for tests: they often do
  return static_cast<std::uint64_t>(clue % 3) + 1;
#endif
  std::uint64_t key = (static_cast<std::uint64_t>(clue) + 1) * 0x9e3779b97f4a7c15u;
  key = (key ^ key >> 32) * 0xd6e8feb86659fd93u;
  return key ^ key >> 29;
}

// The same boxes, numbered otherwise, by the sums of their clues' keys: faster where nearly all boxes are single cells,
// as with clues that only weigh. Whether sums told all boxes apart is known only in the end; see cells_to_boxes().
std::int32_t* sum_keys(const Incidence& in, std::int32_t* box_of, std::int32_t& boxes_out, Workspace& ws) {
  Arena& arena = ws.arena;
  const std::size_t pairs = static_cast<std::size_t>(in.pairs);
  std::int32_t* size = arena.zeroed<std::int32_t>(pairs + 1);
  const Arena::Mark mark = arena.mark();
  std::uint64_t* key = arena.take<std::uint64_t>(static_cast<std::size_t>(in.clues));
  for (std::int32_t q = 0; q < in.clues; ++q) key[q] = key_of(q);
  // Cells are numbered as they come up; until they have a box, box_of holds these numbers.
  std::int32_t* cell = arena.take<std::int32_t>(pairs + 1);
  std::uint64_t* sum = arena.take<std::uint64_t>(pairs + 1);
  std::int32_t cells = 0;
  for (std::size_t e = 0; e < pairs; ++e) {
    const std::int32_t x = in.member[e];
    const std::int32_t known = box_of[x];
    const std::int32_t number = known < 0 ? cells : known;
    cell[cells] = x;
    sum[cells] = 0;
    cells += known < 0 ? 1 : 0;
    box_of[x] = number;
    sum[number] += key[in.owner[e]];
  }
  // The first cell of each sum, in a table with open addresses.
  const std::size_t most = (std::size_t{1} << std::bit_width(2 * static_cast<std::size_t>(cells))) - 1;
  std::int32_t* first = arena.take<std::int32_t>(most + 1);
  std::fill_n(first, most + 1, -1);
  std::int32_t boxes = 0;
  for (std::int32_t i = 0; i < cells; ++i) {
    std::size_t at = static_cast<std::size_t>(sum[i] >> 17) & most;
    while (first[at] >= 0 && sum[first[at]] != sum[i]) at = (at + 1) & most;
    if (first[at] < 0) {
      first[at] = i;
      box_of[cell[i]] = boxes++;
    } else {
      box_of[cell[i]] = box_of[cell[first[at]]];
    }
    ++size[box_of[cell[i]]];
  }
  arena.release(mark);
  ws.spend(in.pairs * 8);
  boxes_out = boxes;
  return size;
}

// Puts the distinct boxes of every clue in place of its cells; gives the clues of every box. One loop over all pairs:
// clues have few cells, and the ends of so many short loops are hard to predict for the processor. If boxes are in
// Doubt: false, and nothing is changed, where one holds cells around different clues; some then have fewer than it.
template <bool Doubt>
bool cells_to_boxes(Incidence& in, const std::int32_t* box_of, const std::int32_t* size, std::int32_t boxes,
                    Arena& arena, ClueLists& lists) {
  std::int32_t* degree = arena.zeroed<std::int32_t>(static_cast<std::size_t>(boxes) + 1);
  std::int32_t* last_clue = arena.take<std::int32_t>(static_cast<std::size_t>(boxes));
  std::fill_n(last_clue, boxes, -1);
  const std::size_t pairs = static_cast<std::size_t>(in.pairs);
  std::int32_t* member = Doubt ? arena.take<std::int32_t>(pairs) : in.member;
  std::int32_t* owner = Doubt ? arena.take<std::int32_t>(pairs) : in.owner;
  std::int32_t* offset = Doubt ? arena.take<std::int32_t>(static_cast<std::size_t>(in.clues) + 1) : in.offset;
  std::fill_n(offset, in.clues + 1, 0);
  std::int32_t write = 0;
  for (std::int32_t e = 0; e < in.pairs; ++e) {
    const std::int32_t q = in.owner[e];
    const std::int32_t b = box_of[in.member[e]];
    const std::int32_t fresh = last_clue[b] != q ? 1 : 0;
    last_clue[b] = q;
    member[write] = b;
    owner[write] = q;
    write += fresh;
    degree[b] += fresh;
    offset[q + 1] += fresh;
  }
  if (Doubt) {
    std::int64_t all = 0;
    for (std::int32_t b = 0; b < boxes; ++b) all += std::int64_t{size[b]} * degree[b];
    if (all != in.pairs) return false;
  }
  for (std::int32_t q = 0; q < in.clues; ++q) offset[q + 1] += offset[q];
  std::int32_t* const first = arena.take<std::int32_t>(static_cast<std::size_t>(boxes) + 1);
  std::int32_t* const clue = arena.take<std::int32_t>(static_cast<std::size_t>(write));
  first[0] = 0;
  for (std::int32_t b = 0; b < boxes; ++b) {
    first[b + 1] = first[b] + degree[b];
    degree[b] = first[b];
  }
  for (std::int32_t e = 0; e < write; ++e) clue[degree[member[e]]++] = owner[e];
  in = {offset, member, owner, in.clues, write};
  lists = {first, clue};
  return true;
}

// Both at once by sums of keys; nullptr, and nothing is changed, where these do not tell all boxes apart. Apart from
// exact clues, which are not to be slowed down by code they do not run.
[[gnu::noinline]] const std::int32_t* box_by_keys(Incidence& in, std::int32_t* box_of, std::int32_t& boxes,
                                                  ClueLists& lists, Workspace& ws) {
  const std::int32_t* size = sum_keys(in, box_of, boxes, ws);
  if (cells_to_boxes<true>(in, box_of, size, boxes, ws.arena, lists)) return size;
  for (std::int32_t e = 0; e < in.pairs; ++e) box_of[in.member[e]] = kSeaBox;
  return nullptr;
}

// Where the lists of the next component are written: one component behind the other.
struct ListStorage {
  std::int32_t* size;
  std::int32_t* box_offset;
  std::int32_t* clue_offset;
  std::int32_t* box_clue;
  std::int32_t* clue_box;
  Clue* clue;

  ListStorage(std::size_t boxes, std::size_t clues, std::size_t pairs, Arena& arena)
      : size(arena.take<std::int32_t>(boxes)),
        box_offset(arena.take<std::int32_t>(boxes + clues)),
        clue_offset(arena.take<std::int32_t>(2 * clues)),
        box_clue(arena.take<std::int32_t>(pairs)),
        clue_box(arena.take<std::int32_t>(pairs)),
        clue(arena.take<Clue>(clues)) {}

  // Closes the component that was written, of these sizes, and moves on.
  Component take(std::int32_t boxes, std::int32_t clues, std::int32_t pairs) {
    box_offset[boxes] = pairs;
    clue_offset[clues] = pairs;
    Component c;
    c.boxes = boxes;
    c.clues = clues;
    c.size = size;
    c.box_offset = box_offset;
    c.clue_offset = clue_offset;
    c.box_clue = box_clue;
    c.clue_box = clue_box;
    c.clue = clue;
    size += boxes;
    box_offset += boxes + 1;
    clue_offset += clues + 1;
    box_clue += pairs;
    clue_box += pairs;
    clue += clues;
    return c;
  }
};

// Components by breadth-first search. Local ids are given in the order of discovery, so that neighbours are near in
// memory: when a clue is looked at its boxes get theirs, when a box is found its clues do.
void find_components(const Incidence& in, const ClueLists& lists, const std::int32_t* size, const Clue* clue,
                     Arena& arena, Boxes& out) {
  const auto boxes = static_cast<std::size_t>(out.boxes);
  const auto clues = static_cast<std::size_t>(in.clues);
  out.component_of = arena.take<std::int32_t>(boxes);
  out.local = arena.take<std::int32_t>(boxes);
  std::fill_n(out.component_of, boxes, -1);
  std::int32_t* clue_local = arena.take<std::int32_t>(clues);
  std::fill_n(clue_local, clues, -1);
  std::int32_t* met = arena.take<std::int32_t>(clues + 1);  // clues of this component
  out.component = arena.take<Component>(clues);
  ListStorage shelf(boxes, clues, static_cast<std::size_t>(in.pairs), arena);
  for (std::int32_t start = 0; start < in.clues; ++start) {
    if (clue_local[start] >= 0) continue;
    std::int32_t nb = 0;
    std::int32_t nc = 0;
    std::int32_t box_pairs = 0;
    std::int32_t clue_pairs = 0;
    met[nc] = start;
    clue_local[start] = nc++;
    for (std::int32_t i = 0; i < nc; ++i) {
      const std::int32_t q = met[i];
      shelf.clue[i] = clue[q];
      shelf.clue_offset[i] = clue_pairs;
      for (std::int32_t e = in.offset[q]; e < in.offset[q + 1]; ++e) {
        const std::int32_t b = in.member[e];
        if (out.component_of[b] < 0) {
          out.component_of[b] = out.components;
          out.local[b] = nb;
          shelf.size[nb] = size[b];
          shelf.box_offset[nb++] = box_pairs;
          for (std::int32_t f = lists.offset[b]; f < lists.offset[b + 1]; ++f) {
            const std::int32_t other = lists.clue[f];
            const std::int32_t known = clue_local[other];
            const std::int32_t local = known < 0 ? nc : known;
            met[nc] = other;
            clue_local[other] = shelf.box_clue[box_pairs++] = local;
            nc += known < 0 ? 1 : 0;
          }
        }
        shelf.clue_box[clue_pairs++] = out.local[b];
      }
    }
    out.component[out.components++] = shelf.take(nb, nc, box_pairs);
  }
}

}  // namespace

Boxes make_boxes(const Graph& g, const Mark* mark, std::int64_t unknown, const Clue* clue, std::int32_t clues,
                 Workspace& ws) {
  const std::size_t n = static_cast<std::size_t>(g.cells);
  std::int32_t* box_of = ws.arena.take<std::int32_t>(n);
  const std::uint8_t* code = reinterpret_cast<const std::uint8_t*>(mark);
  // Worked out in bytes, as many at a time as a register holds, and then widened.
  constexpr std::size_t kBlock = 256;
  std::int8_t block[kBlock];
  for (std::size_t begin = 0; begin < n; begin += kBlock) {
    const std::size_t size = std::min(kBlock, n - begin);
    const std::uint8_t* __restrict from = code + begin;
    std::int32_t* __restrict to = box_of + begin;
    // Unknown 0, safe 1, mine 2, open 3, burst 4.
    for (std::size_t i = 0; i < size; ++i)
      block[i] = static_cast<std::int8_t>(kFixedMine + (from[i] & 1) + (from[i] == 0 ? kSeaBox - kFixedMine : 0));
    for (std::size_t i = 0; i < size; ++i) to[i] = block[i];
  }
  return split_boxes(g, mark, unknown, clue, clues, box_of, ws);
}

Boxes split_boxes(const Graph& g, const Mark* mark, std::int64_t unknown, const Clue* clue, std::int32_t clues,
                  std::int32_t* box_of, Workspace& ws) {
  Boxes out;
  out.box_of = box_of;
  Incidence in = clue_cells(g, mark, clue, clues, ws.arena);
  ClueLists lists;
  const std::int32_t* size = clues > 0 && clue[0].weight ? box_by_keys(in, box_of, out.boxes, lists, ws) : nullptr;
  if (!size) {
    size = refine(in, unknown, box_of, out.boxes, ws);
    cells_to_boxes<false>(in, box_of, size, out.boxes, ws.arena, lists);
  }
  out.sea = unknown;
  for (std::int32_t b = 0; b < out.boxes; ++b) out.sea -= size[b];
  find_components(in, lists, size, clue, ws.arena, out);
  ws.spend(out.boxes * 8);
  return out;
}

}  // namespace mineproof::exact

// An elimination order by min-fill, on the graph of boxes that share a clue, with neighbourhoods as bit sets.
#include <algorithm>
#include <bit>
#include <limits>

#include "tree.hpp"
#include "vector.hpp"

namespace mineproof::exact {

namespace {

// Past this, and kMostEntries, the path program over counts of clues is likely to be smaller.
constexpr std::int64_t kEntriesPerBox = 128;

// An elimination is rated by its fill-in (edges that it adds, counted both ways), then cells behind the tables it takes
// up, then degree.
constexpr std::int32_t kFill = 100;
constexpr std::int32_t kCell = 21;
constexpr std::int32_t kMostBoxes = 512;
constexpr std::int32_t kWorst = (1 << 22) - 2;
constexpr std::int32_t kGone = std::numeric_limits<std::int32_t>::max();

template <int Words>
struct Set {
  std::uint64_t word[Words];

  bool has(std::int32_t i) const { return word[i >> 6] >> (i & 63) & 1; }
  void add(std::int32_t i) { word[i >> 6] |= std::uint64_t{1} << (i & 63); }
  void remove(std::int32_t i) { word[i >> 6] &= ~(std::uint64_t{1} << (i & 63)); }
};

template <int Words, class Visit>
MINEPROOF_INLINE void each(const Set<Words>& set, Visit&& visit) {
  for (int i = 0; i < Words; ++i) {
    for (std::uint64_t w = set.word[i]; w; w &= w - 1) visit(i * 64 + std::countr_zero(w));
  }
}

template <int Words>
MINEPROOF_INLINE std::int32_t count(const Set<Words>& set) {
  std::int32_t n = 0;
  for (int i = 0; i < Words; ++i) n += std::popcount(set.word[i]);
  return n;
}

template <int Words>
struct MinFill {
  const Component& c;
  Set<Words>* near;       // boxes that share a clue or a table, of those left
  std::int32_t* degree;   // how many
  std::int32_t* missing;  // edges missing among those, counted both ways: the fill-in
  std::int32_t* behind;   // cells behind the tables that a box takes up
  std::int32_t* score;    // with the box itself in the low bits; kGone where eliminated

  MINEPROOF_INLINE void rate(std::int32_t box) {
    const Set<Words> around = near[box];
    std::int32_t sum = 0;
    std::int32_t boxes = 0;
    each(around, [&](std::int32_t other) {
      Set<Words> lacks;
      for (int i = 0; i < Words; ++i) lacks.word[i] = around.word[i] & ~near[other].word[i];
      sum += count(lacks) - 1;  // itself
      ++boxes;
    });
    degree[box] = boxes;
    missing[box] = sum;
    weigh(box);
  }
  MINEPROOF_INLINE void weigh(std::int32_t box) {
    score[box] = std::min(missing[box] * kFill + degree[box] + behind[box] * kCell, kWorst) * kMostBoxes + box;
  }
};

template <int Words>
MINEPROOF_INLINE bool choose_loop(const Component& c, Workspace& ws, TreeOrder& out) {
  const std::size_t n = static_cast<std::size_t>(c.boxes);
  MinFill<Words> g{c,
                   ws.arena.zeroed<Set<Words>>(n),
                   ws.arena.take<std::int32_t>(n),
                   ws.arena.take<std::int32_t>(n),
                   ws.arena.zeroed<std::int32_t>(n),
                   ws.arena.take<std::int32_t>(n)};
  for (std::int32_t q = 0; q < c.clues; ++q) {
    const std::int32_t* box = c.clue_box + c.clue_offset[q];
    const std::int32_t boxes = c.clue_offset[q + 1] - c.clue_offset[q];
    if (boxes < 2) continue;
    Set<Words> all{};
    for (std::int32_t e = 0; e < boxes; ++e) all.add(box[e]);
    for (std::int32_t e = 0; e < boxes; ++e) {
      for (int i = 0; i < Words; ++i) g.near[box[e]].word[i] |= all.word[i];
    }
  }
  for (std::int32_t b = 0; b < c.boxes; ++b) g.near[b].remove(b);
  for (std::int32_t b = 0; b < c.boxes; ++b) g.rate(b);
  Set<Words>* scope = ws.arena.take<Set<Words>>(n);      // of the tables not yet taken up: their boxes,
  std::int32_t* below = ws.arena.take<std::int32_t>(n);  // and the cells behind them
  std::int32_t waiting = 0;
  std::int64_t entries = 0;
  std::int32_t at = 0;
  for (std::int32_t step = 0; step < c.boxes; ++step) {
    std::int32_t least = kGone;
    for (std::int32_t b = 0; b < c.boxes; ++b) least = g.score[b] < least ? g.score[b] : least;
    const std::int32_t box = least & (kMostBoxes - 1);
    const Set<Words> around = g.near[box];
    out.box[step] = box;
    out.step[box] = step;
    out.offset[step] = at;
    std::int64_t own = c.size[box] + 1;
    bool small = own <= kMostEntries;
    each(around, [&](std::int32_t other) {
      if (!small) return;
      out.separator[at++] = other;
      own *= c.size[other] + 1;
      small = own <= kMostEntries;
    });
    entries += own;
    if (!small || entries > kEntriesPerBox * c.boxes) return false;
    // Its tables become one.
    std::int32_t cells = c.size[box];
    std::int32_t still = 0;
    for (std::int32_t i = 0; i < waiting; ++i) {
      if (scope[i].has(box)) {
        cells += below[i];
        each(scope[i], [&](std::int32_t other) { g.behind[other] -= below[i]; });
      } else {
        scope[still] = scope[i];
        below[still++] = below[i];
      }
    }
    waiting = still;
    scope[waiting] = around;
    below[waiting++] = cells;
    g.score[box] = kGone;
    if (g.missing[box] == 0) {  // no fill-in: those around it lose one neighbour and the edges that one missed
      each(around, [&](std::int32_t other) {
        g.near[other].remove(box);
        Set<Words> lacked;
        for (int i = 0; i < Words; ++i) lacked.word[i] = g.near[other].word[i] & ~around.word[i];
        g.missing[other] -= 2 * count(lacked);
        --g.degree[other];
        g.behind[other] += cells;
        g.weigh(other);
      });
      continue;
    }
    // Its neighbours become a clique; whoever sees a new edge is rated anew.
    Set<Words> changed = around;
    each(around, [&](std::int32_t other) {
      g.behind[other] += cells;
      Set<Words> fresh;
      for (int i = 0; i < Words; ++i) fresh.word[i] = around.word[i] & ~g.near[other].word[i];
      fresh.remove(other);
      each(fresh, [&](std::int32_t third) {
        for (int i = 0; i < Words; ++i) changed.word[i] |= g.near[other].word[i] & g.near[third].word[i];
      });
    });
    each(around, [&](std::int32_t other) {
      for (int i = 0; i < Words; ++i) g.near[other].word[i] |= around.word[i];
      g.near[other].remove(other);
      g.near[other].remove(box);
    });
    changed.remove(box);
    each(changed, [&](std::int32_t other) { g.rate(other); });
  }
  out.offset[c.boxes] = at;
  return true;
}

bool choose_any(const Component& c, Workspace& ws, TreeOrder& out) {
  return c.boxes <= 64    ? choose_loop<1>(c, ws, out)
         : c.boxes <= 128 ? choose_loop<2>(c, ws, out)
                          : choose_loop<8>(c, ws, out);
}
MINEPROOF_AVX2 bool choose_avx2(const Component& c, Workspace& ws, TreeOrder& out) {
  return c.boxes <= 64    ? choose_loop<1>(c, ws, out)
         : c.boxes <= 128 ? choose_loop<2>(c, ws, out)
                          : choose_loop<8>(c, ws, out);
}

}  // namespace

bool choose_tree(const Component& c, Workspace& ws, TreeOrder& out) {
  if (c.boxes > kMostBoxes) return false;
  const std::size_t n = static_cast<std::size_t>(c.boxes);
  out.box = ws.arena.take<std::int32_t>(n);
  out.step = ws.arena.take<std::int32_t>(n);
  out.offset = ws.arena.take<std::int32_t>(n + 1);
  out.separator = ws.arena.take<std::int32_t>(n * kMostTied);
  ws.spend(c.boxes * 60);
  const auto choose = has_avx2() ? choose_avx2 : choose_any;
  if (!choose(c, ws, out)) return false;
  // Those eliminated first at the front.
  for (std::int32_t t = 0; t < c.boxes; ++t) {
    for (std::int32_t i = out.offset[t] + 1; i < out.offset[t + 1]; ++i) {
      const std::int32_t box = out.separator[i];
      std::int32_t j = i;
      for (; j > out.offset[t] && out.step[out.separator[j - 1]] > out.step[box]; --j)
        out.separator[j] = out.separator[j - 1];
      out.separator[j] = box;
    }
  }
  return true;
}

}  // namespace mineproof::exact

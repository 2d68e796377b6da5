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
// How many of `set` are not in `other`.
template <int Words>
MINEPROOF_INLINE std::int32_t count_lacking(const Set<Words>& set, const Set<Words>& other) {
  std::int32_t n = 0;
  for (int i = 0; i < Words; ++i) n += std::popcount(set.word[i] & ~other.word[i]);
  return n;
}

template <int Words>
struct MinFill {
  const Component& c;
  Set<Words>* near;       // boxes that share a clue or a table, of those left
  std::int32_t* missing;  // edges missing among those, counted both ways: the fill-in
  std::int32_t* behind;   // cells behind the tables that a box takes up
  std::int32_t* score;    // with the box itself in the low bits; kGone where eliminated
  Set<Words>* holds;      // the tables that a box takes up, by the steps that made them
  Set<Words>* tied;       // all tables that a box has been in
  Set<Words> large{};     // boxes of several cells
  Set<Words>* scope;      // per step: the boxes of its table,
  std::int32_t* below;    // and the cells behind it

  MinFill(const Component& component, Arena& arena) : c(component) {
    const std::size_t n = static_cast<std::size_t>(c.boxes);
    near = arena.zeroed<Set<Words>>(3 * n);
    holds = near + n;
    tied = near + 2 * n;
    scope = arena.take<Set<Words>>(n);
    missing = arena.take<std::int32_t>(4 * n);
    behind = missing + n;
    score = missing + 2 * n;
    below = missing + 3 * n;
    std::fill_n(behind, n, 0);
    for (std::int32_t b = 0; b < c.boxes; ++b) {
      if (c.size[b] > 1) large.add(b);
    }
  }

  void tie_clues() {
    for (std::int32_t q = 0; q < c.clues; ++q) {
      const std::int32_t* box = c.clue_box + c.clue_offset[q];
      const std::int32_t boxes = c.clue_offset[q + 1] - c.clue_offset[q];
      if (boxes < 2) continue;
      Set<Words> all{};
      for (std::int32_t e = 0; e < boxes; ++e) all.add(box[e]);
      for (std::int32_t e = 0; e < boxes; ++e) {
        for (int i = 0; i < Words; ++i) near[box[e]].word[i] |= all.word[i];
      }
    }
    for (std::int32_t b = 0; b < c.boxes; ++b) near[b].remove(b);
  }

  MINEPROOF_INLINE void rate(std::int32_t box) {
    const Set<Words> around = near[box];
    std::int32_t sum = 0;
    each(around, [&](std::int32_t other) { sum += count_lacking(around, near[other]) - 1; });  // not itself
    missing[box] = sum;
    weigh(box);
  }
  MINEPROOF_INLINE void weigh(std::int32_t box) {
    const std::int32_t rating = missing[box] * kFill + count(near[box]) + behind[box] * kCell;
    score[box] = std::min(rating, kWorst) * kMostBoxes + box;
  }

  // A new edge: whoever sees both ends misses it no more, and the ends miss edges to what they now see.
  MINEPROOF_INLINE void tie(std::int32_t one, std::int32_t two, Set<Words>& changed) {
    Set<Words> both;
    for (int i = 0; i < Words; ++i) {
      both.word[i] = near[one].word[i] & near[two].word[i];
      changed.word[i] |= both.word[i];
    }
    each(both, [&](std::int32_t third) { missing[third] -= 2; });
    missing[one] += 2 * count_lacking(near[one], both);
    missing[two] += 2 * count_lacking(near[two], both);
    near[one].add(two);
    near[two].add(one);
  }

  // The neighbours of a box become a clique, and it is gone; the table it leaves is that of the step.
  MINEPROOF_INLINE void eliminate(std::int32_t box, std::int32_t step) {
    const Set<Words> around = near[box];
    score[box] = kGone;
    Set<Words> changed = around;
    if (missing[box]) {
      each(around, [&](std::int32_t other) {
        Set<Words> fresh;
        for (int i = 0; i < Words; ++i) fresh.word[i] = around.word[i] & ~near[other].word[i];
        fresh.remove(other);
        each(fresh, [&](std::int32_t third) { tie(other, third, changed); });
      });
      changed.remove(box);
    }
    // Its tables become one.
    std::int32_t cells = c.size[box];
    const Set<Words> taken = holds[box];
    each(taken, [&](std::int32_t table) {
      cells += below[table];
      each(scope[table], [&](std::int32_t other) { behind[other] -= below[table]; });
    });
    scope[step] = around;
    below[step] = cells;
    each(around, [&](std::int32_t other) {
      near[other].remove(box);
      missing[other] -= 2 * count_lacking(near[other], around);
      behind[other] += cells;
      for (int i = 0; i < Words; ++i) holds[other].word[i] &= ~taken.word[i];
      holds[other].add(step);
      tied[other].add(step);
    });
    each(changed, [&](std::int32_t other) { weigh(other); });
  }
};

// Assignments of a box and those around it; more than kMostEntries where there are many.
template <int Words>
MINEPROOF_INLINE std::int64_t entries_of(const MinFill<Words>& g, std::int32_t box) {
  Set<Words> large;
  for (int i = 0; i < Words; ++i) large.word[i] = g.near[box].word[i] & g.large.word[i];
  std::int64_t entries = (std::int64_t{g.c.size[box]} + 1) << std::min(count_lacking(g.near[box], large), kMostTied);
  each(large, [&](std::int32_t other) { entries *= entries <= kMostEntries ? g.c.size[other] + 1 : 1; });
  return entries;
}

template <int Words>
MINEPROOF_INLINE bool choose_loop(const Component& c, Workspace& ws, TreeOrder& out) {
  MinFill<Words> g(c, ws.arena);
  g.tie_clues();
  for (std::int32_t b = 0; b < c.boxes; ++b) g.rate(b);
  std::int64_t entries = 0;
  std::int32_t at = 0;
  for (std::int32_t step = 0; step < c.boxes; ++step) {
    std::int32_t least = kGone;
    for (std::int32_t b = 0; b < c.boxes; ++b) least = g.score[b] < least ? g.score[b] : least;
    const std::int32_t box = least & (kMostBoxes - 1);
    out.box[step] = box;
    out.step[box] = step;
    out.offset[step] = at;
    at += count(g.near[box]);
    const std::int64_t own = entries_of(g, box);
    entries += own;
    if (own > kMostEntries || entries > kEntriesPerBox * c.boxes) return false;
    g.eliminate(box, step);
  }
  out.offset[c.boxes] = at;
  // Separators, from the box that is eliminated first on.
  out.separator = ws.arena.take<std::int32_t>(static_cast<std::size_t>(at));
  std::int32_t* end = ws.arena.take<std::int32_t>(static_cast<std::size_t>(c.boxes));
  std::copy_n(out.offset, c.boxes, end);
  for (std::int32_t step = 0; step < c.boxes; ++step) {
    const std::int32_t box = out.box[step];
    each(g.tied[box], [&](std::int32_t table) { out.separator[end[table]++] = box; });
  }
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
  ws.spend(c.boxes * 60);
  const auto choose = has_avx2() ? choose_avx2 : choose_any;
  return choose(c, ws, out);
}

}  // namespace mineproof::exact

// An elimination order by min-fill, on the graph of boxes that share a clue, with neighbourhoods as bit sets.
#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

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
MINEPROOF_INLINE bool choose_loop(const Component& c, Workspace& ws, TreeOrder& out) {
  const std::size_t n = static_cast<std::size_t>(c.boxes);
  Set<Words>* near = ws.arena.zeroed<Set<Words>>(n);        // boxes that share a clue or a table, of those left
  Set<Words>* tables = ws.arena.zeroed<Set<Words>>(n);      // not yet taken up, with this box, by their step
  std::int32_t* below = ws.arena.take<std::int32_t>(n);     // per step: cells behind its table
  std::int32_t* behind = ws.arena.zeroed<std::int32_t>(n);  // per box: cells behind the tables that it takes up
  std::int32_t* score = ws.arena.take<std::int32_t>(n);     // with the box itself in the low bits; kGone
  std::int32_t* degree = ws.arena.take<std::int32_t>(n);    // how many are near
  std::int32_t* missing = ws.arena.take<std::int32_t>(n);   // edges missing among them, or more; counted both ways
  const auto weigh = [&](std::int32_t box) MINEPROOF_INLINE_LAMBDA {
    score[box] = std::min(missing[box] * kFill + degree[box] + behind[box] * kCell, kWorst) * kMostBoxes + box;
  };
  const auto rate = [&](std::int32_t box) MINEPROOF_INLINE_LAMBDA {
    const Set<Words> around = near[box];
    const std::int32_t boxes = count(around);
    std::int32_t sum = -boxes;  // each lacks itself
    each(around, [&](std::int32_t other) {
      Set<Words> lacks;
      for (int i = 0; i < Words; ++i) lacks.word[i] = around.word[i] & ~near[other].word[i];
      sum += count(lacks);
    });
    degree[box] = boxes;
    missing[box] = sum;
    weigh(box);
  };
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
  for (std::int32_t b = 0; b < c.boxes; ++b) rate(b);
  std::int64_t entries = 0;
  std::int32_t at = 0;
  for (std::int32_t step = 0; step < c.boxes; ++step) {
    std::int32_t least = kGone;
    for (std::int32_t b = 0; b < c.boxes; ++b) least = score[b] < least ? score[b] : least;
    const std::int32_t box = least & (kMostBoxes - 1);
    const Set<Words> around = near[box];
    const Set<Words> taken = tables[box];
    out.box[step] = box;
    out.step[box] = step;
    out.offset[step] = at;
    score[box] = kGone;
    std::int32_t cells = c.size[box];
    each(taken, [&](std::int32_t table) { cells += below[table]; });
    below[step] = cells;
    std::int64_t own = c.size[box] + 1;
    bool small = own <= kMostEntries;
    each(around, [&](std::int32_t other) {
      if (!small) return;
      out.separator[at++] = other;
      own *= c.size[other] + 1;
      small = own <= kMostEntries;
      // The tables become one.
      Set<Words> gone;
      for (int i = 0; i < Words; ++i) {
        gone.word[i] = tables[other].word[i] & taken.word[i];
        tables[other].word[i] &= ~taken.word[i];
      }
      tables[other].add(step);
      behind[other] += cells;
      each(gone, [&](std::int32_t table) { behind[other] -= below[table]; });
    });
    entries += own;
    if (!small || entries > kEntriesPerBox * c.boxes) return false;
    if (missing[box] == 0) {  // no fill-in: those around it lose one neighbour and the edges that one missed
      each(around, [&](std::int32_t other) {
        near[other].remove(box);
        Set<Words> lacked;
        for (int i = 0; i < Words; ++i) lacked.word[i] = near[other].word[i] & ~around.word[i];
        missing[other] -= 2 * count(lacked);
        --degree[other];
        weigh(other);
      });
      continue;
    }
    // Those around it become a clique and are rated anew. Others that see a new edge keep their rating, which is then
    // too high: the order is hardly worse, and found sooner.
    each(around, [&](std::int32_t other) {
      for (int i = 0; i < Words; ++i) near[other].word[i] |= around.word[i];
      near[other].remove(other);
      near[other].remove(box);
    });
    each(around, [&](std::int32_t other) { rate(other); });
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
  out.separator = ws.arena.take<std::int32_t>(n * kMostTied + 1);
  ws.spend(c.boxes * 60);
  const auto choose = has_avx2() ? choose_avx2 : choose_any;
  if (!choose(c, ws, out)) return false;
  // The one eliminated first at the front.
  for (std::int32_t t = 0; t < c.boxes; ++t) {
    std::int32_t first = out.offset[t];
    for (std::int32_t i = first + 1; i < out.offset[t + 1]; ++i)
      first = out.step[out.separator[i]] < out.step[out.separator[first]] ? i : first;
    std::swap(out.separator[first], out.separator[out.offset[t]]);
  }
  return true;
}

}  // namespace mineproof::exact

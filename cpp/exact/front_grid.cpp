// Single-point reasoning on a plain square board with exact clues, sixteen or more cells at a time.
//
// The board is copied into planes of bytes, one padding column per row and one padding row above and below, so that the
// sum over a 3x3 neighbourhood is two passes of shifted additions. A cell's value is 1 if unknown and 16 if a mine, so
// one sum holds both counts: unknown cells in the low nibble, mines in the high one. A clue fires when its number is
// reached by mines alone (everything else around it is safe) or only with all unknown cells (all of them are mines).
// Work is by bands of rows, of some 1,000 bytes, so that on large boards only bands near a change are looked at again.
#include <bit>
#include <cstring>

#include "front.hpp"
#include "vector.hpp"

namespace mineproof::exact {

namespace {

using Byte = std::uint8_t;

constexpr Byte kNot = 0xff;  // in the clue plane: no clue here
constexpr std::size_t kMargin = 64;

// So many cells at a time. The loops are written with vectors, because clang widens bytes to 32 bits in plain ones, and
// with two sizes of them, because g++ takes a vector that the machine has no register for apart into bytes.
using Sixteen = Byte __attribute__((vector_size(16)));
using ThirtyTwo = Byte __attribute__((vector_size(32)));

// `count` is the size of a vector, unless the board is smaller.
template <class Bytes>
MINEPROOF_INLINE Bytes get(const Byte* p, std::size_t count) {
  Bytes x{};
  std::memcpy(&x, p, count);
  return x;
}
template <class Bytes>
MINEPROOF_INLINE void put(Byte* p, const Bytes& x, std::size_t count) {
  std::memcpy(p, &x, count);
}

template <class Bytes>
MINEPROOF_INLINE bool any_of(const Bytes& x) {
  std::uint64_t words[sizeof(Bytes) / 8];
  std::memcpy(words, &x, sizeof x);
  std::uint64_t any = 0;
  for (const std::uint64_t word : words) any |= word;
  return any != 0;
}

// Calls step(first, count) for all of n cells, for some of them twice.
template <std::size_t kLanes, class Step>
MINEPROOF_INLINE void each(std::size_t n, Step step) {
  if (n < kLanes) return step(0, n);
  for (std::size_t i = 0; i + kLanes <= n; i += kLanes) step(i, kLanes);
  if (n % kLanes != 0) step(n - kLanes, kLanes);
}

// The loops. Planes never overlap. A step done twice changes nothing.

template <class Bytes>
MINEPROOF_INLINE Byte fill_loop(const Byte* __restrict shown, Byte* __restrict value, Byte* __restrict clue,
                                std::size_t n) {
  Bytes wild{};
  each<sizeof(Bytes)>(n, [&](std::size_t i, std::size_t count) MINEPROOF_INLINE_LAMBDA {
    const Bytes s = get<Bytes>(shown + i, count);
    const Bytes number = (Bytes)(s <= 8);
    put(value + i, ((Bytes)(s == kHidden) & 1) | ((Bytes)(s == kOpenedMine) & 16), count);
    put(clue + i, ((s << 4) & number) | ~number, count);
    wild |= (Bytes)(s <= kLargestClue) & ~number;
  });
  return any_of(wild);
}

// Whether any clue fires (bit 0) and whether any cannot be met (bit 1).
template <class Bytes>
MINEPROOF_INLINE int look_loop(const Byte* __restrict value, Byte* __restrict row3, const Byte* __restrict clue,
                               Byte* __restrict sum, Byte* __restrict fire, std::size_t n, std::size_t stride) {
  const Byte* __restrict v = value - stride - 1;  // the cell to the left, so that no index is negative
  each<sizeof(Bytes)>(n + 2 * stride, [&](std::size_t i, std::size_t count) MINEPROOF_INLINE_LAMBDA {
    put(row3 + i, get<Bytes>(v + i, count) + get<Bytes>(v + i + 1, count) + get<Bytes>(v + i + 2, count), count);
  });
  Bytes any{};
  Bytes bad{};
  each<sizeof(Bytes)>(n, [&](std::size_t i, std::size_t count) MINEPROOF_INLINE_LAMBDA {
    const Byte* above = row3 + i;
    const Bytes t =
        get<Bytes>(above, count) + get<Bytes>(above + stride, count) + get<Bytes>(above + 2 * stride, count);
    const Bytes mines = t & 0xf0;
    const Bytes unknown = t << 4;
    const Bytes most = mines + unknown;
    const Bytes c = get<Bytes>(clue + i, count);
    const Bytes is = (Bytes)(c != kNot);
    const Bytes safe = (Bytes)(c == mines) & 1;
    const Bytes mine = (Bytes)(c == most) & 2;
    const Bytes f = (safe | mine) & (Bytes)(unknown != 0) & is;
    bad |= is & ((Bytes)(c < mines) | (Bytes)(c > most));
    put(sum + i, t, count);
    put(fire + i, f, count);
    any |= f;
  });
  return (any_of(any) ? 1 : 0) | (any_of(bad) ? 2 : 0);
}

template <class Bytes>
MINEPROOF_INLINE bool apply_loop(const Byte* __restrict fire, Byte* __restrict row3, Byte* __restrict value,
                                 std::size_t n, std::size_t stride) {
  const Byte* __restrict f = fire - stride - 1;
  each<sizeof(Bytes)>(n + 2 * stride, [&](std::size_t i, std::size_t count) MINEPROOF_INLINE_LAMBDA {
    put(row3 + i, get<Bytes>(f + i, count) | get<Bytes>(f + i + 1, count) | get<Bytes>(f + i + 2, count), count);
  });
  Bytes any{};
  each<sizeof(Bytes)>(n, [&](std::size_t i, std::size_t count) MINEPROOF_INLINE_LAMBDA {
    const Byte* above = row3 + i;
    const Bytes g =
        get<Bytes>(above, count) | get<Bytes>(above + stride, count) | get<Bytes>(above + 2 * stride, count);
    const Bytes v = get<Bytes>(value + i, count);
    const Bytes hit = (Bytes)(v == 1) & (Bytes)(g != 0);
    // Safe wins where both are said: the other clue then finds itself short.
    const Bytes to = (Bytes)((g & 1) == 0) & 16;
    put(value + i, (v & ~hit) | (to & hit), count);
    any |= hit;
  });
  return any_of(any);
}

struct Counts {
  std::int64_t unknown = 0;
  std::int64_t mines = 0;
  std::int64_t live = 0;
};

// Marks over `shown`, and 1 in `live` where a clue still has unknown cells.
MINEPROOF_INLINE Counts mark_loop(Byte* __restrict shown, const Byte* __restrict value, const Byte* __restrict clue,
                                  const Byte* __restrict sum, Byte* __restrict live, std::size_t n) {
  Counts out;
  for (std::size_t block = 0; block < n; block += 240) {  // so that counts fit a byte
    const std::size_t end = block + 240 < n ? block + 240 : n;
    Byte unknowns = 0;
    Byte mines = 0;
    Byte lives = 0;
    for (std::size_t i = block; i < end; ++i) {
      const Byte v = value[i];
      const Byte hidden = shown[i] == kHidden ? 0xff : 0;
      const Byte is_mine = v == 16 ? 1 : 0;
      const Byte is_unknown = v == 1 ? 1 : 0;
      const Byte decided = static_cast<Byte>(1 + is_mine - is_unknown);
      const Byte opened = static_cast<Byte>(3 + is_mine);
      shown[i] = static_cast<Byte>((decided & hidden) | (opened & ~hidden));
      const Byte alive = static_cast<Byte>((clue[i] != kNot ? 1 : 0) & ((sum[i] & 15) != 0 ? 1 : 0));
      live[i] = alive;
      unknowns = static_cast<Byte>(unknowns + is_unknown);
      mines = static_cast<Byte>(mines + is_mine);
      lives = static_cast<Byte>(lives + alive);
    }
    out.unknown += unknowns;
    out.mines += mines;
    out.live += lives;
  }
  return out;
}

struct Loops {
  Byte (*fill)(const Byte*, Byte*, Byte*, std::size_t);
  int (*look)(const Byte*, Byte*, const Byte*, Byte*, Byte*, std::size_t, std::size_t);
  bool (*apply)(const Byte*, Byte*, Byte*, std::size_t, std::size_t);
  Counts (*mark)(Byte*, const Byte*, const Byte*, const Byte*, Byte*, std::size_t);
};

Byte fill_any(const Byte* a, Byte* b, Byte* c, std::size_t n) { return fill_loop<Sixteen>(a, b, c, n); }
int look_any(const Byte* a, Byte* b, const Byte* c, Byte* d, Byte* e, std::size_t n, std::size_t s) {
  return look_loop<Sixteen>(a, b, c, d, e, n, s);
}
bool apply_any(const Byte* a, Byte* b, Byte* c, std::size_t n, std::size_t s) {
  return apply_loop<Sixteen>(a, b, c, n, s);
}
Counts mark_any(Byte* a, const Byte* b, const Byte* c, const Byte* d, Byte* e, std::size_t n) {
  return mark_loop(a, b, c, d, e, n);
}

MINEPROOF_AVX2 Byte fill_avx2(const Byte* a, Byte* b, Byte* c, std::size_t n) {
  return fill_loop<ThirtyTwo>(a, b, c, n);
}
MINEPROOF_AVX2 int look_avx2(const Byte* a, Byte* b, const Byte* c, Byte* d, Byte* e, std::size_t n, std::size_t s) {
  return look_loop<ThirtyTwo>(a, b, c, d, e, n, s);
}
MINEPROOF_AVX2 bool apply_avx2(const Byte* a, Byte* b, Byte* c, std::size_t n, std::size_t s) {
  return apply_loop<ThirtyTwo>(a, b, c, n, s);
}
MINEPROOF_AVX2 Counts mark_avx2(Byte* a, const Byte* b, const Byte* c, const Byte* d, Byte* e, std::size_t n) {
  return mark_loop(a, b, c, d, e, n);
}

constexpr Loops kAny{fill_any, look_any, apply_any, mark_any};
constexpr Loops kAvx2{fill_avx2, look_avx2, apply_avx2, mark_avx2};

// Flat index of cell (row, col): (row + 1) * stride + col.
struct Planes {
  std::size_t rows;
  std::size_t cols;
  std::size_t stride;
  std::size_t band_rows;
  std::size_t bands;
  Byte* shown;  // codes, later marks
  Byte* value;  // 1 unknown, 16 mine, 0 neither
  Byte* clue;   // 16 * number, or kNot
  Byte* sum;    // of the values around
  Byte* fire;   // 1: all unknown around are safe, 2: are mines
  Byte* row3;   // scratch: sums or unions of three in a row
  Byte* fired;  // per band, with one more at each end
  Byte* changed;
  const Loops* loops;

  std::size_t at(std::size_t row) const { return (row + 1) * stride; }
  bool near(const Byte* flags, std::size_t band) const {
    const Byte* before = flags - 1;
    return (before[band] | before[band + 1] | before[band + 2]) != 0;
  }
  std::size_t band_cells(std::size_t band) const { return std::min(band_rows, rows - band * band_rows) * stride; }
};

Planes make_planes(const Graph& g, Workspace& ws) {
  Planes p;
  p.rows = static_cast<std::size_t>(g.rows);
  p.cols = static_cast<std::size_t>(g.cols);
  p.stride = p.cols + 1;
  p.band_rows = std::max<std::size_t>(1, 1024 / p.stride);
  p.bands = (p.rows + p.band_rows - 1) / p.band_rows;
  const std::size_t size = (p.rows + 2) * p.stride + 2 * kMargin;
  p.shown = ws.arena.take<Byte>(size) + kMargin;
  p.value = ws.arena.take<Byte>(size) + kMargin;
  p.clue = ws.arena.take<Byte>(size) + kMargin;
  p.sum = ws.arena.take<Byte>(size) + kMargin;
  p.fire = ws.arena.zeroed<Byte>(size) + kMargin;
  p.row3 = ws.arena.take<Byte>((p.band_rows + 2) * p.stride + 2 * kMargin) + kMargin;
  p.fired = ws.arena.zeroed<Byte>(p.bands + 2) + 1;
  p.changed = ws.arena.take<Byte>(p.bands + 2) + 1;
  p.loops = has_avx2() ? &kAvx2 : &kAny;
  return p;
}

// Sums of values around every cell, on planes with one padding column and row.
MINEPROOF_INLINE void sums_loop(const Byte* __restrict mark, Byte* __restrict value, Byte* __restrict row3,
                                Byte* __restrict out, std::size_t rows, std::size_t cols) {
  const std::size_t stride = cols + 1;
  for (std::size_t r = 0; r < rows; ++r) {
    const Byte* from = mark + r * cols;
    Byte* to = value + (r + 1) * stride;
    for (std::size_t c = 0; c < cols; ++c)
      to[c] = static_cast<Byte>((from[c] == 0 ? 1 : 0) | ((from[c] & 1) == 0 && from[c] != 0 ? 16 : 0));
  }
  const std::size_t all = (rows + 2) * stride;
  const Byte* left = value - 1;
  for (std::size_t i = 0; i < all; ++i) row3[i] = static_cast<Byte>(left[i] + left[i + 1] + left[i + 2]);
  for (std::size_t r = 0; r < rows; ++r) {
    const Byte* above = row3 + r * stride;
    Byte* to = out + r * cols;
    for (std::size_t c = 0; c < cols; ++c)
      to[c] = static_cast<Byte>(above[c] + above[c + stride] + above[c + 2 * stride]);
  }
}
void sums_any(const Byte* a, Byte* b, Byte* c, Byte* d, std::size_t r, std::size_t n) { sums_loop(a, b, c, d, r, n); }
MINEPROOF_AVX2 void sums_avx2(const Byte* a, Byte* b, Byte* c, Byte* d, std::size_t r, std::size_t n) {
  sums_loop(a, b, c, d, r, n);
}

// Fills the planes; false where a number is more than 8.
bool fill(const Position& position, Planes& p, Front& front) {
  std::memset(p.shown - 1, kNoClue, p.stride + 1);
  std::memset(p.shown + p.at(p.rows), kNoClue, p.stride);
  for (std::size_t r = 0; r < p.rows; ++r) {
    std::memcpy(p.shown + p.at(r), position.shown + r * p.cols, p.cols);
    p.shown[p.at(r) + p.cols] = kNoClue;
  }
  const Byte wild = p.loops->fill(p.shown - 1, p.value - 1, p.clue - 1, (p.rows + 2) * p.stride + 1);
  if (wild) {
    for (std::int32_t i = 0; i < position.graph->cells; ++i) {
      if (position.shown[i] > 8 && position.shown[i] <= kLargestClue) front.clash = i;
    }
    return false;
  }
  if (position.mines) {
    for (std::size_t r = 0; r < p.rows; ++r) {
      for (std::size_t c = 0; c < p.cols; ++c) {
        if (position.mines[r * p.cols + c] && p.value[p.at(r) + c] == 1) p.value[p.at(r) + c] = 16;
      }
    }
  }
  return true;
}

void read_out(Planes& p, Workspace& ws, Front& front) {
  const std::size_t first = p.at(0);
  const Counts counts =
      p.loops->mark(p.shown + first, p.value + first, p.clue + first, p.sum + first, p.fire + first, p.rows * p.stride);
  front.unknown = counts.unknown;
  front.known = counts.mines;
  front.mark = ws.arena.take<Mark>(p.rows * p.cols);
  for (std::size_t r = 0; r < p.rows; ++r)
    std::memcpy(static_cast<void*>(front.mark + r * p.cols), p.shown + p.at(r), p.cols);
  front.clue = ws.arena.take<Clue>(static_cast<std::size_t>(counts.live));
  if (!counts.live) return;
  const std::size_t end = p.at(p.rows);
  std::size_t row = 0;
  for (std::size_t i = first; i < end; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, p.fire + i, 8);  // behind the last row there are zeros
    for (; word; word &= word - 1) {
      const std::size_t x = i + static_cast<std::size_t>(std::countr_zero(word)) / 8;
      while (x >= p.at(row + 1)) ++row;
      const std::int32_t left = (p.clue[x] - (p.sum[x] & 0xf0)) / 16;
      front.clue[front.clues++] = {left, left, nullptr, static_cast<std::int32_t>(row * p.cols + (x - p.at(row)))};
    }
  }
}

// A clue that cannot be met.
std::int32_t find_clash(const Planes& p, std::size_t band) {
  for (std::size_t i = p.at(band * p.band_rows);; ++i) {
    const Byte mines = p.sum[i] & 0xf0;
    const Byte most = static_cast<Byte>(mines + (p.sum[i] << 4));
    if (p.clue[i] == kNot || (p.clue[i] >= mines && p.clue[i] <= most)) continue;
    return static_cast<std::int32_t>((i / p.stride - 1) * p.cols + i % p.stride);
  }
}

}  // namespace

const std::uint8_t* sums_around(const Graph& g, const Mark* mark, Workspace& ws) {
  const std::size_t rows = static_cast<std::size_t>(g.rows);
  const std::size_t cols = static_cast<std::size_t>(g.cols);
  const std::size_t size = (rows + 2) * (cols + 1) + 2 * kMargin;
  Byte* value = ws.arena.zeroed<Byte>(size) + kMargin;
  Byte* row3 = ws.arena.take<Byte>(size);
  Byte* out = ws.arena.take<Byte>(rows * cols);
  (has_avx2() ? sums_avx2 : sums_any)(reinterpret_cast<const Byte*>(mark), value, row3, out, rows, cols);
  return out;
}

Front read_front_grid(const Position& position, Workspace& ws) {
  Front front;
  Planes p = make_planes(*position.graph, ws);
  if (!fill(position, p, front)) return front;
  std::memset(p.changed - 1, 1, p.bands + 2);
  for (bool again = true; again;) {
    again = false;
    for (std::size_t b = 0; b < p.bands; ++b) {
      if (!p.near(p.changed, b)) continue;
      const std::size_t at = p.at(b * p.band_rows);
      const int seen =
          p.loops->look(p.value + at, p.row3, p.clue + at, p.sum + at, p.fire + at, p.band_cells(b), p.stride);
      if (seen & 2) {
        front.clash = find_clash(p, b);
        return front;
      }
      p.fired[b] = seen & 1;
    }
    std::memset(p.changed - 1, 0, p.bands + 2);
    for (std::size_t b = 0; b < p.bands; ++b) {
      if (!p.near(p.fired, b)) continue;
      const std::size_t at = p.at(b * p.band_rows);
      if (!p.loops->apply(p.fire + at, p.row3, p.value + at, p.band_cells(b), p.stride)) continue;
      again = true;
      p.changed[b] = 1;
    }
    for (std::size_t b = 0; b < p.bands; ++b) {
      if (!p.fired[b]) continue;
      std::memset(p.fire + p.at(b * p.band_rows), 0, p.band_cells(b));
      p.fired[b] = 0;
    }
    ws.spend(static_cast<std::int64_t>(p.bands) * 20);
  }
  read_out(p, ws, front);
  return front;
}

}  // namespace mineproof::exact

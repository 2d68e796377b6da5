// Single-point reasoning on a plain square board with exact clues, sixteen or more cells at a time.
//
// The board is copied into planes of bytes, one padding column per row and one padding row above and below, so that the
// sum over a 3x3 neighbourhood is two passes of shifted additions. A cell's value is 1 if unknown and 16 if a mine, so
// one sum holds both counts: unknown cells in the low nibble, mines in the high one. A clue fires when its number is
// reached by mines alone (everything else around it is safe) or only with all unknown cells (all of them are mines).
// Work is by bands of rows, of some 1,000 bytes, so that on large boards only bands near a change are looked at again.
#include <bit>

#include "front.hpp"
#include "vector.hpp"

namespace mineproof::exact {

namespace {

using Byte = std::uint8_t;

constexpr Byte kNot = 0xff;  // in the clue plane: no clue here
constexpr std::size_t kMargin = 64;

// The loops. Planes never overlap.

MINEPROOF_INLINE Byte fill_loop(const Byte* __restrict shown, Byte* __restrict value, Byte* __restrict clue,
                                std::size_t n) {
  Byte wild = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Byte s = shown[i];
    value[i] = static_cast<Byte>((s == kHidden ? 1 : 0) | (s == kOpenedMine ? 16 : 0));
    const Byte number = s <= 8 ? 0xff : 0;
    clue[i] = static_cast<Byte>(((s << 4) & number) | (kNot & ~number));
    wild |= static_cast<Byte>(~number & (s <= kLargestClue ? 0xff : 0));
  }
  return wild;
}

// Whether any clue fires (bit 0) and whether any cannot be met (bit 1).
MINEPROOF_INLINE int look_loop(const Byte* __restrict value, Byte* __restrict row3, const Byte* __restrict clue,
                               Byte* __restrict sum, Byte* __restrict fire, std::size_t n, std::size_t stride) {
  const Byte* __restrict v = value - stride - 1;  // the cell to the left, so that no index is negative
  for (std::size_t i = 0; i < n + 2 * stride; ++i) row3[i] = static_cast<Byte>(v[i] + v[i + 1] + v[i + 2]);
  const Byte* __restrict above = row3;
  const Byte* __restrict same = row3 + stride;
  const Byte* __restrict below = row3 + 2 * stride;
  Byte any = 0;
  Byte bad = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Byte t = static_cast<Byte>(above[i] + same[i] + below[i]);
    const Byte mines = t & 0xf0;
    const Byte unknown = static_cast<Byte>(t << 4);
    const Byte most = static_cast<Byte>(mines + unknown);
    const Byte c = clue[i];
    const Byte is = c != kNot ? 0xff : 0;
    const Byte open = unknown != 0 ? 0xff : 0;
    const Byte safe = c == mines ? 1 : 0;
    const Byte mine = c == most ? 2 : 0;
    const Byte f = static_cast<Byte>((safe | mine) & open & is);
    bad = static_cast<Byte>(bad | (is & (c < mines ? 0xff : 0)) | (is & (c > most ? 0xff : 0)));
    sum[i] = t;
    fire[i] = f;
    any |= f;
  }
  return (any != 0 ? 1 : 0) | (bad != 0 ? 2 : 0);
}

MINEPROOF_INLINE bool apply_loop(const Byte* __restrict fire, Byte* __restrict row3, Byte* __restrict value,
                                 std::size_t n, std::size_t stride) {
  const Byte* __restrict f = fire - stride - 1;
  for (std::size_t i = 0; i < n + 2 * stride; ++i) row3[i] = f[i] | f[i + 1] | f[i + 2];
  const Byte* __restrict above = row3;
  const Byte* __restrict same = row3 + stride;
  const Byte* __restrict below = row3 + 2 * stride;
  Byte any = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Byte g = above[i] | same[i] | below[i];
    const Byte v = value[i];
    const Byte hit = static_cast<Byte>((v == 1 ? 0xff : 0) & (g != 0 ? 0xff : 0));
    // Safe wins where both are said: the other clue then finds itself short.
    const Byte to = (g & 1) != 0 ? 0 : 16;
    value[i] = static_cast<Byte>((v & ~hit) | (to & hit));
    any |= hit;
  }
  return any != 0;
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

Byte fill_any(const Byte* a, Byte* b, Byte* c, std::size_t n) { return fill_loop(a, b, c, n); }
int look_any(const Byte* a, Byte* b, const Byte* c, Byte* d, Byte* e, std::size_t n, std::size_t s) {
  return look_loop(a, b, c, d, e, n, s);
}
bool apply_any(const Byte* a, Byte* b, Byte* c, std::size_t n, std::size_t s) { return apply_loop(a, b, c, n, s); }
Counts mark_any(Byte* a, const Byte* b, const Byte* c, const Byte* d, Byte* e, std::size_t n) {
  return mark_loop(a, b, c, d, e, n);
}

MINEPROOF_AVX2 Byte fill_avx2(const Byte* a, Byte* b, Byte* c, std::size_t n) { return fill_loop(a, b, c, n); }
MINEPROOF_AVX2 int look_avx2(const Byte* a, Byte* b, const Byte* c, Byte* d, Byte* e, std::size_t n, std::size_t s) {
  return look_loop(a, b, c, d, e, n, s);
}
MINEPROOF_AVX2 bool apply_avx2(const Byte* a, Byte* b, Byte* c, std::size_t n, std::size_t s) {
  return apply_loop(a, b, c, n, s);
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

// Single-point reasoning on a plain square board with exact clues, sixteen cells at a time.
//
// The board is copied into planes of bytes, one padding column per row and one padding row above and below, so that the
// sum over a 3x3 neighbourhood is two passes of shifted additions. A cell's value is 1 if unknown and 16 if a mine, so
// one sum holds both counts: unknown cells in the low nibble, mines in the high one. A clue fires when its number is
// reached by mines alone (everything else around it is safe) or only with all unknown cells (all of them are mines).
// Work is by bands of rows, of some 1,000 bytes, so that on large boards only bands near a change are looked at again.
#include "front.hpp"

namespace mineproof::exact {

namespace {

constexpr std::uint8_t kNot = 0xff;  // in the clue plane: no clue here

struct Planes {
  std::int32_t rows;
  std::int32_t cols;
  std::size_t stride;
  std::size_t band_rows;
  std::size_t bands;
  std::uint8_t* value;  // 1 unknown, 16 mine, 0 neither
  std::uint8_t* clue;   // 16 * number, or kNot
  std::uint8_t* sum;    // of the values around
  std::uint8_t* fire;   // 1: all unknown around are safe, 2: are mines
  std::uint8_t* row3;   // scratch: sums or unions of three in a row
  std::uint8_t* fired;  // per band, with one more at each end
  std::uint8_t* changed;

  std::size_t at(std::size_t row) const { return (row + 1) * stride; }
};

constexpr std::size_t kMargin = 64;

Planes make_planes(const Graph& g, Workspace& ws) {
  Planes p;
  p.rows = g.rows;
  p.cols = g.cols;
  p.stride = static_cast<std::size_t>(g.cols) + 1;
  p.band_rows = std::max<std::size_t>(1, 1024 / p.stride);
  p.bands = (static_cast<std::size_t>(g.rows) + p.band_rows - 1) / p.band_rows;
  const std::size_t size = (static_cast<std::size_t>(g.rows) + 2) * p.stride + 2 * kMargin;
  p.value = ws.arena.take<std::uint8_t>(size) + kMargin;
  p.clue = ws.arena.take<std::uint8_t>(size) + kMargin;
  p.sum = ws.arena.take<std::uint8_t>(size) + kMargin;
  p.fire = ws.arena.zeroed<std::uint8_t>(size) + kMargin;
  p.row3 = ws.arena.take<std::uint8_t>((p.band_rows + 2) * p.stride + 2 * kMargin) + kMargin;
  p.fired = ws.arena.zeroed<std::uint8_t>(p.bands + 2) + 1;
  p.changed = ws.arena.take<std::uint8_t>(p.bands + 2) + 1;
  return p;
}

// Fills values and clues; false where a number is more than 8.
bool fill(const Position& position, Planes& p, Front& front) {
  const std::size_t cols = static_cast<std::size_t>(p.cols);
  const std::size_t rows = static_cast<std::size_t>(p.rows);
  std::memset(p.value - 1, 0, p.stride + 1);
  std::memset(p.value + p.at(rows), 0, p.stride);
  std::uint8_t wild = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    const std::uint8_t* shown = position.shown + r * cols;
    std::uint8_t* value = p.value + p.at(r);
    std::uint8_t* clue = p.clue + p.at(r);
    for (std::size_t c = 0; c < cols; ++c) {
      const std::uint8_t s = shown[c];
      value[c] = static_cast<std::uint8_t>((s == kHidden ? 1 : 0) | (s == kOpenedMine ? 16 : 0));
      clue[c] = s <= 8 ? static_cast<std::uint8_t>(s * 16) : kNot;
      wild |= s > 8 && s <= kLargestClue ? 1 : 0;
    }
    if (position.mines) {
      const std::uint8_t* mines = position.mines + r * cols;
      for (std::size_t c = 0; c < cols; ++c) {
        if (mines[c] && shown[c] == kHidden) value[c] = 16;
      }
    }
    value[cols] = 0;
    clue[cols] = kNot;
  }
  if (!wild) return true;
  for (std::int32_t i = 0; i < position.graph->cells; ++i) {
    if (position.shown[i] > 8 && position.shown[i] <= kLargestClue) front.clash = i;
  }
  return false;
}

// Sums and fires of one band. True when a clue cannot be met.
bool look(Planes& p, std::size_t band) {
  const std::size_t first = band * p.band_rows;
  const std::size_t rows = std::min(p.band_rows, static_cast<std::size_t>(p.rows) - first);
  const std::size_t n = rows * p.stride;
  const std::size_t s = p.stride;
  {
    const std::uint8_t* __restrict v = p.value + p.at(first) - s;
    std::uint8_t* __restrict h = p.row3;
    for (std::size_t i = 0; i < n + 2 * s; ++i) h[i] = static_cast<std::uint8_t>(v[i - 1] + v[i] + v[i + 1]);
  }
  const std::uint8_t* __restrict h = p.row3;
  const std::uint8_t* __restrict clue = p.clue + p.at(first);
  std::uint8_t* __restrict sum = p.sum + p.at(first);
  std::uint8_t* __restrict fire = p.fire + p.at(first);
  std::uint8_t any = 0;
  std::uint8_t bad = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint8_t t = static_cast<std::uint8_t>(h[i] + h[i + s] + h[i + 2 * s]);
    const std::uint8_t mines = t & 0xf0;
    const std::uint8_t unknown = static_cast<std::uint8_t>(t << 4);
    const std::uint8_t most = static_cast<std::uint8_t>(mines + unknown);
    const std::uint8_t c = clue[i];
    const std::uint8_t is = c != kNot ? 0xff : 0;
    const std::uint8_t open = unknown != 0 ? 0xff : 0;
    const std::uint8_t safe = c == mines ? 1 : 0;
    const std::uint8_t mine = c == most ? 2 : 0;
    const std::uint8_t f = static_cast<std::uint8_t>((safe | mine) & open & is);
    bad = static_cast<std::uint8_t>(bad | (is & (c < mines ? 0xff : 0)) | (is & (c > most ? 0xff : 0)));
    sum[i] = t;
    fire[i] = f;
    any |= f;
  }
  p.fired[band] = any != 0;
  return bad != 0;
}

// Decides the unknown cells of a band around clues that fired. True when there were any.
bool apply(Planes& p, std::size_t band) {
  const std::size_t first = band * p.band_rows;
  const std::size_t rows = std::min(p.band_rows, static_cast<std::size_t>(p.rows) - first);
  const std::size_t n = rows * p.stride;
  const std::size_t s = p.stride;
  {
    const std::uint8_t* __restrict f = p.fire + p.at(first) - s;
    std::uint8_t* __restrict h = p.row3;
    for (std::size_t i = 0; i < n + 2 * s; ++i) h[i] = f[i - 1] | f[i] | f[i + 1];
  }
  const std::uint8_t* __restrict h = p.row3;
  std::uint8_t* __restrict value = p.value + p.at(first);
  std::uint8_t any = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint8_t f = h[i] | h[i + s] | h[i + 2 * s];
    const std::uint8_t v = value[i];
    const std::uint8_t hit = v == 1 && f != 0 ? 0xff : 0;
    // Safe wins where both are said: the other clue then finds itself short.
    const std::uint8_t to = (f & 1) != 0 ? 0 : 16;
    value[i] = static_cast<std::uint8_t>((v & ~hit) | (to & hit));
    any |= hit;
  }
  return any != 0;
}

void read_out(const Position& position, const Planes& p, Workspace& ws, Front& front) {
  const std::size_t cols = static_cast<std::size_t>(p.cols);
  const std::size_t rows = static_cast<std::size_t>(p.rows);
  front.mark = ws.arena.take<Mark>(rows * cols);
  std::uint8_t* mark = reinterpret_cast<std::uint8_t*>(front.mark);
  std::int64_t live = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    const std::uint8_t* __restrict shown = position.shown + r * cols;
    const std::uint8_t* __restrict value = p.value + p.at(r);
    const std::uint8_t* __restrict sum = p.sum + p.at(r);
    const std::uint8_t* __restrict clue = p.clue + p.at(r);
    std::uint8_t* __restrict fire = p.fire + p.at(r);
    std::uint8_t* __restrict out = mark + r * cols;
    for (std::size_t block = 0; block < cols; block += 240) {  // so that counts fit a byte
      const std::size_t end = std::min(cols, block + 240);
      std::uint8_t unknowns = 0;
      std::uint8_t mines = 0;
      std::uint8_t lives = 0;
      for (std::size_t c = block; c < end; ++c) {
        const std::uint8_t v = value[c];
        const std::uint8_t hidden = shown[c] == kHidden ? 0xff : 0;
        const std::uint8_t decided = static_cast<std::uint8_t>((v == 16 ? 2 : 1) & (v == 1 ? 0 : 0xff));
        const std::uint8_t opened = v == 16 ? 4 : 3;
        out[c] = static_cast<std::uint8_t>((decided & hidden) | (opened & ~hidden));
        const std::uint8_t alive = clue[c] != kNot && (sum[c] & 15) != 0 ? 1 : 0;
        fire[c] = alive;
        unknowns = static_cast<std::uint8_t>(unknowns + (v == 1 ? 1 : 0));
        mines = static_cast<std::uint8_t>(mines + (v == 16 ? 1 : 0));
        lives = static_cast<std::uint8_t>(lives + alive);
      }
      front.unknown += unknowns;
      front.known += mines;
      live += lives;
    }
  }
  front.clue = ws.arena.take<Clue>(static_cast<std::size_t>(live));
  if (!live) return;
  for (std::size_t r = 0; r < rows; ++r) {
    const std::uint8_t* fire = p.fire + p.at(r);
    for (std::size_t c = 0; c < cols; c += 8) {
      std::uint64_t word;
      std::memcpy(&word, fire + c, 8);  // reads into the padding, whose bytes are 0
      if (cols - c < 8) word &= (std::uint64_t{1} << ((cols - c) * 8)) - 1;
      for (; word; word &= word - 1) {
        const std::size_t x = c + static_cast<std::size_t>(__builtin_ctzll(word)) / 8;
        const std::size_t i = p.at(r) + x;
        const std::int32_t left = (p.clue[i] - (p.sum[i] & 0xf0)) / 16;
        front.clue[front.clues++] = {left, left, nullptr, static_cast<std::int32_t>(r * cols + x)};
      }
    }
  }
}

}  // namespace

Front read_front_grid(const Position& position, Workspace& ws) {
  Front front;
  Planes p = make_planes(*position.graph, ws);
  if (!fill(position, p, front)) return front;
  std::memset(p.changed - 1, 1, p.bands + 2);
  for (bool again = true; again;) {
    again = false;
    for (std::size_t b = 0; b < p.bands; ++b) {
      if (!(p.changed[b - 1] | p.changed[b] | p.changed[b + 1])) continue;
      if (!look(p, b)) continue;
      for (std::size_t i = p.at(b * p.band_rows);; ++i) {  // find the clue that cannot be met
        const std::uint8_t mines = p.sum[i] & 0xf0;
        const std::uint8_t most = static_cast<std::uint8_t>(mines + (p.sum[i] << 4));
        if (p.clue[i] == kNot || (p.clue[i] >= mines && p.clue[i] <= most)) continue;
        const std::size_t row = i / p.stride - 1;
        front.clash = static_cast<std::int32_t>(row * static_cast<std::size_t>(p.cols) + i % p.stride);
        return front;
      }
    }
    std::memset(p.changed - 1, 0, p.bands + 2);
    for (std::size_t b = 0; b < p.bands; ++b) {
      if (!(p.fired[b - 1] | p.fired[b] | p.fired[b + 1])) continue;
      if (!apply(p, b)) continue;
      again = true;
      p.changed[b] = 1;
    }
    for (std::size_t b = 0; b < p.bands; ++b) {
      if (!p.fired[b]) continue;
      const std::size_t first = b * p.band_rows;
      const std::size_t rows = std::min(p.band_rows, static_cast<std::size_t>(p.rows) - first);
      std::memset(p.fire + p.at(first), 0, rows * p.stride);
      p.fired[b] = 0;
    }
    ws.spend(static_cast<std::int64_t>(p.bands) * 20);
  }
  read_out(position, p, ws, front);
  return front;
}

}  // namespace mineproof::exact

// The loops of a sweep over a plain square board, many cells at a time. Internal to sweep_grid.cpp.
//
// A plane has a byte a cell. A row is a whole number of blocks, with at least one empty column at its end, so that what lies
// around a cell is found by shifts; the inner loop over a block has a fixed length. A cell's value is 1 if unknown and 16 if a
// mine: one sum over 3x3 cells holds both counts, the mines in the high nibble. A clue is 16 times its number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "exact/vector.hpp"

namespace mineproof::search::planes {

using Byte = std::uint8_t;
using Index = std::ptrdiff_t;
using In = const Byte* __restrict;
using Out = Byte* __restrict;

inline constexpr Index kBlock = 32;
inline constexpr Byte kNot = 0xff;  // no clue
inline constexpr Byte kFar = 64;    // what no clue lacks
inline constexpr Byte kUnknown = 1, kMine = 16;

// The loops, over n cells from the beginning of a row on, whole blocks of them. Planes never overlap; `s` is the length of a row.

MINEPROOF_INLINE void sum_loop(In value, Out out, Index n, Index s) {
  for (Index b = 0; b < n; b += kBlock) {
    for (Index i = b; i < b + kBlock; ++i) {
      const Byte above = static_cast<Byte>(value[i - s - 1] + value[i - s] + value[i - s + 1]);
      const Byte same = static_cast<Byte>(value[i - 1] + value[i] + value[i + 1]);
      const Byte below = static_cast<Byte>(value[i + s - 1] + value[i + s] + value[i + s + 1]);
      out[i] = static_cast<Byte>(above + same + below);
    }
  }
}

// Which clues settle what is around them: 1 where it is safe, 2 where all are mines.
MINEPROOF_INLINE Byte fire_loop(In value, In clue, Out sum, Out fire, Index n, Index s) {
  sum_loop(value, sum, n, s);
  Byte any = 0;
  for (Index b = 0; b < n; b += kBlock) {
    for (Index i = b; i < b + kBlock; ++i) {
      const Byte mines = sum[i] & 0xf0;
      const Byte unknown = static_cast<Byte>(sum[i] << 4);
      const Byte c = clue[i];
      const Byte safe = c == mines ? 1 : 0;
      const Byte mine = c == static_cast<Byte>(mines + unknown) ? 2 : 0;
      const Byte says = static_cast<Byte>((unknown != 0 ? 0xff : 0) & (c != kNot ? 0xff : 0));
      fire[i] = static_cast<Byte>((safe | mine) & says);
      any |= fire[i];
    }
  }
  return any;
}

// Takes in what the clues around say, and tells it: 1 where a cell is proved to be safe, 2 where it is proved to be a mine.
MINEPROOF_INLINE void prove_loop(In fire, Out value, Out safe, Out proved, Index n, Index s) {
  for (Index b = 0; b < n; b += kBlock) {
    for (Index i = b; i < b + kBlock; ++i) {
      const Byte above = static_cast<Byte>(fire[i - s - 1] | fire[i - s] | fire[i - s + 1]);
      const Byte same = static_cast<Byte>(fire[i - 1] | fire[i] | fire[i + 1]);
      const Byte below = static_cast<Byte>(fire[i + s - 1] | fire[i + s] | fire[i + s + 1]);
      const Byte said = static_cast<Byte>((above | same | below) & (value[i] == kUnknown ? 0xff : 0));
      const Byte open = (said & 1) != 0 ? 0xff : 0;
      const Byte mine = (said & 2) != 0 ? 0xff : 0;
      value[i] = static_cast<Byte>((value[i] & ~(open | mine)) | (mine & kMine));
      safe[i] |= open;
      proved[i] = said;
    }
  }
}

// Opens cells that are proved to be safe; how many.
MINEPROOF_INLINE std::int32_t open_loop(Out safe, In count, Out shown, Out clue, Index s) {
  std::int32_t opened = 0;
  for (Index b = 0; b < s; b += kBlock) {
    Byte here = 0;
    for (Index i = b; i < b + kBlock; ++i) {
      const Byte open = safe[i];
      clue[i] = static_cast<Byte>((clue[i] & ~open) | ((count[i] & 0xf0) & open));
      shown[i] = static_cast<Byte>((shown[i] & ~open) | ((count[i] >> 4) & open));
      here = static_cast<Byte>(here + (open & 1));
      safe[i] = 0;
    }
    opened += here;
  }
  return opened;
}

// What the live clues lack: mines, and safe cells; kFar elsewhere. `unknown` is their number around every cell.
MINEPROOF_INLINE void lack_loop(In value, In clue, Out sum, Out mines, Out safe, Out unknown, Out is, Index n, Index s) {
  sum_loop(value, sum, n, s);
  for (Index b = 0; b < n; b += kBlock) {
    for (Index i = b; i < b + kBlock; ++i) {
      const Byte around = sum[i] & 15;
      const Byte live = static_cast<Byte>((around != 0 ? 0xff : 0) & (clue[i] != kNot ? 0xff : 0));
      const Byte lacks = static_cast<Byte>(static_cast<Byte>(clue[i] - (sum[i] & 0xf0)) >> 4);
      mines[i] = static_cast<Byte>((lacks & live) | (kFar & ~live));
      safe[i] = static_cast<Byte>((static_cast<Byte>(around - lacks) & live) | (kFar & ~live));
      unknown[i] = around;
      is[i] = value[i] & kUnknown;
    }
  }
}

// Where clues that share `both` unknown cells settle what either has beside them: these hold at most as many safe cells as one
// lacks, and as many mines as the other does, and where they hold just that the rest is known.
MINEPROOF_INLINE Byte settles(Byte mines, Byte safe, Byte unknown, Byte other_mines, Byte other_safe, Byte other_unknown,
                              Byte both) {
  const Byte one = both == static_cast<Byte>(safe + other_mines) ? 0xff : 0;
  const Byte other = both == static_cast<Byte>(other_safe + mines) ? 0xff : 0;
  const Byte beside = static_cast<Byte>((unknown ^ both) | (other_unknown ^ both));
  return static_cast<Byte>((one | other) & (beside != 0 ? 0xff : 0));
}

// Compares clues with those to the right and in the two rows below: with all that share two cells or more.
MINEPROOF_INLINE Byte pair_loop(In m, In f, In u, In is, Out found, Index n, Index s) {
  Byte any = 0;
  for (Index b = 0; b < n; b += kBlock) {
    for (Index i = b; i < b + kBlock; ++i) {
      const Index j = i + s, k = j + s;
      const Byte left = static_cast<Byte>(is[i - 1] + is[j - 1]);  // two of a column, here and in the row below
      const Byte here = static_cast<Byte>(is[i] + is[j]);
      const Byte right = static_cast<Byte>(is[i + 1] + is[j + 1]);
      const Byte next = static_cast<Byte>(right + is[i - s + 1]);  // three of the next column
      const Byte below_left = static_cast<Byte>(is[j - 1] + is[j]);
      const Byte below_right = static_cast<Byte>(is[j] + is[j + 1]);
      Byte t = settles(m[i], f[i], u[i], m[i + 1], f[i + 1], u[i + 1], static_cast<Byte>(here + is[i - s] + next));
      t |= settles(m[i], f[i], u[i], m[i + 2], f[i + 2], u[i + 2], next);
      t |= settles(m[i], f[i], u[i], m[j], f[j], u[j], static_cast<Byte>(left + here + right));
      t |= settles(m[i], f[i], u[i], m[k], f[k], u[k], static_cast<Byte>(below_left + is[j + 1]));
      t |= settles(m[i], f[i], u[i], m[j + 1], f[j + 1], u[j + 1], static_cast<Byte>(here + right));
      t |= settles(m[i], f[i], u[i], m[j - 1], f[j - 1], u[j - 1], static_cast<Byte>(left + here));
      t |= settles(m[i], f[i], u[i], m[j + 2], f[j + 2], u[j + 2], right);
      t |= settles(m[i], f[i], u[i], m[j - 2], f[j - 2], u[j - 2], left);
      t |= settles(m[i], f[i], u[i], m[k + 1], f[k + 1], u[k + 1], below_right);
      t |= settles(m[i], f[i], u[i], m[k - 1], f[k - 1], u[k - 1], below_left);
      found[i] = t;
      any |= t;
    }
  }
  return any;
}

// Whether any byte of a row is not 0.
MINEPROOF_INLINE bool any_of(const Byte* row, Index s) {
  std::uint64_t any = 0;
  for (Index i = 0; i < s; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, row + i, sizeof word);
    any |= word;
  }
  return any != 0;
}

}  // namespace mineproof::search::planes

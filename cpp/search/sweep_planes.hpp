// Bitboards of a plain square board: a plane has one machine word per row, one bit per cell; and what clues
// prove on them, all cells at a time. Internal to sweep_grid.cpp.
//
// Counts are bit-sliced: one plane per binary digit, added by full adders for all cells of some rows at once. Left and
// right neighbours are a shift away, those above and below in the word before or after. Bits past the last column may
// hold anything: they are only ever read together with planes that are 0 there.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "exact/vector.hpp"

namespace mineproof::search::planes {

using Index = std::ptrdiff_t;

inline constexpr Index kPad = 4;  // empty rows above and below, at least

// Some rows at a time.
template <class Word>
struct Vector;
template <>
struct Vector<std::uint32_t> {
  typedef std::uint32_t Rows __attribute__((vector_size(32)));
};
template <>
struct Vector<std::uint64_t> {
  typedef std::uint64_t Rows __attribute__((vector_size(32)));
};
template <class Word>
using Rows = typename Vector<Word>::Rows;
template <class Word>
inline constexpr Index kRows = sizeof(Rows<Word>) / sizeof(Word);

template <class Word>
MINEPROOF_INLINE Rows<Word> load(const Word* at) {
  Rows<Word> rows;
  std::memcpy(&rows, at, sizeof rows);
  return rows;
}
template <class Word>
MINEPROOF_INLINE void store(Rows<Word> rows, Word* at) {
  std::memcpy(at, &rows, sizeof rows);
}
template <class V>
MINEPROOF_INLINE bool any_of(V rows) {
  std::uint64_t word[sizeof rows / sizeof(std::uint64_t)];
  std::memcpy(word, &rows, sizeof rows);
  return (word[0] | word[1] | word[2] | word[3]) != 0;
}

// A number for every cell, by its digits.
template <class V>
struct Two {
  V ones, twos;
};
template <class V>
struct Three {
  V ones, twos, fours;
};
template <class V>
struct Four {
  V ones, twos, fours, eights;
};

template <class V>
MINEPROOF_INLINE Two<V> add(V a, V b, V c) {
  const V odd = a ^ b;
  return {odd ^ c, (a & b) | (odd & c)};
}
template <class V>
MINEPROOF_INLINE Three<V> add(Two<V> a, Two<V> b) {
  const V carry = a.ones & b.ones;
  const Two<V> twos = add<V>(a.twos, b.twos, carry);
  return {a.ones ^ b.ones, twos.ones, twos.twos};
}
template <class V>
MINEPROOF_INLINE Four<V> add(Two<V> a, Two<V> b, Two<V> c) {
  const Two<V> ones = add<V>(a.ones, b.ones, c.ones);
  const Two<V> twos = add<V>(a.twos, b.twos, c.twos);
  const V fours = twos.ones & ones.twos;
  return {ones.ones, twos.ones ^ ones.twos, twos.twos ^ fours, twos.twos & fours};
}

// Where two numbers differ.
template <class V>
MINEPROOF_INLINE V differ(Four<V> a, Four<V> b) {
  return (a.ones ^ b.ones) | (a.twos ^ b.twos) | (a.fours ^ b.fours) | (a.eights ^ b.eights);
}
template <class V>
MINEPROOF_INLINE V differ(Three<V> a, Three<V> b) {
  return (a.ones ^ b.ones) | (a.twos ^ b.twos) | (a.fours ^ b.fours);
}

// Where a < b.
template <class V>
MINEPROOF_INLINE V below(Four<V> a, Four<V> b) {
  V under = ~a.ones & b.ones;
  under = (~a.twos & b.twos) | (~(a.twos ^ b.twos) & under);
  under = (~a.fours & b.fours) | (~(a.fours ^ b.fours) & under);
  return (~a.eights & b.eights) | (~(a.eights ^ b.eights) & under);
}

// a - b, where that is from 0 to 7.
template <class V>
MINEPROOF_INLINE Three<V> less(Four<V> a, Four<V> b) {
  const V borrow = ~a.ones & b.ones;
  const V odd = a.twos ^ b.twos;
  const V next = (~a.twos & b.twos) | (~odd & borrow);
  return {a.ones ^ b.ones, odd ^ borrow, a.fours ^ b.fours ^ next};
}

// Where a number is not the sum of two others.
template <class V>
MINEPROOF_INLINE V no_sum(Three<V> number, Three<V> a, Three<V> b) {
  const V carry = a.ones & b.ones;
  const Two<V> twos = add<V>(a.twos, b.twos, carry);
  const Two<V> fours = add<V>(a.fours, b.fours, twos.twos);
  return (number.ones ^ a.ones ^ b.ones) | (number.twos ^ twos.ones) | (number.fours ^ fours.ones) | fours.twos;
}

// The bits of a plane in a row, and those right of them by so many columns, as seen from a cell.
template <class V>
MINEPROOF_INLINE V right(V row, int columns) {
  return columns >= 0 ? row >> columns : row << -columns;
}
template <class V>
MINEPROOF_INLINE Three<V> right(Three<V> row, int columns) {
  return {right(row.ones, columns), right(row.twos, columns), right(row.fours, columns)};
}
// How many of a cell and those beside it.
template <class V>
MINEPROOF_INLINE Two<V> row3(V row) {
  return add<V>(row << 1, row, row >> 1);
}
// How many of a cell and all around it, from the first of some rows on.
template <class Word>
MINEPROOF_INLINE Four<Rows<Word>> square3(const Word* at) {
  return add(row3(load(at - 1)), row3(load(at)), row3(load(at + 1)));
}
// A cell or any around it.
template <class Word>
MINEPROOF_INLINE Rows<Word> spread(const Word* at) {
  const Rows<Word> column = load(at - 1) | load(at) | load(at + 1);
  return column | column << 1 | column >> 1;
}

// --------------------------------------------------------------- what one clue proves, and two together

template <class Word>
class Plane {
 public:
  explicit Plane(Index rows) : words_(static_cast<std::size_t>(rows + kRows<Word> + 2 * kPad)) {}
  Word* row(Index r) { return words_.data() + kPad + r; }
  const Word* row(Index r) const { return words_.data() + kPad + r; }

 private:
  std::vector<Word> words_;
};

// A number for every cell, from 0 to 8.
template <class Word>
struct Numbers {
  explicit Numbers(Index rows) : ones(rows), twos(rows), fours(rows), eights(rows) {}
  Plane<Word> ones, twos, fours, eights;

  MINEPROOF_INLINE Four<Rows<Word>> load(Index r) const {
    return {planes::load(ones.row(r)), planes::load(twos.row(r)), planes::load(fours.row(r)),
            planes::load(eights.row(r))};
  }
  MINEPROOF_INLINE void store(Four<Rows<Word>> number, Index r) {
    planes::store(number.ones, ones.row(r));
    planes::store(number.twos, twos.row(r));
    planes::store(number.fours, fours.row(r));
    planes::store(number.eights, eights.row(r));
  }
  // Takes other numbers where these are 0 still.
  MINEPROOF_INLINE void add(Index r, const Numbers& other, Rows<Word> where) {
    const auto now = load(r), more = other.load(r);
    store({now.ones | (more.ones & where), now.twos | (more.twos & where), now.fours | (more.fours & where),
           now.eights | (more.eights & where)},
          r);
  }
  std::uint8_t at(Index row, Index col) const {
    const auto bit = [&](const Plane<Word>& plane) { return static_cast<std::uint8_t>(*plane.row(row) >> col & 1); };
    return static_cast<std::uint8_t>(bit(ones) | bit(twos) << 1 | bit(fours) << 2 | bit(eights) << 3);
  }
};

// The same from 0 to 7.
template <class Word>
struct Digits {
  explicit Digits(Index rows) : ones(rows), twos(rows), fours(rows) {}
  Plane<Word> ones, twos, fours;

  MINEPROOF_INLINE Three<Rows<Word>> load(Index r) const {
    return {planes::load(ones.row(r)), planes::load(twos.row(r)), planes::load(fours.row(r))};
  }
  MINEPROOF_INLINE void store(Three<Rows<Word>> number, Index r) {
    planes::store(number.ones, ones.row(r));
    planes::store(number.twos, twos.row(r));
    planes::store(number.fours, fours.row(r));
  }
};

// What a game changes.
template <class Word>
struct State {
  explicit State(Index rows) : unknown(rows), mine(rows), clue(rows), safe(rows), number(rows) {}

  Plane<Word> unknown;   // hidden, nothing is proved
  Plane<Word> mine;      // proved, or open
  Plane<Word> clue;      // open, with a number
  Plane<Word> safe;      // proved, and waiting for a layout to be opened
  Numbers<Word> number;  // of the clues, 0 elsewhere
};

// Clues are compared with another so many rows below and columns to the right: all that share two cells or more. One
// cell is not enough, for both clues lack a mine and a safe cell at least where single clues prove nothing any more.
struct Step {
  int rows, cols;
};
constexpr std::array<Step, 10> kSteps{
    {{0, 1}, {0, 2}, {1, 0}, {2, 0}, {1, 1}, {1, -1}, {1, 2}, {1, -2}, {2, 1}, {2, -1}}};

// The board, and scratch of the loops.
template <class Word>
struct Board {
  explicit Board(Index rows_)
      : rows(rows_),
        all((rows + kRows<Word> - 1) / kRows<Word> * kRows<Word>),
        now(rows),
        count(rows),
        hidden(rows),
        safe(rows),
        mine(rows),
        live(rows),
        lacks(rows),
        spares(rows),
        found(2 * kSteps.size(), Plane<Word>(rows)) {}

  Index rows, all;  // the latter of whole vectors
  State<Word> now;
  Numbers<Word> count;             // of the layout: mines around
  bool opens = false;              // a layout is there: what is safe is opened
  Plane<Word> hidden;              // all that may be mines
  Plane<Word> safe, mine;          // clues around which all is safe; all are mines
  Plane<Word> live;                // clues with unknown cells around
  Digits<Word> lacks, spares;      // how many mines such a clue lacks, and how many safe cells
  std::vector<Plane<Word>> found;  // by step: the upper clue's own cells are mines; the lower one's are
};

// What single clues prove; whether it is anything.
template <class Word>
MINEPROOF_INLINE bool settle(Board<Word>& b) {
  using V = Rows<Word>;
  State<Word>& now = b.now;
  Numbers<Word>& number = now.number;
  for (Index r = 0; r < b.all; r += kRows<Word>)
    store(load(now.unknown.row(r)) | load(now.mine.row(r)), b.hidden.row(r));
  V any{};
  for (Index r = 0; r < b.all; r += kRows<Word>) {
    const V clue = load(now.clue.row(r));
    const V more = differ(number.load(r), square3(now.mine.row(r)));   // than the mines that are known
    const V fewer = differ(number.load(r), square3(b.hidden.row(r)));  // than all that may be mines
    store(clue & ~more & fewer, b.safe.row(r));
    store(clue & more & ~fewer, b.mine.row(r));
    any |= clue & (more ^ fewer);
  }
  if (!any_of(any)) return false;
  const V opens = V{} | (b.opens ? static_cast<Word>(~Word{0}) : Word{0});
  for (Index r = 0; r < b.all; r += kRows<Word>) {
    const V unknown = load(now.unknown.row(r));
    const V safe = unknown & spread(b.safe.row(r));
    const V mines = unknown & spread(b.mine.row(r));
    store(unknown & ~(safe | mines), now.unknown.row(r));
    store(load(now.mine.row(r)) | mines, now.mine.row(r));
    store(load(now.safe.row(r)) | (safe & ~opens), now.safe.row(r));
    store(load(now.clue.row(r)) | (safe & opens), now.clue.row(r));
    number.add(r, b.count, safe & opens);
  }
  return true;
}

// What the live clues lack: mines, and safe cells.
template <class Word>
MINEPROOF_INLINE void read_lacks(Board<Word>& b) {
  const State<Word>& now = b.now;
  for (Index r = 0; r < b.all; r += kRows<Word>) {
    const auto number = now.number.load(r);
    store(load(now.clue.row(r)) & spread(now.unknown.row(r)), b.live.row(r));
    b.lacks.store(less(number, square3(now.mine.row(r))), r);
    b.spares.store(less(square3(b.hidden.row(r)), number), r);
  }
}

// How many unknown cells a clue shares with the one a step away.
template <class Word, int rows, int cols>
MINEPROOF_INLINE Three<Rows<Word>> shared(const Word* unknown) {
  using V = Rows<Word>;
  // Of a row: the columns around this clue that are around the other too.
  const auto of = [](V row) __attribute__((always_inline)) -> Two<V> {
    if constexpr (cols == 0) return row3(row);
    if constexpr (cols == 1 || cols == -1) return {row ^ right(row, cols), row & right(row, cols)};
    return {right(row, cols / 2), V{}};
  };
  if constexpr (rows == 0) {
    const Four<V> sum = add(of(load(unknown - 1)), of(load(unknown)), of(load(unknown + 1)));
    return {sum.ones, sum.twos, sum.fours};
  } else if constexpr (rows == 1) {
    return add(of(load(unknown)), of(load(unknown + 1)));
  } else {
    const Two<V> sum = of(load(unknown + 1));
    return {sum.ones, sum.twos, V{}};
  }
}

// Compares all clues with those a step away. What two share holds at most as many safe cells as one lacks and as many
// mines as the other does; where it holds just that, all else around the one are mines, and all else around the other
// is safe.
template <class Word, int rows, int cols>
MINEPROOF_INLINE Rows<Word> compare(Board<Word>& b, Plane<Word>& upper, Plane<Word>& lower) {
  using V = Rows<Word>;
  V any{};
  for (Index r = 0; r < b.all; r += kRows<Word>) {
    const Three<V> both = shared<Word, rows, cols>(b.now.unknown.row(r));
    const Three<V> lacks = b.lacks.load(r), other_lacks = right(b.lacks.load(r + rows), cols);
    const Three<V> spares = b.spares.load(r), other_spares = right(b.spares.load(r + rows), cols);
    // Clues that lack the same in every way have the same cells where they share enough: nothing follows.
    const V pair = load(b.live.row(r)) & right(load(b.live.row(r + rows)), cols) &
                   (differ(lacks, other_lacks) | differ(spares, other_spares));
    const V one = pair & ~no_sum(both, spares, other_lacks);
    const V other = pair & ~no_sum(both, other_spares, lacks);
    store(one, upper.row(r));
    store(other, lower.row(r));
    any |= one | other;
  }
  return any;
}

template <class Word, std::size_t... step>
MINEPROOF_INLINE bool compare_all(Board<Word>& b, std::index_sequence<step...>) {
  return any_of(
      (compare<Word, kSteps[step].rows, kSteps[step].cols>(b, b.found[2 * step], b.found[2 * step + 1]) | ...));
}

// All that is unknown around one clue and not around the other is a mine, and the other way round safe. Tells what is
// new.
template <class Word>
Word conclude(State<Word>& now, Index row, Index col, Index other_row, Index other_col) {
  const auto around = [](Index r, Index c, Index of) {  // the columns of a row that are around the cell (r, c)
    if (of < r - 1 || of > r + 1) return Word{0};
    return static_cast<Word>(c > 0 ? Word{7} << (c - 1) : Word{3});
  };
  Word any = 0;
  for (Index r = std::min(row, other_row) - 1; r <= std::max(row, other_row) + 1; ++r) {
    const Word one = around(row, col, r), other = around(other_row, other_col, r);
    const Word mines = *now.unknown.row(r) & one & ~other;
    const Word safe = *now.unknown.row(r) & other & ~one;
    *now.unknown.row(r) &= ~(mines | safe);
    *now.mine.row(r) |= mines;
    *now.safe.row(r) |= safe;
    any |= mines | safe;
  }
  return any;
}

// Opens what waits for it.
template <class Word>
MINEPROOF_INLINE void open_waiting(Board<Word>& b) {
  State<Word>& now = b.now;
  for (Index r = 0; r < b.all; r += kRows<Word>) {
    const auto safe = load(now.safe.row(r));
    store(load(now.clue.row(r)) | safe, now.clue.row(r));
    now.number.add(r, b.count, safe);
    store(Rows<Word>{}, now.safe.row(r));
  }
}

// Whether anything is new of what pairs of clues prove.
template <class Word>
bool conclude_all(Board<Word>& b) {
  Word any = 0;
  for (std::size_t s = 0; s < kSteps.size(); ++s) {
    for (Index r = 0; r < b.rows; ++r) {
      const Index below = r + kSteps[s].rows;
      for (Word left = *b.found[2 * s].row(r); left; left &= left - 1) {
        const Index c = std::countr_zero(left);
        any |= conclude(b.now, r, c, below, c + kSteps[s].cols);
      }
      for (Word left = *b.found[2 * s + 1].row(r); left; left &= left - 1) {
        const Index c = std::countr_zero(left);
        any |= conclude(b.now, below, c + kSteps[s].cols, r, c);
      }
    }
  }
  if (b.opens) open_waiting(b);
  return any != 0;
}

// Until nothing follows any more.
template <class Word>
MINEPROOF_INLINE void run_loop(Board<Word>& b) {
  do {
    while (settle(b)) {
    }
    read_lacks(b);
  } while (compare_all(b, std::make_index_sequence<kSteps.size()>()) && conclude_all(b));
}

}  // namespace mineproof::search::planes

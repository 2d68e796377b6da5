// Bitboards of a plain square board: a plane has one machine word per row, one bit per cell. Internal to
// sweep_rules.hpp.
//
// Counts are bit-sliced: one plane per binary digit, added by full adders for all cells of some rows at once. Left and
// right neighbours are a shift away, those above and below in the word before or after. Bits past the last column may
// hold anything: they are only ever read together with planes that are 0 there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

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

}  // namespace mineproof::search::planes

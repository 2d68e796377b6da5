// Running a tree program: polynomials from the leaves to the root and back.
//
// Rows are worked on four columns at a time, past their last column up to a multiple of four: what follows a row of a
// table is zero. On the way back such columns, and those that a table cannot have, hold numbers that mean nothing; they
// only ever meet zeros.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "tree.hpp"
#include "underflow.hpp"
#include "vector.hpp"

namespace mineproof::exact::rows {

// Sums stay in registers only if the loops over them are unrolled. clang does so unasked.
#if defined(__GNUC__) && !defined(__clang__)
#define MINEPROOF_UNROLL _Pragma("GCC unroll 4")
#else
#define MINEPROOF_UNROLL
#endif

using Four = double __attribute__((vector_size(32)));

inline constexpr std::int32_t kMargin = 16;  // zeros on both sides of a row that is copied, and around all tables

inline std::int32_t whole(std::int32_t n) { return (n + 3) & ~3; }
// Rows begin anywhere: a reference to four of their columns would claim an alignment they do not have.
MINEPROOF_INLINE Four four(const double* p) {
  Four x;
  std::memcpy(&x, p, sizeof x);
  return x;
}
MINEPROOF_INLINE void put(double* p, const Four& x) { std::memcpy(p, &x, sizeof x); }

MINEPROOF_INLINE double sum_of(const Four& x) { return (x[0] + x[1]) + (x[2] + x[3]); }

// to = a x + b y.
MINEPROOF_INLINE void combine(double a, const double* x, double b, const double* y, double* to, std::int32_t n) {
  for (std::int32_t i = 0; i < n; i += 4) put(to + i, a * four(x + i) + b * four(y + i));
}

// to[i] = the sum over j of b[j] a[i - j], for Lanes * 4 values of i from 0 on.
template <int Lanes>
MINEPROOF_INLINE void multiply_block(const double* a, const double* b, std::int32_t from, std::int32_t end,
                                     double* to) {
  Four sum[Lanes] = {};
  for (std::int32_t j = from; j < end; ++j) {
    MINEPROOF_UNROLL for (int l = 0; l < Lanes; ++l) sum[l] += b[j] * four(a - j + 4 * l);
  }
  MINEPROOF_UNROLL for (int l = 0; l < Lanes; ++l) put(to + 4 * l, sum[l]);
}

// The product of two polynomials; `a` has kMargin zeros on both sides, `to` room for a multiple of four.
MINEPROOF_INLINE void multiply(const double* a, std::int32_t n, const double* b, std::int32_t m, double* to) {
  const std::int32_t all = n + m - 1;
  for (std::int32_t i = 0; i < all;) {
    const std::int32_t left = all - i;
    const std::int32_t from = std::max(0, i - n + 1);
    if (left > 12) {
      multiply_block<4>(a + i, b, from, std::min(m, i + 16), to + i);
      i += 16;
    } else if (left > 8) {
      multiply_block<3>(a + i, b, from, std::min(m, i + 12), to + i);
      i += 12;
    } else if (left > 4) {
      multiply_block<2>(a + i, b, from, std::min(m, i + 8), to + i);
      i += 8;
    } else {
      multiply_block<1>(a + i, b, from, std::min(m, i + 4), to + i);
      i += 4;
    }
  }
}

// to[i] += w times the sum over j < m of b[j] d[i + j], for i < n and up to a multiple of four: columns side by side,
// for long rows,
template <int Lanes>
MINEPROOF_INLINE void correlate_block(const double* d, const double* b, std::int32_t m, double w, double* to) {
  Four sum[Lanes] = {};
  for (std::int32_t j = 0; j < m; ++j) {
    MINEPROOF_UNROLL for (int l = 0; l < Lanes; ++l) sum[l] += b[j] * four(d + j + 4 * l);
  }
  MINEPROOF_UNROLL for (int l = 0; l < Lanes; ++l) put(to + 4 * l, four(to + 4 * l) + w * sum[l]);
}
MINEPROOF_INLINE void correlate_long(const double* d, const double* b, std::int32_t m, double w, double* to,
                                     std::int32_t n) {
  for (std::int32_t i = 0; i < n;) {
    const std::int32_t left = n - i;
    if (left > 12) {
      correlate_block<4>(d + i, b, m, w, to + i);
      i += 16;
    } else if (left > 8) {
      correlate_block<3>(d + i, b, m, w, to + i);
      i += 12;
    } else if (left > 4) {
      correlate_block<2>(d + i, b, m, w, to + i);
      i += 8;
    } else {
      correlate_block<1>(d + i, b, m, w, to + i);
      i += 4;
    }
  }
}
// or one after the other, for short ones; zeros follow b.
template <int Columns>
MINEPROOF_INLINE void correlate_few(const double* d, const double* b, std::int32_t m, double w, double* to) {
  Four sum[Columns] = {};
  for (std::int32_t j = 0; j < m; j += 4) {
    MINEPROOF_UNROLL for (int l = 0; l < Columns; ++l) sum[l] += four(b + j) * four(d + j + l);
  }
  MINEPROOF_UNROLL for (int l = 0; l < Columns; ++l) to[l] += w * sum_of(sum[l]);
}
MINEPROOF_INLINE void correlate_short(const double* d, const double* b, std::int32_t m, double w, double* to,
                                      std::int32_t n) {
  std::int32_t i = 0;
  for (; i + 3 < n; i += 4) correlate_few<4>(d + i, b, m, w, to + i);
  if (i + 1 < n) {
    correlate_few<2>(d + i, b, m, w, to + i);
    i += 2;
  }
  if (i < n) correlate_few<1>(d + i, b, m, w, to + i);
}

MINEPROOF_INLINE double dot(const double* a, const double* b, std::int32_t n) {
  Four sum{0, 0, 0, 0};
  for (std::int32_t i = 0; i < n; i += 4) sum += four(a + i) * four(b + i);
  return sum_of(sum);
}

// Brings a table whose largest entry has left 2^-100..2^100 back to 2^0; gives the exponent taken out. Entries that are
// not 0 are no smaller than 2^least; `lost` becomes true where one of them gets too small for a double.
MINEPROOF_INLINE int rescale(double* c, std::int64_t n, std::int32_t& least, bool& lost) {
  Four most{0, 0, 0, 0};
  for (std::int64_t i = 0; i < n; i += 4) most = four(c + i) > most ? four(c + i) : most;
  const double largest = std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
  if (largest > 0x1p-100 && largest < 0x1p100) return 0;
  if (!(largest > 0)) return 0;
  int e;
  std::frexp(largest, &e);
  const double a = std::ldexp(1.0, -(e / 2));
  const double b = std::ldexp(1.0, -(e - e / 2));
  if (least - e < kLeastExponent) {
    least = smallest_exponent(c, static_cast<std::size_t>(n));
    lost = lost || least - e < kLeastExponent;
  }
  least -= e;
  for (std::int64_t i = 0; i < n; ++i) c[i] = c[i] * a * b;
  return e;
}

// The memory that the passes work in.
struct Scratch {
  double* margined;    // a row between kMargin zeros
  double* product[2];  // rows of products, between zeros; the second begins one column later, after a zero
  double* wide;        // the rows of a table, each between kMargin zeros
  double* power;       // of the fugacity
  std::int32_t mine;   // bits that the fugacity takes off for each mine
};

// Numbers stay in range: a table can grow by so many bits for each cell behind it, outside weights by as many for each
// cell that is not. Past kBits they are brought back.
inline constexpr std::int32_t kBits = 100;

inline void plan_rescaling(const TreeProgram& p, double fugacity, Arena& arena, TreeForward& f) {
  const std::size_t nodes = static_cast<std::size_t>(p.nodes);
  f.due = arena.take<bool>(2 * nodes);
  f.due_back = f.due + nodes;
  const std::int32_t growth = 1 + std::abs(std::ilogb(fugacity));
  const Arena::Mark mark = arena.mark();
  std::int32_t* grown = arena.take<std::int32_t>(2 * nodes);
  std::int32_t* back = grown + nodes;
  for (std::int32_t i = 0; i < p.nodes; ++i) {
    const TreeNode& node = p.node[i];
    grown[i] = (node.values - 1) * growth;
    for (std::int32_t j = 0; j < node.children; ++j) grown[i] += grown[node.child[j]];
    f.due[i] = grown[i] > kBits;
    if (f.due[i]) grown[i] = 0;
  }
  back[p.nodes - 1] = 0;
  for (std::int32_t i = p.nodes - 1; i >= 0; --i) {
    const TreeNode& node = p.node[i];
    for (std::int32_t j = 0; j < node.children; ++j) {
      const std::int32_t child = node.child[j];
      back[child] = back[i] + (node.values - 1) * growth;
      if (node.children == 2) back[child] += grown[node.child[1 - j]];
      f.due_back[child] = back[child] > kBits;
      if (f.due_back[child]) back[child] = 0;
    }
  }
  arena.release(mark);
}

// How far rows are apart between zeros.
inline std::int32_t wide_stride(std::int32_t length) { return whole(length) + kMargin; }

inline Scratch make_scratch(const TreeProgram& p, double fugacity, Arena& arena) {
  const std::size_t n = static_cast<std::size_t>(p.longest) + 3 * kMargin;
  double* rows = arena.zeroed<double>(3 * n) + kMargin;
  Scratch s{};
  s.margined = rows;
  s.product[0] = rows + n;
  s.product[1] = rows + 2 * n;
  s.power = arena.take<double>(static_cast<std::size_t>(p.most_values));
  s.mine = bits_of_mine(fugacity);
  s.wide = nullptr;
  s.power[0] = 1;
  for (std::int32_t k = 1; k < p.most_values; ++k) s.power[k] = s.power[k - 1] * fugacity;
  return s;
}

MINEPROOF_INLINE std::int64_t table_size(const TreeNode& node) {
  return static_cast<std::int64_t>(node.rows) * node.stride;
}

// Tables one behind the other: before each row there is a zero, the last of the row before.
inline double** make_tables(const TreeProgram& p, Arena& arena) {
  double** table = arena.take<double*>(static_cast<std::size_t>(p.nodes));
  double* at = arena.take<double>(static_cast<std::size_t>(p.entries) + 2 * kMargin);
  std::fill_n(at, kMargin, 0.0);
  at += kMargin;
  for (std::int32_t i = 0; i < p.nodes; ++i) {
    table[i] = at;
    at += table_size(p.node[i]);
  }
  std::fill_n(at, kMargin, 0.0);
  return table;
}

}  // namespace mineproof::exact::rows

namespace mineproof::exact {

namespace {

using namespace rows;

MINEPROOF_INLINE void clear(double* to, std::int32_t n) {
  for (std::int32_t i = 0; i < n; i += 4) put(to + i, Four{0, 0, 0, 0});
}

// The tables that come in, at one entry: a child's row, or the product of two.
struct ChildTables {
  std::int32_t low = 0;
  std::int32_t columns = 1;
  const double* table[2] = {};
  std::int32_t stride[2] = {};
  std::int32_t length[2] = {};
  const std::uint16_t* row[2] = {};

  MINEPROOF_INLINE ChildTables(const TreeProgram& p, const TreeNode& node, double* const* tables) {
    for (std::int32_t i = 0; i < node.children; ++i) {
      const TreeNode& child = p.node[node.child[i]];
      low += child.low;
      columns += child.length - 1;
      table[i] = tables[node.child[i]];
      stride[i] = child.stride;
      length[i] = child.length;
      row[i] = node.row[i];
    }
  }
  MINEPROOF_INLINE std::int32_t at(int i, std::int32_t e) const { return row[i][e] * stride[i]; }

  // Copies the second table with zeros between its rows, where products need them. All rows at once: a row that is read
  // at other places than it was just written takes the processor ten times as long.
  MINEPROOF_INLINE void widen(std::int32_t rows, double* to) {
    if (length[0] == 2) return;
    const std::int32_t end = whole(length[1]);
    const double* from = table[1];
    clear(to, kMargin);
    to += kMargin;
    wide = to;
    for (std::int32_t r = 0; r < rows; ++r, from += stride[1], to += end + kMargin) {
      for (std::int32_t i = 0; i < end; i += 4) put(to + i, four(from + i));
      clear(to + end, kMargin);
    }
  }

  // After `widen`.
  MINEPROOF_INLINE void product(std::int32_t e, double* to) const {
    const double* b = table[0] + at(0, e);
    if (length[0] == 2) {  // most often
      const double* a = table[1] + at(1, e);
      combine(b[0], a, b[1], a - 1, to, columns);  // a zero lies before it
    } else {
      multiply(wide + row[1][e] * wide_stride(length[1]), length[1], b, length[0], to);
    }
    clear(to + whole(columns), 4);
  }

 private:
  const double* wide = nullptr;
};

// One node's table from those of its children.
MINEPROOF_INLINE void forward_loop(const TreeProgram& p, const TreeNode& node, double* const* table, const Scratch& s,
                                   double* out) {
  const std::int32_t values = node.values;
  const std::int32_t rows = node.rows;
  const std::int32_t length = node.length;
  const std::int32_t stride = node.stride;
  const double* weight = node.weight;
  ChildTables in(p, node, table);
  const std::int32_t cut = node.low - in.low;  // columns at the low end that no row has
  const std::int32_t children = node.children;
  if (children == 2) in.widen(p.node[node.child[1]].rows, s.wide);
  if (children == 0) {
    for (std::int32_t r = 0; r < rows; ++r, out += stride, weight += values) {
      clear(out, stride);
      for (std::int32_t k = 0; k < length; ++k) out[k] = weight[k + cut] * s.power[k + cut];
    }
    return;
  }
  if (values == 2 && cut == 0) {
    const double mine = s.power[1];
    const std::int32_t end = whole(length);
    for (std::int32_t r = 0; r < rows; ++r, out += stride) {
      const double a = weight[2 * r];
      const double b = weight[2 * r + 1] * mine;
      const double* x = s.product[0];
      const double* y = s.product[1];  // one column later, after a zero
      if (children == 1) {
        x = in.table[0] + in.at(0, 2 * r);
        y = in.table[0] + in.at(0, 2 * r + 1) - 1;
      } else {
        if (a > 0) in.product(2 * r, s.product[0]);
        if (b > 0) in.product(2 * r + 1, s.product[1] + 1);
      }
      combine(a, x, b, y, out, end);
      clear(out + end, stride - end);
    }
    return;
  }
  std::int32_t e = 0;
  for (std::int32_t r = 0; r < rows; ++r, out += stride) {
    clear(out, stride);
    for (std::int32_t k = 0; k < values; ++k, ++e) {
      const double w = weight[e] * s.power[k];
      if (!(w > 0)) continue;
      const double* x = s.product[0];
      if (children == 1)
        x = in.table[0] + in.at(0, e);
      else
        in.product(e, s.product[0]);
      const std::int32_t from = std::max(0, cut - k);
      const std::int32_t end = std::min(in.columns, length + cut - k);
      double* to = out + k - cut;
      for (std::int32_t i = from; i < end; ++i) to[i] += w * x[i];
    }
  }
}

// Does each row of a node's only child come up once, with the node's own columns for its own? Then the child's table is
// not needed any more once its outside weights are there, row by row.
MINEPROOF_INLINE bool is_once(const TreeNode& node, const TreeNode& child) {
  return node.children == 1 && node.values == 2 && child.rows == 2 * node.rows && child.low == node.low &&
         child.length + 8 <= node.stride + kMargin;
}

// The outside weights of such a child in place of its table, and what the box weighs by its mines.
MINEPROOF_INLINE void backward_once(const TreeNode& node, const TreeNode& child, double* table, const double* own,
                                    double mine, double* mass) {
  Four safe_mass{0, 0, 0, 0};
  Four mine_mass{0, 0, 0, 0};
  const std::int32_t stride = child.stride;
  for (std::int32_t r = 0; r < node.rows; ++r, own += node.stride) {
    const double a = node.weight[2 * r];
    const double b = node.weight[2 * r + 1] * mine;
    double* x = table + node.row[0][2 * r] * stride;
    double* y = table + node.row[0][2 * r + 1] * stride;
    for (std::int32_t i = 0; i < stride; i += 4) {
      const Four safe = a * four(own + i);
      const Four mined = b * four(own + i + 1);
      safe_mass += safe * four(x + i);
      mine_mass += mined * four(y + i);
      put(x + i, safe);
      put(y + i, mined);
    }
  }
  mass[0] = sum_of(safe_mass);
  mass[1] = sum_of(mine_mass);
}

// The outside weights of a node's children from its own.
MINEPROOF_INLINE void backward_loop(const TreeProgram& p, const TreeNode& node, double* const* table, const double* own,
                                    const Scratch& s, double* const* out) {
  const ChildTables in(p, node, table);
  const std::int32_t cut = node.low - in.low;
  const std::int32_t children = node.children;
  const std::int32_t columns = in.columns;
  const std::int32_t stride = node.stride;
  const double* weight = node.weight;
  const std::int32_t rows = node.rows;
  const bool inside = columns + node.values + 4 <= stride + kMargin;  // reading past a row stays within the tables
  for (std::int32_t i = 0; i < children; ++i) std::fill_n(out[i], table_size(p.node[node.child[i]]), 0.0);
  if (children == 1 && node.values == 2 && cut == 0 && inside) {
    const double mine = s.power[1];
    for (std::int32_t r = 0; r < rows; ++r, own += stride) {
      const double a = weight[2 * r];
      const double b = weight[2 * r + 1] * mine;
      double* x = out[0] + in.at(0, 2 * r);
      double* y = out[0] + in.at(0, 2 * r + 1);
      for (std::int32_t i = 0; i < columns; i += 4) {
        put(x + i, four(x + i) + a * four(own + i));
        put(y + i, four(y + i) + b * four(own + i + 1));
      }
    }
    return;
  }
  std::int32_t e = 0;
  for (std::int32_t r = 0; r < rows; ++r, own += stride) {
    for (std::int32_t k = 0; k < node.values; ++k, ++e) {
      const double w = weight[e] * s.power[k];
      if (!(w > 0)) continue;
      const std::int32_t shift = k - cut;
      const double* from = own + shift;
      if (shift < 0 || !inside) {  // columns that are not there
        std::fill_n(s.margined, whole(columns) + kMargin, 0.0);
        const std::int32_t begin = std::max(0, -shift);
        const std::int32_t count = std::min(columns, node.length - shift) - begin;
        if (count > 0) std::copy_n(from + begin, count, s.margined + begin);
        from = s.margined;
      }
      const std::int32_t a = in.at(0, e);
      if (children == 1) {
        for (std::int32_t i = 0; i < columns; i += 4) put(out[0] + a + i, four(out[0] + a + i) + w * four(from + i));
        continue;
      }
      const std::int32_t b = in.at(1, e);
      correlate_short(from, in.table[1] + b, in.length[1], w, out[0] + a, in.length[0]);
      correlate_long(from, in.table[0] + a, in.length[0], w, out[1] + b, in.length[1]);
    }
  }
}

// What the box of a node weighs by its mines: from the table of a child, in which it varies fastest, or from its own
// where it has none.
MINEPROOF_INLINE void mass_loop(const TreeProgram& p, const TreeNode& node, double* const* table, const double* own,
                                const Scratch& s, double* const* out, double* mass) {
  std::fill_n(mass, node.values, 0.0);
  if (node.children == 0) {
    for (std::int32_t r = 0; r < node.rows; ++r) {
      for (std::int32_t k = 0; k < node.values; ++k) {
        const double w = node.weight[r * node.values + k] * s.power[k];
        if (w > 0) mass[k] += w * own[r * node.stride + k - node.low];
      }
    }
    return;
  }
  const int best = node.children == 2 && table_size(p.node[node.child[1]]) < table_size(p.node[node.child[0]]) ? 1 : 0;
  const TreeNode& child = p.node[node.child[best]];
  const double* a = table[node.child[best]];
  const double* b = out[best];
  for (std::int32_t r = 0; r < child.rows; r += node.values) {
    for (std::int32_t k = 0; k < node.values; ++k, a += child.stride, b += child.stride)
      mass[k] += dot(a, b, child.length);
  }
}

// Steps of a few nanoseconds that a node takes on the way up; on the way down it is about twice as many.
MINEPROOF_INLINE std::int64_t work_of(const TreeProgram& p, const TreeNode& node) {
  std::int64_t each = 1;
  for (std::int32_t i = 0; i < node.children; ++i) each *= p.node[node.child[i]].length;
  return node.rows * node.values * (each / 8 + 1);
}

// The smallest number of a row that is not 0, or 0.
double smallest(const double* row, std::int32_t n) {
  double least = 0;
  for (std::int32_t i = 0; i < n; ++i) {
    if (row[i] > 0 && (least == 0 || row[i] < least)) least = row[i];
  }
  return least;
}

// Is anything in a node too small for a double on the way up? Entry by entry, with the smallest numbers of the rows
// that meet there.
bool loses(const TreeProgram& p, const TreeNode& node, double* const* table, const Scratch& s) {
  const ChildTables in(p, node, table);
  for (std::int32_t e = 0; e < node.rows * node.values; ++e) {
    if (!(node.weight[e] > 0)) continue;
    const double w = node.weight[e] * s.power[e % node.values];
    const double x = node.children > 0 ? smallest(in.table[0] + in.at(0, e), in.length[0]) : 1;
    const double y = node.children > 1 ? smallest(in.table[1] + in.at(1, e), in.length[1]) : 1;
    if (too_small(w) || (x > 0 && y > 0 && too_small(std::min(x * y, x * y * w)))) return true;
  }
  return false;
}

// And on the way back? Column by column: outside weights rise where tables fall.
bool loses(const TreeProgram& p, const TreeNode& node, const double* own, double* const* table, const Scratch& s) {
  const ChildTables in(p, node, table);
  constexpr double kOne = 1;  // in place of a child that is not there
  for (std::int32_t e = 0; e < node.rows * node.values; ++e) {
    if (!(node.weight[e] > 0)) continue;
    const std::int32_t k = e % node.values;
    const double w = node.weight[e] * s.power[k];
    const double* x = node.children > 0 ? in.table[0] + in.at(0, e) : &kOne;
    const double* y = node.children > 1 ? in.table[1] + in.at(1, e) : &kOne;
    const double* row = own + e / node.values * node.stride;
    for (std::int32_t i = 0; i < (node.children > 0 ? in.length[0] : 1); ++i) {
      for (std::int32_t j = 0; j < (node.children > 1 ? in.length[1] : 1); ++j) {
        const std::int32_t column = i + j + k - (node.low - in.low);
        const double o = column >= 0 && column < node.length ? row[column] : 0;
        if (!(o > 0) || !(x[i] > 0) || !(y[j] > 0)) continue;
        if (too_small(std::min({o * x[i], o * y[j], o * x[i] * w, o * y[j] * w, o * y[j] * w * x[i]}))) return true;
      }
    }
  }
  return false;
}

// An exponent below every product of an entry's weight, a number that is not below 2^own_least, and one of each child's
// table. By bounds first; where these are too low tables are looked at, then entries, and `lost` becomes true where
// some product is too small for a double. Where none is, the bound may still be below kLeastExponent: the smallest
// factors do not meet. `own` are the node's outside weights, nullptr on the way up.
std::int32_t least_product(const TreeProgram& p, const TreeNode& node, const double* own, std::int32_t own_least,
                           double* const* table, std::int32_t* least, const Scratch& s, bool& lost) {
  const auto bound = [&] {
    std::int32_t sum = std::min(own_least, 0) + node.least - (node.values - 1) * s.mine;
    for (std::int32_t j = 0; j < node.children; ++j) sum += std::min(least[node.child[j]], 0);
    return sum;
  };
  std::int32_t known = bound();
  if (known >= kLeastExponent) return known;
  if (own) own_least = smallest_exponent(own, static_cast<std::size_t>(table_size(node)));
  for (std::int32_t j = 0; j < node.children; ++j) {
    const std::int32_t child = node.child[j];
    least[child] = smallest_exponent(table[child], static_cast<std::size_t>(table_size(p.node[child])));
  }
  known = bound();
  if (known < kLeastExponent) lost = lost || (own ? loses(p, node, own, table, s) : loses(p, node, table, s));
  return known;
}

MINEPROOF_INLINE void forward_all(const TreeProgram& p, const Scratch& s, TreeForward& f, std::int64_t* exponent,
                                  Workspace& ws) {
  double* const* table = f.table;
  for (std::int32_t i = 0; i < p.nodes; ++i) {
    const TreeNode& node = p.node[i];
    ws.spend(work_of(p, node));
    f.least[i] = std::max(least_product(p, node, nullptr, 0, table, f.least, s, f.lost), kLeastExponent);
    forward_loop(p, node, table, s, table[i]);
    exponent[i] = f.due[i] ? rescale(table[i], table_size(node), f.least[i], f.lost) : 0;
    for (std::int32_t j = 0; j < node.children; ++j) exponent[i] += exponent[node.child[j]];
  }
}
void forward_any(const TreeProgram& p, const Scratch& s, TreeForward& f, std::int64_t* e, Workspace& w) {
  forward_all(p, s, f, e, w);
}
MINEPROOF_AVX2 void forward_avx2(const TreeProgram& p, const Scratch& s, TreeForward& f, std::int64_t* e,
                                 Workspace& w) {
  forward_all(p, s, f, e, w);
}

// Outside weights take the place of the tables they belong to, as soon as these have been used: less memory to go
// through.
MINEPROOF_INLINE bool backward_all(const TreeProgram& p, const Scratch& s, const TreeForward& f, const double* root,
                                   double* const* out, double* mass, BoxOdds* odds, Workspace& ws) {
  double* const* table = f.table;
  bool lost = false;
  for (std::int32_t i = p.nodes - 1; i >= 0; --i) {
    const TreeNode& node = p.node[i];
    ws.spend(2 * work_of(p, node));
    const double* own = i == p.nodes - 1 ? root : table[i];
    const std::int32_t least = least_product(p, node, own, f.least[i], table, f.least, s, lost);
    const bool once = node.children == 1 && is_once(node, p.node[node.child[0]]);
    if (once) {
      backward_once(node, p.node[node.child[0]], table[node.child[0]], own, s.power[1], mass);
    } else {
      if (node.children) backward_loop(p, node, table, own, s, out);
      if (node.box != kNoBox) mass_loop(p, node, table, own, s, out, mass);
    }
    for (std::int32_t j = 0; j < node.children; ++j) {
      const std::int32_t child = node.child[j];
      const std::int64_t size = table_size(p.node[child]);
      for (std::int64_t x = 0; x < size && !once; x += 4) put(table[child] + x, four(out[j] + x));
      // Without its own table, and only then cut off: that table's bound was counted in whole.
      f.least[child] = std::max(least - std::min(f.least[child], 0), kLeastExponent);
      if (f.due_back[child]) rescale(table[child], size, f.least[child], lost);
    }
    if (node.box == kNoBox) continue;
    odds[node.box] = BoxOdds::of_mass(mass, node.values, node.values - 1);
  }
  return lost;
}
bool backward_any(const TreeProgram& p, const Scratch& s, const TreeForward& f, const double* r, double* const* o,
                  double* m, BoxOdds* b, Workspace& w) {
  return backward_all(p, s, f, r, o, m, b, w);
}
MINEPROOF_AVX2 bool backward_avx2(const TreeProgram& p, const Scratch& s, const TreeForward& f, const double* r,
                                  double* const* o, double* m, BoxOdds* b, Workspace& w) {
  return backward_all(p, s, f, r, o, m, b, w);
}

}  // namespace

void forward(const TreeProgram& p, double fugacity, Workspace& ws, TreeForward& out) {
  out.fugacity = fugacity;
  out.table = make_tables(p, ws.arena);
  out.least = ws.arena.take<std::int32_t>(static_cast<std::size_t>(p.nodes));
  out.lost = false;
  plan_rescaling(p, fugacity, ws.arena, out);
  const Arena::Mark mark = ws.arena.mark();
  Scratch s = make_scratch(p, fugacity, ws.arena);
  std::int64_t widest = 0;
  for (std::int32_t i = 0; i < p.nodes; ++i) {
    if (p.node[i].children < 2) continue;
    const TreeNode& child = p.node[p.node[i].child[1]];
    widest = std::max(widest, static_cast<std::int64_t>(child.rows) * wide_stride(child.length));
  }
  s.wide = ws.arena.take<double>(static_cast<std::size_t>(widest) + kMargin);
  std::int64_t* exponent = ws.arena.take<std::int64_t>(static_cast<std::size_t>(p.nodes));
  (has_avx2() ? forward_avx2 : forward_any)(p, s, out, exponent, ws);
  out.exponent = exponent[p.nodes - 1];
  ws.arena.release(mark);
}

Polynomial final_polynomial(const TreeProgram& p, const TreeForward& f, Workspace& ws) {
  const TreeNode& root = p.node[p.nodes - 1];
  Polynomial out;
  out.first = root.low;
  out.length = root.length;
  out.c = f.table[p.nodes - 1];
  out.exponent = f.exponent;
  out.support = ws.arena.zeroed<std::uint64_t>(static_cast<std::size_t>(out.length + 63) / 64);
  for (std::int32_t i = 0; i < out.length; ++i) {
    if (out.c[i] > 0) out.support[i >> 6] |= std::uint64_t{1} << (i & 63);
  }
  return out;
}

bool backward(const TreeProgram& p, TreeForward& f, const double* outside, Workspace& ws, BoxOdds* odds) {
  Arena& arena = ws.arena;
  const Arena::Mark mark = arena.mark();
  const Scratch s = make_scratch(p, f.fugacity, arena);
  const TreeNode& last = p.node[p.nodes - 1];
  double* root = arena.zeroed<double>(static_cast<std::size_t>(last.stride) + 2 * kMargin);
  std::copy_n(outside, last.length, root);
  std::int64_t largest = 0;
  for (std::int32_t i = 0; i < p.nodes; ++i) largest = std::max(largest, table_size(p.node[i]));
  double* const out[2] = {arena.take<double>(static_cast<std::size_t>(largest)),
                          arena.take<double>(static_cast<std::size_t>(largest))};
  double* mass = arena.take<double>(static_cast<std::size_t>(p.most_values));
  f.least[p.nodes - 1] = smallest_exponent(outside, static_cast<std::size_t>(last.length));
  const bool lost = (has_avx2() ? backward_avx2 : backward_any)(p, s, f, root, out, mass, odds, ws);
  arena.release(mark);
  return lost;
}

}  // namespace mineproof::exact

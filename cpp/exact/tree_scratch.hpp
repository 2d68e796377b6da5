// The memory that the passes of a tree program work in, and where numbers are brought back into range.
#pragma once

#include <algorithm>
#include <cmath>

#include "tree.hpp"
#include "tree_rows.hpp"
#include "underflow.hpp"

namespace mineproof::exact::rows {

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

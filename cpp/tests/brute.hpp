// The oracle: every layout of the hidden cells, weighed one by one. Never optimised.
#pragma once

#include "boards.hpp"

namespace mineproof::tests {

struct Truth {
  long double weight = 0;
  std::uint64_t layouts = 0;                    // of nonzero weight
  std::vector<long double> mine;                // per cell
  std::vector<char> can_be_mine, can_be_safe;   // per cell
  std::vector<std::vector<long double>> shows;  // per cell: weight of being safe with v mines around
};

inline long double clue_weight(const Position& p, int cell, int count) {
  const int shown = p.shown[cell];
  if (shown > kLargestClue) return 1;
  if (!p.channel) return shown == count;
  const double* row = p.channel->row(shown, p.graph->degree(cell));
  return row ? row[count] : 0;
}

inline long double choose(int n, int k) {
  long double c = 1;
  for (int i = 0; i < k; ++i) c = c * (n - i) / (i + 1);
  return c;
}

inline long double prior_weight(const Prior& p, int n, int k) {
  switch (p.kind) {
    case Prior::Kind::total: return k == p.mines;
    case Prior::Kind::density:
      return std::pow(static_cast<long double>(p.chance), k) * std::pow(1 - static_cast<long double>(p.chance), n - k);
    case Prior::Kind::layouts: return p.table[k];
    case Prior::Kind::number: return p.table[k] / choose(n, k);
  }
  return 0;
}

inline Truth enumerate(const Board& board, const Position& p) {
  const int n = board.cells();
  std::vector<int> free;
  std::vector<std::uint8_t> mine(static_cast<std::size_t>(n), 0);
  int base = 0;
  for (int i = 0; i < n; ++i) {
    if (p.shown[i] == kOpenedMine || (p.shown[i] == kHidden && p.mines && p.mines[i])) {
      mine[static_cast<std::size_t>(i)] = 1;
      ++base;
    } else if (p.shown[i] == kHidden) {
      free.push_back(i);
    }
  }
  Truth t;
  t.mine.assign(static_cast<std::size_t>(n), 0);
  t.can_be_mine.assign(static_cast<std::size_t>(n), 0);
  t.can_be_safe.assign(static_cast<std::size_t>(n), 0);
  t.shows.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    t.shows[static_cast<std::size_t>(i)].assign(static_cast<std::size_t>(p.graph->degree(i)) + 1, 0);
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << free.size()); ++bits) {
    int k = base;
    for (std::size_t i = 0; i < free.size(); ++i) {
      mine[static_cast<std::size_t>(free[i])] = bits >> i & 1;
      k += static_cast<int>(bits >> i & 1);
    }
    long double w = prior_weight(p.prior, n, k);
    for (int i = 0; i < n && w > 0; ++i) w *= clue_weight(p, i, mines_around(board, mine, i));
    if (!(w > 0)) continue;
    t.weight += w;
    ++t.layouts;
    for (int i = 0; i < n; ++i) {
      const std::size_t at = static_cast<std::size_t>(i);
      if (mine[at]) {
        t.mine[at] += w;
        t.can_be_mine[at] = 1;
      } else {
        t.can_be_safe[at] = 1;
        t.shows[at][static_cast<std::size_t>(mines_around(board, mine, i))] += w;
      }
    }
  }
  return t;
}

}  // namespace mineproof::tests

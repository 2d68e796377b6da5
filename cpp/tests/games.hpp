// Positions to measure on: games played with the engine, and hard patterns.
#pragma once

#include <algorithm>
#include <memory>

#include "../exact/analysis.hpp"
#include "boards.hpp"

namespace mineproof::tests {

struct Snapshot {
  std::shared_ptr<Board> board;
  Graph graph;
  std::vector<std::uint8_t> mine;
  std::vector<std::uint8_t> shown;
  std::int64_t mines = 0;

  Position position() const {
    Position p;
    p.graph = &graph;
    p.shown = shown.data();
    p.prior = Prior::of_total(mines);
    return p;
  }
};

inline Snapshot deal(std::shared_ptr<Board> board, std::int64_t mines, int first, Dice& dice) {
  Snapshot s;
  s.board = board;
  s.graph = board->graph();
  s.mines = mines;
  const std::size_t n = static_cast<std::size_t>(board->cells());
  s.mine.assign(n, 0);
  s.shown.assign(n, kHidden);
  std::vector<char> barred(n, 0);
  if (first >= 0) {
    barred[static_cast<std::size_t>(first)] = 1;
    for (int e = s.graph.offset[first]; e < s.graph.offset[first + 1]; ++e)
      barred[static_cast<std::size_t>(s.graph.target[e])] = 1;
  }
  for (std::int64_t left = mines; left > 0;) {
    const std::size_t i = dice.next() % n;
    if (s.mine[i] || barred[i]) continue;
    s.mine[i] = 1;
    --left;
  }
  return s;
}

// Opens a safe cell and everything around zeros.
inline void open(Snapshot& s, int cell) {
  std::vector<int> stack{cell};
  while (!stack.empty()) {
    const int c = stack.back();
    stack.pop_back();
    if (s.shown[static_cast<std::size_t>(c)] != kHidden) continue;
    const int count = mines_around(*s.board, s.mine, c);
    s.shown[static_cast<std::size_t>(c)] = static_cast<std::uint8_t>(count);
    if (count) continue;
    for (int e = s.graph.offset[c]; e < s.graph.offset[c + 1]; ++e) {
      if (s.shown[static_cast<std::size_t>(s.graph.target[e])] == kHidden) stack.push_back(s.graph.target[e]);
    }
  }
}

// Plays: certain cells, else the least risk; when that is a mine the game is over (false) or another cell is opened.
// Calls seen(snapshot, stuck) before every round. Stops when at least `share` of the safe cells are open.
template <class Seen>
bool play(Snapshot& s, Analysis& analysis, Dice& dice, bool forgive, double share, Seen&& seen) {
  const int n = s.board->cells();
  std::vector<double> p(static_cast<std::size_t>(n));
  for (;;) {
    std::int64_t left = 0;
    for (int i = 0; i < n; ++i)
      left += !s.mine[static_cast<std::size_t>(i)] && s.shown[static_cast<std::size_t>(i)] == kHidden;
    if (static_cast<double>(left) <= (1 - share) * static_cast<double>(n - s.mines)) return true;
    analysis.solve(s.position());
    analysis.probabilities(p.data());
    bool any = false;
    for (int i = 0; i < n && !any; ++i)
      any = s.shown[static_cast<std::size_t>(i)] == kHidden && p[static_cast<std::size_t>(i)] == 0.0;
    seen(s, !any);
    if (any) {
      for (int i = 0; i < n; ++i) {
        if (s.shown[static_cast<std::size_t>(i)] == kHidden && p[static_cast<std::size_t>(i)] == 0.0) open(s, i);
      }
      continue;
    }
    int best = -1;
    for (int i = 0; i < n; ++i) {
      if (s.shown[static_cast<std::size_t>(i)] == kHidden &&
          (best < 0 || p[static_cast<std::size_t>(i)] < p[static_cast<std::size_t>(best)]))
        best = i;
    }
    if (s.mine[static_cast<std::size_t>(best)]) {
      if (!forgive) return false;
      do best = dice.below(n);
      while (s.mine[static_cast<std::size_t>(best)] || s.shown[static_cast<std::size_t>(best)] != kHidden);
    }
    open(s, best);
  }
}

// Mid-game Expert positions: from each game one stuck and one other position, if it has them.
inline std::vector<Snapshot> expert_positions(int games, std::uint64_t seed) {
  auto board = std::make_shared<Board>(square(16, 30));
  Dice dice{seed};
  Analysis analysis;
  std::vector<Snapshot> out;
  for (int g = 0; g < games; ++g) {
    const int first = dice.below(480);
    Snapshot s = deal(board, 99, first, dice);
    open(s, first);
    std::vector<Snapshot> stuck, other;
    play(s, analysis, dice, false, 1.0,
         [&](const Snapshot& now, bool is_stuck) { (is_stuck ? stuck : other).push_back(now); });
    if (!stuck.empty()) out.push_back(stuck[static_cast<std::size_t>(dice.below(static_cast<int>(stuck.size())))]);
    if (!other.empty()) out.push_back(other[static_cast<std::size_t>(dice.below(static_cast<int>(other.size())))]);
  }
  return out;
}

inline Snapshot played(int rows, int cols, double density, double share, std::uint64_t seed) {
  Dice dice{seed};
  auto board = std::make_shared<Board>(square(rows, cols));
  const int first = rows / 2 * cols + cols / 2;
  Snapshot s = deal(board, static_cast<std::int64_t>(rows * cols * density), first, dice);
  open(s, first);
  Analysis analysis;
  play(s, analysis, dice, true, share, [](const Snapshot&, bool) {});
  return s;
}

// Every even row and column shown.
inline Snapshot lattice(int side, double density, std::uint64_t seed) {
  Dice dice{seed};
  auto board = std::make_shared<Board>(square(side, side));
  Snapshot s = deal(board, 0, -1, dice);
  for (int i = 0; i < side * side; ++i) {
    const bool shown = i / side % 2 == 0 && i % side % 2 == 0;
    if (!shown && dice.chance(density)) s.mine[static_cast<std::size_t>(i)] = 1, ++s.mines;
  }
  for (int r = 0; r < side; r += 2)
    for (int c = 0; c < side; c += 2)
      s.shown[static_cast<std::size_t>(r * side + c)] =
          static_cast<std::uint8_t>(mines_around(*board, s.mine, r * side + c));
  return s;
}

// A share of the cells shown at random.
inline Snapshot scattered(int side, double share, double density, std::uint64_t seed) {
  Dice dice{seed};
  auto board = std::make_shared<Board>(square(side, side));
  Snapshot s = deal(board, static_cast<std::int64_t>(side * side * density), -1, dice);
  for (int i = 0; i < side * side; ++i) {
    if (!s.mine[static_cast<std::size_t>(i)] && dice.chance(share / (1 - density)))
      s.shown[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(mines_around(*board, s.mine, i));
  }
  return s;
}

// Many small openings: about `patches` components.
inline Snapshot patches(int side, int patches, double density, std::uint64_t seed) {
  Dice dice{seed};
  auto board = std::make_shared<Board>(square(side, side));
  Snapshot s = deal(board, static_cast<std::int64_t>(side * side * density), -1, dice);
  for (int i = 0; i < patches; ++i) {
    const int r = dice.below(side - 2);
    const int c = dice.below(side - 3);
    for (int k = 0; k < 3; ++k) {
      const std::size_t at = static_cast<std::size_t>(r * side + c + k);
      if (!s.mine[at] && s.shown[at] == kHidden)
        s.shown[at] = static_cast<std::uint8_t>(mines_around(*board, s.mine, static_cast<int>(at)));
    }
  }
  return s;
}

}  // namespace mineproof::tests

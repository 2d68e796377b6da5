// Boards, dice and checks for the tests: small graphs of many shapes, a reproducible generator, a counting assert.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../exact/position.hpp"

namespace mineproof::tests {

using namespace mineproof::exact;

#define CHECK(condition, ...)                                             \
  do {                                                                    \
    if (!(condition)) {                                                   \
      std::printf("%s:%d: failed: %s  ", __FILE__, __LINE__, #condition); \
      std::printf(" " __VA_ARGS__);                                       \
      std::printf("\n");                                                  \
      std::exit(1);                                                       \
    }                                                                     \
  } while (false)

struct Dice {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  bool chance(double p) { return uniform() < p; }
};

inline std::uint64_t dice_word(void* context) { return static_cast<Dice*>(context)->next(); }

struct Board {
  std::vector<std::int32_t> offset{0};
  std::vector<std::int32_t> target;
  int rows = 0;
  int cols = 0;
  std::string name;

  int cells() const { return static_cast<int>(offset.size()) - 1; }
  Graph graph(bool hint = true) const {
    Graph g;
    g.cells = cells();
    g.offset = offset.data();
    g.target = target.data();
    if (hint) g.rows = rows, g.cols = cols;
    return g;
  }
};

inline Board from_edges(int n, const std::vector<std::vector<char>>& edge, const char* name) {
  Board b;
  b.name = name;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (i != j && (edge[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] ||
                     edge[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)]))
        b.target.push_back(j);
    }
    b.offset.push_back(static_cast<std::int32_t>(b.target.size()));
  }
  return b;
}

inline Board square(int rows, int cols) {
  Board b;
  b.name = "square";
  b.rows = rows;
  b.cols = cols;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) {
      for (int y = r - 1; y <= r + 1; ++y) {
        for (int x = c - 1; x <= c + 1; ++x) {
          if (y >= 0 && y < rows && x >= 0 && x < cols && (y != r || x != c)) b.target.push_back(y * cols + x);
        }
      }
      b.offset.push_back(static_cast<std::int32_t>(b.target.size()));
    }
  }
  return b;
}

inline Board torus(int rows, int cols) {
  const int n = rows * cols;
  std::vector<std::vector<char>> e(static_cast<std::size_t>(n), std::vector<char>(static_cast<std::size_t>(n), 0));
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
          e[static_cast<std::size_t>(r * cols + c)]
           [static_cast<std::size_t>((r + y + rows) % rows * cols + (c + x + cols) % cols)] = 1;
  return from_edges(n, e, "torus");
}

inline Board hex(int rows, int cols) {
  const int n = rows * cols;
  std::vector<std::vector<char>> e(static_cast<std::size_t>(n), std::vector<char>(static_cast<std::size_t>(n), 0));
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
          if (y == x && y != 0) continue;
          if (r + y < 0 || r + y >= rows || c + x < 0 || c + x >= cols) continue;
          e[static_cast<std::size_t>(r * cols + c)][static_cast<std::size_t>((r + y) * cols + c + x)] = 1;
        }
  return from_edges(n, e, "hex");
}

// Triangles in rows, alternately up and down: cells that share a corner are neighbours (up to 12).
inline Board triangles(int rows, int cols) {
  const int n = rows * cols;
  std::vector<std::vector<char>> e(static_cast<std::size_t>(n), std::vector<char>(static_cast<std::size_t>(n), 0));
  auto corners = [](int r, int c) {
    std::vector<std::pair<int, int>> p;
    if ((r + c) % 2 == 0)
      p = {{r, c + 1}, {r + 1, c}, {r + 1, c + 2}};
    else
      p = {{r, c}, {r, c + 2}, {r + 1, c + 1}};
    return p;
  };
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b)
      for (auto p : corners(a / cols, a % cols))
        for (auto q : corners(b / cols, b % cols))
          if (p == q) e[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = 1;
  return from_edges(n, e, "triangles");
}

inline Board random_graph(int n, double density, Dice& dice) {
  std::vector<std::vector<char>> e(static_cast<std::size_t>(n), std::vector<char>(static_cast<std::size_t>(n), 0));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) e[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = dice.chance(density);
  return from_edges(n, e, "random");
}

inline Board any_board(Dice& dice, int most) {
  for (;;) {
    const int kind = dice.below(6);
    const int r = 1 + dice.below(5);
    const int c = 1 + dice.below(6);
    if (r * c > most) continue;
    switch (kind) {
      case 0:
      case 1: return square(r, c);
      case 2: return torus(r, c);
      case 3: return hex(r, c);
      case 4: return triangles(r, c);
      default: return random_graph(1 + dice.below(most), dice.uniform(), dice);
    }
  }
}

inline int mines_around(const Board& b, const std::vector<std::uint8_t>& mine, int cell) {
  int count = 0;
  for (int e = b.offset[static_cast<std::size_t>(cell)]; e < b.offset[static_cast<std::size_t>(cell) + 1]; ++e)
    count += mine[static_cast<std::size_t>(b.target[static_cast<std::size_t>(e)])];
  return count;
}

}  // namespace mineproof::tests

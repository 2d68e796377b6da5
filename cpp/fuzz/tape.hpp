// Bytes of a fuzzer as positions: every input is one, and every kind of position has an input.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "../exact/position.hpp"
#include "../tests/positions.hpp"

namespace mineproof::fuzz {

using namespace mineproof::tests;

// Reads an input from its beginning; zeros follow its end.
class Tape {
 public:
  Tape(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  bool ended() const { return at_ >= size_; }
  std::uint8_t byte() { return ended() ? 0 : data_[at_++]; }
  int below(int n) { return byte() % n; }
  bool bit() { return (byte() & 1) != 0; }
  std::uint64_t word() {
    std::uint64_t w = 0;
    for (int i = 0; i < 8; ++i) w = w << 8 | byte();
    return w;
  }

  // A weight as the bindings take them: 0, the least, the greatest or any other.
  double weight() {
    switch (below(12)) {
      case 0:
      case 1: return 0;
      case 2: return kLeastWeight;
      case 3: return kMostWeight;
      case 4: return std::clamp(any_double(), kLeastWeight, kMostWeight);
      default: return (1 + below(255)) / 256.0;
    }
  }

  // A density: next to 0, next to 1, or any other; 0 and 1 too.
  double density() {
    switch (below(8)) {
      case 0: return std::numeric_limits<double>::denorm_min();
      case 1: return 1 - std::numeric_limits<double>::epsilon() / 2;
      case 2: return std::min(any_double(), 1.0);
      default: return below(256) / 255.0;
    }
  }

 private:
  double any_double() {
    const double any = std::abs(std::bit_cast<double>(word()));
    return std::isfinite(any) ? any : 1;
  }

  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

inline Board any_graph(Tape& tape, int n) {
  std::vector<std::vector<char>> edge(static_cast<std::size_t>(n), std::vector<char>(static_cast<std::size_t>(n), 0));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; j += 8) {
      const int row = tape.byte();
      for (int k = j; k < std::min(i, j + 8); ++k)
        edge[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)] = row >> (k - j) & 1;
    }
  }
  return from_edges(n, edge, "any");
}

// A board of at most `side` x `side` cells, or a graph of at most `side` cells.
inline Board any_board(Tape& tape, int side) {
  const int kind = tape.below(6);
  const int rows = 1 + tape.below(side);
  const int cols = 1 + tape.below(side);
  switch (kind) {
    case 0:
    case 1: return square(rows, cols);
    case 2: return torus(rows, cols);
    case 3: return hex(rows, cols);
    case 4: return triangles(rows, cols);
    default: return any_graph(tape, rows);
  }
}

// What is shown: by a layout that the tape lays, but for a few lies; or anything at all. At most `hidden` cells are
// hidden.
inline void any_codes(Tape& tape, int hidden, Case& c) {
  const int n = c.board.cells();
  c.mine.assign(static_cast<std::size_t>(n), 0);
  c.shown.assign(static_cast<std::size_t>(n), kHidden);
  const bool honest = tape.bit();
  std::vector<std::uint8_t> kind;
  for (int i = 0; i < n; ++i) kind.push_back(tape.byte());
  for (int i = 0; i < n; ++i) c.mine[static_cast<std::size_t>(i)] = kind[static_cast<std::size_t>(i)] >> 6 == 3;
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const int k = kind[at] % 16;
    std::uint8_t& code = c.shown[at];
    const bool open = k < 9 || k > 13 || hidden == 0;
    if (!open) {
      --hidden;
    } else if (honest && k != 15) {
      code = c.mine[at] ? kOpenedMine : static_cast<std::uint8_t>(mines_around(c.board, c.mine, i));
    } else if (k < 9) {
      code = static_cast<std::uint8_t>(k);
    } else {
      const std::uint8_t any = tape.byte();
      code = any <= kLargestClue || any == kOpenedMine ? any : kNoClue;
    }
  }
}

inline void any_channel(Tape& tape, Case& c) {
  std::int32_t degree = 0;
  for (int i = 0; i < c.board.cells(); ++i) degree = std::max(degree, c.graph.degree(i));
  const bool short_of_degrees = tape.below(8) == 0;
  c.channel.largest_degree = short_of_degrees ? tape.below(degree + 1) : degree;
  c.channel.codes = 1 + tape.below(2 * degree + 2);
  const auto most = static_cast<std::size_t>(c.channel.largest_degree) + 1;
  c.weights.resize(most * static_cast<std::size_t>(c.channel.codes) * most);
  std::vector<double> drawn;
  for (int i = 0; i < 16; ++i) drawn.push_back(tape.weight());
  const int spread = 1 + tape.below(degree + 1);
  for (std::size_t at = 0; at < c.weights.size(); ++at) {
    const int count = static_cast<int>(at % most);
    const int shown = static_cast<int>(at / most) % c.channel.codes;
    if (std::abs(count - shown) < spread) c.weights[at] = drawn[static_cast<std::size_t>(tape.below(16))];
  }
  c.channel.weight = c.weights.data();
  c.position.channel = &c.channel;
  c.steep = true;
}

inline void any_prior(Tape& tape, Case& c) {
  int mines = 0;
  for (const auto m : c.mine) mines += m;
  switch (tape.below(8)) {
    case 0: c.position.prior = Prior::of_total(tape.byte()); break;
    case 1: c.position.prior = Prior::of_total(static_cast<std::int64_t>(tape.word() >> 1)); break;
    case 2: c.position.prior = Prior::of_density(tape.density()); break;
    case 3:
    case 4: {
      for (int i = 0; i <= c.board.cells(); ++i) c.table.push_back(tape.weight());
      c.position.prior = tape.bit() ? Prior::of_layouts(c.table.data()) : Prior::of_number(c.table.data());
      c.steep = true;
      break;
    }
    default: c.position.prior = Prior::of_total(mines);
  }
}

// Any position; points into itself.
inline void any_case(Tape& tape, int side, int hidden, Case& c) {
  c.board = any_board(tape, side);
  c.graph = c.board.graph(tape.bit());
  const int extras = tape.byte();
  any_codes(tape, hidden, c);
  c.position.graph = &c.graph;
  c.position.shown = c.shown.data();
  any_prior(tape, c);
  if (extras % 4 == 0) any_channel(tape, c);
  if (extras >> 2 & 1) {
    for (const auto m : c.mine) c.vouched.push_back(m && tape.bit());
    c.position.mines = c.vouched.data();
  }
}

// Little enough that every input ends soon.
inline Limits small_limits() {
  Limits limits;
  limits.states = 200'000;
  limits.bytes = std::int64_t{1} << 28;
  return limits;
}

}  // namespace mineproof::fuzz

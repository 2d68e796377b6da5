// Random small positions of every kind the engine claims to answer.
#pragma once

#include "boards.hpp"

namespace mineproof::tests {

struct Case {
  Board board;
  Graph graph;
  std::vector<std::uint8_t> mine;
  std::vector<std::uint8_t> shown;
  std::vector<std::uint8_t> vouched;
  std::vector<double> table;
  std::vector<double> weights;
  Channel channel;
  bool steep = false;  // weights of a channel span hundreds of orders of magnitude
  Position position;
};

// `hidden` bounds the number of hidden cells, so that the oracle can follow.
inline void random_case(Dice& dice, int hidden, Case& c, bool may_lie = true) {
  c = Case{};
  c.board = any_board(dice, 26);
  c.graph = c.board.graph(dice.chance(0.8));
  const int n = c.board.cells();
  const std::size_t size = static_cast<std::size_t>(n);
  c.mine.assign(size, 0);
  c.shown.assign(size, kHidden);
  const double density = dice.chance(0.1) ? 0 : dice.chance(0.1) ? 1 : dice.uniform() * 0.7;
  int mines = 0;
  for (auto& m : c.mine) mines += m = dice.chance(density);
  std::int32_t degree = 0;
  for (int i = 0; i < n; ++i) degree = std::max(degree, c.graph.degree(i));
  const bool channel = dice.chance(0.4);
  if (channel) {
    c.channel.largest_degree = degree;
    c.channel.codes = degree + 1;
    c.weights.assign(static_cast<std::size_t>((degree + 1) * (degree + 1) * (degree + 1)), 0.0);
    const double zeros = dice.uniform();
    c.steep = dice.chance(0.1);
    const int spread = dice.chance(0.5) ? 1 : degree;
    const double steep = c.steep ? 300 : 40;
    for (int d = 0; d <= degree; ++d)
      for (int s = 0; s <= degree; ++s)
        for (int k = 0; k <= d; ++k) {
          if (std::abs(s - k) > spread) continue;
          if (s != k && dice.chance(zeros)) continue;
          c.weights[static_cast<std::size_t>((d * (degree + 1) + s) * (degree + 1) + k)] =
              dice.chance(c.steep ? 0.6 : 0.05) ? std::exp(-steep * dice.uniform()) : dice.uniform() + 0.01;
        }
    c.channel.weight = c.weights.data();
  }
  const double open = dice.chance(0.1) ? 0 : dice.uniform();
  int left = n;
  for (int i = 0; i < n; ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    const bool must = left > hidden;
    if (!must && !dice.chance(open)) continue;
    --left;
    if (c.mine[at]) {
      c.shown[at] = kOpenedMine;
    } else if (dice.chance(0.1)) {
      c.shown[at] = kNoClue;
    } else {
      int count = mines_around(c.board, c.mine, i);
      if (channel && dice.chance(0.3)) count = std::max(0, std::min(c.graph.degree(i), count + dice.below(3) - 1));
      if (may_lie && dice.chance(0.01)) count = dice.below(c.graph.degree(i) + 2);
      c.shown[at] = static_cast<std::uint8_t>(count);
      if (channel && !may_lie && !(c.channel.row(count, c.graph.degree(i))[mines_around(c.board, c.mine, i)] > 0))
        c.shown[at] = kNoClue;
    }
  }
  c.position.graph = &c.graph;
  c.position.shown = c.shown.data();
  c.position.channel = channel ? &c.channel : nullptr;
  if (dice.chance(0.2)) {
    c.vouched.assign(size, 0);
    for (std::size_t i = 0; i < size; ++i) c.vouched[i] = c.mine[i] && dice.chance(0.5);
    c.position.mines = c.vouched.data();
  }
  switch (dice.below(5)) {
    case 0:
    case 1: c.position.prior = Prior::of_total(may_lie && dice.chance(0.1) ? mines + dice.below(3) - 1 : mines); break;
    case 2: c.position.prior = Prior::of_density(may_lie && dice.chance(0.05) ? dice.below(2) : dice.uniform()); break;
    default: {
      c.table.assign(size + 1, 0.0);
      const double holes = dice.chance(0.5) ? 0 : dice.uniform();
      for (auto& w : c.table) w = dice.chance(holes) ? 0 : dice.uniform();
      if (!may_lie) c.table[static_cast<std::size_t>(mines)] += 0.1;
      c.position.prior = dice.chance(0.5) ? Prior::of_layouts(c.table.data()) : Prior::of_number(c.table.data());
    }
  }
}

inline void print_case(const Case& c) {
  std::printf("board %s cells %d rows %d cols %d hint %d prior kind %d mines %lld chance %g channel %d\n",
              c.board.name.c_str(), c.board.cells(), c.board.rows, c.board.cols, c.graph.rows,
              static_cast<int>(c.position.prior.kind), static_cast<long long>(c.position.prior.mines),
              c.position.prior.chance, c.position.channel != nullptr);
  for (std::size_t i = 0; i < c.shown.size(); ++i)
    std::printf("%d%s", c.shown[i], c.board.cols && (i + 1) % static_cast<std::size_t>(c.board.cols) == 0 ? "\n" : " ");
  std::printf("\n");
}

}  // namespace mineproof::tests

// A session against a fresh analysis after every move of random games; and that it reports every certain cell once.
#include <algorithm>

#include "../exact/session.hpp"
#include "arguments.hpp"
#include "positions.hpp"

using namespace mineproof::tests;

int main(int argc, char** argv) {
  const int games = cases(argc, argv, 4000);
  Dice dice{seed(argc, argv, 21)};
  Analysis fresh;
  int moves = 0;
  int refused = 0;
  double worst = 0;
  for (int g = 0; g < games; ++g) try {
      Case c;
      random_case(dice, 20, c, false);
      if (dice.chance(0.3)) {  // larger boards with room for several components
        c = Case{};
        c.board = square(3 + dice.below(7), 3 + dice.below(9));
        c.graph = c.board.graph();
        const std::size_t n = static_cast<std::size_t>(c.board.cells());
        c.mine.assign(n, 0);
        c.shown.assign(n, kHidden);
        int mines = 0;
        for (auto& m : c.mine) mines += m = dice.chance(0.2);
        c.position.graph = &c.graph;
        c.position.shown = c.shown.data();
        c.position.prior = Prior::of_total(mines);
      }
      const int n = c.board.cells();
      try {
        fresh.solve(c.position);
      } catch (const Contradiction&) {
        continue;
      }
      Session session(c.position);
      std::vector<int> told(static_cast<std::size_t>(n), 0);
      std::vector<double> p(static_cast<std::size_t>(n)), q(static_cast<std::size_t>(n));
      const int ask = dice.below(3);
      for (;;) {
        if (ask != 0 || dice.chance(0.3)) {
          fresh.solve(c.position);
          fresh.probabilities(p.data());
          session.probabilities(q.data());
          for (int i = 0; i < n; ++i) {
            const std::size_t at = static_cast<std::size_t>(i);
            worst = std::max(worst, std::abs(p[at] - q[at]));
            if (!(std::abs(p[at] - q[at]) < 1e-12) || fresh.certain(i) != session.certain(i)) print_case(c);
            CHECK(std::abs(p[at] - q[at]) < 1e-12, "cell %d: session %.17g fresh %.17g", i, q[at], p[at]);
            CHECK(fresh.certain(i) == session.certain(i), "cell %d", i);
            CHECK((p[at] == 0.0) == (q[at] == 0.0) && (p[at] == 1.0) == (q[at] == 1.0));
          }
        }
        if (ask == 2 || dice.chance(0.3)) {
          std::vector<std::int32_t> safe, mines;
          do {
            session.newly_certain(safe, mines);
            for (auto x : safe) CHECK(!told[static_cast<std::size_t>(x)]++);
            for (auto x : mines) CHECK(!told[static_cast<std::size_t>(x)]++);
          } while (!safe.empty() || !mines.empty());
          fresh.solve(c.position);
          for (int i = 0; i < n; ++i) {
            const Certain s = fresh.certain(i);
            if (s == Certain::safe || s == Certain::mine)
              CHECK(told[static_cast<std::size_t>(i)], "cell %d was not told", i);
            if (s == Certain::no) CHECK(!told[static_cast<std::size_t>(i)], "cell %d was told", i);
          }
        }
        std::vector<int> hidden;
        for (int i = 0; i < n; ++i) {
          if (c.shown[static_cast<std::size_t>(i)] == kHidden) hidden.push_back(i);
        }
        if (hidden.empty() || dice.chance(0.03)) break;
        const int cell = hidden[static_cast<std::size_t>(dice.below(static_cast<int>(hidden.size())))];
        const std::size_t at = static_cast<std::size_t>(cell);
        if (c.mine[at] && !dice.chance(0.2)) continue;
        std::uint8_t code = static_cast<std::uint8_t>(mines_around(c.board, c.mine, cell));
        if (dice.chance(0.05)) code = kNoClue;
        if (c.mine[at]) code = kOpenedMine;
        if (code <= kLargestClue && c.position.channel) {
          const double* row = c.channel.row(code, c.graph.degree(cell));
          if (!(row[code] > 0)) code = kNoClue;
        }
        c.shown[at] = code;
        session.open(cell, code);
        ++moves;
      }
    } catch (const BudgetExceeded&) {
      ++refused;  // weights hundreds of orders of magnitude apart
    }
  CHECK(refused < games / 50);
  std::printf("test_session: %d moves, largest difference %.3g\n", moves, worst);
  return 0;
}

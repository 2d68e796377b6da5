// Rollouts and the contest that they decide: luck has the mean 0, and what is tried is what may still pay.
#include <memory>

#include "../search/champion.hpp"
#include "../search/rollout.hpp"
#include "../search/solutions.hpp"
#include "arguments.hpp"
#include "games.hpp"

using namespace mineproof::tests;
using namespace mineproof::search;
using mineproof::FirstClick;

namespace {

constexpr std::size_t kRows = 1000;

// Over all layouts of a position each equally likely: luck sums up to 0, whichever cell is opened and whoever plays on,
// to the end or to the endgame; and best play wins no less. Some mines are open, as where one does not end the game.
int luck_cancels(const std::shared_ptr<Board>& board, std::int64_t mines, std::uint64_t seed) {
  Dice dice{seed};
  Snapshot s = deal(board, mines, dice.below(board->cells()), dice);
  for (int i = 0; i < board->cells(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (!s.mine[at] && dice.chance(0.4)) s.shown[at] = static_cast<std::uint8_t>(mines_around(*board, s.mine, i));
    if (s.mine[at] && dice.chance(0.1)) s.shown[at] = kOpenedMine;
  }
  Position p = s.position();
  Table table;
  table.graph = s.graph;
  table.mines = mines;
  table.first_click = FirstClick::any;
  table.first = {0};
  SolutionLister lister;
  SolutionTable rows;
  if (!lister.all(p, kRows, rows) || rows.rows == 0) return 0;
  // Cells that are no column are as they were dealt, in every layout.
  std::vector<double> risk(s.mine.begin(), s.mine.end());
  for (const std::int32_t cell : rows.cells) risk[static_cast<std::size_t>(cell)] = 0;
  std::vector<std::vector<std::uint8_t>> layouts(rows.rows, s.mine);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    for (std::size_t c = 0; c < rows.columns(); ++c) {
      const auto cell = static_cast<std::size_t>(rows.cells[c]);
      layouts[r][cell] = rows.row(r)[c] == kMine;
      risk[cell] += layouts[r][cell] ? 1.0 / static_cast<double>(rows.rows) : 0;
    }
  }
  int tried = 0;
  for (const bool lookahead : {true, false}) {
    std::vector<double> best(risk.size());
    for (const std::size_t endgame : {kRows, std::size_t{8}, std::size_t{0}}) {
      SwiftOptions options;
      options.lookahead = lookahead;
      options.endgame = endgame;
      Rollout rollout(options, table);
      rollout.begin(p, mineproof::Stream(1, 0, mineproof::Purpose::sample));
      for (std::size_t cell = 0; cell < risk.size(); ++cell) {
        if (s.shown[cell] != kHidden || risk[cell] >= 1) continue;
        double luck = 0, wins = 0;
        for (const auto& layout : layouts) {
          rollout.lay(layout);
          const Rollout::End end = rollout.play(static_cast<std::int32_t>(cell), risk[cell]);
          luck += end.luck;
          wins += end.chance;
        }
        CHECK(std::abs(luck) < 1e-6 * static_cast<double>(rows.rows), "luck %g of cell %zu", luck, cell);
        if (endgame == kRows) best[cell] = wins;
        CHECK(wins >= 0 && wins <= best[cell] + 1e-6, "%g wins of cell %zu, %g by best play", wins, cell, best[cell]);
        ++tried;
      }
    }
  }
  return tried;
}

// Plays contests in which rival 1 is better than the default by `lead`; how often it is preferred.
double preferred(double lead, double behind, const ContestOptions& options, double& layouts) {
  Dice dice{7};
  int chosen = 0;
  layouts = 0;
  constexpr int kContests = 400;
  for (int k = 0; k < kContests; ++k) {
    Contest contest;
    contest.begin(options, std::vector<double>{0.9, 0.9 - behind});
    while (contest.go_on(5) && contest.layouts() < 4096) {
      for (int i = 0; i < 16; ++i) {
        const double base = dice.chance(0.5);
        contest.add(std::vector<double>{base, base + lead + 0.3 * (dice.uniform() - 0.5)});
      }
    }
    chosen += contest.leader() == 1;
    layouts += contest.layouts();
  }
  layouts /= kContests;
  return static_cast<double>(chosen) / kContests;
}

void contests() {
  double clear = 0, equal = 0, unused = 0;
  const ContestOptions options;
  CHECK(preferred(0.05, 0.01, options, clear) > 0.98);
  CHECK(preferred(-0.05, 0.01, options, clear) < 0.02);
  preferred(0.0, 0.0, options, equal);
  CHECK(equal > clear, "%g layouts where cells are equal, %g where they are not", equal, clear);
  CHECK(preferred(0.05, 0.5, options, unused) == 0 && unused == 0, "a score far behind is not tried");
  ContestOptions dear;
  dear.price = 1;
  CHECK(preferred(0.05, 0.0, dear, unused) == 0 && unused == 0, "what costs too much is not tried");
}

}  // namespace

int main(int argc, char** argv) {
  const auto seeds = static_cast<std::uint64_t>(cases(argc, argv, 60));
  int tried = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    tried += luck_cancels(std::make_shared<Board>(square(5, 5)), 4 + static_cast<std::int64_t>(seed % 4), seed);
    tried += luck_cancels(std::make_shared<Board>(hex(5, 5)), 4 + static_cast<std::int64_t>(seed % 4), seed);
  }
  CHECK(tried > 8 * static_cast<int>(seeds), "%d", tried);
  contests();
  std::printf("test_rollout: %d cells tried on all layouts\n", tried);
}

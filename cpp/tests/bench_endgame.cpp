// Processor time of listing solutions and of best play, on Expert positions where a guess is due:  bench_endgame
// [games] [most]
#include <cmath>
#include <ctime>
#include <map>

#include "../search/endgame.hpp"
#include "games.hpp"

using namespace mineproof::tests;
using namespace mineproof::search;

namespace {

double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Sum {
  int positions = 0, listed = 0, solved = 0;
  double read = 0, search = 0, worst = 0;
  double rows = 0, work = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const int games = argc > 1 ? std::atoi(argv[1]) : 2000;
  const std::size_t most = argc > 2 ? static_cast<std::size_t>(std::atoll(argv[2])) : 400;
  auto board = std::make_shared<Board>(square(16, 30));
  Dice dice{1};
  Analysis analysis;
  std::vector<std::pair<Snapshot, double>> stuck;
  for (int g = 0; g < games; ++g) {
    const int first = 3 * 30 + 3;
    Snapshot s = deal(board, 99, first, dice);
    open(s, first);
    play(s, analysis, dice, false, 1.0, [&](const Snapshot& at, bool is_stuck) {
      if (is_stuck) stuck.emplace_back(at, analysis.log_weight());
    });
  }
  SolutionLister lister;
  Endgame endgame;
  std::map<int, Sum> by_size;
  double isolated = 0;
  int alone = 0;
  for (const auto& [s, log_weight] : stuck) {
    std::vector<SolutionTable> tables;
    const double t0 = now();
    lister.isolated(s.position(), 400, tables);
    isolated += now() - t0;
    alone += !tables.empty();
    if (log_weight > std::log(static_cast<double>(most)) + 6) continue;
    Sum& sum = by_size[static_cast<int>(std::ceil(log_weight / std::log(10.0) * 2 - 1e-9))];
    ++sum.positions;
    const double t1 = now();
    const bool listed = lister.regions(s.position(), most, tables);
    const double t2 = now();
    sum.read += t2 - t1;
    if (!listed) continue;
    ++sum.listed;
    bool solved = true;
    for (const SolutionTable& t : tables) {
      solved &= endgame.solve(t).solved;
      sum.rows += static_cast<double>(t.rows);
      sum.work += static_cast<double>(endgame.work());
    }
    const double t3 = now() - t2;
    sum.search += t3;
    sum.worst = std::max(sum.worst, t3);
    sum.solved += solved;
  }
  std::printf("%d games, %zu guesses; parts alone: %d positions, %.1f us a guess\n", games, stuck.size(), alone,
              isolated / static_cast<double>(stuck.size()) * 1e6);
  double listing = 0;
  double searching = 0;
  for (const auto& [size, s] : by_size) listing += s.read, searching += s.search;
  std::printf("a game: %.1f us listing, %.1f us searching\n", listing / games * 1e6, searching / games * 1e6);
  for (const auto& [size, s] : by_size) {
    std::printf(
        "solutions <= 10^%.1f: %5d positions, %5d listed (%.0f rows) in %7.1f us; %5d solved in %9.1f us, worst %9.1f "
        "us, work %.0f\n",
        size / 2.0, s.positions, s.listed, s.rows / std::max(1, s.listed), s.read / s.positions * 1e6, s.solved,
        s.search / std::max(1, s.listed) * 1e6, s.worst * 1e6, s.work / std::max(1, s.listed));
  }
}

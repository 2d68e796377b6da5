// Sweeps: on every kind of board the same cells are opened as by comparing all clues with all others, until nothing
// follows.
#include <iterator>
#include <memory>
#include <set>

#include "../search/sweep.hpp"
#include "arguments.hpp"
#include "games.hpp"

using namespace mineproof::tests;
using namespace mineproof::search;

namespace {

using Cells = std::set<int>;

// The slow way: every clue as a set of cells and a number, every two of them compared again and again.
class Slow {
 public:
  explicit Slow(const Snapshot& s) : s_(s) {}

  // All that follows is opened; what is proved to be a mine is kept.
  void run() {
    while (step()) {
    }
  }
  const std::vector<std::uint8_t>& shown() const { return s_.shown; }

 private:
  struct Says {
    Cells cells;
    int mines = 0;
  };

  Says says(int clue) const {
    Says out;
    out.mines = s_.shown[static_cast<std::size_t>(clue)];
    for (int e = s_.graph.offset[clue]; e < s_.graph.offset[clue + 1]; ++e) {
      const int n = s_.graph.target[e];
      const std::uint8_t code = s_.shown[static_cast<std::size_t>(n)];
      if (code == kOpenedMine || mines_.count(n))
        --out.mines;
      else if (code == kHidden)
        out.cells.insert(n);
    }
    return out;
  }

  static Cells without(const Cells& all, const Cells& some) {
    Cells out;
    std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::inserter(out, out.end()));
    return out;
  }

  bool conclude(const Cells& safe, const Cells& mines) {
    for (const int c : safe)
      s_.shown[static_cast<std::size_t>(c)] = static_cast<std::uint8_t>(mines_around(*s_.board, s_.mine, c));
    mines_.insert(mines.begin(), mines.end());
    return !safe.empty() || !mines.empty();
  }

  bool step() {
    std::vector<Says> all;
    for (int i = 0; i < s_.graph.cells; ++i) {
      if (s_.shown[static_cast<std::size_t>(i)] <= kLargestClue) all.push_back(says(i));
    }
    for (const Says& one : all) {
      if (one.mines == 0 && conclude(one.cells, {})) return true;
      if (one.mines == static_cast<int>(one.cells.size()) && conclude({}, one.cells)) return true;
    }
    for (const Says& one : all) {
      for (const Says& other : all) {
        const Cells own = without(one.cells, other.cells);
        if (one.mines - other.mines == static_cast<int>(own.size()) && conclude(without(other.cells, one.cells), own))
          return true;
      }
    }
    return false;
  }

  Snapshot s_;
  Cells mines_;
};

std::vector<std::unique_ptr<Sweep>> all_sweeps(const Graph& graph, std::int64_t mines) {
  std::vector<std::unique_ptr<Sweep>> all;
  all.push_back(make_sweep(graph, mines));
  all.push_back(make_graph_sweep(graph, mines));
  if (graph.rows > 0 && graph.cols <= kMostColumns) all.push_back(make_grid_sweep(graph, mines, false));
  return all;
}

// Codes of any kind, most of them contradictions: sweeps come to an end, and nothing that is open changes.
void end_anyhow(const Board& board, Dice& dice) {
  const Graph graph = board.graph();
  std::vector<std::uint8_t> codes;
  for (int i = 0; i < board.cells(); ++i) {
    const int kind = dice.below(8);
    codes.push_back(kind < 3   ? kHidden
                    : kind < 6 ? static_cast<std::uint8_t>(dice.below(5))
                               : static_cast<std::uint8_t>(dice.below(256)));
    if (codes.back() > kLargestClue && codes.back() < kNoClue) codes.back() = kNoClue;
  }
  for (auto& sweep : all_sweeps(graph, 3)) {
    sweep->begin(codes.data());
    sweep->resume();
    const auto shown = sweep->shown();
    CHECK(std::equal(shown.begin(), shown.end(), codes.begin(), codes.end()), "%s", board.name.c_str());
  }
}

int compare(const std::shared_ptr<Board>& board, double density, Dice& dice) {
  const int n = board->cells();
  const int first = dice.below(n);
  const auto mines = static_cast<std::int64_t>(static_cast<double>(n - 1 - board->graph().degree(first)) * density);
  if (mines < 0) return 0;
  Snapshot s = deal(board, mines, first, dice);
  if (dice.chance(0.7)) open(s, first);
  for (int i = 0; i < n; ++i) {
    if (s.mine[static_cast<std::size_t>(i)] && dice.chance(0.03)) s.shown[static_cast<std::size_t>(i)] = kOpenedMine;
    if (!s.mine[static_cast<std::size_t>(i)] && dice.chance(0.01)) s.shown[static_cast<std::size_t>(i)] = kNoClue;
  }
  const auto sweeps = all_sweeps(s.graph, mines);
  for (auto& sweep : sweeps) {
    sweep->begin(s.shown.data());
    sweep->lay(s.mine);
  }
  // Two games each, cell after cell, and a mine at the end of the first.
  int moves = 0;
  for (int game = 0; game < 2; ++game) {
    Snapshot now = s;
    for (auto& sweep : sweeps) sweep->resume();
    for (;;) {
      std::vector<int> hidden, bombs;
      for (int i = 0; i < n; ++i) {
        if (now.shown[static_cast<std::size_t>(i)] != kHidden) continue;
        (now.mine[static_cast<std::size_t>(i)] ? bombs : hidden).push_back(i);
      }
      if (hidden.empty() || (game == 0 && !bombs.empty() && dice.chance(0.1))) {
        for (auto& sweep : sweeps) {
          CHECK(sweep->over() == hidden.empty());
          if (bombs.empty() || sweep->over()) continue;
          sweep->open(bombs.front());
          CHECK(sweep->over() && sweep->lost());
        }
        break;
      }
      const int cell = hidden[static_cast<std::size_t>(dice.below(static_cast<int>(hidden.size())))];
      now.shown[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(mines_around(*board, now.mine, cell));
      Slow slow(now);
      slow.run();
      now.shown = slow.shown();
      for (auto& sweep : sweeps) {
        sweep->open(cell);
        const auto shown = sweep->shown();
        CHECK(std::equal(shown.begin(), shown.end(), now.shown.begin()), "%s: other cells are open",
              board->name.c_str());
        CHECK(!sweep->lost() && sweep->is_open(cell));
      }
      ++moves;
    }
  }
  return moves;
}

}  // namespace

int main(int argc, char** argv) {
  const int boards = cases(argc, argv, 1000);
  Dice dice{seed(argc, argv, 11)};
  int moves = 0;
  for (int k = 0; k < boards; ++k)
    moves += compare(std::make_shared<Board>(any_board(dice, 60)), 0.1 + 0.3 * dice.uniform(), dice);
  for (const auto& [rows, cols] : std::vector<std::pair<int, int>>{{1, 9},
                                                                   {9, 1},
                                                                   {2, 31},
                                                                   {3, 32},
                                                                   {2, 33},
                                                                   {4, 63},
                                                                   {3, 64},
                                                                   {3, 65},
                                                                   {1, 64},
                                                                   {64, 1},
                                                                   {12, 12},
                                                                   {16, 30}}) {
    for (int k = 0; k < part_of(12); ++k)
      moves += compare(std::make_shared<Board>(square(rows, cols)), 0.1 + 0.15 * dice.uniform(), dice);
  }
  for (int k = 0; k < 3 * boards; ++k) end_anyhow(any_board(dice, 60), dice);
  CHECK(moves > 3 * boards, "%d", moves);
  std::printf("test_sweep: %d moves\n", moves);
}

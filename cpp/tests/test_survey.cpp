// Surveys: on every kind of board they find what comparing all clues with all others finds, and players guess the same
// with them as without.
#include <iterator>
#include <map>
#include <set>

#include "../search/player.hpp"
#include "../search/sweep.hpp"
#include "../search/swift.hpp"
#include "arguments.hpp"
#include "games.hpp"

using namespace mineproof::tests;
using namespace mineproof::search;

namespace {

using Cells = std::set<int>;
using List = std::vector<std::int32_t>;

// The slow way: every clue as a set of cells and a number, every two of them compared again and again.
class Slow {
 public:
  Slow(const Snapshot& s, bool pairs) {
    for (int i = 0; i < s.graph.cells; ++i) {
      const std::uint8_t code = s.shown[static_cast<std::size_t>(i)];
      if (code > kLargestClue) continue;
      Says says{{}, code};
      for (int e = s.graph.offset[i]; e < s.graph.offset[i + 1]; ++e) {
        const std::uint8_t near = s.shown[static_cast<std::size_t>(s.graph.target[e])];
        if (near == kHidden) says.cells.insert(s.graph.target[e]);
        if (near == kOpenedMine) --says.mines;
      }
      clues_.push_back(says);
    }
    while (singles() || (pairs && compared())) {
    }
  }
  List found(bool mine) const {
    List out;
    for (const auto& [cell, is] : known_) {
      if (is == mine) out.push_back(cell);
    }
    return out;
  }

 private:
  struct Says {
    Cells cells;
    int mines = 0;
  };

  static Cells without(const Cells& all, const Cells& some) {
    Cells out;
    std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::inserter(out, out.end()));
    return out;
  }

  bool conclude(const Cells& safe, const Cells& mines) {
    for (const int c : safe) known_[c] = false;
    for (const int c : mines) known_[c] = true;
    for (Says& says : clues_) {
      says.cells = without(says.cells, safe);
      for (const int c : mines) says.mines -= static_cast<int>(says.cells.erase(c));
    }
    return !safe.empty() || !mines.empty();
  }

  bool singles() {
    for (const Says& one : std::vector<Says>(clues_)) {
      if (one.mines == 0 && conclude(one.cells, {})) return true;
      if (one.mines == static_cast<int>(one.cells.size()) && conclude({}, one.cells)) return true;
    }
    return false;
  }

  bool compared() {
    for (const Says& one : std::vector<Says>(clues_)) {
      for (const Says& other : std::vector<Says>(clues_)) {
        const Cells own = without(one.cells, other.cells);
        if (one.mines - other.mines == static_cast<int>(own.size()) && conclude(without(other.cells, one.cells), own))
          return true;
      }
    }
    return false;
  }

  std::vector<Says> clues_;
  std::map<int, bool> known_;
};

std::vector<std::unique_ptr<Survey>> all_surveys(const Graph& graph) {
  std::vector<std::unique_ptr<Survey>> all;
  all.push_back(make_survey(graph));
  all.push_back(make_graph_survey(graph));
  if (graph.rows > 0 && graph.cols <= kMostColumns) all.push_back(make_grid_survey(graph, false));
  return all;
}

// Positions of a game whose safe cells are opened in any order.
int compare(const std::shared_ptr<Board>& board, double density, Dice& dice) {
  const int n = board->cells();
  const int first = dice.below(n);
  const auto mines = static_cast<std::int64_t>(static_cast<double>(n - 1 - board->graph().degree(first)) * density);
  if (mines < 0) return 0;
  Snapshot s = deal(board, mines, first, dice);
  for (int i = 0; i < n; ++i) {
    if (s.mine[static_cast<std::size_t>(i)] && dice.chance(0.03)) s.shown[static_cast<std::size_t>(i)] = kOpenedMine;
    if (!s.mine[static_cast<std::size_t>(i)] && dice.chance(0.01)) s.shown[static_cast<std::size_t>(i)] = kNoClue;
  }
  const auto surveys = all_surveys(s.graph);
  int positions = 0;
  for (;; ++positions) {
    std::vector<int> hidden;
    for (int i = 0; i < n; ++i) {
      if (s.shown[static_cast<std::size_t>(i)] == kHidden && !s.mine[static_cast<std::size_t>(i)]) hidden.push_back(i);
    }
    if (hidden.empty()) return positions;
    const int cell = hidden[static_cast<std::size_t>(dice.below(static_cast<int>(hidden.size())))];
    if (dice.chance(0.3))
      open(s, cell);
    else
      s.shown[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(mines_around(*board, s.mine, cell));
    const Slow one(s, false), two(s, true);
    const List expected = one.found(false).empty() ? two.found(false) : one.found(false);
    for (const auto& survey : surveys) {
      List safe, certain_mines;
      CHECK(survey->find(s.shown.data(), safe) == !expected.empty(), "%s", board->name.c_str());
      CHECK(expected.empty() || safe == expected, "%s: other cells are safe", board->name.c_str());
      CHECK(survey->decide(s.shown.data(), safe, certain_mines), "%s", board->name.c_str());
      CHECK(safe == two.found(false) && certain_mines == two.found(true), "%s: other cells", board->name.c_str());
    }
  }
}

// Codes of any kind, most of them contradictions: a clue that cannot be met is noticed, and what is found is hidden.
int end_anyhow(const Board& board, Dice& dice) {
  const Graph graph = board.graph();
  std::vector<std::uint8_t> codes;
  bool clash = false;
  for (int i = 0; i < board.cells(); ++i) {
    const int kind = dice.below(8);
    codes.push_back(kind < 3   ? kHidden
                    : kind < 6 ? static_cast<std::uint8_t>(dice.below(5))
                               : static_cast<std::uint8_t>(dice.below(256)));
    if (codes.back() > kLargestClue && codes.back() < kNoClue) codes.back() = kNoClue;
  }
  for (int i = 0; i < board.cells(); ++i) {
    if (codes[static_cast<std::size_t>(i)] > kLargestClue) continue;
    int hidden = 0, burst = 0;
    for (int e = graph.offset[i]; e < graph.offset[i + 1]; ++e) {
      const std::uint8_t near = codes[static_cast<std::size_t>(graph.target[e])];
      hidden += near == kHidden;
      burst += near == kOpenedMine;
    }
    const int number = codes[static_cast<std::size_t>(i)];
    clash = clash || number < burst || number > hidden + burst;
  }
  for (auto& survey : all_surveys(graph)) {
    List safe, mines;
    if (survey->find(codes.data(), safe)) {
      CHECK(!clash, "%s", board.name.c_str());
      for (const std::int32_t cell : safe) CHECK(codes[static_cast<std::size_t>(cell)] == kHidden);
    }
    CHECK(!(survey->decide(codes.data(), safe, mines) && clash), "%s", board.name.c_str());
  }
  return clash;
}

// A game and who plays it, up to the next guess.
struct Side {
  mineproof::Game game;
  Player player;

  // False where the game is over.
  bool come_to_guess() {
    while (!game.over()) {
      if (!player.prove(game.shown())) return true;
      for (const std::int32_t cell : player.safe()) {
        CHECK(cell >= 0);
        if (!game.is_open(static_cast<std::size_t>(cell))) game.open(cell);
      }
    }
    return false;
  }
};

// With a survey and without: the same codes, mines that are certain, guesses, risks and chances, to the last bit.
template <class MakeGuesser>
int play_both(const Board& board, std::int64_t mines, mineproof::FirstClick first_click, int games, std::uint64_t seed,
              MakeGuesser make) {
  Table table{board.graph(), mines, first_click, {0, board.cells() - 1}};
  mineproof::GameRules rules;
  rules.mines = static_cast<std::size_t>(mines);
  rules.first_click = first_click;
  Side surveyed{{table.neighbours(), rules}, {table, make(table.graph)}};
  Side plain{{table.neighbours(), rules}, {table, make(table.graph), true}};
  int guesses = 0;
  for (int g = 0; g < games; ++g) {
    const auto index = static_cast<std::uint64_t>(g);
    for (Side* side : {&surveyed, &plain}) {
      side->game.begin(seed, index);
      side->player.begin(mineproof::Stream(seed, index, mineproof::Purpose::agent));
    }
    for (bool more = true; more;) {
      more = surveyed.come_to_guess();
      CHECK(more == plain.come_to_guess());
      CHECK(std::equal(surveyed.game.shown(), surveyed.game.shown() + board.cells(), plain.game.shown()));
      if (!more) break;
      List one, other;
      surveyed.player.certain_mines(one);
      plain.player.certain_mines(other);
      CHECK(one == other && surveyed.player.count_mines() == plain.player.count_mines());
      CHECK(surveyed.player.stage() == plain.player.stage());
      const Guess a = surveyed.player.guess(), b = plain.player.guess();
      CHECK(a.cell == b.cell && a.risk == b.risk && a.among == b.among && a.chance == b.chance, "%s game %d",
            board.name.c_str(), g);
      surveyed.game.open(a.cell);
      plain.game.open(b.cell);
      ++guesses;
    }
    const mineproof::GameEnd a = surveyed.game.end(), b = plain.game.end();
    CHECK(a.won == b.won && a.opened == b.opened && a.safe_left == b.safe_left);
  }
  return guesses;
}

}  // namespace

int main(int argc, char** argv) {
  const int boards = cases(argc, argv, 600);
  Dice dice{seed(argc, argv, 13)};
  int positions = 0, clashes = 0, guesses = 0;
  for (int k = 0; k < boards; ++k)
    positions += compare(std::make_shared<Board>(any_board(dice, 60)), 0.1 + 0.3 * dice.uniform(), dice);
  for (const auto& [rows, cols] : std::vector<std::pair<int, int>>{
           {1, 9}, {9, 1}, {2, 31}, {3, 32}, {2, 33}, {3, 63}, {2, 64}, {2, 65}, {64, 1}, {12, 12}}) {
    for (int k = 0; k < part_of(2); ++k)
      positions += compare(std::make_shared<Board>(square(rows, cols)), 0.1 + 0.15 * dice.uniform(), dice);
  }
  for (int k = 0; k < 3 * boards; ++k) clashes += end_anyhow(any_board(dice, 60), dice);
  CHECK(clashes > boards, "%d", clashes);
  using mineproof::FirstClick;
  const auto exact = [](const Graph&) { return std::make_unique<ExactGuesser>(); };
  const auto swift = [](const Graph& graph) { return std::make_unique<Swift>(SwiftOptions{}, graph); };
  const std::uint64_t games_of = dice.next();
  for (const FirstClick rule : {FirstClick::safe, FirstClick::opening, FirstClick::any}) {
    guesses += play_both(square(16, 30), 99, rule, part_of(1000), games_of, exact);
    guesses += play_both(square(16, 30), 99, rule, part_of(150), games_of, swift);
    guesses += play_both(square(9, 9), 10, rule, part_of(1500), games_of, swift);
    guesses += play_both(hex(9, 9), 14, rule, part_of(300), games_of, exact);
    guesses += play_both(torus(8, 8), 10, rule, part_of(300), games_of, swift);
    guesses += play_both(triangles(6, 10), 8, rule, part_of(300), games_of, exact);
  }
  std::printf("test_survey: %d positions, %d guesses\n", positions, guesses);
}

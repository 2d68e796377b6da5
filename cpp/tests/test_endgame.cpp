// Solutions and best play against the plainest possible methods, on small positions of every kind of board.
#include <algorithm>
#include <map>
#include <set>

#include "../search/endgame.hpp"
#include "arguments.hpp"
#include "positions.hpp"

using namespace mineproof::tests;
using namespace mineproof::search;

namespace {

using Row = std::vector<std::uint8_t>;  // per cell: what it would show, or kMine

// Every layout that fits, cell by cell.
std::set<Row> brute(const Case& c) {
  const int n = c.board.cells();
  std::vector<int> hidden;
  for (int i = 0; i < n; ++i)
    if (c.shown[static_cast<std::size_t>(i)] == kHidden) hidden.push_back(i);
  std::set<Row> rows;
  for (std::uint32_t bits = 0; bits < (1u << hidden.size()); ++bits) {
    std::vector<std::uint8_t> mine(static_cast<std::size_t>(n), 0);
    int total = 0;
    bool fits = true;
    for (int i = 0; i < n; ++i) mine[static_cast<std::size_t>(i)] = c.shown[static_cast<std::size_t>(i)] == kOpenedMine;
    for (std::size_t k = 0; k < hidden.size(); ++k) mine[static_cast<std::size_t>(hidden[k])] = bits >> k & 1;
    for (int i = 0; i < n; ++i) total += mine[static_cast<std::size_t>(i)];
    if (total != c.position.prior.mines) continue;
    Row row(static_cast<std::size_t>(n));
    for (int i = 0; i < n && fits; ++i) {
      const std::size_t at = static_cast<std::size_t>(i);
      const int count = mines_around(c.board, mine, i);
      if (c.shown[at] <= kLargestClue) fits = count == c.shown[at];
      if (!c.vouched.empty() && c.vouched[at] && !mine[at]) fits = false;
      row[at] = c.shown[at] != kHidden ? 0 : mine[at] ? kMine : static_cast<std::uint8_t>(count);
      if (c.shown[at] == kOpenedMine) row[at] = kMine;
    }
    if (fits) rows.insert(row);
  }
  return rows;
}

// Wins by trying every closed cell in turn, whether or not it is certain; remembers by rows left and cells opened.
struct Plain {
  const std::vector<Row>& rows;
  std::map<std::pair<std::vector<int>, std::vector<int>>, int> known;

  int best(const std::vector<int>& left, const std::vector<int>& opened) {
    const auto [at, fresh] = known.try_emplace({left, opened}, 0);
    if (!fresh) return at->second;
    int most = 0;
    bool done = false;
    const int n = static_cast<int>(rows[0].size());
    // Won where every safe cell is open.
    for (const int r : left) {
      int safe = 0;
      for (int x = 0; x < n; ++x) safe += rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(x)] != kMine;
      done |= safe == static_cast<int>(opened.size());
    }
    if (done) most = 1;
    for (int x = 0; x < n && !done; ++x) {
      if (std::find(opened.begin(), opened.end(), x) == opened.end()) most = std::max(most, open(left, opened, x));
    }
    return known[{left, opened}] = most;
  }
  int open(const std::vector<int>& left, std::vector<int> opened, int x) {
    std::map<int, std::vector<int>> groups;
    for (const int r : left) {
      const int v = rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(x)];
      if (v != kMine) groups[v].push_back(r);
    }
    opened.push_back(x);
    std::sort(opened.begin(), opened.end());
    int sum = 0;
    for (const auto& [v, group] : groups) sum += best(group, opened);
    return sum;
  }
};

std::set<Row> shown_by(const SolutionTable& table, const std::set<Row>& expected) {
  // Columns that a table leaves out never differ in what matters: take them from any expected row.
  std::set<Row> rows;
  for (std::size_t r = 0; r < table.rows; ++r) {
    Row row = *expected.begin();
    for (std::size_t c = 0; c < table.columns(); ++c) row[static_cast<std::size_t>(table.cells[c])] = table.row(r)[c];
    rows.insert(row);
  }
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = cases(argc, argv, 60000);
  Dice dice{seed(argc, argv, 11)};
  SolutionLister lister;
  Endgame endgame;
  Case c;
  int solved = 0;
  int split = 0;
  int lone = 0;
  for (int round = 0; round < rounds; ++round) {
    random_case(dice, 11, c, false);
    if (c.position.channel || c.position.prior.kind != Prior::Kind::total) continue;
    const std::set<Row> expected = brute(c);
    SolutionTable table;
    CHECK(lister.all(c.position, 4096, table));
    CHECK(table.rows == expected.size(), "%zu rows of %zu", table.rows, expected.size());
    CHECK(shown_by(table, expected) == expected);
    if (expected.size() > 1) {
      SolutionTable few;
      CHECK(!lister.all(c.position, expected.size() - 1, few));
    }
    std::vector<SolutionTable> regions;
    CHECK(lister.regions(c.position, 4096, regions));
    std::size_t product = 1;
    for (const SolutionTable& t : regions) product *= t.rows;
    CHECK(product == expected.size());
    std::vector<std::uint64_t> wins;
    const EndgameAnswer answer = endgame.values(table, wins);
    CHECK(answer.solved && answer.total == expected.size());
    std::uint64_t together = 1;
    for (const SolutionTable& t : regions) {
      const EndgameAnswer part = endgame.solve(t);
      CHECK(part.solved && part.cell >= 0);
      together *= part.wins;
    }
    CHECK(together == answer.wins, "%llu in regions, %llu whole", (unsigned long long)together,
          (unsigned long long)answer.wins);
    split += regions.size() > 1;
    lister.isolated(c.position, 4096, regions);
    lone += !regions.empty();
    if (expected.size() > 60 || table.columns() > 9) continue;
    // The whole search, the plain way.
    const std::vector<Row> rows(expected.begin(), expected.end());
    Plain plain{rows, {}};
    std::vector<int> every;
    std::vector<int> opened;
    for (std::size_t r = 0; r < rows.size(); ++r) every.push_back(static_cast<int>(r));
    for (int x = 0; x < c.board.cells(); ++x) {
      bool safe =
          c.shown[static_cast<std::size_t>(x)] != kHidden && c.shown[static_cast<std::size_t>(x)] != kOpenedMine;
      // Certain cells that show the same in every row are as good as open.
      bool same = true;
      for (const Row& row : rows) same &= row[static_cast<std::size_t>(x)] == rows[0][static_cast<std::size_t>(x)];
      if (safe || (same && rows[0][static_cast<std::size_t>(x)] != kMine)) opened.push_back(x);
    }
    CHECK(plain.best(every, opened) == static_cast<int>(answer.wins));
    for (std::size_t k = 0; k < table.columns(); ++k) {
      if (std::find(opened.begin(), opened.end(), table.cells[k]) != opened.end()) continue;
      CHECK(plain.open(every, opened, table.cells[k]) == static_cast<int>(wins[k]));
    }
    ++solved;
  }
  std::printf("test_endgame: %d positions searched, %d in several regions, %d with a part alone\n", solved, split,
              lone);
  CHECK(solved > rounds / 20 && split >= rounds / 5000);
}

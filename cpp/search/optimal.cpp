#include "search/optimal.hpp"

namespace mineproof::search {

namespace {

// Under `any` and `safe` alike a first cell wins the layouts where it is safe and play goes on well: only the number of
// layouts that the deal allows differs. So one search over all layouts serves both.
OptimalAnswer from_all_layouts(const exact::Position& position, bool safe, std::span<const std::int32_t> first,
                               const OptimalLimits& limits) {
  OptimalAnswer answer;
  SolutionTable table;
  if (!Lister().all(position, limits.layouts, table)) {
    answer.end = OptimalEnd::too_many_layouts;
    return answer;
  }
  const std::size_t cells = static_cast<std::size_t>(position.graph->cells);
  const std::size_t mines = static_cast<std::size_t>(position.prior.mines);
  answer.total = table.rows;
  if (mines == 0 || mines == cells) {
    // No cell varies, so that none is in the table. With nothing but mines a game under `any` is lost.
    answer.wins = mines == 0 ? 1 : 0;
    if (!safe || mines == 0) answer.best.assign(first.begin(), first.end());
    if (safe && mines == cells) answer.total = 0;
    return answer;
  }
  std::vector<std::int32_t> column_of(cells, -1);
  for (std::size_t c = 0; c < table.columns(); ++c)
    column_of[static_cast<std::size_t>(table.cells[c])] = static_cast<std::int32_t>(c);
  std::vector<std::int32_t> columns;
  for (const std::int32_t cell : first) columns.push_back(column_of[static_cast<std::size_t>(cell)]);
  std::vector<std::int32_t> best;
  const EndgameAnswer found = Endgame().best_of(table, columns, best, limits.endgame);
  if (!found.solved) {
    answer.end = OptimalEnd::too_much_work;
    return answer;
  }
  answer.wins = found.wins;
  if (safe) answer.total = table.rows * (cells - mines) / cells;
  for (const std::int32_t c : best) answer.best.push_back(table.cells[static_cast<std::size_t>(c)]);
  return answer;
}

}  // namespace

OptimalAnswer optimal(const exact::Graph& graph, std::int64_t mines, FirstClick rule,
                      std::span<const std::int32_t> first, const OptimalLimits& limits) {
  std::vector<std::uint8_t> shown(static_cast<std::size_t>(graph.cells), exact::kHidden);
  exact::Position position;
  position.graph = &graph;
  position.shown = shown.data();
  position.prior = exact::Prior::of_total(mines);
  if (rule != FirstClick::opening) return from_all_layouts(position, rule == FirstClick::safe, first, limits);
  // Each first cell has layouts of its own: those where it shows no mine around it.
  OptimalAnswer answer;
  Lister lister;
  Endgame endgame;
  SolutionTable table;
  EndgameLimits left = limits.endgame;
  for (const std::int32_t cell : first) {
    if (mines > graph.cells - 1 - graph.degree(cell)) continue;
    shown[static_cast<std::size_t>(cell)] = 0;
    const bool listed = lister.all(position, limits.layouts, table);
    shown[static_cast<std::size_t>(cell)] = exact::kHidden;
    if (!listed) {
      answer.end = OptimalEnd::too_many_layouts;
      return answer;
    }
    const EndgameAnswer found = endgame.solve(table, left);
    if (!found.solved) {
      answer.end = OptimalEnd::too_much_work;
      return answer;
    }
    left.work -= endgame.work();
    // Shares with different totals are compared by cross products: both sides have few enough layouts.
    const std::uint64_t now = found.wins * std::max<std::uint64_t>(answer.total, 1);
    const std::uint64_t before = answer.wins * found.total;
    if (answer.best.empty() || now > before) {
      answer.best.clear();
      answer.wins = found.wins;
      answer.total = found.total;
    }
    if (answer.best.empty() || now == before) answer.best.push_back(cell);
  }
  return answer;
}

}  // namespace mineproof::search

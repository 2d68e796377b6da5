// Best play in the endgame and from the empty board.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>

#include "bindings/sections.hpp"
#include "bindings/table.hpp"
#include "search/endgame.hpp"
#include "search/optimal.hpp"
#include "search/win.hpp"

namespace mineproof::bindings {

using namespace nb::literals;

namespace {

// Cells of a region, the solutions won when each is opened first, and those won by best play; their
// number; a best cell.
using RegionOut =
    std::tuple<std::vector<std::int32_t>, std::vector<std::uint64_t>, std::uint64_t, std::uint64_t, std::int32_t>;

search::EndgameLimits patient_endgame(std::int64_t work) {
  const exact::Limits patient = patient_limits(0, 0);
  return {work, patient.stop, patient.context};
}

std::tuple<std::string, std::vector<RegionOut>> endgame(std::shared_ptr<Board> board, std::shared_ptr<Model> model,
                                                        const nb::bytearray& shown,
                                                        const std::optional<nb::bytearray>& vouched, std::size_t limit,
                                                        std::int64_t work) {
  const Shown position(std::move(board), std::move(model), shown, vouched);
  return interruptible([&]() -> std::tuple<std::string, std::vector<RegionOut>> {
    std::vector<search::SolutionTable> tables;
    if (!search::Lister().regions(position.position(), limit, tables)) return {"solutions", {}};
    std::vector<RegionOut> regions;
    search::Endgame solver;
    search::EndgameLimits left = patient_endgame(work);
    for (const search::SolutionTable& table : tables) {
      std::vector<std::uint64_t> wins;
      const search::EndgameAnswer best = solver.values(table, wins, left);
      if (!best.solved) return {"work", {}};
      left.work -= solver.work();
      regions.emplace_back(table.cells, std::move(wins), best.wins, best.total, best.cell);
    }
    return {"solved", std::move(regions)};
  });
}

std::tuple<std::string, std::uint64_t, std::uint64_t, std::vector<std::int32_t>> optimal(
    std::shared_ptr<Board> board, std::int64_t mines, const std::string& first_click,
    const std::vector<std::int32_t>& first, std::size_t layouts, std::int64_t work) {
  const FirstClick rule = first_click_of(first_click);
  check_mines(*board, mines);
  check_cells(*board, first);
  const search::OptimalLimits limits{layouts, patient_endgame(work)};
  search::OptimalAnswer answer =
      interruptible([&] { return search::optimal(board->graph, mines, rule, first, limits); });
  const char* end = answer.end == search::OptimalEnd::solved             ? "solved"
                    : answer.end == search::OptimalEnd::too_many_layouts ? "solutions"
                                                                         : "work";
  return {end, answer.wins, answer.total, std::move(answer.best)};
}

using WinOut = std::tuple<std::int32_t, std::int64_t, double, double>;

std::vector<WinOut> win_sums(std::shared_ptr<Board> board, std::int64_t mines, const std::string& first_click,
                             const nb::bytearray& shown, const std::vector<std::int32_t>& cells, std::uint64_t seed,
                             std::size_t samples, double seconds) {
  check_cells(*board, cells);
  const std::vector<std::uint8_t> codes = codes_of(*board, shown);
  exact::Position position;
  position.graph = &board->graph;
  position.shown = codes.data();
  position.prior = exact::Prior::of_total(mines);
  const search::Table table{board->graph, mines, first_click_of(first_click), {0}};
  const exact::Limits patient = patient_limits(0, 0);
  const search::WinLimits limits{samples, seconds, patient.stop, patient.context};
  std::vector<WinOut> out;
  interruptible([&] {
    for (const search::WinSum& sum : search::win_sums(position, table, {}, cells, seed, limits)) {
      out.emplace_back(sum.cell, sum.played, sum.sum, sum.squares);
    }
    return true;
  });
  return out;
}

}  // namespace

void bind_search_endgame(nb::module_& m) {
  m.def("endgame", &endgame, "board"_a, "model"_a, "shown"_a, "vouched"_a.none(), "limit"_a, "work"_a,
        "Best play by independent regions: `solved`, or what there is too much of (`solutions`, "
        "`work`); a region has its cells, the solutions won when each is opened first, those won "
        "by best play, their number, and a best cell.");
  m.def("optimal", &optimal, "board"_a, "mines"_a, "first_click"_a, "first"_a, "layouts"_a, "work"_a,
        "Best play from the empty board: `solved`, `solutions` or `work`; layouts won; layouts; "
        "the best of the given first cells.");
  m.def("win_sums", &win_sums, "board"_a, "mines"_a, "first_click"_a, "shown"_a, "cells"_a, "seed"_a, "samples"_a,
        "seconds"_a,
        "Games played out on layouts of the posterior after each cell is opened: the cell, the "
        "layouts where it is safe, the sum of the chances to win on them, and of their squares.");
}

}  // namespace mineproof::bindings

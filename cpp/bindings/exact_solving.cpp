// One position: solving it, the questions asked afterwards, and why it has no solution.
#include "bindings/exact_solved.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bindings/sections.hpp"
#include "exact/clash.hpp"
#include "exact/front.hpp"
#include "search/survey.hpp"

namespace mineproof::bindings {

using namespace nb::literals;

namespace {

std::unique_ptr<Solved> solve(std::shared_ptr<Board> board, std::shared_ptr<Model> model, const nb::bytearray& shown,
                              const std::optional<nb::bytearray>& vouched, std::int64_t states, std::int64_t memory) {
  auto solved = std::make_unique<Solved>(Shown(std::move(board), std::move(model), shown, vouched), states, memory);
  solved->solve();
  return solved;
}

using Cells = std::vector<std::int32_t>;

std::pair<Cells, Cells> settled(std::shared_ptr<Board> board, std::shared_ptr<Model> model, const nb::bytearray& shown,
                                bool pairs) {
  check_shown(*board, *model, shown);
  const auto* codes = static_cast<const std::uint8_t*>(shown.data());
  const exact::Position position = position_of(*board, *model, codes, nullptr);
  exact::Workspace ws;
  ws.begin({});
  const exact::Front front = exact::read_front(position, ws);
  if (front.clash >= 0) throw exact::Contradiction("a clue cannot be met", {front.clash}, false);
  std::pair<Cells, Cells> found;
  if (pairs) {
    if (position.channel) refuse("clues are compared where they are exact");
    if (!search::make_survey(board->graph)->decide(codes, found.first, found.second))
      throw exact::Contradiction("two clues cannot be met together", {}, false);
    return found;
  }
  for (std::int32_t i = 0; i < board->graph.cells; ++i) {
    if (front.mark[i] == exact::Mark::safe) found.first.push_back(i);
    if (front.mark[i] == exact::Mark::mine) found.second.push_back(i);
  }
  return found;
}

std::pair<std::vector<std::int32_t>, bool> clash(std::shared_ptr<Board> board, std::shared_ptr<Model> model,
                                                 const nb::bytearray& shown,
                                                 const std::optional<nb::bytearray>& vouched, std::int64_t states,
                                                 std::int64_t memory) {
  const Shown position(std::move(board), std::move(model), shown, vouched);
  exact::Clash found = interruptible([&] { return exact::clash(position.position(), patient_limits(states, memory)); });
  return {std::move(found.clues), found.total};
}

}  // namespace

void bind_exact_solving(nb::module_& m) {
  nb::class_<Solved>(m, "Solved", "A position whose chances are known.")
      .def_prop_ro(
          "chances", [](const Solved& solved) { return solved.chances(); },
          "The chance of a mine for every cell: a double each, as bytes.")
      .def("certain", &Solved::certain, "chance"_a,
           "The hidden cells of this chance, 0.0 or 1.0: little-endian bytes, a bit a cell.")
      .def("least_risk", &Solved::least_risk,
           "The first hidden cell of least risk or -1, its chance, and how many have it.")
      .def("count", &Solved::count, "The number of layouts, as little-endian bytes.")
      .def("sample", &Solved::sample, "count"_a, "seed"_a,
           "Layouts drawn from the posterior: a byte a cell, 1 for a mine.")
      .def("clue_odds", &Solved::clue_odds, "cell"_a,
           "The chance of a mine, and for every v that of a safe cell with v mines around it.")
      .def("log_weight", &Solved::log_weight, "Logarithm of the weight of all layouts.")
      .def("parts", &Solved::parts, "Components as (cells, clues, fewest mines, chances); the sea comes last.");
  m.def("solve", &solve, "board"_a, "model"_a, "shown"_a, "vouched"_a.none(), "states"_a, "memory"_a,
        "Solve one position. Raises Contradiction and OverBudget.");
  m.def("settled", &settled, "board"_a, "model"_a, "shown"_a, "pairs"_a,
        "Hidden cells that single clues decide, or two together: safe ones, mines. Raises Contradiction.");
  m.def("clash", &clash, "board"_a, "model"_a, "shown"_a, "vouched"_a.none(), "states"_a, "memory"_a,
        "Minimal clashing clues of a position without a layout; is the total needed.");
}

}  // namespace mineproof::bindings

// The fewest clues that force a cell, and how far cells lie apart.
#include "bindings/exact.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>

#include "bindings/sections.hpp"
#include "premises.hpp"

namespace mineproof::bindings {

using namespace nb::literals;

namespace {

std::optional<std::vector<std::int32_t>> fewest(const std::vector<std::vector<std::int32_t>>& cells,
                                                const std::vector<std::int32_t>& mines,
                                                const std::vector<std::int64_t>& weights, std::int32_t target,
                                                std::int64_t steps) {
  if (cells.size() > kMostPremises || mines.size() != cells.size() || weights.size() != cells.size()) {
    const std::string most = std::to_string(kMostPremises);
    refuse("as many cells, mines and weights are expected, at most " + most);
  }
  std::vector<PlainClue> clues;
  for (std::size_t place = 0; place < cells.size(); ++place) {
    clues.push_back({cells[place], mines[place], weights[place]});
  }
  Fewest found = fewest_clues(clues, target, steps);
  if (found.end == Fewest::End::kTooMuch) return std::nullopt;
  return std::move(found.places);
}

// Steps from a cell to every other; as many as the board has cells where no path leads there.
nb::bytes steps_from(const Board& board, std::int64_t start) {
  const exact::Graph& graph = board.graph;
  if (start < 0 || start >= graph.cells) refuse("the cell is not on the board");
  std::vector<std::int32_t> steps(static_cast<std::size_t>(graph.cells), graph.cells);
  std::vector<std::int32_t> waiting{static_cast<std::int32_t>(start)};
  steps[static_cast<std::size_t>(start)] = 0;
  for (std::size_t next = 0; next < waiting.size(); ++next) {
    const std::int32_t cell = waiting[next];
    for (std::int32_t edge = graph.offset[cell]; edge < graph.offset[cell + 1]; ++edge) {
      const std::int32_t other = graph.target[edge];
      if (steps[other] == graph.cells) {
        steps[other] = steps[cell] + 1;
        waiting.push_back(other);
      }
    }
  }
  return nb::bytes(reinterpret_cast<const char*>(steps.data()), steps.size() * sizeof(std::int32_t));
}

}  // namespace

void bind_premises(nb::module_& m) {
  m.def("fewest_clues", &fewest, "cells"_a, "mines"_a, "weights"_a, "target"_a, "steps"_a,
        "The places of the fewest clues that forbid a mine in the target: empty where none do, None"
        " past so many steps.");
  m.def("steps_from", &steps_from, "board"_a, "cell"_a,
        "The distance of every cell from one, as bytes of int32; the number of cells for none.");
}

}  // namespace mineproof::bindings

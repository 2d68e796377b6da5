// The fewest clues that force a cell.
#include "bindings/exact.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>

#include "premises.hpp"

namespace mineproof::bindings {

using namespace nb::literals;

namespace {

std::optional<std::vector<std::int32_t>> fewest(const std::vector<std::vector<std::int32_t>>& cells,
                                                const std::vector<std::int32_t>& mines,
                                                const std::vector<std::int64_t>& weights,
                                                std::int32_t target, std::int64_t steps) {
    if (cells.size() > kMostPremises || mines.size() != cells.size() || weights.size() != cells.size()) {
        const std::string most = std::to_string(kMostPremises);
        throw nb::value_error(("as many cells, mines and weights are expected, at most " + most).c_str());
    }
    std::vector<PlainClue> clues;
    for (std::size_t place = 0; place < cells.size(); ++place) {
        clues.push_back({cells[place], mines[place], weights[place]});
    }
    Fewest found = fewest_clues(clues, target, steps);
    if (found.end == Fewest::End::kTooMuch) return std::nullopt;
    return std::move(found.places);
}

}  // namespace

void bind_premises(nb::module_& m) {
    m.def("fewest_clues", &fewest, "cells"_a, "mines"_a, "weights"_a, "target"_a, "steps"_a,
          "The places of the fewest clues that forbid a mine in the target: empty where none do, None"
          " past so many steps.");
}

}  // namespace mineproof::bindings

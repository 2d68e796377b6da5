// Boards that need no guess: which deals are kept.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <optional>
#include <string>
#include <tuple>

#include "bindings/sections.hpp"
#include "bindings/table.hpp"
#include "deal.hpp"
#include "generation/keeping.hpp"
#include "generation/repairing.hpp"

namespace mineproof::bindings {

using namespace nb::literals;

namespace {

// Runs work that breathes without the GIL; Ctrl-C stops it and becomes the exception that Python has pending.
template <class Work>
auto breathing(Work&& work) {
  std::optional<nb::python_error> pending;
  const std::function<bool()> breathe = [&pending] {
    nb::gil_scoped_acquire hold;
    if (PyErr_CheckSignals() == 0) return true;
    pending.emplace();
    return false;
  };
  auto done = [&] {
    nb::gil_scoped_release release;
    return work(breathe);
  }();
  if (pending) {
    pending->restore();
    throw nb::python_error();
  }
  return done;
}

generation::Logic logic_of(const std::string& name) {
  if (name == "pairs") return generation::Logic::pairs;
  if (name == "clues") return generation::Logic::clues;
  if (name == "total") return generation::Logic::total;
  refuse("logic is pairs, clues or total");
}

// Refuse what no deal can be made of.
void check_deals(const Board& board, const generation::Deals& deals) {
  check_mines(board, deals.mines);
  check_cells(board, {deals.first});
  if (!deals.excluded[static_cast<std::size_t>(deals.first)]) refuse("the first cell must be kept free of mines");
  if (static_cast<std::size_t>(deals.mines) > free_cells(deals.excluded)) refuse("the mines do not fit");
}

std::vector<std::uint8_t> excluded_of(const Board& board, const std::vector<std::int32_t>& free) {
  check_cells(board, free);
  std::vector<std::uint8_t> excluded(static_cast<std::size_t>(board.graph.cells));
  for (const std::int32_t cell : free) excluded[static_cast<std::size_t>(cell)] = 1;
  return excluded;
}

std::pair<std::vector<std::uint64_t>, std::size_t> keep_no_guess(std::shared_ptr<Board> board, std::int64_t mines,
                                                                 std::int32_t first,
                                                                 const std::vector<std::int32_t>& free,
                                                                 const std::string& logic, std::uint64_t seed,
                                                                 std::uint64_t start, std::size_t deals,
                                                                 std::size_t count, std::size_t threads) {
  check_threads(threads);
  const generation::Deals asked{mines,  excluded_of(*board, free), first, logic_of(logic), seed, start, deals, count,
                                threads};
  check_deals(*board, asked);
  generation::Found<std::uint64_t> kept =
      breathing([&](const std::function<bool()>& breathe) { return generation::keep(board->graph, asked, breathe); });
  return {std::move(kept.results), kept.tried};
}

using Mended = std::tuple<std::uint64_t, std::int32_t, nb::bytes>;

std::pair<std::vector<Mended>, std::size_t> repair_no_guess(std::shared_ptr<Board> board, std::int64_t mines,
                                                            std::int32_t first, const std::vector<std::int32_t>& free,
                                                            const std::string& logic, std::uint64_t seed,
                                                            std::uint64_t start, std::size_t deals, std::size_t count,
                                                            std::size_t threads) {
  check_threads(threads);
  const generation::Deals asked{mines,  excluded_of(*board, free), first, logic_of(logic), seed, start, deals, count,
                                threads};
  check_deals(*board, asked);
  const generation::Found<generation::Repaired> found =
      breathing([&](const std::function<bool()>& breathe) { return generation::repair(board->graph, asked, breathe); });
  std::vector<Mended> mended;
  for (const generation::Repaired& one : found.results)
    mended.emplace_back(one.index, one.changes, nb::bytes(one.layout.data(), one.layout.size()));
  return {std::move(mended), found.tried};
}

using LayoutsIn = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::vector<bool> clear_many(std::shared_ptr<Board> board, std::int64_t mines, std::int32_t first,
                             const std::string& logic, const LayoutsIn& layouts, std::size_t threads) {
  check_threads(threads);
  check_mines(*board, mines);
  check_cells(*board, {first});
  const auto cells = static_cast<std::size_t>(board->graph.cells);
  if (layouts.shape(1) != cells) refuse("a layout needs a byte for every cell");
  const std::span<const std::uint8_t> table{layouts.data(), layouts.shape(0) * cells};
  for (std::size_t i = 0; i < layouts.shape(0); ++i) {
    const Mask layout = table.subspan(i * cells, cells);
    if (cells - free_cells(layout) != static_cast<std::size_t>(mines)) refuse("a layout has another number of mines");
    if (layout[static_cast<std::size_t>(first)]) refuse("the first cell is a mine");
  }
  return breathing([&](const std::function<bool()>& breathe) {
    return generation::clear_many(board->graph, mines, first, logic_of(logic), table, threads, breathe);
  });
}

}  // namespace

void bind_generating(nb::module_& m) {
  m.def("clear_many", &clear_many, "board"_a, "mines"_a, "first"_a, "logic"_a, "layouts"_a.noconvert(), "threads"_a,
        "Which layouts, a row each, can be cleared without a guess.");
  m.def("repair_no_guess", &repair_no_guess, "board"_a, "mines"_a, "first"_a, "free"_a, "logic"_a, "seed"_a, "start"_a,
        "deals"_a, "count"_a, "threads"_a,
        "Deals that were changed until they need no guess (index, changes, layout), and how many were tried.");
  m.def("keep_no_guess", &keep_no_guess, "board"_a, "mines"_a, "first"_a, "free"_a, "logic"_a, "seed"_a, "start"_a,
        "deals"_a, "count"_a, "threads"_a,
        "The deals from `start` on that need no guess, up to `count` of them, and how many deals were tried.");
}

}  // namespace mineproof::bindings

// Dealing mines and counting them.
#include <nanobind/stl/pair.h>

#include <string>

#include "bindings/arrays.hpp"
#include "bindings/chance.hpp"
#include "bindings/sections.hpp"
#include "deal.hpp"
#include "rng.hpp"

namespace mineproof::bindings {

using namespace nb::literals;

namespace {

using Bytes = ArrayOut<std::uint8_t>;

void check_cells(const char* name, std::size_t found, std::size_t expected) {
  if (found != expected) {
    refuse(std::string(name) + " has " + std::to_string(found) + " cells; expected " + std::to_string(expected));
  }
}

void check_deal(Mask excluded, std::uint64_t count) {
  if (excluded.size() > kMostCells) refuse("a board has at most 2**31-1 cells");
  const std::size_t room = free_cells(excluded);
  if (count > room) {
    refuse(std::to_string(count) + " mines do not fit into " + std::to_string(room) + " free cells");
  }
}

Bytes deal_number(std::uint64_t seed, std::uint64_t index, const BytesIn& excluded, std::uint64_t count) {
  check_deal(view(excluded), count);
  Buffer<std::uint8_t> mines(excluded.shape(0));
  Stream stream(seed, index, Purpose::deal);
  NumberDealer().deal(stream, view(excluded), count, mines.span());
  return std::move(mines).array();
}

Bytes deal_each(std::uint64_t seed, std::uint64_t index, const BytesIn& excluded, const nb::int_& threshold) {
  check_deal(view(excluded), 0);
  const Chance chance = chance_of(threshold);
  Buffer<std::uint8_t> mines(excluded.shape(0));
  Stream stream(seed, index, Purpose::deal);
  deal_independent(stream, view(excluded), chance, mines.span());
  return std::move(mines).array();
}

Bytes mines_around(const IntsIn& offsets, const IntsIn& targets, const BytesIn& mines) {
  const Neighbours neighbours = neighbours_of(offsets, targets);
  check_cells("mines", mines.shape(0), neighbours.cells());
  Buffer<std::uint8_t> counts(mines.shape(0));
  count_mines(neighbours, view(mines), counts.span());
  return std::move(counts).array();
}

std::pair<TableOut, TableOut> deal_many(std::uint64_t seed, std::uint64_t first_index, std::uint64_t games,
                                        const IntsIn& offsets, const IntsIn& targets, const BytesIn& excluded,
                                        std::uint64_t count) {
  const Neighbours neighbours = neighbours_of(offsets, targets);
  const std::size_t cells = neighbours.cells();
  check_cells("excluded", excluded.shape(0), cells);
  check_deal(view(excluded), count);
  if (games > kMostInTable / (cells == 0 ? 1 : cells)) refuse("games times cells is at most 2**31 in one call");
  Buffer<std::uint8_t> mines(games * cells);
  Buffer<std::uint8_t> clues(games * cells);
  {
    nb::gil_scoped_release release;
    NumberDealer dealer;
    for (std::size_t game = 0; cells > 0 && game < games; ++game) {
      const auto row = mines.span().subspan(game * cells, cells);
      Stream stream(seed, first_index + game, Purpose::deal);
      dealer.deal(stream, view(excluded), count, row);
      count_mines(neighbours, row, clues.span().subspan(game * cells, cells));
    }
  }
  return {std::move(mines).table(games), std::move(clues).table(games)};
}

}  // namespace

void bind_dealing(nb::module_& m) {
  m.def("deal_number", &deal_number, "seed"_a, "index"_a, "excluded"_a.noconvert(), "count"_a,
        "`count` mines outside the excluded cells, every layout equally likely; a byte a cell.");
  m.def("deal_independent", &deal_each, "seed"_a, "index"_a, "excluded"_a.noconvert(), "threshold"_a,
        "Each cell outside the excluded ones is a mine with chance threshold / 2**64.");
  m.def("count_mines", &mines_around, "offsets"_a.noconvert(), "targets"_a.noconvert(), "mines"_a.noconvert(),
        "For every cell the number of mines among its neighbours.");
  m.def("deal_many", &deal_many, "seed"_a, "first_index"_a, "games"_a, "offsets"_a.noconvert(), "targets"_a.noconvert(),
        "excluded"_a.noconvert(), "count"_a,
        "Mines and counts of games first_index, first_index + 1, ...: two tables, a row a game.");
}

}  // namespace mineproof::bindings

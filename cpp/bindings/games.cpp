// Deals and whole games of the core for Python, and boards without guesses.
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <optional>
#include <string>
#include <tuple>

#include "bindings/arrays.hpp"
#include "bindings/exact.hpp"
#include "game.hpp"
#include "generation/no_guess.hpp"
#include "rng.hpp"
#include "search/player.hpp"

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

void bind_deals(nb::module_& m) {
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

// -------------------------------------------------------------- whole games; the results come back in columns

namespace {

using search::PlayedGame;
using Cells = std::vector<std::int32_t>;

constexpr std::size_t kMostGames = std::size_t{1} << 27;

// What many games left, in the order of their index.
struct PlayedGames {
  std::vector<PlayedGame> games;
};

// Binds one column: a value of every game.
template <class Read>
void bind_column(nb::class_<PlayedGames>& games, const char* name, Read read, const char* doc) {
  const auto column = [read](const PlayedGames& played) {
    using Value = decltype(read(PlayedGame{}));
    Buffer<Value> values(played.games.size());
    for (std::size_t i = 0; i < played.games.size(); ++i) values.span()[i] = read(played.games[i]);
    return std::move(values).array();
  };
  games.def_prop_ro(name, column, nb::rv_policy::move, doc);
}

void check_fits(const Neighbours& neighbours, const GameRules& rules) {
  for (const auto* cells : {&rules.given, &rules.free}) {
    for (const std::int32_t cell : *cells) {
      if (cell < 0 || static_cast<std::size_t>(cell) >= neighbours.cells()) refuse("a given cell is off the board");
    }
  }
  if (rules.mines > neighbours.cells() || !Referee::fits(neighbours, rules)) {
    refuse(std::to_string(rules.mines) + " mines do not fit beside every first cell");
  }
}

PlayedGames play_random(std::uint64_t seed, std::uint64_t agent_seed, std::uint64_t first_index, std::uint64_t games,
                        const IntsIn& offsets, const IntsIn& targets, std::size_t count, const std::string& first_click,
                        bool cascade, const Cells& given, const Cells& free) {
  const Neighbours neighbours = neighbours_of(offsets, targets);
  if (games > kMostGames) refuse("too many games in one call");
  const GameRules rules{count, first_click_of(first_click), cascade, given, free};
  check_fits(neighbours, rules);
  PlayedGames played{std::vector<PlayedGame>(games)};
  nb::gil_scoped_release release;
  Game game(neighbours, rules);
  for (std::size_t i = 0; i < games; ++i) {
    PlayedGame& one = played.games[i];
    one.end = mineproof::play_random(game, seed, agent_seed, first_index + i);
    one.guesses = one.end.clicks;
  }
  return played;
}

PlayedGames play_many(std::shared_ptr<Board> board, std::int64_t mines, const std::string& first_click, bool cascade,
                      const Cells& given, const Cells& free, const Cells& first, const std::string& name,
                      const search::Options& options, std::uint64_t seed, std::uint64_t agent_seed,
                      std::uint64_t first_index, std::size_t games, std::size_t threads) {
  check_threads(threads);
  if (games > kMostGames) refuse("too many games in one call");
  const search::Table table = table_of(*board, mines, first_click, first);
  const GameRules rules{static_cast<std::size_t>(mines), table.first_click, cascade, given, free};
  check_fits(table.neighbours(), rules);
  PlayedGames played;
  std::optional<nb::python_error> pending;
  {
    nb::gil_scoped_release release;
    const auto poll = [&pending] {
      nb::gil_scoped_acquire hold;
      if (PyErr_CheckSignals() == 0) return true;
      pending.emplace();
      return false;
    };
    const search::GameSeries series{seed, agent_seed, first_index, games, threads};
    search::play_many(table, rules, name, options, series, poll, played.games);
  }
  if (pending) {
    pending->restore();
    throw nb::python_error();
  }
  return played;
}

}  // namespace

void bind_games(nb::module_& m) {
  nb::class_<PlayedGames> games(m, "PlayedGames", "What many games left: columns with an entry for every game.");
  bind_column(games, "won", [](const PlayedGame& p) { return p.end.won; }, "Whether every safe cell was opened.");
  bind_column(games, "clicks", [](const PlayedGame& p) { return p.end.clicks; }, "Cells that the player opened.");
  bind_column(
      games, "opened", [](const PlayedGame& p) { return p.end.opened; }, "Cells opened in all, a mine included.");
  bind_column(games, "given", [](const PlayedGame& p) { return p.end.given; }, "Cells opened before the first move.");
  bind_column(games, "safe_left", [](const PlayedGame& p) { return p.end.safe_left; }, "Safe cells still hidden.");
  bind_column(games, "guesses", [](const PlayedGame& p) { return p.guesses; }, "Cells opened without a proof.");
  bind_column(
      games, "flags", [](const PlayedGame& p) { return p.flags; }, "Mines that were certain at the last guess.");
  bind_column(
      games, "gain", [](const PlayedGame& p) { return p.gain; },
      "The measured gain of the champion's decisions over swift's.");
  bind_column(
      games, "chance", [](const PlayedGame& p) { return p.chance; },
      "1 or 0, or the chance to win by best play as soon as that was known.");
  games.def(
      "luck",
      [](const PlayedGames& played, std::size_t stage) {
        if (stage >= search::kStages) refuse("there are " + std::to_string(search::kStages) + " stages");
        Buffer<double> values(played.games.size());
        for (std::size_t i = 0; i < played.games.size(); ++i) values.span()[i] = played.games[i].luck[stage];
        return std::move(values).array();
      },
      "stage"_a, nb::rv_policy::move, "Guesses that opened no mine minus their expected number, of one stage.");
  games.def_prop_ro_static(
      "stages", [](nb::handle) { return search::kStages; }, "How many stages there are, from the end on.");
  m.def("play_random", &play_random, "seed"_a, "agent_seed"_a, "first_index"_a, "games"_a, "offsets"_a.noconvert(),
        "targets"_a.noconvert(), "count"_a, "first_click"_a, "cascade"_a, "given"_a, "free"_a,
        "Games of the agent `random`.");
  m.def("play_many", &play_many, "board"_a, "mines"_a, "first_click"_a, "cascade"_a, "given"_a, "free"_a, "first"_a,
        "name"_a, "options"_a, "seed"_a, "agent_seed"_a, "first_index"_a, "games"_a, "threads"_a,
        "Games of a player of the core.");
}

// ------------------------------------------------------------------------------- boards without guesses

namespace {

// Runs work without the GIL, which it takes now and then to look for signals; Ctrl-C stops it and becomes the exception
// that Python has pending.
template <class Work>
auto run_interruptibly(Work&& work) {
  std::optional<nb::python_error> pending;
  const std::function<bool()> poll = [&pending] {
    nb::gil_scoped_acquire hold;
    if (PyErr_CheckSignals() == 0) return true;
    pending.emplace();
    return false;
  };
  auto done = [&] {
    nb::gil_scoped_release release;
    return work(poll);
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
void check_deals(const Board& board, const generation::DealSearch& deals) {
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
  const generation::DealSearch asked{
      mines, excluded_of(*board, free), first, logic_of(logic), seed, start, deals, count, threads};
  check_deals(*board, asked);
  generation::SearchResult<std::uint64_t> kept = run_interruptibly(
      [&](const std::function<bool()>& poll) { return generation::find_no_guess(board->graph, asked, poll); });
  return {std::move(kept.results), kept.tried};
}

using RepairedOut = std::tuple<std::uint64_t, std::int32_t, nb::bytes>;

std::pair<std::vector<RepairedOut>, std::size_t> repair_no_guess(std::shared_ptr<Board> board, std::int64_t mines,
                                                                 std::int32_t first,
                                                                 const std::vector<std::int32_t>& free,
                                                                 const std::string& logic, std::uint64_t seed,
                                                                 std::uint64_t start, std::size_t deals,
                                                                 std::size_t count, std::size_t threads) {
  check_threads(threads);
  const generation::DealSearch asked{
      mines, excluded_of(*board, free), first, logic_of(logic), seed, start, deals, count, threads};
  check_deals(*board, asked);
  const generation::SearchResult<generation::RepairedBoard> found = run_interruptibly(
      [&](const std::function<bool()>& poll) { return generation::repair(board->graph, asked, poll); });
  std::vector<RepairedOut> repaired;
  for (const generation::RepairedBoard& one : found.results)
    repaired.emplace_back(one.index, one.changes, nb::bytes(one.layout.data(), one.layout.size()));
  return {std::move(repaired), found.tried};
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
  return run_interruptibly([&](const std::function<bool()>& poll) {
    return generation::clear_many(board->graph, mines, first, logic_of(logic), table, threads, poll);
  });
}

}  // namespace

void bind_no_guess(nb::module_& m) {
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

// Whole games in the core; what they left comes back in columns.
#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bindings/sections.hpp"
#include "bindings/table.hpp"
#include "search/play_many.hpp"

namespace mineproof::bindings {

using namespace nb::literals;

namespace {

using search::Played;
using Cells = std::vector<std::int32_t>;

constexpr std::size_t kMostGames = std::size_t{1} << 27;

// What many games left, in the order of their index.
struct PlayedGames {
  std::vector<Played> games;
};

// Binds one column: a value of every game.
template <class Read>
void bind_column(nb::class_<PlayedGames>& games, const char* name, Read read, const char* doc) {
  const auto column = [read](const PlayedGames& played) {
    using Value = decltype(read(Played{}));
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
  PlayedGames played{std::vector<Played>(games)};
  nb::gil_scoped_release release;
  Game game(neighbours, rules);
  for (std::size_t i = 0; i < games; ++i) {
    Played& one = played.games[i];
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
    const auto breathe = [&pending] {
      nb::gil_scoped_acquire hold;
      if (PyErr_CheckSignals() == 0) return true;
      pending.emplace();
      return false;
    };
    const search::Series series{seed, agent_seed, first_index, games, threads};
    search::play_many(table, rules, name, options, series, breathe, played.games);
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
  bind_column(games, "won", [](const Played& p) { return p.end.won; }, "Whether every safe cell was opened.");
  bind_column(games, "clicks", [](const Played& p) { return p.end.clicks; }, "Cells that the player opened.");
  bind_column(games, "opened", [](const Played& p) { return p.end.opened; }, "Cells opened in all, a mine included.");
  bind_column(games, "given", [](const Played& p) { return p.end.given; }, "Cells opened before the first move.");
  bind_column(games, "safe_left", [](const Played& p) { return p.end.safe_left; }, "Safe cells still hidden.");
  bind_column(games, "guesses", [](const Played& p) { return p.guesses; }, "Cells opened without a proof.");
  bind_column(games, "flags", [](const Played& p) { return p.flags; }, "Mines that were certain at the last guess.");
  bind_column(
      games, "gain", [](const Played& p) { return p.gain; },
      "The measured gain of the champion's decisions over swift's.");
  bind_column(
      games, "chance", [](const Played& p) { return p.chance; },
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

}  // namespace mineproof::bindings

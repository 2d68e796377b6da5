// Best play, chances to win, single decisions of a player, and the fewest clues that force a cell, for Python.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/exact.hpp"
#include "premises.hpp"
#include "search/endgame.hpp"
#include "search/player.hpp"
#include "search/rollout.hpp"

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
  const ShownPosition position(std::move(board), std::move(model), shown, vouched);
  return interruptible([&]() -> std::tuple<std::string, std::vector<RegionOut>> {
    std::vector<search::SolutionTable> tables;
    if (!search::SolutionLister().regions(position.position(), limit, tables)) return {"solutions", {}};
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

// ------------------------------------------- a player, asked for one decision at a time by the Python referee

namespace {

using Cells = std::vector<std::int32_t>;

class StepwisePlayer {
 public:
  StepwisePlayer(std::shared_ptr<Board> board, std::int64_t mines, const std::string& first_click, const Cells& first,
                 const std::string& name, const search::Options& options)
      : board_(std::move(board)),
        table_(table_of(*board_, mines, first_click, first)),
        player_(search::make_player(table_, name, options)) {}

  void begin(std::uint64_t key) { player_->begin_with(key); }

  // Cells that are certain to be safe; where there are none, those that are certain to be mines.
  std::pair<Cells, Cells> prove(const nb::bytearray& shown) {
    codes_ = codes_of(*board_, shown);
    ready_ = false;
    if (player_->prove(codes_.data())) return {player_->safe(), {}};
    Cells mines;
    player_->certain_mines(mines);
    ready_ = std::count(codes_.begin(), codes_.end(), exact::kHidden) > static_cast<std::ptrdiff_t>(mines.size());
    return {{}, std::move(mines)};
  }

  // The guess where nothing was proved safe: a cell, its risk, and the number of cells it was chosen from.
  std::tuple<std::int32_t, double, std::int32_t> guess() {
    if (!ready_) refuse("a guess follows a position in which nothing is proved safe and some cell may be");
    const search::Guess guess = player_->guess();
    return {guess.cell, guess.risk, guess.among};
  }

 private:
  std::shared_ptr<Board> board_;
  search::Table table_;
  std::unique_ptr<search::Player> player_;
  std::vector<std::uint8_t> codes_;
  bool ready_ = false;
};

}  // namespace

void bind_player(nb::module_& m) {
  nb::class_<StepwisePlayer>(m, "Seat", "A player of the core that is shown positions.")
      .def(nb::init<std::shared_ptr<Board>, std::int64_t, const std::string&, const Cells&, const std::string&,
                    const search::Options&>(),
           "board"_a, "mines"_a, "first_click"_a, "first"_a, "name"_a, "options"_a)
      .def("begin", &StepwisePlayer::begin, "key"_a, "A new game; its randomness is named by `key`.")
      .def("prove", &StepwisePlayer::prove, "shown"_a,
           "Cells certain to be safe; where there are none, those certain to be mines.")
      .def("guess", &StepwisePlayer::guess,
           "Where nothing was proved safe: the guess, its risk, among how many cells.");
}

// --------------------------------------------- the fewest clues that force a cell, and distances between cells

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
  FewestClues found = fewest_clues(clues, target, steps);
  if (found.end == FewestClues::End::kTooMuch) return std::nullopt;
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

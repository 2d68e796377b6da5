// The exact engine for Python: boards, models and errors; solved positions; sessions.
#include "bindings/exact.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "bindings/arrays.hpp"
#include "exact/analysis.hpp"
#include "exact/front.hpp"
#include "exact/session.hpp"
#include "search/sweep.hpp"

namespace mineproof::bindings {

using namespace nb::literals;

namespace {

void check_weight(double weight) {
  const bool good = weight == 0 || (weight >= exact::kLeastWeight && weight <= exact::kMostWeight);
  if (!good) refuse("weights must be 0, or 1e-130 to 1e130");
}

Model model_of(exact::Prior prior, const std::optional<DoublesIn>& numbers, const std::optional<TableIn>& likelihoods) {
  Model model;
  model.prior = prior;
  if (numbers) {
    model.numbers.assign(numbers->data(), numbers->data() + numbers->shape(0));
    for (const double weight : model.numbers) check_weight(weight);
    model.prior.table = model.numbers.data();
  }
  if (likelihoods) {
    const std::size_t degrees = likelihoods->shape(0);
    const std::size_t codes = likelihoods->shape(1);
    if (degrees == 0 || degrees != likelihoods->shape(2) || codes > exact::kLargestClue + 1) {
      refuse("likelihoods are a table of degrees x at most 251 clues x counts");
    }
    model.weights.assign(likelihoods->data(), likelihoods->data() + likelihoods->size());
    for (const double weight : model.weights) check_weight(weight);
    model.channel =
        exact::Channel{static_cast<std::int32_t>(degrees) - 1, static_cast<std::int32_t>(codes), model.weights.data()};
  }
  return model;
}

Model model_of_total(std::int64_t mines, const std::optional<TableIn>& likelihoods) {
  if (mines < 0) refuse("a total is not negative");
  return model_of(exact::Prior::of_total(mines), std::nullopt, likelihoods);
}

Model model_of_density(double chance, const std::optional<TableIn>& likelihoods) {
  if (!(chance >= 0 && chance <= 1)) refuse("a density lies in 0..1");
  return model_of(exact::Prior::of_density(chance), std::nullopt, likelihoods);
}

Model model_of_number(const DoublesIn& weights, const std::optional<TableIn>& likelihoods) {
  return model_of(exact::Prior::of_number(nullptr), weights, likelihoods);
}

// The exceptions of the core as Python sees them; mineproof.engine.exact turns them into its own.
PyObject* contradiction_type = nullptr;
PyObject* over_budget_type = nullptr;

PyObject* exception_type(nb::module_& m, const char* name, const char* doc) {
  const std::string full = std::string("mineproof._core.") + name;
  PyObject* type = PyErr_NewExceptionWithDoc(full.c_str(), doc, nullptr, nullptr);
  if (type == nullptr) throw nb::python_error();
  m.attr(name) = nb::handle(type);
  return type;
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const exact::Contradiction& e) {
    const nb::tuple arguments = nb::make_tuple(e.what(), list_of(e.clues), e.total);
    PyErr_SetObject(contradiction_type, arguments.ptr());
  } catch (const exact::BudgetExceeded& e) {
    const nb::tuple arguments = nb::make_tuple(e.what(), list_of(e.clues), e.cell, e.boxes, e.width);
    PyErr_SetObject(over_budget_type, arguments.ptr());
  }
}

bool stop(void*) {
  if (PyErr_CheckSignals() != 0) return true;
  nb::gil_scoped_release turn;
  return false;
}

}  // namespace

Board::Board(IntsIn offsets_in, IntsIn targets_in, std::int32_t rows, std::int32_t cols)
    : offsets(std::move(offsets_in)), targets(std::move(targets_in)) {
  if (offsets.shape(0) < 2 || offsets.shape(0) > (std::size_t{1} << 31) - 1) {
    refuse("offsets has one entry more than there are cells");
  }
  const std::int32_t cells = static_cast<std::int32_t>(offsets.shape(0)) - 1;
  const std::int32_t* offset = offsets.data();
  const std::int32_t* target = targets.data();
  bool good = offset[0] == 0 && static_cast<std::size_t>(offset[cells]) == targets.shape(0);
  for (std::int32_t cell = 0; good && cell < cells; ++cell) good = offset[cell] <= offset[cell + 1];
  for (std::size_t i = 0; good && i < targets.shape(0); ++i) {
    good = target[i] >= 0 && target[i] < cells;
  }
  if (!good) refuse("offsets and targets are not the compressed rows of a graph");
  if ((rows != 0 || cols != 0) && std::int64_t{rows} * cols != cells) {
    refuse("rows times cols is not the number of cells");
  }
  graph = {cells, offset, target, rows, cols};
}

exact::Position position_of(const Board& board, const Model& model, const std::uint8_t* shown,
                            const std::uint8_t* vouched) {
  exact::Position position;
  position.graph = &board.graph;
  position.shown = shown;
  position.mines = vouched;
  position.channel = model.channel ? &*model.channel : nullptr;
  position.prior = model.prior;
  return position;
}

static void check_codes(const Board& board, const nb::bytearray& shown) {
  if (shown.size() != static_cast<std::size_t>(board.graph.cells)) {
    refuse("a byte for every cell of the board is expected");
  }
}

std::vector<std::uint8_t> codes_of(const Board& board, const nb::bytearray& shown) {
  check_codes(board, shown);
  const auto* bytes = static_cast<const std::uint8_t*>(shown.data());
  return {bytes, bytes + shown.size()};
}

void check_shown(const Board& board, const Model& model, const nb::bytearray& shown) {
  check_codes(board, shown);
  const std::size_t cells = static_cast<std::size_t>(board.graph.cells);
  if (!model.numbers.empty() && model.numbers.size() != cells + 1) {
    refuse("a weight for every number of mines from 0 to the cells is expected");
  }
}

void check_vouched(const Board& board, const nb::bytearray& vouched) {
  if (vouched.size() != static_cast<std::size_t>(board.graph.cells)) {
    refuse("a mark for every cell of the board is expected");
  }
}

ShownPosition::ShownPosition(std::shared_ptr<Board> board_in, std::shared_ptr<Model> model_in,
                             const nb::bytearray& shown, const std::optional<nb::bytearray>& vouched_in)
    : board(std::move(board_in)), model(std::move(model_in)) {
  check_shown(*board, *model, shown);
  codes = codes_of(*board, shown);
  if (vouched_in) {
    check_vouched(*board, *vouched_in);
    const auto* marks = static_cast<const std::uint8_t*>(vouched_in->data());
    vouched.assign(marks, marks + board->graph.cells);
  }
}

ShownPosition::ShownPosition(std::shared_ptr<Board> board_in, std::shared_ptr<Model> model_in,
                             const std::uint8_t* shown, const std::uint8_t* vouched_in)
    : board(std::move(board_in)), model(std::move(model_in)), codes(shown, shown + board->graph.cells) {
  if (vouched_in != nullptr) vouched.assign(vouched_in, vouched_in + board->graph.cells);
}

std::int32_t ShownPosition::check_cell(std::int64_t cell) const {
  if (cell < 0 || cell >= board->graph.cells) refuse("no such cell");
  return static_cast<std::int32_t>(cell);
}

exact::Limits patient_limits(std::int64_t states, std::int64_t memory) { return {states, memory, &stop, nullptr}; }

nb::list list_of(const std::vector<std::int32_t>& numbers) {
  nb::list list;
  for (const std::int32_t number : numbers) list.append(number);
  return list;
}

nb::list list_of(const std::vector<double>& numbers) {
  nb::list list;
  for (const double number : numbers) list.append(number);
  return list;
}

void bind_exact_models(nb::module_& m) {
  contradiction_type =
      exception_type(m, "Contradiction", "No layout explains a position: message, clues, whether the total does it.");
  over_budget_type =
      exception_type(m, "OverBudget", "Message, clues of the component, its first cell, its boxes, its width.");
  nb::register_exception_translator(translate);

  nb::class_<Board>(m, "Board", "A board's graph; rows and cols of a plain square one, else 0.")
      .def(nb::init<IntsIn, IntsIn, std::int32_t, std::int32_t>(), "offsets"_a.noconvert(), "targets"_a.noconvert(),
           "rows"_a = 0, "cols"_a = 0);
  nb::class_<Model>(m, "Model", "How mines are dealt; likelihoods[degree, shown, count] where clues may lie.")
      .def_static("of_total", &model_of_total, "mines"_a, "likelihoods"_a.noconvert().none())
      .def_static("of_density", &model_of_density, "chance"_a, "likelihoods"_a.noconvert().none())
      .def_static("of_number", &model_of_number, "weights"_a.noconvert(), "likelihoods"_a.noconvert().none(),
                  "The number of mines is k with weight weights[k], then every layout alike.");
}

// ------------------------------------------------------- one position: its chances, or why it has no solution

namespace {

std::unique_ptr<SolvedPosition> solve(std::shared_ptr<Board> board, std::shared_ptr<Model> model,
                                      const nb::bytearray& shown, const std::optional<nb::bytearray>& vouched,
                                      std::int64_t states, std::int64_t memory) {
  auto solved = std::make_unique<SolvedPosition>(ShownPosition(std::move(board), std::move(model), shown, vouched),
                                                 states, memory);
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
  const ShownPosition position(std::move(board), std::move(model), shown, vouched);
  exact::Clash found = interruptible([&] { return exact::clash(position.position(), patient_limits(states, memory)); });
  return {std::move(found.clues), found.total};
}

}  // namespace

void bind_exact_solve(nb::module_& m) {
  nb::class_<SolvedPosition>(m, "Solved", "A position whose chances are known.")
      .def_prop_ro(
          "chances", [](const SolvedPosition& solved) { return solved.chances(); },
          "The chance of a mine for every cell: a double each, as bytes.")
      .def("certain", &SolvedPosition::certain, "chance"_a,
           "The hidden cells of this chance, 0.0 or 1.0: little-endian bytes, a bit a cell.")
      .def("least_risk", &SolvedPosition::least_risk,
           "The first hidden cell of least risk or -1, its chance, and how many have it.")
      .def("count", &SolvedPosition::count, "The number of layouts, as little-endian bytes.")
      .def("sample", &SolvedPosition::sample, "count"_a, "seed"_a,
           "Layouts drawn from the posterior: a byte a cell, 1 for a mine.")
      .def("clue_odds", &SolvedPosition::clue_odds, "cell"_a,
           "The chance of a mine, and for every v that of a safe cell with v mines around it.")
      .def("log_weight", &SolvedPosition::log_weight, "Logarithm of the weight of all layouts.")
      .def("parts", &SolvedPosition::parts, "Components as (cells, clues, fewest mines, chances); the sea comes last.");
  m.def("solve", &solve, "board"_a, "model"_a, "shown"_a, "vouched"_a.none(), "states"_a, "memory"_a,
        "Solve one position. Raises Contradiction and OverBudget.");
  m.def("settled", &settled, "board"_a, "model"_a, "shown"_a, "pairs"_a,
        "Hidden cells that single clues decide, or two together: safe ones, mines. Raises Contradiction.");
  m.def("clash", &clash, "board"_a, "model"_a, "shown"_a, "vouched"_a.none(), "states"_a, "memory"_a,
        "Minimal clashing clues of a position without a layout; is the total needed.");
}

// ------------------------------------------------------------------- sessions: analyses that follow a game

namespace {

class Session {
 public:
  Session(std::shared_ptr<Board> board, std::shared_ptr<Model> model, const nb::bytearray& shown,
          const std::optional<nb::bytearray>& vouched, std::int64_t states, std::int64_t memory)
      : shown_(std::move(board), std::move(model), shown, vouched),
        session_(interruptible([&] { return exact::Session(shown_.position(), patient_limits(states, memory)); })) {}

  void open(std::int64_t cell, std::uint8_t code) {
    const std::int32_t number = shown_.check_cell(cell);
    const bool known = code <= exact::kLargestClue || code == exact::kNoClue || code == exact::kOpenedMine;
    if (!known || session_.shown(number) != exact::kHidden) {
      refuse("a hidden cell can be opened, with a clue or as a mine");
    }
    alone([&] { session_.open(number, code); });
  }

  // The byte of every opened cell is read from `codes`, so that a cascade is one call.
  void open_all(const std::vector<std::int32_t>& cells, const nb::bytearray& codes) {
    if (codes.size() != static_cast<std::size_t>(shown_.board->graph.cells)) {
      refuse("a byte for every cell of the board is expected");
    }
    const auto* bytes = static_cast<const std::uint8_t*>(codes.data());
    for (const std::int32_t cell : cells) open(cell, bytes[shown_.check_cell(cell)]);
  }

  std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>> newly_certain() {
    std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>> found;
    alone([&] { session_.newly_certain(found.first, found.second); });
    return found;
  }

  nb::bytes chances() {
    const std::size_t size = sizeof(double) * static_cast<std::size_t>(shown_.board->graph.cells);
    PyObject* made = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
    if (made == nullptr) throw nb::python_error();
    nb::bytes bytes = nb::steal<nb::bytes>(made);
    alone([&] { session_.probabilities(reinterpret_cast<double*>(PyBytes_AsString(bytes.ptr()))); });
    return bytes;
  }

  double chance(std::int64_t cell) {
    const std::int32_t number = shown_.check_cell(cell);
    return alone([&] { return session_.probability(number); });
  }

 private:
  // Looking for Ctrl-C lets go of the GIL: another thread, or a handler of signals, may come while
  // the session is half changed; it is refused.
  template <typename Work>
  std::invoke_result_t<Work&> alone(Work&& work) {
    if (busy_) throw std::runtime_error("the session is at work in another thread");
    struct BusyFlag {
      bool& busy;
      explicit BusyFlag(bool& flag) : busy(flag) { busy = true; }
      ~BusyFlag() { busy = false; }
    } turn(busy_);
    return interruptible(std::forward<Work>(work));
  }

  ShownPosition shown_;
  exact::Session session_;
  bool busy_ = false;
};

}  // namespace

void bind_exact_session(nb::module_& m) {
  nb::class_<Session>(m, "Session", "An analysis that follows a game.")
      .def(nb::init<std::shared_ptr<Board>, std::shared_ptr<Model>, const nb::bytearray&,
                    const std::optional<nb::bytearray>&, std::int64_t, std::int64_t>(),
           "board"_a, "model"_a, "shown"_a, "vouched"_a.none(), "states"_a, "memory"_a)
      .def("open", &Session::open, "cell"_a, "code"_a, "A hidden cell shows this byte now.")
      .def("open_all", &Session::open_all, "cells"_a, "codes"_a, "These hidden cells show their bytes of `codes` now.")
      .def("newly_certain", &Session::newly_certain,
           "Hidden cells that became certain since the last call: safe ones, mines.")
      .def("chances", &Session::chances, "The chance of a mine for every cell, as bytes.")
      .def("chance", &Session::chance, "cell"_a, "The chance of a mine in a cell.");
}

}  // namespace mineproof::bindings

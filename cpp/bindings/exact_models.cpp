// Boards, models and errors of the exact engine.
#include "bindings/exact.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <string>
#include <utility>

#include "bindings/sections.hpp"

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

// The exceptions of the core as Python sees them; mineproof.inference.engine.native turns them into its own.
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

Shown::Shown(std::shared_ptr<Board> board_in, std::shared_ptr<Model> model_in, const nb::bytearray& shown,
             const std::optional<nb::bytearray>& vouched_in)
    : board(std::move(board_in)), model(std::move(model_in)) {
  check_shown(*board, *model, shown);
  codes = codes_of(*board, shown);
  if (vouched_in) {
    check_vouched(*board, *vouched_in);
    const auto* marks = static_cast<const std::uint8_t*>(vouched_in->data());
    vouched.assign(marks, marks + board->graph.cells);
  }
}

Shown::Shown(std::shared_ptr<Board> board_in, std::shared_ptr<Model> model_in, const std::uint8_t* shown,
             const std::uint8_t* vouched_in)
    : board(std::move(board_in)), model(std::move(model_in)), codes(shown, shown + board->graph.cells) {
  if (vouched_in != nullptr) vouched.assign(vouched_in, vouched_in + board->graph.cells);
}

std::int32_t Shown::check_cell(std::int64_t cell) const {
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

}  // namespace mineproof::bindings

// Sessions: analyses that follow a game.
#include "bindings/exact.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <type_traits>
#include <utility>

#include "bindings/sections.hpp"
#include "exact/session.hpp"

namespace mineproof::bindings {

using namespace nb::literals;

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
  // the session is half changed, and is turned away.
  template <typename Work>
  std::invoke_result_t<Work&> alone(Work&& work) {
    if (busy_) throw std::runtime_error("the session is at work in another thread");
    struct Turn {
      bool& busy;
      explicit Turn(bool& flag) : busy(flag) { busy = true; }
      ~Turn() { busy = false; }
    } turn(busy_);
    return interruptible(std::forward<Work>(work));
  }

  Shown shown_;
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

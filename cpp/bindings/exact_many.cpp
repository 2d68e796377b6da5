// Many positions, solved on threads.
#include "bindings/exact.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <exception>

#include "bindings/arrays.hpp"
#include "threads.hpp"

namespace mineproof::bindings {

using namespace nb::literals;

namespace {

constexpr std::chrono::milliseconds poll_interval{20};

// So many positions with one board and one model.
using Run = std::tuple<std::shared_ptr<Board>, std::shared_ptr<Model>, std::size_t>;
using MarksIn = nb::typed<nb::list, std::optional<nb::bytearray>>;

// Many positions that were solved together. They share their memory, so that what cannot be done on
// several threads, which is what needs Python, is little: a position is made an object of its own
// only when more than its chances is asked.
class PositionBatch {
 public:
  PositionBatch(const std::vector<Run>& runs, const nb::list& shown, const std::optional<MarksIn>& vouched,
                std::int64_t states, std::int64_t memory)
      : states_(states), memory_(memory) {
    const std::size_t count = shown.size();
    std::size_t listed = 0;
    for (const Run& run : runs) listed += std::get<2>(run);
    if (listed != count || (vouched && vouched->size() != count)) {
      refuse("a board, a model and marks for every position are expected");
    }
    tasks_.reserve(count);
    grounds_.reserve(runs.size());
    std::size_t cells = 0;
    std::size_t bytes = 0;
    for (const auto& [board, model, length] : runs) {
      const auto size = static_cast<std::size_t>(board->graph.cells);
      for (std::size_t last = tasks_.size() + length; tasks_.size() < last;) {
        const std::size_t i = tasks_.size();
        Task task;
        task.ground = grounds_.size();
        if (!PyByteArray_Check(shown[i].ptr())) throw nb::type_error("a bytearray is expected");
        check_shown(*board, *model, nb::borrow<nb::bytearray>(shown[i]));
        task.chances = cells;
        cells += size;
        task.codes = bytes;
        bytes += size;
        if (vouched && !(*vouched)[i].is_none()) {
          check_vouched(*board, nb::cast<nb::bytearray>((*vouched)[i]));
          task.vouched = bytes;
          bytes += size;
        }
        tasks_.push_back(task);
      }
      grounds_.emplace_back(board, model);
    }
    bytes_.reset(new std::uint8_t[bytes]);
    for (std::size_t i = 0; i < count; ++i) {
      const Task& task = tasks_[i];
      const auto size = static_cast<std::size_t>(board_of(task).graph.cells);
      std::memcpy(bytes_.get() + task.codes, PyByteArray_AsString(shown[i].ptr()), size);
      if (task.vouched != none) {
        std::memcpy(bytes_.get() + task.vouched, PyByteArray_AsString((*vouched)[i].ptr()), size);
      }
    }
    chances_ = raw_bytes(sizeof(double) * cells);
  }

  std::size_t size() const { return tasks_.size(); }
  const nb::bytes& chances() const { return chances_; }

  // Needs no GIL.
  void solve(std::size_t place, PooledSolver& solver, const exact::Limits& limits) {
    const Task& task = tasks_[place];
    solver.serial = 0;
    const Model& model = *grounds_[task.ground].second;
    solver.analysis.solve(position_of(board_of(task), model, bytes_.get() + task.codes, marks(task)), limits);
    solver.analysis.probabilities(doubles_in(chances_) + task.chances);
  }

  std::size_t offset(std::size_t place) const {
    check_place(place);
    return sizeof(double) * tasks_[place].chances;
  }

  std::unique_ptr<SolvedPosition> at(std::size_t place) const {
    check_place(place);
    const Task& task = tasks_[place];
    const auto& [board, model] = grounds_[task.ground];
    return std::make_unique<SolvedPosition>(ShownPosition(board, model, bytes_.get() + task.codes, marks(task)),
                                            states_, memory_, doubles_in(chances_) + task.chances);
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  struct Task {
    std::size_t ground = 0;      // of which run
    std::size_t codes = 0;       // where its bytes begin
    std::size_t vouched = none;  // where its marks begin
    std::size_t chances = 0;     // where its chances begin
  };

  void check_place(std::size_t place) const {
    if (place >= tasks_.size()) throw nb::index_error("no such position");
  }

  const Board& board_of(const Task& task) const { return *grounds_[task.ground].first; }

  const std::uint8_t* marks(const Task& task) const {
    return task.vouched == none ? nullptr : bytes_.get() + task.vouched;
  }

  std::vector<std::pair<std::shared_ptr<Board>, std::shared_ptr<Model>>> grounds_;
  std::int64_t states_;
  std::int64_t memory_;
  std::vector<Task> tasks_;
  std::unique_ptr<std::uint8_t[]> bytes_;
  nb::bytes chances_;
};

// Positions taken by threads one by one. The calling thread works too, and looks for
// Ctrl-C while it works and while it waits.
class ThreadedSolve {
 public:
  ThreadedSolve(PositionBatch& batch, std::int64_t states, std::int64_t memory)
      : batch_(batch),
        failed_at_(batch.size()),
        limits_{states, memory, &ThreadedSolve::stop, this},
        caller_(this_thread()) {}

  // Needs the GIL released. Solves everything, or up to the first position that fails. The calling thread first calls
  // `meanwhile`, for which it takes the GIL, while the others solve.
  template <class Meanwhile>
  void run(std::vector<std::unique_ptr<PooledSolver>>& solvers, Meanwhile&& meanwhile) {
    const auto share = [&](std::size_t i) {
      if (i == 0) with_python(meanwhile);
      work(*solvers[i]);
    };
    run_on_threads(solvers.size(), poll_interval, share, [this] { look_for_signals(); });
  }

  // Needs the GIL. Throws what Ctrl-C or a failure left; the place of a position without an answer.
  std::optional<std::size_t> failed_at() {
    if (pending_) {
      pending_->restore();
      throw nb::python_error();
    }
    try {
      if (failure_) std::rethrow_exception(failure_);
    } catch (const exact::Contradiction&) {
      return failed_at_;
    } catch (const exact::BudgetExceeded&) {
      return failed_at_;
    }
    return std::nullopt;
  }

 private:
  void work(PooledSolver& solver) {
    for (;;) {
      const std::size_t place = next_.fetch_add(1, std::memory_order_relaxed);
      if (place >= batch_.size() || stopping_.load(std::memory_order_relaxed)) return;
      if (place > failed_at_.load(std::memory_order_relaxed)) return;
      try {
        batch_.solve(place, solver, limits_);
      } catch (...) {
        const Guard lock(mutex_);
        if (place < failed_at_) {
          failed_at_ = place;
          failure_ = std::current_exception();
        }
      }
    }
  }

  // Does something that needs the GIL and may raise; then all threads stop.
  template <class Work>
  void with_python(Work&& work) {
    nb::gil_scoped_acquire hold;
    try {
      work();
    } catch (nb::python_error& raised) {
      pending_.emplace(std::move(raised));
      stopping_ = true;
    }
  }

  void look_for_signals() {
    with_python([] {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    });
  }

  static bool stop(void* context) {
    ThreadedSolve& sharing = *static_cast<ThreadedSolve*>(context);
    if (this_thread() == sharing.caller_) sharing.look_for_signals();
    return sharing.stopping_.load(std::memory_order_relaxed);
  }

  PositionBatch& batch_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> failed_at_;
  std::atomic<bool> stopping_{false};
  exact::Limits limits_;
  ThreadName caller_;
  Mutex mutex_;
  std::exception_ptr failure_;
  std::optional<nb::python_error> pending_;
};

using MeanwhileIn = nb::typed<nb::callable, void(const PositionBatch&)>;

std::optional<std::size_t> solve_many(const std::vector<Run>& runs, const nb::typed<nb::list, nb::bytearray>& shown,
                                      const std::optional<MarksIn>& vouched, std::int64_t states, std::int64_t memory,
                                      std::size_t threads, const MeanwhileIn& meanwhile) {
  check_threads(threads);
  auto made = std::make_unique<PositionBatch>(runs, shown, vouched, states, memory);
  PositionBatch& batch = *made;
  const nb::object held = nb::cast(std::move(made));
  std::vector<std::unique_ptr<PooledSolver>> solvers;
  for (std::size_t i = 0; i < std::min(threads, std::max<std::size_t>(batch.size(), 1)); ++i) {
    solvers.push_back(take(0));
  }
  ThreadedSolve sharing(batch, states, memory);
  {
    nb::gil_scoped_release release;
    sharing.run(solvers, [&] { meanwhile(held); });
  }
  for (auto& solver : solvers) {
    solver->serial = 0;
    give_back(std::move(solver));
  }
  return sharing.failed_at();
}

}  // namespace

void bind_exact_many(nb::module_& m) {
  nb::class_<PositionBatch>(m, "Batch", "Positions that were solved together.")
      .def_prop_ro(
          "chances", [](const PositionBatch& batch) { return batch.chances(); },
          "The chances of all positions, one after the other: a double a cell, as bytes.")
      .def("offset", &PositionBatch::offset, "place"_a, "Where the chances of a position begin, in bytes.")
      .def("at", &PositionBatch::at, "place"_a, "One of the positions on its own.");
  m.def(
      "solve_many", &solve_many, "runs"_a, "shown"_a, "vouched"_a.none(), "states"_a, "memory"_a, "threads"_a,
      "meanwhile"_a,
      "Solve many positions on threads: the place of the first that fails, where one does. `meanwhile` is called with "
      "the batch while other threads solve it; its answer is not looked at.");
}

}  // namespace mineproof::bindings

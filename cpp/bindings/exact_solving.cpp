// Solved positions: one call, many calls on threads, and the questions asked afterwards.
//
// An engine keeps much memory between calls, so a small pool of them serves all positions: the
// engine of a position that was solved a while ago has moved on, and a later question solves it
// again. Only a position that took long keeps its engine.
#include "bindings/exact.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>

#include "exact/clash.hpp"
#include "rng.hpp"

namespace mineproof::bindings {

using namespace nb::literals;

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds slow{2};
constexpr std::chrono::milliseconds breath{20};

// ------------------------------------------------------------------------------------- engines

// An engine and the position it has solved last: 0 where that is nobody's any more.
struct Solver {
    exact::Analysis analysis;
    std::uint64_t serial = 0;
};

// The engine used last stands at the end.
std::vector<std::unique_ptr<Solver>>& pool() {
    static auto* kept = new std::vector<std::unique_ptr<Solver>>();  // outlives every Python object
    return *kept;
}
constexpr std::size_t kept_engines = 4;

std::unique_ptr<Solver> take(std::uint64_t serial) {
    auto& kept = pool();
    for (auto it = kept.begin(); it != kept.end(); ++it) {
        if (serial != 0 && (*it)->serial == serial) {
            auto found = std::move(*it);
            kept.erase(it);
            return found;
        }
    }
    if (kept.size() < kept_engines) return std::make_unique<Solver>();
    auto oldest = std::move(kept.front());
    kept.erase(kept.begin());
    return oldest;
}

void give_back(std::unique_ptr<Solver> solver) {
    if (pool().size() < kept_engines) pool().push_back(std::move(solver));
}

std::uint64_t next_serial() {
    static std::uint64_t last = 0;
    return ++last;
}

// -------------------------------------------------------------------------------------- solved

nb::bytes raw_bytes(std::size_t size) {
    PyObject* made = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
    if (made == nullptr) throw nb::python_error();
    return nb::steal<nb::bytes>(made);
}

double* doubles_in(const nb::bytes& bytes) {
    return reinterpret_cast<double*>(PyBytes_AS_STRING(bytes.ptr()));
}

using Part = nb::typed<nb::tuple, nb::typed<nb::list, nb::int_>, nb::typed<nb::list, nb::int_>,
                       nb::int_, nb::typed<nb::list, nb::float_>>;
using PartList = nb::typed<nb::list, Part>;

class Solved {
public:
    Solved(Shown shown, std::int64_t states, std::int64_t memory)
        : shown_(std::move(shown)),
          states_(states),
          memory_(memory),
          serial_(next_serial()),
          chances_(raw_bytes(sizeof(double) * static_cast<std::size_t>(cells()))) {}

    // A position whose chances were worked out elsewhere.
    Solved(Shown shown, std::int64_t states, std::int64_t memory, const double* chances)
        : Solved(std::move(shown), states, memory) {
        std::copy_n(chances, cells(), doubles_in(chances_));
    }

    std::int32_t cells() const { return shown_.board->graph.cells; }
    const nb::bytes& chances() const { return chances_; }

    // Solve, and keep the engine where that took long. The engine is lost where it fails.
    void solve() {
        auto solver = take(0);
        solver->serial = 0;
        const auto begin = Clock::now();
        interruptible([&] {
            solver->analysis.solve(shown_.position(), patient_limits(states_, memory_));
            solver->analysis.probabilities(doubles_in(chances_));
        });
        solver->serial = serial_;
        if (Clock::now() - begin > slow) {
            own_ = std::move(solver);
        } else {
            give_back(std::move(solver));
        }
    }

    // The hidden cells whose chance is `chance`, which stands for certainty: a bit a cell.
    nb::bytes certain(double chance) const {
        const double* p = doubles_in(chances_);
        const std::size_t size = (shown_.codes.size() + 7) / 8;
        nb::bytes mask = raw_bytes(size);
        auto* bits = reinterpret_cast<std::uint8_t*>(PyBytes_AS_STRING(mask.ptr()));
        std::memset(bits, 0, size);
        for (std::size_t cell = 0; cell < shown_.codes.size(); ++cell) {
            const bool in = shown_.codes[cell] == exact::kHidden && p[cell] == chance;
            bits[cell / 8] |= static_cast<std::uint8_t>(in << (cell % 8));
        }
        return mask;
    }

    // The first hidden cell of least risk, that risk, and how many have it; -1 where none is hidden.
    std::tuple<std::int64_t, double, std::int64_t> least_risk() const {
        const double* p = doubles_in(chances_);
        std::int64_t best = -1;
        std::int64_t alike = 0;
        double risk = 2;
        for (std::size_t cell = 0; cell < shown_.codes.size(); ++cell) {
            if (shown_.codes[cell] != exact::kHidden || p[cell] > risk) continue;
            if (p[cell] < risk) {
                risk = p[cell];
                best = static_cast<std::int64_t>(cell);
                alike = 0;
            }
            ++alike;
        }
        return {best, risk, alike};
    }

    nb::bytes count() {
        return asked([&](exact::Analysis& analysis) {
            const exact::Limbs limbs = analysis.count();
            std::vector<std::uint8_t> bytes;
            for (std::uint64_t limb : limbs) {
                for (int i = 0; i < 8; ++i, limb >>= 8) bytes.push_back(limb & 0xFF);
            }
            return nb::bytes(bytes.data(), bytes.size());
        });
    }

    nb::typed<nb::list, nb::bytes> sample(std::uint64_t count, std::uint64_t seed) {
        return asked([&](exact::Analysis& analysis) {
            nb::typed<nb::list, nb::bytes> layouts;
            for (std::uint64_t index = 0; index < count; ++index) {
                Stream stream(seed, index, Purpose::sample);
                const exact::Words words{
                    [](void* context) { return static_cast<Stream*>(context)->next(); }, &stream};
                nb::bytes layout = raw_bytes(static_cast<std::size_t>(cells()));
                analysis.sample(words,
                                reinterpret_cast<std::uint8_t*>(PyBytes_AS_STRING(layout.ptr())));
                layouts.append(layout);
                if (PyErr_CheckSignals() != 0) throw nb::python_error();
            }
            return layouts;
        });
    }

    std::pair<double, std::vector<double>> clue_odds(std::int64_t cell) {
        const std::int32_t number = shown_.check_cell(cell);
        if (shown_.codes[static_cast<std::size_t>(number)] == exact::kOpenedMine) {
            throw nb::value_error("the cell is an opened mine");
        }
        return asked([&](exact::Analysis& analysis) {
            exact::ClueOdds odds = analysis.clue_odds(number);
            return std::pair{odds.mine, std::move(odds.counts)};
        });
    }

    double log_weight() {
        return asked([](exact::Analysis& analysis) { return analysis.log_weight(); });
    }

    // Components as (cells, clues, fewest mines, chances), and the sea as the last one.
    PartList parts() {
        return asked([&](exact::Analysis& analysis) {
            std::vector<std::int32_t> box(static_cast<std::size_t>(cells()));
            analysis.box_of(box.data());
            const std::size_t components = static_cast<std::size_t>(analysis.components());
            std::vector<nb::list> members(components + 1);
            for (std::int32_t cell = 0; cell < cells(); ++cell) {
                const std::int32_t at = box[static_cast<std::size_t>(cell)];
                if (at == exact::Analysis::kFixed) continue;
                const std::size_t place =
                    at == exact::Analysis::kSea
                        ? components
                        : static_cast<std::size_t>(analysis.component_of_box(at));
                members[place].append(cell);
            }
            PartList found;
            for (std::size_t i = 0; i < components; ++i) {
                const auto number = static_cast<std::int32_t>(i);
                const exact::Spread mines = analysis.component_mines(number);
                found.append(nb::make_tuple(members[i], list_of(analysis.component_clues(number)),
                                            mines.first, list_of(mines.p)));
            }
            const exact::Spread sea = analysis.sea_mines();
            found.append(nb::make_tuple(members[components], nb::list(), sea.first, list_of(sea.p)));
            return found;
        });
    }

private:
    // Ask the engine that holds this position, which may have to solve it again.
    template <typename Question>
    std::invoke_result_t<Question&, exact::Analysis&> asked(Question&& question) {
        if (own_) return interruptible([&] { return question(own_->analysis); });
        auto solver = take(serial_);
        auto answer = interruptible([&] {
            if (solver->serial != serial_) {
                solver->serial = 0;
                solver->analysis.solve(shown_.position(), patient_limits(states_, memory_));
                solver->serial = serial_;
            }
            return question(solver->analysis);
        });
        give_back(std::move(solver));
        return answer;
    }

    Shown shown_;
    std::int64_t states_;
    std::int64_t memory_;
    std::uint64_t serial_;
    nb::bytes chances_;
    std::unique_ptr<Solver> own_;
};

std::unique_ptr<Solved> solve(std::shared_ptr<Board> board, std::shared_ptr<Model> model,
                              const nb::bytearray& shown,
                              const std::optional<nb::bytearray>& vouched, std::int64_t states,
                              std::int64_t memory) {
    auto solved = std::make_unique<Solved>(
        Shown(std::move(board), std::move(model), shown, vouched), states, memory);
    solved->solve();
    return solved;
}

// ---------------------------------------------------------------------------------------- many

// Many positions that were solved together. They share their memory, so that what cannot be done on
// several threads, which is what needs Python, is little: a position is made an object of its own
// only when more than its chances is asked.
class Batch {
public:
    Batch(nb::tuple boards, nb::tuple models, const nb::list& shown, const nb::list& vouched,
          std::int64_t states, std::int64_t memory)
        : boards_(std::move(boards)), models_(std::move(models)), states_(states), memory_(memory) {
        const std::size_t count = shown.size();
        if (boards_.size() != count || models_.size() != count || vouched.size() != count) {
            throw nb::value_error("a board, a model and marks for every position are expected");
        }
        tasks_.reserve(count);
        std::size_t cells = 0;
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < count; ++i) {
            Task task;
            task.board = nb::cast<Board*>(boards_[i]);
            task.model = nb::cast<Model*>(models_[i]);
            if (!PyByteArray_Check(shown[i].ptr())) throw nb::type_error("a bytearray is expected");
            check_shown(*task.board, *task.model, nb::borrow<nb::bytearray>(shown[i]));
            task.chances = cells;
            cells += static_cast<std::size_t>(task.board->graph.cells);
            task.codes = bytes;
            bytes += static_cast<std::size_t>(task.board->graph.cells);
            if (!vouched[i].is_none()) {
                check_vouched(*task.board, nb::cast<nb::bytearray>(vouched[i]));
                task.vouched = bytes;
                bytes += static_cast<std::size_t>(task.board->graph.cells);
            }
            tasks_.push_back(task);
        }
        bytes_.reset(new std::uint8_t[bytes]);
        for (std::size_t i = 0; i < count; ++i) {
            const Task& task = tasks_[i];
            const auto size = static_cast<std::size_t>(task.board->graph.cells);
            std::memcpy(bytes_.get() + task.codes, PyByteArray_AS_STRING(shown[i].ptr()), size);
            if (task.vouched != none) {
                std::memcpy(bytes_.get() + task.vouched, PyByteArray_AS_STRING(vouched[i].ptr()),
                            size);
            }
        }
        chances_ = raw_bytes(sizeof(double) * cells);
    }

    std::size_t size() const { return tasks_.size(); }
    const nb::bytes& chances() const { return chances_; }

    // Needs no GIL.
    void solve(std::size_t place, Solver& solver, const exact::Limits& limits) {
        const Task& task = tasks_[place];
        solver.serial = 0;
        solver.analysis.solve(
            position_of(*task.board, *task.model, bytes_.get() + task.codes, marks(task)), limits);
        solver.analysis.probabilities(doubles_in(chances_) + task.chances);
    }

    std::size_t offset(std::size_t place) const {
        check_place(place);
        return sizeof(double) * tasks_[place].chances;
    }

    std::unique_ptr<Solved> at(std::size_t place) const {
        check_place(place);
        const Task& task = tasks_[place];
        return std::make_unique<Solved>(
            Shown(nb::cast<std::shared_ptr<Board>>(boards_[place]),
                  nb::cast<std::shared_ptr<Model>>(models_[place]), bytes_.get() + task.codes,
                  marks(task)),
            states_, memory_, doubles_in(chances_) + task.chances);
    }

private:
    static constexpr std::size_t none = ~std::size_t{0};

    struct Task {
        const Board* board = nullptr;
        const Model* model = nullptr;
        std::size_t codes = 0;       // where its bytes begin
        std::size_t vouched = none;  // where its marks begin
        std::size_t chances = 0;     // where its chances begin
    };

    void check_place(std::size_t place) const {
        if (place >= tasks_.size()) throw nb::index_error("no such position");
    }

    const std::uint8_t* marks(const Task& task) const {
        return task.vouched == none ? nullptr : bytes_.get() + task.vouched;
    }

    nb::tuple boards_;
    nb::tuple models_;
    std::int64_t states_;
    std::int64_t memory_;
    std::vector<Task> tasks_;
    std::unique_ptr<std::uint8_t[]> bytes_;
    nb::bytes chances_;
};

// Positions shared out to threads one by one. The thread that called works too, and looks for
// Ctrl-C while it works and while it waits.
class Crew {
public:
    Crew(Batch& batch, std::int64_t states, std::int64_t memory)
        : batch_(batch),
          failed_at_(batch.size()),
          limits_{states, memory, &Crew::stop, this},
          caller_(std::this_thread::get_id()) {}

    // Needs the GIL released. Solves everything, or up to the first position that fails.
    void run(std::vector<std::unique_ptr<Solver>>& solvers) {
        std::vector<std::thread> others;
        working_ = solvers.size() - 1;
        for (std::size_t i = 1; i < solvers.size(); ++i) {
            others.emplace_back([this, &solvers, i] {
                work(*solvers[i]);
                const std::lock_guard lock(mutex_);
                --working_;
                done_.notify_all();
            });
        }
        work(*solvers[0]);
        {
            std::unique_lock lock(mutex_);
            while (!done_.wait_for(lock, breath, [this] { return working_ == 0; })) {
                lock.unlock();
                look_for_signals();
                lock.lock();
            }
        }
        for (std::thread& other : others) other.join();
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
    void work(Solver& solver) {
        for (;;) {
            const std::size_t place = next_.fetch_add(1, std::memory_order_relaxed);
            if (place >= batch_.size() || stopping_.load(std::memory_order_relaxed)) return;
            if (place > failed_at_.load(std::memory_order_relaxed)) return;
            try {
                batch_.solve(place, solver, limits_);
            } catch (...) {
                const std::lock_guard lock(mutex_);
                if (place < failed_at_) {
                    failed_at_ = place;
                    failure_ = std::current_exception();
                }
            }
        }
    }

    void look_for_signals() {
        nb::gil_scoped_acquire hold;
        if (PyErr_CheckSignals() != 0) {
            pending_.emplace();
            stopping_ = true;
        }
    }

    static bool stop(void* context) {
        Crew& crew = *static_cast<Crew*>(context);
        if (std::this_thread::get_id() == crew.caller_) crew.look_for_signals();
        return crew.stopping_.load(std::memory_order_relaxed);
    }

    Batch& batch_;
    std::atomic<std::size_t> next_{0};
    std::atomic<std::size_t> failed_at_;
    std::atomic<bool> stopping_{false};
    exact::Limits limits_;
    std::thread::id caller_;
    std::mutex mutex_;
    std::condition_variable done_;
    std::size_t working_ = 0;
    std::exception_ptr failure_;
    std::optional<nb::python_error> pending_;
};

std::pair<std::unique_ptr<Batch>, std::optional<std::size_t>> solve_many(
    const nb::typed<nb::list, Board>& boards, const nb::typed<nb::list, Model>& models,
    const nb::typed<nb::list, nb::bytearray>& shown,
    const nb::typed<nb::list, std::optional<nb::bytearray>>& vouched, std::int64_t states,
    std::int64_t memory, std::size_t threads) {
    if (threads < 1 || threads > 1024) throw nb::value_error("threads must be 1 to 1024");
    auto batch =
        std::make_unique<Batch>(nb::tuple(boards), nb::tuple(models), shown, vouched, states, memory);
    std::vector<std::unique_ptr<Solver>> solvers;
    for (std::size_t i = 0; i < std::min(threads, std::max<std::size_t>(batch->size(), 1)); ++i) {
        solvers.push_back(take(0));
    }
    Crew crew(*batch, states, memory);
    {
        nb::gil_scoped_release release;
        crew.run(solvers);
    }
    for (auto& solver : solvers) {
        solver->serial = 0;
        give_back(std::move(solver));
    }
    const std::optional<std::size_t> failed = crew.failed_at();
    return {std::move(batch), failed};
}

std::pair<std::vector<std::int32_t>, bool> clash(std::shared_ptr<Board> board,
                                                 std::shared_ptr<Model> model,
                                                 const nb::bytearray& shown,
                                                 const std::optional<nb::bytearray>& vouched,
                                                 std::int64_t states, std::int64_t memory) {
    const Shown position(std::move(board), std::move(model), shown, vouched);
    exact::Clash found = interruptible(
        [&] { return exact::clash(position.position(), patient_limits(states, memory)); });
    return {std::move(found.clues), found.total};
}

}  // namespace

void bind_exact_solving(nb::module_& m) {
    nb::class_<Solved>(m, "Solved", "A position whose chances are known.")
        .def_prop_ro(
            "chances", [](const Solved& solved) { return solved.chances(); },
            "The chance of a mine for every cell: a double each, as bytes.")
        .def("certain", &Solved::certain, "chance"_a,
             "The hidden cells of this chance, 0.0 or 1.0: little-endian bytes, a bit a cell.")
        .def("least_risk", &Solved::least_risk,
             "The first hidden cell of least risk or -1, its chance, and how many have it.")
        .def("count", &Solved::count, "The number of layouts, as little-endian bytes.")
        .def("sample", &Solved::sample, "count"_a, "seed"_a,
             "Layouts drawn from the posterior: a byte a cell, 1 for a mine.")
        .def("clue_odds", &Solved::clue_odds, "cell"_a,
             "The chance of a mine, and for every v that of a safe cell with v mines around it.")
        .def("log_weight", &Solved::log_weight, "Logarithm of the weight of all layouts.")
        .def("parts", &Solved::parts,
             "Components as (cells, clues, fewest mines, chances); the sea comes last.");
    nb::class_<Batch>(m, "Batch", "Positions that were solved together.")
        .def_prop_ro(
            "chances", [](const Batch& batch) { return batch.chances(); },
            "The chances of all positions, one after the other: a double a cell, as bytes.")
        .def("offset", &Batch::offset, "place"_a, "Where the chances of a position begin, in bytes.")
        .def("at", &Batch::at, "place"_a, "One of the positions on its own.");
    m.def("solve", &solve, "board"_a, "model"_a, "shown"_a, "vouched"_a.none(), "states"_a,
          "memory"_a, "Solve one position. Raises Contradiction and OverBudget.");
    m.def("solve_many", &solve_many, "boards"_a, "models"_a, "shown"_a, "vouched"_a, "states"_a,
          "memory"_a, "threads"_a,
          "Solve many positions on threads; also the place of the first that fails, where one does.");
    m.def("clash", &clash, "board"_a, "model"_a, "shown"_a, "vouched"_a.none(), "states"_a,
          "memory"_a, "Minimal clashing clues of a position without a layout; is the total needed.");
}

}  // namespace mineproof::bindings

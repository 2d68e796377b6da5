// Boards, models and positions as Python hands them over, and solved positions. Every function here needs the GIL.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "exact/analysis.hpp"
#include "exact/position.hpp"
#include "rng.hpp"
#include "search/player.hpp"

namespace mineproof::bindings {

// A board, once per topology. Borrows the arrays of numpy.
struct Board {
  Board(IntsIn offsets, IntsIn targets, std::int32_t rows, std::int32_t cols);

  IntsIn offsets;
  IntsIn targets;
  exact::Graph graph;
};

// How mines are dealt and how clues lie, once per topology and rules. The prior and the channel point
// into the vectors, which moving leaves in place.
struct Model {
  Model() = default;
  Model(Model&&) = default;
  Model(const Model&) = delete;

  exact::Prior prior;
  std::vector<double> numbers;            // of a prior by number
  std::vector<double> weights;            // of the channel
  std::optional<exact::Channel> channel;  // none: clues are exact
};

// A position in borrowed memory; `vouched` may be null.
exact::Position position_of(const Board& board, const Model& model, const std::uint8_t* shown,
                            const std::uint8_t* vouched);

// A copy of the bytes of a position; refused where they are not one for every cell of the board.
std::vector<std::uint8_t> codes_of(const Board& board, const nb::bytearray& shown);

// Refuse bytes and models that are not those of the board.
void check_shown(const Board& board, const Model& model, const nb::bytearray& shown);
void check_vouched(const Board& board, const nb::bytearray& vouched);

// The bytes of one position, and everything they refer to.
struct ShownPosition {
  ShownPosition(std::shared_ptr<Board> board, std::shared_ptr<Model> model, const nb::bytearray& shown,
                const std::optional<nb::bytearray>& vouched);
  ShownPosition(std::shared_ptr<Board> board, std::shared_ptr<Model> model, const std::uint8_t* shown,
                const std::uint8_t* vouched);

  std::shared_ptr<Board> board;
  std::shared_ptr<Model> model;
  std::vector<std::uint8_t> codes;
  std::vector<std::uint8_t> vouched;  // empty: nothing

  exact::Position position() const {
    return position_of(*board, *model, codes.data(), vouched.empty() ? nullptr : vouched.data());
  }
  std::int32_t check_cell(std::int64_t cell) const;
};

inline void check_threads(std::size_t threads) {
  if (threads < 1 || threads > 1024) refuse("threads must be 1 to 1024");
}

// Limits of a call that holds the GIL: Ctrl-C stops it, and other threads of Python get their turn.
exact::Limits patient_limits(std::int64_t states, std::int64_t memory);

// Ctrl-C during the work becomes the exception that Python has pending.
template <typename Work>
auto interruptible(Work&& work) {
  try {
    return work();
  } catch (const exact::Interrupted&) {
    throw nb::python_error();
  }
}

nb::list list_of(const std::vector<std::int32_t>& numbers);
nb::list list_of(const std::vector<double>& numbers);

// ---------------------------------------------------------- what a player is told before a game, by Python's names

inline FirstClick first_click_of(const std::string& name) {
  if (name == "any") return FirstClick::any;
  if (name == "safe") return FirstClick::safe;
  if (name == "opening") return FirstClick::opening;
  refuse("first_click is any, safe or opening");
}

inline void check_mines(const Board& board, std::int64_t mines) {
  if (mines < 0 || mines > board.graph.cells) refuse("the mines do not fit on the board");
}

inline void check_cells(const Board& board, const std::vector<std::int32_t>& cells) {
  for (const std::int32_t cell : cells) {
    if (cell < 0 || cell >= board.graph.cells) refuse("a cell is not on the board");
  }
}

inline search::Table table_of(const Board& board, std::int64_t mines, const std::string& first_click,
                              const std::vector<std::int32_t>& first) {
  check_mines(board, mines);
  if (first.empty()) refuse("at least one cell to begin with is expected");
  check_cells(board, first);
  return {board.graph, mines, first_click_of(first_click), first};
}

// ------------------------------------------------------------------------------------- engines

// An engine keeps much memory between calls, so a small pool of them serves all positions: the engine of a position
// that was solved a while ago has moved on, and a later question solves it again. Only a position that took long keeps
// its engine.
using Clock = std::chrono::steady_clock;
inline constexpr std::chrono::milliseconds slow{2};

// An engine and the position it has solved last: 0 where no object holds it any more.
struct PooledSolver {
  exact::Analysis analysis;
  std::uint64_t serial = 0;
};

// The engine used last stands at the end.
inline std::vector<std::unique_ptr<PooledSolver>>& pool() {
  static auto* kept = new std::vector<std::unique_ptr<PooledSolver>>();  // outlives every Python object
  return *kept;
}
inline constexpr std::size_t kept_engines = 4;

inline std::unique_ptr<PooledSolver> take(std::uint64_t serial) {
  auto& kept = pool();
  for (auto it = kept.begin(); it != kept.end(); ++it) {
    if (serial != 0 && (*it)->serial == serial) {
      auto found = std::move(*it);
      kept.erase(it);
      return found;
    }
  }
  if (kept.size() < kept_engines) return std::make_unique<PooledSolver>();
  auto oldest = std::move(kept.front());
  kept.erase(kept.begin());
  return oldest;
}

inline void give_back(std::unique_ptr<PooledSolver> solver) {
  if (pool().size() < kept_engines) pool().push_back(std::move(solver));
}

inline std::uint64_t next_serial() {
  static std::uint64_t last = 0;
  return ++last;
}

// -------------------------------------------------------------------------------------- solved

inline nb::bytes raw_bytes(std::size_t size) {
  PyObject* made = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
  if (made == nullptr) throw nb::python_error();
  return nb::steal<nb::bytes>(made);
}

inline double* doubles_in(const nb::bytes& bytes) { return reinterpret_cast<double*>(PyBytes_AsString(bytes.ptr())); }

using Part = nb::typed<nb::tuple, nb::typed<nb::list, nb::int_>, nb::typed<nb::list, nb::int_>, nb::int_,
                       nb::typed<nb::list, nb::float_>>;
using PartList = nb::typed<nb::list, Part>;

class SolvedPosition {
 public:
  SolvedPosition(ShownPosition shown, std::int64_t states, std::int64_t memory)
      : shown_(std::move(shown)),
        states_(states),
        memory_(memory),
        serial_(next_serial()),
        chances_(raw_bytes(sizeof(double) * static_cast<std::size_t>(cells()))) {}

  // A position whose chances were worked out elsewhere.
  SolvedPosition(ShownPosition shown, std::int64_t states, std::int64_t memory, const double* chances)
      : SolvedPosition(std::move(shown), states, memory) {
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
    auto* bits = reinterpret_cast<std::uint8_t*>(PyBytes_AsString(mask.ptr()));
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
      analysis.restart_samples();
      for (std::uint64_t index = 0; index < count; ++index) {
        Stream stream(seed, index, Purpose::sample);
        const exact::WordSource words{[](void* context) { return static_cast<Stream*>(context)->next(); }, &stream};
        nb::bytes layout = raw_bytes(static_cast<std::size_t>(cells()));
        analysis.sample(words, reinterpret_cast<std::uint8_t*>(PyBytes_AsString(layout.ptr())));
        layouts.append(layout);
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
      }
      return layouts;
    });
  }

  std::pair<double, std::vector<double>> clue_odds(std::int64_t cell) {
    const std::int32_t number = shown_.check_cell(cell);
    if (shown_.codes[static_cast<std::size_t>(number)] == exact::kOpenedMine) {
      refuse("the cell is an opened mine");
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
            at == exact::Analysis::kSea ? components : static_cast<std::size_t>(analysis.component_of_box(at));
        members[place].append(cell);
      }
      PartList found;
      for (std::size_t i = 0; i < components; ++i) {
        const auto number = static_cast<std::int32_t>(i);
        const exact::Spread mines = analysis.component_mines(number);
        found.append(
            nb::make_tuple(members[i], list_of(analysis.component_clues(number)), mines.first, list_of(mines.p)));
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
    // Out of reach while it works: Ctrl-C is looked for with the GIL let go, so that another
    // thread may ask this position meanwhile. That one solves it again.
    const bool own = own_ != nullptr;
    auto solver = own ? std::move(own_) : take(serial_);
    auto answer = interruptible([&] {
      if (solver->serial != serial_) {
        solver->serial = 0;
        solver->analysis.solve(shown_.position(), patient_limits(states_, memory_));
        solver->serial = serial_;
      }
      return question(solver->analysis);
    });
    if (own) {
      own_ = std::move(solver);
    } else {
      give_back(std::move(solver));
    }
    return answer;
  }

  ShownPosition shown_;
  std::int64_t states_;
  std::int64_t memory_;
  std::uint64_t serial_;
  nb::bytes chances_;
  std::unique_ptr<PooledSolver> own_;
};

}  // namespace mineproof::bindings

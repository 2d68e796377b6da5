// A batch of games for learners. The arrays are the batch's own memory; nothing here tells where the mines are.
#include "batch/batch.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/exact.hpp"

namespace mineproof::bindings {

using namespace nb::literals;

namespace {

using batch::Autoreset;
using batch::BatchRules;
using batch::IllegalAction;
using Cells = std::vector<std::int32_t>;
using Actions = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Rows = nb::ndarray<nb::numpy, T, nb::ndim<2>, nb::c_contig>;
template <typename T>
using Column = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>;

constexpr std::size_t kMostGames = std::size_t{1} << 20;

Autoreset autoreset_of(const std::string& name) {
  if (name == "disabled") return Autoreset::disabled;
  if (name == "next_step") return Autoreset::next_step;
  if (name == "same_step") return Autoreset::same_step;
  refuse("autoreset is disabled, next_step or same_step");
}

IllegalAction illegal_of(const std::string& name) {
  if (name == "stay") return IllegalAction::stay;
  if (name == "end") return IllegalAction::end;
  refuse("illegal is stay or end");
}

DealKind dealt_of(const std::string& name) {
  if (name == "number") return DealKind::number;
  if (name == "independent") return DealKind::independent;
  if (name == "uniform") return DealKind::uniform;
  refuse("dealt is number, independent or uniform");
}

// The rules of a game, by the words that Python uses.
struct RulesOfPlay {
  GameRules rules;

  RulesOfPlay(std::size_t mines, const std::string& first_click, bool cascade, const std::string& dealt,
              const nb::int_& threshold, bool goes_on, bool mark_all, const Cells& given, const Cells& free,
              std::size_t given_random) {
    rules.mines = mines;
    rules.first_click = first_click_of(first_click);
    rules.cascade = cascade;
    rules.dealt = dealt_of(dealt);
    rules.chance = chance_of(threshold);
    rules.goes_on = goes_on;
    rules.mark_all = mark_all;
    rules.given = given;
    rules.free = free;
    rules.given_random = given_random;
  }

  void lay(const BytesIn& mines) {
    rules.layout.assign(mines.data(), mines.data() + mines.shape(0));
    for (std::uint8_t& mine : rules.layout) mine = mine != 0;
  }

  // A table for cells with so many neighbours: for every true count a row of neighbours + 2 chances, and which of them
  // is certain.
  void lie(std::size_t neighbours, const std::vector<std::uint64_t>& below, const Cells& last, bool proves_zero) {
    if (neighbours > static_cast<std::size_t>(max_neighbours)) refuse("too many neighbours");
    if (below.size() != (neighbours + 1) * (neighbours + 2) || last.size() != neighbours + 1)
      refuse("a table has a row for every true count");
    for (const std::int32_t word : last) {
      if (word < 0 || word > static_cast<std::int32_t>(neighbours) + 1) refuse("a row's last entry is in the row");
    }
    Lies& lies = rules.lies;
    if (lies.table.size() <= neighbours) {
      lies.table.resize(neighbours + 1, -1);
      lies.last_table.resize(neighbours + 1, -1);
      lies.proves_zero.resize(neighbours + 1, 0);
    }
    lies.table[neighbours] = static_cast<std::int64_t>(lies.below.size());
    lies.last_table[neighbours] = static_cast<std::int64_t>(lies.last.size());
    lies.proves_zero[neighbours] = proves_zero;
    lies.below.insert(lies.below.end(), below.begin(), below.end());
    lies.last.insert(lies.last.end(), last.begin(), last.end());
  }

  void check(const Board& board) const {
    const auto cells = static_cast<std::size_t>(board.graph.cells);
    check_cells(board, rules.given);
    check_cells(board, rules.free);
    if (!rules.layout.empty() && rules.layout.size() != cells) refuse("the layout is of another board");
    if (rules.mines > cells) refuse("the mines do not fit on the board");
    if (!rules.lies.none()) {
      for (std::int32_t cell = 0; cell < board.graph.cells; ++cell) {
        const auto near = static_cast<std::size_t>(board.graph.degree(cell));
        if (near >= rules.lies.table.size() || rules.lies.table[near] < 0) refuse("a table of clues is missing");
      }
    }
    if (!rules.layout.empty() || rules.dealt == DealKind::independent) return;
    // Given cells are the first click: the mines must fit beside what they keep free.
    if ((rules.dealt == DealKind::uniform ? 1 : rules.mines) + rules.free.size() > cells)
      refuse("the mines do not fit beside the given cells");
    if (rules.given.empty() && rules.first_click == FirstClick::safe && rules.mines + 1 > cells)
      refuse("the mines do not fit beside the first cell");
  }
};

class BoundBatch {
 public:
  BoundBatch(std::shared_ptr<Board> board, const RulesOfPlay& play, std::size_t games, std::size_t threads, bool flags,
             bool total_known, const std::string& illegal, const std::string& autoreset, std::int32_t most_steps)
      : board_(std::move(board)),
        batch_(std::make_unique<batch::Batch>(
            checked(*board_, play, games, threads),
            BatchRules{play.rules, flags, total_known, illegal_of(illegal), autoreset_of(autoreset), most_steps}, games,
            threads)) {}

  void reset(const std::optional<BytesIn>& chosen, const std::optional<std::vector<std::uint64_t>>& seeds,
             std::uint64_t index) {
    const BusyFlag turn(busy_);
    if (chosen && chosen->shape(0) != batch_->games()) refuse("a reset needs a byte for every game");
    if (seeds && seeds->size() != batch_->games()) refuse("a reset needs a seed for every game");
    for (std::size_t game = 0; seeds && game < batch_->games(); ++game) {
      if (!chosen || chosen->data()[game]) batch_->seed(game, (*seeds)[game], index);
    }
    nb::gil_scoped_release release;
    batch_->reset(chosen ? view(*chosen) : Mask{});
  }

  void step(const Actions& actions) {
    const BusyFlag turn(busy_);
    const std::span<const std::int64_t> wanted{actions.data(), actions.shape(0)};
    check(wanted);
    if (const auto game = batch_->waiting())
      refuse("game " + std::to_string(*game) + " is over; reset it before the next step");
    nb::gil_scoped_release release;
    batch_->step(wanted);
  }

  std::int64_t first_illegal(const Actions& actions) {
    const BusyFlag turn(busy_);
    const std::span<const std::int64_t> wanted{actions.data(), actions.shape(0)};
    check(wanted);
    const auto game = batch_->first_illegal(wanted);
    return game ? static_cast<std::int64_t>(*game) : -1;
  }

  ArrayOut<std::int64_t> random_actions() {
    const BusyFlag turn(busy_);
    Buffer<std::int64_t> actions(batch_->games());
    batch_->random_actions(actions.span());
    return std::move(actions).array();
  }

  void seed_actions(std::uint64_t seed) {
    const BusyFlag turn(busy_);
    batch_->seed_actions(seed);
  }
  batch::Batch& batch() { return *batch_; }

 private:
  // A step leaves Python to other threads, and one of them could ask for another meanwhile.
  struct BusyFlag {
    bool& busy;
    explicit BusyFlag(bool& flag) : busy(flag) {
      if (busy) throw std::runtime_error("the batch is at work in another thread");
      busy = true;
    }
    ~BusyFlag() { busy = false; }
  };

  static Neighbours checked(const Board& board, const RulesOfPlay& play, std::size_t games, std::size_t threads) {
    check_threads(threads);
    const auto cells = static_cast<std::size_t>(board.graph.cells);
    if (games < 1 || games > kMostGames || games > kMostInTable / (2 * cells)) refuse("too many games, or none");
    play.check(board);
    return {view(board.offsets), view(board.targets)};
  }

  void check(std::span<const std::int64_t> actions) const {
    if (actions.size() != batch_->games()) refuse("a step needs an action for every game");
    // One pass that the compiler turns into vectors: the top bit is set by an action below 0 or beyond the last.
    const std::uint64_t last = batch_->actions() - 1;
    std::uint64_t beyond = 0;
    for (const std::int64_t action : actions)
      beyond |= static_cast<std::uint64_t>(action) | (last - static_cast<std::uint64_t>(action));
    if (beyond >> 63 == 0) return;
    for (const std::int64_t action : actions) {
      if (action < 0 || action >= static_cast<std::int64_t>(batch_->actions()))
        refuse("action " + std::to_string(action) + "; accepted: 0 to " + std::to_string(batch_->actions() - 1));
    }
  }

  std::shared_ptr<Board> board_;
  bool busy_ = false;
  std::unique_ptr<batch::Batch> batch_;  // it asks for more alignment than Python gives its objects
};

// Memory of the batch as an array that keeps the batch alive.
template <typename T>
void bind_rows(nb::class_<BoundBatch>& bound, const char* name, PaddedVector<T> batch::Batch::* rows, const char* doc) {
  bound.def_prop_ro(
      name,
      [rows](nb::pointer_and_handle<BoundBatch> self) {
        batch::Batch& batch = self.p->batch();
        PaddedVector<T>& memory = batch.*rows;
        return Rows<T>(memory.data(), {batch.games(), memory.size() / batch.games()}, self.h);
      },
      doc);
}

template <typename T>
void bind_column(nb::class_<BoundBatch>& bound, const char* name, PaddedVector<T> batch::Batch::* column,
                 const char* doc) {
  bound.def_prop_ro(
      name,
      [column](nb::pointer_and_handle<BoundBatch> self) {
        PaddedVector<T>& memory = self.p->batch().*column;
        return Column<T>(memory.data(), {memory.size()}, self.h);
      },
      doc);
}

}  // namespace

void bind_batch(nb::module_& m) {
  using batch::Batch;
  nb::class_<RulesOfPlay>(m, "GameRules", "The rules of the games of a batch.")
      .def(nb::init<std::size_t, const std::string&, bool, const std::string&, const nb::int_&, bool, bool,
                    const Cells&, const Cells&, std::size_t>(),
           "mines"_a, "first_click"_a, "cascade"_a, "dealt"_a, "threshold"_a, "goes_on"_a, "mark_all"_a, "given"_a,
           "free"_a, "given_random"_a)
      .def("lay", &RulesOfPlay::lay, "mines"_a.noconvert(), "Mines that are set and not dealt.")
      .def("lie", &RulesOfPlay::lie, "neighbours"_a, "below"_a, "last"_a, "proves_zero"_a,
           "What cells with so many neighbours show: a row of chances for every true count.");
  nb::class_<BoundBatch> bound(m, "GameBatch",
                               "Games side by side, for learners; it does not tell where the mines are.");
  bound
      .def(nb::init<std::shared_ptr<Board>, const RulesOfPlay&, std::size_t, std::size_t, bool, bool,
                    const std::string&, const std::string&, std::int32_t>(),
           "board"_a, "rules"_a, "games"_a, "threads"_a, "flags"_a, "total_known"_a, "illegal"_a, "autoreset"_a,
           "most_steps"_a)
      .def("reset", &BoundBatch::reset, "chosen"_a.none().noconvert(), "seeds"_a.none(), "index"_a,
           "Begin the next games, all or the chosen ones; seeds name them anew, with this index.")
      .def("step", &BoundBatch::step, "actions"_a.noconvert(), "An action for every game.")
      .def("first_illegal", &BoundBatch::first_illegal, "actions"_a.noconvert(),
           "The first game for which its action is no legal move, or -1.")
      .def("random_actions", &BoundBatch::random_actions, "A legal action for every game, each equally likely.")
      .def("seed_actions", &BoundBatch::seed_actions, "seed"_a, "Name the random actions anew.");
  bind_rows(bound, "shown", &Batch::shown, "What the cells of each game show, as codes.");
  bind_rows(bound, "legal", &Batch::legal, "Which actions are legal moves.");
  bind_rows(bound, "final_shown", &Batch::final_shown, "What games showed that ended in this step.");
  bind_rows(bound, "final_legal", &Batch::final_legal, "Which actions were legal moves where they were cut off.");
  bind_column(bound, "mines_left", &Batch::mines_left, "Mines less flags and opened mines, where the total is known.");
  bind_column(bound, "final_mines_left", &Batch::final_mines_left, "The same of games that ended in this step.");
  bind_column(bound, "first", &Batch::first, "The cell for which the mines were dealt; -1 where no click dealt them.");
  bind_column(bound, "final_first", &Batch::final_first, "The same of games that ended in this step.");
  bind_column(bound, "opened", &Batch::opened, "Safe cells that the step opened.");
  bind_column(bound, "terminated", &Batch::terminated, "Games that ended in this step.");
  bind_column(bound, "truncated", &Batch::truncated, "Games that were cut off in this step.");
  bind_column(bound, "won", &Batch::won, "Games that were won in this step.");
  bind_column(bound, "illegal", &Batch::illegal, "Games whose action was no legal move.");
  bind_column(bound, "moved", &Batch::moved, "Games that took their action; the others began anew.");
}

}  // namespace mineproof::bindings

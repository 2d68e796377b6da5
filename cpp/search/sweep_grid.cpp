// On the planes of a plain square board, many cells at a time. Only the rows near a change are looked at again.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "search/sweep.hpp"
#include "search/sweep_loops.hpp"

namespace mineproof::search {

namespace {

using namespace planes;

constexpr Index kAbove = 2, kBelow = 3;  // empty rows: pairs of clues reach so far

// The rows from `first` up to, not including, `last`.
struct Rows {
  Index first = 0, last = 0;

  bool empty() const { return first >= last; }
  Index count() const { return last - first; }
  Rows wider(Index by, Index rows) const {
    return {std::max<Index>(first - by, 0), std::min(last + by, rows)};
  }
  void add(Rows more) {
    if (more.empty()) return;
    if (empty()) *this = more;
    first = std::min(first, more.first);
    last = std::max(last, more.last);
  }
};

// A byte for every cell and for what is empty around the board.
class Plane {
 public:
  Plane(Index rows, Index stride, Byte fill)
      : stride_(stride), bytes_(static_cast<std::size_t>((rows + kAbove + kBelow) * stride + 2 * kBlock), fill) {}
  Byte* row(Index r) { return bytes_.data() + kBlock + (r + kAbove) * stride_; }
  const Byte* row(Index r) const { return bytes_.data() + kBlock + (r + kAbove) * stride_; }

 private:
  Index stride_;
  std::vector<Byte> bytes_;
};

// What a game changes.
struct State {
  State(Index rows, Index stride)
      : shown(rows, stride, exact::kNoClue), value(rows, stride, 0), clue(rows, stride, kNot), safe(rows, stride, 0) {}

  Plane shown;            // codes
  Plane value;            // kUnknown, kMine, or 0
  Plane clue;             // 16 * number, or kNot
  Plane safe;             // 0xff where a hidden cell is proved to be safe
  Rows waiting;           // that such cells are in, as long as there is no layout
  std::int64_t left = 0;  // safe cells that are hidden
};

// The board, and scratch of the loops.
struct Board {
  Board(Index rows_, Index stride_)
      : rows(rows_),
        stride(stride_),
        now(rows, stride),
        count(rows, stride, 0),
        sum(rows, stride, 0),
        fire(rows, stride, 0),
        proved(rows, stride, 0),
        mines(rows, stride, kFar),
        safe(rows, stride, kFar),
        unknown(rows, stride, 0),
        is(rows, stride, 0),
        found(rows, stride, 0) {}

  Index rows, stride;
  State now;
  bool opens = false;  // a layout is there: what is safe is opened
  Plane count;         // of the layout: 16 * mines around
  Plane sum, fire, proved, mines, safe, unknown, is, found;
};

// Opens what waits in a row.
MINEPROOF_INLINE void open_row(Board& b, Index r) {
  State& now = b.now;
  if (b.opens) now.left -= open_loop(now.safe.row(r), b.count.row(r), now.shown.row(r), now.clue.row(r), b.stride);
  else now.waiting.add({r, r + 1});
}

// What single clues near the changed rows prove; the rows that it changes.
MINEPROOF_INLINE Rows settle(Board& b, Rows changed) {
  State& now = b.now;
  const Rows near = changed.wider(1, b.rows);
  const Index f = near.first, n = near.count() * b.stride;
  Rows next;
  if (!fire_loop(now.value.row(f), now.clue.row(f), b.sum.row(f), b.fire.row(f), n, b.stride)) return next;
  const Rows reach = changed.wider(2, b.rows);
  const Index g = reach.first;
  prove_loop(b.fire.row(g), now.value.row(g), now.safe.row(g), b.proved.row(g), reach.count() * b.stride, b.stride);
  for (Index r = reach.first; r < reach.last; ++r) {
    if (!any_of(b.proved.row(r), b.stride)) continue;
    next.add({r, r + 1});
    open_row(b, r);
  }
  std::memset(b.fire.row(f), 0, static_cast<std::size_t>(n));  // other rows hold 0 already
  return next;
}

Rows settle_pairs(Board& b, Rows pairs);

// What pairs of clues near the changed rows prove.
MINEPROOF_INLINE Rows pair_up(Board& b, Rows changed) {
  State& now = b.now;
  const Rows near = changed.wider(1, b.rows);
  const Rows upper{std::max<Index>(near.first - 2, 0), near.last};  // of the upper clue of a pair
  const Rows read{std::max<Index>(near.first - 3, 0), std::min(near.last + 2, b.rows)};
  const Index s = b.stride, r = read.first, u = upper.first;
  lack_loop(now.value.row(r), now.clue.row(r), b.sum.row(r), b.mines.row(r), b.safe.row(r), b.unknown.row(r), b.is.row(r),
            read.count() * s, s);
  const Byte some =
      pair_loop(b.mines.row(u), b.safe.row(u), b.unknown.row(u), b.is.row(u), b.found.row(u), upper.count() * s, s);
  return some ? settle_pairs(b, upper) : Rows{};
}

// Until nothing follows any more.
MINEPROOF_INLINE void run_loop(Board& b, Rows changed) {
  for (;;) {
    Rows all;
    while (!changed.empty()) {
      all.add(changed);
      changed = settle(b, changed);
    }
    if (all.empty()) return;
    changed = pair_up(b, all);
  }
}
void run_any(Board& b, Rows changed) { run_loop(b, changed); }
MINEPROOF_AVX2 void run_avx2(Board& b, Rows changed) { run_loop(b, changed); }

// Settles what pairs of clues prove, by what was read before any of it was settled.
class PairSettler {
 public:
  explicit PairSettler(Board& b)
      : b_(b),
        mines_(b.mines.row(0)),
        safe_(b.safe.row(0)),
        unknown_(b.unknown.row(0)),
        is_(b.is.row(0)),
        value_(b.now.value.row(0)),
        proved_(b.now.safe.row(0)) {}

  void settle(Index row, Index col) {
    constexpr Step kSteps[] = {{0, 1}, {0, 2}, {1, 0}, {2, 0}, {1, 1}, {1, -1}, {1, 2}, {1, -2}, {2, 1}, {2, -1}};
    for (const Step step : kSteps) {
      const Place one{row, col}, other{row + step.rows, col + step.cols};
      // Most pairs lack more than they can share: they are not looked at.
      const std::int32_t most = std::min(unknown_[at(one)], unknown_[at(other)]);
      if (safe_[at(one)] + mines_[at(other)] > most && safe_[at(other)] + mines_[at(one)] > most) continue;
      std::int32_t both = 0;
      around(one, [&](Place cell) { both += is_[at(cell)] && touches(other, cell) ? 1 : 0; });
      compare(one, other, both);
      compare(other, one, both);
    }
  }
  Rows changed() const { return changed_; }

 private:
  struct Step {
    Index rows, cols;
  };
  struct Place {
    Index row, col;
  };

  Index at(Place p) const { return p.row * b_.stride + p.col; }
  static bool touches(Place clue, Place cell) {
    return std::abs(cell.row - clue.row) <= 1 && std::abs(cell.col - clue.col) <= 1;
  }
  template <class Visit>
  static void around(Place p, Visit&& visit) {
    for (Index r = p.row - 1; r <= p.row + 1; ++r) {
      for (Index c = p.col - 1; c <= p.col + 1; ++c) visit({r, c});
    }
  }

  // Where the shared cells hold all safe cells that one clue lacks and all mines that the other does, the others of the one are
  // mines and those of the other safe.
  void compare(Place one, Place other, std::int32_t both) {
    if (both != safe_[at(one)] + mines_[at(other)]) return;
    around(one, [&](Place cell) {
      if (!touches(other, cell)) prove(cell, kMine, 0);
    });
    around(other, [&](Place cell) {
      if (!touches(one, cell)) prove(cell, 0, 0xff);
    });
  }
  void prove(Place cell, Byte value, Byte safe) {
    if (value_[at(cell)] != kUnknown) return;
    value_[at(cell)] = value;
    proved_[at(cell)] |= safe;
    changed_.add({cell.row, cell.row + 1});
  }

  Board& b_;
  const Byte *mines_, *safe_, *unknown_, *is_;
  Byte *value_, *proved_;
  Rows changed_;
};

Rows settle_pairs(Board& b, Rows pairs) {
  PairSettler settler(b);
  for (Index r = pairs.first; r < pairs.last; ++r) {
    const Byte* found = b.found.row(r);
    if (!any_of(found, b.stride)) continue;
    for (Index i = 0; i < b.stride; ++i) {
      if (found[i]) settler.settle(r, i);
    }
  }
  const Rows changed = settler.changed();
  for (Index r = changed.first; r < changed.last; ++r) open_row(b, r);
  return changed;
}

class GridSweep final : public Sweep {
 public:
  GridSweep(const exact::Graph& graph, std::int64_t mines)
      : cols_(graph.cols),
        total_(mines),
        board_(graph.rows, (graph.cols / kBlock + 1) * kBlock),
        root_(board_.now),
        mine_(graph.rows, board_.stride, 0),
        shown_(static_cast<std::size_t>(graph.cells)),
        run_(exact::has_avx2() ? run_avx2 : run_any) {}

  void begin(const std::uint8_t* shown) override {
    State& now = board_.now;
    now.left = -total_;
    now.waiting = {};
    for (Index r = 0; r < board_.rows; ++r) {
      std::memset(now.safe.row(r), 0, static_cast<std::size_t>(board_.stride));
      for (Index c = 0; c < cols_; ++c) {
        const std::uint8_t code = shown[r * cols_ + c];
        now.shown.row(r)[c] = code;
        now.value.row(r)[c] = code == exact::kHidden ? kUnknown : code == exact::kOpenedMine ? kMine : 0;
        now.clue.row(r)[c] = code <= exact::kLargestClue ? static_cast<Byte>(16 * code) : kNot;
        now.left += code >= exact::kOpenedMine;
      }
    }
    board_.opens = false;
    run_(board_, {0, board_.rows});
    root_ = now;
    board_.opens = true;
  }

  void lay(std::span<const std::uint8_t> layout) override {
    for (Index r = 0; r < board_.rows; ++r) {
      for (Index c = 0; c < cols_; ++c) mine_.row(r)[c] = layout[static_cast<std::size_t>(r * cols_ + c)] ? kMine : 0;
    }
    sum_loop(mine_.row(0), board_.count.row(0), board_.rows * board_.stride, board_.stride);
  }

  void resume() override {
    board_.now = root_;
    left_ = root_.left;
    lost_ = false;
  }

  void open(std::int32_t cell) override {
    const Index r = cell / cols_, c = cell % cols_;
    State& now = board_.now;
    if (mine_.row(r)[c]) {
      lost_ = true;
      return;
    }
    now.value.row(r)[c] = 0;
    now.safe.row(r)[c] = 0xff;
    Rows changed = now.waiting;
    changed.add({r, r + 1});
    now.waiting = {};
    for (Index i = changed.first; i < changed.last; ++i) open_row(board_, i);
    run_(board_, changed);
    left_ = now.left;
  }

  bool is_open(std::int32_t cell) const override { return board_.now.shown.row(cell / cols_)[cell % cols_] != exact::kHidden; }

  std::span<const std::uint8_t> shown() override {
    const auto cols = static_cast<std::size_t>(cols_);
    for (Index r = 0; r < board_.rows; ++r) std::memcpy(shown_.data() + r * cols_, board_.now.shown.row(r), cols);
    return shown_;
  }

 private:
  std::int32_t cols_;
  std::int64_t total_;
  Board board_;
  State root_;
  Plane mine_;  // the layout
  std::vector<std::uint8_t> shown_;
  void (*run_)(Board&, Rows);
};

}  // namespace

std::unique_ptr<Sweep> make_grid_sweep(const exact::Graph& graph, std::int64_t mines) {
  return std::make_unique<GridSweep>(graph, mines);
}

}  // namespace mineproof::search

// Sweeps with bitboards, on plain square boards whose rows fit a word: all cells at a time.
#include <bit>
#include <vector>

#include "search/sweep.hpp"
#include "search/sweep_rules.hpp"

namespace mineproof::search {

namespace {

using namespace planes;

template <class Word>
void run_any(Board<Word>& b) {
  run_loop(b);
}
template <class Word>
MINEPROOF_AVX2 void run_avx2(Board<Word>& b) {
  run_loop(b);
}

template <class Word>
class GridSweep final : public Sweep {
 public:
  GridSweep(const exact::Graph& graph, std::int64_t mines, bool avx2)
      : cols_(graph.cols),
        total_(mines),
        board_(graph.rows),
        root_(board_.now),
        layout_(board_.rows),
        root_shown_(static_cast<std::size_t>(graph.cells)),
        shown_(root_shown_),
        run_(avx2 ? run_avx2<Word> : run_any<Word>) {}

  void begin(const std::uint8_t* shown) override {
    root_shown_.assign(shown, shown + root_shown_.size());
    State<Word>& now = board_.now;
    now = State<Word>(board_.rows);
    for (Index r = 0; r < board_.rows; ++r) {
      for (Index c = 0; c < cols_; ++c) {
        const std::uint8_t code = shown[r * cols_ + c];
        const Word bit = Word{1} << c;
        if (code == exact::kHidden) *now.unknown.row(r) |= bit;
        if (code == exact::kOpenedMine) *now.mine.row(r) |= bit;
        if (code > exact::kLargestClue) continue;
        *now.clue.row(r) |= bit;
        if (code & 1) *now.number.ones.row(r) |= bit;
        if (code & 2) *now.number.twos.row(r) |= bit;
        if (code & 4) *now.number.fours.row(r) |= bit;
        if (code & 8) *now.number.eights.row(r) |= bit;
      }
    }
    board_.opens = false;
    run_(board_);
    root_ = now;
    board_.opens = true;
    count_left();
  }

  void lay(std::span<const std::uint8_t> layout) override {
    for (Index r = 0; r < board_.rows; ++r) {
      Word row = 0;
      for (Index c = 0; c < cols_; ++c)
        row |= static_cast<Word>(layout[static_cast<std::size_t>(r * cols_ + c)] != 0) << c;
      *layout_.row(r) = row;
    }
    for (Index r = 0; r < board_.all; r += kRows<Word>) board_.count.store(square3(layout_.row(r)), r);
  }

  void resume() override {
    board_.now = root_;
    lost_ = false;
    count_left();
  }

  void open(std::int32_t cell) override {
    const Index r = cell / cols_, c = cell % cols_;
    const Word bit = Word{1} << c;
    if (*layout_.row(r) & bit) {
      lost_ = true;
      return;
    }
    State<Word>& now = board_.now;
    *now.unknown.row(r) &= ~bit;
    *now.safe.row(r) |= bit;
    open_waiting(board_);
    run_(board_);
    count_left();
  }

  bool is_open(std::int32_t cell) const override {
    return (*board_.now.clue.row(cell / cols_) >> (cell % cols_) & 1) != 0 ||
           root_shown_[static_cast<std::size_t>(cell)] != exact::kHidden;
  }

  std::span<const std::uint8_t> shown() override {
    shown_ = root_shown_;
    const State<Word>& now = board_.now;
    for (Index r = 0; r < board_.rows; ++r) {
      for (Word left = *now.clue.row(r) & ~*root_.clue.row(r); left; left &= left - 1) {
        const Index c = std::countr_zero(left);
        shown_[static_cast<std::size_t>(r * cols_ + c)] = now.number.at(r, c);
      }
    }
    return shown_;
  }

 private:
  void count_left() {
    const State<Word>& now = board_.now;
    left_ = -total_;  // opened mines count as such, and are among those of the plane
    for (Index r = 0; r < board_.rows; ++r) {
      const Word hidden = *now.unknown.row(r) | *now.safe.row(r) | *now.mine.row(r);
      left_ += std::popcount(hidden);
    }
  }

  std::int32_t cols_;
  std::int64_t total_;
  Board<Word> board_;
  State<Word> root_;
  Plane<Word> layout_;
  std::vector<std::uint8_t> root_shown_, shown_;
  void (*run_)(Board<Word>&);
};

}  // namespace

std::unique_ptr<Sweep> make_grid_sweep(const exact::Graph& graph, std::int64_t mines, bool avx2) {
  if (graph.cols <= 32) return std::make_unique<GridSweep<std::uint32_t>>(graph, mines, avx2);
  return std::make_unique<GridSweep<std::uint64_t>>(graph, mines, avx2);
}

}  // namespace mineproof::search

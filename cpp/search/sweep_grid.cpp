// Sweeps and surveys with bitboards, on plain square boards whose rows fit a word: all cells at a time.
#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "search/sweep.hpp"
#include "search/sweep_planes.hpp"

#if MINEPROOF_HAS_AVX2
#include <immintrin.h>
#endif

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

constexpr Index kBlock = 32;  // cells that are read at a time

// Some cells of a row, a bit a cell.
struct Bits {
  std::uint32_t hidden = 0, mine = 0, clue = 0;
  std::uint32_t ones = 0, twos = 0, fours = 0, eights = 0;  // of anything
  std::uint32_t wild = 0;                                   // clues above 8
};

// Eight cells at a time, in a word.
Bits read_any(const std::uint8_t* codes) {
  constexpr std::uint64_t kEach = 0x0101010101010101u, kBelow = 0x7f7f7f7f7f7f7f7fu;
  // The lowest bits of all bytes.
  const auto gather = [](std::uint64_t word) {
    return static_cast<std::uint32_t>((word & kEach) * 0x0102040810204080u >> 56);
  };
  // 1 where a byte is more than one below 128.
  const auto above = [](std::uint64_t word, std::uint8_t bound) {
    return (((word & kBelow) + (0x7fu - bound) * kEach) | word) >> 7;
  };
  Bits out;
  for (int i = 0; i < kBlock; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, codes + i, sizeof word);
    const auto equals = [&](std::uint8_t value) { return gather(~above(word ^ value * kEach, 0)) << i; };
    const std::uint32_t hidden = equals(exact::kHidden), mine = equals(exact::kOpenedMine);
    const std::uint32_t clue = gather(~above(word, 8)) << i;
    out.hidden |= hidden;
    out.mine |= mine;
    out.clue |= clue;
    out.ones |= gather(word) << i;
    out.twos |= gather(word >> 1) << i;
    out.fours |= gather(word >> 2) << i;
    out.eights |= gather(word >> 3) << i;
    out.wild |= ~(hidden | mine | clue | equals(exact::kNoClue)) & 0xffu << i;
  }
  return out;
}

#if MINEPROOF_HAS_AVX2
MINEPROOF_AVX2 inline Bits read_avx2(const std::uint8_t* codes) {
  const __m256i code = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes));
  const __m256i top = _mm256_set1_epi8(static_cast<char>(exact::kNoClue));
  const __m256i eight = _mm256_set1_epi8(8);
  Bits out;
  out.hidden = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(code, _mm256_set1_epi8(-1))));
  out.mine = static_cast<std::uint32_t>(
      _mm256_movemask_epi8(_mm256_cmpeq_epi8(code, _mm256_set1_epi8(static_cast<char>(exact::kOpenedMine)))));
  out.clue = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(code, eight), code)));
  out.ones = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_slli_epi16(code, 7)));
  out.twos = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_slli_epi16(code, 6)));
  out.fours = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_slli_epi16(code, 5)));
  out.eights = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_slli_epi16(code, 4)));
  const auto high =
      static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_max_epu8(code, top), code)));
  out.wild = ~(out.clue | high);
  return out;
}
#else
inline Bits read_avx2(const std::uint8_t* codes) { return read_any(codes); }
#endif

// Puts the codes into planes; false where a number is more than 8.
template <class Word, auto read>
MINEPROOF_INLINE bool fill(Board<Word>& b, const std::uint8_t* codes, Index cols) {
  State<Word>& now = b.now;
  const Word all = cols == 8 * sizeof(Word) ? static_cast<Word>(~Word{0}) : (Word{1} << cols) - 1;
  Word wild = 0;
  for (Index r = 0; r < b.rows; ++r, codes += cols) {
    Word hidden = 0, mine = 0, clue = 0, ones = 0, twos = 0, fours = 0, eights = 0;
    for (Index c = 0; c < cols; c += kBlock) {
      const Bits bits = read(codes + c);
      hidden |= static_cast<Word>(bits.hidden) << c;
      mine |= static_cast<Word>(bits.mine) << c;
      clue |= static_cast<Word>(bits.clue) << c;
      ones |= static_cast<Word>(bits.ones) << c;
      twos |= static_cast<Word>(bits.twos) << c;
      fours |= static_cast<Word>(bits.fours) << c;
      eights |= static_cast<Word>(bits.eights) << c;
      wild |= static_cast<Word>(bits.wild) << c & all;
    }
    clue &= all;
    *now.unknown.row(r) = hidden & all;
    *now.mine.row(r) = mine & all;
    *now.clue.row(r) = clue;
    *now.number.ones.row(r) = ones & clue;
    *now.number.twos.row(r) = twos & clue;
    *now.number.fours.row(r) = fours & clue;
    *now.number.eights.row(r) = eights & clue;
    *now.safe.row(r) = 0;
  }
  return wild == 0;
}

// Whether some clue has more mines around it than its number, or fewer cells that may be mines.
template <class Word>
MINEPROOF_INLINE bool clashes(const Board<Word>& b) {
  Rows<Word> any{};
  for (Index r = 0; r < b.all; r += kRows<Word>) {
    const auto number = b.now.number.load(r);
    any |=
        load(b.now.clue.row(r)) & (below(number, square3(b.now.mine.row(r))) | below(square3(b.hidden.row(r)), number));
  }
  return any_of(any);
}

template <class Word>
MINEPROOF_INLINE bool some_safe(const Board<Word>& b) {
  Rows<Word> any{};
  for (Index r = 0; r < b.all; r += kRows<Word>) any |= load(b.now.safe.row(r));
  return any_of(any);
}

// How much is asked for.
enum class SurveyScope : std::uint8_t { some_safe, all };

// False where there is no safe cell, if one was asked for, or a clue cannot be met.
template <class Word, auto read>
MINEPROOF_INLINE bool survey(Board<Word>& b, const std::uint8_t* codes, Index cols, SurveyScope scope) {
  if (!fill<Word, read>(b, codes, cols)) return false;
  while (settle(b)) {
  }
  if (scope == SurveyScope::some_safe && some_safe(b)) return !clashes(b);
  run_loop(b);
  return (scope == SurveyScope::all || some_safe(b)) && !clashes(b);
}
template <class Word>
bool survey_any(Board<Word>& b, const std::uint8_t* codes, Index cols, SurveyScope scope) {
  return survey<Word, read_any>(b, codes, cols, scope);
}
template <class Word>
MINEPROOF_AVX2 bool survey_avx2(Board<Word>& b, const std::uint8_t* codes, Index cols, SurveyScope scope) {
  return survey<Word, read_avx2>(b, codes, cols, scope);
}

template <class Word>
class GridSurvey final : public Survey {
 public:
  GridSurvey(const exact::Graph& graph, bool avx2)
      : cols_(graph.cols),
        board_(graph.rows),
        codes_(static_cast<std::size_t>(graph.cells + kBlock), exact::kHidden),
        run_(avx2 ? survey_avx2<Word> : survey_any<Word>) {}

  bool find(const std::uint8_t* shown, std::vector<std::int32_t>& safe) override {
    if (!run(shown, SurveyScope::some_safe)) return false;
    list(board_.now.safe, safe);
    return true;
  }

  bool decide(const std::uint8_t* shown, std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mines) override {
    if (!run(shown, SurveyScope::all)) return false;
    list(board_.now.safe, safe);
    list(board_.now.mine, mines);
    mines.erase(std::remove_if(mines.begin(), mines.end(), [&](auto cell) { return shown[cell] != exact::kHidden; }),
                mines.end());
    return true;
  }

 private:
  bool run(const std::uint8_t* shown, SurveyScope scope) {
    std::memcpy(codes_.data(), shown, codes_.size() - kBlock);
    return run_(board_, codes_.data(), cols_, scope);
  }

  void list(const Plane<Word>& plane, std::vector<std::int32_t>& out) const {
    out.clear();
    for (Index r = 0; r < board_.rows; ++r) {
      for (Word left = *plane.row(r); left; left &= left - 1)
        out.push_back(static_cast<std::int32_t>(r * cols_ + std::countr_zero(left)));
    }
  }

  Index cols_;
  Board<Word> board_;
  std::vector<std::uint8_t> codes_;  // and some more, so that whole blocks can be read
  bool (*run_)(Board<Word>&, const std::uint8_t*, Index, SurveyScope);
};

}  // namespace

std::unique_ptr<Sweep> make_grid_sweep(const exact::Graph& graph, std::int64_t mines, bool avx2) {
  if (graph.cols <= 32) return std::make_unique<GridSweep<std::uint32_t>>(graph, mines, avx2);
  return std::make_unique<GridSweep<std::uint64_t>>(graph, mines, avx2);
}

std::unique_ptr<Survey> make_grid_survey(const exact::Graph& graph, bool avx2) {
  if (graph.cols <= 32) return std::make_unique<GridSurvey<std::uint32_t>>(graph, avx2);
  return std::make_unique<GridSurvey<std::uint64_t>>(graph, avx2);
}

}  // namespace mineproof::search

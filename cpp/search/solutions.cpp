// Listing solutions: the ways of every part of a position, written out as tables.
#include "search/solutions.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "exact/component.hpp"
#include "exact/front.hpp"

namespace mineproof::search {

using exact::Boxes;
using exact::Front;
using exact::Graph;
using exact::Mark;
using exact::Position;

namespace {

// Counts that stop at kMany.
constexpr std::uint64_t kMany = std::uint64_t{1} << 62;

std::uint64_t add(std::uint64_t a, std::uint64_t b) { return std::min(a + b, kMany); }
std::uint64_t times(std::uint64_t a, std::uint64_t b) { return a && b > kMany / a ? kMany : a * b; }

std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  std::uint64_t c = 1;
  for (std::uint64_t i = 1; i <= std::min(k, n - k); ++i) {
    if (c > kMany / n) return kMany;
    c = c * (n - std::min(k, n - k) + i) / i;
  }
  return c;
}

// A component of the frontier, or the cells off it: cells, and its solutions by their number of mines.
struct BoardPart {
  std::vector<std::int32_t> cells;       // box by box
  std::vector<std::int32_t> box_begin;   // boxes + 1
  std::vector<std::uint8_t> counts;      // of every way, the mines of its boxes
  std::vector<std::int32_t> mines;       // of every way
  std::vector<std::uint64_t> solutions;  // by number of mines
  std::int32_t region = 0;
  bool sea = false;

  // The number of mines, when it is the same in every solution.
  std::optional<std::int64_t> fixed() const {
    std::optional<std::int64_t> found;
    for (std::size_t k = 0; k < solutions.size(); ++k) {
      if (!solutions[k]) continue;
      if (found) return std::nullopt;
      found = static_cast<std::int64_t>(k);
    }
    return found;
  }
  std::size_t boxes() const { return box_begin.size() - 1; }
  void clear() {
    cells.clear();
    box_begin.clear();
    counts.clear();
    mines.clear();
    solutions.clear();
    sea = false;
  }
};

// Lists the ways to give every box of a component a number of mines, at most `most_mines` in all, and counts their
// solutions; p.solutions has room for every number of mines. False when there are more than `most_ways`, or when
// finding them takes more than so many steps.
bool list_ways(const exact::Component& component, std::int64_t most_mines, std::size_t most_ways, std::int64_t steps,
               BoardPart& p);

// Depth-first search in the order of the boxes.
class WaySearch {
 public:
  WaySearch(const exact::Component& component, std::int64_t most_mines, std::size_t most_ways, std::int64_t steps,
            BoardPart& out)
      : c_(component), out_(out), most_mines_(most_mines), most_ways_(most_ways), steps_(steps) {
    need_.resize(static_cast<std::size_t>(c_.clues));
    room_.resize(static_cast<std::size_t>(c_.clues));
    for (std::int32_t q = 0; q < c_.clues; ++q) {
      need_[static_cast<std::size_t>(q)] = c_.clue[q].low;
      for (std::int32_t e = c_.clue_offset[q]; e < c_.clue_offset[q + 1]; ++e) {
        room_[static_cast<std::size_t>(q)] += c_.size[c_.clue_box[e]];
      }
    }
    now_.resize(static_cast<std::size_t>(c_.boxes));
  }

  bool run() { return descend(0, 0, 1); }

 private:
  bool descend(std::int32_t box, std::int64_t mines, std::uint64_t weight) {
    if (box == c_.boxes) {
      if (out_.mines.size() == most_ways_) return false;
      out_.counts.insert(out_.counts.end(), now_.begin(), now_.end());
      out_.mines.push_back(static_cast<std::int32_t>(mines));
      std::uint64_t& solutions = out_.solutions[static_cast<std::size_t>(mines)];
      solutions = add(solutions, weight);
      return true;
    }
    if (--steps_ < 0) return false;
    const std::int32_t size = c_.size[box];
    std::int64_t low = 0;
    std::int64_t high = std::min<std::int64_t>(size, most_mines_ - mines);
    for (std::int32_t e = c_.box_offset[box]; e < c_.box_offset[box + 1]; ++e) {
      const std::size_t q = static_cast<std::size_t>(c_.box_clue[e]);
      high = std::min<std::int64_t>(high, need_[q]);
      low = std::max<std::int64_t>(low, need_[q] - (room_[q] - size));
    }
    if (low > high) return true;
    for (std::int32_t e = c_.box_offset[box]; e < c_.box_offset[box + 1]; ++e) {
      const std::size_t q = static_cast<std::size_t>(c_.box_clue[e]);
      room_[q] -= size;
      need_[q] -= static_cast<std::int32_t>(low);
    }
    bool finished = true;
    for (std::int64_t k = low; k <= high && finished; ++k) {
      now_[static_cast<std::size_t>(box)] = static_cast<std::uint8_t>(k);
      finished = descend(box + 1, mines + k,
                         times(weight, choose(static_cast<std::uint64_t>(size), static_cast<std::uint64_t>(k))));
      for (std::int32_t e = c_.box_offset[box]; e < c_.box_offset[box + 1]; ++e)
        --need_[static_cast<std::size_t>(c_.box_clue[e])];
    }
    if (!finished) return false;
    for (std::int32_t e = c_.box_offset[box]; e < c_.box_offset[box + 1]; ++e) {
      const std::size_t q = static_cast<std::size_t>(c_.box_clue[e]);
      room_[q] += size;
      need_[q] += static_cast<std::int32_t>(high) + 1;
    }
    return true;
  }

  const exact::Component& c_;
  BoardPart& out_;
  std::int64_t most_mines_;
  std::size_t most_ways_;
  std::int64_t steps_;
  std::vector<std::int32_t> need_;  // per clue: mines still to place
  std::vector<std::int32_t> room_;  // per clue: cells still to fill
  std::vector<std::uint8_t> now_;
};

bool list_ways(const exact::Component& component, std::int64_t most_mines, std::size_t most_ways, std::int64_t steps,
               BoardPart& p) {
  constexpr std::int32_t kDeepest = 4096;  // boxes that the search descends through
  if (component.boxes > kDeepest) return false;
  return WaySearch(component, most_mines, most_ways, steps, p).run();
}

// What is known of the cells of a position whose parts are listed.
struct PositionParts {
  const exact::Graph* graph = nullptr;
  const exact::Mark* mark = nullptr;  // per cell
  std::vector<BoardPart> parts;       // the first `count` are in use
  std::size_t count = 0;
  std::vector<std::int32_t> part_of;      // per cell: its part, or kNoPart
  std::vector<std::uint8_t> varies;       // per cell: a mine in some solutions and safe in others
  std::vector<std::uint8_t> always_mine;  // per cell: undecided, but a mine in every solution
};
constexpr std::int32_t kNoPart = -1;

// Makes tables; keeps its memory from one to the next.
class TableBuilder {
 public:
  // The table of some parts that together have `total` mines. False when it has more rows than the limit.
  bool make(const PositionParts& listed, std::span<const std::size_t> members, std::int64_t total, std::size_t limit,
            SolutionTable& out);

 private:
  // The solutions of a part, each as what it adds to the columns.
  struct Rows {
    std::vector<std::uint8_t> clue;     // per row: what it adds to every column
    std::vector<std::int32_t> mines;    // per row: columns of its mines, then the next row's
    std::vector<std::size_t> begin{0};  // into mines
    std::vector<std::int32_t> number;   // per row: of mines

    void clear() {
      clue.clear();
      mines.clear();
      begin.assign(1, 0);
      number.clear();
    }
  };

  void choose_columns(const PositionParts& listed, std::span<const std::size_t> members, SolutionTable& out);
  void find_neighbours(const exact::Graph& graph, const SolutionTable& table);
  void expand(const BoardPart& part, std::int64_t most, std::size_t stride, Rows& out);
  void add_row(const BoardPart& part, std::int32_t number, std::size_t stride, Rows& out);
  bool next_choice(const BoardPart& part);
  void count_solutions(const PositionParts& listed, std::span<const std::size_t> members, std::size_t width);
  void count_certain(const PositionParts& listed, const SolutionTable& out);
  void write_rows(std::size_t members, std::int64_t total, SolutionTable& out);

  std::vector<std::int32_t> column_of_;          // per cell
  std::vector<std::uint8_t> around_;             // columns by stride: 1 for neighbours
  std::vector<Rows> rows_;                       // per member
  std::vector<std::vector<std::int32_t>> pick_;  // per box of the current part: chosen places, ascending
  std::vector<std::uint64_t> after_;             // [i * width + k]: solutions of members i.. with k mines
  std::vector<std::uint8_t> clue_;  // [i * stride + column]: mines around it in members before i and certain ones
};

constexpr std::size_t kMultiple = 16;  // strides are multiples of this
constexpr std::int32_t kNoColumn = -1;

bool TableBuilder::make(const PositionParts& listed, std::span<const std::size_t> members, std::int64_t total,
                        std::size_t limit, SolutionTable& out) {
  const std::size_t width = static_cast<std::size_t>(total) + 1;
  count_solutions(listed, members, width);
  const std::uint64_t solutions = after_[width - 1];
  if (solutions > limit) return false;
  choose_columns(listed, members, out);
  find_neighbours(*listed.graph, out);
  out.rows = static_cast<std::size_t>(solutions);
  out.values.assign(out.rows * out.stride, kMine);
  if (rows_.size() < members.size()) rows_.resize(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) expand(listed.parts[members[i]], total, out.stride, rows_[i]);
  clue_.assign((members.size() + 1) * out.stride, 0);
  count_certain(listed, out);
  write_rows(members.size(), total, out);
  return true;
}

void TableBuilder::count_solutions(const PositionParts& listed, std::span<const std::size_t> members,
                                   std::size_t width) {
  after_.assign((members.size() + 1) * width, 0);
  after_[members.size() * width] = 1;
  for (std::size_t i = members.size(); i-- > 0;) {
    const auto& s = listed.parts[members[i]].solutions;
    for (std::size_t a = 0; a < s.size() && a < width; ++a) {
      if (!s[a]) continue;
      for (std::size_t b = 0; a + b < width; ++b) {
        std::uint64_t& sum = after_[i * width + a + b];
        sum = add(sum, times(s[a], after_[(i + 1) * width + b]));
      }
    }
  }
}

// The members' cells that vary, and the certain cells that would tell about them.
void TableBuilder::choose_columns(const PositionParts& listed, std::span<const std::size_t> members,
                                  SolutionTable& out) {
  const Graph& g = *listed.graph;
  out.cells.clear();
  column_of_.assign(static_cast<std::size_t>(g.cells), kNoColumn);
  const auto take = [&](std::int32_t x) {
    column_of_[x] = static_cast<std::int32_t>(out.cells.size());
    out.cells.push_back(x);
  };
  for (const std::size_t i : members) {
    for (const std::int32_t x : listed.parts[i].cells) {
      if (listed.varies[x]) take(x);
    }
  }
  const std::size_t varying = out.cells.size();
  for (std::size_t c = 0; c < varying; ++c) {
    const std::int32_t x = out.cells[c];
    for (std::int32_t e = g.offset[x]; e < g.offset[x + 1]; ++e) {
      const std::int32_t y = g.target[e];
      const bool undecided = listed.mark[y] == Mark::unknown;
      const bool certain = listed.mark[y] == Mark::safe || (undecided && !listed.varies[y] && !listed.always_mine[y]);
      if (certain && column_of_[y] == kNoColumn) take(y);
    }
  }
  out.stride = std::max<std::size_t>((out.columns() + kMultiple - 1) / kMultiple, 1) * kMultiple;
}

void TableBuilder::find_neighbours(const Graph& g, const SolutionTable& table) {
  around_.assign(table.columns() * table.stride, 0);
  for (std::size_t c = 0; c < table.columns(); ++c) {
    const std::int32_t x = table.cells[c];
    for (std::int32_t e = g.offset[x]; e < g.offset[x + 1]; ++e) {
      const std::int32_t to = column_of_[g.target[e]];
      if (to != kNoColumn) around_[c * table.stride + static_cast<std::size_t>(to)] = 1;
    }
  }
}

// The solutions of a part with at most `most` mines, cell by cell.
void TableBuilder::expand(const BoardPart& p, std::int64_t most, std::size_t stride, Rows& out) {
  out.clear();
  pick_.resize(std::max(pick_.size(), p.boxes()));
  for (std::size_t w = 0; w < p.mines.size(); ++w) {
    if (p.mines[w] > most) continue;
    for (std::size_t b = 0; b < p.boxes(); ++b) {
      pick_[b].resize(static_cast<std::size_t>(p.sea ? p.mines[w] : p.counts[w * p.boxes() + b]));
      std::iota(pick_[b].begin(), pick_[b].end(), 0);
    }
    do {
      add_row(p, p.mines[w], stride, out);
    } while (next_choice(p));
  }
}

void TableBuilder::add_row(const BoardPart& p, std::int32_t number, std::size_t stride, Rows& out) {
  const std::size_t at = out.clue.size();
  out.clue.resize(at + stride, 0);
  std::uint8_t* clue = out.clue.data() + at;
  for (std::size_t b = 0; b < p.boxes(); ++b) {
    for (const std::int32_t place : pick_[b]) {
      const std::int32_t c = column_of_[p.cells[p.box_begin[b] + place]];
      if (c == kNoColumn) continue;  // a mine in every solution: counted with the certain ones
      out.mines.push_back(c);
      const std::uint8_t* add_to = around_.data() + static_cast<std::size_t>(c) * stride;
      for (std::size_t k = 0; k < stride; ++k) clue[k] = static_cast<std::uint8_t>(clue[k] + add_to[k]);
    }
  }
  out.begin.push_back(out.mines.size());
  out.number.push_back(number);
}

// The next choice of places: the last box that has one, the boxes after it start again. False after the last.
bool TableBuilder::next_choice(const BoardPart& p) {
  for (std::size_t b = p.boxes(); b-- > 0;) {
    auto& places = pick_[b];
    const std::int32_t size = p.box_begin[b + 1] - p.box_begin[b];
    const std::int32_t k = static_cast<std::int32_t>(places.size());
    for (std::int32_t i = k; i-- > 0;) {
      if (places[i] >= size - k + i) continue;
      ++places[i];
      for (std::int32_t j = i + 1; j < k; ++j) places[j] = places[j - 1] + 1;
      return true;
    }
    std::iota(places.begin(), places.end(), 0);
  }
  return false;
}

// What the certain mines add to the columns.
void TableBuilder::count_certain(const PositionParts& listed, const SolutionTable& out) {
  const Graph& g = *listed.graph;
  for (std::size_t c = 0; c < out.columns(); ++c) {
    const std::int32_t x = out.cells[c];
    for (std::int32_t e = g.offset[x]; e < g.offset[x + 1]; ++e) {
      const std::int32_t y = g.target[e];
      const Mark mark = listed.mark[y];
      clue_[c] =
          static_cast<std::uint8_t>(clue_[c] + (mark == Mark::mine || mark == Mark::burst || listed.always_mine[y]));
    }
  }
}

// Every combination of the members' rows with the right number of mines, depth first: each member on top of those
// before.
void TableBuilder::write_rows(std::size_t members, std::int64_t total, SolutionTable& out) {
  const std::size_t width = static_cast<std::size_t>(total) + 1;
  const std::size_t stride = out.stride;
  std::vector<std::size_t> at(members, 0);  // the row after the one taken of each member
  std::vector<std::int64_t> left(members + 1, total);
  std::size_t row = 0;
  for (std::size_t depth = 0;;) {
    if (depth == members) {
      std::uint8_t* to = out.values.data() + row++ * stride;
      std::copy_n(clue_.data() + depth * stride, out.columns(), to);
      for (std::size_t i = 0; i < members; ++i) {
        const Rows& r = rows_[i];
        for (std::size_t m = r.begin[at[i] - 1]; m < r.begin[at[i]]; ++m) to[r.mines[m]] = kMine;
      }
      if (depth == 0) break;
      --depth;
      continue;
    }
    const Rows& r = rows_[depth];
    const std::uint64_t* after = after_.data() + (depth + 1) * width;
    std::size_t& next = at[depth];
    while (next < r.number.size() && (r.number[next] > left[depth] || !after[left[depth] - r.number[next]])) ++next;
    if (next == r.number.size()) {
      next = 0;
      if (depth == 0) break;
      --depth;
      continue;
    }
    left[depth + 1] = left[depth] - r.number[next];
    const std::uint8_t* from = clue_.data() + depth * stride;
    const std::uint8_t* extra = r.clue.data() + next * stride;
    std::uint8_t* to = clue_.data() + (depth + 1) * stride;
    for (std::size_t k = 0; k < stride; ++k) to[k] = static_cast<std::uint8_t>(from[k] + extra[k]);
    ++next;
    ++depth;
  }
}

}  // namespace

struct SolutionLister::State {
  exact::Workspace workspace;
  const Position* position = nullptr;
  Front front;
  Boxes boxes;
  std::int64_t mines = 0;  // among the undecided cells
  PositionParts listed;
  TableBuilder tables;

  bool read(const Position& position);
  BoardPart& part(std::size_t index);
  void collect_cells();
  bool list(std::size_t index, std::size_t limit);
  bool restrict_to_total();
  void mark_varying(const BoardPart& part);
  bool list_all(const Position& position, std::size_t limit, bool& feasible);
  std::size_t join_regions();
  bool touches_outside(std::size_t index) const;
  const Graph& graph() const { return *position->graph; }
};

BoardPart& SolutionLister::State::part(std::size_t index) {
  if (listed.parts.size() <= index) listed.parts.resize(index + 1);
  return listed.parts[index];
}

// The frontier; false when there is no solution.
bool SolutionLister::State::read(const Position& asked) {
  if (asked.prior.kind != exact::Prior::Kind::total || asked.channel) {
    throw std::invalid_argument("solutions are listed for exact clues and a known number of mines");
  }
  position = &asked;
  workspace.begin({});
  listed.count = 0;
  front = read_front(asked, workspace);
  if (front.clash >= 0) return false;
  listed.graph = asked.graph;
  listed.mark = front.mark;
  mines = asked.prior.mines - front.known;
  if (mines < 0 || mines > front.unknown) return false;
  boxes = make_boxes(graph(), front.mark, front.unknown, front.clue, front.clues, workspace);
  return true;
}

// The cells of every part, box by box; the sea is the last part, of one box, if there is any.
void SolutionLister::State::collect_cells() {
  const std::size_t n = static_cast<std::size_t>(graph().cells);
  listed.count = static_cast<std::size_t>(boxes.components) + (boxes.sea > 0 ? 1 : 0);
  for (std::size_t i = 0; i < listed.count; ++i) {
    BoardPart& p = part(i);
    p.clear();
    p.sea = i == static_cast<std::size_t>(boxes.components);
    const std::size_t of = p.sea ? 1 : static_cast<std::size_t>(boxes.component[i].boxes);
    p.box_begin.assign(of + 1, 0);
    std::int64_t cells = 0;
    for (std::size_t b = 0; b < of; ++b) {
      cells += p.sea ? boxes.sea : boxes.component[i].size[b];
      p.box_begin[b + 1] = static_cast<std::int32_t>(cells);
    }
    p.cells.resize(static_cast<std::size_t>(cells));
  }
  listed.part_of.assign(n, kNoPart);
  listed.varies.assign(n, 0);
  listed.always_mine.assign(n, 0);
  std::vector<std::int32_t> filled(static_cast<std::size_t>(boxes.boxes) + 1, 0);
  for (std::size_t x = 0; x < n; ++x) {
    const std::int32_t b = boxes.box_of[x];
    if (b < exact::kSeaBox) continue;
    const bool sea = b == exact::kSeaBox;
    const std::size_t i = sea ? listed.count - 1 : static_cast<std::size_t>(boxes.component_of[b]);
    const std::int32_t begin = sea ? 0 : listed.parts[i].box_begin[static_cast<std::size_t>(boxes.local[b])];
    std::int32_t& next = filled[static_cast<std::size_t>(b + 1)];
    listed.parts[i].cells[static_cast<std::size_t>(begin + next++)] = static_cast<std::int32_t>(x);
    listed.part_of[x] = static_cast<std::int32_t>(i);
  }
}

// The ways of a part; false when there are too many.
bool SolutionLister::State::list(std::size_t index, std::size_t limit) {
  BoardPart& p = listed.parts[index];
  const std::size_t size = p.cells.size();
  const std::size_t most = std::min(size, static_cast<std::size_t>(mines));
  p.solutions.assign(most + 1, 0);
  if (p.sea) {
    for (std::size_t k = 0; k <= most; ++k) {
      p.counts.push_back(0);  // not used: they may be too large for a byte
      p.mines.push_back(static_cast<std::int32_t>(k));
      p.solutions[k] = choose(size, k);
    }
    return true;
  }
  return list_ways(boxes.component[index], mines, 4 * limit + 64, static_cast<std::int64_t>(64 * limit + 4096), p);
}

// Drops the ways that the total rules out. False when there is no solution.
bool SolutionLister::State::restrict_to_total() {
  // Which numbers of mines the parts before and after each can have.
  const std::size_t width = static_cast<std::size_t>(mines) + 1;
  const auto joined = [&](const std::vector<std::uint8_t>& some, const std::vector<std::uint64_t>& solutions) {
    std::vector<std::uint8_t> sums(width, 0);
    for (std::size_t a = 0; a < width; ++a) {
      for (std::size_t b = 0; some[a] && b < solutions.size() && a + b < width; ++b) sums[a + b] |= solutions[b] > 0;
    }
    return sums;
  };
  std::vector<std::uint8_t> before(width, 0);
  before[0] = 1;
  std::vector<std::vector<std::uint8_t>> after(listed.count + 1, before);
  for (std::size_t i = listed.count; i-- > 0;) after[i] = joined(after[i + 1], listed.parts[i].solutions);
  if (!after[0][width - 1]) return false;
  for (std::size_t i = 0; i < listed.count; ++i) {
    BoardPart& p = listed.parts[i];
    for (std::size_t k = 0; k < p.solutions.size(); ++k) {
      bool fits = false;
      for (std::size_t a = 0; a + k < width && !fits; ++a) fits = before[a] && after[i + 1][width - 1 - k - a];
      if (!fits) p.solutions[k] = 0;
    }
    std::size_t kept = 0;
    for (std::size_t w = 0; w < p.mines.size(); ++w) {
      if (!p.solutions[static_cast<std::size_t>(p.mines[w])]) continue;
      p.mines[kept] = p.mines[w];
      std::copy_n(p.counts.begin() + static_cast<std::ptrdiff_t>(w * p.boxes()), p.boxes(),
                  p.counts.begin() + static_cast<std::ptrdiff_t>(kept * p.boxes()));
      ++kept;
    }
    p.mines.resize(kept);
    p.counts.resize(kept * p.boxes());
    before = joined(before, p.solutions);
  }
  return true;
}

// Which cells of a part its ways leave open.
void SolutionLister::State::mark_varying(const BoardPart& p) {
  for (std::size_t b = 0; b < p.boxes(); ++b) {
    const std::int32_t size = p.box_begin[b + 1] - p.box_begin[b];
    bool mine = false;
    bool safe = false;
    for (std::size_t w = 0; w < p.mines.size(); ++w) {
      const std::int32_t k = p.sea ? p.mines[w] : p.counts[w * p.boxes() + b];
      mine |= k > 0;
      safe |= k < size;
    }
    for (std::int32_t e = p.box_begin[b]; e < p.box_begin[b + 1]; ++e) {
      const std::size_t x = static_cast<std::size_t>(p.cells[static_cast<std::size_t>(e)]);
      listed.varies[x] = mine && safe;
      listed.always_mine[x] = mine && !safe;
    }
  }
}

// Numbers the regions of the parts: parts whose number of mines is open are one, and so are parts that a hidden cell
// would tell about together.
std::size_t SolutionLister::State::join_regions() {
  std::vector<std::size_t> parent(listed.count);
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  const auto unite = [&](std::size_t a, std::size_t b) {
    a = root(a), b = root(b);
    parent[std::max(a, b)] = std::min(a, b);
  };
  std::size_t open = listed.count;
  for (std::size_t i = 0; i < listed.count; ++i) {
    if (listed.parts[i].fixed()) continue;
    if (open == listed.count) open = i;
    unite(open, i);
  }
  for (std::size_t x = 0; x < listed.part_of.size(); ++x) {
    const Mark mark = front.mark[x];
    if (mark != Mark::safe && (mark != Mark::unknown || listed.always_mine[x])) continue;
    std::int32_t first = listed.varies[x] ? listed.part_of[x] : kNoPart;
    for (std::int32_t e = graph().offset[x]; e < graph().offset[x + 1]; ++e) {
      const std::size_t y = static_cast<std::size_t>(graph().target[e]);
      if (!listed.varies[y]) continue;
      if (first == kNoPart) first = listed.part_of[y];
      if (first != listed.part_of[y])
        unite(static_cast<std::size_t>(first), static_cast<std::size_t>(listed.part_of[y]));
    }
  }
  std::vector<std::int32_t> number(listed.count, kNoPart);
  std::size_t regions = 0;
  for (std::size_t i = 0; i < listed.count; ++i) {
    std::int32_t& n = number[root(i)];
    if (n == kNoPart) n = static_cast<std::int32_t>(regions++);
    listed.parts[i].region = n;
  }
  return regions;
}

bool SolutionLister::State::touches_outside(std::size_t index) const {
  for (const std::int32_t x : listed.parts[index].cells) {
    for (std::int32_t e = graph().offset[x]; e < graph().offset[x + 1]; ++e) {
      const std::size_t y = static_cast<std::size_t>(graph().target[e]);
      if (front.mark[y] == Mark::unknown && listed.part_of[y] != static_cast<std::int32_t>(index)) return true;
      if (front.mark[y] == Mark::safe) return true;
    }
  }
  return false;
}

SolutionLister::SolutionLister() : state_(std::make_unique<State>()) {}
SolutionLister::~SolutionLister() = default;
SolutionLister::SolutionLister(SolutionLister&&) noexcept = default;
SolutionLister& SolutionLister::operator=(SolutionLister&&) noexcept = default;

// The ways of every part that the total leaves. False when there are too many; feasible is false when there are none.
bool SolutionLister::State::list_all(const Position& asked, std::size_t limit, bool& feasible) {
  feasible = false;
  if (!read(asked)) return true;
  collect_cells();
  // Joining the numbers of mines takes about so many steps a part.
  const std::int64_t width = std::min<std::int64_t>(mines, front.unknown) + 1;
  constexpr std::int64_t kSteps = 50'000'000;
  if (width * std::max<std::int64_t>(static_cast<std::int64_t>(listed.count), std::min(boxes.sea, mines)) > kSteps)
    return false;
  for (std::size_t i = 0; i < listed.count; ++i) {
    if (!list(i, limit)) return false;
  }
  if (!restrict_to_total()) return true;
  for (std::size_t i = 0; i < listed.count; ++i) mark_varying(listed.parts[i]);
  feasible = true;
  return true;
}

bool SolutionLister::all(const Position& position, std::size_t limit, SolutionTable& out) {
  State& s = *state_;
  out = SolutionTable{};
  bool feasible = false;
  if (!s.list_all(position, limit, feasible)) return false;
  if (!feasible) return true;
  std::vector<std::size_t> members(s.listed.count);
  std::iota(members.begin(), members.end(), std::size_t{0});
  return s.tables.make(s.listed, members, s.mines, limit, out);
}

bool SolutionLister::regions(const Position& position, std::size_t limit, std::vector<SolutionTable>& out) {
  State& s = *state_;
  out.clear();
  bool feasible = false;
  if (!s.list_all(position, limit, feasible)) return false;
  if (!feasible) {
    out.emplace_back();
    return true;
  }
  const std::size_t regions = s.join_regions();
  std::vector<std::size_t> members;
  for (std::size_t region = 0; region < regions; ++region) {
    // Pieces with an open number of mines are all in one region: what the others leave is theirs.
    members.clear();
    std::int64_t inside = 0;
    std::int64_t outside = 0;
    bool open = false;
    for (std::size_t i = 0; i < s.listed.count; ++i) {
      const bool member = s.listed.parts[i].region == static_cast<std::int32_t>(region);
      const std::optional<std::int64_t> fixed = s.listed.parts[i].fixed();
      if (member) members.push_back(i);
      if (member && !fixed) open = true;
      (member ? inside : outside) += fixed.value_or(0);
    }
    SolutionTable table;
    if (!s.tables.make(s.listed, members, open ? s.mines - outside : inside, limit, table)) return false;
    if (table.rows > 1) out.push_back(std::move(table));
  }
  return true;
}

void SolutionLister::isolated(const Position& position, std::size_t limit, std::vector<SolutionTable>& out) {
  State& s = *state_;
  out.clear();
  if (!s.read(position)) return;
  s.collect_cells();
  for (std::size_t i = 0; i < s.listed.count; ++i) {
    const BoardPart& p = s.listed.parts[i];
    if (p.sea || s.touches_outside(i) || !s.list(i, limit) || !p.fixed()) continue;
    s.mark_varying(p);
    const std::size_t member[] = {i};
    SolutionTable table;
    if (s.tables.make(s.listed, member, *p.fixed(), limit, table) && table.rows > 1) out.push_back(std::move(table));
  }
}

bool list_solutions(const Position& position, std::size_t limit, SolutionTable& out) {
  return SolutionLister().all(position, limit, out);
}

}  // namespace mineproof::search

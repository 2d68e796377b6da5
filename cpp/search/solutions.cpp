#include "search/solutions.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>

#include "exact/boxes.hpp"
#include "exact/front.hpp"
#include "search/pieces.hpp"

namespace mineproof::search {

namespace {

using exact::Boxes;
using exact::Front;
using exact::Graph;
using exact::Mark;
using exact::Position;

constexpr std::size_t kWide = 16;
constexpr std::int32_t kNone = -1;
// Sets of mines as rows of what they add to the columns' clues.
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

}  // namespace

struct Lister::State {
  exact::Workspace workspace;
  Front front;
  Boxes boxes;
  const Position* position = nullptr;
  std::int64_t mines = 0;  // among the undecided cells
  std::vector<Piece> pieces;
  std::size_t count = 0;                  // of pieces in use
  std::vector<std::int32_t> piece_of;     // per cell: its piece, or kNone
  std::vector<std::uint8_t> varies;       // per cell: a mine in some solutions and safe in others
  std::vector<std::uint8_t> always_mine;  // per cell: undecided, but a mine in every solution
  std::vector<std::int32_t> column_of;    // per cell, while a table is made
  std::vector<std::uint8_t> around;       // columns squared: neighbours
  std::vector<Rows> rows;                 // per piece of a region

  bool read(const Position& position);
  Piece& piece(std::size_t index);
  void collect_cells();
  bool list(std::size_t index, std::size_t limit);
  bool restrict_to_total();
  void mark_varying(const Piece& piece);
  bool list_all(const Position& position, std::size_t limit, bool& feasible);
  std::size_t join_regions();
  bool touches_outside(std::size_t index) const;
  bool make_table(std::span<const std::size_t> members, std::int64_t total, std::size_t limit, SolutionTable& out);
  void choose_columns(std::span<const std::size_t> members, SolutionTable& out);
  void expand(const Piece& piece, std::int64_t most, const SolutionTable& table, Rows& out);
  const Graph& graph() const { return *position->graph; }
};

Piece& Lister::State::piece(std::size_t index) {
  if (pieces.size() <= index) pieces.resize(index + 1);
  return pieces[index];
}

// The frontier; false when there is no solution.
bool Lister::State::read(const Position& asked) {
  if (asked.prior.kind != exact::Prior::Kind::total || asked.channel) {
    throw std::invalid_argument("solutions are listed for exact clues and a known number of mines");
  }
  position = &asked;
  workspace.begin({});
  count = 0;
  front = read_front(asked, workspace);
  if (front.clash >= 0) return false;
  mines = asked.prior.mines - front.known;
  if (mines < 0 || mines > front.unknown) return false;
  boxes = make_boxes(graph(), front.mark, front.unknown, front.clue, front.clues, workspace);
  return true;
}

// The cells of every piece, box by box; the sea is the last piece, of one box, if there is any.
void Lister::State::collect_cells() {
  const std::size_t n = static_cast<std::size_t>(graph().cells);
  count = static_cast<std::size_t>(boxes.components) + (boxes.sea > 0 ? 1 : 0);
  for (std::size_t i = 0; i < count; ++i) {
    Piece& p = piece(i);
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
  piece_of.assign(n, kNone);
  varies.assign(n, 0);
  always_mine.assign(n, 0);
  std::vector<std::int32_t> filled(static_cast<std::size_t>(boxes.boxes) + 1, 0);
  for (std::size_t x = 0; x < n; ++x) {
    const std::int32_t b = boxes.box_of[x];
    if (b < exact::kSeaBox) continue;
    const bool sea = b == exact::kSeaBox;
    const std::size_t i = sea ? count - 1 : static_cast<std::size_t>(boxes.component_of[b]);
    const std::int32_t begin = sea ? 0 : pieces[i].box_begin[static_cast<std::size_t>(boxes.local[b])];
    std::int32_t& next = filled[static_cast<std::size_t>(b + 1)];
    pieces[i].cells[static_cast<std::size_t>(begin + next++)] = static_cast<std::int32_t>(x);
    piece_of[x] = static_cast<std::int32_t>(i);
  }
}

// The ways of a piece; false when there are too many.
bool Lister::State::list(std::size_t index, std::size_t limit) {
  Piece& p = pieces[index];
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
bool Lister::State::restrict_to_total() {
  // Which numbers of mines the pieces before and after each can have.
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
  std::vector<std::vector<std::uint8_t>> after(count + 1, before);
  for (std::size_t i = count; i-- > 0;) after[i] = joined(after[i + 1], pieces[i].solutions);
  if (!after[0][width - 1]) return false;
  for (std::size_t i = 0; i < count; ++i) {
    Piece& p = pieces[i];
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

// Which cells of a piece its ways leave open.
void Lister::State::mark_varying(const Piece& p) {
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
      varies[x] = mine && safe;
      always_mine[x] = mine && !safe;
    }
  }
}

// Numbers the regions of the pieces: pieces whose number of mines is open are one, and so are pieces that a hidden cell
// would tell about together.
std::size_t Lister::State::join_regions() {
  std::vector<std::size_t> parent(count);
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  const auto unite = [&](std::size_t a, std::size_t b) {
    a = root(a), b = root(b);
    parent[std::max(a, b)] = std::min(a, b);
  };
  std::size_t open = count;
  for (std::size_t i = 0; i < count; ++i) {
    if (pieces[i].fixed()) continue;
    if (open == count) open = i;
    unite(open, i);
  }
  for (std::size_t x = 0; x < piece_of.size(); ++x) {
    const Mark mark = front.mark[x];
    if (mark != Mark::safe && (mark != Mark::unknown || always_mine[x])) continue;
    std::int32_t first = varies[x] ? piece_of[x] : kNone;
    for (std::int32_t e = graph().offset[x]; e < graph().offset[x + 1]; ++e) {
      const std::size_t y = static_cast<std::size_t>(graph().target[e]);
      if (!varies[y]) continue;
      if (first == kNone) first = piece_of[y];
      if (first != piece_of[y]) unite(static_cast<std::size_t>(first), static_cast<std::size_t>(piece_of[y]));
    }
  }
  std::vector<std::int32_t> number(count, kNone);
  std::size_t regions = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::int32_t& n = number[root(i)];
    if (n == kNone) n = static_cast<std::int32_t>(regions++);
    pieces[i].region = n;
  }
  return regions;
}

bool Lister::State::touches_outside(std::size_t index) const {
  for (const std::int32_t x : pieces[index].cells) {
    for (std::int32_t e = graph().offset[x]; e < graph().offset[x + 1]; ++e) {
      const std::size_t y = static_cast<std::size_t>(graph().target[e]);
      if (front.mark[y] == Mark::unknown && piece_of[y] != static_cast<std::int32_t>(index)) return true;
      if (front.mark[y] == Mark::safe) return true;
    }
  }
  return false;
}

// Columns: the members' cells that vary, and the certain cells that would tell about them.
void Lister::State::choose_columns(std::span<const std::size_t> members, SolutionTable& out) {
  out.cells.clear();
  column_of.assign(static_cast<std::size_t>(graph().cells), kNone);
  const auto take = [&](std::int32_t x) {
    column_of[static_cast<std::size_t>(x)] = static_cast<std::int32_t>(out.cells.size());
    out.cells.push_back(x);
  };
  for (const std::size_t i : members) {
    for (const std::int32_t x : pieces[i].cells) {
      if (varies[static_cast<std::size_t>(x)]) take(x);
    }
  }
  const std::size_t varying = out.cells.size();
  for (std::size_t c = 0; c < varying; ++c) {
    const std::int32_t x = out.cells[c];
    for (std::int32_t e = graph().offset[x]; e < graph().offset[x + 1]; ++e) {
      const std::size_t y = static_cast<std::size_t>(graph().target[e]);
      const bool certain = front.mark[y] == Mark::safe || (front.mark[y] == Mark::unknown && !varies[y] && !always_mine[y]);
      if (certain && column_of[y] == kNone) take(static_cast<std::int32_t>(y));
    }
  }
  out.stride = std::max<std::size_t>((out.columns() + kWide - 1) / kWide, 1) * kWide;
  around.assign(out.columns() * out.stride, 0);
  for (std::size_t c = 0; c < out.columns(); ++c) {
    const std::int32_t x = out.cells[c];
    for (std::int32_t e = graph().offset[x]; e < graph().offset[x + 1]; ++e) {
      const std::int32_t to = column_of[static_cast<std::size_t>(graph().target[e])];
      if (to != kNone) around[c * out.stride + static_cast<std::size_t>(to)] = 1;
    }
  }
}

// The solutions of a piece with at most `most` mines, cell by cell.
void Lister::State::expand(const Piece& p, std::int64_t most, const SolutionTable& table, Rows& out) {
  out.clear();
  std::vector<std::vector<std::int32_t>> pick(p.boxes());  // chosen places in every box, ascending
  for (std::size_t w = 0; w < p.mines.size(); ++w) {
    if (p.mines[w] > most) continue;
    for (std::size_t b = 0; b < p.boxes(); ++b) {
      pick[b].resize(static_cast<std::size_t>(p.sea ? p.mines[w] : p.counts[w * p.boxes() + b]));
      std::iota(pick[b].begin(), pick[b].end(), 0);
    }
    for (bool more = true; more;) {
      const std::size_t at = out.clue.size();
      out.clue.resize(at + table.stride, 0);
      std::uint8_t* clue = out.clue.data() + at;
      for (std::size_t b = 0; b < p.boxes(); ++b) {
        for (const std::int32_t place : pick[b]) {
          const std::int32_t c = column_of[static_cast<std::size_t>(p.cells[static_cast<std::size_t>(p.box_begin[b] + place)])];
          if (c == kNone) continue;  // a mine in every solution: counted with the certain ones
          out.mines.push_back(c);
          const std::uint8_t* add_to = around.data() + static_cast<std::size_t>(c) * table.stride;
          for (std::size_t k = 0; k < table.stride; ++k) clue[k] = static_cast<std::uint8_t>(clue[k] + add_to[k]);
        }
      }
      out.begin.push_back(out.mines.size());
      out.number.push_back(p.mines[w]);
      // The next choice: the last box that has one, the boxes after it start again.
      more = false;
      for (std::size_t b = p.boxes(); b-- > 0 && !more;) {
        auto& places = pick[b];
        const std::int32_t size = p.box_begin[b + 1] - p.box_begin[b];
        const std::int32_t k = static_cast<std::int32_t>(places.size());
        for (std::int32_t i = k; i-- > 0 && !more;) {
          std::int32_t& place = places[static_cast<std::size_t>(i)];
          if (place < size - k + i) {
            ++place;
            for (std::int32_t j = i + 1; j < k; ++j) places[static_cast<std::size_t>(j)] = places[static_cast<std::size_t>(j - 1)] + 1;
            more = true;
          }
        }
        if (!more) std::iota(places.begin(), places.end(), 0);
      }
    }
  }
}

// The table of some pieces that together have `total` mines. False when it has more rows than the limit.
bool Lister::State::make_table(std::span<const std::size_t> members, std::int64_t total, std::size_t limit, SolutionTable& out) {
  // after[i][k]: solutions of members i.. with k mines.
  const std::size_t width = static_cast<std::size_t>(total) + 1;
  std::vector<std::uint64_t> after((members.size() + 1) * width, 0);
  after[members.size() * width] = 1;
  for (std::size_t i = members.size(); i-- > 0;) {
    const auto& s = pieces[members[i]].solutions;
    for (std::size_t a = 0; a < s.size() && a < width; ++a) {
      if (!s[a]) continue;
      for (std::size_t b = 0; a + b < width; ++b) {
        std::uint64_t& sum = after[i * width + a + b];
        sum = add(sum, times(s[a], after[(i + 1) * width + b]));
      }
    }
  }
  const std::uint64_t solutions = after[width - 1];
  if (solutions > limit) return false;
  choose_columns(members, out);
  out.rows = static_cast<std::size_t>(solutions);
  out.values.assign(out.rows * out.stride, kMine);
  if (rows.size() < members.size()) rows.resize(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) expand(pieces[members[i]], total, out, rows[i]);
  // What certain mines add, and the rows of each member on top of those before it.
  std::vector<std::uint8_t> clue((members.size() + 1) * out.stride, 0);
  for (std::size_t c = 0; c < out.columns(); ++c) {
    const std::int32_t x = out.cells[c];
    for (std::int32_t e = graph().offset[x]; e < graph().offset[x + 1]; ++e) {
      const std::size_t y = static_cast<std::size_t>(graph().target[e]);
      const Mark mark = front.mark[y];
      clue[c] = static_cast<std::uint8_t>(clue[c] + (mark == Mark::mine || mark == Mark::burst || always_mine[y]));
    }
  }
  std::vector<std::size_t> at(members.size(), 0);
  std::vector<std::int64_t> left(members.size() + 1, total);
  std::size_t row = 0;
  for (std::size_t depth = 0;;) {
    if (depth == members.size()) {
      std::uint8_t* to = out.values.data() + row++ * out.stride;
      std::copy_n(clue.data() + depth * out.stride, out.columns(), to);
      for (std::size_t i = 0; i < members.size(); ++i) {
        for (std::size_t m = rows[i].begin[at[i] - 1]; m < rows[i].begin[at[i]]; ++m) to[rows[i].mines[m]] = kMine;
      }
      if (depth == 0) break;
      --depth;
      continue;
    }
    const Rows& r = rows[depth];
    std::size_t& next = at[depth];
    while (next < r.number.size() && (r.number[next] > left[depth] ||
                                      !after[(depth + 1) * width + static_cast<std::size_t>(left[depth] - r.number[next])])) {
      ++next;
    }
    if (next == r.number.size()) {
      next = 0;
      if (depth == 0) break;
      --depth;
      continue;
    }
    left[depth + 1] = left[depth] - r.number[next];
    const std::uint8_t* from = clue.data() + depth * out.stride;
    const std::uint8_t* extra = r.clue.data() + next * out.stride;
    std::uint8_t* to = clue.data() + (depth + 1) * out.stride;
    for (std::size_t k = 0; k < out.stride; ++k) to[k] = static_cast<std::uint8_t>(from[k] + extra[k]);
    ++next;
    ++depth;
  }
  return true;
}

Lister::Lister() : state_(std::make_unique<State>()) {}
Lister::~Lister() = default;
Lister::Lister(Lister&&) noexcept = default;
Lister& Lister::operator=(Lister&&) noexcept = default;

// The ways of every piece that the total leaves. False when there are too many; feasible is false when there are none.
bool Lister::State::list_all(const Position& asked, std::size_t limit, bool& feasible) {
  feasible = false;
  if (!read(asked)) return true;
  collect_cells();
  // Joining the numbers of mines takes about so many steps a piece.
  const std::int64_t width = std::min<std::int64_t>(mines, front.unknown) + 1;
  constexpr std::int64_t kSteps = 50'000'000;
  if (width * std::max<std::int64_t>(static_cast<std::int64_t>(count), std::min(boxes.sea, mines)) > kSteps) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (!list(i, limit)) return false;
  }
  if (!restrict_to_total()) return true;
  for (std::size_t i = 0; i < count; ++i) mark_varying(pieces[i]);
  feasible = true;
  return true;
}

bool Lister::all(const Position& position, std::size_t limit, SolutionTable& out) {
  State& s = *state_;
  out = SolutionTable{};
  bool feasible = false;
  if (!s.list_all(position, limit, feasible)) return false;
  if (!feasible) return true;
  std::vector<std::size_t> members(s.count);
  std::iota(members.begin(), members.end(), std::size_t{0});
  return s.make_table(members, s.mines, limit, out);
}

bool Lister::regions(const Position& position, std::size_t limit, std::vector<SolutionTable>& out) {
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
    for (std::size_t i = 0; i < s.count; ++i) {
      const bool member = s.pieces[i].region == static_cast<std::int32_t>(region);
      const std::optional<std::int64_t> fixed = s.pieces[i].fixed();
      if (member) members.push_back(i);
      if (member && !fixed) open = true;
      (member ? inside : outside) += fixed.value_or(0);
    }
    SolutionTable table;
    if (!s.make_table(members, open ? s.mines - outside : inside, limit, table)) return false;
    if (table.rows > 1) out.push_back(std::move(table));
  }
  return true;
}

void Lister::isolated(const Position& position, std::size_t limit, std::vector<SolutionTable>& out) {
  State& s = *state_;
  out.clear();
  if (!s.read(position)) return;
  s.collect_cells();
  for (std::size_t i = 0; i < s.count; ++i) {
    const Piece& p = s.pieces[i];
    if (p.sea || s.touches_outside(i) || !s.list(i, limit) || !p.fixed()) continue;
    s.mark_varying(p);
    const std::size_t member[] = {i};
    SolutionTable table;
    if (s.make_table(member, *p.fixed(), limit, table) && table.rows > 1) out.push_back(std::move(table));
  }
}

bool list_solutions(const Position& position, std::size_t limit, SolutionTable& out) {
  return Lister().all(position, limit, out);
}

}  // namespace mineproof::search

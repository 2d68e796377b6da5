#include "search/solutions.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "exact/boxes.hpp"
#include "exact/front.hpp"
#include "search/pieces.hpp"
#include "search/solution_rows.hpp"

namespace mineproof::search {

using exact::Boxes;
using exact::Front;
using exact::Graph;
using exact::Mark;
using exact::Position;

struct Lister::State {
  exact::Workspace workspace;
  const Position* position = nullptr;
  Front front;
  Boxes boxes;
  std::int64_t mines = 0;  // among the undecided cells
  Listed listed;
  TableMaker tables;

  bool read(const Position& position);
  Piece& piece(std::size_t index);
  void collect_cells();
  bool list(std::size_t index, std::size_t limit);
  bool restrict_to_total();
  void mark_varying(const Piece& piece);
  bool list_all(const Position& position, std::size_t limit, bool& feasible);
  std::size_t join_regions();
  bool touches_outside(std::size_t index) const;
  const Graph& graph() const { return *position->graph; }
};

Piece& Lister::State::piece(std::size_t index) {
  if (listed.pieces.size() <= index) listed.pieces.resize(index + 1);
  return listed.pieces[index];
}

// The frontier; false when there is no solution.
bool Lister::State::read(const Position& asked) {
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

// The cells of every piece, box by box; the sea is the last piece, of one box, if there is any.
void Lister::State::collect_cells() {
  const std::size_t n = static_cast<std::size_t>(graph().cells);
  listed.count = static_cast<std::size_t>(boxes.components) + (boxes.sea > 0 ? 1 : 0);
  for (std::size_t i = 0; i < listed.count; ++i) {
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
  listed.piece_of.assign(n, kNoPiece);
  listed.varies.assign(n, 0);
  listed.always_mine.assign(n, 0);
  std::vector<std::int32_t> filled(static_cast<std::size_t>(boxes.boxes) + 1, 0);
  for (std::size_t x = 0; x < n; ++x) {
    const std::int32_t b = boxes.box_of[x];
    if (b < exact::kSeaBox) continue;
    const bool sea = b == exact::kSeaBox;
    const std::size_t i = sea ? listed.count - 1 : static_cast<std::size_t>(boxes.component_of[b]);
    const std::int32_t begin = sea ? 0 : listed.pieces[i].box_begin[static_cast<std::size_t>(boxes.local[b])];
    std::int32_t& next = filled[static_cast<std::size_t>(b + 1)];
    listed.pieces[i].cells[static_cast<std::size_t>(begin + next++)] = static_cast<std::int32_t>(x);
    listed.piece_of[x] = static_cast<std::int32_t>(i);
  }
}

// The ways of a piece; false when there are too many.
bool Lister::State::list(std::size_t index, std::size_t limit) {
  Piece& p = listed.pieces[index];
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
  std::vector<std::vector<std::uint8_t>> after(listed.count + 1, before);
  for (std::size_t i = listed.count; i-- > 0;) after[i] = joined(after[i + 1], listed.pieces[i].solutions);
  if (!after[0][width - 1]) return false;
  for (std::size_t i = 0; i < listed.count; ++i) {
    Piece& p = listed.pieces[i];
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
      listed.varies[x] = mine && safe;
      listed.always_mine[x] = mine && !safe;
    }
  }
}

// Numbers the regions of the pieces: pieces whose number of mines is open are one, and so are pieces that a hidden cell
// would tell about together.
std::size_t Lister::State::join_regions() {
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
    if (listed.pieces[i].fixed()) continue;
    if (open == listed.count) open = i;
    unite(open, i);
  }
  for (std::size_t x = 0; x < listed.piece_of.size(); ++x) {
    const Mark mark = front.mark[x];
    if (mark != Mark::safe && (mark != Mark::unknown || listed.always_mine[x])) continue;
    std::int32_t first = listed.varies[x] ? listed.piece_of[x] : kNoPiece;
    for (std::int32_t e = graph().offset[x]; e < graph().offset[x + 1]; ++e) {
      const std::size_t y = static_cast<std::size_t>(graph().target[e]);
      if (!listed.varies[y]) continue;
      if (first == kNoPiece) first = listed.piece_of[y];
      if (first != listed.piece_of[y])
        unite(static_cast<std::size_t>(first), static_cast<std::size_t>(listed.piece_of[y]));
    }
  }
  std::vector<std::int32_t> number(listed.count, kNoPiece);
  std::size_t regions = 0;
  for (std::size_t i = 0; i < listed.count; ++i) {
    std::int32_t& n = number[root(i)];
    if (n == kNoPiece) n = static_cast<std::int32_t>(regions++);
    listed.pieces[i].region = n;
  }
  return regions;
}

bool Lister::State::touches_outside(std::size_t index) const {
  for (const std::int32_t x : listed.pieces[index].cells) {
    for (std::int32_t e = graph().offset[x]; e < graph().offset[x + 1]; ++e) {
      const std::size_t y = static_cast<std::size_t>(graph().target[e]);
      if (front.mark[y] == Mark::unknown && listed.piece_of[y] != static_cast<std::int32_t>(index)) return true;
      if (front.mark[y] == Mark::safe) return true;
    }
  }
  return false;
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
  if (width * std::max<std::int64_t>(static_cast<std::int64_t>(listed.count), std::min(boxes.sea, mines)) > kSteps)
    return false;
  for (std::size_t i = 0; i < listed.count; ++i) {
    if (!list(i, limit)) return false;
  }
  if (!restrict_to_total()) return true;
  for (std::size_t i = 0; i < listed.count; ++i) mark_varying(listed.pieces[i]);
  feasible = true;
  return true;
}

bool Lister::all(const Position& position, std::size_t limit, SolutionTable& out) {
  State& s = *state_;
  out = SolutionTable{};
  bool feasible = false;
  if (!s.list_all(position, limit, feasible)) return false;
  if (!feasible) return true;
  std::vector<std::size_t> members(s.listed.count);
  std::iota(members.begin(), members.end(), std::size_t{0});
  return s.tables.make(s.listed, members, s.mines, limit, out);
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
    for (std::size_t i = 0; i < s.listed.count; ++i) {
      const bool member = s.listed.pieces[i].region == static_cast<std::int32_t>(region);
      const std::optional<std::int64_t> fixed = s.listed.pieces[i].fixed();
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

void Lister::isolated(const Position& position, std::size_t limit, std::vector<SolutionTable>& out) {
  State& s = *state_;
  out.clear();
  if (!s.read(position)) return;
  s.collect_cells();
  for (std::size_t i = 0; i < s.listed.count; ++i) {
    const Piece& p = s.listed.pieces[i];
    if (p.sea || s.touches_outside(i) || !s.list(i, limit) || !p.fixed()) continue;
    s.mark_varying(p);
    const std::size_t member[] = {i};
    SolutionTable table;
    if (s.tables.make(s.listed, member, *p.fixed(), limit, table) && table.rows > 1) out.push_back(std::move(table));
  }
}

bool list_solutions(const Position& position, std::size_t limit, SolutionTable& out) {
  return Lister().all(position, limit, out);
}

}  // namespace mineproof::search

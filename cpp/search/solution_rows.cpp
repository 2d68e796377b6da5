#include "search/solution_rows.hpp"

#include <algorithm>
#include <numeric>

namespace mineproof::search {

using exact::Graph;
using exact::Mark;

namespace {

constexpr std::size_t kMultiple = 16;  // strides are multiples of this
constexpr std::int32_t kNoColumn = -1;

}  // namespace

bool TableMaker::make(const Listed& listed, std::span<const std::size_t> members, std::int64_t total, std::size_t limit,
                      SolutionTable& out) {
  const std::size_t width = static_cast<std::size_t>(total) + 1;
  count_solutions(listed, members, width);
  const std::uint64_t solutions = after_[width - 1];
  if (solutions > limit) return false;
  choose_columns(listed, members, out);
  find_neighbours(*listed.graph, out);
  out.rows = static_cast<std::size_t>(solutions);
  out.values.assign(out.rows * out.stride, kMine);
  if (rows_.size() < members.size()) rows_.resize(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) expand(listed.pieces[members[i]], total, out.stride, rows_[i]);
  clue_.assign((members.size() + 1) * out.stride, 0);
  count_certain(listed, out);
  write_rows(members.size(), total, out);
  return true;
}

void TableMaker::count_solutions(const Listed& listed, std::span<const std::size_t> members, std::size_t width) {
  after_.assign((members.size() + 1) * width, 0);
  after_[members.size() * width] = 1;
  for (std::size_t i = members.size(); i-- > 0;) {
    const auto& s = listed.pieces[members[i]].solutions;
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
void TableMaker::choose_columns(const Listed& listed, std::span<const std::size_t> members, SolutionTable& out) {
  const Graph& g = *listed.graph;
  out.cells.clear();
  column_of_.assign(static_cast<std::size_t>(g.cells), kNoColumn);
  const auto take = [&](std::int32_t x) {
    column_of_[x] = static_cast<std::int32_t>(out.cells.size());
    out.cells.push_back(x);
  };
  for (const std::size_t i : members) {
    for (const std::int32_t x : listed.pieces[i].cells) {
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

void TableMaker::find_neighbours(const Graph& g, const SolutionTable& table) {
  around_.assign(table.columns() * table.stride, 0);
  for (std::size_t c = 0; c < table.columns(); ++c) {
    const std::int32_t x = table.cells[c];
    for (std::int32_t e = g.offset[x]; e < g.offset[x + 1]; ++e) {
      const std::int32_t to = column_of_[g.target[e]];
      if (to != kNoColumn) around_[c * table.stride + static_cast<std::size_t>(to)] = 1;
    }
  }
}

// The solutions of a piece with at most `most` mines, cell by cell.
void TableMaker::expand(const Piece& p, std::int64_t most, std::size_t stride, Rows& out) {
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

void TableMaker::add_row(const Piece& p, std::int32_t number, std::size_t stride, Rows& out) {
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
bool TableMaker::next_choice(const Piece& p) {
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
void TableMaker::count_certain(const Listed& listed, const SolutionTable& out) {
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
void TableMaker::write_rows(std::size_t members, std::int64_t total, SolutionTable& out) {
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

}  // namespace mineproof::search

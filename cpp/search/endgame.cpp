// Best play by search over sets of solutions, and from the empty board.
#include "search/endgame.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "exact/workspace.hpp"
#include "rng.hpp"
#include "search/solutions.hpp"
#include "search/transposition_table.hpp"

namespace mineproof::search {

namespace {

// Sixteen columns of a row at once.
using Bytes = std::uint8_t __attribute__((vector_size(16)));
constexpr std::size_t kWide = sizeof(Bytes);

inline Bytes load(const std::uint8_t* from) {
  Bytes x;
  std::memcpy(&x, from, kWide);
  return x;
}

// A table of solutions made ready for the search: cells that are mines in the same solutions are one column.
struct ColumnClasses {
  static constexpr std::int32_t kAlwaysMine = -1;
  static constexpr std::int32_t kSaysNothing = -2;  // safe, with one value

  std::vector<Key> keys;                 // of rows; a function of the row's number only
  std::vector<std::uint8_t> values;      // rows of classes; what a class shows is a number for the values of its cells
  std::size_t stride = 0;                // bytes of a row, a multiple of kWide; beyond the classes kMine
  std::size_t count = 0;                 // of classes
  std::vector<std::int32_t> class_of;    // per column of the table: its class, or one of the above
  std::vector<std::int32_t> first_cell;  // per class

  void read(const SolutionTable& table);
  const std::uint8_t* row(std::uint32_t index) const { return values.data() + index * stride; }

  // Would the cells that are safe in both rows show the same?
  bool alike(std::uint32_t a, std::uint32_t b) const {
    for (std::size_t v = 0; v < stride; v += kWide) {
      const Bytes x = load(row(a) + v);
      const Bytes y = load(row(b) + v);
      const Bytes differ = reinterpret_cast<Bytes>((x != y) & (x != kMine) & (y != kMine));
      std::uint64_t half[2];
      std::memcpy(half, &differ, kWide);
      if (half[0] | half[1]) return false;
    }
    return true;
  }
};

// The columns of a table by the set of rows where they are mines.
struct ColumnSummary {
  Key mines;
  std::uint32_t count = 0;
  bool constant = true;  // one value where safe
  std::int32_t column = 0;
};

std::vector<ColumnSummary> summaries_of(const SolutionTable& table, const std::vector<Key>& keys) {
  std::vector<ColumnSummary> summaries(table.columns());
  std::vector<std::uint8_t> seen(table.columns(), kMine);
  for (std::size_t r = 0; r < table.rows; ++r) {
    const std::uint8_t* row = table.row(r);
    for (std::size_t c = 0; c < summaries.size(); ++c) {
      ColumnSummary& f = summaries[c];
      if (row[c] == kMine) {
        f.mines.toggle(keys[r]);
        ++f.count;
      } else if (seen[c] == kMine) {
        seen[c] = row[c];
      } else {
        f.constant &= seen[c] == row[c];
      }
    }
  }
  for (std::size_t c = 0; c < summaries.size(); ++c) summaries[c].column = static_cast<std::int32_t>(c);
  return summaries;
}

// One value for the columns together, by row: numbers of distinct tuples. False when there are too many for a byte.
bool merge(const SolutionTable& table, std::span<const std::int32_t> columns, std::vector<std::uint8_t>& ids) {
  ids.resize(table.rows);
  if (columns.size() == 1) {
    for (std::size_t r = 0; r < table.rows; ++r) ids[r] = table.row(r)[columns[0]];
    return true;
  }
  std::vector<std::size_t> example;  // of every tuple, a row
  for (std::size_t r = 0; r < table.rows; ++r) {
    const std::uint8_t* row = table.row(r);
    if (row[columns[0]] == kMine) {
      ids[r] = kMine;
      continue;
    }
    std::size_t id = 0;
    for (; id < example.size(); ++id) {
      const std::uint8_t* other = table.row(example[id]);
      if (std::all_of(columns.begin(), columns.end(), [&](std::int32_t c) { return row[c] == other[c]; })) break;
    }
    if (id == example.size()) {
      if (id == 64) return false;
      example.push_back(r);
    }
    ids[r] = static_cast<std::uint8_t>(id);
  }
  return true;
}

// Cells that are mines in the same rows are opened together: after the first, the others are certain. So each such
// class becomes one column. Columns that never differ go.
void ColumnClasses::read(const SolutionTable& table) {
  for (std::size_t r = keys.size(); r < table.rows; ++r) {
    keys.push_back({mix64(2 * r + 1 + golden), mix64(mix64(2 * r + 2) + golden)});
  }
  class_of.assign(table.columns(), kSaysNothing);
  first_cell.clear();
  std::vector<ColumnSummary> summaries = summaries_of(table, keys);
  std::erase_if(summaries, [&](const ColumnSummary& f) {
    if (f.count == table.rows) class_of[static_cast<std::size_t>(f.column)] = kAlwaysMine;
    return f.count == table.rows || (f.count == 0 && f.constant);
  });
  std::vector<std::vector<std::int32_t>> members;
  std::vector<std::uint8_t> used(summaries.size(), 0);
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    if (used[i]) continue;
    std::vector<std::int32_t> same;
    for (std::size_t k = i; k < summaries.size(); ++k) {
      if (used[k] || !(summaries[k].mines == summaries[i].mines)) continue;
      used[k] = 1;
      same.push_back(summaries[k].column);
    }
    members.push_back(std::move(same));
  }
  std::vector<std::vector<std::uint8_t>> column;
  std::vector<std::uint8_t> ids;
  for (const auto& same : members) {
    // Where their values together are too many for a byte they stay apart.
    const std::size_t step = merge(table, same, ids) ? same.size() : 1;
    for (std::size_t i = 0; i < same.size(); i += step) {
      if (step == 1 && same.size() > 1) merge(table, std::span(same).subspan(i, 1), ids);
      for (std::size_t k = i; k < i + step; ++k) {
        class_of[static_cast<std::size_t>(same[k])] = static_cast<std::int32_t>(column.size());
      }
      first_cell.push_back(table.cells[static_cast<std::size_t>(same[i])]);
      column.push_back(ids);
    }
  }
  count = column.size();
  stride = std::max<std::size_t>((count + kWide - 1) / kWide, 1) * kWide;
  values.assign(table.rows * stride, kMine);
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t r = 0; r < table.rows; ++r) values[r * stride + c] = column[c][r];
  }
}

// What the rows of a state say of one column.
struct Column {
  std::int32_t index;
  std::uint32_t mines;  // rows where it is a mine
  std::uint8_t low;     // least and greatest value where it is safe
  std::uint8_t high;
};

using RowList = std::span<const std::uint32_t>;

// A state after every certain cell is open, with what is known of its value. A list of them, the smallest first, is
// what opening a cell leads to.
struct ClosedState {
  RowList rows;
  std::span<Column> living;
  Key key;
  std::int64_t bound = 1;  // no play wins more
  bool exact = true;       // best play wins as many
  ClosedState* next = nullptr;
};

// What opening a cell leads to, with an upper bound of its wins together.
struct Outcome {
  ClosedState* first = nullptr;
  std::int64_t bound = 0;

  void insert(ClosedState* closed) {
    ClosedState** place = &first;
    while (*place && (*place)->rows.size() < closed->rows.size()) place = &(*place)->next;
    closed->next = *place;
    *place = closed;
  }
};

struct OutOfWork {};

}  // namespace

struct Endgame::State {
  exact::Arena arena{std::size_t{256} << 10};
  TranspositionTable memory;
  ColumnClasses table;
  std::vector<std::uint32_t> twins_of;  // per row: its set of twins; see find_twins()
  std::vector<std::uint32_t> stamp;     // per set of twins: when it was last counted
  std::uint32_t time = 0;
  EndgameLimits limits;
  std::int64_t work = 0;
  std::int64_t next_poll = 0;

  static constexpr std::int64_t kPoll = 1'000'000;

  void spend(std::size_t rows) {
    work += static_cast<std::int64_t>(rows * (table.stride / kWide));
    if (work > limits.work) throw OutOfWork{};
    if (limits.stop && work > next_poll) poll();
  }
  void poll() {
    next_poll = work + kPoll;
    if (limits.stop(limits.context)) throw exact::Interrupted();
  }

  void find_twins(std::size_t rows);
  std::uint32_t look(RowList rows, Column* undecided, Column& splitting);
  void close(RowList rows, std::int64_t floor, Outcome& out);
  void open(RowList rows, const Column& column, std::int64_t floor, Outcome& out);
  std::int64_t finish(Outcome& outcome, std::int64_t floor);
  std::int64_t choose(const ClosedState& state, std::int64_t floor, std::int32_t* best_class);
  bool dominated(RowList rows, std::span<const Column> earlier, const Column& column) const;
  std::int64_t best(RowList rows, std::int32_t& best_class);
  Column whole(RowList rows, std::size_t c) const;
  std::int64_t first(RowList rows, std::size_t c, std::int64_t floor);
  template <class Search>
  EndgameAnswer run(const SolutionTable& solutions, const EndgameLimits& allowed, Search&& search);
};

// Of two rows that are alike no play wins both: it would have to open a cell that tells them apart. So of a set of rows
// that are all alike at most one is won, and a state has no more wins than it has such sets. They are found once,
// greedily.
void Endgame::State::find_twins(std::size_t rows) {
  constexpr std::size_t kCompared = 1000;  // the latest: all of them would take long in large tables
  std::vector<std::vector<std::uint32_t>> sets;
  twins_of.resize(rows);
  for (std::uint32_t r = 0; r < rows; ++r) {
    std::size_t at = 0;
    const auto fits = [&](const std::vector<std::uint32_t>& set) {
      return std::all_of(set.begin(), set.end(), [&](std::uint32_t other) { return table.alike(r, other); });
    };
    if (sets.size() > kCompared) at = sets.size() - kCompared;
    while (at < sets.size() && !fits(sets[at])) ++at;
    if (at == sets.size()) sets.emplace_back();
    if ((r & 127) == 127) spend(kCompared);
    sets[at].push_back(r);
    twins_of[r] = static_cast<std::uint32_t>(at);
  }
  stamp.assign(sets.size(), 0);
  time = 0;
}

// Lists the columns that are mines in some rows and safe in others; `splitting` becomes a column that is safe in all
// rows with several values, if there is one (index -1: none).
std::uint32_t Endgame::State::look(RowList rows, Column* undecided, Column& splitting) {
  spend(rows.size());
  splitting.index = -1;
  std::uint32_t found = 0;
  const std::uint32_t n = static_cast<std::uint32_t>(rows.size());
  for (std::size_t v = 0; v < table.stride; v += kWide) {
    std::uint32_t mines[kWide] = {};
    Bytes low = Bytes{} - 1;
    Bytes high{};
    for (std::size_t begin = 0; begin < rows.size(); begin += 255) {
      const std::size_t end = std::min(begin + 255, rows.size());
      Bytes count{};
      for (std::size_t i = begin; i < end; ++i) {
        const Bytes x = load(table.row(rows[i]) + v);
        const Bytes mine = reinterpret_cast<Bytes>(x == kMine);
        count -= mine;
        low = low < x ? low : x;
        const Bytes safe = x & ~mine;
        high = high > safe ? high : safe;
      }
      for (std::size_t k = 0; k < kWide; ++k) mines[k] += count[k];
    }
    for (std::size_t k = 0; k < kWide; ++k) {
      if (mines[k] == n) continue;
      const Column column{static_cast<std::int32_t>(v + k), mines[k], low[k], high[k]};
      if (mines[k]) {
        undecided[found++] = column;
      } else if (low[k] != high[k]) {
        splitting = column;
        return 0;
      }
    }
  }
  return found;
}

// Opens every cell that is certain in a set of rows. The bound of `out` already counts every row as won and is lowered;
// stops where it comes down to the floor.
void Endgame::State::close(RowList rows, std::int64_t floor, Outcome& out) {
  if (rows.size() == 1) return;
  Column* undecided = arena.take<Column>(table.count);
  Column splitting;
  const std::uint32_t found = look(rows, undecided, splitting);
  if (splitting.index >= 0) return open(rows, splitting, floor, out);
  ClosedState* closed = arena.take<ClosedState>(1);
  *closed = ClosedState{};
  closed->rows = rows;
  // A cell that shows one value in every row where it is safe says nothing: never better than a living one. Where all
  // are so, one line of play is all there is, and it wins one row. Two rows: likewise.
  Column* end = std::partition(undecided, undecided + found, [](const Column& c) { return c.low != c.high; });
  const std::int64_t size = static_cast<std::int64_t>(rows.size());
  if (end != undecided && size > 2) {
    closed->living = {undecided, end};
    closed->exact = false;
    closed->bound = 0;
    for (const Column& c : closed->living) closed->bound = std::max<std::int64_t>(closed->bound, size - c.mines);
    ++time;
    std::int64_t sets = 0;
    for (const std::uint32_t r : rows) {
      closed->key.toggle(table.keys[r]);
      std::uint32_t& counted = stamp[twins_of[r]];
      sets += counted != time;
      counted = time;
    }
    closed->bound = std::min(closed->bound, sets);
    closed->exact = closed->bound == 1;
    const TranspositionTable::Entry& known = memory.find(closed->key);
    if (memory.filled(known)) {
      closed->bound = known.value;
      closed->exact = known.exact;
    }
  }
  out.bound -= size - closed->bound;
  if (!closed->exact) out.insert(closed);
}

// Splits the rows where a column is safe by its value. The bound of `out` counts them as won, as in close().
void Endgame::State::open(RowList rows, const Column& column, std::int64_t floor, Outcome& out) {
  const std::size_t low = column.low;
  const std::size_t width = static_cast<std::size_t>(column.high) - low + 1;
  std::uint32_t* count = arena.zeroed<std::uint32_t>(width);
  const std::uint8_t* at = table.values.data() + column.index;
  for (const std::uint32_t r : rows) {
    const std::uint8_t x = at[r * table.stride];
    if (x != kMine) ++count[x - low];
  }
  std::uint32_t* to = arena.take<std::uint32_t>(rows.size() - column.mines);
  std::uint32_t** next = arena.take<std::uint32_t*>(width);
  for (std::size_t i = 0; i < width; ++i) {
    next[i] = to;
    to += count[i];
  }
  for (const std::uint32_t r : rows) {
    const std::uint8_t x = at[r * table.stride];
    if (x != kMine) *next[x - low]++ = r;
  }
  for (std::size_t i = 0; i < width && out.bound > floor; ++i) {
    if (count[i] > 1) close({next[i] - count[i], count[i]}, floor, out);
  }
}

// The wins of an outcome: exact when more than `floor`, else an upper bound that is not.
std::int64_t Endgame::State::finish(Outcome& outcome, std::int64_t floor) {
  for (const ClosedState* state = outcome.first; state && outcome.bound > floor; state = state->next) {
    const std::int64_t others = outcome.bound - state->bound;
    outcome.bound = others + choose(*state, floor - others, nullptr);
  }
  return outcome.bound;
}

// A column is never better than one that is safe wherever it is safe: after opening it the other is certain.
bool Endgame::State::dominated(RowList rows, std::span<const Column> earlier, const Column& column) const {
  for (const Column& other : earlier) {
    bool inside = true;
    for (const std::uint32_t r : rows) {
      const std::uint8_t* x = table.row(r);
      if (x[other.index] == kMine && x[column.index] != kMine) {
        inside = false;
        break;
      }
    }
    if (inside) return true;
  }
  return false;
}

// Wins of the best play from a closed state: exact when more than `floor`, else an upper bound that is not.
std::int64_t Endgame::State::choose(const ClosedState& state, std::int64_t floor, std::int32_t* best_class) {
  // It may have been met since its bound was read.
  const TranspositionTable::Entry& known = memory.find(state.key);
  if (memory.filled(known) && (known.exact || known.value <= floor)) return known.value;
  const std::int64_t size = static_cast<std::int64_t>(state.rows.size());
  const std::span<Column> living = state.living;
  std::sort(living.begin(), living.end(), [](const Column& a, const Column& b) {
    return a.mines != b.mines ? a.mines < b.mines : a.index < b.index;
  });
  std::int64_t best = 1;   // won by any line of play
  std::int64_t bound = 1;  // no column is better than this, nor than best
  for (std::size_t i = 0; i < living.size(); ++i) {
    const std::int64_t target = std::max(best, floor);
    const std::int64_t safe = size - living[i].mines;
    if (safe <= target) {
      bound = std::max(bound, safe);
      break;
    }
    if (dominated(state.rows, living.first(i), living[i])) continue;
    const exact::Arena::Mark mark = arena.mark();
    Outcome outcome;
    outcome.bound = safe;
    open(state.rows, living[i], target, outcome);
    const std::int64_t wins = finish(outcome, target);
    arena.release(mark);
    if (wins > target) {
      best = wins;
      if (best_class) *best_class = living[i].index;
    } else {
      bound = std::max(bound, wins);
    }
  }
  const bool exact = best > floor || best >= bound;
  const std::int64_t result = exact ? best : bound;
  memory.store(state.key, static_cast<std::uint32_t>(result), exact);
  return result;
}

// The whole table; best_class becomes the class to open, or stays.
std::int64_t Endgame::State::best(RowList rows, std::int32_t& best_class) {
  if (rows.size() == 1) return 1;
  Column* undecided = arena.take<Column>(table.count);
  Column splitting;
  const std::uint32_t found = look(rows, undecided, splitting);
  // What certain cells show may have to come first; where no cell is living any will do.
  best_class = splitting.index >= 0 ? splitting.index : found ? undecided[0].index : -1;
  Outcome outcome;
  outcome.bound = static_cast<std::int64_t>(rows.size());
  close(rows, -1, outcome);
  if (splitting.index >= 0 || !outcome.first) return finish(outcome, -1);
  return choose(*outcome.first, -1, &best_class);
}

Endgame::Endgame() : state_(std::make_unique<State>()) {}
Endgame::~Endgame() = default;
Endgame::Endgame(Endgame&&) noexcept = default;
Endgame& Endgame::operator=(Endgame&&) noexcept = default;

std::int64_t Endgame::work() const { return state_->work; }

// Runs `search` over all rows of a table; an answer that is not solved where the work is too much.
template <class Search>
EndgameAnswer Endgame::State::run(const SolutionTable& solutions, const EndgameLimits& allowed, Search&& search) {
  limits = allowed;
  work = next_poll = 0;
  arena.clear();
  memory.begin();
  EndgameAnswer answer;
  answer.solved = true;
  answer.total = solutions.rows;
  if (!solutions.rows) return answer;
  try {
    table.read(solutions);
    find_twins(solutions.rows);
    std::uint32_t* rows = arena.take<std::uint32_t>(solutions.rows);
    for (std::uint32_t r = 0; r < solutions.rows; ++r) rows[r] = r;
    search(RowList(rows, solutions.rows), answer);
  } catch (const OutOfWork&) {
    return EndgameAnswer{};
  }
  return answer;
}

// A class of columns over all rows.
Column Endgame::State::whole(RowList rows, std::size_t c) const {
  Column column{static_cast<std::int32_t>(c), 0, kMine, 0};
  for (const std::uint32_t r : rows) {
    const std::uint8_t x = table.row(r)[c];
    if (x == kMine) {
      ++column.mines;
    } else {
      column.low = std::min(column.low, x);
      column.high = std::max(column.high, x);
    }
  }
  return column;
}

// The wins when a class is opened first, as in finish().
std::int64_t Endgame::State::first(RowList rows, std::size_t c, std::int64_t floor) {
  const exact::Arena::Mark mark = arena.mark();
  const Column column = whole(rows, c);
  Outcome outcome;
  outcome.bound = static_cast<std::int64_t>(rows.size() - column.mines);
  open(rows, column, floor, outcome);
  const std::int64_t wins = finish(outcome, floor);
  arena.release(mark);
  return wins;
}

EndgameAnswer Endgame::solve(const SolutionTable& table, const EndgameLimits& limits) {
  State& s = *state_;
  return s.run(table, limits, [&](RowList rows, EndgameAnswer& answer) {
    std::int32_t best = -1;
    answer.wins = static_cast<std::uint64_t>(s.best(rows, best));
    if (best >= 0) answer.cell = s.table.first_cell[static_cast<std::size_t>(best)];
  });
}

EndgameAnswer Endgame::values(const SolutionTable& table, std::vector<std::uint64_t>& wins,
                              const EndgameLimits& limits) {
  State& s = *state_;
  wins.assign(table.columns(), 0);
  return s.run(table, limits, [&](RowList rows, EndgameAnswer& answer) {
    std::int32_t best = -1;
    answer.wins = static_cast<std::uint64_t>(s.best(rows, best));
    if (best >= 0) answer.cell = s.table.first_cell[static_cast<std::size_t>(best)];
    std::vector<std::uint64_t> by_class(s.table.count);
    for (std::size_t c = 0; c < s.table.count; ++c) by_class[c] = static_cast<std::uint64_t>(s.first(rows, c, -1));
    for (std::size_t i = 0; i < table.columns(); ++i) {
      const std::int32_t c = s.table.class_of[i];
      wins[i] = c >= 0 ? by_class[static_cast<std::size_t>(c)] : c == ColumnClasses::kSaysNothing ? answer.wins : 0;
    }
  });
}

EndgameAnswer Endgame::best_of(const SolutionTable& table, std::span<const std::int32_t> columns,
                               std::vector<std::int32_t>& best, const EndgameLimits& limits) {
  State& s = *state_;
  best.clear();
  return s.run(table, limits, [&](RowList rows, EndgameAnswer& answer) {
    std::int64_t most = 0;
    for (const std::int32_t i : columns) {
      const std::int32_t c = s.table.class_of[static_cast<std::size_t>(i)];
      std::int32_t any = -1;
      const std::int64_t wins = c >= 0 ? s.first(rows, static_cast<std::size_t>(c), most - 1)
                                : c == ColumnClasses::kSaysNothing ? s.best(rows, any)
                                                                   : 0;
      if (wins > most) best.clear();
      if (wins >= most) best.push_back(i);
      most = std::max(most, wins);
    }
    answer.wins = static_cast<std::uint64_t>(most);
    if (!best.empty()) answer.cell = table.cells[static_cast<std::size_t>(best[0])];
  });
}

namespace {

// Under `any` and `safe` alike a first cell wins the layouts where it is safe and play goes on well: only the number of
// layouts that the deal allows differs. So one search over all layouts serves both.
OptimalAnswer from_all_layouts(const exact::Position& position, bool safe, std::span<const std::int32_t> first,
                               const OptimalLimits& limits) {
  OptimalAnswer answer;
  SolutionTable table;
  if (!SolutionLister().all(position, limits.layouts, table)) {
    answer.end = OptimalEnd::too_many_layouts;
    return answer;
  }
  const std::size_t cells = static_cast<std::size_t>(position.graph->cells);
  const std::size_t mines = static_cast<std::size_t>(position.prior.mines);
  answer.total = table.rows;
  if (mines == 0 || mines == cells) {
    // No cell varies, so that none is in the table. With nothing but mines a game under `any` is lost.
    answer.wins = mines == 0 ? 1 : 0;
    if (!safe || mines == 0) answer.best.assign(first.begin(), first.end());
    if (safe && mines == cells) answer.total = 0;
    return answer;
  }
  std::vector<std::int32_t> column_of(cells, -1);
  for (std::size_t c = 0; c < table.columns(); ++c)
    column_of[static_cast<std::size_t>(table.cells[c])] = static_cast<std::int32_t>(c);
  std::vector<std::int32_t> columns;
  for (const std::int32_t cell : first) columns.push_back(column_of[static_cast<std::size_t>(cell)]);
  std::vector<std::int32_t> best;
  const EndgameAnswer found = Endgame().best_of(table, columns, best, limits.endgame);
  if (!found.solved) {
    answer.end = OptimalEnd::too_much_work;
    return answer;
  }
  answer.wins = found.wins;
  if (safe) answer.total = table.rows * (cells - mines) / cells;
  for (const std::int32_t c : best) answer.best.push_back(table.cells[static_cast<std::size_t>(c)]);
  return answer;
}

}  // namespace

OptimalAnswer optimal(const exact::Graph& graph, std::int64_t mines, FirstClick rule,
                      std::span<const std::int32_t> first, const OptimalLimits& limits) {
  std::vector<std::uint8_t> shown(static_cast<std::size_t>(graph.cells), exact::kHidden);
  exact::Position position;
  position.graph = &graph;
  position.shown = shown.data();
  position.prior = exact::Prior::of_total(mines);
  if (rule != FirstClick::opening) return from_all_layouts(position, rule == FirstClick::safe, first, limits);
  // Each first cell has layouts of its own: those where it shows no mine around it.
  OptimalAnswer answer;
  SolutionLister lister;
  Endgame endgame;
  SolutionTable table;
  EndgameLimits left = limits.endgame;
  for (const std::int32_t cell : first) {
    if (mines > graph.cells - 1 - graph.degree(cell)) continue;
    shown[static_cast<std::size_t>(cell)] = 0;
    const bool listed = lister.all(position, limits.layouts, table);
    shown[static_cast<std::size_t>(cell)] = exact::kHidden;
    if (!listed) {
      answer.end = OptimalEnd::too_many_layouts;
      return answer;
    }
    const EndgameAnswer found = endgame.solve(table, left);
    if (!found.solved) {
      answer.end = OptimalEnd::too_much_work;
      return answer;
    }
    left.work -= endgame.work();
    // Shares with different totals are compared by cross products: both sides have few enough layouts.
    const std::uint64_t now = found.wins * std::max<std::uint64_t>(answer.total, 1);
    const std::uint64_t before = answer.wins * found.total;
    if (answer.best.empty() || now > before) {
      answer.best.clear();
      answer.wins = found.wins;
      answer.total = found.total;
    }
    if (answer.best.empty() || now == before) answer.best.push_back(cell);
  }
  return answer;
}

}  // namespace mineproof::search

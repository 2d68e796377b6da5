// Filling the tables of a tree program: which rows of the children belong together, and what the clues weigh.
#include "tree.hpp"

#include <algorithm>
#include <cstring>

#include "underflow.hpp"
#include "vector.hpp"

namespace mineproof::exact {

namespace {

// Fewest and most mines of a row, in the low and the high half of a word, so that both are added at once. Where no
// assignment agrees with the row they are kFar apart the wrong way round, and stay so whatever is added.
using Range = std::uint64_t;
constexpr std::int32_t kFar = 1 << 24;
constexpr Range range_of(std::int32_t low, std::int32_t high) {
  return static_cast<std::uint32_t>(low) + (static_cast<Range>(static_cast<std::uint32_t>(high)) << 32);
}
constexpr Range kDeadRow = range_of(kFar, -kFar);
std::int32_t low_of(Range r) { return static_cast<std::int32_t>(r & 0xffffffffu); }
std::int32_t high_of(Range r) { return static_cast<std::int32_t>(r >> 32); }

// How many bits of an entry's number are set.
struct BitCounts {
  std::uint8_t of[kMostEntries];
  constexpr BitCounts() : of{} {
    for (int i = 1; i < kMostEntries; ++i) of[i] = static_cast<std::uint8_t>(of[i / 2] + i % 2);
  }
};
constexpr BitCounts kBitCounts;

// The bits of an entry that a mask picks, side by side: the row of a child's table where all boxes have one cell.
constexpr std::int32_t kFewDigits = 6;
struct BitExtracts {
  std::uint16_t of[1 << kFewDigits][1 << kFewDigits];
  constexpr BitExtracts() : of{} {
    for (int mask = 0; mask < 1 << kFewDigits; ++mask) {
      for (int e = 0; e < 1 << kFewDigits; ++e) {
        int row = 0;
        for (int i = 0, to = 0; i < kFewDigits; ++i) {
          if (mask >> i & 1) row |= (e >> i & 1) << to++;
        }
        of[mask][e] = static_cast<std::uint16_t>(row);
      }
    }
  }
};
constexpr BitExtracts kExtracts;

// A table on its way: its boxes and what its rows can hold.
struct Scope {
  const std::int32_t* box = nullptr;  // the first varies fastest
  std::int32_t boxes = 0;
  Range* range = nullptr;  // per row; nullptr: all rows have that of the node
};

// A box and its separator, as the digits of an entry; the box varies fastest.
struct Table {
  std::int32_t digits = 0;
  std::int32_t entries = 1;
  std::int32_t* box = nullptr;
  std::int32_t domain[kMostTied];

  bool is_single() const { return entries == 1 << digits; }  // all boxes have one cell
};

class Builder {
 public:
  Builder(const Component& c, const TreeOrder& order, Workspace& ws, TreeProgram& out)
      : c_(c), order_(order), arena_(ws.arena), out_(out) {
    const std::size_t n = static_cast<std::size_t>(c.boxes);
    out.nodes = 0;
    out.node = arena_.take<TreeNode>(2 * n);  // joining tables takes at most one more for each
    out.rows = out.entries = 0;
    out.longest = 1;
    out.most_values = 1 + *std::max_element(c.size, c.size + c.boxes);
    scope_ = arena_.take<Scope>(2 * n);
    next_ = arena_.take<std::int32_t>(2 * n);
    first_ = arena_.take<std::int32_t>(n);
    std::fill_n(first_, n, kNone);
    digit_ = arena_.take<std::int32_t>(n);
    count_ = arena_.take<std::uint16_t>(kMostEntries);
    std::int32_t cells = 0;
    for (std::int32_t b = 0; b < c.boxes; ++b) cells += c.size[b];
    by_count_ = arena_.take<double>(static_cast<std::size_t>(cells) + 1);
    lay_boxes(cells);
    assign_clues();
  }

  bool run() {
    for (std::int32_t t = 0; t < c_.boxes; ++t) {
      const bool root = t + 1 == c_.boxes;
      if ((order_.offset[t + 1] == order_.offset[t]) != root) return false;  // pieces that no clue ties: not expected
      if (!eliminate(t)) return false;
    }
    return !lost_;
  }

 private:
  static constexpr std::int32_t kNone = -1;

  // The ways to lay every box's mines.
  void lay_boxes(std::int32_t cells) {
    const std::size_t n = static_cast<std::size_t>(c_.boxes);
    alone_ = arena_.take<double>(static_cast<std::size_t>(cells) + n);
    alone_at_ = arena_.take<std::int32_t>(n);
    alone_least_ = arena_.zeroed<std::int32_t>(n);
    std::int32_t at = 0;
    for (std::int32_t b = 0; b < c_.boxes; ++b) {
      const std::int32_t size = c_.size[b];
      alone_at_[b] = at;
      double ways = 1;
      for (std::int32_t k = 0; k <= size; ++k) {
        alone_[at++] = ways;
        ways = ways * (size - k) / (k + 1);
      }
    }
  }

  // A clue on one box weighs the box alone; the others go to the step at which the first of their boxes is eliminated.
  void assign_clues() {
    std::int32_t* at = clue_offset_ = arena_.zeroed<std::int32_t>(static_cast<std::size_t>(c_.boxes) + 2);
    std::int32_t* step = arena_.take<std::int32_t>(static_cast<std::size_t>(c_.clues));
    std::int32_t* several = arena_.take<std::int32_t>(static_cast<std::size_t>(c_.clues));
    clue_ = arena_.take<std::int32_t>(static_cast<std::size_t>(c_.clues));
    std::int32_t count = 0;
    for (std::int32_t q = 0; q < c_.clues; ++q) {
      const std::int32_t begin = c_.clue_offset[q];
      const std::int32_t end = c_.clue_offset[q + 1];
      if (end - begin == 1) {
        weigh_alone(c_.clue[q], c_.clue_box[begin]);
        continue;
      }
      std::int32_t first = c_.boxes;
      for (std::int32_t e = begin; e < end; ++e) first = std::min(first, order_.step[c_.clue_box[e]]);
      several[count] = q;
      step[count++] = first;
      ++at[first + 2];
    }
    for (std::int32_t t = 0; t < c_.boxes; ++t) at[t + 2] += at[t + 1];
    for (std::int32_t i = 0; i < count; ++i) clue_[at[step[i] + 1]++] = several[i];
  }
  void weigh_alone(const Clue& clue, std::int32_t box) {
    const double* of = by_count(clue, c_.size[box]);
    least_ = alone_least_[box] += clue.least;
    multiply(c_.size[box] + 1, alone_ + alone_at_[box], [&](std::int32_t k) { return of[k]; });
  }

  // For each entry of the box and its separator, the sum over its digits of digit times step[i]: an index or a count.
  // There is room for four entries at least.
  void spread(const Table& t, const std::int32_t* step, std::uint16_t* to) const {
    if (t.is_single()) {  // four entries at a time
      std::uint64_t word = static_cast<std::uint64_t>(step[0]) * 0x0001000000010000u;
      if (t.digits > 1) word += static_cast<std::uint64_t>(step[1]) * 0x0001000100000000u;
      std::memcpy(to, &word, sizeof word);
      std::int32_t n = 4;
      for (std::int32_t i = 2; i < t.digits; ++i, n *= 2) {
        const std::uint64_t more = static_cast<std::uint64_t>(step[i]) * 0x0001000100010001u;
        for (std::int32_t e = 0; e < n; e += 4) {
          std::memcpy(&word, to + e, sizeof word);
          word += more;
          std::memcpy(to + n + e, &word, sizeof word);
        }
      }
      return;
    }
    to[0] = 0;
    std::int32_t n = 1;
    for (std::int32_t i = 0; i < t.digits; ++i) {
      for (std::int32_t k = 1; k < t.domain[i]; ++k) {
        for (std::int32_t e = 0; e < n; ++e) to[k * n + e] = static_cast<std::uint16_t>(to[e] + k * step[i]);
      }
      n *= t.domain[i];
    }
  }

  // The rows of a child's table by entry.
  const std::uint16_t* rows_of(const Scope& child, const Table& t) const {
    if (t.is_single() && t.digits <= kFewDigits) {  // both have their boxes in the order of elimination
      std::uint32_t mask = 0;
      for (std::int32_t i = 0; i < child.boxes; ++i) mask |= 1u << digit_[child.box[i]];
      return kExtracts.of[mask];
    }
    std::int32_t step[kMostTied] = {};
    std::int32_t stride = 1;
    for (std::int32_t i = 0; i < child.boxes; ++i) {
      step[digit_[child.box[i]]] = stride;
      stride *= c_.size[child.box[i]] + 1;
    }
    std::uint16_t* to = arena_.take<std::uint16_t>(static_cast<std::size_t>(std::max(t.entries, 4)));
    spread(t, step, to);
    return to;
  }

  // The weights of the clues settled at a step, and what the box weighs alone.
  double* weights(std::int32_t at, const Table& t) {
    const std::int32_t values = t.domain[0];
    const double* alone = alone_ + alone_at_[t.box[0]];
    least_ = alone_least_[t.box[0]];
    double* weight = arena_.take<double>(static_cast<std::size_t>(t.entries));
    if (values == 2) {
      const double safe = alone[0];
      const double mine = alone[1];
      for (std::int32_t e = 0; e < t.entries; e += 2) weight[e] = safe, weight[e + 1] = mine;
    } else {
      for (std::int32_t e = 0; e < t.entries; e += values) std::copy_n(alone, values, weight + e);
    }
    for (std::int32_t i = clue_offset_[at]; i < clue_offset_[at + 1]; ++i) weigh(clue_[i], t, weight);
    return weight;
  }

  // Multiplies the entries by the weight of a clue on several boxes.
  void weigh(std::int32_t q, const Table& t, double* weight) {
    const std::int32_t* box = c_.clue_box + c_.clue_offset[q];
    const std::int32_t boxes = c_.clue_offset[q + 1] - c_.clue_offset[q];
    if (t.is_single()) {  // their bits of the entry are the count
      std::uint32_t mask = 0;
      for (std::int32_t i = 0; i < boxes; ++i) mask |= 1u << digit_[box[i]];
      least_ += c_.clue[q].least;
      const double* of = by_count(c_.clue[q], boxes);
      multiply(t.entries, weight,
               [&](std::int32_t e) { return of[kBitCounts.of[static_cast<std::uint32_t>(e) & mask]]; });
      return;
    }
    std::int32_t step[kMostTied] = {};
    std::int32_t cells = 0;
    for (std::int32_t i = 0; i < boxes; ++i) {
      step[digit_[box[i]]] = 1;
      cells += c_.size[box[i]];
    }
    const std::uint16_t* count = count_;
    spread(t, step, count_);
    least_ += c_.clue[q].least;
    const double* of = by_count(c_.clue[q], cells);
    multiply(t.entries, weight, [&](std::int32_t e) { return of[count[e]]; });
  }

  // Multiplies weights by those of a clue that `least_` counts in already; notes where a product is too small for a
  // double.
  template <class Of>
  MINEPROOF_INLINE void multiply(std::int32_t n, double* weight, Of&& of) {
    if (least_ < kLeastExponent) {
      for (std::int32_t e = 0; e < n; ++e) lost_ |= weight[e] > 0 && of(e) > 0 && too_small(weight[e] * of(e));
    }
    for (std::int32_t e = 0; e < n; ++e) weight[e] *= of(e);
  }

  // The weights of a clue for every count of its cells.
  const double* by_count(const Clue& clue, std::int32_t cells) {
    if (clue.weight) return clue.weight - clue.low;
    for (std::int32_t k = 0; k <= cells; ++k) by_count_[k] = k == clue.low ? 1.0 : 0.0;
    return by_count_;
  }

  // Is everything possible, so that all rows have the same range?
  bool is_even(const TreeNode& node) const {
    for (std::int32_t i = 0; i < node.children; ++i) {
      if (scope_[node.child[i]].range) return false;
    }
    bool all = true;
    const std::int32_t entries = node.rows * node.values;
    for (std::int32_t e = 0; e < entries; ++e) all &= node.weight[e] > 0;
    return all;
  }
  static Range whole_range(const TreeNode& node) { return range_of(node.low, node.low + node.length - 1); }

  // The ranges of a node's rows, and of all of them; `even` where they are the same. Entries that no child's row allows
  // are struck out.
  template <int Children>
  Range ranges(const TreeNode& node, Range* to, bool& even) const {
    const Range* one = Children > 0 ? scope_[node.child[0]].range : nullptr;
    const Range* two = Children > 1 ? scope_[node.child[1]].range : nullptr;
    double* weight = node.weight;
    std::int32_t low = kFar;
    std::int32_t high = -kFar;
    even = true;
    std::int32_t e = 0;
    for (std::int32_t r = 0; r < node.rows; ++r) {
      std::int32_t least = kFar;
      std::int32_t most = -kFar;
      for (std::int32_t k = 0; k < node.values; ++k, ++e) {
        Range range = range_of(k, k);
        if (Children > 0) range += one[node.row[0][e]];
        if (Children > 1) range += two[node.row[1][e]];
        range = weight[e] > 0 ? range : kDeadRow;
        if (Children > 0 && high_of(range) < 0) weight[e] = 0;
        least = std::min(least, low_of(range));
        most = std::max(most, high_of(range));
      }
      to[r] = range_of(least, most);
      even &= to[r] == to[0];
      low = std::min(low, least);
      high = std::max(high, most);
    }
    return range_of(low, high);
  }

  // Works out which columns a node's rows have, and strikes out entries that no child's row allows. False where no row
  // is left.
  bool finish(std::int32_t index, const std::int32_t* box, std::int32_t boxes) {
    TreeNode& node = out_.node[index];
    Scope& scope = scope_[index];
    const std::size_t rows = static_cast<std::size_t>(node.rows);
    scope.box = box;
    scope.boxes = boxes;
    Range all = kDeadRow;
    if (is_even(node)) {
      all = range_of(0, node.values - 1);
      for (std::int32_t i = 0; i < node.children; ++i) all += whole_range(out_.node[node.child[i]]);
      scope.range = nullptr;
    } else {
      scope.range = arena_.take<Range>(rows);
      for (std::int32_t i = 0; i < node.children; ++i) {
        Range*& range = scope_[node.child[i]].range;
        const TreeNode& child = out_.node[node.child[i]];
        if (range) continue;
        range = arena_.take<Range>(static_cast<std::size_t>(child.rows));
        std::fill_n(range, child.rows, whole_range(child));
      }
      bool even;
      all = node.children == 0   ? ranges<0>(node, scope.range, even)
            : node.children == 1 ? ranges<1>(node, scope.range, even)
                                 : ranges<2>(node, scope.range, even);
      if (even) scope.range = nullptr;
    }
    const std::int32_t low = low_of(all);
    const std::int32_t high = high_of(all);
    if (high < low) return false;
    node.low = low;
    node.length = high - low + 1;
    node.stride = (node.length + 4) & ~3;
    out_.rows += node.rows;
    out_.entries += node.rows * node.stride;
    std::int32_t product = 1;
    for (std::int32_t i = 0; i < node.children; ++i) product += out_.node[node.child[i]].length - 1;
    out_.longest = std::max(out_.longest, std::max(product, node.length));
    return true;
  }

  bool eliminate(std::int32_t t) {
    const std::int32_t own = order_.box[t];
    const std::int32_t* separator = order_.separator + order_.offset[t];
    const std::int32_t tied = order_.offset[t + 1] - order_.offset[t];
    Table table;
    table.digits = tied + 1;
    table.box = arena_.take<std::int32_t>(static_cast<std::size_t>(table.digits));
    table.box[0] = own;
    for (std::int32_t i = 0; i < tied; ++i) table.box[i + 1] = separator[i];
    for (std::int32_t i = 0; i < table.digits; ++i) {
      digit_[table.box[i]] = i;
      table.entries *= table.domain[i] = c_.size[table.box[i]] + 1;
    }
    // While more than two tables come in, the two shortest are multiplied first.
    std::int32_t list[2] = {kNone, kNone};
    std::int32_t children = 0;
    for (;;) {
      children = 0;
      for (std::int32_t i = first_[own]; i != kNone; i = next_[i]) {
        ++children;
        if (list[0] == kNone || out_.node[i].length < out_.node[list[0]].length) {
          list[1] = list[0];
          list[0] = i;
        } else if (list[1] == kNone || out_.node[i].length < out_.node[list[1]].length) {
          list[1] = i;
        }
      }
      if (children <= 2) break;
      const std::int32_t index = out_.nodes++;
      TreeNode& node = out_.node[index] = TreeNode{};
      node.rows = table.entries;
      node.weight = arena_.take<double>(static_cast<std::size_t>(table.entries));
      std::fill_n(node.weight, table.entries, 1.0);
      take_up(node, list, 2, table);
      if (!finish(index, table.box, table.digits)) return false;
      remove(own, list[0]);
      remove(own, list[1]);
      next_[index] = first_[own];
      first_[own] = index;
      list[0] = list[1] = kNone;
    }
    const std::int32_t index = out_.nodes++;
    TreeNode& node = out_.node[index] = TreeNode{};
    node.box = own;
    node.values = table.domain[0];
    node.rows = table.entries / node.values;
    node.weight = weights(t, table);
    node.least = least_;
    take_up(node, list, children, table);
    if (!finish(index, separator, tied)) return false;
    if (tied) {
      next_[index] = first_[separator[0]];
      first_[separator[0]] = index;
    }
    return true;
  }

  void take_up(TreeNode& node, const std::int32_t* list, std::int32_t children, const Table& table) {
    node.children = children;
    for (std::int32_t i = 0; i < children; ++i) {
      node.child[i] = list[i];
      node.row[i] = rows_of(scope_[list[i]], table);
    }
  }

  void remove(std::int32_t box, std::int32_t index) {
    std::int32_t* at = &first_[box];
    while (*at != index) at = &next_[*at];
    *at = next_[index];
  }

  const Component& c_;
  const TreeOrder& order_;
  Arena& arena_;
  TreeProgram& out_;
  Scope* scope_;               // per node
  std::int32_t* next_;         // per node: the next table that the same box takes up
  std::int32_t* first_;        // per box
  std::int32_t* clue_offset_;  // per step
  std::int32_t* clue_;
  std::int32_t* digit_;        // per box of the current table
  double* alone_;              // what boxes weigh by their own mines, one box behind the other
  std::int32_t* alone_at_;     // per box
  std::int32_t* alone_least_;  // per box: exponent of a power of two below what is not 0
  std::uint16_t* count_;       // scratch, per entry
  double* by_count_;           // scratch, per count of a clue
  std::int32_t least_;         // exponent of a power of two below the weights of the current table that are not 0
  bool lost_ = false;          // a weight was too small for a double
};

}  // namespace

bool build_tree(const Component& c, Workspace& ws, TreeProgram& out) {
  if (c.probe >= 0) return false;
  std::int32_t weighed = 0;
  for (std::int32_t q = 0; q < c.clues; ++q) weighed += c.clue[q].weight != nullptr;
  if (2 * weighed < c.clues || !weighed) return false;
  const Arena::Mark mark = ws.arena.mark();
  TreeOrder order;
  if (choose_tree(c, ws, order)) {
    if (Builder(c, order, ws, out).run() && out.rows <= ws.states_left()) {
      ws.charge(out.rows);
      ws.spend(out.entries);
      return true;
    }
  }
  ws.arena.release(mark);
  return false;
}

}  // namespace mineproof::exact

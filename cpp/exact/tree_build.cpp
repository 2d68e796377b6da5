// Filling the tables of a tree program: which rows of the children belong together, and what the clues weigh.
#include <algorithm>

#include "tree.hpp"
#include "underflow.hpp"

namespace mineproof::exact {

namespace {

constexpr std::int32_t kFar = 1 << 24;  // no number of mines

// A table on its way: its boxes and, per row, what its columns can hold.
struct Scope {
  const std::int32_t* box = nullptr;  // the first varies fastest
  std::int32_t boxes = 0;
  std::int32_t* low = nullptr;        // per row: fewest mines
  std::int32_t* high = nullptr;       // and most; fewer where no assignment below agrees with this row
};

class Builder {
 public:
  Builder(const Component& c, const TreeOrder& order, Workspace& ws, TreeProgram& out) : c_(c), order_(order), arena_(ws.arena), out_(out) {
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
    last_digit_ = arena_.take<std::int32_t>(static_cast<std::size_t>(c.clues));
    count_ = arena_.take<std::uint16_t>(kMostEntries);
    std::int32_t cells = 0;
    for (std::int32_t q = 0; q < c.clues; ++q) cells = std::max(cells, c.clue_offset[q + 1] - c.clue_offset[q]);
    by_count_ = arena_.take<double>(static_cast<std::size_t>(cells * (out.most_values - 1)) + 1);
    assign_clues();
  }

  bool run() {
    for (std::int32_t t = 0; t < c_.boxes; ++t) {
      const bool root = t + 1 == c_.boxes;
      if ((order_.offset[t + 1] == order_.offset[t]) != root) return false;  // pieces that no clue ties: not expected
      if (!eliminate(t)) return false;
    }
    return true;
  }

 private:
  static constexpr std::int32_t kNone = -1;

  // Clues by the step at which the first of their boxes is eliminated.
  void assign_clues() {
    std::int32_t* at = clue_offset_ = arena_.zeroed<std::int32_t>(static_cast<std::size_t>(c_.boxes) + 2);
    std::int32_t* step = arena_.take<std::int32_t>(static_cast<std::size_t>(c_.clues));
    clue_ = arena_.take<std::int32_t>(static_cast<std::size_t>(c_.clues));
    for (std::int32_t q = 0; q < c_.clues; ++q) {
      std::int32_t first = c_.boxes;
      for (std::int32_t e = c_.clue_offset[q]; e < c_.clue_offset[q + 1]; ++e) first = std::min(first, order_.step[c_.clue_box[e]]);
      step[q] = first;
      ++at[first + 2];
    }
    for (std::int32_t t = 0; t < c_.boxes; ++t) at[t + 2] += at[t + 1];
    for (std::int32_t q = 0; q < c_.clues; ++q) clue_[at[step[q] + 1]++] = q;
  }

  // For each entry of the box and its separator, the sum over its digits of digit times step[i]: an index or a count.
  void spread(const std::int32_t* domain, const std::int32_t* step, std::int32_t digits, std::uint16_t* to) const {
    to[0] = 0;
    std::int32_t n = 1;
    for (std::int32_t i = 0; i < digits; ++i) {
      for (std::int32_t k = 1; k < domain[i]; ++k) {
        const std::uint16_t more = static_cast<std::uint16_t>(k * step[i]);
        const std::uint16_t* __restrict from = to;
        std::uint16_t* __restrict next = to + k * n;
        for (std::int32_t e = 0; e < n; ++e) next[e] = static_cast<std::uint16_t>(from[e] + more);
      }
      n *= domain[i];
    }
  }

  // The rows of a child's table by entry of the box and its separator.
  std::uint16_t* rows_of(const Scope& child, const std::int32_t* box, const std::int32_t* domain, std::int32_t digits, std::int32_t entries) const {
    std::int32_t step[kMostTied] = {};
    std::int32_t stride = 1;
    for (std::int32_t i = 0; i < child.boxes; ++i) {
      for (std::int32_t j = 0; j < digits; ++j) {
        if (box[j] == child.box[i]) step[j] = stride;
      }
      stride *= c_.size[child.box[i]] + 1;
    }
    std::uint16_t* to = arena_.take<std::uint16_t>(static_cast<std::size_t>(entries));
    spread(domain, step, digits, to);
    return to;
  }

  // The weights of the clues settled at a step, and the ways to lay the box's mines. The table grows digit by digit, and a
  // clue is weighed in as soon as all of its boxes are there.
  double* weights(std::int32_t t, const std::int32_t* box, const std::int32_t* domain, std::int32_t digits, std::int32_t entries) {
    double* weight = arena_.take<double>(static_cast<std::size_t>(entries));
    double ways = 1;
    for (std::int32_t k = 0; k < domain[0]; ++k) {
      weight[k] = ways;
      ways = ways * (domain[0] - 1 - k) / (k + 1);
    }
    const std::int32_t begin = clue_offset_[t];
    const std::int32_t end = clue_offset_[t + 1];
    for (std::int32_t i = 1; i < digits; ++i) digit_[box[i]] = i;
    digit_[box[0]] = 0;
    for (std::int32_t i = begin; i < end; ++i) {
      std::int32_t last = 0;
      for (std::int32_t e = c_.clue_offset[clue_[i]]; e < c_.clue_offset[clue_[i] + 1]; ++e) last = std::max(last, digit_[c_.clue_box[e]]);
      last_digit_[i] = last;
    }
    std::int32_t n = 1;
    for (std::int32_t i = 0; i < digits; ++i) {
      if (i > 0) {
        for (std::int32_t k = 1; k < domain[i]; ++k) std::copy_n(weight, n, weight + k * n);
      }
      n *= domain[i];
      for (std::int32_t j = begin; j < end; ++j) {
        if (last_digit_[j] == i) weigh(clue_[j], domain, i + 1, n, weight);
      }
    }
    return weight;
  }

  // Multiplies the first n entries by the weight of a clue, whose boxes are among the first digits.
  void weigh(std::int32_t q, const std::int32_t* domain, std::int32_t digits, std::int32_t n, double* weight) const {
    const Clue& clue = c_.clue[q];
    auto of = [&](std::int32_t count) { return count < clue.low || count > clue.high ? 0.0 : clue.weight ? clue.weight[count - clue.low] : 1.0; };
    if (digits == 1) {
      for (std::int32_t k = 0; k < n; ++k) weight[k] *= of(k);
      return;
    }
    std::int32_t step[kMostTied] = {};
    std::int32_t cells = 0;
    for (std::int32_t e = c_.clue_offset[q]; e < c_.clue_offset[q + 1]; ++e) {
      step[digit_[c_.clue_box[e]]] = 1;
      cells += c_.size[c_.clue_box[e]];
    }
    spread(domain, step, digits, count_);
    for (std::int32_t k = 0; k <= cells; ++k) by_count_[k] = of(k);
    for (std::int32_t e = 0; e < n; ++e) weight[e] *= by_count_[count_[e]];
  }

  // Works out which columns a node's rows have, and strikes out entries that no child's row allows. False where no row is left.
  bool finish(std::int32_t index, const std::int32_t* box, std::int32_t boxes) {
    TreeNode& node = out_.node[index];
    Scope& scope = scope_[index];
    const std::size_t rows = static_cast<std::size_t>(node.rows);
    scope.box = box;
    scope.boxes = boxes;
    scope.low = arena_.take<std::int32_t>(2 * rows);
    scope.high = scope.low + rows;
    std::int32_t low = kFar;
    std::int32_t high = -kFar;
    std::int32_t e = 0;
    const std::uint16_t* row[2] = {node.row[0], node.row[1]};
    const Scope* child[2] = {&scope_[node.child[0]], &scope_[node.child[1]]};
    for (std::int32_t r = 0; r < node.rows; ++r) {
      std::int32_t least = kFar;
      std::int32_t most = -kFar;
      for (std::int32_t k = 0; k < node.values; ++k, ++e) {
        std::int32_t a = k;
        std::int32_t b = k;
        for (std::int32_t i = 0; i < node.children; ++i) {
          a += child[i]->low[row[i][e]];
          b += child[i]->high[row[i][e]];
        }
        const bool alive = node.weight[e] > 0 && b >= a;
        if (!alive) node.weight[e] = 0;
        least = alive && a < least ? a : least;
        most = alive && b > most ? b : most;
      }
      scope.low[r] = least;
      scope.high[r] = most;
      low = std::min(low, least);
      high = std::max(high, most);
    }
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
    const std::int32_t digits = tied + 1;
    std::int32_t* box = arena_.take<std::int32_t>(static_cast<std::size_t>(digits));
    std::int32_t domain[kMostTied];
    box[0] = own;
    std::copy_n(separator, tied, box + 1);
    std::int32_t entries = 1;
    for (std::int32_t i = 0; i < digits; ++i) entries *= domain[i] = c_.size[box[i]] + 1;
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
      node.rows = entries;
      node.weight = arena_.take<double>(static_cast<std::size_t>(entries));
      std::fill_n(node.weight, entries, 1.0);
      take_up(node, list, 2, box, domain, digits, entries);
      if (!finish(index, box, digits)) return false;
      remove(own, list[0]);
      remove(own, list[1]);
      next_[index] = first_[own];
      first_[own] = index;
      list[0] = list[1] = kNone;
    }
    const std::int32_t index = out_.nodes++;
    TreeNode& node = out_.node[index] = TreeNode{};
    node.box = own;
    node.values = domain[0];
    node.rows = entries / node.values;
    node.weight = weights(t, box, domain, digits, entries);
    take_up(node, list, children, box, domain, digits, entries);
    if (!finish(index, separator, tied)) return false;
    if (tied) {
      next_[index] = first_[separator[0]];
      first_[separator[0]] = index;
    }
    return true;
  }

  void take_up(TreeNode& node, const std::int32_t* list, std::int32_t children, const std::int32_t* box, const std::int32_t* domain, std::int32_t digits,
               std::int32_t entries) {
    node.children = children;
    for (std::int32_t i = 0; i < children; ++i) {
      node.child[i] = list[i];
      node.row[i] = rows_of(scope_[list[i]], box, domain, digits, entries);
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
  std::int32_t* last_digit_;   // per clue in that list: the last of its boxes, as a digit of the table at hand
  std::int32_t* digit_;        // per box of the table at hand
  std::uint16_t* count_;       // scratch, per entry
  double* by_count_;           // scratch, per count of a clue
};

}  // namespace

bool build_tree(const Component& c, Workspace& ws, TreeProgram& out) {
  if (c.probe >= 0) return false;
  bool weighs = false;
  for (std::int32_t q = 0; q < c.clues && !weighs; ++q) weighs = c.clue[q].weight;
  if (!weighs) return false;
  const Arena::Mark mark = ws.arena.mark();
  TreeOrder order;
  if (choose_tree(c, ws, order)) {
    clear_underflow();
    if (Builder(c, order, ws, out).run() && !underflowed() && out.rows <= ws.states_left()) {
      ws.charge(out.rows);
      ws.spend(out.entries);
      return true;
    }
  }
  ws.arena.release(mark);
  return false;
}

}  // namespace mineproof::exact

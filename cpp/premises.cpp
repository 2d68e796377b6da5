// Hitting sets by branch and bound, over a backtracking search for layouts.
#include "premises.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>
#include <utility>

namespace mineproof {

namespace {

struct OutOfSteps {};

class StepBudget {
 public:
  explicit StepBudget(std::int64_t left) : left_(left) {}
  void spend() {
    if (--left_ < 0) throw OutOfSteps{};
  }

 private:
  std::int64_t left_;
};

// A set of clues by their places.
struct Mask {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  static Mask bit(std::size_t place) {
    return place < 64 ? Mask{std::uint64_t{1} << place, 0} : Mask{0, std::uint64_t{1} << (place - 64)};
  }
  bool has(std::size_t place) const { return (place < 64 ? low >> place : high >> (place - 64)) & 1; }
  bool empty() const { return (low | high) == 0; }
  int count() const { return std::popcount(low) + std::popcount(high); }
  Mask operator|(Mask o) const { return {low | o.low, high | o.high}; }
  Mask operator&(Mask o) const { return {low & o.low, high & o.high}; }
  Mask without(Mask o) const { return {low & ~o.low, high & ~o.high}; }
  bool operator==(const Mask&) const = default;
  bool operator<(Mask o) const { return high != o.high ? high < o.high : low < o.low; }

  template <typename Work>
  void each(Work&& work) const {
    for (std::uint64_t rest = low; rest != 0; rest &= rest - 1) work(std::countr_zero(rest));
    for (std::uint64_t rest = high; rest != 0; rest &= rest - 1) work(64 + std::countr_zero(rest));
  }
};

constexpr std::int8_t kOpen = -1;

// Looks for layouts that meet some of the clues. Decisions are made clue by clue, the nearest to the
// target first, so that what cannot be met there is found before anything far away is tried.
class Layouts {
 public:
  Layouts(std::span<const PlainClue> clues, std::int32_t target, StepBudget& steps) : steps_(steps) {
    std::unordered_map<std::int32_t, std::int32_t> number;
    for (const PlainClue& clue : clues) {
      auto& cells = cells_.emplace_back();
      for (const std::int32_t cell : clue.cells) {
        const auto [at, fresh] = number.try_emplace(cell, static_cast<std::int32_t>(clues_of_.size()));
        if (fresh) clues_of_.emplace_back();
        cells.push_back(at->second);
        clues_of_[at->second].push_back(static_cast<std::int32_t>(cells_.size() - 1));
      }
      mines_.push_back(clue.mines);
    }
    const auto found = number.find(target);
    target_ = found == number.end() ? -1 : found->second;
    value_.assign(clues_of_.size(), kOpen);
    usual_.assign(clues_of_.size(), 0);
    need_.resize(cells_.size());
    free_.resize(cells_.size());
    sort_from_target();
    // Layouts near one that meets all clues break few of them.
    Mask all;
    for (std::size_t place = 0; place < cells_.size(); ++place) all = all | Mask::bit(place);
    if (find(all, false)) usual_ = found_;
  }

  bool knows_target() const { return target_ >= 0; }
  std::size_t size() const { return cells_.size(); }

  // Whether the chosen clues can be met with a mine in the target; `met` becomes what was met.
  bool meet(Mask chosen, Mask& met) {
    if (!find(chosen, true)) return false;
    met = {};
    for (std::size_t place = 0; place < cells_.size(); ++place) {
      std::int32_t mines = 0;
      for (const std::int32_t cell : cells_[place]) mines += found_[cell];
      if (mines == mines_[place]) met = met | Mask::bit(place);
    }
    return true;
  }

 private:
  void sort_from_target() {
    std::vector<char> seen(cells_.size(), 0);
    std::vector<std::int32_t> layer;
    if (target_ >= 0) layer = clues_of_[target_];
    for (const std::int32_t clue : layer) seen[clue] = 1;
    while (!layer.empty()) {
      order_.insert(order_.end(), layer.begin(), layer.end());
      std::vector<std::int32_t> next;
      for (const std::int32_t clue : layer) {
        for (const std::int32_t cell : cells_[clue]) {
          for (const std::int32_t other : clues_of_[cell]) {
            if (!seen[other]) {
              seen[other] = 1;
              next.push_back(other);
            }
          }
        }
      }
      layer = std::move(next);
    }
    for (std::size_t clue = 0; clue < cells_.size(); ++clue) {
      if (!seen[clue]) order_.push_back(static_cast<std::int32_t>(clue));
    }
  }

  bool find(Mask chosen, bool with_target) {
    chosen_ = chosen;
    std::fill(value_.begin(), value_.end(), kOpen);
    trail_.clear();
    for (std::size_t clue = 0; clue < cells_.size(); ++clue) {
      need_[clue] = mines_[clue];
      free_[clue] = static_cast<std::int32_t>(cells_[clue].size());
    }
    waiting_.clear();
    for (const std::int32_t clue : order_) {
      if (chosen_.has(clue)) waiting_.push_back(clue);
    }
    if (with_target) assign(target_, 1);
    if (!settle() || !descend(0)) return false;
    found_ = usual_;
    for (std::size_t cell = 0; cell < value_.size(); ++cell) {
      if (value_[cell] != kOpen) found_[cell] = value_[cell];
    }
    return true;
  }

  void assign(std::int32_t cell, std::int8_t mine) {
    value_[cell] = mine;
    trail_.push_back(cell);
    for (const std::int32_t clue : clues_of_[cell]) {
      need_[clue] -= mine;
      --free_[clue];
      if (chosen_.has(clue)) waiting_.push_back(clue);
    }
  }

  void undo(std::size_t length) {
    while (trail_.size() > length) {
      const std::int32_t cell = trail_.back();
      trail_.pop_back();
      for (const std::int32_t clue : clues_of_[cell]) {
        need_[clue] += value_[cell];
        ++free_[clue];
      }
      value_[cell] = kOpen;
    }
    waiting_.clear();
  }

  // What single clues settle; false where one cannot be met.
  bool settle() {
    while (!waiting_.empty()) {
      const std::int32_t clue = waiting_.back();
      waiting_.pop_back();
      const std::int32_t need = need_[clue];
      const std::int32_t open = free_[clue];
      if (need < 0 || need > open) return false;
      if (open == 0 || (need != 0 && need != open)) continue;
      const std::int8_t mine = need != 0;
      for (const std::int32_t cell : cells_[clue]) {
        if (value_[cell] == kOpen) assign(cell, mine);
      }
    }
    return true;
  }

  bool descend(std::size_t from) {
    while (from < order_.size() && (!chosen_.has(order_[from]) || free_[order_[from]] == 0)) ++from;
    if (from == order_.size()) return true;
    std::int32_t cell = -1;
    for (const std::int32_t one : cells_[order_[from]]) {
      if (value_[one] == kOpen) {
        cell = one;
        break;
      }
    }
    const std::size_t length = trail_.size();
    const std::int8_t first = usual_[cell];
    for (const std::int8_t mine : {first, static_cast<std::int8_t>(1 - first)}) {
      steps_.spend();
      assign(cell, mine);
      if (settle() && descend(from)) return true;
      undo(length);
    }
    return false;
  }

  StepBudget& steps_;
  std::int32_t target_ = -1;
  std::vector<std::vector<std::int32_t>> cells_;     // of every clue
  std::vector<std::vector<std::int32_t>> clues_of_;  // of every cell
  std::vector<std::int32_t> mines_;
  std::vector<std::int32_t> order_;  // clues, nearest to the target first
  std::vector<std::int8_t> usual_;   // the layout to stay near to
  std::vector<std::int8_t> found_;
  Mask chosen_;
  std::vector<std::int8_t> value_;
  std::vector<std::int32_t> need_, free_;
  std::vector<std::int32_t> trail_, waiting_;
};

// A minimum hitting set: fewest places, then least weight, then least.
class HittingSet {
 public:
  HittingSet(std::span<const PlainClue> clues, StepBudget& steps) : clues_(clues), steps_(steps) {}

  Mask cheapest(std::vector<Mask> sets) {
    std::sort(sets.begin(), sets.end(), [](Mask a, Mask b) { return a.count() < b.count(); });
    found_ = false;
    descend(sets, {}, {}, 0, 0);
    return best_;
  }

 private:
  std::int64_t least_weight(Mask set) const {
    std::int64_t least = INT64_MAX;
    set.each([&](std::size_t place) { least = std::min(least, clues_[place].weight); });
    return least;
  }

  void descend(const std::vector<Mask>& sets, Mask barred, Mask chosen, int count, std::int64_t weight) {
    steps_.spend();
    std::vector<Mask> left;
    left.reserve(sets.size());
    for (const Mask set : sets) {
      if (!(set & chosen).empty()) continue;
      left.push_back(set.without(barred));
      if (left.back().empty()) return;
    }
    if (left.empty()) {
      if (!found_ || count < count_ || (count == count_ && weight < weight_) ||
          (count == count_ && weight == weight_ && chosen < best_)) {
        found_ = true;
        best_ = chosen;
        count_ = count;
        weight_ = weight;
      }
      return;
    }
    // Sets that share nothing need a place each.
    int more = 0;
    std::int64_t heavier = 0;
    Mask covered;
    Mask smallest = left.front();
    for (const Mask set : left) {
      if (set.count() < smallest.count()) smallest = set;
      if (!(set & covered).empty()) continue;
      covered = covered | set;
      ++more;
      heavier += least_weight(set);
    }
    if (found_ && (count + more > count_ || (count + more == count_ && weight + heavier > weight_))) return;
    std::vector<std::pair<std::int64_t, std::size_t>> branches;
    smallest.each([&](std::size_t place) { branches.emplace_back(clues_[place].weight, place); });
    std::sort(branches.begin(), branches.end());
    for (const auto& [cost, place] : branches) {
      descend(left, barred, chosen | Mask::bit(place), count + 1, weight + cost);
      barred = barred | Mask::bit(place);
    }
  }

  std::span<const PlainClue> clues_;
  StepBudget& steps_;
  bool found_ = false;
  Mask best_;
  int count_ = 0;
  std::int64_t weight_ = 0;
};

// A set that every proof hits: the clues that a counterexample breaks, a layout that meets as many as it can.
Mask broken_by(Layouts& layouts, Mask met, std::span<const std::size_t> dearest_first) {
  Mask broken;
  for (const std::size_t place : dearest_first) {
    if (met.has(place)) continue;
    Mask more;
    if (layouts.meet(met | Mask::bit(place), more)) {
      met = more;
    } else {
      broken = broken | Mask::bit(place);
    }
  }
  return broken;
}

}  // namespace

FewestClues fewest_clues(std::span<const PlainClue> clues, std::int32_t target, std::int64_t limit) {
  StepBudget steps(limit);
  try {
    Layouts layouts(clues, target, steps);
    Mask all;
    std::vector<std::size_t> dearest_first;
    for (std::size_t place = 0; place < clues.size(); ++place) {
      all = all | Mask::bit(place);
      dearest_first.push_back(place);
    }
    std::sort(dearest_first.begin(), dearest_first.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(clues[a].weight, a) > std::pair(clues[b].weight, b);
    });
    Mask met;
    if (!layouts.knows_target() || layouts.meet(all, met)) return {FewestClues::End::kNotForced, {}};
    HittingSet hitting(clues, steps);
    std::vector<Mask> corrections;
    while (true) {
      Mask chosen = hitting.cheapest(corrections);
      if (!layouts.meet(chosen, met)) {
        FewestClues fewest{FewestClues::End::kForced, {}};
        chosen.each([&](std::size_t place) { fewest.places.push_back(static_cast<std::int32_t>(place)); });
        return fewest;
      }
      // Sets that share nothing raise the bound at once.
      do {
        const Mask broken = broken_by(layouts, met, dearest_first);
        corrections.push_back(broken);
        chosen = chosen | broken;
      } while (layouts.meet(chosen, met));
    }
  } catch (const OutOfSteps&) {
    return {FewestClues::End::kTooMuch, {}};
  }
}

}  // namespace mineproof

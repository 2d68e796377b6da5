// Greedy orders, filtered by estimate and raced.
//
// Estimates of what an order costs may be twofold off in either direction, so on wide components the best few are
// raced: their states are counted, without polynomials, under growing caps.
#include "order.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "greedy_order.hpp"
#include "logarithm.hpp"
#include "order_width.hpp"
#include "path.hpp"

namespace mineproof::exact {

namespace {

// Costs in nanoseconds.
constexpr double kTry = 150;         // one more order, a box
constexpr double kTryWeighed = 300;  // the same with weights
constexpr double kEntry = 0.25;      // spent on trying for each entry that is expected, with weights
constexpr double kCount = 12;        // counting a state
constexpr double kProgram = 60;      // a state of the program

constexpr double kSmall = 9;         // log2 of states a box: what could be saved is less than what looking costs
constexpr double kSureWeighed = 22;  // below, with weights, counting would cost more than a wrong choice
constexpr double kAbove = 8.5;       // log2 of how far estimates lie above the truth
constexpr double kNoEstimate = 1e9;
constexpr std::uint64_t kTries = 800;
constexpr std::uint64_t kHopelessTries = 60;  // far past the budget, more tries bring no component within reach
constexpr int kFinalists = 3;

// So many states tell how far the estimate of a component lies above the truth; of the logarithm of what they foretell,
// this share is believed.
struct Glance {
  std::int64_t states;
  double belief;
};
constexpr Glance kGlances[] = {{1 << 20, 0.85}, {1 << 23, 0.9}};

Order blank(const Component& c, Arena& arena) {
  const std::size_t clues = static_cast<std::size_t>(c.clues);
  std::int32_t* p = arena.take<std::int32_t>(static_cast<std::size_t>(c.boxes) + 2 * clues);
  return {p, p + c.boxes, p + c.boxes + c.clues, kNoEstimate};
}

void copy(const Component& c, const Order& from, Order& to) {
  std::copy_n(from.box, c.boxes, to.box);
  std::copy_n(from.first, c.clues, to.first);
  std::copy_n(from.last, c.clues, to.last);
  to.estimate = from.estimate;
}

// Further orders, with other starts, styles and noise. Trying goes on as long as it costs less than a part of what the
// best order so far is expected to cost.
class Race {
 public:
  Race(const Component& c, GreedyOrder& greedy, OrderWidth& width, Workspace& ws, Order& best)
      : c_(c), greedy_(greedy), width_(width), ws_(ws), best_(best), trial_(blank(c, ws.arena)) {
    greedy.prepare_styles(ws.arena);
    for (Order& o : finalist_) o = blank(c, ws.arena);
    hopeless_ = std::log2(static_cast<double>(std::max<std::int64_t>(ws.states_left(), 1))) + kAbove + 16;
  }

  void run() {
    if (width_.weighs()) {
      while (may_try() && spent_ < kEntry * std::exp2(std::min(best_estimate(), 60.0))) attempt(kTryWeighed);
      if (best_estimate() < kSureWeighed) return take_best_estimate();
    } else {
      while (may_try() && spent_ < kProgram / 4 * std::exp2(best_estimate() - kAbove)) attempt(kTry);
    }
    count_finalists();
  }

 private:
  double best_estimate() const {
    double least = best_.estimate;
    for (const Order& o : finalist_) least = std::min(least, o.estimate);
    return least;
  }
  bool may_try() const { return tries_ < (best_estimate() < hopeless_ ? kTries : kHopelessTries); }

  void attempt(double cost) {
    spent_ += cost * c_.boxes;
    noise_ = noise_ * 6364136223846793005u + 1442695040888963407u;
    std::int32_t from = static_cast<std::int32_t>((noise_ >> 33) % static_cast<std::uint64_t>(c_.clues));
    if (tries_ % 2) from = greedy_.measure(from);
    greedy_.measure(from);
    const Style style{noise_, tries_ % 3 ? 60.0 : 16.0, static_cast<double>(tries_ % 5) * 6};
    greedy_.run(from, style, trial_);
    trial_.estimate = width_.estimate(trial_);
    ++tries_;
    ws_.spend(c_.boxes * 40);
    Order* worst = finalist_;
    for (Order& o : finalist_) {
      if (o.estimate == trial_.estimate) return;  // most likely the same order
      if (o.estimate > worst->estimate) worst = &o;
    }
    if (trial_.estimate < worst->estimate) copy(c_, trial_, *worst);
  }

  void take_best_estimate() {
    for (const Order& o : finalist_) {
      if (o.estimate < best_.estimate) copy(c_, o, best_);
    }
  }

  // Counts the states of an order up to `least_`; true where they are no more. An order along which the clues clash is
  // as good as one that comes to its end: compiling it tells as much.
  bool count(const Order& order) {
    const Progress p = count_states(c_, order, least_, ws_);
    spent_ += kCount * static_cast<double>(p.states);
    if (p.states > least_) return false;
    least_ = p.states;
    return known_ = true;
  }

  // Whether the component seems far past the budget. The first layers of the best order are counted: the logarithm of
  // the estimate is too large by about the same factor in all of them. That is a rule of thumb, hence the margin.
  bool is_far_past(std::int64_t all) {
    const double most = std::log2(static_cast<double>(std::max<std::int64_t>(all, 1)));
    if (best_estimate() < most + kAbove + 2) return false;
    const Order& finalist = *std::min_element(finalist_, finalist_ + kFinalists,
                                              [](const Order& a, const Order& b) { return a.estimate < b.estimate; });
    const Order& order = best_.estimate < finalist.estimate ? best_ : finalist;
    for (const Glance& glance : kGlances) {
      if (glance.states > all) return false;  // counting tells as soon
      const Progress seen = count_states(c_, order, glance.states, ws_);
      if (seen.steps == c_.boxes || seen.states <= glance.states) return false;  // all, or the clues clash
      const double truth = std::log2(static_cast<double>(seen.states));
      const double share = truth / std::max(width_.estimate(order, seen.steps), truth);
      if (glance.belief * share * order.estimate > most) return true;
    }
    return false;
  }

  // Estimates mislead: the best are counted, under caps that grow until one is within; then some more as long as it
  // pays.
  void count_finalists() {
    const std::int64_t all = ws_.states_left();
    if (is_far_past(all)) throw BudgetExceeded("that is far past the budget of " + std::to_string(all) + " states");
    const double expected = std::exp2(std::min(best_estimate() - kAbove + 2, 40.0));
    least_ = std::clamp<std::int64_t>(static_cast<std::int64_t>(expected), 1 << 14, all);
    for (bool first = true;; first = false) {
      std::sort(finalist_, finalist_ + kFinalists,
                [](const Order& a, const Order& b) { return a.estimate < b.estimate; });
      for (Order& o : finalist_) {
        if (o.estimate < kNoEstimate && count(o)) copy(c_, o, best_);
        if (known_) o.estimate = kNoEstimate;
      }
      if (first) count(best_);
      if (!known_) {
        if (least_ >= all) return;  // compiling will say so
        least_ = std::min(least_ * 4, all);
        continue;
      }
      const double worth = kCount * static_cast<double>(least_) / (kTry * c_.boxes);
      const int batch = static_cast<int>(std::clamp(worth, 4.0, 100.0));
      if (2 * (spent_ + batch * kTry * c_.boxes) > kProgram * static_cast<double>(least_)) return;
      for (int i = 0; i < batch; ++i) attempt(kTry);
    }
  }

  const Component& c_;
  GreedyOrder& greedy_;
  OrderWidth& width_;
  Workspace& ws_;
  Order& best_;
  Order trial_;
  Order finalist_[kFinalists];
  double hopeless_;
  std::uint64_t noise_ = 0x9e3779b97f4a7c15u;
  std::uint64_t tries_ = 0;
  double spent_ = 0;
  std::int64_t least_ = 0;  // states of the best order, where known_; else a cap
  bool known_ = false;
};

// Whether the first order will do.
bool good_enough(const Component& c, const OrderWidth& width, double estimate) {
  if (width.weighs()) return kEntry * std::exp2(std::min(estimate, 60.0)) < kTryWeighed * c.boxes;
  return estimate <= kSmall + std::log2(c.boxes);
}

// Whether it will do plainly: no layer can have more than 2^kSmall states, whatever is impossible. A layer has at most
// the product of the ranges of its open clues.
bool plainly_good_enough(const Component& c, const Order& order, Arena& arena) {
  double* change = arena.zeroed<double>(static_cast<std::size_t>(c.boxes) + 1);
  for (std::int32_t q = 0; q < c.clues; ++q) {
    if (c.clue[q].weight) return false;
    const double range = kLog2(c.clue[q].high + 1);
    change[order.first[q]] += range;
    change[order.last[q]] -= range;
  }
  constexpr double kRounding = 1e-9;
  double width = 0;
  double most = 0;
  for (std::int32_t t = 0; t < c.boxes; ++t) most = std::max(most, width += change[t]);
  return most <= kSmall - kRounding;
}

}  // namespace

Order choose_order(const Component& c, Workspace& ws) {
  constexpr std::int32_t kFewBoxes = 10;
  Arena& arena = ws.arena;
  Order best = blank(c, arena);
  if (c.clues == 1) {
    for (std::int32_t b = 0; b < c.boxes; ++b) best.box[b] = b;
    best.first[0] = 0;
    best.last[0] = c.probe == 0 ? c.boxes : c.boxes - 1;
    return best;
  }
  const Arena::Mark mark = arena.mark();
  GreedyOrder greedy(c, arena);
  greedy.run(greedy.start(), best);
  if (c.boxes > kFewBoxes) ws.spend(c.boxes * 20);
  if (c.boxes > kFewBoxes && !plainly_good_enough(c, best, arena)) {
    OrderWidth width(c, arena);
    best.estimate = width.estimate(best);
    if (!good_enough(c, width, best.estimate)) Race(c, greedy, width, ws, best).run();
  }
  arena.release(mark);
  return best;
}

}  // namespace mineproof::exact

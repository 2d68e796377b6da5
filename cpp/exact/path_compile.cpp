// Compiling a path program: its states are found layer by layer, and its edges kept.
#include <string>
#include <utility>

#include "path_step.hpp"
#include "short_compiler.hpp"
#include "underflow.hpp"

namespace mineproof::exact {

namespace {

// From which number of states on dead ends are worth taking out.
constexpr std::int64_t kWorthTrimming = 600;
// States of a layer that there is room for from the start.
constexpr std::size_t kFirstRoom = 32;

// The windows of mine counts of the states of a layer, while it is made.
class Windows {
 public:
  explicit Windows(Arena& arena) : arena_(arena) { make_room(kFirstRoom); }

  void make_room(std::size_t states) {
    if (capacity_ >= states) return;
    capacity_ = 2 * states;
    low_ = arena_.take<std::int32_t>(capacity_);
    high_ = arena_.take<std::int32_t>(capacity_);
  }
  void make(std::uint32_t state) { high_[state] = -1; }
  // Counts low..high reach a state. `gap` becomes the farthest that two neighbouring counts may be apart.
  void reach(std::uint32_t state, std::int32_t low, std::int32_t high, std::int32_t& gap) {
    if (high_[state] < 0) {
      low_[state] = low;
      high_[state] = high;
    } else {
      gap = std::max(gap, std::max(low - high_[state], low_[state] - high));
      low_[state] = std::min(low_[state], low);
      high_[state] = std::max(high_[state], high);
    }
  }
  // A layer of these states, still without edges.
  Layer layer(std::uint32_t states) const {
    Layer made;
    made.states = states;
    made.low = arena_.take<std::int32_t>(states);
    made.offset = arena_.take<std::uint32_t>(states + 1);
    std::uint32_t offset = 0;
    for (std::uint32_t i = 0; i < states; ++i) {
      made.low[i] = low_[i];
      made.offset[i] = offset;
      offset += static_cast<std::uint32_t>(high_[i] - low_[i] + 1);
    }
    made.offset[states] = offset;
    return made;
  }

 private:
  Arena& arena_;
  std::int32_t* low_ = nullptr;
  std::int32_t* high_ = nullptr;
  std::size_t capacity_ = 0;
};

template <class Key>
class Compiler {
 public:
  Compiler(const Component& c, const Order& order, Workspace& ws, PathProgram& out)
      : c_(c), ws_(ws), out_(out), stepper_(c, order, ws), windows_(ws.arena) {
    out.steps = c.boxes;
    out.box = order.box;
    out.size = c.size;
    out.layer = ws.arena.take<Layer>(static_cast<std::size_t>(c.boxes) + 1);
    out.states = out.entries = 1;
    out.widest = 1;
    out.gap = 1;
    out.weighs = false;
    now_.make_room(kFirstRoom, ws.arena);
    then_.make_room(kFirstRoom, ws.arena);
    now_.data[0] = Key{0};
    windows_.make(0);
    std::int32_t gap = 1;
    windows_.reach(0, 0, 0, gap);
    out.layer[0] = windows_.layer(1);
  }

  // False when no state is left.
  bool run() {
    for (std::int32_t t = 0; t < c_.boxes; ++t) {
      const std::uint32_t made = step(t);
      ws_.charge(made);
      if (!made) return false;
      Layer& following = out_.layer[t + 1] = windows_.layer(made);
      out_.states += made;
      out_.entries += following.offset[made];
      out_.widest = std::max(out_.widest, made);
      std::swap(now_, then_);
      stepper_.end();
    }
    name_final_states();
    // With weights always: dead ends must not set the scale of a layer.
    if (out_.states > kWorthTrimming || out_.weighs) trim(out_, ws_);
    return true;
  }

 private:
  // The edges of layer t; the states of the next one are left in `then_`. Gives their number.
  std::uint32_t step(std::int32_t t) {
    Arena& arena = ws_.arena;
    Layer& layer = out_.layer[t];
    const std::size_t n = layer.states;
    const Step<Key>& s = stepper_.begin(t, now_.data, n);
    const std::size_t lists = static_cast<std::size_t>(s.lists);
    const std::size_t most = n * lists;
    then_.make_room(most, arena);
    windows_.make_room(most);
    layer.lists = s.lists;
    layer.next = arena.take<std::uint32_t>(most);
    std::fill_n(layer.next, most, kDead);
    layer.factor = s.weighs ? arena.take<double>(most) : nullptr;
    out_.weighs = out_.weighs || s.weighs;
    Windows windows = windows_;  // a copy, so that its pointers stay in registers
    std::int32_t gap = out_.gap;
    double least = 1;
    std::uint32_t made = 0;
    Key* key = then_.data;
    std::uint32_t* next = layer.next;
    double* factor = layer.factor;
    const std::int32_t* low = layer.low;
    const std::uint32_t* offset = layer.offset;
    stepper_.take(
        now_.data, n,
        [&](Key found) {
          key[made] = found;
          windows.make(made);
          if ((made & 0xffff) == 0xffff) ws_.spend(0x40000);
          return made++;
        },
        [&](std::size_t i, std::int32_t k, std::uint32_t target, double weight) {
          const std::size_t e = i * lists + static_cast<std::size_t>(k);
          next[e] = target;
          if (factor) {
            factor[e] = weight;
            least = std::min(least, weight);
          }
          const std::int32_t first = low[i] + k;
          windows.reach(target, first, first + static_cast<std::int32_t>(offset[i + 1] - offset[i]) - 1, gap);
        });
    out_.gap = gap;
    layer.least_factor = exponent_of(least);
    ws_.spend(static_cast<std::int64_t>(most) * 4 + 20);
    return made;
  }

  // A final state for every count of the probe; one state where there is none.
  void name_final_states() {
    const Layer& last = out_.layer[c_.boxes];
    out_.final_count = ws_.arena.zeroed<std::int32_t>(last.states);
    if (c_.probe < 0) return;
    for (std::uint32_t i = 0; i < last.states; ++i) {
      out_.final_count[i] =
          c_.clue[c_.probe].high - static_cast<std::int32_t>(static_cast<std::uint64_t>(now_.data[i]));
    }
  }

  const Component& c_;
  Workspace& ws_;
  PathProgram& out_;
  Stepper<Key> stepper_;
  Windows windows_;
  Growing<Key> now_;
  Growing<Key> then_;
};

enum class Compiled : std::uint8_t { yes, clash, not_short };

Compiled compile_short(const Component& c, const Order& order, Workspace& ws, PathProgram& out) {
  // Where the budget is small it is counted step by step.
  if (ws.states_left() < c.boxes * static_cast<std::int64_t>(ShortCompiler::kMost)) return Compiled::not_short;
  for (std::int32_t q = 0; q < c.clues; ++q) {
    if (c.clue[q].weight) return Compiled::not_short;
  }
  const Arena::Mark mark = ws.arena.mark();
  ShortCompiler compiler(c, order, ws, out);
  if (!compiler.run()) {
    ws.arena.release(mark);
    return Compiled::not_short;
  }
  if (compiler.clash()) return Compiled::clash;
  if (out.states > kWorthTrimming) trim(out, ws);
  return Compiled::yes;
}

}  // namespace

bool compile_path(const Component& component, const Order& order, Workspace& workspace, PathProgram& out) {
  const Compiled compiled = compile_short(component, order, workspace, out);
  if (compiled != Compiled::not_short) return compiled == Compiled::yes;
  const std::int32_t bits = key_bits(component, order);
  if (bits <= kBits<Narrow>) return Compiler<Narrow>(component, order, workspace, out).run();
  if (bits <= kBits<Double>) return Compiler<Double>(component, order, workspace, out).run();
  if (bits <= kBits<Quad>) return Compiler<Quad>(component, order, workspace, out).run();
  throw BudgetExceeded("a frontier of " + std::to_string(bits) + " bits is too wide for the path program");
}

}  // namespace mineproof::exact

// Compiling a path program: its states step by step, its edges, and what of them can be dropped.
#include <string>
#include <type_traits>
#include <utility>

#include "frontier.hpp"
#include "path.hpp"
#include "path_short.hpp"
#include "underflow.hpp"

namespace mineproof::exact {

std::int32_t key_bits(const Component& c, const Order& order) {
  std::int32_t bits = 0;
  std::int32_t most = 0;
  for (std::int32_t q = 0; q < c.clues && bits <= kBits<Narrow>; ++q) bits += field_width(c.clue[q]);
  if (bits <= kBits<Narrow>) return bits;  // all clues together fit the narrowest keys
  bits = 0;
  for (std::int32_t t = 0; t < c.boxes; ++t) {
    const std::int32_t b = order.box[t];
    for (std::int32_t e = c.box_offset[b]; e < c.box_offset[b + 1]; ++e) {
      if (order.first[c.box_clue[e]] == t) bits += field_width(c.clue[c.box_clue[e]]);
    }
    most = std::max(most, bits);
    for (std::int32_t e = c.box_offset[b]; e < c.box_offset[b + 1]; ++e) {
      if (order.last[c.box_clue[e]] == t) bits -= field_width(c.clue[c.box_clue[e]]);
    }
  }
  return most;
}

// ------------------------------------------------------------- one step: from the states of a layer to the next

// The maps of frontier.hpp keep the order of keys, so a sorted layer gives sorted candidate lists, one per number of
// mines, and the next layer is their merge: states that a closing makes equal are neighbours. Where clues have weights
// most combinations of fields occur and layers are long; there, as long as keys are narrow, states are looked up in a
// table.

template <class Key>
void insert_fields(const Step<Key>& s, Key* key, std::size_t n) {
  for (std::int32_t j = 0; j < s.insertions; ++j) {
    const Insertion<Key> in = s.insertion[j];
    const Key above = ~in.below;
    for (std::size_t i = 0; i < n; ++i) key[i] = (key[i] & in.below) | ((key[i] & above) << in.width) | in.value;
  }
}

// A buffer that grows; the arena gets it back at the end of the walk.
template <class T>
struct GrowthBuffer {
  T* data = nullptr;
  std::size_t capacity = 0;

  // Room for at least `size`; what was in it is lost where it grows.
  void make_room(std::size_t size, Arena& arena) {
    if (capacity >= size) return;
    capacity = size * 2;
    data = arena.take<T>(capacity);
  }
};

// The candidate lists of a merge, one for each number of mines in a box.
template <class Key>
struct MergeLists {
  std::size_t* cursor;  // the state that a list has come to,
  Key* head;            // the key it has there afterwards,
  double* factor;       // and the weight of the clues that close
  Key* less;            // what is subtracted from keys

  MergeLists(const Component& c, Arena& arena) {
    std::int32_t largest = 0;
    for (std::int32_t b = 0; b < c.boxes; ++b) largest = std::max(largest, c.size[b]);
    const std::size_t lists = static_cast<std::size_t>(largest) + 1;
    cursor = arena.take<std::size_t>(lists);
    head = arena.take<Key>(lists);
    less = arena.take<Key>(lists);
    factor = arena.take<double>(lists);
  }
};

// One step over a sorted layer: calls make(key) for every new state in order and edge(state, k, target, factor) for
// every (state, k) that is possible.
template <class Key, class Make, class Edge>
void merge(const Frontier<Key>& frontier, const MergeLists<Key>& use, const Key* key, std::size_t n, Make&& make,
           Edge&& edge) {
  const Step<Key>& s = frontier.step();
  const Key none = ~Key{0};
  const std::int32_t lists = s.lists;
  std::size_t* cursor = use.cursor;
  Key* head = use.head;
  double* factor = use.factor;
  Key* less = use.less;
  // Moves list k to its next possible candidate at or after its cursor.
  auto seek = [&](std::int32_t k, const Key subtracted) {
    std::size_t i = cursor[k];
    for (; i < n; ++i) {
      const Key x = (key[i] | s.guards) - subtracted;
      if ((x & s.guards) == s.guards && ((s.ceiling - (x & s.body)) & s.guards) == s.guards) {
        const Key y = x ^ s.guards;
        if (s.weighs) {
          factor[k] = frontier.closing_weight(y);
          if (factor[k] == 0) continue;
        }
        head[k] = y >> s.dropped;
        cursor[k] = i;
        return;
      }
    }
    head[k] = none;
    cursor[k] = n;
  };
  Key sum{0};
  for (std::int32_t k = 0; k < lists; ++k) {
    less[k] = sum;
    sum = sum + s.mask;
    cursor[k] = 0;
    factor[k] = 1;
    seek(k, less[k]);
  }
  for (;;) {
    Key least = head[0];
    for (std::int32_t k = 1; k < lists; ++k) least = head[k] < least ? head[k] : least;
    if (least == none) return;
    const std::uint32_t target = make(least);
    for (std::int32_t k = 0; k < lists; ++k) {
      while (head[k] == least) {
        edge(cursor[k], k, target, factor[k]);
        ++cursor[k];
        seek(k, less[k]);
      }
    }
  }
}

// The same as merge(), with states in the order in which they are found.
template <class Make, class Edge>
void look_up(const Frontier<Narrow>& frontier, StateTable& table, const Narrow* key, std::size_t n, Make&& make,
             Edge&& edge) {
  const Step<Narrow>& s = frontier.step();
  table.clear(n * static_cast<std::size_t>(s.lists));
  std::uint32_t made = 0;
  for (std::size_t i = 0; i < n; ++i) {
    Narrow x = key[i] | s.guards;
    for (std::int32_t k = 0; k < s.lists; ++k, x -= s.mask) {
      if ((x & s.guards) != s.guards) break;  // too many mines, and more are no better
      double weight = 1;
      bool possible = ((s.ceiling - (x & s.body)) & s.guards) == s.guards;
      if (possible && s.weighs) possible = (weight = frontier.closing_weight(x ^ s.guards)) > 0;
      if (!possible) continue;
      const Narrow y = (x ^ s.guards) >> s.dropped;
      const std::uint32_t target = table.find(y, made);
      if (target == made) {
        make(y);
        ++made;
      }
      edge(i, k, target, weight);
    }
  }
}

// Takes the steps of a path one after the other, whichever way suits the keys.
template <class Key>
class Stepper {
 public:
  Stepper(const Component& c, const Order& order, Workspace& ws)
      : frontier_(c, order, ws.arena),
        lists_(c, ws.arena),
        short_lists_(ws.scratch),
        table_(ws.arena),
        looks_up_(std::is_same_v<Key, Narrow> && has_weights(c)) {
    ws.scratch.clear();
  }

  // Begins step t: inserts the fields of the clues that open into the keys of its layer.
  const Step<Key>& begin(std::int32_t t, Key* key, std::size_t n) {
    const Step<Key>& s = frontier_.begin(t);
    insert_fields(s, key, n);
    return s;
  }
  // See merge().
  template <class Make, class Edge>
  void take(const Key* key, std::size_t n, Make&& make, Edge&& edge) {
    if constexpr (std::is_same_v<Key, Narrow>) {
      if (looks_up_) return look_up(frontier_, table_, key, n, make, edge);
      const Step<Narrow>& s = frontier_.step();
      if (n * static_cast<std::size_t>(s.lists) <= ShortLists<Narrow>::kMost)
        return short_lists_.merge(s, key, n, make, edge);
    }
    merge(frontier_, lists_, key, n, make, edge);
  }
  void end() { frontier_.end(); }

 private:
  static bool has_weights(const Component& c) {
    return std::any_of(c.clue, c.clue + c.clues, [](const Clue& clue) { return clue.weight != nullptr; });
  }

  Frontier<Key> frontier_;
  MergeLists<Key> lists_;
  ShortLists<Narrow> short_lists_;
  StateTable table_;
  bool looks_up_;
};

// ----------------------------------------------------- compiling: states are found layer by layer, edges kept

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
  GrowthBuffer<Key> now_;
  GrowthBuffer<Key> then_;
};

enum class ShortOutcome : std::uint8_t { yes, clash, not_short };

ShortOutcome compile_short(const Component& c, const Order& order, Workspace& ws, PathProgram& out) {
  // Where the budget is small it is counted step by step.
  if (ws.states_left() < c.boxes * static_cast<std::int64_t>(ShortCompiler::kMost)) return ShortOutcome::not_short;
  for (std::int32_t q = 0; q < c.clues; ++q) {
    if (c.clue[q].weight) return ShortOutcome::not_short;
  }
  const Arena::Mark mark = ws.arena.mark();
  ShortCompiler compiler(c, order, ws, out);
  if (!compiler.run()) {
    ws.arena.release(mark);
    return ShortOutcome::not_short;
  }
  if (compiler.clash()) return ShortOutcome::clash;
  if (out.states > kWorthTrimming) trim(out, ws);
  return ShortOutcome::yes;
}

}  // namespace

bool compile_path(const Component& component, const Order& order, Workspace& workspace, PathProgram& out) {
  const ShortOutcome compiled = compile_short(component, order, workspace, out);
  if (compiled != ShortOutcome::not_short) return compiled == ShortOutcome::yes;
  const std::int32_t bits = key_bits(component, order);
  if (bits <= kBits<Narrow>) return Compiler<Narrow>(component, order, workspace, out).run();
  if (bits <= kBits<Double>) return Compiler<Double>(component, order, workspace, out).run();
  if (bits <= kBits<Quad>) return Compiler<Quad>(component, order, workspace, out).run();
  throw BudgetExceeded("a frontier of " + std::to_string(bits) + " bits is too wide for the path program");
}

// ------------------------------------------------------- counting the states, for the choice of an order

namespace {

template <class Key>
Progress count_states_with(const Component& c, const Order& order, std::int64_t cap, Workspace& ws) {
  const Arena::Mark mark = ws.arena.mark();
  Stepper<Key> stepper(c, order, ws);
  GrowthBuffer<Key> now{ws.arena.take<Key>(1), 1};
  GrowthBuffer<Key> then{};
  now.data[0] = Key{0};
  std::size_t n = 1;
  std::int64_t total = 1;
  std::int32_t t = 0;
  for (; t < c.boxes && n && total <= cap; ++t) {
    const Step<Key>& s = stepper.begin(t, now.data, n);
    const std::size_t most = n * static_cast<std::size_t>(s.lists);
    then.make_room(most, ws.arena);
    std::uint32_t made = 0;
    stepper.take(
        now.data, n,
        [&](Key key) {
          then.data[made] = key;
          if ((made & 0xffff) == 0xffff) ws.spend(0x30000);
          return made++;
        },
        [](std::size_t, std::int32_t, std::uint32_t, double) {});
    ws.spend(static_cast<std::int64_t>(most) * 3 + 20);
    n = made;
    total += made;
    std::swap(now, then);
    stepper.end();
  }
  ws.arena.release(mark);
  return {total, t};
}

}  // namespace

Progress count_states(const Component& component, const Order& order, std::int64_t cap, Workspace& workspace) {
  const std::int32_t bits = key_bits(component, order);
  if (bits <= kBits<Narrow>) return count_states_with<Narrow>(component, order, cap, workspace);
  if (bits <= kBits<Double>) return count_states_with<Double>(component, order, cap, workspace);
  if (bits <= kBits<Quad>) return count_states_with<Quad>(component, order, cap, workspace);
  return {cap + 1, 0};
}

// --------------------------------------------------------------------------- which states lead to an end

void trim(PathProgram& p, Workspace& ws) {
  const Arena::Mark mark = ws.arena.mark();
  std::uint32_t** renamed = ws.arena.take<std::uint32_t*>(static_cast<std::size_t>(p.steps) + 1);
  const std::uint32_t finals = p.layer[p.steps].states;
  renamed[p.steps] = ws.arena.take<std::uint32_t>(finals);
  for (std::uint32_t i = 0; i < finals; ++i) renamed[p.steps][i] = i;
  p.states = finals;
  p.entries = p.layer[p.steps].offset[finals];
  p.widest = finals;
  for (std::int32_t t = p.steps - 1; t >= 0; --t) {
    Layer& l = p.layer[t];
    const std::size_t lists = static_cast<std::size_t>(l.lists);
    const std::uint32_t* target = renamed[t + 1];
    std::uint32_t* name = renamed[t] = ws.arena.take<std::uint32_t>(l.states);
    std::uint32_t kept = 0;
    std::uint32_t offset = 0;
    for (std::uint32_t i = 0; i < l.states; ++i) {
      const std::uint32_t* from = l.next + i * lists;
      std::uint32_t* to = l.next + kept * lists;  // never ahead of `from`
      bool alive = false;
      const std::uint32_t window = l.offset[i + 1] - l.offset[i];
      for (std::size_t k = 0; k < lists; ++k) {
        const std::uint32_t next = from[k] == kDead ? kDead : target[from[k]];
        to[k] = next;
        if (l.factor) l.factor[kept * lists + k] = l.factor[i * lists + k];
        alive = alive || next != kDead;
      }
      name[i] = alive ? kept : kDead;
      if (!alive) continue;
      l.low[kept] = l.low[i];
      l.offset[kept] = offset;
      offset += window;
      ++kept;
    }
    ws.spend(static_cast<std::int64_t>(l.states) * l.lists);
    l.offset[kept] = offset;
    l.states = kept;
    p.states += kept;
    p.entries += offset;
    p.widest = std::max(p.widest, kept);
  }
  ws.arena.release(mark);
}

void find_box_support(const PathProgram& p, Workspace& ws, BoxOdds* odds) {
  const Arena::Mark mark = ws.arena.mark();
  std::size_t most = 1;
  for (std::int32_t t = 0; t <= p.steps; ++t) most = std::max<std::size_t>(most, p.layer[t].states);
  std::uint8_t* now = ws.arena.take<std::uint8_t>(most);
  std::uint8_t* then = ws.arena.take<std::uint8_t>(most);
  std::fill_n(then, p.layer[p.steps].states, std::uint8_t{1});
  for (std::int32_t t = p.steps - 1; t >= 0; --t) {
    const Layer& l = p.layer[t];
    const std::int32_t size = p.size[p.box[t]];
    std::uint8_t mine = 0;
    std::uint8_t safe = 0;
    const std::uint32_t* next = l.next;
    for (std::uint32_t i = 0; i < l.states; ++i) {
      std::uint8_t alive = 0;
      for (std::int32_t k = 0; k < l.lists; ++k, ++next) {
        const std::uint8_t can = *next == kDead ? 0 : then[*next];
        alive |= can;
        mine |= k > 0 ? can : 0;
        safe |= k < size ? can : 0;
      }
      now[i] = alive;
    }
    ws.spend(static_cast<std::int64_t>(l.states) * l.lists);
    BoxOdds& o = odds[p.box[t]];
    o.can_be_mine = mine;
    o.can_be_safe = safe;
    std::swap(now, then);
  }
  ws.arena.release(mark);
}

}  // namespace mineproof::exact

// Finding the states of a path program.
//
// Key of a state: one field per open clue, holding high - (mines so far), so a field runs from high down to 0, with a
// guard bit above it. Fields are ordered by the step at which their clue closes, the first to close lowest. Opening a
// clue inserts a constant field, closing drops the lowest one, placing k mines subtracts k from several fields: each of
// these maps keeps the order of keys, so a sorted layer gives sorted candidate lists, one per k, and the next layer is
// their merge: states that a closing makes equal are neighbours. Where clues have weights most combinations of fields
// occur and layers are long; there, as long as keys are narrow, states are looked up in a table instead.
#include <bit>
#include <limits>

#include "key.hpp"
#include "path.hpp"
#include "state_table.hpp"

namespace mineproof::exact {

namespace {

int field_width(const Clue& clue) { return std::bit_width(static_cast<std::uint32_t>(clue.high)) + 1; }

// Open clues in key order with their positions, and the keys' arithmetic for one step.
struct Field {
  std::int32_t clue;
  std::int32_t last;
  std::int32_t position;
  std::int32_t width;
};

template <class Key>
struct Insertion {
  int position;
  int width;
  Key below;
  Key value;
};

struct Frontier {
  Field* open;
  std::int32_t count = 0;
  std::int32_t bits = 0;
};

// Most bits that the keys of an order need at any step.
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

// The arithmetic of one step.
template <class Key>
struct Step {
  Insertion<Key>* insertion;
  std::int32_t insertions = 0;
  Key mask{};       // 1 in each field of the box
  Key guards{};     // the guard bits of these fields
  Key body{};       // the other bits of these fields
  Key ceiling{};    // most that each of these fields may hold afterwards, with guards set
  std::int32_t lists = 0;
  std::int32_t dropped = 0;  // bits of the fields that close
  std::int32_t closing = 0;  // number of fields that close, the first ones of `frontier.open`
  bool weighs = false;       // one of them has weights
};

template <class Key>
class Walk {
 public:
  Walk(const Component& c, const Order& order, Workspace& ws) : c_(c), order_(order), ws_(ws) {
    Arena& arena = ws.arena;
    capacity_ = arena.take<std::int32_t>(static_cast<std::size_t>(c.clues));
    frontier_.open = arena.take<Field>(static_cast<std::size_t>(c.clues));
    for (std::int32_t i = 0; i < c.clues; ++i) {
      std::int32_t cells = 0;
      for (std::int32_t e = c.clue_offset[i]; e < c.clue_offset[i + 1]; ++e) cells += c.size[c.clue_box[e]];
      capacity_[i] = cells;
    }
    step_.insertion = arena.take<Insertion<Key>>(static_cast<std::size_t>(c.clues));
    std::int32_t largest = 0;
    for (std::int32_t b = 0; b < c.boxes; ++b) largest = std::max(largest, c.size[b]);
    const std::size_t lists = static_cast<std::size_t>(largest) + 1;
    cursor_ = arena.take<std::size_t>(lists);
    head_ = arena.take<Key>(lists);
    less_ = arena.take<Key>(lists);
    factor_ = arena.take<double>(lists);
  }

  // Scratch of merge(), one entry for each number of mines in a box.
  std::size_t* cursor() const { return cursor_; }
  Key* head() const { return head_; }
  Key* less() const { return less_; }
  double* factor() const { return factor_; }

  // Opens the clues of step t and works out its arithmetic.
  const Step<Key>& begin(std::int32_t t) {
    const std::int32_t b = order_.box[t];
    const std::int32_t size = c_.size[b];
    const std::int32_t* clue = c_.box_clue + c_.box_offset[b];
    const std::int32_t clues = c_.box_offset[b + 1] - c_.box_offset[b];
    Step<Key>& s = step_;
    s.insertions = 0;
    s.mask = s.guards = s.body = s.ceiling = Key{0};
    for (std::int32_t e = 0; e < clues; ++e) {
      if (order_.first[clue[e]] == t) open(clue[e]);
    }
    std::int32_t most = size;
    for (std::int32_t i = 0; i < frontier_.count; ++i) {
      const Field& f = frontier_.open[i];
      bool ours = false;
      for (std::int32_t e = 0; e < clues; ++e) ours = ours || clue[e] == f.clue;
      if (!ours) continue;
      const Clue& k = c_.clue[f.clue];
      capacity_[f.clue] -= size;
      const std::int32_t ceiling = std::min(k.high, capacity_[f.clue] + k.high - k.low);
      const Key one = Key{1} << f.position;
      const Key guard = one << (f.width - 1);
      s.mask = s.mask | one;
      s.guards = s.guards | guard;
      s.body = s.body | (guard - one);
      s.ceiling = s.ceiling | (Key{static_cast<std::uint64_t>(ceiling)} << f.position);
      most = std::min(most, k.high);
    }
    s.ceiling = s.ceiling | s.guards;
    s.lists = most + 1;
    s.closing = s.dropped = 0;
    s.weighs = false;
    while (s.closing < frontier_.count && frontier_.open[s.closing].last == t) {
      const Field& f = frontier_.open[s.closing++];
      s.dropped += f.width;
      s.weighs = s.weighs || c_.clue[f.clue].weight != nullptr;
    }
    return s;
  }

  // The weight of the clues that close, from the low bits of a key.
  double closing_weight(Key bits) const {
    double weight = 1;
    bool possible = true;
    for (std::int32_t i = 0; i < step_.closing; ++i) {
      const Field& f = frontier_.open[i];
      const std::uint64_t field = (std::uint64_t{1} << f.width) - 1;
      const std::int32_t left = static_cast<std::int32_t>(static_cast<std::uint64_t>(bits) & field);
      bits = bits >> f.width;
      const Clue& k = c_.clue[f.clue];
      if (!k.weight) continue;
      const double w = k.weight[k.high - left - k.low];
      possible = possible && w > 0;
      weight *= w;
    }
    if (!possible) return 0;
    if (weight < std::numeric_limits<double>::min()) throw BudgetExceeded("weights are too far apart for double precision");
    return weight;
  }

  // Drops the fields that closed.
  void end() {
    const std::int32_t gone = step_.closing;
    if (!gone) return;
    frontier_.count -= gone;
    for (std::int32_t i = 0; i < frontier_.count; ++i) {
      frontier_.open[i] = frontier_.open[i + gone];
      frontier_.open[i].position -= step_.dropped;
    }
    frontier_.bits -= step_.dropped;
  }

 private:
  void open(std::int32_t clue) {
    const std::int32_t width = field_width(c_.clue[clue]);
    const std::int32_t last = order_.last[clue];
    std::int32_t at = 0;
    while (at < frontier_.count && frontier_.open[at].last <= last) ++at;
    const std::int32_t position = at < frontier_.count ? frontier_.open[at].position : frontier_.bits;
    for (std::int32_t i = frontier_.count; i > at; --i) {
      frontier_.open[i] = frontier_.open[i - 1];
      frontier_.open[i].position += width;
    }
    frontier_.open[at] = {clue, last, position, width};
    ++frontier_.count;
    frontier_.bits += width;
    step_.insertion[step_.insertions++] = {position, width, (Key{1} << position) - Key{1},
                                           Key{static_cast<std::uint64_t>(c_.clue[clue].high)} << position};
  }

  const Component& c_;
  const Order& order_;
  Workspace& ws_;
  std::int32_t* capacity_;
  std::size_t* cursor_;
  Key* head_;
  Key* less_;
  double* factor_;
  Frontier frontier_;
  Step<Key> step_;
};

template <class Key>
void insert_fields(const Step<Key>& s, Key* key, std::size_t n) {
  for (std::int32_t j = 0; j < s.insertions; ++j) {
    const Insertion<Key> in = s.insertion[j];
    const Key above = ~in.below;
    for (std::size_t i = 0; i < n; ++i) key[i] = (key[i] & in.below) | ((key[i] & above) << in.width) | in.value;
  }
}

// A growing pair of key buffers; the arena gets them back at the end of the walk.
template <class Key>
struct Keys {
  Key* key = nullptr;
  std::size_t capacity = 0;
};

// One step over a sorted layer: calls make(key) for every new state in order and edge(state, k, target, factor) for
// every (state, k), target kDead where it is impossible.
template <class Key, class Make, class Edge>
void merge(const Walk<Key>& walk, const Step<Key>& s, const Key* key, std::size_t n, Make&& make, Edge&& edge) {
  const Key none = ~Key{0};
  const std::int32_t lists = s.lists;
  std::size_t* cursor = walk.cursor();
  Key* head = walk.head();
  Key* less = walk.less();
  double* factor = walk.factor();
  // Moves list k to its next possible candidate at or after its cursor.
  auto seek = [&](std::int32_t k, const Key less) {
    std::size_t i = cursor[k];
    for (; i < n; ++i) {
      const Key x = (key[i] | s.guards) - less;
      if ((x & s.guards) == s.guards && ((s.ceiling - (x & s.body)) & s.guards) == s.guards) {
        const Key y = x ^ s.guards;
        if (s.weighs) {
          factor[k] = walk.closing_weight(y);
          if (factor[k] == 0) {
            edge(i, k, kDead, 0.0);
            continue;
          }
        }
        head[k] = y >> s.dropped;
        cursor[k] = i;
        return;
      }
      edge(i, k, kDead, 0.0);
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
void look_up(const Walk<Narrow>& walk, const Step<Narrow>& s, const Narrow* key, std::size_t n, StateTable& table, Make&& make, Edge&& edge) {
  table.clear(n * static_cast<std::size_t>(s.lists));
  std::uint32_t made = 0;
  for (std::size_t i = 0; i < n; ++i) {
    Narrow x = key[i] | s.guards;
    for (std::int32_t k = 0; k < s.lists; ++k, x -= s.mask) {
      if ((x & s.guards) != s.guards) {  // too many mines, and more are no better
        for (; k < s.lists; ++k) edge(i, k, kDead, 0.0);
        break;
      }
      double weight = 1;
      bool possible = ((s.ceiling - (x & s.body)) & s.guards) == s.guards;
      if (possible && s.weighs) possible = (weight = walk.closing_weight(x ^ s.guards)) > 0;
      if (!possible) {
        edge(i, k, kDead, 0.0);
        continue;
      }
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

// One step, whichever way suits the keys.
template <class Key, class Make, class Edge>
void take_step(const Walk<Key>& walk, const Step<Key>& s, const Key* key, std::size_t n, StateTable* table, Make&& make, Edge&& edge) {
  if constexpr (std::is_same_v<Key, Narrow>) {
    if (table) return look_up(walk, s, key, n, *table, make, edge);
  }
  merge(walk, s, key, n, make, edge);
}

bool has_weights(const Component& c) {
  for (std::int32_t q = 0; q < c.clues; ++q) {
    if (c.clue[q].weight) return true;
  }
  return false;
}

template <class Key>
Progress count_states_with(const Component& c, const Order& order, std::int64_t cap, Workspace& ws) {
  const Arena::Mark mark = ws.arena.mark();
  Walk<Key> walk(c, order, ws);
  StateTable found(ws.arena);
  StateTable* table = has_weights(c) ? &found : nullptr;
  Keys<Key> now{ws.arena.take<Key>(1), 1};
  Keys<Key> then{};
  now.key[0] = Key{0};
  std::size_t n = 1;
  std::int64_t total = 1;
  std::int32_t t = 0;
  for (; t < c.boxes && n && total <= cap; ++t) {
    const Step<Key>& s = walk.begin(t);
    insert_fields(s, now.key, n);
    const std::size_t most = n * static_cast<std::size_t>(s.lists);
    if (then.capacity < most) {
      then.capacity = most * 2;
      then.key = ws.arena.take<Key>(then.capacity);
    }
    std::uint32_t made = 0;
    take_step(walk, s, now.key, n, table,
          [&](Key k) {
            then.key[made] = k;
            if ((made & 0xffff) == 0xffff) ws.spend(0x30000);
            return made++;
          },
          [](std::size_t, std::int32_t, std::uint32_t, double) {});
    ws.spend(static_cast<std::int64_t>(most) * 3 + 20);
    n = made;
    total += made;
    std::swap(now, then);
    walk.end();
  }
  ws.arena.release(mark);
  return {total, t};
}

template <class Key>
bool compile_with(const Component& c, const Order& order, Workspace& ws, PathProgram& out) {
  Arena& arena = ws.arena;
  out.steps = c.boxes;
  out.box = order.box;
  out.size = c.size;
  out.layer = arena.take<Layer>(static_cast<std::size_t>(c.boxes) + 1);
  out.states = out.entries = 1;
  out.widest = 1;
  out.gap = 1;
  Walk<Key> walk(c, order, ws);
  StateTable found(ws.arena);
  StateTable* table = has_weights(c) ? &found : nullptr;
  Keys<Key> now{arena.take<Key>(64), 64};
  Keys<Key> then{arena.take<Key>(64), 64};
  Keys<std::int32_t> low_then{arena.take<std::int32_t>(128), 64};
  now.key[0] = Key{0};
  out.weighs = false;
  Layer* layer = out.layer;
  *layer = Layer{};
  layer->states = 1;
  layer->low = arena.zeroed<std::int32_t>(1);
  layer->offset = arena.zeroed<std::uint32_t>(2);
  layer->offset[1] = 1;
  for (std::int32_t t = 0; t < c.boxes; ++t, ++layer) {
    const std::size_t n = layer->states;
    const Step<Key>& s = walk.begin(t);
    insert_fields(s, now.key, n);
    const std::size_t lists = static_cast<std::size_t>(s.lists);
    const std::size_t most = n * lists;
    if (then.capacity < most) {
      then.capacity = most * 2;
      then.key = arena.take<Key>(then.capacity);
    }
    layer->lists = s.lists;
    layer->next = arena.take<std::uint32_t>(most);
    layer->factor = s.weighs ? arena.take<double>(most) : nullptr;
    out.weighs = out.weighs || s.weighs;
    if (low_then.capacity < most) {
      low_then.capacity = then.capacity;
      low_then.key = arena.take<std::int32_t>(low_then.capacity * 2);
    }
    std::int32_t* low = low_then.key;
    std::int32_t* high = low + low_then.capacity;
    std::int32_t gap = out.gap;
    std::uint32_t made = 0;
    std::uint32_t* next = layer->next;
    double* factor = layer->factor;
    const std::int32_t* low_now = layer->low;
    const std::uint32_t* offset_now = layer->offset;
    take_step(walk, s, now.key, n, table,
          [&](Key k) {
            then.key[made] = k;
            high[made] = -1;
            if ((made & 0xffff) == 0xffff) ws.spend(0x40000);
            return made++;
          },
          [&](std::size_t i, std::int32_t k, std::uint32_t target, double weight) {
            const std::size_t e = i * lists + static_cast<std::size_t>(k);
            next[e] = target;
            if (target == kDead) return;
            if (factor) factor[e] = weight;
            const std::int32_t a = low_now[i] + k;
            const std::int32_t b = a + static_cast<std::int32_t>(offset_now[i + 1] - offset_now[i]) - 1;
            if (high[target] < 0) {
              low[target] = a;
              high[target] = b;
            } else {
              gap = std::max(gap, std::max(a - high[target], low[target] - b));
              low[target] = std::min(low[target], a);
              high[target] = std::max(high[target], b);
            }
          });
    out.gap = gap;
    ws.spend(static_cast<std::int64_t>(most) * 4 + 20);
    ws.charge(made);
    if (!made) return false;
    Layer& following = layer[1];
    following = Layer{};
    following.states = made;
    following.low = arena.take<std::int32_t>(made);
    following.offset = arena.take<std::uint32_t>(made + 1);
    std::uint32_t offset = 0;
    for (std::uint32_t i = 0; i < made; ++i) {
      following.low[i] = low[i];
      following.offset[i] = offset;
      offset += static_cast<std::uint32_t>(high[i] - low[i] + 1);
    }
    following.offset[made] = offset;
    out.states += made;
    out.entries += offset;
    out.widest = std::max(out.widest, made);
    std::swap(now, then);
    walk.end();
  }
  out.final_count = arena.zeroed<std::int32_t>(layer->states);
  if (c.probe >= 0) {
    for (std::uint32_t i = 0; i < layer->states; ++i) {
      out.final_count[i] = c.clue[c.probe].high - static_cast<std::int32_t>(static_cast<std::uint64_t>(now.key[i]));
    }
  }
  constexpr std::int64_t kWorthTrimming = 600;
  // With weights always: dead ends must not set the scale of a layer.
  if (out.states > kWorthTrimming || out.weighs) trim(out, ws);
  return true;
}

}  // namespace

Progress count_states(const Component& component, const Order& order, std::int64_t cap, Workspace& workspace) {
  const std::int32_t bits = key_bits(component, order);
  if (bits <= kBits<Narrow>) return count_states_with<Narrow>(component, order, cap, workspace);
  if (bits <= kBits<Double>) return count_states_with<Double>(component, order, cap, workspace);
  if (bits <= kBits<Quad>) return count_states_with<Quad>(component, order, cap, workspace);
  return {cap + 1, 0};
}

bool compile_path(const Component& component, const Order& order, Workspace& workspace, PathProgram& out) {
  const std::int32_t bits = key_bits(component, order);
  if (bits <= kBits<Narrow>) return compile_with<Narrow>(component, order, workspace, out);
  if (bits <= kBits<Double>) return compile_with<Double>(component, order, workspace, out);
  if (bits <= kBits<Quad>) return compile_with<Quad>(component, order, workspace, out);
  throw BudgetExceeded("a frontier of " + std::to_string(bits) + " bits is too wide for the path program");
}

}  // namespace mineproof::exact

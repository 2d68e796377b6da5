// Short path programs: faster ways to compile them and to run them in doubles, with the same results to the last bit.
//
// Most programs are short and have no weights. What their coefficients can come to is known before a pass: so little
// above and below 1 that nothing underflows and nothing need be scaled. There nothing is watched from step to step,
// which would take longer than the steps themselves.
#pragma once

#include <algorithm>
#include <utility>

#include "frontier.hpp"
#include "path.hpp"

namespace mineproof::exact {

// The forward pass; false, and nothing is done, where the program is not short.
bool forward_short(const PathProgram& program, double fugacity, Workspace& workspace, PathForward& out);

// The backward pass after such a forward pass; false, and nothing is done, where the outside weights are too far
// from 1.
bool backward_short(const PathProgram& program, const PathForward& forward, const double* outside, Workspace& workspace,
                    BoxOdds* odds);

// One step over a short layer: as the merge of path_compile.cpp, with the candidates of every number of mines written
// out before they are merged: faster than to look for the next one of each list where most combinations are impossible,
// as they are in short layers.
template <class Key>
class ShortLists {
 public:
  static constexpr std::size_t kMost = 1024;  // states times lists

  explicit ShortLists(Arena& arena) : arena_(arena) {}

  // Calls make(key) for every new state in order and edge(state, k, target, 1) for every (state, k) that is possible.
  // No clue that closes has weights.
  template <class Make, class Edge>
  void merge(const Step<Key>& step, const Key* key, std::size_t n, Make&& make, Edge&& edge) {
    if (n == 1) return split(step, key[0], make, edge);
    list(step, key, n);
    if (count_ == 1) {
      for (const Candidate* c = run_[0].next; !(c->key == kNone); ++c) edge(c->state, run_[0].mines, make(c->key), 1.0);
    } else if (count_ == 2) {
      merge_two(make, edge);
    } else {
      merge_many(make, edge);
    }
  }

 private:
  static constexpr Key kNone = ~Key{0};
  struct Candidate {
    Key key;
    std::size_t state;
  };
  // The candidates with so many mines, the last without a key.
  struct Run {
    const Candidate* next;
    std::int32_t mines;
  };

  static bool possible(const Step<Key>& s, Key x) { return (x & (s.ceiling - (x & s.body)) & s.guards) == s.guards; }

  // The only state of a layer: the more mines, the smaller its key.
  template <class Make, class Edge>
  void split(const Step<Key>& s, Key key, Make&& make, Edge&& edge) {
    Key x = key | s.guards;
    for (std::int32_t k = 1; k < s.lists; ++k) x = x - s.mask;
    for (std::int32_t k = s.lists; k-- > 0; x = x + s.mask) {
      if (possible(s, x)) edge(0, k, make((x ^ s.guards) >> s.dropped), 1.0);
    }
  }

  void list(const Step<Key>& step, const Key* key, std::size_t n) {
    const Step<Key> s = step;  // a copy, so that it stays in registers
    if (!run_) {
      candidate_ = arena_.take<Candidate>(2 * kMost + 2);
      run_ = arena_.take<Run>(kMost);
    }
    count_ = 0;
    Candidate* to = candidate_;
    Key less{0};
    for (std::int32_t k = 0; k < s.lists; ++k, less = less + s.mask) {
      const Candidate* first = to;
      for (std::size_t i = 0; i < n; ++i) {  // every one is written down, and stays where it is possible
        const Key x = (key[i] | s.guards) - less;
        to->key = (x ^ s.guards) >> s.dropped;
        to->state = i;
        to += possible(s, x) ? 1 : 0;
      }
      if (to == first) continue;
      run_[count_++] = {first, k};
      (to++)->key = kNone;
    }
  }

  template <class Make, class Edge>
  void merge_two(Make&& make, Edge&& edge) {
    const Candidate* a = run_[0].next;
    const Candidate* b = run_[1].next;
    const std::int32_t a_mines = run_[0].mines;
    const std::int32_t b_mines = run_[1].mines;
    while (true) {
      const Key least = b->key < a->key ? b->key : a->key;
      if (least == kNone) return;
      const std::uint32_t target = make(least);
      if (a->key == least) edge((a++)->state, a_mines, target, 1.0);
      if (b->key == least) edge((b++)->state, b_mines, target, 1.0);
    }
  }

  template <class Make, class Edge>
  void merge_many(Make&& make, Edge&& edge) {
    while (count_ > 0) {
      Key least = run_[0].next->key;
      for (std::size_t r = 1; r < count_; ++r) least = run_[r].next->key < least ? run_[r].next->key : least;
      const std::uint32_t target = make(least);
      std::size_t kept = 0;
      for (std::size_t r = 0; r < count_; ++r) {
        Run run = run_[r];
        if (run.next->key == least) edge((run.next++)->state, run.mines, target, 1.0);
        run_[kept] = run;
        kept += run.next->key == kNone ? 0 : 1;
      }
      count_ = kept;
    }
  }

  Arena& arena_;
  Candidate* candidate_ = nullptr;
  Run* run_ = nullptr;
  std::size_t count_ = 0;  // of runs
};

// Compiles a short program. Every clue of the component has a field of its own from the first step to the last: that of
// a clue which is not open yet holds all it allows, that of a closed one nothing. So no field is inserted or dropped on
// the way, and a step is little more than its edges. Fields lie in the same order as in frontier.hpp, so that states
// have the same numbers. Where all fields together are wider than a key, keys hold a window of them, which is moved
// over them now and then: what lies below has closed, and what lies above is the same in all states.
class ShortCompiler {
 public:
  static constexpr std::size_t kMost = ShortLists<Narrow>::kMost;  // states of a layer, times the edges of each

  // The clues have no weights.
  ShortCompiler(const Component& c, const Order& order, Workspace& ws, PathProgram& out)
      : c_(c), order_(order), ws_(ws), out_(out), lists_(ws.scratch) {
    ws.scratch.clear();
    out.steps = c.boxes;
    out.box = order.box;
    out.size = c.size;
    out.layer = ws.arena.take<Layer>(static_cast<std::size_t>(c.boxes) + 1);
    out.states = out.entries = 1;
    out.widest = 1;
    out.gap = 1;
    out.weighs = false;
    low_ = ws.scratch.take<std::int32_t>(2 * kMost);
    high_ = low_ + kMost;
    now_ = ws.scratch.take<Narrow>(2 * kMost);
    then_ = now_ + kMost;
    place_fields();
  }

  // True when it came to an end: some layer is empty where clash() says so. False where a layer is not short, or the
  // fields of its open clues do not fit a key.
  bool run() {
    low_[0] = high_[0] = 0;
    std::uint32_t made = 1;
    std::int64_t work = 0;
    for (std::int32_t t = 0; t < c_.boxes; ++t) {
      write_layer(t, made);
      if (!make_room(t, made)) return false;
      const Step<Narrow> s = begin(t);
      const std::size_t edges = made * static_cast<std::size_t>(s.lists);
      if (edges > kMost) return false;
      made = step(t, s, edges);
      work += static_cast<std::int64_t>(edges) * 4 + 20;
      if (!made) break;
      out_.states += made;
      out_.widest = std::max(out_.widest, made);
      std::swap(now_, then_);
    }
    ws_.charge(out_.states - 1);
    ws_.spend(work);
    clash_ = made == 0;
    if (clash_) return true;
    write_layer(c_.boxes, made);
    out_.final_count = ws_.arena.zeroed<std::int32_t>(made);
    if (c_.probe < 0) return true;
    const std::int32_t position = field_[c_.probe].position - base_;  // of the highest field
    for (std::uint32_t i = 0; i < made; ++i)
      out_.final_count[i] = c_.clue[c_.probe].high - static_cast<std::int32_t>(now_[i] >> position);
    return true;
  }
  bool clash() const { return clash_; }

 private:
  static constexpr std::int32_t kWindow = kBits<Narrow>;
  struct Place {
    std::int32_t position;  // its lowest bit, of all fields
    std::int32_t width;
    std::int32_t capacity;  // cells not yet eliminated
  };

  // Fields by the step at which their clue closes, and then by the step at which it opens. All of them are full.
  void place_fields() {
    const auto steps = static_cast<std::size_t>(c_.boxes);
    field_ = ws_.scratch.take<Place>(static_cast<std::size_t>(c_.clues));
    std::int32_t* next =
        ws_.scratch.zeroed<std::int32_t>(steps + 3) + 1;  // where the fields begin that close at a step
    for (std::int32_t q = 0; q < c_.clues; ++q) next[order_.last[q] + 1] += field_width(c_.clue[q]);
    for (std::size_t t = 0; t <= steps; ++t) next[t + 1] += next[t];
    full_ = ws_.scratch.zeroed<std::uint64_t>(static_cast<std::size_t>(next[steps + 1]) / 64 + 3);
    for (std::int32_t t = 0; t < c_.boxes; ++t) {
      const std::int32_t b = order_.box[t];
      for (std::int32_t e = c_.box_offset[b]; e < c_.box_offset[b + 1]; ++e) {
        const std::int32_t q = c_.box_clue[e];
        Place& f = field_[q];
        if (order_.first[q] == t) {
          const std::int32_t width = field_width(c_.clue[q]);
          f = {next[order_.last[q]], width, 0};
          next[order_.last[q]] += width;
          fill(f.position, static_cast<std::uint64_t>(c_.clue[q].high));
        }
        f.capacity += c_.size[b];
      }
    }
    closed_ = next - 1;  // by now every entry has become the next one's
    now_[0] = window(0);
  }

  void fill(std::int32_t position, std::uint64_t value) {
    std::uint64_t* word = full_ + position / 64;
    const int shift = position % 64;
    word[0] |= value << shift;
    if (shift) word[1] |= value >> (64 - shift);
  }
  // The full fields from a bit on, as many as a key holds.
  Narrow window(std::int32_t position) const {
    const std::uint64_t* word = full_ + position / 64;
    const int shift = position % 64;
    const std::uint64_t bits = shift ? word[0] >> shift | word[1] << (64 - shift) : word[0];
    return bits & ((Narrow{1} << kWindow) - 1);
  }

  // Moves the window where a clue that opens at step t does not lie in it. False where it cannot.
  bool make_room(std::int32_t t, std::uint32_t states) {
    const std::int32_t b = order_.box[t];
    std::int32_t end = 0;
    for (std::int32_t e = c_.box_offset[b]; e < c_.box_offset[b + 1]; ++e) {
      const Place& f = field_[c_.box_clue[e]];
      end = std::max(end, f.position + f.width);
    }
    if (end <= base_ + kWindow) return true;
    const std::int32_t moved = closed_[t] - base_;
    if (end > closed_[t] + kWindow) return false;
    base_ = closed_[t];
    // Bits that were in the window before came with the keys.
    const Narrow above = moved < kWindow ? window(base_) & ~((Narrow{1} << (kWindow - moved)) - 1) : window(base_);
    for (std::uint32_t i = 0; i < states; ++i) now_[i] = (moved < kWindow ? now_[i] >> moved : 0) | above;
    return true;
  }

  // What a step does to the keys.
  Step<Narrow> begin(std::int32_t t) {
    const std::int32_t b = order_.box[t];
    const std::int32_t size = c_.size[b];
    Step<Narrow> s;
    std::int32_t most = size;
    for (std::int32_t e = c_.box_offset[b]; e < c_.box_offset[b + 1]; ++e) {
      const std::int32_t q = c_.box_clue[e];
      const Clue& clue = c_.clue[q];
      Place& f = field_[q];
      f.capacity -= size;
      most = std::min(most, clue.high);
      const std::int32_t ceiling = std::min(clue.high, f.capacity + clue.high - clue.low);
      const Narrow one = Narrow{1} << (f.position - base_);
      const Narrow guard = one << (f.width - 1);
      s.mask |= one;
      s.guards |= guard;
      s.body |= guard - one;
      s.ceiling |= one * static_cast<std::uint64_t>(ceiling);
    }
    s.ceiling |= s.guards;
    s.lists = most + 1;
    return s;
  }

  // The edges of layer t; the states of the next one are left in `then_`, low_ and high_. Gives their number.
  std::uint32_t step(std::int32_t t, const Step<Narrow>& s, std::size_t edges) {
    Layer& layer = out_.layer[t];
    const auto lists = static_cast<std::size_t>(s.lists);
    layer.lists = s.lists;
    layer.next = ws_.arena.take<std::uint32_t>(edges);
    std::fill_n(layer.next, edges, kDead);
    std::uint32_t made = 0;
    std::int32_t gap = out_.gap;
    std::int32_t* low = low_;
    std::int32_t* high = high_;
    Narrow* key = then_;
    std::uint32_t* next = layer.next;
    const std::int32_t* from_low = layer.low;
    const std::uint32_t* offset = layer.offset;
    lists_.merge(
        s, now_, layer.states,
        [&](Narrow found) {
          key[made] = found;
          high[made] = -1;
          return made++;
        },
        [&](std::size_t i, std::int32_t k, std::uint32_t target, double) {
          next[i * lists + static_cast<std::size_t>(k)] = target;
          const std::int32_t first = from_low[i] + k;
          const std::int32_t last = first + static_cast<std::int32_t>(offset[i + 1] - offset[i]) - 1;
          if (high[target] < 0) {
            low[target] = first;
            high[target] = last;
            return;
          }
          gap = std::max(gap, std::max(first - high[target], low[target] - last));
          low[target] = std::min(low[target], first);
          high[target] = std::max(high[target], last);
        });
    out_.gap = gap;
    return made;
  }

  // Layer t, still without edges, with the windows of low_ and high_.
  void write_layer(std::int32_t t, std::uint32_t states) {
    Layer& layer = out_.layer[t] = Layer{};
    layer.states = states;
    layer.low = ws_.arena.take<std::int32_t>(2 * static_cast<std::size_t>(states) + 1);
    layer.offset = reinterpret_cast<std::uint32_t*>(layer.low + states);
    std::uint32_t offset = 0;
    for (std::uint32_t i = 0; i < states; ++i) {
      layer.low[i] = low_[i];
      layer.offset[i] = offset;
      offset += static_cast<std::uint32_t>(high_[i] - low_[i] + 1);
    }
    layer.offset[states] = offset;
    if (t > 0) out_.entries += offset;
  }

  const Component& c_;
  const Order& order_;
  Workspace& ws_;
  PathProgram& out_;
  ShortLists<Narrow> lists_;
  Place* field_ = nullptr;          // per clue
  std::uint64_t* full_ = nullptr;   // all fields as they are before the first step
  std::int32_t* closed_ = nullptr;  // per step: bits of the fields that have closed before it
  std::int32_t base_ = 0;           // where the window begins
  std::int32_t *low_, *high_;       // windows of mine counts of the states that are made
  Narrow *now_, *then_;             // keys of this layer and of the next
  bool clash_ = false;
};

}  // namespace mineproof::exact

// Compiling short path programs. Internal.
//
// Here a key has a field for every clue of the component from the first step to the last: that of a clue which is not
// open yet holds all it allows, that of a closed one nothing. So no field is inserted or dropped on the way, and a step
// is little more than its edges. Fields lie in the same order as in frontier.hpp, so that states have the same numbers.
#pragma once

#include <utility>

#include "path.hpp"
#include "short_lists.hpp"

namespace mineproof::exact {

template <class Key>
class ShortCompiler {
 public:
  static constexpr std::size_t kMost = ShortLists<Key>::kMost;  // states of a layer, times the edges of each

  // The clues have no weights, and their fields fit a key together.
  ShortCompiler(const Component& c, const Order& order, Workspace& ws, PathProgram& out)
      : c_(c), order_(order), ws_(ws), out_(out), lists_(ws.scratch) {
    ws.scratch.release({});
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
    now_ = ws.scratch.take<Key>(2 * kMost);
    then_ = now_ + kMost;
    place_fields();
  }

  // True when it came to an end: some layer is empty where clash() says so. False where a layer is not short.
  bool run() {
    low_[0] = high_[0] = 0;
    std::uint32_t made = 1;
    std::int64_t work = 0;
    for (std::int32_t t = 0; t < c_.boxes; ++t) {
      write_layer(t, made);
      const Step<Key> s = begin(t);
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
    const Clue& probe = c_.clue[c_.probe];  // the highest field
    for (std::uint32_t i = 0; i < made; ++i)
      out_.final_count[i] =
          probe.high - static_cast<std::int32_t>(static_cast<std::uint64_t>(now_[i] >> field_[c_.probe].position));
    return true;
  }
  bool clash() const { return clash_; }

 private:
  struct Place {
    Key one, guard;  // its lowest and its highest bit
    std::int32_t position;
    std::int32_t capacity;  // cells not yet eliminated
  };

  // Fields by the step at which their clue closes, and then by the step at which it opens. All of them are full.
  void place_fields() {
    const auto steps = static_cast<std::size_t>(c_.boxes);
    field_ = ws_.scratch.take<Place>(static_cast<std::size_t>(c_.clues));
    std::int32_t* next = ws_.scratch.zeroed<std::int32_t>(steps + 2);  // bits of the fields that close before a step
    for (std::int32_t q = 0; q < c_.clues; ++q) next[order_.last[q] + 1] += field_width(c_.clue[q]);
    for (std::size_t t = 0; t < steps; ++t) next[t + 1] += next[t];
    Key full{0};
    for (std::int32_t t = 0; t < c_.boxes; ++t) {
      const std::int32_t b = order_.box[t];
      for (std::int32_t e = c_.box_offset[b]; e < c_.box_offset[b + 1]; ++e) {
        const std::int32_t q = c_.box_clue[e];
        Place& f = field_[q];
        if (order_.first[q] == t) {
          const std::int32_t width = field_width(c_.clue[q]);
          f.position = next[order_.last[q]];
          next[order_.last[q]] += width;
          f.one = Key{1} << f.position;
          f.guard = f.one << (width - 1);
          f.capacity = 0;
          full = full | Key{static_cast<std::uint64_t>(c_.clue[q].high)} << f.position;
        }
        f.capacity += c_.size[b];
      }
    }
    now_[0] = full;
  }

  // What a step does to the keys.
  Step<Key> begin(std::int32_t t) {
    const std::int32_t b = order_.box[t];
    const std::int32_t size = c_.size[b];
    Step<Key> s;
    std::int32_t most = size;
    for (std::int32_t e = c_.box_offset[b]; e < c_.box_offset[b + 1]; ++e) {
      const std::int32_t q = c_.box_clue[e];
      const Clue& clue = c_.clue[q];
      Place& f = field_[q];
      f.capacity -= size;
      most = std::min(most, clue.high);
      const std::int32_t ceiling = std::min(clue.high, f.capacity + clue.high - clue.low);
      s.mask = s.mask | f.one;
      s.guards = s.guards | f.guard;
      s.body = s.body | (f.guard - f.one);
      s.ceiling = s.ceiling | Key{static_cast<std::uint64_t>(ceiling)} << f.position;
    }
    s.ceiling = s.ceiling | s.guards;
    s.lists = most + 1;
    return s;
  }

  // The edges of layer t; the states of the next one are left in `then_`, low_ and high_. Gives their number.
  std::uint32_t step(std::int32_t t, const Step<Key>& s, std::size_t edges) {
    Layer& layer = out_.layer[t];
    const auto lists = static_cast<std::size_t>(s.lists);
    layer.lists = s.lists;
    layer.next = ws_.arena.take<std::uint32_t>(edges);
    std::fill_n(layer.next, edges, kDead);
    std::uint32_t made = 0;
    std::int32_t gap = out_.gap;
    std::int32_t* low = low_;
    std::int32_t* high = high_;
    Key* key = then_;
    std::uint32_t* next = layer.next;
    const std::int32_t* from_low = layer.low;
    const std::uint32_t* offset = layer.offset;
    lists_.merge(
        s, now_, layer.states,
        [&](Key found) {
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
  ShortLists<Key> lists_;
  Place* field_ = nullptr;     // per clue
  std::int32_t *low_, *high_;  // windows of mine counts of the states that are made
  Key *now_, *then_;           // keys of this layer and of the next
  bool clash_ = false;
};

}  // namespace mineproof::exact

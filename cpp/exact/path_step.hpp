// One step of a path program: from the states of a layer to those of the next. Internal.
//
// The maps of frontier.hpp keep the order of keys, so a sorted layer gives sorted candidate lists, one per number of
// mines, and the next layer is their merge: states that a closing makes equal are neighbours. Where clues have weights
// most combinations of fields occur and layers are long; there, as long as keys are narrow, states are looked up in a
// table.
#pragma once

#include <type_traits>

#include "frontier.hpp"
#include "path.hpp"
#include "short_lists.hpp"
#include "state_table.hpp"

namespace mineproof::exact {

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
struct Growing {
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

}  // namespace mineproof::exact

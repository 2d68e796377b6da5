// One step of a path program over a short layer. Internal.
//
// As merge() of path_step.hpp, with the candidates of every number of mines written out before they are merged: faster
// than to look for the next one of each list where most combinations are impossible, as they are in short layers.
#pragma once

#include <algorithm>

#include "frontier.hpp"

namespace mineproof::exact {

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

}  // namespace mineproof::exact

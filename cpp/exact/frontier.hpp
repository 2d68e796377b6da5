// The frontier of a path program: the clues that are open at a step, and the keys of the states.
//
// A key is a packed integer of 64, 128 or 256 bits with one field per open clue. A field holds high - (mines so far),
// so it runs from high down to 0, with a guard bit above it. Fields are ordered by the step at which their clue closes,
// the first to close lowest. Opening a clue inserts a constant field, closing drops the lowest one, placing k mines
// subtracts k from several fields. Each of these maps keeps the order of keys, so a sorted layer stays sorted and the
// next layer is a merge, without hashing.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "component.hpp"
#include "order.hpp"
#include "wide.hpp"
#include "workspace.hpp"

namespace mineproof::exact {

using Narrow = std::uint64_t;
using Double = Wide;

// 256 bits, for frontiers of more than some 30 clues.
struct Quad {
  Double high = 0;
  Double low = 0;

  Quad() = default;
  constexpr Quad(std::uint64_t v) : low(v) {}
  constexpr Quad(Double h, Double l) : high(h), low(l) {}

  friend constexpr bool operator==(const Quad& a, const Quad& b) { return a.low == b.low && a.high == b.high; }
  friend constexpr bool operator<(const Quad& a, const Quad& b) {
    return a.high < b.high || (a.high == b.high && a.low < b.low);
  }
  friend constexpr Quad operator&(Quad a, Quad b) { return {a.high & b.high, a.low & b.low}; }
  friend constexpr Quad operator|(Quad a, Quad b) { return {a.high | b.high, a.low | b.low}; }
  friend constexpr Quad operator^(Quad a, Quad b) { return {a.high ^ b.high, a.low ^ b.low}; }
  friend constexpr Quad operator~(Quad a) { return {~a.high, ~a.low}; }
  friend constexpr Quad operator-(Quad a, Quad b) {
    return {a.high - b.high - (a.low < b.low ? 1u : 0u), a.low - b.low};
  }
  friend constexpr Quad operator+(Quad a, Quad b) {
    const Double low = a.low + b.low;
    return {a.high + b.high + (low < a.low ? 1u : 0u), low};
  }
  friend constexpr Quad operator<<(Quad a, int s) {
    if (s == 0) return a;
    if (s >= 128) return {a.low << (s - 128), 0};
    return {(a.high << s) | (a.low >> (128 - s)), a.low << s};
  }
  friend constexpr Quad operator>>(Quad a, int s) {
    if (s == 0) return a;
    if (s >= 128) return {0, a.high >> (s - 128)};
    return {a.high >> s, (a.low >> s) | (a.high << (128 - s))};
  }
  explicit operator std::uint64_t() const { return static_cast<std::uint64_t>(low); }
};

template <class Key>
inline constexpr int kBits = static_cast<int>(sizeof(Key) * 8) - 1;  // one bit is kept free: all ones is "no key"

inline int field_width(const Clue& clue) { return std::bit_width(static_cast<std::uint32_t>(clue.high)) + 1; }

// An open clue in a key.
struct Field {
  std::int32_t clue;
  std::int32_t last;      // the step at which it closes
  std::int32_t position;  // its lowest bit
  std::int32_t width;     // bits, with the guard
};

// A clue that opens: its field is inserted into every key.
template <class Key>
struct Insertion {
  int position;
  int width;
  Key below;
  Key value;
};

// What one step does to the keys.
template <class Key>
struct Step {
  Insertion<Key>* insertion = nullptr;
  std::int32_t insertions = 0;
  Key mask{};                // 1 in each field of the box
  Key guards{};              // the guard bits of these fields
  Key body{};                // the other bits of these fields
  Key ceiling{};             // most that each of these fields may hold afterwards, with guards set
  std::int32_t lists = 0;    // numbers of mines that the box can have: 0..lists-1
  std::int32_t dropped = 0;  // bits of the fields that close
  std::int32_t closing = 0;  // number of fields that close, the first of the frontier
  bool weighs = false;       // one of them has weights
};

// The open clues in key order, carried from step to step.
template <class Key>
class Frontier {
 public:
  Frontier(const Component& c, const Order& order, Arena& arena) : c_(c), order_(order) {
    const auto clues = static_cast<std::size_t>(c.clues);
    capacity_ = arena.take<std::int32_t>(clues);
    open_ = arena.take<Field>(clues);
    step_.insertion = arena.take<Insertion<Key>>(clues);
    for (std::int32_t i = 0; i < c.clues; ++i) {
      std::int32_t cells = 0;
      for (std::int32_t e = c.clue_offset[i]; e < c.clue_offset[i + 1]; ++e) cells += c.size[c.clue_box[e]];
      capacity_[i] = cells;
    }
  }

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
    for (std::int32_t i = 0; i < count_; ++i) {
      const Field& f = open_[i];
      bool ours = false;
      for (std::int32_t e = 0; e < clues; ++e) ours = ours || clue[e] == f.clue;
      if (!ours) continue;
      most = std::min(most, c_.clue[f.clue].high);
      place(f, size);
    }
    s.ceiling = s.ceiling | s.guards;
    s.lists = most + 1;
    s.closing = s.dropped = 0;
    s.weighs = false;
    while (s.closing < count_ && open_[s.closing].last == t) {
      const Field& f = open_[s.closing++];
      s.dropped += f.width;
      s.weighs = s.weighs || c_.clue[f.clue].weight != nullptr;
    }
    return s;
  }

  const Step<Key>& step() const { return step_; }

  // The weight of the clues that close, from the low bits of a key.
  double closing_weight(Key bits) const {
    double weight = 1;
    bool possible = true;
    for (std::int32_t i = 0; i < step_.closing; ++i) {
      const Field& f = open_[i];
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
    if (weight < std::numeric_limits<double>::min())
      throw BudgetExceeded("weights are too far apart for double precision");
    return weight;
  }

  // Drops the fields that closed.
  void end() {
    const std::int32_t gone = step_.closing;
    if (!gone) return;
    count_ -= gone;
    for (std::int32_t i = 0; i < count_; ++i) {
      open_[i] = open_[i + gone];
      open_[i].position -= step_.dropped;
    }
    bits_ -= step_.dropped;
  }

 private:
  // Inserts the field of a clue before those that close later.
  void open(std::int32_t clue) {
    const std::int32_t width = field_width(c_.clue[clue]);
    const std::int32_t last = order_.last[clue];
    std::int32_t at = 0;
    while (at < count_ && open_[at].last <= last) ++at;
    const std::int32_t position = at < count_ ? open_[at].position : bits_;
    for (std::int32_t i = count_; i > at; --i) {
      open_[i] = open_[i - 1];
      open_[i].position += width;
    }
    open_[at] = {clue, last, position, width};
    ++count_;
    bits_ += width;
    step_.insertion[step_.insertions++] = {position, width, (Key{1} << position) - Key{1},
                                           Key{static_cast<std::uint64_t>(c_.clue[clue].high)} << position};
  }

  // Adds the field of a clue to the masks of a step that eliminates `size` cells of it.
  void place(const Field& f, std::int32_t size) {
    const Clue& k = c_.clue[f.clue];
    capacity_[f.clue] -= size;
    const std::int32_t ceiling = std::min(k.high, capacity_[f.clue] + k.high - k.low);
    const Key one = Key{1} << f.position;
    const Key guard = one << (f.width - 1);
    step_.mask = step_.mask | one;
    step_.guards = step_.guards | guard;
    step_.body = step_.body | (guard - one);
    step_.ceiling = step_.ceiling | (Key{static_cast<std::uint64_t>(ceiling)} << f.position);
  }

  const Component& c_;
  const Order& order_;
  std::int32_t* capacity_;  // per clue: cells not yet eliminated
  Field* open_;
  std::int32_t count_ = 0;
  std::int32_t bits_ = 0;
  Step<Key> step_;
};

// Most bits that the keys of an order need at any step; few enough for narrow keys are not counted further.
std::int32_t key_bits(const Component& component, const Order& order);

// States by key, with open addressing, for programs with weights: there most combinations occur, and looking one up is
// cheaper than a merge.
class StateTable {
 public:
  explicit StateTable(Arena& arena) : arena_(arena) {}

  // Empty, with room for this many.
  void clear(std::size_t most) {
    if (size_ < most + most / 2 + 2) {
      size_ = std::bit_ceil(2 * most + 64);
      shift_ = 64 - std::countr_zero(size_);
      slot_ = arena_.zeroed<Slot>(size_);
      round_ = 0;
    }
    ++round_;
  }
  // The state with a key; where there is none yet, it becomes `fresh`.
  std::uint32_t find(Narrow key, std::uint32_t fresh) {
    for (std::size_t i = (key * 0x9e3779b97f4a7c15u) >> shift_;; i = (i + 1) & (size_ - 1)) {
      Slot& s = slot_[i];
      if (s.round != round_) {
        s = {key, round_, fresh};
        return fresh;
      }
      if (s.key == key) return s.state;
    }
  }

 private:
  struct Slot {
    Narrow key;
    std::uint32_t round;  // the step at which it was filled
    std::uint32_t state;
  };
  Arena& arena_;
  Slot* slot_ = nullptr;
  std::size_t size_ = 0;
  int shift_ = 0;
  std::uint32_t round_ = 0;
};

}  // namespace mineproof::exact

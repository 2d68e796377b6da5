// Single-point reasoning on any graph, from the supports of the clues.
#include "front.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "underflow.hpp"

namespace mineproof::exact {

namespace {

// Possible numbers of mines around a clue, over all neighbours, within known .. known + unknown.
struct CountBounds {
  std::int32_t low;
  std::int32_t high;
};

// A product of weights, whose logarithm is taken once.
struct Product {
  double mantissa = 1;
  std::int64_t exponent = 0;

  void times(double weight) {
    mantissa *= usual(weight);  // two of them neither overflow nor underflow
    mantissa = usual(mantissa);
  }
  // What is out of 2^-200..2^200 leaves its exponent in ours.
  double usual(double x) {
    if (x > 0x1p-200 && x < 0x1p200) return x;
    int e;
    const double m = std::frexp(x, &e);
    exponent += e;
    return m;
  }
  double log() const { return std::log(mantissa) + static_cast<double>(exponent) * std::log(2.0); }
};

// What a clue says of its undecided cells.
struct ClueReading {
  const double* row;  // from the number of known mines on
  std::int32_t unknown;
  bool flat;
  double log_weight;
  Clue clue;
};

struct Propagation {
  const Position& position;
  Front& front;
  std::int32_t* known;    // per clue cell: mines around it
  std::int32_t* unknown;  // per clue cell: undecided cells around it
  std::int32_t* queue;    // clue cells to look at
  std::uint8_t* queued;
  std::int32_t head = 0;
  std::int32_t tail = 0;
  std::int32_t capacity = 0;

  void push(std::int32_t cell) {
    if (queued[cell]) return;
    queued[cell] = 1;
    queue[tail++] = cell;
    if (tail == capacity) tail = 0;
  }

  CountBounds bounds(std::int32_t cell) const {
    const std::int32_t shown = position.shown[cell];
    if (!position.channel) return {shown, shown};
    const double* row = position.channel->row(shown, position.graph->degree(cell));
    std::int32_t low = known[cell];
    std::int32_t high = known[cell] + unknown[cell];
    if (!row) return {1, 0};
    while (low <= high && !(row[low] > 0)) ++low;
    while (high >= low && !(row[high] > 0)) --high;
    return {low, high};
  }

  // Can a clue without undecided cells around it be met?
  bool met(std::int32_t cell) const {
    const std::int32_t shown = position.shown[cell];
    if (!position.channel) return shown == known[cell];
    const double* row = position.channel->row(shown, position.graph->degree(cell));
    return row && row[known[cell]] > 0;
  }

  void decide(std::int32_t cell, Mark mark) {
    const Graph& g = *position.graph;
    front.mark[cell] = mark;
    --front.unknown;
    const std::int32_t mine = mark == Mark::mine ? 1 : 0;
    front.known += mine;
    for (std::int32_t e = g.offset[cell]; e < g.offset[cell + 1]; ++e) {
      const std::int32_t c = g.target[e];
      if (position.shown[c] > kLargestClue) continue;
      known[c] += mine;
      --unknown[c];
      push(c);
    }
  }

  // False where a clue cannot be met.
  bool run() {
    const Graph& g = *position.graph;
    while (head != tail) {
      const std::int32_t cell = queue[head++];
      if (head == capacity) head = 0;
      queued[cell] = 0;
      const CountBounds b = bounds(cell);
      if (b.low > b.high || b.high < known[cell] || b.low > known[cell] + unknown[cell]) {
        front.clash = cell;
        return false;
      }
      if (!unknown[cell]) continue;
      const bool safe = b.high == known[cell];
      if (!safe && b.low != known[cell] + unknown[cell]) continue;
      for (std::int32_t e = g.offset[cell]; e < g.offset[cell + 1]; ++e) {
        if (front.mark[g.target[e]] == Mark::unknown) decide(g.target[e], safe ? Mark::safe : Mark::mine);
      }
    }
    return true;
  }
};

}  // namespace

bool condition(const double* row, std::int32_t known, std::int32_t unknown, Workspace& ws, Clue& out, bool& flat,
               double& log_weight) {
  if (!row) return false;
  const double* w = row + known;
  std::int32_t low = unknown + 1;
  std::int32_t high = -1;
  std::int32_t possible = 0;
  double most = 0;
  double least = std::numeric_limits<double>::max();
  for (std::int32_t i = 0; i <= unknown; ++i) {  // without branches: these are short lists of any shape
    const bool can = w[i] > 0;
    low = std::min(low, can ? i : unknown + 1);
    high = can ? i : high;
    possible += can ? 1 : 0;
    most = std::max(most, w[i]);
    least = std::min(least, can ? w[i] : least);
  }
  if (!possible) return false;
  const std::int32_t e = exponent_of(most) + 1;
  log_weight += e * std::log(2.0);
  flat = possible == unknown + 1 && most == least;
  out.low = low;
  out.high = high;
  out.weight = nullptr;
  out.least = 0;
  if (flat || low == high) {
    log_weight += std::log(std::ldexp(w[low], -e));
    return true;
  }
  double* copy = ws.arena.take<double>(static_cast<std::size_t>(unknown) + 1);
  const double scale = power_of_two(-e);  // weights are within kLeastWeight..kMostWeight
  for (std::int32_t i = 0; i <= unknown; ++i) copy[i] = w[i] > 0 ? w[i] * scale : 0.0;
  out.weight = copy + low;
  out.least = std::min(0, exponent_of(least) - e);
  return true;
}

Front read_front(const Position& position, Workspace& ws) {
  const Graph& g = *position.graph;
  if (g.rows > 0 && !position.channel) return read_front_grid(position, ws);
  const std::size_t n = static_cast<std::size_t>(g.cells);
  Front front;
  front.mark = ws.arena.take<Mark>(n);
  std::int32_t clues = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint8_t s = position.shown[i];
    front.mark[i] = s == kHidden ? Mark::unknown : s == kOpenedMine ? Mark::burst : Mark::open;
    front.unknown += s == kHidden;
    front.known += s == kOpenedMine;
    clues += s <= kLargestClue;
  }
  if (position.mines) {
    for (std::size_t i = 0; i < n; ++i) {
      if (front.mark[i] != Mark::unknown || !position.mines[i]) continue;
      front.mark[i] = Mark::mine;
      --front.unknown;
      ++front.known;
    }
  }
  Propagation p{position,
                front,
                ws.arena.take<std::int32_t>(n),
                ws.arena.take<std::int32_t>(n),
                ws.arena.take<std::int32_t>(static_cast<std::size_t>(clues) + 1),
                ws.arena.zeroed<std::uint8_t>(n)};
  p.capacity = clues + 1;
  // What lies around every clue: one list of those with unknown cells, filled from the front, and of the others from
  // the back.
  std::int32_t* list = ws.arena.take<std::int32_t>(static_cast<std::size_t>(clues) + 1);
  std::int32_t live = 0;
  std::int32_t quiet = clues;
  const std::uint8_t* around = g.rows > 0 ? sums_around(g, front.mark, ws) : nullptr;
  for (std::int32_t i = 0; i < g.cells; ++i) {
    std::int32_t known = 0;
    std::int32_t unknown = 0;
    const bool clue = position.shown[i] <= kLargestClue;
    if (around) {
      known = around[i] >> 4;
      unknown = around[i] & 15;
    } else if (clue) {
      for (std::int32_t e = g.offset[i]; e < g.offset[i + 1]; ++e) {
        const Mark m = front.mark[g.target[e]];
        unknown += m == Mark::unknown;
        known += m == Mark::mine || m == Mark::burst;
      }
    }
    p.known[i] = known;
    p.unknown[i] = unknown;
    list[live] = i;
    live += clue && unknown > 0;
    list[quiet] = i;
    quiet -= clue && unknown == 0;
    if ((i & 1023) == 0) ws.spend(20000);
  }
  for (std::int32_t j = 0; j < live; ++j) p.push(list[j]);
  for (std::int32_t j = clues; j > quiet; --j) {
    if (!p.met(list[j])) p.push(list[j]);
  }
  if (!p.run()) return front;
  // Clues that still say something. The counts stay in the arena: a few bytes a cell, given back with the rest.
  const std::int32_t* known = p.known;
  const std::int32_t* unknown = p.unknown;
  front.clue = ws.arena.take<Clue>(static_cast<std::size_t>(live));
  constexpr std::size_t kRemembered = 256;
  ClueReading* remembered = position.channel ? ws.arena.zeroed<ClueReading>(kRemembered) : nullptr;
  Product settled;  // weights of the clues that have nothing undecided around them
  auto settle = [&](std::int32_t i) { settled.times(position.channel->row(position.shown[i], g.degree(i))[known[i]]); };
  for (std::int32_t j = clues; j > quiet && position.channel; --j) settle(list[j]);
  for (std::int32_t j = 0; j < live; ++j) {
    const std::int32_t i = list[j];
    const std::int32_t shown = position.shown[i];
    if (!position.channel) {
      if (unknown[i]) front.clue[front.clues++] = {shown - known[i], shown - known[i], nullptr, i};
      continue;
    }
    if (!unknown[i]) {
      settle(i);
      continue;
    }
    // Clues with the same row, counted from the same number, say the same; the last few are remembered.
    const double* row = position.channel->row(shown, g.degree(i)) + known[i];
    ClueReading& said = remembered[(reinterpret_cast<std::uintptr_t>(row) / sizeof(double) * 7 +
                                    static_cast<std::uintptr_t>(unknown[i])) %
                                   kRemembered];
    if (said.row != row || said.unknown != unknown[i]) {
      said = ClueReading{row, unknown[i], false, 0, {}};
      condition(row, 0, unknown[i], ws, said.clue, said.flat, said.log_weight);
    }
    front.log_weight += said.log_weight;
    if (said.flat) continue;
    front.clue[front.clues] = said.clue;
    front.clue[front.clues++].cell = i;
  }
  front.log_weight += settled.log();
  return front;
}

}  // namespace mineproof::exact

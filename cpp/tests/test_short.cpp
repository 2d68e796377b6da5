// Short path programs against the general way, to the last bit: the states that compiling finds, and both passes. On
// components of many boards, and on those with a probe.
// usage: test_short [positions] [seed]
#include <algorithm>

#include "../exact/frontier.hpp"
#include "../exact/path_short.hpp"
#include "../exact/probe.hpp"
#include "arguments.hpp"
#include "games.hpp"

using namespace mineproof::tests;

namespace {

struct Tally {
  int narrow = 0, wide = 0, wider = 0, probes = 0, clashes = 0, given_up = 0, passes = 0;
};

std::int32_t bits_of(const Component& c) {
  std::int32_t bits = 0;
  for (std::int32_t q = 0; q < c.clues; ++q) bits += field_width(c.clue[q]);
  return bits;
}

template <class T>
bool same(const T* a, const T* b, std::size_t n) {
  return std::equal(a, a + n, b);
}

void check_programs(const PathProgram& a, const PathProgram& b) {
  CHECK(a.steps == b.steps && a.states == b.states && a.widest == b.widest && a.entries == b.entries);
  CHECK(a.gap == b.gap && a.weighs == b.weighs);
  for (std::int32_t t = 0; t <= a.steps; ++t) {
    const Layer& x = a.layer[t];
    const Layer& y = b.layer[t];
    CHECK(x.states == y.states && x.lists == y.lists && x.factor == y.factor, "layer %d", t);
    CHECK(same(x.low, y.low, x.states) && same(x.offset, y.offset, x.states + 1), "layer %d", t);
    if (t == a.steps) break;
    CHECK(same(x.next, y.next, x.states * static_cast<std::size_t>(x.lists)), "layer %d", t);
  }
  CHECK(same(a.final_count, b.final_count, a.last().states));
}

// Both passes of a program, and of the same one said to have weights, which no short way is taken for.
void check_passes(const PathProgram& program, Dice& dice, Workspace& ws) {
  const double fugacity = std::ldexp(1.0, dice.chance(0.8) ? dice.below(5) - 3 : dice.below(41) - 20);
  PathProgram general = program;
  general.weighs = true;
  PathForward a, b;
  forward(program, fugacity, ws, a);
  forward(general, fugacity, ws, b);
  CHECK(a.exponent == b.exponent && a.lost == b.lost && a.fugacity == b.fugacity);
  for (std::int32_t t = 0; t <= program.steps; ++t)
    CHECK(same(a.coefficient[t], b.coefficient[t], program.layer[t].entries()), "layer %d", t);
  std::vector<double> outside(program.last().entries());
  const int steepness = dice.chance(0.7) ? 5 : 300;
  for (double& x : outside) x = dice.chance(0.2) ? 0 : std::ldexp(dice.uniform(), -dice.below(steepness));
  std::vector<BoxOdds> x(static_cast<std::size_t>(program.steps)), y(x.size());
  CHECK(backward(program, a, outside.data(), ws, x.data()) == backward(general, b, outside.data(), ws, y.data()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK(x[i].p == y[i].p, "box %zu: %.17g, not %.17g", i, x[i].p, y[i].p);
    CHECK(x[i].can_be_mine == y[i].can_be_mine && x[i].can_be_safe == y[i].can_be_safe, "box %zu", i);
  }
}

void check(const Component& c, Dice& dice, Tally& tally) {
  static Workspace ws, other;
  ws.begin({});
  const Order order = choose_order(c, ws);
  const std::int64_t before = ws.spent();
  PathProgram program, general;
  const bool possible = compile_path(c, order, ws, program);
  const std::int64_t work = ws.spent() - before;
  // Where the budget is small, every step is counted: no short way is taken.
  Limits limits;
  limits.states = c.boxes * static_cast<std::int64_t>(ShortLists<Narrow>::kMost) - 1;
  other.begin(limits);
  try {
    CHECK(compile_path(c, order, other, general) == possible);
  } catch (const BudgetExceeded&) {
    ++tally.given_up;
    return;
  }
  CHECK(other.spent() == work);
  tally.probes += c.probe >= 0;
  if (!possible) {
    ++tally.clashes;
    return;
  }
  const std::int32_t bits = bits_of(c);
  ++(bits <= kBits<Narrow> ? tally.narrow : bits <= kBits<Double> ? tally.wide : tally.wider);
  check_programs(program, general);
  if (program.entries > 100'000) return;
  check_passes(program, dice, ws);
  ++tally.passes;
}

// A chain of clues of 1, each with two cells.
bool compile_chain(std::int32_t clues, Workspace& ws) {
  std::vector<std::int32_t> size(static_cast<std::size_t>(clues) + 1, 1), box_offset{0}, box_clue, clue_offset{0},
      clue_box;
  std::vector<Clue> clue;
  for (std::int32_t q = 0; q < clues; ++q) {
    clue.push_back({1, 1, nullptr, q});
    clue_box.insert(clue_box.end(), {q, q + 1});
    clue_offset.push_back(2 * q + 2);
  }
  for (std::int32_t b = 0; b <= clues; ++b) {
    if (b > 0) box_clue.push_back(b - 1);
    if (b < clues) box_clue.push_back(b);
    box_offset.push_back(static_cast<std::int32_t>(box_clue.size()));
  }
  const Component c{clues + 1,       clues,       size.data(), box_offset.data(), box_clue.data(), clue_offset.data(),
                    clue_box.data(), clue.data(), -1};
  PathProgram program;
  ws.begin({});
  return compile_path(c, choose_order(c, ws), ws, program);
}

// Large components, each a little larger than the one before: memory is not kept of all of them.
void check_memory() {
  constexpr std::int32_t kClues = 90'000;
  Workspace ws;
  for (int i = 0; i < 200; ++i) CHECK(compile_chain(kClues + 20 * i, ws));
  const std::int64_t most = std::int64_t{100} << 20;
  CHECK(ws.scratch.reserved() < most, "%lld bytes are kept", static_cast<long long>(ws.scratch.reserved()));
}

Snapshot any_position(Dice& dice) {
  const int kind = dice.below(20);
  const std::uint64_t seed = dice.next();
  if (kind == 0) return played(30, 30, 0.2, 0.6, seed);
  if (kind == 1) return scattered(16 + dice.below(8), 0.3, 0.2, seed);
  if (kind == 2) return lattice(8 + dice.below(8), 0.2, seed);
  auto board = std::make_shared<Board>(any_board(dice, 30));
  Snapshot s = deal(board, dice.below(board->cells()), -1, dice);
  const double share = dice.uniform();
  for (int i = 0; i < board->cells(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (!s.mine[at] && dice.chance(share)) s.shown[at] = static_cast<std::uint8_t>(mines_around(*board, s.mine, i));
  }
  return s;
}

}  // namespace

int main(int argc, char** argv) {
  const int positions = cases(argc, argv, 20000);
  Dice dice{seed(argc, argv, 17)};
  Tally tally;
  check_memory();
  Engine engine;
  Probe probe;
  for (int round = 0; round < positions; ++round) {
    const Snapshot s = any_position(dice);
    const Position position = s.position();
    engine.solve(position, {});
    for (std::int32_t i = 0; i < engine.boxes.components; ++i) check(engine.boxes.component[i], dice, tally);
    probe.begin(engine);
    for (int left = 4; left > 0; --left) {
      const std::int32_t cell = dice.below(s.graph.cells);
      if (engine.front.mark[cell] != Mark::unknown || !probe.look(cell)) continue;
      const Arena::Mark mark = engine.ws.arena.mark();
      Component merged;
      if (probe.merge(engine.ws.arena, merged)) check(merged, dice, tally);
      engine.ws.arena.release(mark);
    }
  }
  const int few = positions / 200;
  CHECK(tally.narrow > 20 * few && tally.wide > few && tally.wider > 0 && tally.probes > 20 * few);
  std::printf(
      "test_short: %d programs whose fields fit a key, %d two, %d more; %d with a probe, %d that clash, %d given "
      "up; "
      "%d passes\n",
      tally.narrow, tally.wide, tally.wider, tally.probes, tally.clashes, tally.given_up, tally.passes);
  return 0;
}

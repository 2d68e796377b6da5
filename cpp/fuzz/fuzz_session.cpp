// Sessions that follow any game, honest or not, against a fresh analysis of the same position.
#include "../exact/session.hpp"
#include "tape.hpp"

using namespace mineproof::fuzz;

namespace {

void compare(Session& session, Analysis& fresh, const Case& c) {
  const int n = c.board.cells();
  std::vector<double> p(static_cast<std::size_t>(n)), q(static_cast<std::size_t>(n));
  fresh.probabilities(p.data());
  session.probabilities(q.data());
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool alike = std::abs(p[at] - q[at]) < 1e-9 && fresh.certain(i) == session.certain(i);
    if (!alike) print_case(c);
    CHECK(alike, "cell %d: session %.17g fresh %.17g", i, q[at], p[at]);
  }
}

// Opens hidden cells as the tape says until it ends; false where the session called the position contradictory.
void follow(Session& session, Analysis& fresh, Case& c, Tape& tape) {
  const int n = c.board.cells();
  while (!tape.ended()) {
    const int kind = tape.byte();
    if (kind % 4 == 0) {
      std::vector<std::int32_t> safe, mines;
      session.newly_certain(safe, mines);
      for (const auto cell : safe) CHECK(c.shown[static_cast<std::size_t>(cell)] == kHidden);
    } else if (kind % 4 == 1) {
      fresh.solve(c.position, small_limits());
      compare(session, fresh, c);
    } else {
      const int cell = (tape.byte() << 8 | tape.byte()) % n;
      const auto at = static_cast<std::size_t>(cell);
      if (c.shown[at] != kHidden) continue;
      std::uint8_t code = c.mine[at] ? kOpenedMine : static_cast<std::uint8_t>(mines_around(c.board, c.mine, cell));
      // Who vouches for a mine cannot open it as another thing: a session remembers, an analysis does not.
      if (kind > 240 && c.vouched.empty()) code = tape.byte();
      if (code > kLargestClue && code != kOpenedMine) code = kNoClue;
      c.shown[at] = code;
      session.open(cell, code);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Analysis fresh;
  Tape tape(data, size);
  Case c;
  any_case(tape, 8, 64, c);
  bool begun = false;
  try {
    Session session(c.position, small_limits());
    begun = true;
    follow(session, fresh, c, tape);
  } catch (const Contradiction&) {
    // The session is dead; a fresh analysis must see the same, whoever of the two threw.
    try {
      fresh.solve(c.position, small_limits());
      if (begun) print_case(c);
      CHECK(false, "a session calls contradictory what an analysis solves");
    } catch (const Contradiction&) {
    } catch (const BudgetExceeded&) {
    }
  } catch (const BudgetExceeded&) {
  }
  return 0;
}

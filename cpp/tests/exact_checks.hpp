// The engine against the oracle on one small position: probabilities, certainty, counts, distributions, clue odds,
// certainty without weighing, samples.
#pragma once

#include <limits>

#include "../exact/engine.hpp"
#include "brute.hpp"
#include "positions.hpp"

namespace mineproof::tests {

inline double worst = 0;  // the largest error so far

struct Seen {
  std::int64_t solved = 0;
  std::int64_t light = 0;  // proved without weighing
  std::int64_t refused = 0;
};

inline void close_to(double got, long double want, double tolerance, const Case& c, const char* what) {
  const double off = std::abs(got - static_cast<double>(want));
  if (off > worst) worst = off;
  if (!(off <= tolerance)) {
    print_case(c);
    CHECK(false, "%s: got %.17g want %.17Lg", what, got, want);
  }
}

inline void check_samples(Analysis& a, const Case& c, const Truth& t, Dice& dice) {
  const int n = c.board.cells();
  const int draws = 2000;
  std::vector<int> mines(static_cast<std::size_t>(n), 0);
  std::vector<std::uint8_t> out(static_cast<std::size_t>(n));
  for (int d = 0; d < draws; ++d) {
    a.sample({dice_word, &dice}, out.data());
    int k = 0;
    for (int i = 0; i < n; ++i)
      mines[static_cast<std::size_t>(i)] += out[static_cast<std::size_t>(i)], k += out[static_cast<std::size_t>(i)];
    CHECK(prior_weight(c.position.prior, n, k) > 0, "a sample with an impossible total");
    for (int i = 0; i < n; ++i) {
      if (c.shown[static_cast<std::size_t>(i)] <= kNoClue)
        CHECK(!out[static_cast<std::size_t>(i)], "a mine under an open cell");
      CHECK(clue_weight(c.position, i, mines_around(c.board, out, i)) > 0, "a sample against a clue");
    }
  }
  for (int i = 0; i < n; ++i) {
    const double p = static_cast<double>(t.mine[static_cast<std::size_t>(i)] / t.weight);
    const double sigma = std::sqrt(p * (1 - p) / draws);
    const double off = std::abs(mines[static_cast<std::size_t>(i)] / static_cast<double>(draws) - p);
    if (off > 5.5 * sigma + 1e-12) print_case(c);
    CHECK(off <= 5.5 * sigma + 1e-12, "cell %d sampled %g want %g", i,
          mines[static_cast<std::size_t>(i)] / static_cast<double>(draws), p);
  }
}

// Certainty as the stages of the engine find it; tells whether nothing had to be weighed for it.
inline bool check_stages(Engine& e, const Case& c, const Truth& t) {
  e.look(c.position, {});
  e.compile();
  const bool weighed = e.prove();
  for (int i = 0; i < c.board.cells(); ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    const Certain want = !t.can_be_mine[at] ? Certain::safe : !t.can_be_safe[at] ? Certain::mine : Certain::no;
    Certain got = e.box_certain[e.boxes.box_of[i]];
    if (e.front.mark[i] != Mark::unknown) {
      CHECK(got == Certain::no, "cell %d is fixed and yet in a box", i);
      got = e.front.mark[i] == Mark::mine || e.front.mark[i] == Mark::burst ? Certain::mine : Certain::safe;
    }
    if (got != want) print_case(c);
    CHECK(got == want, "cell %d proved %d want %d", i, static_cast<int>(got), static_cast<int>(want));
  }
  return !weighed;
}

inline void check_case(Analysis& a, Engine& e, const Case& c, Dice& dice, bool samples, Seen* seen) {
  const Truth t = enumerate(c.board, c.position);
  const int n = c.board.cells();
  try {
    a.solve(c.position);
  } catch (const Contradiction&) {
    if (t.layouts) print_case(c);
    CHECK(t.layouts == 0, "called contradictory, but has %llu layouts", static_cast<unsigned long long>(t.layouts));
    ++seen->refused;
    return;
  } catch (const BudgetExceeded&) {
    CHECK(c.steep, "out of range");
    return;
  }
  if (!t.layouts) print_case(c);
  CHECK(t.layouts > 0, "a contradiction was not seen");
  ++seen->solved;
  if (!std::isnormal(t.weight)) return;  // weights that not even the oracle can hold
  seen->light += check_stages(e, c, t);
  std::vector<double> p(static_cast<std::size_t>(n));
  a.probabilities(p.data());
  for (int i = 0; i < n; ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    close_to(p[at], t.mine[at] / t.weight, 1e-13, c, "p");
    CHECK(p[at] == a.probability(i));
    const Certain s = a.certain(i);
    const Certain want = c.shown[at] != kHidden ? Certain::open
                         : !t.can_be_mine[at]   ? Certain::safe
                         : !t.can_be_safe[at]   ? Certain::mine
                                                : Certain::no;
    if (s != want) print_case(c);
    CHECK(s == want, "cell %d certain %d want %d", i, static_cast<int>(s), static_cast<int>(want));
    CHECK((p[at] == 0.0) == !t.can_be_mine[at] && (p[at] == 1.0) == !t.can_be_safe[at]);
  }
  const double log_weight = static_cast<double>(std::log(t.weight));
  if (!c.steep || std::isfinite(a.log_weight()))
    close_to(a.log_weight(), log_weight, 1e-11 * (1 + std::abs(log_weight)), c, "log weight");
  const Limbs count = a.count();
  const std::uint64_t got = count.empty() ? 0 : count[0];
  if (count.size() > 1 || got != t.layouts) print_case(c);
  CHECK(count.size() <= 1 && got == t.layouts, "count %llu want %llu", static_cast<unsigned long long>(got),
        static_cast<unsigned long long>(t.layouts));
  // Distributions: their means must agree with the oracle's.
  std::vector<std::int32_t> box(static_cast<std::size_t>(n));
  a.box_of(box.data());
  std::vector<long double> mean(static_cast<std::size_t>(a.components()) + 1, 0);
  bool sea = false;
  for (int i = 0; i < n; ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    if (box[at] >= 0) mean[static_cast<std::size_t>(a.component_of_box(box[at]))] += t.mine[at] / t.weight;
    if (box[at] == Analysis::kSea) mean.back() += t.mine[at] / t.weight, sea = true;
  }
  for (int k = 0; k <= a.components(); ++k) {
    if (k == a.components() && !sea) break;
    const Spread s = k < a.components() ? a.component_mines(k) : a.sea_mines();
    double m = 0;
    double sum = 0;
    for (std::size_t i = 0; i < s.p.size(); ++i)
      sum += s.p[i], m += s.p[i] * static_cast<double>(s.first + static_cast<std::int64_t>(i));
    close_to(sum, 1, 1e-12, c, "spread sums to 1");
    close_to(m, mean[static_cast<std::size_t>(k)], 1e-11, c, "spread mean");
  }
  // What a hidden cell would show, and what lies around an opened one.
  for (int i = 0; i < n; ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    if (c.shown[at] == kOpenedMine) continue;
    ClueOdds odds;
    try {
      odds = a.clue_odds(i);
    } catch (const BudgetExceeded&) {
      CHECK(c.steep, "out of range");
      continue;
    }
    close_to(odds.mine, t.mine[at] / t.weight, 1e-13, c, "odds.mine");
    CHECK(odds.counts.size() == t.shows[at].size());
    for (std::size_t v = 0; v < odds.counts.size(); ++v) {
      close_to(odds.counts[v], t.shows[at][v] / t.weight, 1e-13, c, "odds.counts");
      // What is possible has a chance, but for one that is below any double.
      const long double want = t.shows[at][v] / t.weight;
      if (want > 0 && want < std::numeric_limits<double>::min()) continue;
      if ((odds.counts[v] > 0) != (want > 0)) print_case(c);
      CHECK((odds.counts[v] > 0) == (want > 0), "cell %d count %zu: %g want %Lg", i, v, odds.counts[v], t.shows[at][v]);
    }
  }
  if (samples) check_samples(a, c, t, dice);
}

}  // namespace mineproof::tests

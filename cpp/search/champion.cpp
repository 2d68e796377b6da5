#include "search/champion.hpp"

#include <algorithm>
#include <cmath>

namespace mineproof::search {

namespace {

constexpr std::int32_t kBatch = 32;    // layouts between two looks at who is behind
constexpr double kHopeless = 1.0;      // standard errors by which a candidate must lag to be dropped
constexpr double kWorth = 0.005;       // a lead that a candidate can hardly reach any more is not waited for
constexpr double kLeastSpread = 0.02;  // a spread of results that is smaller is an accident of few layouts

// Rollouts are many: best play from few solutions on must do there.
SwiftOptions in_rollouts(SwiftOptions options) {
  options.endgame = std::min(options.endgame, SwiftOptions{}.endgame);
  return options;
}

}  // namespace

Champion::Champion(const ChampionOptions& options, const Table& table)
    : options_(options), swift_(options.swift, table.graph), rollout_(in_rollouts(options.swift), table) {}

void Champion::begin_with(std::uint64_t key) {
  key_ = key;
  gain_ = 0;
  rollout_.forget();
}

Guess Champion::choose(const Situation& s) {
  const bool weigh = options_.rollouts > 0 && s.engine.joined.log_weight + s.engine.front.log_weight < options_.below;
  swift_.rank(s, weigh ? options_.slack : 0, ranking_);
  if (!weigh || ranking_.settled) return ranking_.guess;
  const Swift::Candidate* chosen = nullptr;
  for (const Swift::Candidate& c : ranking_.candidates) {
    if (c.cell == ranking_.guess.cell) chosen = &c;
  }
  std::vector<Swift::Candidate>& all = ranking_.candidates;
  const double least = chosen->score - options_.slack;
  rivals_.assign(1, {chosen->cell, chosen->risk});
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  for (const Swift::Candidate& c : all) {
    if (c.cell == rivals_.front().cell || !c.complete || c.dead || c.score < least) continue;
    if (static_cast<std::int32_t>(rivals_.size()) < options_.candidates) rivals_.push_back({c.cell, c.risk});
  }
  if (rivals_.size() == 1) return ranking_.guess;
  const std::int32_t winner = race(s);
  if (winner == 0) return ranking_.guess;
  const Rival& r = rivals_[static_cast<std::size_t>(winner)];
  if (options_.fresh > 0) {
    rollout_.begin(s.position, Stream(~key_, static_cast<std::uint64_t>(s.move), Purpose::sample));
    double sum = 0;
    for (std::int32_t i = 0; i < options_.fresh; ++i) {
      rollout_.draw();
      sum += rollout_.play(r.cell) - rollout_.play(rivals_.front().cell);
    }
    gain_ += sum / options_.fresh;
  }
  return {r.cell, r.risk, ranking_.guess.among};
}

// The rival to prefer: the default unless another is better beyond doubt.
std::int32_t Champion::race(const Situation& s) {
  rollout_.begin(s.position, Stream(key_, static_cast<std::uint64_t>(s.move), Purpose::sample));
  std::int32_t played = 0;
  for (; played < options_.rollouts; ++played) {
    if (played >= kBatch && played % kBatch == 0) {
      if (rollout_.worked_out() >= options_.work) break;
      bool some = false;
      for (std::size_t i = 1; i < rivals_.size(); ++i) {
        Rival& r = rivals_[i];
        if (!r.alive) continue;
        const double mean = r.ahead / played;
        const double spread = std::max(r.squares / played - mean * mean, kLeastSpread * kLeastSpread);
        const double error = std::sqrt(spread / played);
        if (mean < -kHopeless * error || mean + 2 * error < kWorth) r.alive = false;
        some = some || r.alive;
      }
      if (!some) return 0;
    }
    rollout_.draw();
    const double base = rollout_.play(rivals_.front().cell);
    for (std::size_t i = 1; i < rivals_.size(); ++i) {
      Rival& r = rivals_[i];
      if (!r.alive) continue;
      const double d = rollout_.play(r.cell) - base;
      r.ahead += d;
      r.squares += d * d;
    }
  }
  std::int32_t best = 0;
  double most = 0;
  for (std::size_t i = 1; i < rivals_.size(); ++i) {
    const Rival& r = rivals_[i];
    if (!r.alive) continue;
    const double mean = r.ahead / played;
    const double spread = std::max(r.squares / played - mean * mean, kLeastSpread * kLeastSpread);
    if (mean > options_.sure * std::sqrt(spread / played) && mean > most) {
      most = mean;
      best = static_cast<std::int32_t>(i);
    }
  }
  return best;
}

}  // namespace mineproof::search

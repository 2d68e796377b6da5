// The contest between cells, and the champion that holds it.
#include "search/champion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mineproof::search {

namespace {

constexpr double kFirstNoise = 0.02;    // variance of one difference before any is known
constexpr double kLeastNoise = 0.0025;  // a smaller variance is an accident of few layouts
constexpr std::int32_t kFewest = 32;    // go_on() weighs at least this many more layouts

// The mean of max(0, x) for a normal x with mean -behind and standard deviation sd: what learning x is worth.
double mean_excess(double behind, double sd) {
  if (!(sd > 0)) return 0;
  const double z = behind / sd;
  const double density = std::exp(-z * z / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  return sd * (density - z * std::erfc(z / std::numbers::sqrt2) / 2);
}

}  // namespace

void Contest::begin(const ContestOptions& options, std::span<const double> scores) {
  options_ = options;
  rivals_.assign(scores.size(), Rival{});
  for (std::size_t i = 0; i < scores.size(); ++i) rivals_[i].score = scores[i];
  leader_ = 0;
  layouts_ = 0;
  wins_ = 0;
}

void Contest::add(std::span<const double> values) {
  ++layouts_;
  wins_ += values[0];
  for (std::size_t i = 1; i < rivals_.size(); ++i) {
    Rival& r = rivals_[i];
    if (!r.plays) continue;
    const double difference = values[i] - values[0];
    r.ahead += difference;
    r.squares += difference * difference;
  }
}

// A score is a share of the chance to win.
void Contest::expect() {
  const double chance = this->chance();
  const double base = rivals_[0].score;
  doubt_ = options_.spread * options_.spread * chance * chance;
  leader_ = 0;
  for (std::size_t i = 1; i < rivals_.size(); ++i) {
    Rival& r = rivals_[i];
    if (!r.plays) continue;
    const double told = base > 0 ? chance * (r.score / base - 1) : 0;
    r.noise = kFirstNoise;
    r.expected = told;
    if (layouts_ > 0) {
      const double mean = r.ahead / layouts_;
      r.noise = std::max(r.squares / layouts_ - mean * mean, kLeastNoise);
      r.expected += options_.trust * doubt_ / (doubt_ + r.noise / layouts_) * (mean - told);
    }
    if (r.expected > rivals_[leader_].expected) leader_ = i;
  }
}

// The value of information of `more` layouts of a rival: they may show that it leads, or that it does not.
double Contest::promise(std::size_t rival, double more) const {
  const Rival& r = rivals_[rival];
  double others = 0;
  for (std::size_t i = 1; i < rivals_.size(); ++i) {
    if (i != rival && rivals_[i].plays) others = std::max(others, rivals_[i].expected);
  }
  const double now = doubt_ * r.noise / (doubt_ * layouts_ + r.noise);
  const double then = doubt_ * r.noise / (doubt_ * (layouts_ + more) + r.noise);
  return mean_excess(std::abs(r.expected - others), std::sqrt(now - then));
}

bool Contest::go_on(double cost) {
  expect();
  const double more = std::max(layouts_, kFewest);
  const double worth = options_.price * more * cost;
  bool some = false;
  for (std::size_t i = 1; i < rivals_.size(); ++i) {
    Rival& r = rivals_[i];
    if (!r.plays) continue;
    const bool pays = promise(i, more) >= worth;
    some = some || pays;
    if (!pays && i != leader_) r.plays = false;  // a leader is there to be compared with
  }
  return some;
}

namespace {

constexpr std::int32_t kBatch = 16;         // layouts between two looks at the contest
constexpr double kPlay = 0.7;               // what a rollout costs beside the positions worked out, in positions
constexpr double kFirstCost = 2.5;          // of a rollout, before one is played
constexpr std::size_t kPlainEndgame = 100;  // best play in rollouts: with more solutions it costs more than it gains
constexpr double kBlind = 0.2;      // where hardly anything is seen, the spread of advantages is this much smaller
constexpr std::int32_t kSeen = 20;  // hardly anything: fewer than one cell in so many is open, and none shows 0

// Who plays the rollouts: the least risk and a small endgame. They rank cells nearly as rollouts of swift do, at a
// fifth of the cost.
SwiftOptions plain(SwiftOptions options) {
  options.endgame = std::min(options.endgame, kPlainEndgame);
  options.lookahead = false;
  return options;
}

// Who plays the rollouts that measure a gain: swift.
SwiftOptions careful(SwiftOptions options) {
  options.endgame = std::min(options.endgame, SwiftOptions{}.endgame);
  return options;
}

bool blind(const Situation& s) {
  const std::uint8_t* shown = s.position.shown;
  const std::uint8_t* end = shown + s.table.graph.cells;
  return kSeen * s.move < s.table.graph.cells && std::find(shown, end, std::uint8_t{0}) == end;
}

}  // namespace

Champion::Champion(const ChampionOptions& options, const Table& table)
    : options_(options),
      swift_(options.swift, table.graph),
      rollout_(plain(options.swift), table),
      fresh_(careful(options.swift), table) {}

void Champion::begin_with(std::uint64_t key) {
  key_ = key;
  gain_ = 0;
  rollout_.forget();
  fresh_.forget();
}

Guess Champion::choose(const Situation& s) {
  const bool weigh = options_.rollouts > 0;
  swift_.rank(s, weigh ? options_.slack : 0, ranking_);
  ranking_.guess.chance = ranking_.chance;
  if (!weigh || ranking_.settled) return ranking_.guess;
  list_rivals();
  const std::size_t winner = race(s);
  if (winner == 0) return ranking_.guess;
  const Rival& r = rivals_[winner];
  if (options_.fresh > 0) gain_ += measure(s, r);
  return {r.cell, r.risk, ranking_.guess.among};
}

// The default first, then those whose scores come near, the best first.
void Champion::list_rivals() {
  std::vector<Swift::Candidate>& all = ranking_.candidates;
  const auto chosen =
      std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.cell == ranking_.guess.cell; });
  const double least = chosen->score - options_.slack;
  rivals_.assign(1, {chosen->cell, chosen->risk});
  scores_.assign(1, chosen->score);
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  for (const Swift::Candidate& c : all) {
    if (static_cast<std::int32_t>(rivals_.size()) >= options_.candidates || c.score < least) break;
    if (c.cell == rivals_.front().cell || !c.complete || c.dead) continue;
    rivals_.push_back({c.cell, c.risk});
    scores_.push_back(c.score);
  }
}

// What a rollout says of a rival: the chance to win it came to, its luck taken out.
double Champion::value(Rollout& rollout, const Rival& rival) const {
  return rollout.play(rival.cell, rival.risk).without_luck(contest_.chance());
}

// The rival to prefer, tried on the same layouts as the others.
std::size_t Champion::race(const Situation& s) {
  ContestOptions options = options_.contest;
  if (blind(s)) options.spread *= kBlind;
  contest_.begin(options, scores_);
  values_.assign(rivals_.size(), 0);
  if (!contest_.go_on(kFirstCost)) return contest_.leader();  // layouts are not even made ready
  rollout_.begin(s.position, Stream(key_, static_cast<std::uint64_t>(s.move), Purpose::sample));
  const auto room = [&] { return contest_.layouts() < options_.rollouts && rollout_.work() < options_.work; };
  std::int64_t plays = 0;
  for (double cost = kFirstCost; contest_.go_on(cost) && room();) {
    for (std::int32_t k = 0; k < kBatch && room(); ++k) {
      rollout_.draw();
      for (std::size_t i = 0; i < rivals_.size() && room(); ++i) {
        if (!contest_.plays(i)) continue;
        values_[i] = value(rollout_, rivals_[i]);
        ++plays;
      }
      if (room()) contest_.add(values_);  // else not all have played
    }
    cost = kPlay + static_cast<double>(rollout_.work()) / static_cast<double>(plays);
  }
  return contest_.leader();
}

// The advantage of a rival over the default on fresh layouts, if swift plays on.
double Champion::measure(const Situation& s, const Rival& rival) {
  fresh_.begin(s.position, Stream(~key_, static_cast<std::uint64_t>(s.move), Purpose::sample));
  double sum = 0;
  for (std::int32_t i = 0; i < options_.fresh; ++i) {
    fresh_.draw();
    sum += value(fresh_, rival) - value(fresh_, rivals_.front());
  }
  return sum / options_.fresh;
}

}  // namespace mineproof::search

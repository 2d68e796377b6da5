#include "search/contest.hpp"

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

}  // namespace mineproof::search

// A player's move, its games, and the players by name.
#include "search/player.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <stdexcept>
#include <utility>

#include "search/champion.hpp"
#include "threads.hpp"

namespace mineproof::search {

namespace {

constexpr double kStageEnds[kStages - 1] = {6,  9,   13,  20,  30,  42,  55, 70,
                                            90, 110, 135, 160, 185, 208, 225};  // logarithms of the number of solutions

}  // namespace

Player::Player(const Table& table, std::unique_ptr<Guesser> guesser, bool swept)
    : table_(table),
      guesser_(std::move(guesser)),
      prover_(table.graph, exact::Prior::of_total(table.mines), swept ? nullptr : make_survey(table.graph)) {}

bool Player::prove(const std::uint8_t* shown) {
  open_ = count_open(shown, table_.graph.cells);
  return !first() && prover_.prove(shown);
}

Guess Player::guess() {
  if (first()) return guesser_->first(table_);
  return guesser_->choose({table_, prover_.position(), prover_.engine(), open_});
}

void Player::certain_mines(std::vector<std::int32_t>& out) const {
  out.clear();
  if (!first()) prover_.certain_mines(out);
}

std::size_t Player::stage() const {
  if (first()) return kStages - 1;
  const exact::Engine& e = prover_.engine();
  const double solutions = e.joined.log_weight + e.front.log_weight;
  return static_cast<std::size_t>(std::lower_bound(kStageEnds, kStageEnds + kStages - 1, solutions) - kStageEnds);
}

PlayedGame play(Game& game, Player& player, std::uint64_t seed, std::uint64_t agent_seed, std::uint64_t index) {
  PlayedGame played;
  std::optional<double> known;
  game.begin(seed, index);
  player.begin(Stream(agent_seed, index, Purpose::agent));
  while (!game.over()) {
    if (!player.prove(game.shown())) {
      ++played.guesses;
      played.flags = player.count_mines();
      const std::size_t stage = player.stage();
      const Guess guess = player.guess();
      game.open(guess.cell);
      if (!known) known = guess.chance;
      if (!known) played.luck[stage] += game.burst() ? guess.risk - 1 : guess.risk;
      continue;
    }
    for (const std::int32_t cell : player.safe()) {
      if (!game.is_open(static_cast<std::size_t>(cell))) game.open(cell);
    }
  }
  played.end = game.end();
  played.chance = known.value_or(played.end.won ? 1 : 0);
  played.gain = player.gain();
  return played;
}

Guess ExactGuesser::first(const Table& table) {
  const std::size_t which = stream_.below(table.first.size());
  return {table.first[which], 0, static_cast<std::int32_t>(table.first.size())};
}

Guess ExactGuesser::choose(const Situation& s) {
  constexpr double kDigits = 1e12;  // equal chances are equal whatever the order in which they were summed
  const auto rounded = [](double risk) { return std::nearbyint(risk * kDigits); };
  const auto hidden = [&](std::int32_t cell) { return s.position.shown[cell] == exact::kHidden; };
  least_risk(s, rounded, kDigits, hidden, equal_);
  const std::int32_t cell = equal_[stream_.below(equal_.size())];
  return {cell, s.engine.box_p[s.engine.boxes.box_of[cell]], static_cast<std::int32_t>(equal_.size())};
}

namespace {

// Takes the options one after the other; what is left over is unknown.
class OptionReader {
 public:
  OptionReader(const std::string& player, const Options& options) : player_(player), left_(options) {}
  template <class T>
  void read(const char* name, T& value) {
    const auto found = left_.find(name);
    if (found == left_.end()) return;
    value = static_cast<T>(found->second);
    left_.erase(found);
  }
  void finish() const {
    if (!left_.empty()) throw std::invalid_argument(player_ + " has no option " + left_.begin()->first);
  }

 private:
  std::string player_;
  Options left_;
};

SwiftOptions swift_options(OptionReader& reader, SwiftOptions o = {}) {
  reader.read("window", o.window);
  double second = o.blend.second;
  reader.read("second", second);
  reader.read("zero", o.blend.zero);
  o.blend = {1 - second, second, o.blend.zero};
  reader.read("influence", o.influence);
  reader.read("endgame", o.endgame);
  return o;
}

ChampionOptions champion_options(OptionReader& reader) {
  ChampionOptions o;
  o.swift = swift_options(reader, o.swift);
  reader.read("rollouts", o.rollouts);
  reader.read("work", o.work);
  reader.read("slack", o.slack);
  reader.read("candidates", o.candidates);
  reader.read("price", o.contest.price);
  reader.read("spread", o.contest.spread);
  reader.read("trust", o.contest.trust);
  reader.read("fresh", o.fresh);
  return o;
}

}  // namespace

std::unique_ptr<Player> make_player(const Table& table, const std::string& name, const Options& options) {
  OptionReader reader(name, options);
  std::unique_ptr<Guesser> guesser;
  if (name == "exact") {
    guesser = std::make_unique<ExactGuesser>();
  } else if (name == "swift") {
    guesser = std::make_unique<Swift>(swift_options(reader), table.graph);
  } else if (name == "champion") {
    guesser = std::make_unique<Champion>(champion_options(reader), table);
  } else {
    throw std::invalid_argument("no player of the core is called " + name);
  }
  reader.finish();
  return std::make_unique<Player>(table, std::move(guesser));
}

namespace {

constexpr std::chrono::milliseconds kPollInterval{50};

// Games that threads take one by one, each with a player of its own.
class Tournament {
 public:
  Tournament(const Table& table, const GameSeries& series, const std::function<bool()>& poll,
             std::vector<PlayedGame>& out)
      : table_(table), series_(series), poll_(poll), out_(out) {}

  void run(const GameRules& rules, const std::string& name, const Options& options) {
    const auto work = [&](std::size_t thread) {
      try {
        const std::unique_ptr<Player> player = make_player(table_, name, options);
        Game game(table_.neighbours(), rules);
        play_on(game, *player, thread == 0);
      } catch (...) {
        const Guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        stopping_ = true;
      }
    };
    run_on_threads(series_.threads, kPollInterval, work, [this] { poll(); });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void poll() {
    if (!poll_()) stopping_ = true;
  }

  void play_on(Game& game, Player& player, bool polls) {
    auto polled = std::chrono::steady_clock::now();
    for (;;) {
      const std::size_t i = next_.fetch_add(1);
      if (i >= series_.games || stopping_) return;
      out_[i] = play(game, player, series_.seed, series_.agent_seed, series_.first_index + i);
      if (!polls) continue;
      const auto now = std::chrono::steady_clock::now();
      if (now - polled < kPollInterval) continue;
      polled = now;
      poll();
    }
  }

  const Table& table_;
  const GameSeries& series_;
  const std::function<bool()>& poll_;
  std::vector<PlayedGame>& out_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stopping_{false};
  Mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

void play_many(const Table& table, const GameRules& rules, const std::string& name, const Options& options,
               const GameSeries& series, const std::function<bool()>& poll, std::vector<PlayedGame>& out) {
  out.assign(series.games, PlayedGame{});
  Tournament(table, series, poll, out).run(rules, name, options);
}

}  // namespace mineproof::search

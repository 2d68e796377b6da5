#include "search/play_many.hpp"

#include <atomic>
#include <chrono>
#include <exception>

#include "crew.hpp"
#include "threads.hpp"

namespace mineproof::search {

namespace {

constexpr std::chrono::milliseconds kBreath{50};

// Games that threads take one by one, each with a player of its own.
class Tournament {
 public:
  Tournament(const Table& table, const Series& series, const std::function<bool()>& breathe, std::vector<Played>& out)
      : table_(table), series_(series), breathe_(breathe), out_(out) {}

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
    run_crew(series_.threads, kBreath, work, [this] { breathe(); });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void breathe() {
    if (!breathe_()) stopping_ = true;
  }

  void play_on(Game& game, Player& player, bool breathes) {
    auto breathed = std::chrono::steady_clock::now();
    for (;;) {
      const std::size_t i = next_.fetch_add(1);
      if (i >= series_.games || stopping_) return;
      out_[i] = play(game, player, series_.seed, series_.agent_seed, series_.first_index + i);
      if (!breathes) continue;
      const auto now = std::chrono::steady_clock::now();
      if (now - breathed < kBreath) continue;
      breathed = now;
      breathe();
    }
  }

  const Table& table_;
  const Series& series_;
  const std::function<bool()>& breathe_;
  std::vector<Played>& out_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stopping_{false};
  Mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

void play_many(const Table& table, const GameRules& rules, const std::string& name, const Options& options,
               const Series& series, const std::function<bool()>& breathe, std::vector<Played>& out) {
  out.assign(series.games, Played{});
  Tournament(table, series, breathe, out).run(rules, name, options);
}

}  // namespace mineproof::search

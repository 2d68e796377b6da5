#include "search/play_many.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "search/champion.hpp"
#include "search/exact_guesser.hpp"

namespace mineproof::search {

namespace {

// Takes the options one after the other; what nobody took is unknown.
class Reader {
 public:
  Reader(const std::string& player, const Options& options) : player_(player), left_(options) {}
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

SwiftOptions swift_options(Reader& reader, SwiftOptions o = {}) {
  reader.read("window", o.window);
  double second = o.blend.second;
  reader.read("second", second);
  reader.read("zero", o.blend.zero);
  o.blend = {1 - second, second, o.blend.zero};
  reader.read("influence", o.influence);
  reader.read("endgame", o.endgame);
  return o;
}

ChampionOptions champion_options(Reader& reader) {
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

// Games taken one by one by several threads.
class Crew {
 public:
  Crew(const Table& table, bool cascade, const std::string& name, const Options& options, const Series& series,
       std::vector<Played>& out)
      : table_(table), cascade_(cascade), name_(name), options_(options), series_(series), out_(out) {}

  void run(const std::function<bool()>& breathe) {
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < series_.threads; ++i) {
      try {
        ++working_;
        others.emplace_back([this] {
          work([] { return true; });
          const std::lock_guard lock(mutex_);
          --working_;
          done_.notify_one();
        });
      } catch (const std::system_error&) {  // no more threads to be had: those there are do it
        --working_;
        break;
      }
    }
    work(breathe);
    {
      std::unique_lock lock(mutex_);
      while (!done_.wait_for(lock, kBreath, [this] { return working_ == 0; })) {
        lock.unlock();
        if (!breathe()) stopping_ = true;
        lock.lock();
      }
    }
    for (std::thread& other : others) other.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  static constexpr std::chrono::milliseconds kBreath{50};

  template <class Breathe>
  void work(const Breathe& breathe) {
    try {
      const std::unique_ptr<Player> player = make_player(table_, name_, options_);
      const auto cells = static_cast<std::size_t>(table_.graph.cells);
      const Neighbours neighbours{{table_.graph.offset, cells + 1},
                                  {table_.graph.target, static_cast<std::size_t>(table_.graph.offset[cells])}};
      Game game(neighbours, {static_cast<std::size_t>(table_.mines), table_.first_click, cascade_});
      auto breathed = std::chrono::steady_clock::now();
      for (;;) {
        const std::size_t i = next_.fetch_add(1);
        if (i >= series_.games || stopping_) return;
        out_[i] = play(game, *player, series_.seed, series_.agent_seed, series_.first_index + i);
        const auto now = std::chrono::steady_clock::now();
        if (now - breathed < kBreath) continue;
        breathed = now;
        if (!breathe()) stopping_ = true;
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stopping_ = true;
    }
  }

  const Table& table_;
  bool cascade_;
  const std::string& name_;
  const Options& options_;
  const Series& series_;
  std::vector<Played>& out_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> working_{0};
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::condition_variable done_;
  std::exception_ptr failure_;
};

}  // namespace

std::unique_ptr<Player> make_player(const Table& table, const std::string& name, const Options& options) {
  Reader reader(name, options);
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

void play_many(const Table& table, bool cascade, const std::string& name, const Options& options, const Series& series,
               const std::function<bool()>& breathe, std::vector<Played>& out) {
  out.assign(series.games, Played{});
  Crew(table, cascade, name, options, series, out).run(breathe);
}

}  // namespace mineproof::search

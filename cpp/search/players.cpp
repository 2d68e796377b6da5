#include "search/players.hpp"

#include <stdexcept>

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

}  // namespace mineproof::search

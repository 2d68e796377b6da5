// The players by name, and many games of one of them.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "search/player.hpp"

namespace mineproof::search {

// What a player is told beyond its name; every option is a number.
using Options = std::map<std::string, double>;

// `exact`, `swift` or `champion`. Throws std::invalid_argument for another name, and for an option it does not have.
std::unique_ptr<Player> make_player(const Table& table, const std::string& name, const Options& options);

struct Series {
  std::uint64_t seed = 0;
  std::uint64_t agent_seed = 0;
  std::uint64_t first_index = 0;
  std::size_t games = 0;
  std::size_t threads = 1;
};

// Games first_index, first_index + 1, ... in `out`, the same for any number of threads. `breathe` is called by the
// calling thread now and then; false stops the games, and the rest of `out` is left alone.
void play_many(const Table& table, bool cascade, const std::string& name, const Options& options, const Series& series,
               const std::function<bool()>& breathe, std::vector<Played>& out);

}  // namespace mineproof::search

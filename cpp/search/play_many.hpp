// Many games of one player, on several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "search/players.hpp"

namespace mineproof::search {

struct Series {
  std::uint64_t seed = 0;
  std::uint64_t agent_seed = 0;
  std::uint64_t first_index = 0;
  std::size_t games = 0;
  std::size_t threads = 1;
};

// Games first_index, first_index + 1, ... in `out`, the same for any number of threads. `breathe` is called by the
// calling thread now and then; false stops the games, and the rest of `out` is left alone.
void play_many(const Table& table, const GameRules& rules, const std::string& name, const Options& options,
               const Series& series, const std::function<bool()>& breathe, std::vector<Played>& out);

}  // namespace mineproof::search

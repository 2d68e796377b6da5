// The players of the core by name, with their options.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "search/player.hpp"

namespace mineproof::search {

// What a player is told beyond its name; every option is a number.
using Options = std::map<std::string, double>;

// `exact`, `swift` or `champion`. Throws std::invalid_argument for another name, and for an option it does not have.
std::unique_ptr<Player> make_player(const Table& table, const std::string& name, const Options& options);

}  // namespace mineproof::search

// Best play when every solution is known.
//
// What a player knows is the set of solutions that are left. A cell that is safe in all of them is opened at no cost,
// and what it shows splits the set. After all such cells are open, the set alone is the state, however it was reached.
// Opening a cell that may be a mine loses the solutions where it is one and splits the others by the value shown. The
// search maximises the number of solutions that end in a win.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "game.hpp"
#include "search/solutions.hpp"

namespace mineproof::search {

struct EndgameLimits {
  // Rows looked at, sixteen columns at a time: about a nanosecond each. The same on every machine.
  std::int64_t work = 50'000'000;
  // Polled about every ten milliseconds; true asks to stop, and exact::Interrupted is thrown.
  bool (*stop)(void* context) = nullptr;
  void* context = nullptr;
};

struct EndgameAnswer {
  bool solved = false;      // false: the work limit was reached, and nothing else is filled in
  std::uint64_t wins = 0;   // solutions won by best play
  std::uint64_t total = 0;  // solutions
  std::int32_t cell = -1;   // a best cell to open; -1 when nothing is left to decide
};

// Keeps its memory from table to table; one a thread.
class Endgame {
 public:
  Endgame();
  ~Endgame();
  Endgame(Endgame&&) noexcept;
  Endgame& operator=(Endgame&&) noexcept;

  // Best play. Of equally good cells the one with the fewest mines, then the first column.
  EndgameAnswer solve(const SolutionTable& table, const EndgameLimits& limits = {});

  // The same, and for every column the wins when its cell is opened first and play is best from there on.
  EndgameAnswer values(const SolutionTable& table, std::vector<std::uint64_t>& wins, const EndgameLimits& limits = {});

  // The wins when the best of these columns is opened first, and which of them are as good as that.
  EndgameAnswer best_of(const SolutionTable& table, std::span<const std::int32_t> columns,
                        std::vector<std::int32_t>& best, const EndgameLimits& limits = {});

  // Work of the last call.
  std::int64_t work() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// ------------------- best play from the empty board: the greatest number of layouts that any player can win

struct OptimalLimits {
  std::size_t layouts = 4'000'000;
  EndgameLimits endgame{4'000'000'000};
};

enum class OptimalEnd : std::uint8_t { solved, too_many_layouts, too_much_work };

struct OptimalAnswer {
  OptimalEnd end = OptimalEnd::solved;
  std::uint64_t wins = 0;          // layouts won by best play, of those the deal allows with the best first cell
  std::uint64_t total = 0;         // those layouts
  std::vector<std::int32_t> best;  // the given first cells that are as good; empty where no cell may be opened
};

// `first` are the cells to begin with: one of every set of cells that a symmetry of the board makes alike. Under
// `opening` a cell whose neighbourhood leaves no room for the mines cannot be the first.
OptimalAnswer optimal(const exact::Graph& graph, std::int64_t mines, FirstClick rule,
                      std::span<const std::int32_t> first, const OptimalLimits& limits = {});

}  // namespace mineproof::search

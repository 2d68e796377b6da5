// A board as JavaScript describes it: a graph, how its mines are dealt, how its clues lie.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exact/analysis.hpp"
#include "exact/position.hpp"
#include "search/players.hpp"

namespace mineproof::wasm {

// The largest board; beyond it memory, not time, is what runs out.
inline constexpr std::int32_t kMostCells = 1'000'000;

class Board {
 public:
  // Checks the rows of the graph; throws std::invalid_argument.
  Board(std::vector<std::int32_t> offsets, std::vector<std::int32_t> targets, std::int32_t rows, std::int32_t cols);

  void set_prior(const exact::Prior& prior, std::vector<double> numbers);
  void set_channel(std::int32_t largest_degree, std::int32_t codes, std::vector<double> weights);

  const exact::Graph& graph() const { return graph_; }
  std::size_t cells() const { return static_cast<std::size_t>(graph_.cells); }
  Neighbours neighbours() const { return {offsets_, targets_}; }

  // A position on this board: codes of all cells, and marks of flags to be trusted or nullptr. Throws where a code is
  // none. It borrows them.
  exact::Position position(const std::uint8_t* shown, const std::uint8_t* vouched) const;
  // The number of mines. Throws where it is not known, or clues lie.
  std::int64_t total() const;
  void check_cell(std::int32_t cell) const;

  // The player of this name, at this board and rule of the first click; made when it is first asked for.
  search::Player& player(const std::string& name, FirstClick first_click, const std::vector<std::int32_t>& first);

 private:
  std::vector<std::int32_t> offsets_, targets_;
  exact::Graph graph_;
  exact::Prior prior_;
  std::vector<double> numbers_, weights_;
  std::optional<exact::Channel> channel_;

  struct Seated {
    search::Table table;
    std::unique_ptr<search::Player> player;
  };
  std::map<std::pair<std::string, FirstClick>, std::unique_ptr<Seated>> seats_;
};

// The rule of the first click by its place among any, safe, opening.
FirstClick first_click_of(std::int32_t place);

}  // namespace mineproof::wasm

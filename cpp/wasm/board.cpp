// The answer of a call, and checks of what JavaScript hands over.
#include "wasm/board.hpp"

#include <exception>
#include <new>
#include <stdexcept>
#include <utility>

#include "exact/position.hpp"

namespace mineproof::wasm {

Answer& answer() {
  static Answer kept;
  return kept;
}

void refuse(const std::string& message) { throw std::invalid_argument(message); }

namespace {

std::int32_t failure(Status status, const char* message) {
  answer().clear();
  answer().message = message;
  return static_cast<std::int32_t>(status);
}

}  // namespace

std::int32_t run_call(void (*call)(void* context), void* context) {
  answer().clear();
  try {
    call(context);
    return static_cast<std::int32_t>(Status::good);
  } catch (const exact::Contradiction& e) {
    const std::vector<std::int32_t> clues = e.clues;
    const std::int32_t status = failure(Status::contradiction, e.what());
    answer().numbers = clues;
    answer().bytes.push_back(e.total);
    return status;
  } catch (const exact::BudgetExceeded& e) {
    const std::int32_t status = failure(Status::over_budget, e.what());
    if (e.boxes > 0) answer().numbers = {e.boxes, e.cell};
    return status;
  } catch (const exact::Interrupted&) {
    return failure(Status::over_budget, "the time that was allowed is used up");
  } catch (const std::bad_alloc&) {
    return failure(Status::over_budget, "the memory of the module is used up");
  } catch (const std::length_error&) {
    return failure(Status::over_budget, "the memory of the module is used up");
  } catch (const std::invalid_argument& e) {
    return failure(Status::malformed, e.what());
  } catch (const std::exception& e) {
    return failure(Status::failed, e.what());
  }
}

namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

void check_weight(double weight) {
  const bool good = weight == 0 || (weight >= exact::kLeastWeight && weight <= exact::kMostWeight);
  if (!good) refuse("a likelihood is out of range; accepted: 0, or 1e-130 to 1e130");
}

// Every neighbour is a cell, another one, named once, and names this cell too.
void check_graph(const exact::Graph& graph) {
  std::vector<std::int32_t> seen(static_cast<std::size_t>(graph.cells), -1);
  for (std::int32_t cell = 0; cell < graph.cells; ++cell) {
    const std::string place = "cell " + number(cell);
    if (graph.degree(cell) > max_neighbours) refuse(place + " has more than 255 neighbours; accepted: at most 255");
    for (std::int32_t e = graph.offset[cell]; e < graph.offset[cell + 1]; ++e) {
      const std::int32_t other = graph.target[e];
      if (other < 0 || other >= graph.cells) {
        refuse(place + " has the neighbour " + number(other) + "; accepted: cells 0 to " + number(graph.cells - 1));
      }
      if (other == cell) refuse(place + " is its own neighbour; accepted: other cells");
      if (seen[static_cast<std::size_t>(other)] == cell) {
        refuse(place + " has the neighbour " + number(other) + " twice; accepted: each once");
      }
      seen[static_cast<std::size_t>(other)] = cell;
    }
  }
  for (std::int32_t cell = 0; cell < graph.cells; ++cell) {
    for (std::int32_t e = graph.offset[cell]; e < graph.offset[cell + 1]; ++e) {
      const std::int32_t other = graph.target[e];
      bool back = false;
      for (std::int32_t f = graph.offset[other]; f < graph.offset[other + 1] && !back; ++f) {
        back = graph.target[f] == cell;
      }
      if (!back) {
        refuse("cell " + number(cell) + " has the neighbour " + number(other) +
               ", which does not have it; accepted:" + " neighbours of each other");
      }
    }
  }
}

}  // namespace

Board::Board(std::vector<std::int32_t> offsets, std::vector<std::int32_t> targets, std::int32_t rows, std::int32_t cols)
    : offsets_(std::move(offsets)), targets_(std::move(targets)) {
  graph_ = {static_cast<std::int32_t>(offsets_.size()) - 1, offsets_.data(), targets_.data(), rows, cols};
  check_graph(graph_);
}

void Board::set_prior(const exact::Prior& prior, std::vector<double> numbers) {
  for (const double weight : numbers) check_weight(weight);
  numbers_ = std::move(numbers);
  prior_ = prior;
  prior_.table = numbers_.data();
}

void Board::set_channel(std::int32_t largest_degree, std::int32_t codes, std::vector<double> weights) {
  for (const double weight : weights) check_weight(weight);
  weights_ = std::move(weights);
  channel_ = exact::Channel{largest_degree, codes, weights_.data()};
}

exact::Position Board::position(const std::uint8_t* shown, const std::uint8_t* vouched) const {
  for (std::int32_t cell = 0; cell < graph_.cells; ++cell) {
    if (shown[cell] > exact::kLargestClue && shown[cell] < exact::kNoClue) {
      refuse("cell " + number(cell) + " has an unknown code; accepted: a clue or a mark");
    }
  }
  exact::Position position;
  position.graph = &graph_;
  position.shown = shown;
  position.mines = vouched;
  position.channel = channel_ ? &*channel_ : nullptr;
  position.prior = prior_;
  return position;
}

std::int64_t Board::total() const {
  if (prior_.kind != exact::Prior::Kind::total) refuse("this needs a known number of mines; accepted: mines: a number");
  if (channel_) refuse("this needs exact clues; accepted: clues: exact");
  return prior_.mines;
}

void Board::check_cell(std::int32_t cell) const {
  if (cell < 0 || cell >= graph_.cells) {
    refuse("there is no cell " + number(cell) + "; accepted: 0 to " + number(graph_.cells - 1));
  }
}

search::Player& Board::player(const std::string& name, FirstClick first_click, const std::vector<std::int32_t>& first) {
  if (first.empty()) refuse("a first cell is expected");
  for (const std::int32_t cell : first) check_cell(cell);
  std::unique_ptr<PlayerSeat>& seat = seats_[{name, first_click}];
  if (seat == nullptr) {
    auto made = std::make_unique<PlayerSeat>(PlayerSeat{{graph_, total(), first_click, first}, nullptr});
    made->player = search::make_player(made->table, name, {});
    seat = std::move(made);
  }
  return *seat->player;
}

FirstClick first_click_of(std::int32_t place) {
  if (place < 0 || place > 2) refuse("the first click is any, safe or opening");
  return static_cast<FirstClick>(place);
}

}  // namespace mineproof::wasm

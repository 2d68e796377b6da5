// What the functions of the JavaScript package share: answers, time limits and boards.
//
// JavaScript calls plain functions of the module. Each returns a status; its answer lies in `answer()`, in plain
// arrays, until the next call. No exception leaves the module: what the core throws becomes a status with a message.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exact/analysis.hpp"
#include "exact/position.hpp"
#include "search/player.hpp"

namespace mineproof::wasm {

enum class Status : std::int32_t {
  good = 0,
  contradiction = 1,  // no layout explains the position; `numbers` are the clues that clash
  over_budget = 2,    // more states, memory or time than was allowed
  malformed = 3,      // the message says what was expected
  failed = 4,         // anything else
};

struct Answer {
  std::vector<double> chances;
  std::vector<std::int32_t> numbers;
  std::vector<std::uint64_t> words;
  std::vector<std::uint8_t> bytes;
  std::string message;

  void clear() {
    chances.clear();
    numbers.clear();
    words.clear();
    bytes.clear();
    message.clear();
  }
};

// The answer of the last call.
Answer& answer();

// Throws std::invalid_argument with this message.
[[noreturn]] void refuse(const std::string& message);

// Runs a call, and turns what it throws into a status.
std::int32_t run_call(void (*call)(void* context), void* context);

template <class Call>
std::int32_t run_call(Call&& call) {
  return run_call([](void* context) { (*static_cast<std::remove_reference_t<Call>*>(context))(); }, &call);
}

// A function that JavaScript calls: its name is that in the module. Compilers for other machines know no such name.
#ifdef __wasm__
#define MINEPROOF_EXPORT(name) extern "C" __attribute__((export_name(#name), used))
#else
#define MINEPROOF_EXPORT(name) extern "C"
#endif

// A time limit: so many seconds from now; none where it is 0.
class Deadline {
 public:
  explicit Deadline(double seconds)
      : limited_(seconds > 0), end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(seconds))) {}

  bool passed() const { return limited_ && Clock::now() >= end_; }
  exact::Limits limits(std::int64_t states, std::int64_t memory) {
    return {states, memory, limited_ ? &stop : nullptr, this};
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  static bool stop(void* context) { return static_cast<const Deadline*>(context)->passed(); }

  bool limited_;
  Clock::time_point end_;
};

// The largest board; beyond it memory, not time, is what runs out.
inline constexpr std::int32_t kMostCells = 1'000'000;

// A board as JavaScript describes it: a graph, how its mines are dealt, how its clues lie.
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

  struct PlayerSeat {
    search::Table table;
    std::unique_ptr<search::Player> player;
  };
  std::map<std::pair<std::string, FirstClick>, std::unique_ptr<PlayerSeat>> seats_;
};

// The rule of the first click by its place among any, safe, opening.
FirstClick first_click_of(std::int32_t place);

}  // namespace mineproof::wasm

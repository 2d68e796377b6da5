// Boards and their positions: made, solved, counted.
#include <algorithm>
#include <chrono>
#include <memory>

#include "exact/clash.hpp"
#include "wasm/answer.hpp"
#include "wasm/board.hpp"
#include "wasm/time.hpp"

using namespace mineproof;
using namespace mineproof::wasm;

namespace {

template <class T>
std::vector<T> copied(const T* from, std::size_t size) {
  return {from, from + size};
}

// One engine serves all positions and keeps its memory; it is made anew after an error.
std::unique_ptr<exact::Analysis>& engine() {
  static std::unique_ptr<exact::Analysis> kept;
  return kept;
}

// What `ask` finds in the solved position.
template <class Ask>
void solved(const Board& board, const std::uint8_t* shown, const std::uint8_t* vouched, const exact::Limits& limits,
            Ask&& ask) {
  auto one = engine() ? std::move(engine()) : std::make_unique<exact::Analysis>();
  one->solve(board.position(shown, vouched), limits);
  ask(*one);
  engine() = std::move(one);
}

}  // namespace

// Room for what JavaScript hands over; freed by `give_back`.
MINEPROOF_EXPORT(take) void* take(std::size_t size) { return ::operator new(size, std::nothrow); }
MINEPROOF_EXPORT(give_back) void give_back(void* room) { ::operator delete(room); }

// A board; its address is the one number of the answer.
MINEPROOF_EXPORT(board)
std::int32_t board(const std::int32_t* offsets, std::int32_t cells, const std::int32_t* targets, std::int32_t edges,
                   std::int32_t rows, std::int32_t cols) {
  return answered([&] {
    if (cells < 1 || cells > kMostCells) {
      refuse("a board of " + std::to_string(cells) + " cells; accepted: 1 to " + std::to_string(kMostCells));
    }
    auto made = std::make_unique<Board>(copied(offsets, static_cast<std::size_t>(cells) + 1),
                                        copied(targets, static_cast<std::size_t>(edges)), rows, cols);
    answer().numbers.push_back(static_cast<std::int32_t>(reinterpret_cast<std::uintptr_t>(made.release())));
  });
}
MINEPROOF_EXPORT(free_board) void free_board(Board* board) { delete board; }

// A number of mines; a density, where it is negative; any number alike, from 1 on, where both are.
MINEPROOF_EXPORT(deal_mines)
std::int32_t deal_mines(Board* board, std::int32_t mines, double density) {
  return answered([&] {
    if (mines >= 0) return board->set_prior(exact::Prior::of_total(mines), {});
    if (density >= 0) return board->set_prior(exact::Prior::of_density(density), {});
    std::vector<double> numbers(board->cells() + 1, 1.0);
    numbers[0] = 0;
    board->set_prior(exact::Prior::of_number(nullptr), std::move(numbers));
  });
}

// Likelihoods of clues: weights[degree][shown][count], as exact::Channel has them.
MINEPROOF_EXPORT(lie)
std::int32_t lie(Board* board, std::int32_t largest_degree, std::int32_t codes, const double* weights) {
  return answered([&] {
    const auto degrees = static_cast<std::size_t>(largest_degree) + 1;
    board->set_channel(largest_degree, codes, copied(weights, degrees * degrees * static_cast<std::size_t>(codes)));
  });
}

// The chance of a mine in every cell; the logarithm of the weight of all layouts follows them.
MINEPROOF_EXPORT(solve)
std::int32_t solve(const Board* board, const std::uint8_t* shown, const std::uint8_t* vouched, std::int64_t states,
                   std::int64_t memory, double seconds) {
  return answered([&] {
    Deadline deadline(seconds);
    solved(*board, shown, vouched, deadline.limits(states, memory), [&](exact::Analysis& analysis) {
      answer().chances.resize(board->cells() + 1);
      analysis.probabilities(answer().chances.data());
      answer().chances.back() = analysis.log_weight();
    });
  });
}

// The number of layouts, in words.
MINEPROOF_EXPORT(count)
std::int32_t count(const Board* board, const std::uint8_t* shown, const std::uint8_t* vouched, std::int64_t states,
                   std::int64_t memory, double seconds) {
  return answered([&] {
    Deadline deadline(seconds);
    solved(*board, shown, vouched, deadline.limits(states, memory),
           [&](exact::Analysis& analysis) { answer().words = analysis.count(); });
  });
}

// Of a position without a layout: the fewest clues that clash, and in a byte whether the number of mines is needed.
MINEPROOF_EXPORT(clash)
std::int32_t clash(const Board* board, const std::uint8_t* shown, const std::uint8_t* vouched, std::int64_t states,
                   std::int64_t memory, double seconds) {
  return answered([&] {
    Deadline deadline(seconds);
    const exact::Clash found = exact::clash(board->position(shown, vouched), deadline.limits(states, memory));
    answer().numbers = found.clues;
    answer().bytes.push_back(found.total);
  });
}

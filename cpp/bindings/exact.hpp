// What the sections of the seam to the exact engine share. Every function here needs the GIL.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "bindings/arrays.hpp"
#include "exact/analysis.hpp"
#include "exact/limits.hpp"
#include "exact/position.hpp"

namespace mineproof::bindings {

// A board, once per topology. Borrows the arrays of numpy.
struct Board {
  Board(IntsIn offsets, IntsIn targets, std::int32_t rows, std::int32_t cols);

  IntsIn offsets;
  IntsIn targets;
  exact::Graph graph;
};

// How mines are dealt and how clues lie, once per topology and rules. The prior and the channel point
// into the vectors, which moving leaves in place.
struct Model {
  Model() = default;
  Model(Model&&) = default;
  Model(const Model&) = delete;

  exact::Prior prior;
  std::vector<double> numbers;            // of a prior by number
  std::vector<double> weights;            // of the channel
  std::optional<exact::Channel> channel;  // none: clues are exact
};

// A position in borrowed memory; `vouched` may be null.
exact::Position position_of(const Board& board, const Model& model, const std::uint8_t* shown,
                            const std::uint8_t* vouched);

// A copy of the bytes of a position; refused where they are not one for every cell of the board.
std::vector<std::uint8_t> codes_of(const Board& board, const nb::bytearray& shown);

// Refuse bytes and models that are not those of the board.
void check_shown(const Board& board, const Model& model, const nb::bytearray& shown);
void check_vouched(const Board& board, const nb::bytearray& vouched);

// The bytes of one position, and everything they refer to.
struct Shown {
  Shown(std::shared_ptr<Board> board, std::shared_ptr<Model> model, const nb::bytearray& shown,
        const std::optional<nb::bytearray>& vouched);
  Shown(std::shared_ptr<Board> board, std::shared_ptr<Model> model, const std::uint8_t* shown,
        const std::uint8_t* vouched);

  std::shared_ptr<Board> board;
  std::shared_ptr<Model> model;
  std::vector<std::uint8_t> codes;
  std::vector<std::uint8_t> vouched;  // empty: nothing

  exact::Position position() const {
    return position_of(*board, *model, codes.data(), vouched.empty() ? nullptr : vouched.data());
  }
  std::int32_t check_cell(std::int64_t cell) const;
};

inline void check_threads(std::size_t threads) {
  if (threads < 1 || threads > 1024) refuse("threads must be 1 to 1024");
}

// Limits of a call that holds the GIL: Ctrl-C stops it, and other threads of Python get their turn.
exact::Limits patient_limits(std::int64_t states, std::int64_t memory);

// Ctrl-C during the work becomes the exception that Python has pending.
template <typename Work>
auto interruptible(Work&& work) {
  try {
    return work();
  } catch (const exact::Interrupted&) {
    throw nb::python_error();
  }
}

nb::list list_of(const std::vector<std::int32_t>& numbers);
nb::list list_of(const std::vector<double>& numbers);

}  // namespace mineproof::bindings

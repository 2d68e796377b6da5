#include "clues.hpp"

#include <stdexcept>
#include <string>

namespace mineproof {

void check(const Neighbours& neighbours) {
  const auto& [offsets, targets] = neighbours;
  if (offsets.empty()) throw std::invalid_argument("offsets is empty; it needs cells + 1 entries");
  if (offsets.front() != 0) throw std::invalid_argument("offsets[0] is not 0");
  const std::size_t cells = neighbours.cells();
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const std::int64_t degree = std::int64_t{offsets[cell + 1]} - offsets[cell];
    if (degree < 0) {
      throw std::invalid_argument("offsets[" + std::to_string(cell + 1) + "] is smaller than the one before it");
    }
    if (degree > max_neighbours) {
      throw std::invalid_argument("cell " + std::to_string(cell) + " has " + std::to_string(degree) +
                                  " neighbours; at most " + std::to_string(max_neighbours) + " are accepted");
    }
  }
  if (static_cast<std::size_t>(offsets.back()) != targets.size()) {
    throw std::invalid_argument("offsets ends at " + std::to_string(offsets.back()) + ", but there are " +
                                std::to_string(targets.size()) + " targets");
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i] < 0 || static_cast<std::size_t>(targets[i]) >= cells) {
      throw std::invalid_argument("targets[" + std::to_string(i) + "] is " + std::to_string(targets[i]) +
                                  "; cells are 0 to " + std::to_string(static_cast<std::int64_t>(cells) - 1));
    }
  }
}

void count_mines(const Neighbours& neighbours, std::span<const std::uint8_t> mines,
                 std::span<std::uint8_t> counts) noexcept {
  const std::int32_t* offsets = neighbours.offsets.data();
  const std::int32_t* targets = neighbours.targets.data();
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    unsigned count = 0;
    for (std::int32_t i = offsets[cell]; i < offsets[cell + 1]; ++i) {
      count += mines[targets[i]] != 0;
    }
    counts[cell] = static_cast<std::uint8_t>(count);
  }
}

}  // namespace mineproof

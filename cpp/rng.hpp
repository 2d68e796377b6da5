// The generator behind every deal, shared bit for bit with src/mineproof/rng.py.
//
// A Stream is named by (seed, index, purpose): game `index` of an experiment with seed `seed` draws
// its mines from one stream and its clues from another. The sequence is SplitMix64 (Steele, Lea and
// Flood, 2014) started from a hash of the three numbers; below() is Lemire's unbiased
// multiply-shift (2019).
#pragma once

#include <cstdint>

#include "wide.hpp"

namespace mineproof {

// What a stream is for; streams of different purpose are independent.
enum class Purpose : std::uint64_t {
  deal = 1,
  agent = 2,
  clues = 3,
  given = 4,
  sample = 5,
  number = 6,
  repair = 7,
};

// A chance out of 2^64. `certain` stands for 2^64 itself, which no 64-bit number can hold.
struct Chance {
  std::uint64_t out_of_2_64 = 0;
  bool certain = false;
};

constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ull;

constexpr std::uint64_t mix64(std::uint64_t z) noexcept {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

class Stream {
 public:
  constexpr Stream(std::uint64_t seed, std::uint64_t index, Purpose purpose) noexcept
      : state_(mix64(mix64(mix64(seed + golden) + index + golden) + static_cast<std::uint64_t>(purpose) + golden)) {}

  // Uniform on 0..2^64-1.
  constexpr std::uint64_t next() noexcept {
    state_ += golden;
    return mix64(state_);
  }

  // Uniform on 0..bound-1, without bias; bound must not be 0.
  std::uint64_t below(std::uint64_t bound) noexcept {
    Wide product = multiply(next(), bound);
    if (low_word(product) < bound) {
      const std::uint64_t threshold = (0 - bound) % bound;
      while (low_word(product) < threshold) product = multiply(next(), bound);
    }
    return high_word(product);
  }

  // True with the given chance. Draws one number in every case.
  constexpr bool happens(Chance chance) noexcept {
    const std::uint64_t drawn = next();
    return chance.certain || drawn < chance.out_of_2_64;
  }

 private:
  std::uint64_t state_;
};

}  // namespace mineproof

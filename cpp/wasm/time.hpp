// A time limit as the core is told it.
#pragma once

#include <chrono>
#include <cstdint>

#include "exact/limits.hpp"

namespace mineproof::wasm {

// So many seconds from now; none where it is 0.
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

}  // namespace mineproof::wasm

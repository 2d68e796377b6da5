// What a computation may cost, how it is interrupted, and the ways in which it ends without an answer.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace mineproof::exact {

struct Limits {
  std::int64_t states = 400'000'000;           // states of all layers of all programs of one call
  std::int64_t bytes = std::int64_t{4} << 30;  // memory of one Analysis or Session
  // Polled about every millisecond of work; true asks to stop, and Interrupted is thrown.
  bool (*stop)(void* context) = nullptr;
  void* context = nullptr;
};

// No layout agrees with the clues (or with the total).
class Contradiction : public std::runtime_error {
 public:
  Contradiction(const std::string& what, std::vector<std::int32_t> clues, bool total)
      : std::runtime_error(what), clues(std::move(clues)), total(total) {}
  std::vector<std::int32_t> clues;  // cells of clues that clash together; not yet minimal, see clash.hpp
  bool total;                       // the prior's number of mines takes part
};

// More states or memory than Limits allow. A component that seems far past its states, by an estimate that its first
// 2^20 or 2^23 of them correct (order.cpp), is given up at once. That could be wrong where its first part is unlike the
// others. Else this is never raised instead of an answer that was within reach of the limits.
class BudgetExceeded : public std::runtime_error {
 public:
  explicit BudgetExceeded(const std::string& what) : std::runtime_error(what) {}
  std::vector<std::int32_t> clues;  // cells of the component's clues
  std::int32_t cell = -1;           // its first hidden cell
  std::int32_t boxes = 0;           // its number of boxes
  double width = 0;                 // log2 of the states of its widest layer, as far as known
};

class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

}  // namespace mineproof::exact

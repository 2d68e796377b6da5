// What the engine is asked about: a board graph, what is shown on it, how clues lie, how mines were dealt.
//
// Everything here is a view: pointers are borrowed and must stay valid, and unchanged, as long as an Analysis or a
// Session made from them is used.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace mineproof::exact {

// A board: cells 0..cells-1 and their neighbours as compressed rows. Symmetric, without loops or repeated edges.
struct Graph {
  std::int32_t cells = 0;
  const std::int32_t* offset = nullptr;  // cells + 1 entries
  const std::int32_t* target = nullptr;  // offset[cells] entries
  // When both are positive: this is the plain rows x cols square board with 8 neighbours, cell = row * cols + col,
  // nothing blocked. Only a hint for speed.
  std::int32_t rows = 0;
  std::int32_t cols = 0;

  std::int32_t degree(std::int32_t cell) const { return offset[cell + 1] - offset[cell]; }
};

// Codes of the array `shown`; 0..kLargestClue is a clue's value.
inline constexpr std::uint8_t kLargestClue = 250;
inline constexpr std::uint8_t kNoClue = 253;      // opened, safe, says nothing
inline constexpr std::uint8_t kOpenedMine = 254;  // known to be a mine
inline constexpr std::uint8_t kHidden = 255;

// Bounds of what is not 0 among the weights of channels and tables: products of many stay within reach of the engine.
inline constexpr double kLeastWeight = 1e-130;
inline constexpr double kMostWeight = 1e130;

// A likelihood for every clue: weight of showing `shown` on a cell with `degree` neighbours of which `count` are mines.
// Weights are 0 or lie in kLeastWeight..kMostWeight; they need not sum to one.
struct Channel {
  std::int32_t largest_degree = 0;
  std::int32_t codes = 0;          // shown values 0..codes-1 have entries; others have weight 0
  const double* weight = nullptr;  // [(degree * codes + shown) * (largest_degree + 1) + count]

  // The degree + 1 weights by count, or nullptr where every weight is 0.
  const double* row(std::int32_t shown, std::int32_t degree) const {
    if (shown >= codes || degree > largest_degree) return nullptr;
    return weight + (static_cast<std::int64_t>(degree) * codes + shown) * (largest_degree + 1);
  }
};

// How likely a whole layout is before any clue, by its number of mines (opened mines count).
struct Prior {
  enum class Kind : std::uint8_t {
    total,    // exactly `mines` mines
    density,  // every cell a mine with chance `chance`, independently
    layouts,  // a layout with k mines has weight table[k], k = 0..cells
    number,   // the NUMBER of mines is k with weight table[k], then a layout with k mines is drawn uniformly
  };
  Kind kind = Kind::total;
  std::int64_t mines = 0;
  double chance = 0;
  const double* table = nullptr;  // cells + 1 entries

  static Prior of_total(std::int64_t mines) { return {Kind::total, mines, 0, nullptr}; }
  static Prior of_density(double chance) { return {Kind::density, 0, chance, nullptr}; }
  static Prior of_layouts(const double* table) { return {Kind::layouts, 0, 0, table}; }
  static Prior of_number(const double* table) { return {Kind::number, 0, 0, table}; }
};

struct Position {
  const Graph* graph = nullptr;
  const std::uint8_t* shown = nullptr;  // one code a cell
  const std::uint8_t* mines = nullptr;  // optional: nonzero = hidden cell the caller vouches to be a mine
  const Channel* channel = nullptr;     // nullptr: clues are exact
  Prior prior;
};

// ----------------------------------- what a computation may cost, and how it ends without an answer

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
  std::vector<std::int32_t> clues;  // cells of clues that clash together; not yet minimal, see clash() in analysis.hpp
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

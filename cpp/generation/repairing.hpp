// Boards that need no guess where such are rare: a deal is changed near the place where it gets stuck.
//
// A hidden cell there changes places with any other cell, a mine with a safe one, and the change stays if no fewer
// cells can be opened than before. What comes out needs no guess, but such boards are not equally likely. With hidden
// cells alone it would take a fifth of the time, but the mines would end up in heaps.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "exact/position.hpp"
#include "generation/clearing.hpp"
#include "generation/deals.hpp"
#include "generation/first_found.hpp"

namespace mineproof::generation {

// Changes that a deal may be tried with since one last opened more; then it is given up.
inline constexpr std::int32_t kPatience = 200;

struct Repaired {
  std::uint64_t index = 0;           // the deal it was made of
  std::int32_t changes = 0;          // that stayed
  std::vector<std::uint8_t> layout;  // a byte a cell
};

class Repairer {
 public:
  // Graph and deals must outlive it.
  Repairer(const exact::Graph& graph, const Deals& deals);

  // Whether deal `index` could be mended; the same in every run. Throws exact::BudgetExceeded.
  bool repair(std::uint64_t index, Repaired& out);

 private:
  std::int32_t play(const std::vector<std::uint8_t>& layout);
  void list_near();

  const exact::Graph& graph_;
  const Deals& deals_;
  Clearing clearing_;
  NumberDealer dealer_;
  std::vector<std::int32_t> near_, others_;
};

// The deals that could be mended; see `keep`.
Found<Repaired> repair(const exact::Graph& graph, const Deals& deals, const std::function<bool()>& breathe);

}  // namespace mineproof::generation

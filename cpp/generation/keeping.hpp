// Boards that need no guess, by rejection: deals are tried one after another, and those are kept that need none.
//
// Each layout that the first cell allows is dealt with the same chance, so each one that is kept is equally likely.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "exact/position.hpp"
#include "generation/deals.hpp"
#include "generation/first_found.hpp"

namespace mineproof::generation {

// The indices of the deals that are kept. `breathe` is called by the calling thread now and then; false stops it, and
// what is returned then is of no use. Throws exact::BudgetExceeded.
Found<std::uint64_t> keep(const exact::Graph& graph, const Deals& deals, const std::function<bool()>& breathe);

// Of given layouts, one after another in a table: which can be cleared from `first` on. As above.
std::vector<bool> clear_many(const exact::Graph& graph, std::int64_t mines, std::int32_t first, Logic logic,
                             std::span<const std::uint8_t> layouts, std::size_t threads,
                             const std::function<bool()>& breathe);

}  // namespace mineproof::generation

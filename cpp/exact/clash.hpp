// Why a position has no layout: a minimal set of clashing clues.
#pragma once

#include <cstdint>
#include <vector>

#include "limits.hpp"
#include "position.hpp"

namespace mineproof::exact {

// Is there a layout of nonzero weight? Cheap: support only.
bool feasible(const Position& position, const Limits& limits = {});

struct Clash {
  std::vector<std::int32_t> clues;  // cells; without any one of them the rest has a layout
  bool total = false;               // the prior's number of mines is needed too
};

// Requires a position without a layout (else throws std::invalid_argument).
Clash clash(const Position& position, const Limits& limits = {});

}  // namespace mineproof::exact

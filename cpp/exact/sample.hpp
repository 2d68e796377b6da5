// Drawing whole layouts from the posterior.
#pragma once

#include <vector>

#include "engine.hpp"

namespace mineproof::exact {

// Per component and state, the weight of completing it with r more mines; and how the components' mines are drawn.
struct Sampler {
  struct Rest {
    std::vector<std::vector<double>> c;              // per layer
    std::vector<std::vector<std::int32_t>> low;      // per layer and state: fewest mines still to come
    std::vector<std::vector<std::uint32_t>> offset;  // per layer, states + 1
  };
  std::vector<Rest> rest;  // per component

  // suffix[i][j - first[i]]: the weight of everything from component i on, given j mines before it. Empty where
  // components are independent, or so many that rejection sampling is used.
  std::vector<std::vector<double>> suffix;
  std::vector<std::int64_t> first;
  bool rejects = false;
  std::vector<std::vector<double>> proposal;  // per component, cumulative over its window
  std::vector<double> accept;                 // per number of frontier mines, at most 1
  std::int64_t accept_first = 0;

  std::vector<std::int32_t> cell_begin;  // cells of each box, then those of the sea
  std::vector<std::int32_t> cell;
};

}  // namespace mineproof::exact

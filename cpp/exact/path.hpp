// The path program: a component eliminated box by box, compiled to layers of states once and evaluated many times.
//
// A state of a layer is the vector of what the open clues still allow; an edge is a number k of mines in the next box.
// Compiling finds the states (keys are packed integers, see frontier.hpp) and keeps only the edges and, per state,
// the window of mine counts that reach it. Evaluation runs over these edges in any ring: doubles for probabilities,
// truth values for support, residues modulo a prime for counts.
#pragma once

#include <algorithm>

#include "component.hpp"
#include "order.hpp"

namespace mineproof::exact {

inline constexpr std::uint32_t kDead = 0xffffffffu;

struct Layer {
  std::uint32_t states = 0;
  std::int32_t lists = 0;           // edges per state: k = 0..lists-1
  std::uint32_t* next = nullptr;    // [state * lists + k]: state of the next layer, or kDead
  double* factor = nullptr;         // same shape: weight of the clues that close on this edge; nullptr: all 1
  std::int32_t least_factor = 0;    // exponent of a power of two below all of them; see underflow.hpp
  std::int32_t* low = nullptr;      // per state: fewest mines so far
  std::uint32_t* offset = nullptr;  // states + 1: where a state's coefficients begin; their number is its window

  std::uint32_t window(std::uint32_t state) const { return offset[state + 1] - offset[state]; }
  std::uint32_t entries() const { return offset[states]; }  // coefficients
};

struct PathProgram {
  std::int32_t steps = 0;
  const std::int32_t* box = nullptr;    // box eliminated at each step
  const std::int32_t* size = nullptr;   // per box
  Layer* layer = nullptr;               // steps + 1; the last one has no edges
  std::int32_t* final_count = nullptr;  // per final state: the probe's count (one state, 0, where there is no probe)
  std::int64_t states = 0;
  std::uint32_t widest = 0;
  std::int64_t entries = 0;  // coefficients of all layers
  bool weighs = false;       // some clue has weights
  std::int32_t gap = 1;      // the final states' possible counts are at most this far apart

  const Layer& last() const { return layer[steps]; }
  // Of all layers, the most coefficients and the most edges per state.
  std::size_t most_entries() const {
    std::size_t most = 1;
    for (std::int32_t t = 0; t <= steps; ++t) most = std::max<std::size_t>(most, layer[t].entries());
    return most;
  }
  std::size_t most_lists() const {
    std::int32_t most = 1;
    for (std::int32_t t = 0; t < steps; ++t) most = std::max(most, layer[t].lists);
    return static_cast<std::size_t>(most);
  }
};

// States of the layers up to the given step: of all of them, unless they are more than `cap` or the clues clash.
struct Progress {
  std::int64_t states = 0;
  std::int32_t steps = 0;
};
Progress count_states(const Component& component, const Order& order, std::int64_t cap, Workspace& workspace);

// Compiles; false when no layout agrees with the component's clues. Throws BudgetExceeded.
bool compile_path(const Component& component, const Order& order, Workspace& workspace, PathProgram& out);

// Takes out the states from which no end is reached: on wide components that is most of them.
void trim(PathProgram& program, Workspace& workspace);

// What is possible in each box by the clues alone, whatever the number of mines: no coefficient is looked at, only from
// which states an end is reached. Sets can_be_safe and can_be_mine.
void possible_by_clues(const PathProgram& program, Workspace& workspace, BoxOdds* odds);

// The forward pass in doubles. Keeps the coefficients of all layers in the workspace's arena; of large programs only
// some layers, between which the backward pass goes over the others again.
struct PathForward {
  double** coefficient = nullptr;  // per layer, nullptr where it is not kept; the first and the last are
  std::int32_t* least = nullptr;   // per layer: exponent of a power of two below all coefficients that are not 0
  std::int64_t exponent = 0;       // of the last layer
  double fugacity = 1;
  bool lost = false;  // something was too small for a double

  // What the passes of a short program know before they begin; see path_short.hpp.
  struct Brief {
    double** weight = nullptr;     // per step: of the mines in its box; nullptr where the program is not short
    std::int32_t rise = 0;         // coefficients are at most 2^rise,
    std::int32_t fall = 0;         // and at least 2^-fall where they are not 0
    std::size_t most_entries = 1;  // of a layer, but for the last
    std::int32_t most_lists = 1;   // edges per state
    std::int64_t work = 0;         // of the backward pass
  };
  Brief brief;
};
void forward(const PathProgram& program, double fugacity, Workspace& workspace, PathForward& out);

// The weights of a final state by mine count, in place: c points into `forward`, support is set where c > 0.
Polynomial final_polynomial(const PathProgram& program, const PathForward& forward, std::uint32_t state,
                            Workspace& workspace);

// The backward pass, seeded with the outside weight of every mine count of the (single) final state's window.
// odds[box] gets p and, where the mass is positive, what is possible: exact unless something was too small for a
// double, as the return value tells.
bool backward(const PathProgram& program, const PathForward& forward, const double* outside, Workspace& workspace,
              BoxOdds* odds);

// Both passes in extended range (long double), for programs with weights where doubles underflow. The forward one puts
// the final coefficients into `forward` in place of those it has; the backward one sets p only.
void forward_extended(const PathProgram& program, double fugacity, Workspace& workspace, PathForward& forward);
void backward_extended(const PathProgram& program, double fugacity, const double* outside, Workspace& workspace,
                       BoxOdds* odds);

// Support only: which mine counts of final state `state` occur. `bits` as in Polynomial.
void forward_support(const PathProgram& program, std::uint32_t state, Workspace& workspace, std::uint64_t* bits);
// What is possible in each box given that only mine counts i with outside[i] != 0 can be completed; p is left alone.
void backward_support(const PathProgram& program, const std::uint8_t* outside, Workspace& workspace, BoxOdds* odds);

// The weights modulo a prime p < 2^62 of final state `state` by mine count: layouts of nonzero weight are counted.
void forward_modulo(const PathProgram& program, std::uint32_t state, std::uint64_t prime, Workspace& workspace,
                    std::uint64_t* out);

}  // namespace mineproof::exact

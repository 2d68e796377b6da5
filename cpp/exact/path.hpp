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
#include "underflow.hpp"
#include "vector.hpp"

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
void find_box_support(const PathProgram& program, Workspace& workspace, BoxOdds* odds);

// The forward pass in doubles. Keeps the coefficients of all layers in the workspace's arena; of large programs only
// some layers, between which the backward pass goes over the others again.
struct PathForward {
  double** coefficient = nullptr;  // per layer, nullptr where it is not kept; the first and the last are
  std::int32_t* least = nullptr;   // per layer: exponent of a power of two below all coefficients that are not 0
  std::int64_t exponent = 0;       // of the last layer
  double fugacity = 1;
  bool lost = false;  // something was too small for a double

  // What the passes of a short program know before they begin; see path_short.hpp.
  struct ShortBounds {
    double** weight = nullptr;     // per step: of the mines in its box; nullptr where the program is not short
    std::int32_t rise = 0;         // coefficients are at most 2^rise,
    std::int32_t fall = 0;         // and at least 2^-fall where they are not 0
    std::size_t most_entries = 1;  // of a layer, but for the last
    std::int32_t most_lists = 1;   // edges per state
    std::int64_t work = 0;         // of the backward pass
  };
  ShortBounds brief;
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

// -------------------------------------------- for path.cpp and path_short.cpp: the living edges of a layer

// An edge from state `state` with `mines` mines in the box: the coefficients of its window go from `from` on in this
// layer to `to` on in the next.
struct Edge {
  std::uint32_t state;
  std::int32_t mines;
  std::size_t index;  // into Layer::next and Layer::factor
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t window;
};

// Visits the edges of the states first..last-1 in their order.
template <class Visit>
MINEPROOF_INLINE void each_edge(const Layer& now, const Layer& then, std::uint32_t first, std::uint32_t last,
                                Visit&& visit) {
  std::size_t e = static_cast<std::size_t>(first) * static_cast<std::size_t>(now.lists);
  for (std::uint32_t i = first; i < last; ++i) {
    const std::uint32_t from = now.offset[i];
    const std::uint32_t window = now.window(i);
    for (std::int32_t k = 0; k < now.lists; ++k, ++e) {
      const std::uint32_t j = now.next[e];
      if (j == kDead) continue;
      visit(Edge{i, k, e, from, then.offset[j] + static_cast<std::uint32_t>(now.low[i] + k - then.low[j]), window});
    }
  }
}
template <class Visit>
MINEPROOF_INLINE void each_edge(const Layer& now, const Layer& then, Visit&& visit) {
  each_edge(now, then, 0, now.states, visit);
}

// ----------------------------------------------------------------- what the passes in doubles share

inline constexpr std::size_t kWide = 256;  // entries of a layer from which the vector loops are worth a call

// Weights of 0..lists-1 mines in a box: binomials times powers of the fugacity.
void box_weights(std::int32_t size, std::int32_t lists, double fugacity, double* out);

// b += w c, and the sum of a w c.
MINEPROOF_INLINE double gather(const double* __restrict a, double* __restrict b, const double* __restrict c, double w,
                               std::uint32_t n) {
  double dot = 0;
  std::uint32_t m = 0;
  if (n >= 8) {  // four sums side by side, for the vector units
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (; m + 4 <= n; m += 4) {
      const double x0 = w * c[m], x1 = w * c[m + 1], x2 = w * c[m + 2], x3 = w * c[m + 3];
      b[m] += x0;
      b[m + 1] += x1;
      b[m + 2] += x2;
      b[m + 3] += x3;
      s0 += a[m] * x0;
      s1 += a[m + 1] * x1;
      s2 += a[m + 2] * x2;
      s3 += a[m + 3] * x3;
    }
    dot = (s0 + s1) + (s2 + s3);
  }
  for (; m < n; ++m) {
    const double x = w * c[m];
    b[m] += x;
    dot += a[m] * x;
  }
  return dot;
}

// The weight of an edge: of the mines in its box, and of the clues that close.
MINEPROOF_INLINE double edge_weight(const Layer& now, const double* weight, const Edge& e) {
  return now.factor ? weight[e.mines] * now.factor[e.index] : weight[e.mines];
}

// An exponent below the weights of all edges of a layer.
inline std::int32_t least_edge(const Layer& now, double fugacity) {
  return now.least_factor - (now.lists - 1) * bits_of_mine(fugacity);
}

// How small the coefficients of a layer are.
struct LayerDepth {
  std::int32_t least = 0;  // exponent of a power of two below all that are not 0
  bool lost = false;       // something was too small for a double
};

// The end of a run of states, from `first` on, that is a fraction of a millisecond of work: interruption is looked at
// between runs.
std::uint32_t slice(const Layer& layer, std::uint32_t first);

// Brings a layer whose largest entry is far from 1 back near it; gives the power of two taken out.
int rescale(double* c, std::size_t n, LayerDepth& depth);

// When the range of a layer is looked at: every few layers, and more often where boxes are large. The same when a part
// of the layers is gone over again.
class RangeWatch {
 public:
  RangeWatch(const PathProgram& program, double fugacity);
  bool due(std::int32_t step);

 private:
  const PathProgram& p_;
  double growth_;  // bits by which a layer can grow or shrink for each cell of its box
  double grown_ = 0;
};

// One step of the forward pass, from layer t to layer t + 1. `depth` is that of the one before and becomes that of the
// other.
void forward_step(const PathProgram& program, std::int32_t t, double fugacity, const double* from, double* to,
                  double* weight, Workspace& workspace, LayerDepth& depth);

}  // namespace mineproof::exact

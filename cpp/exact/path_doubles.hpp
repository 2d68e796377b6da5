// What the passes of a path program in doubles share. Internal.
#pragma once

#include "path_edges.hpp"
#include "underflow.hpp"

namespace mineproof::exact {

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
struct Depth {
  std::int32_t least = 0;  // exponent of a power of two below all that are not 0
  bool lost = false;       // something was too small for a double
};

// The end of a run of states, from `first` on, that is a fraction of a millisecond of work: interruption is looked at
// between runs.
std::uint32_t slice(const Layer& layer, std::uint32_t first);

// Brings a layer whose largest entry is far from 1 back near it; gives the power of two taken out.
int rescale(double* c, std::size_t n, Depth& depth);

// When the range of a layer is looked at: every few layers, and more often where boxes are large. The same when a part
// of the layers is gone over again.
class Watch {
 public:
  Watch(const PathProgram& program, double fugacity);
  bool due(std::int32_t step);

 private:
  const PathProgram& p_;
  double growth_;  // bits by which a layer can grow or shrink for each cell of its box
  double grown_ = 0;
};

// One step of the forward pass, from layer t to layer t + 1. `depth` is that of the one before and becomes that of the
// other.
void forward_step(const PathProgram& program, std::int32_t t, double fugacity, const double* from, double* to,
                  double* weight, Workspace& workspace, Depth& depth);

}  // namespace mineproof::exact

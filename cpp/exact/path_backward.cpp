// The backward pass of a path program in doubles.
#include <algorithm>

#include "path_short.hpp"

namespace mineproof::exact {

namespace {

// What the pass over one step reads and writes.
struct BackwardStep {
  const Layer& now;
  const Layer& then;
  const double* from;    // forward coefficients of this layer
  const double* then_c;  // outside weights of the next layer,
  double* now_c;         // and of this one
  const double* weight;  // of mines in the box
  double* mass;          // of mines in the box: of all layouts with so many
};

MINEPROOF_INLINE void backward_loop(const BackwardStep& s, std::uint32_t first, std::uint32_t last) {
  const Layer& now = s.now;
  std::fill(s.now_c + now.offset[first], s.now_c + now.offset[last], 0.0);
  each_edge(now, s.then, first, last, [&](const Edge& e) MINEPROOF_INLINE_LAMBDA {
    s.mass[e.mines] +=
        gather(s.from + e.from, s.now_c + e.from, s.then_c + e.to, edge_weight(now, s.weight, e), e.window);
  });
}
void backward_any(const BackwardStep& s, std::uint32_t first, std::uint32_t last) { backward_loop(s, first, last); }
MINEPROOF_AVX2 void backward_avx2(const BackwardStep& s, std::uint32_t first, std::uint32_t last) {
  backward_loop(s, first, last);
}

// Memory of the pass.
struct Scratch {
  double* then_c;
  double* now_c;
  double* weight;
  double* mass;

  Scratch(const PathProgram& p, Arena& arena) {
    const std::size_t most = p.most_entries();
    const std::size_t lists = p.most_lists();
    then_c = arena.take<double>(most);
    now_c = arena.take<double>(most);
    weight = arena.take<double>(lists);
    mass = arena.take<double>(lists);
  }
};

// Is anything in a step too small for a double?
bool loses(const BackwardStep& s) {
  bool lost = false;
  each_edge(s.now, s.then, [&](const Edge& e) {
    const double w = edge_weight(s.now, s.weight, e);
    for (std::uint32_t m = 0; m < e.window && !lost; ++m) {
      const double x = w * s.then_c[e.to + m];
      const double a = s.from[e.from + m];
      lost = s.then_c[e.to + m] > 0 && (too_small(x) || (a > 0 && too_small(a * x)));
    }
  });
  return lost;
}

// The same for a whole step whose forward coefficients are no smaller than 2^least, by bounds as far as they tell.
void go_down(const BackwardStep& s, double fugacity, std::int32_t least, Depth& depth) {
  const std::int32_t edge = least_edge(s.now, fugacity);
  if (std::min(depth.least, 0) + std::min(least, 0) + edge < kLeastExponent) {
    depth.least = smallest_exponent(s.then_c, s.then.entries());
    least = smallest_exponent(s.from, s.now.entries());
    if (std::min(depth.least, 0) + std::min(least, 0) + edge < kLeastExponent)
      depth.lost = depth.lost || edge < kLeastExponent || loses(s);
  }
  depth.least += edge;
}

// Fills the outside weights of layer t and the odds of its box. Forward coefficients are no smaller than 2^least;
// `depth` is that of the outside weights.
void backward_step(const PathProgram& p, std::int32_t t, double fugacity, const double* from, std::int32_t least,
                   const Scratch& scratch, Workspace& ws, BoxOdds& odds, Depth& depth) {
  const BackwardStep s{p.layer[t], p.layer[t + 1], from, scratch.then_c, scratch.now_c, scratch.weight, scratch.mass};
  const Layer& now = s.now;
  const std::int32_t size = p.size[p.box[t]];
  box_weights(size, now.lists, fugacity, scratch.weight);
  go_down(s, fugacity, least, depth);
  std::fill_n(scratch.mass, now.lists, 0.0);
  const auto loop = now.entries() > kWide && has_avx2() ? backward_avx2 : backward_any;
  for (std::uint32_t i = 0; i < now.states;) {
    const std::uint32_t end = slice(now, i);
    loop(s, i, end);
    ws.spend(static_cast<std::int64_t>(now.offset[end] - now.offset[i]) * 3 + (end - i) * now.lists);
    i = end;
  }
  odds = BoxOdds::of_mass(scratch.mass, now.lists, size);
}

// The forward coefficients of layers begin..end-1, of which only the first was kept: gone over again. `lost` becomes
// true where something is too small for a double.
double** forward_again(const PathProgram& p, const PathForward& f, std::int32_t begin, std::int32_t end, double* weight,
                       Workspace& ws, bool& lost) {
  Depth depth{f.least[begin], false};
  double** layer = ws.arena.take<double*>(static_cast<std::size_t>(end - begin));
  layer[0] = f.coefficient[begin];
  Watch watch(p, f.fugacity);
  for (std::int32_t t = begin; t + 1 < end; ++t) {
    const std::size_t entries = p.layer[t + 1].entries();
    double* to = layer[t + 1 - begin] = ws.arena.take<double>(entries);
    forward_step(p, t, f.fugacity, layer[t - begin], to, weight, ws, depth);
    if (watch.due(t)) rescale(to, entries, depth);
    f.least[t + 1] = depth.least;
  }
  lost = lost || depth.lost;
  return layer;
}

}  // namespace

bool backward(const PathProgram& p, const PathForward& f, const double* outside, Workspace& ws, BoxOdds* odds) {
  if (backward_short(p, f, outside, ws, odds)) return false;
  Arena& arena = ws.arena;
  const Arena::Mark mark = arena.mark();
  Scratch scratch(p, arena);
  std::copy_n(outside, p.last().entries(), scratch.then_c);
  Depth depth{smallest_exponent(outside, p.last().entries()), false};
  Watch watch(p, f.fugacity);
  for (std::int32_t end = p.steps; end > 0;) {
    std::int32_t begin = end - 1;
    while (!f.coefficient[begin]) --begin;
    const Arena::Mark inner = arena.mark();
    double* const* from = f.coefficient + begin;
    if (end - begin > 1) from = forward_again(p, f, begin, end, scratch.weight, ws, depth.lost);
    for (std::int32_t t = end - 1; t >= begin; --t) {
      backward_step(p, t, f.fugacity, from[t - begin], f.least[t], scratch, ws, odds[p.box[t]], depth);
      if (watch.due(t)) rescale(scratch.now_c, p.layer[t].entries(), depth);
      std::swap(scratch.now_c, scratch.then_c);
    }
    arena.release(inner);
    end = begin;
  }
  arena.release(mark);
  return depth.lost;
}

}  // namespace mineproof::exact

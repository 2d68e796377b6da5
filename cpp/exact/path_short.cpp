// The passes of short path programs.
#include "path_short.hpp"

#include <algorithm>

namespace mineproof::exact {

namespace {

// Coefficients within 2^-kReach..2^kReach would not be scaled (see Watch), nor would products of two of them be lost.
constexpr std::int32_t kReach = 190;
constexpr std::int64_t kMostEntries = 4096;

void forward_layer(const Layer& now, const Layer& then, const double* __restrict from, double* __restrict to,
                   const double* __restrict weight) {
  std::fill_n(to, then.entries(), 0.0);
  const std::uint32_t* next = now.next;
  for (std::uint32_t i = 0; i < now.states; ++i) {
    const double* a = from + now.offset[i];
    const std::uint32_t window = now.window(i);
    for (std::int32_t k = 0; k < now.lists; ++k) {
      const std::uint32_t j = *next++;
      if (j == kDead) continue;
      double* b = to + then.offset[j] + (now.low[i] + k - then.low[j]);
      const double w = weight[k];
      for (std::uint32_t m = 0; m < window; ++m) b[m] += w * a[m];
    }
  }
}

void backward_layer(const Layer& now, const Layer& then, const double* __restrict from, const double* __restrict then_c,
                    double* __restrict now_c, const double* __restrict weight, double* __restrict mass) {
  const std::uint32_t* next = now.next;
  for (std::uint32_t i = 0; i < now.states; ++i) {
    const double* a = from + now.offset[i];
    double* b = now_c + now.offset[i];
    const std::uint32_t window = now.window(i);
    if (window == 1) {  // most often
      double sum = 0;
      for (std::int32_t k = 0; k < now.lists; ++k) {
        const std::uint32_t j = *next++;
        if (j == kDead) continue;
        const double x = weight[k] * then_c[then.offset[j] + static_cast<std::uint32_t>(now.low[i] + k - then.low[j])];
        sum += x;
        mass[k] += *a * x;
      }
      *b = sum;
      continue;
    }
    std::fill_n(b, window, 0.0);
    for (std::int32_t k = 0; k < now.lists; ++k) {
      const std::uint32_t j = *next++;
      if (j == kDead) continue;
      mass[k] += gather(a, b, then_c + then.offset[j] + (now.low[i] + k - then.low[j]), weight[k], window);
    }
  }
}

}  // namespace

bool forward_short(const PathProgram& p, double fugacity, Workspace& ws, PathForward& out) {
  out.brief = {};
  if (p.weighs || p.entries > kMostEntries) return false;
  // A coefficient is a sum over layouts of one weight for every box. All of them together are the product of
  // (1 + fugacity)^size, and none that is possible is less than the product of the least weights.
  const std::int32_t growth = 2 + std::max(0, exponent_of(fugacity));
  PathForward::ShortBounds brief;
  std::size_t lists = 0;
  for (std::int32_t t = 0; t < p.steps; ++t) {
    const Layer& now = p.layer[t];
    brief.rise += p.size[p.box[t]] * growth;
    brief.fall -= least_edge(now, fugacity);
    brief.most_entries = std::max<std::size_t>(brief.most_entries, now.entries());
    brief.most_lists = std::max(brief.most_lists, now.lists);
    brief.work += static_cast<std::int64_t>(now.states) * now.lists;
    lists += static_cast<std::size_t>(now.lists);
    if (brief.rise > kReach || brief.fall > kReach) return false;
  }
  if (brief.most_entries > kWide) return false;
  Arena& arena = ws.arena;
  const auto steps = static_cast<std::size_t>(p.steps);
  const std::int64_t entries = p.entries - p.last().entries();
  brief.weight = arena.take<double*>(steps);
  double* weight = arena.take<double>(lists);
  double* to = arena.take<double>(static_cast<std::size_t>(p.entries));
  out.coefficient = arena.take<double*>(steps + 1);
  out.least = arena.take<std::int32_t>(steps + 1);
  std::fill_n(out.least, steps + 1, -brief.fall);
  out.coefficient[0] = to;
  *to = 1;
  for (std::int32_t t = 0; t < p.steps; ++t) {
    const Layer& now = p.layer[t];
    box_weights(p.size[p.box[t]], now.lists, fugacity, weight);
    brief.weight[t] = weight;
    weight += now.lists;
    to += now.entries();
    out.coefficient[t + 1] = to;
    forward_layer(now, p.layer[t + 1], out.coefficient[t], to, brief.weight[t]);
  }
  ws.spend(2 * entries + brief.work);
  out.fugacity = fugacity;
  out.exponent = 0;
  out.lost = false;
  brief.work += 3 * entries;
  out.brief = brief;
  return true;
}

bool backward_short(const PathProgram& p, const PathForward& f, const double* outside, Workspace& ws, BoxOdds* odds) {
  const PathForward::ShortBounds& brief = f.brief;
  if (!brief.weight) return false;
  const std::uint32_t finals = p.last().entries();
  const double most = *std::max_element(outside, outside + finals);
  if (most > 0) {
    if (exponent_of(most) + 1 + brief.rise > kReach) return false;
    if (smallest_exponent(outside, finals) - brief.fall < -kReach) return false;
  }
  Arena& arena = ws.arena;
  const Arena::Mark mark = arena.mark();
  double* buffer = arena.take<double>(2 * brief.most_entries);
  double* mass = arena.take<double>(static_cast<std::size_t>(brief.most_lists));
  const double* then_c = outside;
  for (std::int32_t t = p.steps - 1; t >= 0; --t) {
    const Layer& now = p.layer[t];
    double* now_c = buffer + (t & 1 ? brief.most_entries : 0);
    std::fill_n(mass, now.lists, 0.0);
    backward_layer(now, p.layer[t + 1], f.coefficient[t], then_c, now_c, brief.weight[t], mass);
    odds[p.box[t]] = BoxOdds::of_mass(mass, now.lists, p.size[p.box[t]]);
    then_c = now_c;
  }
  ws.spend(brief.work);
  arena.release(mark);
  return true;
}

}  // namespace mineproof::exact

// Drawing layouts from the posterior: the mines of every component, of its boxes, of the sea.
#include "engine.hpp"

#include <algorithm>
#include <cmath>

#include "join.hpp"
#include "wide.hpp"

namespace mineproof::exact {

namespace {

double uniform(WordSource words) { return static_cast<double>(words.next(words.context) >> 11) * 0x1p-53; }

std::uint64_t below(WordSource words, std::uint64_t n) {  // without bias
  for (;;) {
    const std::uint64_t x = words.next(words.context);
    const Wide m = multiply(x, n);
    const std::uint64_t low = low_word(m);
    if (low >= n || low >= (0 - n) % n) return high_word(m);
  }
}

// An index drawn with the given weights, never one of weight zero.
template <class Weight>
std::int64_t draw(WordSource words, std::int64_t n, Weight&& weight) {
  double all = 0;
  for (std::int64_t i = 0; i < n; ++i) all += weight(i);
  double x = uniform(words) * all;
  std::int64_t last = -1;
  for (std::int64_t i = 0; i < n; ++i) {
    const double w = weight(i);
    if (!(w > 0)) continue;
    last = i;
    x -= w;
    if (x < 0) break;
  }
  return last;
}

void box_weights(std::int32_t size, std::int32_t lists, double fugacity, std::vector<double>& out) {
  out.resize(static_cast<std::size_t>(lists));
  double w = 1;
  double z = 1;
  for (std::int32_t k = 0; k < lists; ++k) {
    out[static_cast<std::size_t>(k)] = w * z;
    w = w * (size - k) / (k + 1);
    z *= fugacity;
  }
}

Sampler::Rest make_rest(const PathProgram& p, double fugacity, Workspace& ws) {
  if (p.entries * static_cast<std::int64_t>(sizeof(double)) > ws.limits().bytes)
    throw BudgetExceeded("sampling needs more memory than the cap");
  const std::size_t layers = static_cast<std::size_t>(p.steps) + 1;
  Sampler::Rest r;
  r.c.resize(layers);
  r.low.resize(layers);
  r.offset.resize(layers);
  r.c.back().assign(1, 1.0);
  r.low.back().assign(1, 0);
  r.offset.back() = {0, 1};
  std::vector<double> weight;
  for (std::size_t t = layers - 1; t-- > 0;) {
    const Layer& now = p.layer[t];
    const std::size_t lists = static_cast<std::size_t>(now.lists);
    box_weights(p.size[p.box[t]], now.lists, fugacity, weight);
    r.low[t].assign(now.states, 0);
    r.offset[t].assign(now.states + 1, 0);
    const auto& then_low = r.low[t + 1];
    const auto& then_offset = r.offset[t + 1];
    std::uint32_t at = 0;
    for (std::uint32_t i = 0; i < now.states; ++i) {
      std::int32_t low = 0;
      std::int32_t high = -1;
      for (std::size_t k = 0; k < lists; ++k) {
        const std::uint32_t j = now.next[i * lists + k];
        if (j == kDead || then_offset[j + 1] == then_offset[j]) continue;
        const std::int32_t a = then_low[j] + static_cast<std::int32_t>(k);
        const std::int32_t b = a + static_cast<std::int32_t>(then_offset[j + 1] - then_offset[j]) - 1;
        low = high < 0 ? a : std::min(low, a);
        high = high < 0 ? b : std::max(high, b);
      }
      r.low[t][i] = low;
      r.offset[t][i] = at;
      at += static_cast<std::uint32_t>(high < 0 ? 0 : high - low + 1);
    }
    r.offset[t][now.states] = at;
    r.c[t].assign(at, 0.0);
    double most = 0;
    for (std::uint32_t i = 0; i < now.states; ++i) {
      for (std::size_t k = 0; k < lists; ++k) {
        const std::size_t e = i * lists + k;
        const std::uint32_t j = now.next[e];
        if (j == kDead || then_offset[j + 1] == then_offset[j]) continue;
        const double w = now.factor ? weight[k] * now.factor[e] : weight[k];
        double* to = r.c[t].data() + r.offset[t][i] + (then_low[j] + static_cast<std::int32_t>(k) - r.low[t][i]);
        for (std::uint32_t m = then_offset[j]; m < then_offset[j + 1]; ++m, ++to) {
          *to += w * r.c[t + 1][m];
          most = std::max(most, *to);
        }
      }
    }
    if (most > 0) {
      const double scale = std::ldexp(1.0, -std::ilogb(most));
      for (double& x : r.c[t]) x *= scale;
    }
    ws.spend(at * 2 + now.states);
  }
  return r;
}

void list_cells(const Engine& e, Sampler& s) {
  const std::int32_t n = e.position.graph->cells;
  const std::size_t boxes = static_cast<std::size_t>(e.boxes.boxes);
  s.cell_begin.assign(boxes + 2, 0);
  auto slot = [&](std::int32_t i) {
    const std::int32_t b = e.boxes.box_of[i];
    return b >= 0 ? static_cast<std::size_t>(b) : boxes;
  };
  for (std::int32_t i = 0; i < n; ++i) {
    if (e.front.mark[i] == Mark::unknown) ++s.cell_begin[slot(i) + 1];
  }
  for (std::size_t b = 0; b <= boxes; ++b) s.cell_begin[b + 1] += s.cell_begin[b];
  s.cell.resize(static_cast<std::size_t>(s.cell_begin[boxes + 1]));
  std::vector<std::int32_t> at(s.cell_begin.begin(), s.cell_begin.end() - 1);
  for (std::int32_t i = 0; i < n; ++i) {
    if (e.front.mark[i] == Mark::unknown) s.cell[static_cast<std::size_t>(at[slot(i)]++)] = i;
  }
}

// The weight of everything from each component on, by the mines before it.
void make_suffixes(const JoinInput& pool, const std::vector<std::int64_t>& length, const TailWeights& t, Workspace& ws,
                   Sampler& s) {
  const std::size_t n = static_cast<std::size_t>(pool.count);
  s.suffix.resize(n + 1);
  s.suffix[n].assign(static_cast<std::size_t>(length[n]), 0.0);
  for (std::int64_t i = 0; i < t.length; ++i) s.suffix[n][t.first - s.first[n] + i] = t.value[i];
  for (std::size_t i = n; i-- > 0;) {
    const Polynomial& p = *pool.poly[i];
    auto& b = s.suffix[i];
    b.assign(static_cast<std::size_t>(length[i]), 0.0);
    double most = 0;
    for (std::int32_t m = 0; m < p.length; ++m) {
      for (std::size_t j = 0; j < b.size(); ++j) b[j] += p.c[m] * s.suffix[i + 1][j + static_cast<std::size_t>(m)];
    }
    for (double x : b) most = std::max(most, x);
    if (most > 0) {
      const double scale = std::ldexp(1.0, -std::ilogb(most));
      for (double& x : b) x *= scale;
    }
    ws.spend(static_cast<std::int64_t>(b.size()) * p.length);
  }
}

// The logarithm of a fugacity, relative to the pool's, that makes the expected total the right one; by bisection.
double tilt(const JoinInput& pool, Workspace& ws) {
  const double left = static_cast<double>(pool.prior.mines - pool.known);
  double x = 0;
  double a = -60;
  double b = 60;
  for (int round = 0; round < 60; ++round) {
    double mean = 0;
    for (std::int32_t i = 0; i < pool.count; ++i) {
      const Polynomial& p = *pool.poly[i];
      double s0 = 0, s1 = 0, w = 1;
      for (std::int32_t m = 0; m < p.length; ++m, w *= std::exp(x)) s0 += p.c[m] * w, s1 += p.c[m] * w * m;
      mean += p.first + s1 / s0;
    }
    const double z = pool.fugacity * std::exp(x);
    mean += static_cast<double>(pool.sea) * z / (1 + z);
    (mean < left ? a : b) = x;
    x = (a + b) / 2;
    ws.spend(pool.count * 20);
  }
  return x;
}

// Rejection sampling: each component is proposed on its own, tilted so that the right total is likely; the sea decides
// acceptance.
void make_proposals(const JoinInput& pool, const TailWeights& t, Workspace& ws, Sampler& s) {
  s.rejects = true;
  const double x = tilt(pool, ws);
  s.proposal.resize(static_cast<std::size_t>(pool.count));
  for (std::int32_t i = 0; i < pool.count; ++i) {
    const Polynomial& p = *pool.poly[i];
    double sum = 0;
    double w = 1;
    for (std::int32_t m = 0; m < p.length; ++m, w *= std::exp(x)) {
      sum += p.c[m] * w;
      s.proposal[i].push_back(sum);
    }
  }
  s.accept_first = t.first;
  s.accept.resize(static_cast<std::size_t>(t.length));
  double most = -1e300;
  for (std::int64_t i = 0; i < t.length; ++i) {
    const double l = t.value[i] > 0 ? std::log(t.value[i]) - x * static_cast<double>(i) : -1e300;
    s.accept[i] = l;
    most = std::max(most, l);
  }
  for (double& l : s.accept) l = std::exp(l - most);
}

// How the mines of the components are drawn, where their number ties them together.
void make_draws(const JoinInput& pool, Workspace& ws, Sampler& s) {
  constexpr std::int64_t kMost = 20'000'000;  // entries of the suffixes
  const std::size_t n = static_cast<std::size_t>(pool.count);
  s.first.assign(n + 1, 0);
  std::vector<std::int64_t> length(n + 1, 1);
  std::int64_t entries = 0;
  for (std::size_t i = 0; i < n; ++i) {
    s.first[i + 1] = s.first[i] + pool.poly[i]->first;
    length[i + 1] = length[i] + pool.poly[i]->length - 1;
    entries += length[i + 1] * pool.poly[i]->length;
  }
  const Arena::Mark mark = ws.arena.mark();
  const TailWeights t = tail(pool, s.first[n], s.first[n] + length[n] - 1, ws);
  if (entries <= kMost || pool.prior.kind != Prior::Kind::total) {
    make_suffixes(pool, length, t, ws, s);
  } else {
    make_proposals(pool, t, ws, s);
  }
  ws.arena.release(mark);
}

void make_sampler(Engine& e) {
  auto s = std::make_unique<Sampler>();
  const std::size_t n = static_cast<std::size_t>(e.boxes.components);
  for (std::size_t i = 0; i < n; ++i) s->rest.push_back(make_rest(path_of(e.part[i], e.ws), e.fugacity, e.ws));
  if (e.position.prior.kind != Prior::Kind::density) make_draws(e.pool(), e.ws, *s);
  list_cells(e, *s);
  e.sampler = std::move(s);
}

// Puts k mines into the cells begin..end, every subset alike; the cells' order is changed.
void scatter(std::vector<std::int32_t>& cell, std::int32_t begin, std::int32_t end, std::int64_t k, WordSource words,
             std::uint8_t* out) {
  for (std::int64_t i = 0; i < k; ++i) {
    const std::size_t at = static_cast<std::size_t>(begin + i);
    const std::size_t other = at + static_cast<std::size_t>(below(words, static_cast<std::uint64_t>(end - begin - i)));
    std::swap(cell[at], cell[other]);
    out[cell[at]] = 1;
  }
}

// Draws the mines of every component; gives how many they are together.
std::int64_t draw_mines(const Engine& e, const JoinInput& pool, WordSource words, Workspace& ws,
                        std::vector<std::int64_t>& mines) {
  const Sampler& s = *e.sampler;
  const std::size_t parts = mines.size();
  std::int64_t all = 0;
  if (!s.suffix.empty()) {
    for (std::size_t i = 0; i < parts; ++i) {
      const Polynomial& p = *pool.poly[i];
      const double* rest = s.suffix[i + 1].data() + (all - s.first[i]);
      mines[i] = p.first + draw(words, p.length, [&](std::int64_t k) { return p.c[k] * rest[k]; });
      all += mines[i];
    }
    return all;
  }
  while (s.rejects) {
    all = 0;
    for (std::size_t i = 0; i < parts; ++i) {
      const auto& c = s.proposal[i];
      const double x = uniform(words) * c.back();
      mines[i] = pool.poly[i]->first + (std::upper_bound(c.begin(), c.end() - 1, x) - c.begin());
      all += mines[i];
    }
    ws.spend(pool.count * 10);
    const std::int64_t at = all - s.accept_first;
    if (at >= 0 && at < static_cast<std::int64_t>(s.accept.size()) && uniform(words) < s.accept[at]) return all;
  }
  for (std::size_t i = 0; i < parts; ++i) {  // independent: their sum does not matter
    const Polynomial& p = *pool.poly[i];
    const double* w = e.part[i].outside;
    mines[i] = p.first + draw(words, p.length, [&](std::int64_t k) { return p.c[k] * w[k]; });
  }
  return all;
}

// Draws how the mines of a component lie in its boxes, step by step; put(box, k) is called for each.
template <class Put>
void draw_boxes(const Engine& e, std::size_t part, std::int64_t mines, WordSource words, std::vector<double>& weight,
                Put put) {
  const PathProgram& p = e.part[part].program;
  const Sampler::Rest& r = e.sampler->rest[part];
  std::uint32_t state = 0;
  for (std::int32_t t = 0; t < p.steps; ++t) {
    const Layer& layer = p.layer[t];
    const std::size_t lists = static_cast<std::size_t>(layer.lists);
    const std::size_t next = static_cast<std::size_t>(t) + 1;
    box_weights(p.size[p.box[t]], layer.lists, e.fugacity, weight);
    const std::int64_t drawn = draw(words, layer.lists, [&](std::int64_t k) {
      const std::size_t at = state * lists + static_cast<std::size_t>(k);
      const std::uint32_t target = layer.next[at];
      if (target == kDead) return 0.0;
      const std::int64_t m = mines - k - r.low[next][target];
      if (m < 0 || m >= static_cast<std::int64_t>(r.offset[next][target + 1] - r.offset[next][target])) return 0.0;
      const double w = layer.factor ? weight[k] * layer.factor[at] : weight[k];
      return w * r.c[next][r.offset[next][target] + m];
    });
    state = layer.next[state * lists + static_cast<std::size_t>(drawn)];
    mines -= drawn;
    put(p.box[t], drawn);
  }
}

// Draws the sea, with `frontier` mines in the components.
void draw_sea(Engine& e, const JoinInput& pool, std::int64_t frontier, WordSource words, std::uint8_t* out) {
  Sampler& s = *e.sampler;
  const std::int32_t from = s.cell_begin[e.boxes.boxes];
  const std::int32_t to = s.cell_begin[e.boxes.boxes + 1];
  if (to == from) return;
  const Prior& prior = e.position.prior;
  if (prior.kind == Prior::Kind::density) {
    for (std::int32_t i = from; i < to; ++i) out[s.cell[i]] = uniform(words) < prior.chance;
    return;
  }
  std::int64_t mines = prior.mines - pool.known - frontier;
  if (prior.kind != Prior::Kind::total) {
    const std::vector<double> w = sea_weights(pool, frontier);
    mines = draw(words, to - from + 1, [&](std::int64_t k) { return w[k]; });
  }
  scatter(s.cell, from, to, mines, words, out);
}

}  // namespace

void Analysis::restart_samples() {
  if (engine_->sampler) list_cells(*engine_, *engine_->sampler);
}

void Analysis::sample(WordSource words, std::uint8_t* out) {
  Engine& e = *engine_;
  e.ws.adopt(e.ws.limits());
  if (!e.sampler) make_sampler(e);
  Sampler& s = *e.sampler;
  const Arena::Mark mark = e.ws.arena.mark();
  const JoinInput pool = e.pool();
  const std::int32_t n = e.position.graph->cells;
  for (std::int32_t i = 0; i < n; ++i) out[i] = e.front.mark[i] == Mark::mine || e.front.mark[i] == Mark::burst;
  std::vector<std::int64_t> mines(static_cast<std::size_t>(pool.count));
  const std::int64_t frontier = draw_mines(e, pool, words, e.ws, mines);
  // Boxes by component and local id.
  std::vector<std::int32_t> begin(mines.size() + 1, 0);
  for (std::size_t i = 0; i < mines.size(); ++i) begin[i + 1] = begin[i] + e.part[i].component->boxes;
  std::vector<std::int32_t> box_at(static_cast<std::size_t>(e.boxes.boxes));
  for (std::int32_t b = 0; b < e.boxes.boxes; ++b) box_at[begin[e.boxes.component_of[b]] + e.boxes.local[b]] = b;
  std::vector<double> weight;
  for (std::size_t i = 0; i < mines.size(); ++i) {
    draw_boxes(e, i, mines[i], words, weight, [&](std::int32_t local, std::int64_t k) {
      const std::int32_t box = box_at[begin[i] + local];
      scatter(s.cell, s.cell_begin[box], s.cell_begin[box + 1], k, words, out);
    });
  }
  draw_sea(e, pool, frontier, words, out);
  e.ws.arena.release(mark);
}

}  // namespace mineproof::exact

#include "sample.hpp"

#include <algorithm>
#include <cmath>

#include "tail.hpp"

namespace mineproof::exact {

namespace {

double uniform(Words words) { return static_cast<double>(words.next(words.context) >> 11) * 0x1p-53; }

std::uint64_t below(Words words, std::uint64_t n) {  // without bias
  for (;;) {
    const std::uint64_t x = words.next(words.context);
    const unsigned __int128 m = static_cast<unsigned __int128>(x) * n;
    const std::uint64_t low = static_cast<std::uint64_t>(m);
    if (low >= n || low >= (0 - n) % n) return static_cast<std::uint64_t>(m >> 64);
  }
}

// An index drawn with the given weights, never one of weight zero.
template <class Weight>
std::int64_t draw(Words words, std::int64_t n, Weight&& weight) {
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
  if (p.entries * static_cast<std::int64_t>(sizeof(double)) > ws.limits().bytes) throw BudgetExceeded("sampling needs more memory than the cap");
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

void make_chain(const Pool& pool, Workspace& ws, Sampler& s) {
  const std::size_t n = static_cast<std::size_t>(pool.count);
  std::int64_t low = 0;
  std::int64_t width = 1;
  std::int64_t entries = 0;
  s.first.assign(n + 1, 0);
  std::vector<std::int64_t> length(n + 1, 1);
  for (std::size_t i = 0; i < n; ++i) {
    low += pool.poly[i]->first;
    width += pool.poly[i]->length - 1;
    s.first[i + 1] = low;
    length[i + 1] = width;
    entries += width * pool.poly[i]->length;
  }
  const Arena::Mark mark = ws.arena.mark();
  const Tail t = tail(pool, low, low + width - 1, ws);
  constexpr std::int64_t kMost = 20'000'000;
  if (entries <= kMost || pool.prior.kind != Prior::Kind::total) {
    s.chain.resize(n + 1);
    s.chain[n].assign(static_cast<std::size_t>(width), 0.0);
    for (std::int64_t i = 0; i < t.length; ++i) s.chain[n][static_cast<std::size_t>(t.first - low + i)] = t.value[i];
    for (std::size_t i = n; i-- > 0;) {
      const Polynomial& p = *pool.poly[i];
      auto& b = s.chain[i];
      b.assign(static_cast<std::size_t>(length[i]), 0.0);
      double most = 0;
      for (std::int32_t m = 0; m < p.length; ++m) {
        for (std::size_t j = 0; j < b.size(); ++j) b[j] += p.c[m] * s.chain[i + 1][j + static_cast<std::size_t>(m)];
      }
      for (double x : b) most = std::max(most, x);
      if (most > 0) {
        const double scale = std::ldexp(1.0, -std::ilogb(most));
        for (double& x : b) x *= scale;
      }
      ws.spend(static_cast<std::int64_t>(b.size()) * p.length);
    }
    ws.arena.release(mark);
    return;
  }
  // Very many components: propose each on its own, tilted so that the right total is likely, and accept by the sea.
  s.rejects = true;
  const double left = static_cast<double>(pool.prior.mines - pool.known);
  double x = 0;
  double a = -60;
  double b = 60;
  for (int round = 0; round < 60; ++round) {
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) {
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
  s.proposal.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
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
    s.accept[static_cast<std::size_t>(i)] = l;
    most = std::max(most, l);
  }
  for (double& l : s.accept) l = std::exp(l - most);
  ws.arena.release(mark);
}

void make_sampler(Engine& e) {
  auto s = std::make_unique<Sampler>();
  const std::size_t n = static_cast<std::size_t>(e.boxes.components);
  for (std::size_t i = 0; i < n; ++i) s->rest.push_back(make_rest(path_of(e.part[i], e.ws), e.fugacity, e.ws));
  if (e.position.prior.kind != Prior::Kind::density) make_chain(e.pool(), e.ws, *s);
  list_cells(e, *s);
  e.sampler = std::move(s);
}

// Puts k mines into the cells begin..end, every subset alike; the cells' order is changed.
void scatter(std::vector<std::int32_t>& cell, std::int32_t begin, std::int32_t end, std::int64_t k, Words words, std::uint8_t* out) {
  for (std::int64_t i = 0; i < k; ++i) {
    const std::size_t at = static_cast<std::size_t>(begin + i);
    const std::size_t other = at + static_cast<std::size_t>(below(words, static_cast<std::uint64_t>(end - begin - i)));
    std::swap(cell[at], cell[other]);
    out[cell[at]] = 1;
  }
}

}  // namespace

void Analysis::sample(Words words, std::uint8_t* out) {
  Engine& e = *engine_;
  e.ws.adopt(e.ws.limits());
  if (!e.sampler) make_sampler(e);
  Sampler& s = *e.sampler;
  const Arena::Mark mark = e.ws.arena.mark();
  const Pool pool = e.pool();
  const std::int32_t n = e.position.graph->cells;
  for (std::int32_t i = 0; i < n; ++i) out[i] = e.front.mark[i] == Mark::mine || e.front.mark[i] == Mark::burst;
  // Mines of every component.
  const std::size_t parts = static_cast<std::size_t>(pool.count);
  std::vector<std::int64_t> mines(parts);
  std::int64_t j = 0;
  if (!s.chain.empty()) {
    for (std::size_t i = 0; i < parts; ++i) {
      const Polynomial& p = *pool.poly[i];
      const double* rest = s.chain[i + 1].data() + (j - s.first[i]);
      const std::int64_t m = draw(words, p.length, [&](std::int64_t k) { return p.c[k] * rest[k]; });
      mines[i] = p.first + m;
      j += mines[i];
    }
  } else if (s.rejects) {
    for (;;) {
      j = 0;
      for (std::size_t i = 0; i < parts; ++i) {
        const auto& c = s.proposal[i];
        const double x = uniform(words) * c.back();
        const std::size_t m = static_cast<std::size_t>(std::upper_bound(c.begin(), c.end() - 1, x) - c.begin());
        mines[i] = pool.poly[i]->first + static_cast<std::int64_t>(m);
        j += mines[i];
      }
      e.ws.spend(pool.count * 10);
      const std::int64_t at = j - s.accept_first;
      if (at >= 0 && at < static_cast<std::int64_t>(s.accept.size()) && uniform(words) < s.accept[static_cast<std::size_t>(at)]) break;
    }
  } else {
    for (std::size_t i = 0; i < parts; ++i) {
      const Polynomial& p = *pool.poly[i];
      const double* w = e.part[i].outside;
      mines[i] = p.first + draw(words, p.length, [&](std::int64_t k) { return p.c[k] * w[k]; });
    }
  }
  // Boxes of every component.
  std::vector<std::int32_t> raw(static_cast<std::size_t>(e.boxes.boxes));
  std::vector<std::int32_t> begin(parts + 1, 0);
  for (std::size_t i = 0; i < parts; ++i) begin[i + 1] = begin[i] + e.part[i].component->boxes;
  for (std::int32_t b = 0; b < e.boxes.boxes; ++b) {
    raw[static_cast<std::size_t>(begin[static_cast<std::size_t>(e.boxes.component_of[b])] + e.boxes.local[b])] = b;
  }
  std::vector<double> weight;
  for (std::size_t i = 0; i < parts; ++i) {
    const PathProgram& p = e.part[i].program;
    const Sampler::Rest& r = s.rest[i];
    std::uint32_t state = 0;
    std::int64_t left = mines[i];
    for (std::int32_t t = 0; t < p.steps; ++t) {
      const Layer& layer = p.layer[t];
      const std::size_t lists = static_cast<std::size_t>(layer.lists);
      const std::size_t next = static_cast<std::size_t>(t) + 1;
      const std::int32_t box = p.box[t];
      box_weights(p.size[box], layer.lists, e.fugacity, weight);
      const std::int64_t k = draw(words, layer.lists, [&](std::int64_t k) {
        const std::size_t at = state * lists + static_cast<std::size_t>(k);
        const std::uint32_t target = layer.next[at];
        if (target == kDead) return 0.0;
        const std::int64_t m = left - k - r.low[next][target];
        if (m < 0 || m >= static_cast<std::int64_t>(r.offset[next][target + 1] - r.offset[next][target])) return 0.0;
        const double w = layer.factor ? weight[static_cast<std::size_t>(k)] * layer.factor[at] : weight[static_cast<std::size_t>(k)];
        return w * r.c[next][static_cast<std::size_t>(r.offset[next][target] + m)];
      });
      state = layer.next[state * lists + static_cast<std::size_t>(k)];
      left -= k;
      const std::size_t b = static_cast<std::size_t>(raw[static_cast<std::size_t>(begin[i] + box)]);
      scatter(s.cell, s.cell_begin[b], s.cell_begin[b + 1], k, words, out);
    }
  }
  // The sea.
  const std::size_t sea = static_cast<std::size_t>(e.boxes.boxes);
  const std::int32_t from = s.cell_begin[sea];
  const std::int32_t to = s.cell_begin[sea + 1];
  if (to > from) {
    const Prior& prior = e.position.prior;
    if (prior.kind == Prior::Kind::density) {
      for (std::int32_t i = from; i < to; ++i) out[s.cell[static_cast<std::size_t>(i)]] = uniform(words) < prior.chance;
    } else if (prior.kind == Prior::Kind::total) {
      scatter(s.cell, from, to, prior.mines - pool.known - j, words, out);
    } else {
      const std::vector<double> w = sea_weights(pool, j);
      scatter(s.cell, from, to, draw(words, to - from + 1, [&](std::int64_t k) { return w[static_cast<std::size_t>(k)]; }), words, out);
    }
  }
  e.ws.arena.release(mark);
}

}  // namespace mineproof::exact

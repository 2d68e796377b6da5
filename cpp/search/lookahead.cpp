#include "search/lookahead.hpp"

#include <algorithm>
#include <cmath>

#include "rng.hpp"

namespace mineproof::search {

using namespace exact;

namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

}  // namespace

void Lookahead::begin(Engine& engine, std::int64_t mines) {
  engine_ = &engine;
  left_ = mines - engine.front.known;
  const Graph& g = *engine.position.graph;
  const Boxes& boxes = engine.boxes;
  const std::size_t cells = at(g.cells);
  const std::size_t n = at(boxes.boxes);
  const std::size_t parts = at(boxes.components);
  unknown_around_.assign(cells, 0);
  dead_.assign(cells, 0);
  box_living_.assign(n, 0);
  inside_.assign(n, 0);
  inside_living_.assign(n, 0);
  is_touched_.assign(parts, 0);
  sea_living_ = 0;
  const std::uint8_t* shown = engine.position.shown;
  some_zero_ = std::find(shown, shown + g.cells, std::uint8_t{0}) != shown + g.cells;
  for (std::int32_t i = 0; i < g.cells; ++i) {
    if (engine.front.mark[i] != Mark::unknown) continue;
    for (std::int32_t e = g.offset[i]; e < g.offset[i + 1]; ++e) ++unknown_around_[at(g.target[e])];
  }
  for (std::int32_t i = 0; i < g.cells; ++i) {
    if (engine.front.mark[i] != Mark::unknown) continue;
    dead_[at(i)] = find_dead(i);
    const std::int32_t b = boxes.box_of[i];
    (b < 0 ? sea_living_ : box_living_[at(b)]) += dead_[at(i)] ? 0 : 1;
  }
  first_box_.assign(parts + 1, 0);
  expected_.assign(parts, 0);
  box_at_.assign(n, 0);
  for (std::size_t i = 0; i < parts; ++i) first_box_[i + 1] = first_box_[i] + boxes.component[i].boxes;
  for (std::int32_t b = 0; b < boxes.boxes; ++b) {
    const std::int32_t k = boxes.component_of[b];
    box_at_[at(first_box_[at(k)] + boxes.local[b])] = b;
    expected_[at(k)] += engine.box_p[b] * boxes.component[k].size[boxes.local[b]];
  }
}

// Every unknown neighbour of it is, with it or without, what some clue beside it counts: its own value is known then.
bool Lookahead::find_dead(std::int32_t cell) const {
  const Graph& g = *engine_->position.graph;
  const Mark* mark = engine_->front.mark;
  const std::int32_t unknown = unknown_around_[at(cell)];
  if (unknown == 0) return true;
  for (std::int32_t e = g.offset[cell]; e < g.offset[cell + 1]; ++e) {
    const std::int32_t clue = g.target[e];
    if (mark[clue] != Mark::open || engine_->position.shown[clue] > kLargestClue) continue;
    // The clue counts the cell itself too.
    if (unknown_around_[at(clue)] != unknown + 1) continue;
    std::int32_t shared = 0;
    for (std::int32_t f = g.offset[clue]; f < g.offset[clue + 1]; ++f) {
      const std::int32_t x = g.target[f];
      if (mark[x] != Mark::unknown || x == cell) continue;
      for (std::int32_t h = g.offset[cell]; h < g.offset[cell + 1]; ++h) shared += g.target[h] == x;
    }
    if (shared == unknown) return true;
  }
  return false;
}

bool Lookahead::may_show_first_zero(std::int32_t cell) const {
  if (some_zero_) return false;
  const Graph& g = *engine_->position.graph;
  for (std::int32_t e = g.offset[cell]; e < g.offset[cell + 1]; ++e) {
    if (engine_->front.mark[g.target[e]] == Mark::mine) return false;
  }
  return true;
}

std::uint64_t Lookahead::kind(std::int32_t cell) const {
  const Graph& g = *engine_->position.graph;
  const std::int32_t* box_of = engine_->boxes.box_of;
  // A sum of mixed numbers does not depend on the order.
  std::uint64_t sum = 0;
  for (std::int32_t e = g.offset[cell]; e < g.offset[cell + 1]; ++e) {
    const std::int32_t x = g.target[e];
    if (engine_->front.mark[x] != Mark::unknown) continue;
    sum += mix64((static_cast<std::uint64_t>(box_of[x] + 2) << 1 | (dead(x) ? 1u : 0u)) + golden);
  }
  return mix64(sum + mix64((static_cast<std::uint64_t>(box_of[cell] + 2) << 1 | (may_show_first_zero(cell) ? 1u : 0u)) + 2 * golden));
}

// Notes the boxes, components and sea cells around a cell; false where there is nothing unknown.
bool Lookahead::around(std::int32_t cell) {
  const Graph& g = *engine_->position.graph;
  const Boxes& boxes = engine_->boxes;
  for (const std::int32_t b : met_) inside_[at(b)] = inside_living_[at(b)] = 0;
  for (const std::int32_t k : touched_) is_touched_[at(k)] = 0;
  met_.clear();
  touched_.clear();
  sea_around_ = sea_around_living_ = 0;
  bool some = false;
  auto touch = [&](std::int32_t k) {
    if (is_touched_[at(k)]) return;
    is_touched_[at(k)] = 1;
    touched_.push_back(k);
  };
  for (std::int32_t e = g.offset[cell]; e < g.offset[cell + 1]; ++e) {
    const std::int32_t x = g.target[e];
    if (engine_->front.mark[x] != Mark::unknown) continue;
    some = true;
    const bool living = !dead(x) && unknown_around_[at(x)] > 1;
    const std::int32_t b = boxes.box_of[x];
    if (b < 0) {
      ++sea_around_;
      sea_around_living_ += living;
      continue;
    }
    if (!inside_[at(b)]++) met_.push_back(b);
    inside_living_[at(b)] += living;
    touch(boxes.component_of[b]);
  }
  const std::int32_t own = boxes.box_of[cell];
  if (own >= 0) touch(boxes.component_of[own]);
  return some;
}

// The touched components as one, without the cell and with the probe as clue 0; in the engine's arena.
Component Lookahead::edit(std::int32_t cell) {
  Arena& arena = engine_->ws.arena;
  const Boxes& boxes = engine_->boxes;
  const std::int32_t own = boxes.box_of[cell];
  std::size_t most_boxes = 1, most_clues = 1, most_edges = 1;
  for (const std::int32_t k : touched_) {
    const Component& c = boxes.component[k];
    most_boxes += 2 * at(c.boxes);
    most_clues += at(c.clues);
    most_edges += 2 * at(c.box_offset[c.boxes]) + at(c.boxes);
  }
  std::int32_t* size = arena.take<std::int32_t>(most_boxes);
  std::int32_t* box_offset = arena.take<std::int32_t>(most_boxes + 1);
  std::int32_t* box_clue = arena.take<std::int32_t>(most_edges);
  std::int32_t* clue_offset = arena.zeroed<std::int32_t>(most_clues + 2);
  Clue* clue = arena.take<Clue>(most_clues);
  edited_.clear();
  std::int32_t unknown = sea_around_;
  for (const std::int32_t b : met_) unknown += inside_[at(b)];
  clue[0] = {0, unknown, nullptr, -1};
  std::int32_t clues = 1;
  std::int32_t edges = 0;
  std::int32_t n = 0;
  for (const std::int32_t k : touched_) {
    const Component& c = boxes.component[k];
    std::int32_t* rename = arena.take<std::int32_t>(at(c.clues));
    for (std::int32_t q = 0; q < c.clues; ++q) {
      // A clue whose only cell was this one is met and goes.
      const bool gone = own >= 0 && boxes.component_of[own] == k && c.clue_offset[q + 1] - c.clue_offset[q] == 1 &&
                        c.clue_box[c.clue_offset[q]] == boxes.local[own] && c.size[boxes.local[own]] == 1;
      rename[q] = gone ? -1 : clues;
      if (!gone) clue[clues++] = c.clue[q];
    }
    for (std::int32_t b = 0; b < c.boxes; ++b) {
      const std::int32_t raw = box_at_[at(first_box_[at(k)] + b)];
      const std::int32_t in = inside_[at(raw)];
      const std::int32_t rest = c.size[b] - in - (raw == own ? 1 : 0);
      const std::int32_t living = box_living_[at(raw)] - (raw == own && !dead(cell) ? 1 : 0);
      for (int half = 0; half < 2; ++half) {
        const std::int32_t here = half ? in : rest;
        if (here <= 0) continue;
        size[n] = here;
        box_offset[n] = edges;
        if (half) box_clue[edges++] = 0;
        for (std::int32_t e = c.box_offset[b]; e < c.box_offset[b + 1]; ++e) {
          if (rename[c.box_clue[e]] >= 0) box_clue[edges++] = rename[c.box_clue[e]];
        }
        // Cells around that are dead without this one were counted as living in the box.
        std::int32_t alive = half ? inside_living_[at(raw)] : living - inside_living_[at(raw)];
        edited_.push_back({std::clamp(alive, 0, here), here});
        ++n;
      }
    }
  }
  if (sea_around_ > 0) {
    size[n] = sea_around_;
    box_offset[n++] = edges;
    box_clue[edges++] = 0;
    edited_.push_back({sea_around_living_, sea_around_});
  }
  box_offset[n] = edges;
  std::int32_t* clue_box = arena.take<std::int32_t>(at(edges));
  for (std::int32_t e = 0; e < edges; ++e) ++clue_offset[box_clue[e] + 2];
  for (std::int32_t q = 0; q < clues; ++q) clue_offset[q + 2] += clue_offset[q + 1];
  for (std::int32_t b = 0; b < n; ++b) {
    for (std::int32_t e = box_offset[b]; e < box_offset[b + 1]; ++e) clue_box[clue_offset[box_clue[e] + 1]++] = b;
  }
  sea_after_ = boxes.sea - sea_around_ - (own < 0 ? 1 : 0);
  Component c;
  c.boxes = n;
  c.clues = clues;
  c.size = size;
  c.box_offset = box_offset;
  c.box_clue = box_clue;
  c.clue_offset = clue_offset;
  c.clue_box = clue_box;
  c.clue = clue;
  c.probe = 0;
  return c;
}

// outside_[i]: the weight of everything else for first + i mines in the merged component, i = 0..last - first.
void Lookahead::outside_of(std::int32_t first, std::int32_t last) {
  // Components that are not touched, multiplied.
  product_.assign(1, 1.0);
  std::int64_t low = 0;
  for (std::int32_t k = 0; k < engine_->boxes.components; ++k) {
    if (is_touched_[at(k)]) continue;
    const Polynomial& p = engine_->part[k].poly;
    rest_.assign(product_.size() + at(p.length) - 1, 0.0);
    double most = 0;
    for (std::int32_t m = 0; m < p.length; ++m) most = std::max(most, p.c[m]);
    for (std::int32_t m = 0; m < p.length; ++m) {
      const double w = p.c[m] / most;
      for (std::size_t j = 0; j < product_.size(); ++j) rest_[j + at(m)] += w * product_[j];
    }
    product_.swap(rest_);
    low += p.first;
  }
  // The sea takes r mines, for r = left - low - first - i - j: binomials times powers of the fugacity, the most likely 1.
  const std::int64_t high = left_ - low - first;
  const std::size_t length = at(last - first) + product_.size();
  tail_.assign(length, 0.0);
  const double z = engine_->fugacity;
  auto put = [&](std::int64_t r, double w) {
    const std::int64_t i = high - r;
    if (i >= 0 && i < static_cast<std::int64_t>(length)) tail_[static_cast<std::size_t>(i)] = w;
  };
  const std::int64_t lowest = std::max<std::int64_t>(0, high - static_cast<std::int64_t>(length) + 1);
  const std::int64_t highest = std::min(sea_after_, high);
  const auto mode = static_cast<std::int64_t>(static_cast<double>(sea_after_ + 1) * z / (1 + z));
  const std::int64_t start = std::clamp(mode, lowest, std::max(lowest, highest));
  double w = 1;
  for (std::int64_t r = start; r <= highest; ++r) {
    put(r, w);
    w *= static_cast<double>(sea_after_ - r) / static_cast<double>(r + 1) * z;
  }
  w = 1;
  for (std::int64_t r = start; r > lowest; --r) {
    w *= static_cast<double>(r) / (static_cast<double>(sea_after_ - r + 1) * z);
    if (r - 1 <= highest) put(r - 1, w);
  }
  outside_.assign(at(last - first) + 1, 0.0);
  for (std::size_t i = 0; i < outside_.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < product_.size(); ++j) sum += product_[j] * tail_[i + j];
    outside_[i] = sum;
  }
}

Lookahead::Judgement Lookahead::judge(std::int32_t cell, const Blend& blend, double bound) {
  Engine& e = *engine_;
  const Boxes& boxes = e.boxes;
  const double safety = 1 - e.box_p[boxes.box_of[cell]];
  Judgement out;
  const double zero = may_show_first_zero(cell) ? blend.zero : 0;
  if (safety * (1 + zero) <= bound) {
    out.complete = false;
    return out;
  }
  if (!around(cell)) {
    out.dead = true;
    return out;
  }
  // What the others offer, as now.
  Best others;
  double expected = 0;
  for (std::int32_t k = 0; k < boxes.components; ++k) {
    if (is_touched_[at(k)]) continue;
    expected += expected_[at(k)];
    for (std::int32_t i = first_box_[at(k)]; i < first_box_[at(k) + 1]; ++i) {
      const std::int32_t b = box_at_[at(i)];
      others.add(1 - e.box_p[b], box_living_[at(b)]);
    }
  }
  const Arena::Mark mark = e.ws.arena.mark();
  const Component component = edit(cell);
  PathProgram program;
  if (!prepare(component, e.ws, program)) {
    e.ws.arena.release(mark);
    out.dead = true;
    return out;
  }
  PathForward fwd;
  forward(program, e.fugacity, e.ws, fwd);
  const Layer& last = program.layer[program.steps];
  const std::uint32_t finals = last.states;
  std::int32_t low = last.low[0], high = 0;
  for (std::uint32_t i = 0; i < finals; ++i) {
    low = std::min(low, last.low[i]);
    high = std::max(high, last.low[i] + static_cast<std::int32_t>(last.offset[i + 1] - last.offset[i]) - 1);
  }
  outside_of(low, high);
  const double* c = fwd.coefficient[program.steps];
  struct Value {
    std::uint32_t state;
    double mass, mines;
  };
  Value* value = e.ws.arena.take<Value>(finals);
  double all = 0;
  std::int32_t possible = 0;
  for (std::uint32_t i = 0; i < finals; ++i) {
    Value v{i, 0, 0};
    for (std::uint32_t m = last.offset[i]; m < last.offset[i + 1]; ++m) {
      const std::int32_t mines = last.low[i] + static_cast<std::int32_t>(m - last.offset[i]);
      const double w = c[m] * outside_[at(mines - low)];
      v.mass += w;
      v.mines += w * mines;
    }
    if (!(v.mass > 0)) continue;
    all += v.mass;
    value[possible++] = v;
  }
  out.dead = possible <= 1;
  std::sort(value, value + possible, [](const Value& a, const Value& b) { return a.mass > b.mass; });
  odds_.resize(at(component.boxes));
  double* seed = e.ws.arena.zeroed<double>(last.offset[finals]);
  double remaining = safety;
  for (std::int32_t i = 0; i < possible; ++i) {
    const Value& v = value[i];
    if (out.score + remaining * (1 + zero) <= bound) {
      out.complete = false;
      break;
    }
    const double chance = v.mass / all * safety;
    remaining -= chance;
    for (std::uint32_t m = last.offset[v.state]; m < last.offset[v.state + 1]; ++m) {
      seed[m] = outside_[at(last.low[v.state] + static_cast<std::int32_t>(m - last.offset[v.state]) - low)];
    }
    backward(program, fwd, seed, e.ws, odds_.data());
    for (std::uint32_t m = last.offset[v.state]; m < last.offset[v.state + 1]; ++m) seed[m] = 0;
    Best best = others, any = others;
    if (sea_after_ > 0) {
      const double p = std::clamp(
          (static_cast<double>(left_) - expected - v.mines / v.mass) / static_cast<double>(sea_after_), 0.0, 1.0);
      const std::int32_t living = sea_living_ - sea_around_living_ - (boxes.box_of[cell] < 0 && !dead(cell) ? 1 : 0);
      best.add(1 - p, living);
      any.add(1 - p, static_cast<std::int32_t>(std::min<std::int64_t>(sea_after_, 2)));
    }
    for (std::size_t b = 0; b < edited_.size(); ++b) {
      const double p = odds_[b].can_be_mine ? odds_[b].p : 0.0;
      best.add(1 - p, edited_[b].living);
      any.add(1 - p, edited_[b].cells);
    }
    if (!(best.first > 0)) best = any;
    if (!(best.first > 0)) best.first = best.second = 1;  // nothing is left but mines
    if (!(best.second > 0)) best.second = best.first;
    const double opens = program.final_count[v.state] == 0 ? zero : 0;
    out.score += chance * (blend.best * best.first + blend.second * best.second + opens);
  }
  e.ws.arena.release(mark);
  return out;
}

}  // namespace mineproof::search

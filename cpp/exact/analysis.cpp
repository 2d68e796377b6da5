#include "analysis.hpp"

#include <algorithm>

#include "engine.hpp"

namespace mineproof::exact {

Analysis::Analysis() : engine_(std::make_unique<Engine>()) {}
Analysis::~Analysis() = default;
Analysis::Analysis(Analysis&&) noexcept = default;
Analysis& Analysis::operator=(Analysis&&) noexcept = default;

void Analysis::solve(const Position& position, const Limits& limits) { engine_->solve(position, limits); }

double Analysis::probability(std::int32_t cell) const { return engine_->box_p[engine_->boxes.box_of[cell]]; }

Certain Analysis::certain(std::int32_t cell) const {
  const Engine& e = *engine_;
  switch (e.front.mark[cell]) {
    case Mark::open:
    case Mark::burst: return Certain::open;
    case Mark::safe: return Certain::safe;
    case Mark::mine: return Certain::mine;
    case Mark::unknown: break;
  }
  const std::int32_t box = e.boxes.box_of[cell];
  return box < 0 ? e.sea_certain : e.box_certain[box];
}

void Analysis::probabilities(double* out) const {
  const std::int32_t n = engine_->position.graph->cells;
  const std::int32_t* __restrict box_of = engine_->boxes.box_of;
  const double* __restrict p = engine_->box_p;
  for (std::int32_t i = 0; i < n; ++i) out[i] = p[box_of[i]];
}

void Analysis::certain(Certain* out) const {
  const std::int32_t n = engine_->position.graph->cells;
  for (std::int32_t i = 0; i < n; ++i) out[i] = certain(i);
}

void Analysis::certain_cells(std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mines) const {
  safe.clear();
  mines.clear();
  const std::int32_t n = engine_->position.graph->cells;
  for (std::int32_t i = 0; i < n; ++i) {
    const Certain c = certain(i);
    if (c == Certain::safe) safe.push_back(i);
    if (c == Certain::mine) mines.push_back(i);
  }
}

double Analysis::log_weight() const { return engine_->joined.log_weight + engine_->front.log_weight; }

std::int32_t Analysis::boxes() const { return engine_->boxes.boxes; }
std::int32_t Analysis::components() const { return engine_->boxes.components; }

void Analysis::box_of(std::int32_t* out) const {
  for (std::int32_t i = 0; i < engine_->position.graph->cells; ++i) out[i] = std::max(engine_->boxes.box_of[i], kFixed);
}

std::int32_t Analysis::component_of_box(std::int32_t box) const { return engine_->boxes.component_of[box]; }

std::vector<std::int32_t> Analysis::component_clues(std::int32_t component) const {
  const Component& c = engine_->boxes.component[component];
  std::vector<std::int32_t> out;
  for (std::int32_t q = 0; q < c.clues; ++q) out.push_back(c.clue[q].cell);
  std::sort(out.begin(), out.end());
  return out;
}

Spread Analysis::component_mines(std::int32_t component) const {
  const Part& p = engine_->part[component];
  Spread s;
  s.first = p.poly.first;
  double all = 0;
  for (std::int32_t m = 0; m < p.poly.length; ++m) {
    s.p.push_back(p.poly.c[m] * p.outside[m]);
    all += s.p.back();
  }
  for (double& x : s.p) x /= all;
  return s;
}

}  // namespace mineproof::exact

#include "search/swift.hpp"

#include <algorithm>

namespace mineproof::search {

namespace {

constexpr double kEqual = 1e-9;  // scores closer than this are equal: the order of cells decides

}  // namespace

Guess Swift::first(const Table& table) {
  const double risk = table.first_click == FirstClick::any ? static_cast<double>(table.mines) / table.graph.cells : 0;
  return {table.first.front(), risk, 1};
}

Guess Swift::choose(const Situation& s) {
  exact::Engine& e = s.engine;
  const exact::Graph& g = s.table.graph;
  lookahead_.begin(e, s.table.mines);
  double safest = 0, safest_any = 0;
  for (std::int32_t i = 0; i < g.cells; ++i) {
    if (e.front.mark[i] != exact::Mark::unknown) continue;
    const double safety = 1 - e.box_p[e.boxes.box_of[i]];
    safest_any = std::max(safest_any, safety);
    if (!lookahead_.dead(i)) safest = std::max(safest, safety);
  }
  const bool all_dead = !(safest > 0);
  if (all_dead) safest = safest_any;
  // One cell of every kind, the safest first.
  candidates_.clear();
  kinds_.clear();
  for (std::int32_t i = 0; i < g.cells; ++i) {
    if (e.front.mark[i] != exact::Mark::unknown) continue;
    const double risk = e.box_p[e.boxes.box_of[i]];
    if (1 - risk < safest * options_.window - kEqual || (lookahead_.dead(i) && !all_dead)) continue;
    const std::uint64_t kind = lookahead_.kind(i);
    if (std::find(kinds_.begin(), kinds_.end(), kind) != kinds_.end()) continue;
    kinds_.push_back(kind);
    candidates_.push_back({i, risk, 0, all_dead});
  }
  std::stable_sort(candidates_.begin(), candidates_.end(),
                   [](const Candidate& a, const Candidate& b) { return a.risk < b.risk - kEqual; });
  const auto among = static_cast<std::int32_t>(candidates_.size());
  if (all_dead || among == 1) return {candidates_.front().cell, candidates_.front().risk, among};
  const Candidate* best = nullptr;
  for (Candidate& c : candidates_) {
    const Lookahead::Judgement j = lookahead_.judge(c.cell, options_.blend, best && !best->dead ? best->score + kEqual : 0);
    c.score = j.score;
    c.dead = j.dead;
    if (!j.complete) continue;
    if (!best || (best->dead && !c.dead) || (best->dead == c.dead && c.score > best->score + kEqual)) best = &c;
  }
  return {best->cell, best->risk, among};
}

}  // namespace mineproof::search

// The choice of swift: best play where it is known, else look-ahead over the safest cells.
#include "search/swift.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "search/player.hpp"

namespace mineproof::search {

namespace {

constexpr double kEqual = 1e-9;         // scores closer than this are equal: the order of cells decides
constexpr std::int64_t kWork = 10'000;  // of the endgame, for every solution it may have
constexpr double kRegions = 1.5;        // regions multiply: looked for below the limit to this power

// As std::bit_cast, which not every library has yet.
std::uint64_t bits_of(double x) {
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

}  // namespace

Guess Swift::first(const Table& table) { return {table.first.front(), 0, 1}; }

// Whether some component has a fixed number of mines and no unknown cell beside it: nothing that is opened elsewhere
// tells anything of it.
bool Swift::stands_alone(const Situation& s) {
  const exact::Engine& e = s.engine;
  const exact::Graph& g = s.table.graph;
  alone_.clear();
  for (std::int32_t i = 0; i < e.boxes.components; ++i) alone_.push_back(e.part[i].poly.length == 1);
  const auto some = [&] { return std::find(alone_.begin(), alone_.end(), 1) != alone_.end(); };
  if (!some()) return false;
  const auto component = [&](std::int32_t cell) {
    const std::int32_t box = e.boxes.box_of[cell];
    return box < 0 ? -1 : e.boxes.component_of[box];
  };
  for (std::int32_t i = 0; i < g.cells; ++i) {
    if (e.front.mark[i] != exact::Mark::unknown) continue;
    const std::int32_t own = component(i);
    if (own < 0 || !alone_[static_cast<std::size_t>(own)]) continue;
    for (std::int32_t k = g.offset[i]; k < g.offset[i + 1]; ++k) {
      const std::int32_t near = g.target[k];
      if (e.front.mark[near] == exact::Mark::unknown && component(near) != own)
        alone_[static_cast<std::size_t>(own)] = 0;
    }
  }
  return some();
}

// Best play where so few solutions are left that it can be found; else of a component that stands alone.
void Swift::endgame(const Situation& s, Ranking& out) {
  const exact::Engine& e = s.engine;
  if (options_.endgame == 0) return;
  const double solutions = e.joined.log_weight + e.front.log_weight;
  tables_.clear();
  bool whole = solutions <= kRegions * std::log(static_cast<double>(options_.endgame)) &&
               lister_.regions(s.position, options_.endgame, tables_);
  if (!whole) {
    tables_.clear();
    if (stands_alone(s)) lister_.isolated(s.position, options_.endgame, tables_);
  }
  const std::int64_t work = kWork * static_cast<std::int64_t>(options_.endgame);
  double chance = 1;
  for (const SolutionTable& table : tables_) {
    const EndgameAnswer answer = endgame_.solve(table, {work});
    whole = whole && answer.solved;
    if (!answer.solved) continue;
    chance *= static_cast<double>(answer.wins) / static_cast<double>(answer.total);
    if (answer.cell < 0) continue;
    if (!out.settled) {
      out.settled = true;
      out.guess = {answer.cell, e.box_p[e.boxes.box_of[answer.cell]], static_cast<std::int32_t>(table.columns())};
    }
    if (!whole) return;
  }
  if (whole) out.chance = chance;
}

// A safest cell, among equals the first with the fewest unknown neighbours.
Guess Swift::safest(const Situation& s) {
  const exact::Engine& e = s.engine;
  double least = e.boxes.sea > 0 ? e.sea_p : 2;
  for (std::int32_t b = 0; b < e.boxes.boxes; ++b) least = std::min(least, e.box_p[b]);
  const auto riskier = [&](double risk) { return risk > least + kEqual ? 1.0 : 0.0; };
  const auto unknown = [&](std::int32_t cell) { return e.front.mark[cell] == exact::Mark::unknown; };
  least_risk(s, riskier, 1, unknown, safest_);
  const std::int32_t cell = safest_.front();
  return {cell, e.box_p[e.boxes.box_of[cell]], 1};
}

Guess Swift::choose(const Situation& s) {
  rank(s, 0, ranking_);
  Guess guess = ranking_.guess;
  guess.chance = ranking_.chance;
  return guess;
}

// One cell of every kind that is safe enough, the safest first. True where all of them are dead.
bool Swift::list_candidates(const Situation& s, std::vector<Candidate>& candidates) {
  exact::Engine& e = s.engine;
  lookahead_.begin(e, s.table.mines);
  const std::int32_t first = e.boxes.sea > 0 ? exact::kSeaBox : 0;
  double safest = 0, safest_any = 0;
  for (std::int32_t b = first; b < e.boxes.boxes; ++b) {
    const double safety = 1 - e.box_p[b];
    safest_any = std::max(safest_any, safety);
    if (lookahead_.box_living(b) > 0) safest = std::max(safest, safety);
  }
  const bool all_dead = !(safest > 0);
  if (all_dead) safest = safest_any;
  const double least = safest * options_.window - kEqual;
  safe_enough_.assign(static_cast<std::size_t>(e.boxes.boxes) + 1, 0);
  std::uint8_t* safe_enough = safe_enough_.data() + 1;
  for (std::int32_t b = first; b < e.boxes.boxes; ++b) safe_enough[b] = !(1 - e.box_p[b] < least);
  kinds_.clear();
  for (const std::int32_t i : lookahead_.unknown()) {
    const std::int32_t box = e.boxes.box_of[i];
    if (!safe_enough[box] || (lookahead_.dead(i) && !all_dead)) continue;
    std::uint64_t kind = lookahead_.kind(i);
    if (sealed_pairs_.influence(i) > 0) kind ^= bits_of(std::nearbyint(sealed_pairs_.influence(i) * 1e6));
    if (std::find(kinds_.begin(), kinds_.end(), kind) != kinds_.end()) continue;
    kinds_.push_back(kind);
    // Rounded: equal risks are equal whatever the order in which they were summed.
    candidates.push_back({i, e.box_p[box], std::nearbyint(e.box_p[box] / kEqual), 0, all_dead, true});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.rounded < b.rounded; });
  return all_dead;
}

void Swift::rank(const Situation& s, double slack, Ranking& out) {
  exact::Engine& e = s.engine;
  out.settled = false;
  out.chance.reset();
  out.candidates.clear();
  endgame(s, out);
  if (out.settled) return;
  out.settled = true;
  if (!options_.lookahead) {
    out.guess = safest(s);
    return;
  }
  if (options_.influence > 0) {
    sealed_pairs_.begin(e);
    if (sealed_pairs_.forced() >= 0) {
      out.guess = {sealed_pairs_.forced(), e.box_p[e.boxes.box_of[sealed_pairs_.forced()]], 2};
      return;
    }
  }
  std::vector<Candidate>& candidates = out.candidates;
  const bool all_dead = list_candidates(s, candidates);
  const auto among = static_cast<std::int32_t>(candidates.size());
  out.guess = {candidates.front().cell, candidates.front().risk, among};
  if (all_dead || among == 1) return;
  out.settled = false;
  const Candidate* best = nullptr;
  for (Candidate& c : candidates) {
    const double bonus = options_.influence > 0 ? options_.influence * sealed_pairs_.influence(c.cell) : 0;
    const double bound = best && !best->dead ? best->score + kEqual - slack - bonus : 0;
    const Lookahead::Judgement j = lookahead_.judge(c.cell, options_.blend, bound);
    c.score = j.score + bonus;
    c.dead = j.dead;
    c.complete = j.complete;
    if (!j.complete) continue;
    if (!best || (best->dead && !c.dead) || (best->dead == c.dead && c.score > best->score + kEqual)) best = &c;
  }
  out.guess = {best->cell, best->risk, among};
}

}  // namespace mineproof::search

#include "search/rollout.hpp"

namespace mineproof::search {

namespace {

constexpr std::int64_t kOrdinary = 16384;  // steps of the engine: what an ordinary position stays below

Neighbours neighbours_of(const exact::Graph& g) {
  const auto cells = static_cast<std::size_t>(g.cells);
  return {{g.offset, cells + 1}, {g.target, static_cast<std::size_t>(g.offset[cells])}};
}

}  // namespace

Rollout::Rollout(const SwiftOptions& options, const Table& table)
    : table_(table),
      swift_(options, table.graph),
      game_(neighbours_of(table.graph), {static_cast<std::size_t>(table.mines), table.first_click, true}),
      prover_(table.graph, table.mines),
      layout_(static_cast<std::size_t>(table.graph.cells)) {}

void Rollout::begin(const exact::Position& position, Stream stream) {
  position_ = position;
  stream_ = stream;
  replies_.count();
  analysis_.solve(position);
}

void Rollout::draw() {
  analysis_.sample({[](void* stream) { return static_cast<Stream*>(stream)->next(); }, &stream_}, layout_.data());
  game_.lay(layout_);
}

Rollout::End Rollout::play(std::int32_t cell, double risk) {
  if (is_mine(cell)) return {0, risk - 1};
  End end{0, risk};
  game_.resume(position_.shown);
  game_.open(cell);
  while (!game_.over()) {
    const Key key = Replies::key({game_.shown(), game_.cells()});
    const Reply* known = replies_.find(key);
    const Reply reply = known ? *known : work_out(key);
    if (reply.chance >= 0) {
      end.chance = reply.chance;
      return end;
    }
    for (const std::int32_t i : replies_.cells(reply)) {
      if (!game_.is_open(static_cast<std::size_t>(i))) game_.open(i);
    }
    end.luck += game_.over() && !game_.end().won ? reply.risk - 1 : reply.risk;
  }
  end.chance = game_.end().won ? 1 : 0;
  return end;
}

Reply Rollout::work_out(const Key& key) {
  const bool proved = prover_.prove(game_.shown());
  if (!proved) swift_.rank({table_, prover_.position(), prover_.engine(), 0}, 0, ranking_);
  const std::int64_t work = 1 + prover_.engine().ws.spent() / kOrdinary;
  if (proved) return replies_.remember(key, prover_.safe(), 0, -1, work);
  if (ranking_.chance) return replies_.remember(key, {}, 0, *ranking_.chance, work);
  return replies_.remember(key, {&ranking_.guess.cell, 1}, ranking_.guess.risk, -1, work);
}

}  // namespace mineproof::search

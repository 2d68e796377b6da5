#include "search/rollout.hpp"

namespace mineproof::search {

using exact::Certain;
using exact::Mark;

namespace {

Neighbours neighbours_of(const exact::Graph& g) {
  const auto cells = static_cast<std::size_t>(g.cells);
  return {{g.offset, cells + 1}, {g.target, static_cast<std::size_t>(g.offset[cells])}};
}

}  // namespace

Rollout::Rollout(const SwiftOptions& options, const Table& table)
    : table_(table),
      swift_(options, table.graph),
      game_(neighbours_of(table.graph), {static_cast<std::size_t>(table.mines), table.first_click, true}),
      layout_(static_cast<std::size_t>(table.graph.cells)) {}

void Rollout::begin(const exact::Position& position, Stream stream) {
  position_ = position;
  stream_ = stream;
  worked_out_ = 0;
  analysis_.solve(position);
}

void Rollout::draw() {
  analysis_.sample({[](void* stream) { return static_cast<Stream*>(stream)->next(); }, &stream_}, layout_.data());
}

double Rollout::play(std::int32_t cell) {
  if (layout_[static_cast<std::size_t>(cell)]) return 0;
  game_.resume(position_.shown, layout_.data());
  game_.open(cell);
  while (!game_.over()) {
    const Key key = Replies::key({game_.shown(), game_.cells()});
    const Reply* known = replies_.find(key);
    const Reply reply = known ? *known : work_out(key);
    if (reply.chance >= 0) return reply.chance;
    for (const std::int32_t i : replies_.cells(reply)) {
      if (!game_.is_open(static_cast<std::size_t>(i))) game_.open(i);
    }
  }
  return game_.end().won ? 1 : 0;
}

// As a Player does; of what is certain the cells that single clues settle come first.
Reply Rollout::work_out(const Key& key) {
  ++worked_out_;
  exact::Position now = position_;
  now.shown = game_.shown();
  now.mines = nullptr;
  const std::int32_t cells = table_.graph.cells;
  opened_.clear();
  engine_.look(now, {});
  const Mark* mark = engine_.front.mark;
  for (std::int32_t i = 0; i < cells; ++i) {
    if (mark[i] == Mark::safe) opened_.push_back(i);
  }
  if (!opened_.empty()) return replies_.remember(key, opened_, -1);
  engine_.compile();
  const bool weighed = engine_.prove();
  const exact::Boxes& boxes = engine_.boxes;
  bool safe = engine_.sea_certain == Certain::safe;
  for (std::int32_t b = 0; b < boxes.boxes; ++b) safe = safe || engine_.box_certain[b] == Certain::safe;
  for (std::int32_t i = 0; safe && i < cells; ++i) {
    if (engine_.box_certain[boxes.box_of[i]] == Certain::safe) opened_.push_back(i);
  }
  if (!opened_.empty()) return replies_.remember(key, opened_, -1);
  if (!weighed) engine_.weigh();
  swift_.rank({table_, now, engine_, 0}, 0, ranking_);
  if (ranking_.chance) return replies_.remember(key, {}, *ranking_.chance);
  opened_.push_back(ranking_.guess.cell);
  return replies_.remember(key, opened_, -1);
}

}  // namespace mineproof::search

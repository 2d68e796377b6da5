#include "search/rollout.hpp"

#include <algorithm>

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
  analysis_.solve(position);
}

void Rollout::draw() {
  analysis_.sample({[](void* stream) { return static_cast<Stream*>(stream)->next(); }, &stream_}, layout_.data());
}

double Rollout::play(std::int32_t cell) {
  if (layout_[static_cast<std::size_t>(cell)]) return 0;
  game_.resume(position_.shown, layout_.data());
  game_.open(cell);
  exact::Position now = position_;
  now.shown = game_.shown();
  now.mines = nullptr;
  const std::int32_t cells = table_.graph.cells;
  auto open = [&](std::int32_t i) {
    if (!game_.is_open(static_cast<std::size_t>(i))) game_.open(i);
  };
  while (!game_.over()) {
    // As a Player does; of what is certain the cells that single clues settle come first.
    engine_.look(now, {});
    const Mark* mark = engine_.front.mark;
    if (std::count(mark, mark + cells, Mark::safe)) {
      for (std::int32_t i = 0; i < cells; ++i) {
        if (mark[i] == Mark::safe) open(i);
      }
      continue;
    }
    engine_.compile();
    const bool weighed = engine_.prove();
    const exact::Boxes& boxes = engine_.boxes;
    bool safe = engine_.sea_certain == Certain::safe;
    for (std::int32_t b = 0; b < boxes.boxes; ++b) safe = safe || engine_.box_certain[b] == Certain::safe;
    if (safe) {
      for (std::int32_t i = 0; i < cells; ++i) {
        if (engine_.box_certain[boxes.box_of[i]] == Certain::safe) open(i);
      }
      continue;
    }
    if (!weighed) engine_.weigh();
    swift_.rank({table_, now, engine_, 0}, 0, ranking_);
    if (ranking_.chance) return *ranking_.chance;
    game_.open(ranking_.guess.cell);
  }
  return game_.end().won ? 1 : 0;
}

}  // namespace mineproof::search

#include "search/rollout.hpp"

namespace mineproof::search {

namespace {

constexpr std::int64_t kOrdinary = 4096;  // steps of the engine: what an ordinary position stays below

}  // namespace

Rollout::Rollout(const SwiftOptions& options, const Table& table)
    : player_(table, std::make_unique<Swift>(options, table.graph), true),
      sweep_(make_sweep(table.graph, table.mines)),
      layout_(static_cast<std::size_t>(table.graph.cells)) {}

void Rollout::begin(const exact::Position& position, Stream stream) {
  position_ = position;
  stream_ = stream;
  replies_.count();
  analysis_.solve(position);
  sweep_->begin(position.shown);
}

void Rollout::draw() {
  analysis_.sample({[](void* stream) { return static_cast<Stream*>(stream)->next(); }, &stream_}, layout_.data());
  sweep_->lay(layout_);
}

Rollout::End Rollout::play(std::int32_t cell, double risk) {
  if (is_mine(cell)) return {0, risk - 1};
  End end{0, risk};
  sweep_->resume();
  sweep_->open(cell);
  while (!sweep_->over()) {
    const std::span<const std::uint8_t> shown = sweep_->shown();
    const Key key = Replies::key(shown);
    const Reply* known = replies_.find(key);
    const Reply reply = known ? *known : work_out(key, shown.data());
    if (reply.chance >= 0) {
      end.chance = reply.chance;
      return end;
    }
    for (const std::int32_t i : replies_.cells(reply)) {
      if (!sweep_->is_open(i)) sweep_->open(i);
    }
    end.luck += sweep_->lost() ? reply.risk - 1 : reply.risk;
  }
  end.chance = sweep_->lost() ? 0 : 1;
  return end;
}

Reply Rollout::work_out(const Key& key, const std::uint8_t* shown) {
  const bool proved = player_.prove(shown);
  const Guess guess = proved ? Guess{} : player_.guess();
  const std::int64_t work = 1 + player_.spent() / kOrdinary;
  if (proved) return replies_.remember(key, player_.safe(), 0, -1, work);
  if (guess.chance) return replies_.remember(key, {}, 0, *guess.chance, work);
  return replies_.remember(key, {&guess.cell, 1}, guess.risk, -1, work);
}

}  // namespace mineproof::search

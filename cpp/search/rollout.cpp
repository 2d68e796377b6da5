// Games on drawn layouts, with a memory for what the policy did.
#include "search/rollout.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "game.hpp"

namespace mineproof::search {

// Two sums of mixed words: collisions by chance do not happen in practice.
Key ReplyCache::key(std::span<const std::uint8_t> shown) {
  Key key{golden, 0};
  for (std::size_t i = 0; i < shown.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, shown.data() + i, std::min(sizeof word, shown.size() - i));
    key.low = (key.low ^ word) * 0xBF58476D1CE4E5B9ull;
    key.low ^= key.low >> 29;
    key.high = (key.high + word) * 0x94D049BB133111EBull;
    key.high ^= key.high >> 32;
  }
  return {mix64(key.high), mix64(key.low)};
}

Reply ReplyCache::remember(const Key& key, std::span<const std::int32_t> cells, double risk, double chance,
                           std::int64_t work) {
  if (2 * (used_ + 1) > slots_.size()) {
    if (slots_.size() >= kMost) {
      clear();
    } else {
      std::vector<Slot> old(slots_.empty() ? kFirst : 2 * slots_.size());
      old.swap(slots_);
      for (const Slot& slot : old) {
        if (slot.generation == generation_) slots_[place(slot.key)] = slot;
      }
    }
  }
  const auto begin = static_cast<std::uint32_t>(cells_.size());
  cells_.insert(cells_.end(), cells.begin(), cells.end());
  const Reply reply{begin, static_cast<std::uint32_t>(cells_.size()), risk, chance};
  slots_[place(key)] = {key, reply, generation_, count_, work};
  ++used_;
  work_ += work;
  return reply;
}

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
    const Key key = ReplyCache::key(shown);
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

namespace {

// The deal of sample `index` when a game begins in a cell.
class FirstDeal {
 public:
  explicit FirstDeal(const Table& table)
      : table_(table), excluded_(static_cast<std::size_t>(table.graph.cells)), mines_(excluded_.size()) {}

  std::span<const std::uint8_t> beside(std::int32_t cell, std::uint64_t seed, std::uint64_t index) {
    const exact::Graph& g = table_.graph;
    std::fill(excluded_.begin(), excluded_.end(), std::uint8_t{0});
    excluded_[static_cast<std::size_t>(cell)] = 1;
    if (table_.first_click == FirstClick::opening) {
      for (std::int32_t e = g.offset[cell]; e < g.offset[cell + 1]; ++e)
        excluded_[static_cast<std::size_t>(g.target[e])] = 1;
    }
    Stream stream(seed, index, Purpose::sample);
    dealer_.deal(stream, excluded_, static_cast<std::size_t>(table_.mines), mines_);
    return mines_;
  }

 private:
  const Table& table_;
  NumberDealer dealer_;
  std::vector<std::uint8_t> excluded_, mines_;
};

}  // namespace

std::vector<WinSum> win_sums(const exact::Position& position, const Table& table, const SwiftOptions& options,
                             std::span<const std::int32_t> cells, std::uint64_t seed, const WinLimits& limits) {
  const auto start = std::chrono::steady_clock::now();
  const auto late = [&] {
    const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - start;
    return limits.seconds > 0 && gone.count() >= limits.seconds;
  };
  const bool fresh =
      table.first_click != FirstClick::any && std::all_of(position.shown, position.shown + table.graph.cells,
                                                          [](std::uint8_t code) { return code == exact::kHidden; });
  std::vector<WinSum> sums;
  for (const std::int32_t cell : cells) sums.push_back({cell, 0, 0, 0});
  Rollout rollout(options, table);
  rollout.begin(position, Stream(seed, 0, Purpose::sample));
  FirstDeal deal(table);
  std::vector<WinSum> whole;
  for (std::size_t sample = 0; sample < limits.samples && !late(); ++sample) {
    whole = sums;
    if (!fresh) rollout.draw();
    for (WinSum& sum : sums) {
      // Cells are compared on the same layouts: one that not all were tried on is dropped.
      if (sample && late()) return whole;
      if (fresh) rollout.lay(deal.beside(sum.cell, seed, sample));
      if (rollout.is_mine(sum.cell)) continue;
      const double chance =
          rollout.play(sum.cell, 0).without_luck(expected_chance(sum.sum, static_cast<double>(sum.played)));
      ++sum.played;
      sum.sum += chance;
      sum.squares += chance * chance;
      if (limits.stop && limits.stop(limits.context)) throw exact::Interrupted();
    }
  }
  return sums;
}

}  // namespace mineproof::search

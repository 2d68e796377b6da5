// What is certain, the cheapest proofs first.
#include "search/prover.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace mineproof::search {

using exact::Certain;
using exact::Mark;

namespace {

// How many of n bytes are `value`: counted in bytes, as many at a time as a register holds.
template <class Byte>
std::int32_t count_of(const Byte* bytes, std::int32_t n, Byte value) {
  constexpr std::int32_t kMost = 255;
  std::int32_t found = 0;
  for (std::int32_t begin = 0; begin < n; begin += kMost) {
    const std::int32_t end = std::min(n, begin + kMost);
    std::uint8_t here = 0;
    for (std::int32_t i = begin; i < end; ++i) here = static_cast<std::uint8_t>(here + (bytes[i] == value));
    found += here;
  }
  return found;
}

// The highest bit of each byte of a word that is `value`.
std::uint64_t equal_bytes(std::uint64_t word, std::uint8_t value) {
  constexpr std::uint64_t kEach = 0x0101010101010101u, kBelow = 0x7f7f7f7f7f7f7f7fu;
  const std::uint64_t other = word ^ value * kEach;  // 0 where it is
  return ~(((other & kBelow) + kBelow) | other | kBelow);
}

}  // namespace

std::int32_t count_open(const std::uint8_t* shown, std::int32_t cells) {
  return cells - count_of(shown, cells, exact::kHidden);
}

Prover::Prover(const exact::Graph& graph, const exact::Prior& prior, std::unique_ptr<Survey> survey)
    : survey_(std::move(survey)) {
  position_.graph = &graph;
  position_.prior = prior;
}

bool Prover::find(const std::uint8_t* shown, bool& weighed) {
  position_.shown = shown;
  if (survey_ && survey_->find(shown, safe_)) return true;
  safe_.clear();
  engine_.look(position_, {});
  list_settled();
  if (!safe_.empty()) return true;
  engine_.compile();
  weighed = engine_.prove();
  list_safe();
  return !safe_.empty();
}

bool Prover::find(const std::uint8_t* shown) {
  bool weighed = false;
  return find(shown, weighed);
}

bool Prover::prove(const std::uint8_t* shown) {
  bool weighed = false;
  if (find(shown, weighed)) return true;
  if (!weighed) engine_.weigh();
  return false;
}

bool Prover::some_certain(Certain which) const {
  const std::int32_t boxes = engine_.boxes.boxes;
  for (std::int32_t b = 0; b < boxes; ++b) {
    if (engine_.box_certain[b] == which) return true;
  }
  return engine_.sea_certain == which;
}

Certain Prover::certain(std::int32_t cell) const {
  switch (engine_.front.mark[cell]) {
    case Mark::open:
    case Mark::burst: return Certain::open;
    case Mark::safe: return Certain::safe;
    case Mark::mine: return Certain::mine;
    case Mark::unknown: break;
  }
  const std::int32_t box = engine_.boxes.box_of[cell];
  return box < 0 ? engine_.sea_certain : engine_.box_certain[box];
}

void Prover::certain_mines(std::vector<std::int32_t>& out) const {
  for (std::int32_t i = 0; i < position_.graph->cells; ++i) {
    if (certain(i) == Certain::mine) out.push_back(i);
  }
}

// The hidden cells that single clues prove safe.
void Prover::list_settled() {
  const Mark* mark = engine_.front.mark;
  const std::int32_t cells = position_.graph->cells;
  std::int32_t found = count_of(mark, cells, Mark::safe);
  std::int32_t i = 0;
  for (; found > 0 && i + 8 <= cells; i += 8) {  // eight cells at a time: most words hold none
    std::uint64_t word;
    std::memcpy(&word, mark + i, sizeof word);
    for (std::uint64_t left = equal_bytes(word, static_cast<std::uint8_t>(Mark::safe)); left; left &= left - 1) {
      safe_.push_back(i + std::countr_zero(left) / 8);
      --found;
    }
  }
  for (; found > 0; ++i) {
    if (mark[i] != Mark::safe) continue;
    safe_.push_back(i);
    --found;
  }
}

// The hidden cells that several clues or the number of mines prove safe, where single clues prove none.
void Prover::list_safe() {
  if (!some_certain(Certain::safe)) return;
  // Every cell is written down, and stays where it is safe: no branch depends on it.
  const std::int32_t cells = position_.graph->cells;
  const std::int32_t* box_of = engine_.boxes.box_of;
  const Certain* certain = engine_.box_certain;
  listed_.resize(static_cast<std::size_t>(cells) + 1);
  std::int32_t* out = listed_.data();
  std::size_t found = 0;
  for (std::int32_t i = 0; i < cells; ++i) {
    out[found] = i;
    found += static_cast<std::size_t>(certain[box_of[i]] == Certain::safe);
  }
  safe_.assign(out, out + found);
}

std::int32_t Prover::count_mines() const {
  const std::int32_t cells = position_.graph->cells;
  if (!some_certain(Certain::mine)) return count_of(engine_.front.mark, cells, Mark::mine);
  std::int32_t mines = 0;
  for (std::int32_t i = 0; i < cells; ++i) mines += certain(i) == Certain::mine ? 1 : 0;
  return mines;
}

}  // namespace mineproof::search

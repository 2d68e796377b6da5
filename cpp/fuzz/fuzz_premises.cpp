// The fewest clues that force a cell, against every set of clues tried in turn.
#include <algorithm>
#include <bit>

#include "../premises.hpp"
#include "tape.hpp"

using namespace mineproof::fuzz;
using mineproof::FewestClues;
using mineproof::PlainClue;

namespace {

constexpr int kCells = 10;

bool met(const std::vector<PlainClue>& clues, std::uint32_t some, std::uint32_t layout) {
  for (std::size_t i = 0; i < clues.size(); ++i) {
    if (!(some >> i & 1)) continue;
    int mines = 0;
    for (const std::int32_t cell : clues[i].cells) mines += layout >> cell & 1;
    if (mines != clues[i].mines) return false;
  }
  return true;
}

// Whether no layout with a mine in the target meets these clues.
bool forced(const std::vector<PlainClue>& clues, std::uint32_t some, std::int32_t target) {
  for (std::uint32_t layout = 0; layout < 1u << kCells; ++layout) {
    if ((layout >> target & 1) && met(clues, some, layout)) return false;
  }
  return true;
}

bool some_layout(const std::vector<PlainClue>& clues) {
  for (std::uint32_t layout = 0; layout < 1u << kCells; ++layout) {
    if (met(clues, ~0u, layout)) return true;
  }
  return false;
}

void compare(const std::vector<PlainClue>& clues, std::int32_t target, const FewestClues& found) {
  if (!some_layout(clues) || found.end == FewestClues::End::kTooMuch) return;
  const std::uint32_t all = (1u << clues.size()) - 1;
  const bool is_forced = forced(clues, all, target);
  CHECK((found.end == FewestClues::End::kForced) == is_forced);
  if (!is_forced) return;
  std::uint32_t places = 0;
  for (const std::int32_t place : found.places) places |= 1u << place;
  CHECK(forced(clues, places, target), "the clues do not force the cell");
  for (std::uint32_t fewer = 0; fewer <= all; ++fewer) {
    if (std::popcount(fewer) < std::popcount(places)) CHECK(!forced(clues, fewer, target), "fewer clues force it");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Tape tape(data, size);
  const bool small = tape.bit();
  const auto target = static_cast<std::int32_t>(tape.below(kCells));
  std::vector<PlainClue> clues;
  const std::size_t most = small ? 6 : mineproof::kMostPremises;
  while (!tape.ended() && clues.size() < most) {
    PlainClue clue;
    const int cells = tape.byte() | tape.byte() << 8;
    for (int cell = 0; cell < (small ? kCells : 16); ++cell) {
      if (cells >> cell & 1) clue.cells.push_back(small ? cell : cell + 3 * static_cast<int>(clues.size()));
    }
    clue.mines = small ? tape.below(kCells) : tape.byte() - 4;
    clue.weight = tape.byte();
    clues.push_back(std::move(clue));
  }
  const FewestClues found = mineproof::fewest_clues(clues, target, 1 + tape.byte() * 100);
  CHECK(std::is_sorted(found.places.begin(), found.places.end()));
  if (small) compare(clues, target, found);
  return 0;
}

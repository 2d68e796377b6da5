#include "search/pieces.hpp"

namespace mineproof::search {

namespace {

// Depth-first search in the order of the boxes.
class Ways {
 public:
  Ways(const exact::Component& component, std::int64_t most_mines, std::size_t most_ways, std::int64_t steps,
       Piece& out)
      : c_(component), out_(out), most_mines_(most_mines), most_ways_(most_ways), steps_(steps) {
    need_.resize(static_cast<std::size_t>(c_.clues));
    room_.resize(static_cast<std::size_t>(c_.clues));
    for (std::int32_t q = 0; q < c_.clues; ++q) {
      need_[static_cast<std::size_t>(q)] = c_.clue[q].low;
      for (std::int32_t e = c_.clue_offset[q]; e < c_.clue_offset[q + 1]; ++e) {
        room_[static_cast<std::size_t>(q)] += c_.size[c_.clue_box[e]];
      }
    }
    now_.resize(static_cast<std::size_t>(c_.boxes));
  }

  bool run() { return descend(0, 0, 1); }

 private:
  bool descend(std::int32_t box, std::int64_t mines, std::uint64_t weight) {
    if (box == c_.boxes) {
      if (out_.mines.size() == most_ways_) return false;
      out_.counts.insert(out_.counts.end(), now_.begin(), now_.end());
      out_.mines.push_back(static_cast<std::int32_t>(mines));
      std::uint64_t& solutions = out_.solutions[static_cast<std::size_t>(mines)];
      solutions = add(solutions, weight);
      return true;
    }
    if (--steps_ < 0) return false;
    const std::int32_t size = c_.size[box];
    std::int64_t low = 0;
    std::int64_t high = std::min<std::int64_t>(size, most_mines_ - mines);
    for (std::int32_t e = c_.box_offset[box]; e < c_.box_offset[box + 1]; ++e) {
      const std::size_t q = static_cast<std::size_t>(c_.box_clue[e]);
      high = std::min<std::int64_t>(high, need_[q]);
      low = std::max<std::int64_t>(low, need_[q] - (room_[q] - size));
    }
    if (low > high) return true;
    for (std::int32_t e = c_.box_offset[box]; e < c_.box_offset[box + 1]; ++e) {
      const std::size_t q = static_cast<std::size_t>(c_.box_clue[e]);
      room_[q] -= size;
      need_[q] -= static_cast<std::int32_t>(low);
    }
    bool finished = true;
    for (std::int64_t k = low; k <= high && finished; ++k) {
      now_[static_cast<std::size_t>(box)] = static_cast<std::uint8_t>(k);
      finished = descend(box + 1, mines + k,
                         times(weight, choose(static_cast<std::uint64_t>(size), static_cast<std::uint64_t>(k))));
      for (std::int32_t e = c_.box_offset[box]; e < c_.box_offset[box + 1]; ++e)
        --need_[static_cast<std::size_t>(c_.box_clue[e])];
    }
    if (!finished) return false;
    for (std::int32_t e = c_.box_offset[box]; e < c_.box_offset[box + 1]; ++e) {
      const std::size_t q = static_cast<std::size_t>(c_.box_clue[e]);
      room_[q] += size;
      need_[q] += static_cast<std::int32_t>(high) + 1;
    }
    return true;
  }

  const exact::Component& c_;
  Piece& out_;
  std::int64_t most_mines_;
  std::size_t most_ways_;
  std::int64_t steps_;
  std::vector<std::int32_t> need_;  // per clue: mines still to place
  std::vector<std::int32_t> room_;  // per clue: cells still to fill
  std::vector<std::uint8_t> now_;
};

}  // namespace

bool list_ways(const exact::Component& component, std::int64_t most_mines, std::size_t most_ways, std::int64_t steps,
               Piece& p) {
  constexpr std::int32_t kDeepest = 4096;  // boxes that the search descends through
  if (component.boxes > kDeepest) return false;
  return Ways(component, most_mines, most_ways, steps, p).run();
}

}  // namespace mineproof::search

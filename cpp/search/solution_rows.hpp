// The solutions of some pieces written out as a table, a row each. Internal.
#pragma once

#include <span>
#include <vector>

#include "exact/front.hpp"
#include "search/pieces.hpp"
#include "search/solutions.hpp"

namespace mineproof::search {

// What is known of the cells of a position whose pieces are listed.
struct Listed {
  const exact::Graph* graph = nullptr;
  const exact::Mark* mark = nullptr;  // per cell
  std::vector<Piece> pieces;          // the first `count` are in use
  std::size_t count = 0;
  std::vector<std::int32_t> piece_of;     // per cell: its piece, or kNoPiece
  std::vector<std::uint8_t> varies;       // per cell: a mine in some solutions and safe in others
  std::vector<std::uint8_t> always_mine;  // per cell: undecided, but a mine in every solution
};
inline constexpr std::int32_t kNoPiece = -1;

// Makes tables; keeps its memory from one to the next.
class TableMaker {
 public:
  // The table of some pieces that together have `total` mines. False when it has more rows than the limit.
  bool make(const Listed& listed, std::span<const std::size_t> members, std::int64_t total, std::size_t limit,
            SolutionTable& out);

 private:
  // The solutions of a piece, each as what it adds to the columns.
  struct Rows {
    std::vector<std::uint8_t> clue;     // per row: what it adds to every column
    std::vector<std::int32_t> mines;    // per row: columns of its mines, then the next row's
    std::vector<std::size_t> begin{0};  // into mines
    std::vector<std::int32_t> number;   // per row: of mines

    void clear() {
      clue.clear();
      mines.clear();
      begin.assign(1, 0);
      number.clear();
    }
  };

  void choose_columns(const Listed& listed, std::span<const std::size_t> members, SolutionTable& out);
  void find_neighbours(const exact::Graph& graph, const SolutionTable& table);
  void expand(const Piece& piece, std::int64_t most, std::size_t stride, Rows& out);
  void add_row(const Piece& piece, std::int32_t number, std::size_t stride, Rows& out);
  bool next_choice(const Piece& piece);
  void count_solutions(const Listed& listed, std::span<const std::size_t> members, std::size_t width);
  void count_certain(const Listed& listed, const SolutionTable& out);
  void write_rows(std::size_t members, std::int64_t total, SolutionTable& out);

  std::vector<std::int32_t> column_of_;          // per cell
  std::vector<std::uint8_t> around_;             // columns by stride: 1 for neighbours
  std::vector<Rows> rows_;                       // per member
  std::vector<std::vector<std::int32_t>> pick_;  // per box of the piece at hand: chosen places, ascending
  std::vector<std::uint64_t> after_;             // [i * width + k]: solutions of members i.. with k mines
  std::vector<std::uint8_t> clue_;  // [i * stride + column]: mines around it in members before i and certain ones
};

}  // namespace mineproof::search

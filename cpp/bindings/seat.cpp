// A player of the core that plays for the Python referee: one decision at a time.
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#include "bindings/sections.hpp"
#include "bindings/table.hpp"
#include "search/players.hpp"

namespace mineproof::bindings {

using namespace nb::literals;

namespace {

using Cells = std::vector<std::int32_t>;

class Seat {
 public:
  Seat(std::shared_ptr<Board> board, std::int64_t mines, const std::string& first_click, const Cells& first,
       const std::string& name, const search::Options& options)
      : board_(std::move(board)),
        table_(table_of(*board_, mines, first_click, first)),
        player_(search::make_player(table_, name, options)) {}

  void begin(std::uint64_t key) { player_->begin_with(key); }

  // Cells that are certain to be safe; where there are none, those that are certain to be mines.
  std::pair<Cells, Cells> prove(const nb::bytearray& shown) {
    codes_ = codes_of(*board_, shown);
    ready_ = false;
    if (player_->prove(codes_.data())) return {player_->safe(), {}};
    Cells mines;
    player_->certain_mines(mines);
    ready_ = std::count(codes_.begin(), codes_.end(), exact::kHidden) > static_cast<std::ptrdiff_t>(mines.size());
    return {{}, std::move(mines)};
  }

  // The guess where nothing was proved safe: a cell, its risk, and the number of cells it was chosen from.
  std::tuple<std::int32_t, double, std::int32_t> guess() {
    if (!ready_) refuse("a guess follows a position in which nothing is proved safe and some cell may be");
    const search::Guess guess = player_->guess();
    return {guess.cell, guess.risk, guess.among};
  }

 private:
  std::shared_ptr<Board> board_;
  search::Table table_;
  std::unique_ptr<search::Player> player_;
  std::vector<std::uint8_t> codes_;
  bool ready_ = false;
};

}  // namespace

void bind_seat(nb::module_& m) {
  nb::class_<Seat>(m, "Seat", "A player of the core that is shown positions.")
      .def(nb::init<std::shared_ptr<Board>, std::int64_t, const std::string&, const Cells&, const std::string&,
                    const search::Options&>(),
           "board"_a, "mines"_a, "first_click"_a, "first"_a, "name"_a, "options"_a)
      .def("begin", &Seat::begin, "key"_a, "A new game; its randomness is named by `key`.")
      .def("prove", &Seat::prove, "shown"_a,
           "Cells certain to be safe; where there are none, those certain to be mines.")
      .def("guess", &Seat::guess, "Where nothing was proved safe: the guess, its risk, among how many cells.");
}

}  // namespace mineproof::bindings

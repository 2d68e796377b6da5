// Players of the core: one decision at a time for the Python referee, whole games for everybody else.
#include "bindings/search_play.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "bindings/exact.hpp"
#include "search/play_many.hpp"

namespace mineproof::bindings {

using namespace nb::literals;

namespace {

using GainsOut = nb::ndarray<nb::numpy, double, nb::ndim<1>, nb::c_contig>;
using PlayedOut = nb::ndarray<nb::numpy, std::int32_t, nb::shape<-1, 6>, nb::c_contig>;

[[noreturn]] void refuse(const std::string& message) { throw nb::value_error(message.c_str()); }

FirstClick first_click_of(const std::string& name) {
    if (name == "any") return FirstClick::any;
    if (name == "safe") return FirstClick::safe;
    if (name == "opening") return FirstClick::opening;
    refuse("first_click is any, safe or opening");
}

search::Table table_of(const Board& board, std::int64_t mines, const std::string& first_click,
                       const std::vector<std::int32_t>& first) {
    if (mines < 0 || mines > board.graph.cells) refuse("the mines do not fit on the board");
    if (first.empty()) refuse("at least one cell to begin with is expected");
    for (const std::int32_t cell : first) {
        if (cell < 0 || cell >= board.graph.cells) refuse("a first cell is not on the board");
    }
    return {board.graph, mines, first_click_of(first_click), first};
}

// A player that is shown positions and says what it would open.
class Seat {
public:
    Seat(std::shared_ptr<Board> board, std::int64_t mines, const std::string& first_click,
         const std::vector<std::int32_t>& first, const std::string& name,
         const search::Options& options)
        : board_(std::move(board)),
          table_(table_of(*board_, mines, first_click, first)),
          player_(search::make_player(table_, name, options)) {}

    void begin(std::uint64_t key) { player_->begin_with(key); }

    // Cells that are certain to be safe; where there are none, those that are certain to be mines.
    std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>> prove(const nb::bytearray& shown) {
        const auto cells = static_cast<std::size_t>(board_->graph.cells);
        if (shown.size() != cells) refuse("a byte for every cell of the board is expected");
        const auto* bytes = static_cast<const std::uint8_t*>(shown.data());
        codes_.assign(bytes, bytes + cells);
        ready_ = false;
        std::vector<std::int32_t> mines;
        if (!player_->prove(codes_.data())) {
            player_->certain_mines(mines);
            for (const std::uint8_t code : codes_) ready_ = ready_ || code == exact::kHidden;
        }
        return {player_->decision().safe, mines};
    }

    // The guess where nothing was proved safe: a cell, its risk, and the number of cells it was chosen from.
    std::tuple<std::int32_t, double, std::int32_t> guess() {
        if (!ready_) refuse("a guess follows a position in which nothing is proved safe");
        const search::Guess& guess = player_->guess();
        return {guess.cell, guess.risk, guess.among};
    }

private:
    std::shared_ptr<Board> board_;
    search::Table table_;
    std::unique_ptr<search::Player> player_;
    std::vector<std::uint8_t> codes_;
    bool ready_ = false;
};

std::pair<PlayedOut, GainsOut> play_many(std::shared_ptr<Board> board, std::int64_t mines, const std::string& first_click,
                    bool cascade, const std::vector<std::int32_t>& first, const std::string& name,
                    const search::Options& options, std::uint64_t seed, std::uint64_t agent_seed,
                    std::uint64_t first_index, std::size_t games, std::size_t threads) {
    if (threads < 1 || threads > 1024) refuse("threads must be 1 to 1024");
    if (games > (std::size_t{1} << 27)) refuse("too many games in one call");
    const search::Table table = table_of(*board, mines, first_click, first);
    const auto cells = static_cast<std::size_t>(board->graph.cells);
    const Neighbours neighbours{{board->graph.offset, cells + 1},
                                {board->graph.target,
                                 static_cast<std::size_t>(board->graph.offset[cells])}};
    if (!Game::fits(neighbours, {static_cast<std::size_t>(mines), table.first_click, cascade})) {
        refuse(std::to_string(mines) + " mines do not fit beside every first cell");
    }
    std::vector<search::Played> played;
    std::optional<nb::python_error> pending;
    {
        nb::gil_scoped_release release;
        const auto breathe = [&pending] {
            nb::gil_scoped_acquire hold;
            if (PyErr_CheckSignals() == 0) return true;
            pending.emplace();
            return false;
        };
        search::play_many(table, cascade, name, options, {seed, agent_seed, first_index, games, threads},
                          breathe, played);
    }
    if (pending) {
        pending->restore();
        throw nb::python_error();
    }
    auto rows = std::make_unique<std::int32_t[]>(games * 6);
    auto gains = std::make_unique<double[]>(games);
    for (std::size_t i = 0; i < games; ++i) {
        const search::Played& p = played[i];
        const std::int32_t row[] = {p.end.won,       p.end.steps, p.end.opened,
                                    p.end.safe_left, p.guesses,   p.flags};
        std::copy_n(row, 6, rows.get() + i * 6);
        gains[i] = p.gain;
    }
    std::int32_t* data = rows.release();
    const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<std::int32_t*>(p); });
    double* measured = gains.release();
    const nb::capsule second(measured, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    return {PlayedOut(data, {games, 6}, owner), GainsOut(measured, {games}, second)};
}

}  // namespace

void bind_search_play(nb::module_& m) {
    nb::class_<Seat>(m, "Seat", "A player of the core that is shown positions.")
        .def(nb::init<std::shared_ptr<Board>, std::int64_t, const std::string&,
                      const std::vector<std::int32_t>&, const std::string&,
                      const search::Options&>(),
             "board"_a, "mines"_a, "first_click"_a, "first"_a, "name"_a, "options"_a)
        .def("begin", &Seat::begin, "key"_a, "A new game; its randomness is named by `key`.")
        .def("prove", &Seat::prove, "shown"_a,
             "Cells certain to be safe; where there are none, those certain to be mines.")
        .def("guess", &Seat::guess,
             "Where nothing was proved safe: the guess, its risk, among how many cells.");
    m.def("play_many", &play_many, "board"_a, "mines"_a, "first_click"_a, "cascade"_a, "first"_a,
          "name"_a, "options"_a, "seed"_a, "agent_seed"_a, "first_index"_a, "games"_a, "threads"_a,
          "Whole games: a row each of won, steps, opened, safe cells left, guesses, flags; and the"
          " measured gain of each.");
}

}  // namespace mineproof::bindings

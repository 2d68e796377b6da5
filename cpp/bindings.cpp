// mineproof._core: translates between numpy and the core. With cpp/bindings/, the only code that knows
// nanobind.
//
// Each family of functions has a section and a bind_... function, called at the end. Arrays are
// taken with .noconvert(): nanobind would otherwise cast floats to integers in silence. Every size
// is checked here, so that the core may trust what it is given. The sections of the exact engine
// are in cpp/bindings/.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "bindings/exact.hpp"
#include "bindings/search_play.hpp"
#include "clues.hpp"
#include "deal.hpp"
#include "game.hpp"
#include "rng.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

// ------------------------------------------------------------------------------------- arrays

using BytesIn = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using IntsIn = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using BytesOut = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>, nb::c_contig>;
using TableOut = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<2>, nb::c_contig>;

constexpr std::size_t max_cells = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t max_table = std::size_t{1} << 31;

[[noreturn]] void refuse(const std::string& message) { throw nb::value_error(message.c_str()); }

template <typename T>
std::span<const T> view(const nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>& a) {
    return {a.data(), a.shape(0)};
}

// Memory that becomes a numpy array without a copy.
class Buffer {
public:
    explicit Buffer(std::size_t size) : bytes_(new std::uint8_t[size]), size_(size) {}

    std::span<std::uint8_t> span() { return {bytes_.get(), size_}; }

    BytesOut array() && {
        std::uint8_t* data = bytes_.get();
        return BytesOut(data, {size_}, owner());
    }

    TableOut table(std::size_t rows) && {
        std::uint8_t* data = bytes_.get();
        return TableOut(data, {rows, rows == 0 ? 0 : size_ / rows}, owner());
    }

private:
    nb::capsule owner() {
        nb::capsule capsule(bytes_.get(), [](void* p) noexcept {
            delete[] static_cast<std::uint8_t*>(p);
        });
        bytes_.release();
        return capsule;
    }

    std::unique_ptr<std::uint8_t[]> bytes_;
    std::size_t size_;
};

mineproof::Neighbours neighbours_of(const IntsIn& offsets, const IntsIn& targets) {
    const mineproof::Neighbours neighbours{view(offsets), view(targets)};
    mineproof::check(neighbours);
    return neighbours;
}

void check_cells(const char* name, std::size_t found, std::size_t expected) {
    if (found != expected) {
        refuse(std::string(name) + " has " + std::to_string(found) + " cells; expected " +
               std::to_string(expected));
    }
}

// ------------------------------------------------------------------------------------ dealing

void check_deal(mineproof::Mask excluded, std::uint64_t count) {
    if (excluded.size() > max_cells) refuse("a board has at most 2**31-1 cells");
    const std::size_t room = mineproof::free_cells(excluded);
    if (count > room) {
        refuse(std::to_string(count) + " mines do not fit into " + std::to_string(room) +
               " free cells");
    }
}

mineproof::Chance chance_of(const nb::int_& threshold) {
    static constexpr const char* range = "threshold must be 0 to 2**64";
    const nb::int_ whole = nb::borrow<nb::int_>(nb::int_(1) << nb::int_(64));
    if (threshold.equal(whole)) return {0, true};
    std::uint64_t value = 0;
    if (!nb::try_cast(threshold, value)) refuse(range);
    return {value, false};
}

BytesOut deal_number(std::uint64_t seed, std::uint64_t index, const BytesIn& excluded,
                     std::uint64_t count) {
    check_deal(view(excluded), count);
    Buffer mines(excluded.shape(0));
    mineproof::Stream stream(seed, index, mineproof::Purpose::deal);
    mineproof::NumberDealer().deal(stream, view(excluded), count, mines.span());
    return std::move(mines).array();
}

BytesOut deal_independent(std::uint64_t seed, std::uint64_t index, const BytesIn& excluded,
                          const nb::int_& threshold) {
    check_deal(view(excluded), 0);
    const mineproof::Chance chance = chance_of(threshold);
    Buffer mines(excluded.shape(0));
    mineproof::Stream stream(seed, index, mineproof::Purpose::deal);
    mineproof::deal_independent(stream, view(excluded), chance, mines.span());
    return std::move(mines).array();
}

BytesOut count_mines(const IntsIn& offsets, const IntsIn& targets, const BytesIn& mines) {
    const mineproof::Neighbours neighbours = neighbours_of(offsets, targets);
    check_cells("mines", mines.shape(0), neighbours.cells());
    Buffer counts(mines.shape(0));
    mineproof::count_mines(neighbours, view(mines), counts.span());
    return std::move(counts).array();
}

std::pair<TableOut, TableOut> deal_many(std::uint64_t seed, std::uint64_t first_index,
                                        std::uint64_t games, const IntsIn& offsets,
                                        const IntsIn& targets, const BytesIn& excluded,
                                        std::uint64_t count) {
    const mineproof::Neighbours neighbours = neighbours_of(offsets, targets);
    const std::size_t cells = neighbours.cells();
    check_cells("excluded", excluded.shape(0), cells);
    check_deal(view(excluded), count);
    if (games > max_table / (cells == 0 ? 1 : cells)) {
        refuse("games times cells is at most 2**31 in one call");
    }
    Buffer mines(games * cells);
    Buffer clues(games * cells);
    {
        nb::gil_scoped_release release;
        mineproof::NumberDealer dealer;
        for (std::size_t game = 0; cells > 0 && game < games; ++game) {
            const auto row = mines.span().subspan(game * cells, cells);
            mineproof::Stream stream(seed, first_index + game, mineproof::Purpose::deal);
            dealer.deal(stream, view(excluded), count, row);
            mineproof::count_mines(neighbours, row, clues.span().subspan(game * cells, cells));
        }
    }
    return {std::move(mines).table(games), std::move(clues).table(games)};
}

void bind_dealing(nb::module_& m) {
    m.def("deal_number", &deal_number, "seed"_a, "index"_a, "excluded"_a.noconvert(), "count"_a,
          "`count` mines outside the excluded cells, every layout equally likely; a byte a cell.");
    m.def("deal_independent", &deal_independent, "seed"_a, "index"_a, "excluded"_a.noconvert(),
          "threshold"_a,
          "Each cell outside the excluded ones is a mine with chance threshold / 2**64.");
    m.def("count_mines", &count_mines, "offsets"_a.noconvert(), "targets"_a.noconvert(),
          "mines"_a.noconvert(), "For every cell the number of mines among its neighbours.");
    m.def("deal_many", &deal_many, "seed"_a, "first_index"_a, "games"_a, "offsets"_a.noconvert(),
          "targets"_a.noconvert(), "excluded"_a.noconvert(), "count"_a,
          "Mines and counts of games first_index, first_index + 1, ...: two tables, a row a game.");
}

// -------------------------------------------------------------------------------------- games

using EndsOut = nb::ndarray<nb::numpy, std::int32_t, nb::shape<-1, 4>, nb::c_contig>;

mineproof::FirstClick first_click_of(const std::string& name) {
    if (name == "any") return mineproof::FirstClick::any;
    if (name == "safe") return mineproof::FirstClick::safe;
    if (name == "opening") return mineproof::FirstClick::opening;
    refuse("first_click is any, safe or opening");
}

EndsOut play_random(std::uint64_t seed, std::uint64_t agent_seed, std::uint64_t first_index,
                    std::uint64_t games, const IntsIn& offsets, const IntsIn& targets,
                    std::uint64_t count, const std::string& first_click, bool cascade) {
    const mineproof::Neighbours neighbours = neighbours_of(offsets, targets);
    if (games > max_table / 16) refuse("too many games in one call");
    const mineproof::GameRules rules{count, first_click_of(first_click), cascade};
    if (count > neighbours.cells() || !mineproof::Game::fits(neighbours, rules)) {
        refuse(std::to_string(count) + " mines do not fit beside every first cell");
    }
    auto ends = std::make_unique<std::int32_t[]>(games * 4);
    {
        nb::gil_scoped_release release;
        mineproof::Game game(neighbours, rules);
        for (std::size_t k = 0; k < games; ++k) {
            const auto end = mineproof::play_random(game, seed, agent_seed, first_index + k);
            const std::int32_t row[] = {end.won, end.steps, end.opened, end.safe_left};
            std::copy_n(row, 4, ends.get() + k * 4);
        }
    }
    std::int32_t* data = ends.release();
    const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<std::int32_t*>(p); });
    return EndsOut(data, {games, 4}, owner);
}

void bind_games(nb::module_& m) {
    m.def("play_random", &play_random, "seed"_a, "agent_seed"_a, "first_index"_a, "games"_a,
          "offsets"_a.noconvert(), "targets"_a.noconvert(), "count"_a, "first_click"_a, "cascade"_a,
          "Games of the agent `random`: a row each of won, steps, opened, safe cells left.");
}

// -------------------------------------------------------------------------------------- build

std::string compiler() {
#if defined(__clang__)
    return "clang++ " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__);
#elif defined(__GNUC__)
    return "g++ " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__);
#elif defined(_MSC_VER)
    return "MSVC " + std::to_string(_MSC_VER);
#else
    return "unknown compiler";
#endif
}

void bind_build(nb::module_& m) {
    m.def(
        "build_info",
        [] {
            nb::typed<nb::dict, nb::str, nb::str> info;
            info["compiler"] = compiler();
            info["flags"] = MINEPROOF_FLAGS;
            info["version"] = MINEPROOF_VERSION;
            return info;
        },
        "Compiler, flags and version of this build.");
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The compiled core of mineproof. Import it through mineproof.kernel.";
    bind_build(m);
    bind_dealing(m);
    bind_games(m);
    mineproof::bindings::bind_exact_models(m);
    mineproof::bindings::bind_exact_solving(m);
    mineproof::bindings::bind_exact_many(m);
    mineproof::bindings::bind_exact_session(m);
    mineproof::bindings::bind_search_endgame(m);
    mineproof::bindings::bind_search_play(m);
    mineproof::bindings::bind_premises(m);
}

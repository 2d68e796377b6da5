// Arrays that cross the seam, and the refusal of those that do not fit.
//
// Arrays are taken with .noconvert(): nanobind would otherwise cast floats to integers in silence. Every size is
// checked in the bindings, so that the core may trust what it is given.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "game.hpp"
#include "rng.hpp"

namespace mineproof::bindings {

namespace nb = nanobind;

template <typename T>
using ArrayIn = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using BytesIn = ArrayIn<std::uint8_t>;
using IntsIn = ArrayIn<std::int32_t>;
using DoublesIn = ArrayIn<double>;
using TableIn = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

template <typename T>
using ArrayOut = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>;
using TableOut = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<2>, nb::c_contig>;

// The most cells, or games times cells, in one call.
inline constexpr std::size_t kMostCells = (std::size_t{1} << 31) - 1;
inline constexpr std::size_t kMostInTable = std::size_t{1} << 31;

// A ValueError.
[[noreturn]] inline void refuse(const std::string& message) { throw nb::value_error(message.c_str()); }

template <typename T>
std::span<const T> view(const ArrayIn<T>& array) {
  return {array.data(), array.shape(0)};
}

inline Neighbours neighbours_of(const IntsIn& offsets, const IntsIn& targets) {
  const Neighbours neighbours{view(offsets), view(targets)};
  check(neighbours);
  return neighbours;
}

// Memory that becomes a numpy array without a copy.
template <typename T>
class Buffer {
 public:
  explicit Buffer(std::size_t size) : memory_(new T[size]), size_(size) {}

  std::span<T> span() { return {memory_.get(), size_}; }

  ArrayOut<T> array() && {
    T* data = memory_.get();
    return ArrayOut<T>(data, {size_}, owner());
  }

  TableOut table(std::size_t rows) && {
    T* data = memory_.get();
    return TableOut(data, {rows, rows == 0 ? 0 : size_ / rows}, owner());
  }

 private:
  nb::capsule owner() {
    nb::capsule capsule(memory_.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
    memory_.release();
    return capsule;
  }

  std::unique_ptr<T[]> memory_;
  std::size_t size_;
};

// A chance as Python gives it: out of 2^64, both ends included.
inline Chance chance_of(const nb::int_& threshold) {
  const nb::int_ whole = nb::borrow<nb::int_>(nb::int_(1) << nb::int_(64));
  if (threshold.equal(whole)) return {0, true};
  std::uint64_t value = 0;
  if (!nb::try_cast(threshold, value)) refuse("threshold must be 0 to 2**64");
  return {value, false};
}

// The sections of the module: each binds one family of functions.
void bind_deals(nb::module_& m);
void bind_exact_models(nb::module_& m);
void bind_exact_solve(nb::module_& m);
void bind_exact_many(nb::module_& m);
void bind_exact_session(nb::module_& m);
void bind_search_endgame(nb::module_& m);
void bind_games(nb::module_& m);
void bind_batch(nb::module_& m);
void bind_player(nb::module_& m);
void bind_premises(nb::module_& m);
void bind_no_guess(nb::module_& m);

}  // namespace mineproof::bindings

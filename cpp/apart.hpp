// Memory that lies apart from all other. What one core writes beside what another reads or writes costs both a transfer
// of the cache line; and cores fetch lines beside those that they use.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace mineproof {

inline constexpr std::size_t kApart = 1024;  // bytes: some lines, for what is fetched beside them

template <typename T>
struct ApartAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{kApart};

  ApartAllocator() = default;
  template <typename Other>
  ApartAllocator(const ApartAllocator<Other>&) noexcept {}

  T* allocate(std::size_t count) {
    const std::size_t blocks = (count * sizeof(T) + kApart - 1) / kApart;
    return static_cast<T*>(::operator new(blocks * kApart, alignment));
  }
  void deallocate(T* memory, std::size_t) noexcept { ::operator delete(memory, alignment); }
  bool operator==(const ApartAllocator&) const = default;
};

// A vector that lies apart.
template <typename T>
using Apart = std::vector<T, ApartAllocator<T>>;

}  // namespace mineproof

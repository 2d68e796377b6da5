// How much a test tries.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace mineproof::tests {

// A share of what is usual: 1, or one in so many where the environment variable ONE_IN says so (slow builds do).
inline int part_of(int usual) {
  const char* one_in = std::getenv("ONE_IN");
  return std::max(usual / std::max(one_in ? std::atoi(one_in) : 1, 1), 1);
}

// The number of cases: the first argument, else a share of the usual number.
inline int cases(int argc, char** argv, int usual) { return argc > 1 ? std::atoi(argv[1]) : part_of(usual); }

// The seed of the cases: the second argument, else the usual one.
inline std::uint64_t seed(int argc, char** argv, std::uint64_t usual) {
  return argc > 2 ? std::strtoull(argv[2], nullptr, 10) : usual;
}

}  // namespace mineproof::tests

// Whole numbers from their remainders modulo many primes, and large products. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "integer.hpp"
#include "workspace.hpp"

namespace mineproof::exact {

// a * b; polls.
Natural product(const Natural& a, const Natural& b, Workspace& workspace);
// The product of all; polls.
Natural product_of(const std::vector<Natural>& factor, std::size_t from, std::size_t to, Workspace& workspace);
// C(n, k), from its prime factors; polls.
Natural whole_binomial(std::int64_t n, std::int64_t k, Workspace& workspace);

// Chinese remainders by a tree of products, which is built once for many numbers.
class Remainders {
 public:
  // Different primes of 28 bits, a multiple of kLanes of them.
  Remainders(std::vector<std::uint32_t> primes, Workspace& workspace);

  // The number below the product of all primes that leaves these remainders.
  Natural number(const std::uint32_t* remainder, Workspace& workspace) const;
  // Memory of the tree, and of the numbers that number() works on.
  static std::int64_t bytes(std::size_t primes);

 private:
  Natural sum_of(const std::uint32_t* a, std::size_t from, std::size_t to, std::size_t& node,
                 Workspace& workspace) const;
  void build(std::size_t from, std::size_t to, Workspace& workspace);

  std::vector<std::uint32_t> prime_;
  std::vector<std::uint32_t> inverse_;  // of the product of the others, modulo each prime
  std::vector<Natural> product_;        // of a node's primes, a node before its halves, the left before the right
};

}  // namespace mineproof::exact

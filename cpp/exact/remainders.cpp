#include "remainders.hpp"

#include <algorithm>

#include "prime_lanes.hpp"

namespace mineproof::exact {

namespace {

bool at_least(const Natural& a, const Natural& b) {
  if (a.limb.size() != b.limb.size()) return a.limb.size() > b.limb.size();
  return !std::lexicographical_compare(a.limb.rbegin(), a.limb.rend(), b.limb.rbegin(), b.limb.rend());
}

auto paying(Workspace& ws) {
  return [&ws](std::size_t limbs) { ws.spend(1 + static_cast<std::int64_t>(limbs / 4)); };
}

}  // namespace

Natural product(const Natural& a, const Natural& b, Workspace& ws) {
  Natural out;
  out.add_product(a, b, paying(ws));
  return out;
}

Natural product_of(const std::vector<Natural>& factor, std::size_t from, std::size_t to, Workspace& ws) {
  if (from == to) return Natural(1);
  if (to - from == 1) return factor[from];
  const std::size_t middle = from + (to - from) / 2;
  return product(product_of(factor, from, middle, ws), product_of(factor, middle, to, ws), ws);
}

Natural whole_binomial(std::int64_t n, std::int64_t k, Workspace& ws) {
  if (k < 0 || k > n) return Natural();
  if (k == 0 || k == n) return Natural(1);
  std::vector<bool> composite(static_cast<std::size_t>(n) + 1);
  std::vector<Natural> factor;
  std::uint64_t word = 1;
  for (std::int64_t p = 2; p <= n; ++p) {
    if (composite[static_cast<std::size_t>(p)]) continue;
    for (std::int64_t m = p * p; m <= n; m += p) composite[static_cast<std::size_t>(m)] = true;
    // p divides it as often as there are carries when k and n - k are added in base p (Kummer).
    std::int64_t a = k, b = n - k, carry = 0;
    while (a || b) {
      carry = a % p + b % p + carry >= p ? 1 : 0;
      a /= p;
      b /= p;
      if (!carry) continue;
      if (word >> 32 != 0) {
        factor.emplace_back(word);
        word = 1;
      }
      word *= static_cast<std::uint64_t>(p);
    }
    ws.spend(10);
  }
  factor.emplace_back(word);
  return product_of(factor, 0, factor.size(), ws);
}

Remainders::Remainders(std::vector<std::uint32_t> primes, Workspace& ws) : prime_(std::move(primes)) {
  inverse_.resize(prime_.size());
  for (std::size_t block = 0; block < prime_.size(); block += kLanes) {
    const Field f(&prime_[block]);
    Lanes others = f.one;
    for (std::size_t j = 0; j < prime_.size(); ++j) {
      Lanes factor;
      for (int l = 0; l < kLanes; ++l) factor.v[l] = j == block + static_cast<std::size_t>(l) ? 1 : prime_[j];
      others = f.times(others, f.scaled(factor));
    }
    const Lanes inverse = f.reduce(f.inverse(others));
    for (std::size_t l = 0; l < kLanes; ++l) inverse_[block + l] = static_cast<std::uint32_t>(inverse.v[l]);
    ws.spend(static_cast<std::int64_t>(prime_.size()) * 8);
  }
  build(0, prime_.size(), ws);
}

void Remainders::build(std::size_t from, std::size_t to, Workspace& ws) {
  const std::size_t own = product_.size();
  product_.emplace_back();
  if (to - from <= 2) {
    std::uint64_t word = 1;
    for (std::size_t i = from; i < to; ++i) word *= prime_[i];
    product_[own] = Natural(word);
    return;
  }
  const std::size_t middle = from + (to - from) / 2;
  build(from, middle, ws);
  const std::size_t right = product_.size();
  build(middle, to, ws);
  product_[own] = product(product_[own + 1], product_[right], ws);
}

// The sum over the primes of a times the product of the others; `node` is that of these primes, and the next after
// them on return.
Natural Remainders::sum_of(const std::uint32_t* a, std::size_t from, std::size_t to, std::size_t& node,
                           Workspace& ws) const {
  ++node;
  if (to - from == 1) return Natural(a[from]);
  if (to - from == 2) {
    return Natural(std::uint64_t{a[from]} * prime_[from + 1] + std::uint64_t{a[from + 1]} * prime_[from]);
  }
  const std::size_t middle = from + (to - from) / 2;
  const std::size_t left = node;
  const Natural x = sum_of(a, from, middle, node, ws);
  const std::size_t right = node;
  const Natural y = sum_of(a, middle, to, node, ws);
  Natural out;
  out.add_product(x, product_[right], paying(ws));
  out.add_product(y, product_[left], paying(ws));
  return out;
}

Natural Remainders::number(const std::uint32_t* remainder, Workspace& ws) const {
  std::vector<std::uint32_t> a(prime_.size());
  long double whole = 0;
  for (std::size_t i = 0; i < prime_.size(); ++i) {
    a[i] = static_cast<std::uint32_t>(std::uint64_t{remainder[i]} * inverse_[i] % prime_[i]);
    whole += static_cast<long double>(a[i]) / static_cast<long double>(prime_[i]);
  }
  std::size_t node = 0;
  Natural sum = sum_of(a.data(), 0, prime_.size(), node, ws);
  // The sum of the fractions a / p has this whole part, or one more where rounding hides it.
  sum.subtract(product(product_[0], Natural(static_cast<std::uint64_t>(std::max(whole - 1.0L, 0.0L))), ws));
  while (at_least(sum, product_[0])) sum.subtract(product_[0]);
  return sum;
}

std::int64_t Remainders::bytes(std::size_t primes) {
  std::int64_t levels = 3;
  for (std::size_t n = primes; n > 1; n = (n + 1) / 2) ++levels;
  const std::int64_t n = static_cast<std::int64_t>(primes);
  return n * 4 * levels + n * (2 * 4 + 2 * static_cast<std::int64_t>(sizeof(Natural)));
}

}  // namespace mineproof::exact

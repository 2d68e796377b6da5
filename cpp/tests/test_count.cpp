// One coefficient of a product of powers, modulo many primes, against the plain product in whole numbers; what that
// rests on; that it ends when it is asked to, and holds to its memory.
// usage: test_count [cases] [seed]
#include "../exact/integer.hpp"
#include "arguments.hpp"
#include "boards.hpp"

using namespace mineproof::tests;

namespace {

Natural ways(std::int64_t n, std::int64_t k) {
  Natural x(1);
  for (std::int64_t j = 0; j < k; ++j) {
    x.multiply(static_cast<std::uint64_t>(n - j));
    x.divide(static_cast<std::uint64_t>(j + 1));
  }
  return x;
}

std::vector<Natural> times(const std::vector<Natural>& a, const std::vector<std::uint64_t>& b) {
  std::vector<Natural> out(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) out[i + j].add_product(a[i], Natural(b[j]));
  }
  return out;
}

void check_case(Dice& dice) {
  std::vector<Power> powers;
  std::vector<Natural> all{Natural(1)};
  for (int left = dice.below(6); left >= 0; --left) {
    Power power;
    const int length = 2 + dice.below(3);
    const int largest = dice.chance(0.2) ? 2'000'000'000 : 300;
    for (int i = 0; i < length; ++i) power.c.push_back(static_cast<std::uint64_t>(1 + dice.below(largest)));
    if (length > 2 && dice.chance(0.3)) power.c[1] = 0;
    power.times = 1 + dice.below(dice.chance(0.2) ? 90 : 12);
    for (std::int64_t i = 0; i < power.times; ++i) all = times(all, power.c);
    powers.push_back(power);
  }
  const std::int64_t sea = dice.below(200);
  const std::int64_t left = dice.below(static_cast<int>(sea) + static_cast<int>(all.size()) + 3);
  Natural expected;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::int64_t k = left - static_cast<std::int64_t>(i);
    if (k >= 0 && k <= sea) expected.add_product(ways(sea, k), all[i]);
  }
  Workspace ws;
  ws.begin({});
  const PowerSum sum(powers, sea, left);
  CHECK(sum.compute(ws).limb == expected.limb);
}

Natural random_natural(Dice& dice, int limbs) {
  Natural x;
  for (int i = 0; i < limbs; ++i) {
    std::uint64_t word = 0;
    for (int part = 0; part < 4; ++part) word = word << 16 | static_cast<std::uint64_t>(dice.below(1 << 16));
    x.limb.push_back(dice.chance(0.2) ? 0 : dice.chance(0.2) ? ~std::uint64_t{0} : word);
  }
  x.trim();
  return x;
}

void check_numbers(Dice& dice) {
  Workspace ws;
  ws.begin({});
  const Natural a = random_natural(dice, dice.below(9));
  Natural b = random_natural(dice, 1 + dice.below(9));
  b.shift_left(static_cast<std::uint64_t>(dice.below(200)));
  if (!b.zero()) {
    Natural both = product(a, b, ws);
    both.divide_exactly(b, [](std::size_t) {});
    CHECK(both.limb == a.limb);
  }
  const std::int64_t n = dice.below(400);
  const std::int64_t k = dice.below(static_cast<int>(n) + 1);
  CHECK(whole_binomial(n, k, ws).limb == ways(n, k).limb);
  // a has at most 512 bits; 24 primes have 648.
  std::vector<std::uint32_t> primes, rest;
  for (FallingPrimes falling; primes.size() < 24;) primes.push_back(falling.next());
  for (const std::uint32_t p : primes) {
    std::uint64_t r = 0;
    for (std::size_t i = a.limb.size(); i-- > 0;) {
      r = (r << 32 | a.limb[i] >> 32) % p;
      r = (r << 32 | (a.limb[i] & 0xffffffffu)) % p;
    }
    rest.push_back(static_cast<std::uint32_t>(r));
  }
  CHECK(Remainders(primes, ws).number(rest.data(), ws).limb == a.limb);
}

// The recurrence divides by the first coefficients: primes that divide one are left out.
void check_divisible() {
  FallingPrimes falling;
  const std::uint64_t p = falling.next();
  const std::uint64_t q = falling.next();
  const PowerSum sum({{{p * q, 1}, 2}, {{q, p}, 1}}, 0, 3);
  Workspace ws;
  ws.begin({});
  CHECK(sum.compute(ws).limb == Natural(p).limb);  // (p q + x)^2 (q + p x): x^3 has p
}

void check_ends() {
  std::vector<Power> powers;
  for (std::uint64_t i = 0; i < 20; ++i) powers.push_back({{1 + i, 7, 3}, 400});
  const PowerSum sum(powers, 5000, 9000);
  int polls = 0;
  Limits limits;
  limits.context = &polls;
  limits.stop = [](void* context) { return ++*static_cast<int*>(context) == 3; };
  Workspace ws;
  ws.begin(limits);
  bool interrupted = false;
  try {
    sum.compute(ws);
  } catch (const mineproof::exact::Interrupted&) {
    interrupted = true;
  }
  CHECK(interrupted && polls == 3);
  limits = Limits();
  limits.bytes = 1 << 20;
  ws.begin(limits);
  bool refused = false;
  try {
    sum.compute(ws);
  } catch (const mineproof::exact::BudgetExceeded& e) {
    refused = std::string(e.what()).find("memory cap of 1 MB") != std::string::npos;
  }
  CHECK(refused);
  limits.bytes = 64 << 20;
  ws.begin(limits);
  CHECK(!sum.compute(ws).zero());  // what was refused is not held on to
}

}  // namespace

int main(int argc, char** argv) {
  const int count = cases(argc, argv, 400);
  Dice dice{seed(argc, argv, 1)};
  for (int i = 0; i < count; ++i) check_case(dice);
  for (int i = 0; i < count; ++i) check_numbers(dice);
  check_divisible();
  check_ends();
  std::printf("test_count: %d sums agree\n", count);
  return 0;
}

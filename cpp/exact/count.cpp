// The exact number of layouts: per component modulo as many primes as its size needs, then in whole numbers.
#include <bit>
#include <cmath>
#include <map>

#include <numeric>

#include "engine.hpp"
#include "integer.hpp"
#include "join.hpp"

namespace mineproof::exact {

namespace {

// Work in whole numbers counts against the budget too: this many limb products as one state,
constexpr double kLimbsPerState = 8;
// or this many terms of a recurrence modulo a prime, of which one takes this part of the time of a limb product.
constexpr double kTermsPerState = 400;
constexpr double kTerm = 0.15;

bool is_prime(std::uint64_t n) {
  if (n % 2 == 0) return n == 2;
  const int twos = std::countr_zero(n - 1);
  for (std::uint64_t a : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}) {  // enough for all 64-bit numbers
    if (n == a) return true;
    std::uint64_t x = power_modulo(a, (n - 1) >> twos, n);
    if (x == 1 || x == n - 1) continue;
    bool composite = true;
    for (int i = 1; i < twos && composite; ++i) {
      x = multiply_modulo(x, x, n);
      composite = x != n - 1;
    }
    if (composite) return false;
  }
  return true;
}

// The primes just below 2^62, in falling order; the first ones are found once.
std::vector<std::uint64_t> find_primes(std::size_t count) {
  std::vector<std::uint64_t> out;
  for (std::uint64_t n = (std::uint64_t{1} << 62) - 1; out.size() < count; n -= 2) {
    if (is_prime(n)) out.push_back(n);
  }
  return out;
}

std::vector<std::uint64_t> primes(std::size_t count) {
  static const std::vector<std::uint64_t> first = find_primes(16);
  if (count > first.size()) return find_primes(count);
  return {first.begin(), first.begin() + static_cast<std::ptrdiff_t>(count)};
}

// Bits that bound every coefficient of a component.
double bits_needed(const Part& part, double fugacity, bool weighted) {
  double cells = 0;
  for (std::int32_t b = 0; b < part.component->boxes; ++b) cells += part.component->size[b];
  if (weighted) return cells + 1;
  const Polynomial& p = part.poly;
  double most = 0;
  for (std::int32_t m = 0; m < p.length; ++m) {
    if (!p.has(p.first + m)) continue;
    if (!(p.c[m] > 0)) return cells + 1;  // underflowed: no idea but the trivial one
    const double bits = std::log2(p.c[m]) + static_cast<double>(p.exponent) - (p.first + m) * std::log2(fugacity);
    most = std::max(most, bits);
  }
  return std::min(most + 2, cells + 1);
}

// Coefficients of a component, by Garner's mixed radix.
std::vector<Natural> coefficients(Part& part, double fugacity, bool weighted, Workspace& ws) {
  const std::size_t n = static_cast<std::size_t>(part.poly.length);
  const std::size_t k = static_cast<std::size_t>(bits_needed(part, fugacity, weighted) / 61.9) + 1;
  const std::vector<std::uint64_t> prime = primes(k);
  std::vector<std::vector<std::uint64_t>> residue(k, std::vector<std::uint64_t>(n));
  const PathProgram& program = path_of(part, ws);
  for (std::size_t i = 0; i < k; ++i) forward_modulo(program, 0, prime[i], ws, residue[i].data());
  std::vector<Natural> out(n);
  std::vector<std::uint64_t> digit(k);
  for (std::size_t m = 0; m < n; ++m) {
    for (std::size_t i = 0; i < k; ++i) {
      const std::uint64_t p = prime[i];
      std::uint64_t value = 0;
      std::uint64_t radix = 1;
      for (std::size_t j = 0; j < i; ++j) {
        value = (value + multiply_modulo(digit[j] % p, radix, p)) % p;
        radix = multiply_modulo(radix, prime[j] % p, p);
      }
      const std::uint64_t off = residue[i][m] >= value ? residue[i][m] - value : residue[i][m] + p - value;
      digit[i] = multiply_modulo(off, power_modulo(radix, p - 2, p), p);
    }
    Natural x;
    for (std::size_t i = k; i-- > 0;) {
      x.multiply(prime[i]);
      x.add(digit[i]);
    }
    out[m] = std::move(x);
    ws.spend(static_cast<std::int64_t>(k * k));
  }
  return out;
}

// Numbers of layouts of the whole frontier by mines: the product of all components.
struct Product {
  std::int64_t first = 0;
  std::vector<Natural> c{Natural(1)};
};

Product multiply(const Product& a, const Product& b, Workspace& ws) {
  Product out;
  out.first = a.first + b.first;
  out.c.assign(a.c.size() + b.c.size() - 1, Natural());
  for (std::size_t j = 0; j < b.c.size(); ++j) {
    for (std::size_t i = 0; i < a.c.size(); ++i) {
      out.c[i + j].add_product(a.c[i], b.c[j]);
      ws.spend(static_cast<std::int64_t>(1 + a.c[i].limb.size() * b.c[j].limb.size()));
    }
  }
  return out;
}

// Limb products that the product of all components takes.
double product_limbs(const Engine& e, bool weighted) {
  double length = 1;
  double bits = 0;
  double limbs = 0;
  for (std::int32_t i = 0; i < e.boxes.components; ++i) {
    const double own = bits_needed(e.part[i], e.fugacity, weighted);
    limbs += length * e.part[i].poly.length * (1 + bits / 64) * (1 + own / 64);
    length += e.part[i].poly.length - 1;
    bits += own;
  }
  return limbs;
}

// Memory of that product, of the one before it, and of sums of its coefficients.
std::int64_t product_bytes(const Engine& e, bool weighted) {
  double length = 1;
  double bits = 0;
  for (std::int32_t i = 0; i < e.boxes.components; ++i) {
    length += e.part[i].poly.length - 1;
    bits += bits_needed(e.part[i], e.fugacity, weighted);
  }
  return static_cast<std::int64_t>(3 * length * (bits / 8 + sizeof(Natural) + 16));
}

// Charged before it is begun, so that a hopeless count is refused at once.
void charge(double states, Workspace& ws) { ws.charge(static_cast<std::int64_t>(std::min(states, 1e18))); }

// The components of a position as powers of different polynomials without a common factor, and their common factors.
struct PowerForm {
  std::vector<Power> powers;
  std::vector<Natural> factors;
  std::int64_t first = 0;  // least number of mines in all of them
};

// False where a coefficient is larger than a word.
bool find_power_form(Engine& e, Workspace& ws, PowerForm& out) {
  std::map<std::vector<std::uint64_t>, std::int64_t> times;
  for (std::int32_t i = 0; i < e.boxes.components; ++i) {
    std::vector<std::uint64_t> word;
    for (const Natural& x : coefficients(e.part[i], e.fugacity, false, ws)) {
      if (x.limb.size() > 1) return false;
      word.push_back(x.zero() ? 0 : x.limb[0]);
    }
    out.first += e.part[i].poly.first;
    while (!word.empty() && word.back() == 0) word.pop_back();
    std::size_t low = 0;
    while (low < word.size() && word[low] == 0) ++low;
    word.erase(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(low));
    out.first += static_cast<std::int64_t>(low);
    std::uint64_t common = 0;
    for (const std::uint64_t x : word) common = std::gcd(common, x);
    for (std::uint64_t& x : word) x /= common;
    out.factors.emplace_back(common);
    ++times[word];
  }
  for (auto& [c, n] : times) {
    if (c.size() > 1) out.powers.push_back({c, n});
  }
  return true;
}

// Of a known total with many components alike: by the recurrence of their product, where that is cheaper. False where
// it is not.
bool count_alike(Engine& e, double limbs, Workspace& ws, Natural& out) {
  constexpr double kWorthIt = 1e8;
  if (e.position.channel || e.position.prior.kind != Prior::Kind::total || limbs < kWorthIt) return false;
  PowerForm alike;
  if (!find_power_form(e, ws, alike)) return false;
  const PowerSum sum(std::move(alike.powers), e.boxes.sea, e.position.prior.mines - e.front.known - alike.first);
  const double terms = sum.terms();
  if (terms * kTerm > limbs) return false;
  charge(terms / kTermsPerState, ws);
  out = product(sum.compute(ws), product_of(alike.factors, 0, alike.factors.size(), ws), ws);
  return true;
}

// Every number of mines is possible: the components are independent, and so are the cells of the sea.
Natural count_free(Engine& e, bool weighted, Workspace& ws) {
  std::vector<Natural> factors;
  for (std::int32_t i = 0; i < e.boxes.components; ++i) {
    Natural sum;
    for (const Natural& x : coefficients(e.part[i], e.fugacity, weighted, ws)) sum.add(x);
    factors.push_back(std::move(sum));
  }
  Natural out = product_of(factors, 0, factors.size(), ws);
  out.shift_left(static_cast<std::uint64_t>(e.boxes.sea));
  return out;
}

}  // namespace

Limbs Analysis::count() {
  Engine& e = *engine_;
  Workspace& ws = e.ws;
  ws.adopt(ws.limits());
  const bool weighted = e.position.channel != nullptr;
  const Prior& prior = e.position.prior;
  const std::uint64_t sea = static_cast<std::uint64_t>(e.boxes.sea);
  if (prior.kind == Prior::Kind::density) return count_free(e, weighted, ws).limb;
  const double limbs = product_limbs(e, weighted);
  Natural alike;
  if (count_alike(e, limbs, ws, alike)) return alike.limb;
  charge(limbs / kLimbsPerState, ws);
  const MemoryHold held(ws, product_bytes(e, weighted));
  Product all;
  for (std::int32_t i = 0; i < e.boxes.components; ++i) {
    Product one;
    one.first = e.part[i].poly.first;
    one.c = coefficients(e.part[i], e.fugacity, weighted, ws);
    all = multiply(all, one, ws);
  }
  Natural sum;
  // sums[i]: layouts of the frontier with fewer than first + i mines.
  std::vector<Natural> sums(1);
  if (prior.kind != Prior::Kind::total) {
    for (const Natural& x : all.c) {
      sums.push_back(sums.back());
      sums.back().add(x);
    }
  }
  const std::int64_t length = static_cast<std::int64_t>(all.c.size());
  // Fewer mines in the sea than this are too few for a known total.
  const std::int64_t rest = prior.kind == Prior::Kind::total ? prior.mines - e.front.known - all.first - length + 1 : 0;
  const std::uint64_t least = static_cast<std::uint64_t>(std::max<std::int64_t>(rest, 0));
  Natural ways = whole_binomial(e.boxes.sea, static_cast<std::int64_t>(least), ws);  // C(sea, s)
  for (std::uint64_t s = least; s <= sea; ++s) {
    const std::int64_t used = e.front.known + static_cast<std::int64_t>(s) + all.first;  // mines with index 0
    if (prior.kind == Prior::Kind::total) {
      const std::int64_t i = prior.mines - used;
      if (i >= 0 && i < length) sum.add_product(ways, all.c[static_cast<std::size_t>(i)]);
      if (i < 0) break;
      ws.spend(static_cast<std::int64_t>(ways.limb.size()) *
               (i < length ? 1 + static_cast<std::int64_t>(all.c[static_cast<std::size_t>(i)].limb.size()) : 1));
    } else {
      Natural fitting;
      for (std::int64_t i = 0; i < length;) {  // runs of numbers that the table allows
        if (!(prior.table[used + i] > 0)) {
          ++i;
          continue;
        }
        std::int64_t end = i;
        while (end < length && prior.table[used + end] > 0) ++end;
        Natural run = sums[static_cast<std::size_t>(end)];
        run.subtract(sums[static_cast<std::size_t>(i)]);
        fitting.add(run);
        i = end;
      }
      sum.add_product(ways, fitting);
      ws.spend(length + static_cast<std::int64_t>(ways.limb.size()));
    }
    ways.multiply(sea - s);
    ways.divide(s + 1);
  }
  return sum.limb;
}

Spread Analysis::sea_mines() const {
  Engine& e = *engine_;
  Spread out;
  const Prior& prior = e.position.prior;
  const std::int64_t sea = e.boxes.sea;
  if (prior.kind == Prior::Kind::density) {  // a binomial, from its peak outwards
    out.p.assign(static_cast<std::size_t>(sea) + 1, 0.0);
    const double odds = prior.chance / (1 - prior.chance);
    const std::int64_t peak = static_cast<std::int64_t>(static_cast<double>(sea) * prior.chance);
    double all = 0;
    double v = 1;
    for (std::int64_t s = peak; s <= sea; ++s) {
      out.p[static_cast<std::size_t>(s)] = v;
      all += v;
      v *= odds * static_cast<double>(sea - s) / static_cast<double>(s + 1);
    }
    v = 1;
    for (std::int64_t s = peak; s > 0; --s) {
      v *= static_cast<double>(s) / (odds * static_cast<double>(sea - s + 1));
      out.p[static_cast<std::size_t>(s - 1)] = v;
      all += v;
    }
    for (double& x : out.p) x /= all;
    return out;
  }
  e.ws.adopt(e.ws.limits());
  const Arena::Mark mark = e.ws.arena.mark();
  const JoinInput pool = e.pool();
  const FrontierSpread f = frontier_spread(pool, e.ws);
  double all = 0;
  for (std::int64_t i = 0; i < f.length; ++i) all += f.p[i];
  if (prior.kind == Prior::Kind::total) {
    const std::int64_t left = prior.mines - e.front.known;
    out.first = left - (f.first + f.length - 1);
    out.p.resize(static_cast<std::size_t>(f.length));
    for (std::int64_t i = 0; i < f.length; ++i) out.p[static_cast<std::size_t>(f.length - 1 - i)] = f.p[i] / all;
  } else {
    out.p.assign(static_cast<std::size_t>(sea) + 1, 0.0);
    for (std::int64_t i = 0; i < f.length; ++i) {
      if (!(f.p[i] > 0)) continue;
      const std::vector<double> w = sea_weights(pool, f.first + i);
      double sum = 0;
      for (double x : w) sum += x;
      for (std::size_t s = 0; s < w.size(); ++s) out.p[s] += w[s] / sum * f.p[i] / all;
    }
  }
  e.ws.arena.release(mark);
  return out;
}

}  // namespace mineproof::exact

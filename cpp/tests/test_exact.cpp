// The engine against the oracle on random small positions.  usage: test_exact [cases] [seed]
#include "arguments.hpp"
#include "exact_checks.hpp"

using namespace mineproof::tests;

int main(int argc, char** argv) {
  const int count = cases(argc, argv, 20000);
  Dice dice{seed(argc, argv, 1)};
  Analysis analysis;
  Engine engine;
  Seen seen;
  for (int i = 0; i < count; ++i) {
    Case c;
    random_case(dice, 3 + dice.below(11), c);
    check_case(analysis, engine, c, dice, i % 100 == 0, &seen);
  }
  CHECK(count < 1000 || (seen.light > seen.solved / 10 && seen.light < seen.solved * 9 / 10),
        "%lld of %lld proved without weighing", static_cast<long long>(seen.light),
        static_cast<long long>(seen.solved));
  std::printf("test_exact: %lld solved, %lld of them proved without weighing, %lld contradictory, largest error %.3g\n",
              static_cast<long long>(seen.solved), static_cast<long long>(seen.light),
              static_cast<long long>(seen.refused), worst);
  return 0;
}

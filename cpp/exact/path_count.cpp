// Counting the states of a path program, for the choice of an order.
#include <utility>

#include "path_step.hpp"

namespace mineproof::exact {

namespace {

template <class Key>
Progress count_states_with(const Component& c, const Order& order, std::int64_t cap, Workspace& ws) {
  const Arena::Mark mark = ws.arena.mark();
  Stepper<Key> stepper(c, order, ws);
  Growing<Key> now{ws.arena.take<Key>(1), 1};
  Growing<Key> then{};
  now.data[0] = Key{0};
  std::size_t n = 1;
  std::int64_t total = 1;
  std::int32_t t = 0;
  for (; t < c.boxes && n && total <= cap; ++t) {
    const Step<Key>& s = stepper.begin(t, now.data, n);
    const std::size_t most = n * static_cast<std::size_t>(s.lists);
    then.make_room(most, ws.arena);
    std::uint32_t made = 0;
    stepper.take(
        now.data, n,
        [&](Key key) {
          then.data[made] = key;
          if ((made & 0xffff) == 0xffff) ws.spend(0x30000);
          return made++;
        },
        [](std::size_t, std::int32_t, std::uint32_t, double) {});
    ws.spend(static_cast<std::int64_t>(most) * 3 + 20);
    n = made;
    total += made;
    std::swap(now, then);
    stepper.end();
  }
  ws.arena.release(mark);
  return {total, t};
}

}  // namespace

Progress count_states(const Component& component, const Order& order, std::int64_t cap, Workspace& workspace) {
  const std::int32_t bits = key_bits(component, order);
  if (bits <= kBits<Narrow>) return count_states_with<Narrow>(component, order, cap, workspace);
  if (bits <= kBits<Double>) return count_states_with<Double>(component, order, cap, workspace);
  if (bits <= kBits<Quad>) return count_states_with<Quad>(component, order, cap, workspace);
  return {cap + 1, 0};
}

}  // namespace mineproof::exact

#include "generation/keeping.hpp"

#include <memory>
#include <optional>

#include "generation/clearing.hpp"

namespace mineproof::generation {

namespace {

constexpr std::size_t kBlock = 32;

}  // namespace

Found<std::uint64_t> keep(const exact::Graph& graph, const Deals& deals, const std::function<bool()>& breathe) {
  const auto make = [&] {
    auto clearing = std::make_shared<Clearing>(graph, deals.mines, deals.logic);
    auto dealer = std::make_shared<NumberDealer>();
    return [&deals, clearing, dealer, layout = std::vector<std::uint8_t>(static_cast<std::size_t>(graph.cells))](
               std::size_t attempt) mutable -> std::optional<std::uint64_t> {
      const std::uint64_t index = deals.start + attempt;
      deals.lay(*dealer, index, layout);
      if (!clearing->clears(layout, deals.first)) return std::nullopt;
      return index;
    };
  };
  return FirstFound<std::uint64_t>({deals.deals, deals.count, deals.threads, kBlock}, breathe).run(make);
}

std::vector<bool> clear_many(const exact::Graph& graph, std::int64_t mines, std::int32_t first, Logic logic,
                             std::span<const std::uint8_t> layouts, std::size_t threads,
                             const std::function<bool()>& breathe) {
  const auto cells = static_cast<std::size_t>(graph.cells);
  const std::size_t number = cells == 0 ? 0 : layouts.size() / cells;
  const auto make = [&] {
    auto clearing = std::make_shared<Clearing>(graph, mines, logic);
    return [&, clearing](std::size_t i) -> std::optional<std::size_t> {
      const std::span<const std::uint8_t> layout = layouts.subspan(i * cells, cells);
      if (layout[static_cast<std::size_t>(first)] || !clearing->clears(layout, first)) return std::nullopt;
      return i;
    };
  };
  std::vector<bool> clears(number);
  for (const std::size_t i : FirstFound<std::size_t>({number, number, threads, kBlock}, breathe).run(make).results)
    clears[i] = true;
  return clears;
}

}  // namespace mineproof::generation

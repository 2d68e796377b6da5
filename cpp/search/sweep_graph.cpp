// Sweeps and surveys on any graph: unknown cells and mines are counted around every cell, and a clue is looked at when
// its counts change.
#include <algorithm>
#include <vector>

#include "game.hpp"
#include "search/sweep.hpp"

namespace mineproof::search {

namespace {

enum class Verdict : std::uint8_t { nothing, mine, safe };

struct State {
  std::vector<std::uint8_t> shown;
  std::vector<Verdict> proved;               // of hidden cells
  std::vector<std::uint8_t> unknown, found;  // around every cell: hidden cells of which nothing is proved; mines
  std::vector<std::int32_t> safe;            // proved, to be opened
  std::int64_t left = 0;                     // safe cells that are hidden
};

class GraphSweep final : public Sweep {
 public:
  GraphSweep(const exact::Graph& graph, std::int64_t mines)
      : graph_(graph),
        total_(mines),
        layout_(at(graph.cells)),
        count_(at(graph.cells)),
        is_changed_(at(graph.cells)),
        shared_(at(graph.cells)) {}

  void begin(const std::uint8_t* shown) override;
  void lay(std::span<const std::uint8_t> layout) override;
  void resume() override {
    now_ = root_;
    left_ = now_.left;
    lost_ = false;
  }
  void open(std::int32_t cell) override;
  bool is_open(std::int32_t cell) const override { return now_.shown[at(cell)] != exact::kHidden; }
  std::span<const std::uint8_t> shown() override { return now_.shown; }

  // For surveys: the codes without anything that follows from them; what follows from single clues, and all of it.
  void read(const std::uint8_t* shown);
  void settle_all();
  void run(bool opens);
  // Takes back that clues are to be compared.
  void rest();
  // What was found: safe cells, and whether a clue cannot be met.
  std::vector<std::int32_t>& safe() { return now_.safe; }
  bool is_mine(std::int32_t cell) const { return now_.proved[at(cell)] == Verdict::mine; }
  bool clashes() const;

 private:
  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
  std::span<const std::int32_t> around(std::int32_t cell) const {
    return {graph_.target + graph_.offset[cell], at(graph_.degree(cell))};
  }
  bool says(std::int32_t cell) const { return now_.shown[at(cell)] <= exact::kLargestClue; }
  bool is_unknown(std::int32_t cell) const {
    return now_.shown[at(cell)] == exact::kHidden && now_.proved[at(cell)] == Verdict::nothing;
  }
  // Mines that a clue still lacks.
  std::int32_t lacks(std::int32_t clue) const { return now_.shown[at(clue)] - now_.found[at(clue)]; }

  void look(std::int32_t clue);
  void settle(std::int32_t clue);
  void uncover(std::int32_t cell);
  void prove_safe(std::int32_t cell);
  void prove_mine(std::int32_t cell);
  bool pair_up(std::int32_t clue);
  bool compare(std::int32_t one, std::int32_t other, std::int32_t shared);

  const exact::Graph& graph_;
  std::int64_t total_;
  State root_, now_;
  std::vector<std::uint8_t> layout_, count_;
  std::vector<std::int32_t> due_;      // clues that settle all around them
  std::vector<std::int32_t> changed_;  // clues to be compared with those near them
  std::vector<std::uint8_t> is_changed_;
  std::vector<std::int32_t> near_;  // scratch of pair_up()
  std::vector<std::uint8_t> shared_;
};

void GraphSweep::begin(const std::uint8_t* shown) {
  read(shown);
  run(false);
  now_.left = left_;
  root_ = now_;
}

void GraphSweep::read(const std::uint8_t* shown) {
  const std::size_t cells = at(graph_.cells);
  now_.shown.assign(shown, shown + cells);
  now_.proved.assign(cells, Verdict::nothing);
  now_.unknown.assign(cells, 0);
  now_.found.assign(cells, 0);
  left_ = -total_;
  for (std::int32_t i = 0; i < graph_.cells; ++i) {
    const bool burst = shown[i] == exact::kOpenedMine;
    const bool hidden = shown[i] == exact::kHidden;
    left_ += hidden || burst;
    for (const std::int32_t n : around(i)) {
      now_.unknown[at(n)] = static_cast<std::uint8_t>(now_.unknown[at(n)] + hidden);
      now_.found[at(n)] = static_cast<std::uint8_t>(now_.found[at(n)] + burst);
    }
  }
  now_.safe.clear();
  for (std::int32_t i = 0; i < graph_.cells; ++i) {
    if (says(i)) look(i);
  }
}

void GraphSweep::settle_all() {
  while (!due_.empty()) {
    const std::int32_t clue = due_.back();
    due_.pop_back();
    settle(clue);
  }
}

void GraphSweep::rest() {
  for (const std::int32_t clue : changed_) is_changed_[at(clue)] = 0;
  changed_.clear();
}

bool GraphSweep::clashes() const {
  for (std::int32_t i = 0; i < graph_.cells; ++i) {
    if (says(i) && (lacks(i) < 0 || lacks(i) > now_.unknown[at(i)])) return true;
  }
  return false;
}

void GraphSweep::lay(std::span<const std::uint8_t> layout) {
  std::copy(layout.begin(), layout.end(), layout_.begin());
  const std::size_t cells = at(graph_.cells);
  count_mines({{graph_.offset, cells + 1}, {graph_.target, at(graph_.offset[graph_.cells])}}, layout_, count_);
}

void GraphSweep::open(std::int32_t cell) {
  if (layout_[at(cell)]) {
    lost_ = true;
    return;
  }
  if (is_unknown(cell)) prove_safe(cell);
  run(true);
}

// Until nothing follows any more. Where nothing may be opened, what is safe is left in now_.safe.
void GraphSweep::run(bool opens) {
  for (;;) {
    if (opens) {
      for (const std::int32_t cell : now_.safe) uncover(cell);
      now_.safe.clear();
    }
    if (!due_.empty()) {
      const std::int32_t clue = due_.back();
      due_.pop_back();
      settle(clue);
    } else if (!changed_.empty()) {
      const std::int32_t clue = changed_.back();
      if (pair_up(clue)) continue;  // it is compared with the others again
      changed_.pop_back();
      is_changed_[at(clue)] = 0;
    } else {
      return;
    }
  }
}

// A clue is new, or a cell near it is not unknown any more.
void GraphSweep::look(std::int32_t clue) {
  const std::int32_t unknown = now_.unknown[at(clue)];
  if (unknown == 0) return;
  const std::int32_t lacking = lacks(clue);
  if (lacking == 0 || lacking == unknown)
    due_.push_back(clue);
  else if (!is_changed_[at(clue)]) {
    is_changed_[at(clue)] = 1;
    changed_.push_back(clue);
  }
}

// All around a clue is of one kind.
void GraphSweep::settle(std::int32_t clue) {
  const bool safe = lacks(clue) == 0;
  for (const std::int32_t n : around(clue)) {
    if (!is_unknown(n)) continue;
    if (safe)
      prove_safe(n);
    else
      prove_mine(n);
  }
}

void GraphSweep::prove_safe(std::int32_t cell) {
  now_.proved[at(cell)] = Verdict::safe;
  now_.safe.push_back(cell);
  for (const std::int32_t n : around(cell)) {
    --now_.unknown[at(n)];
    if (says(n)) look(n);
  }
}

void GraphSweep::prove_mine(std::int32_t cell) {
  now_.proved[at(cell)] = Verdict::mine;
  for (const std::int32_t n : around(cell)) {
    --now_.unknown[at(n)];
    ++now_.found[at(n)];
    if (says(n)) look(n);
  }
}

void GraphSweep::uncover(std::int32_t cell) {
  now_.proved[at(cell)] = Verdict::nothing;
  now_.shown[at(cell)] = count_[at(cell)];
  --left_;
  look(cell);
}

// Compares a clue with all that share unknown cells with it; whether that proves anything.
bool GraphSweep::pair_up(std::int32_t clue) {
  if (now_.unknown[at(clue)] == 0) return false;
  near_.clear();
  for (const std::int32_t n : around(clue)) {
    if (!is_unknown(n)) continue;
    for (const std::int32_t other : around(n)) {
      if (!says(other) || other == clue) continue;
      if (shared_[at(other)]++ == 0) near_.push_back(other);
    }
  }
  bool some = false;
  for (const std::int32_t other : near_) {
    if (!some) some = compare(clue, other, shared_[at(other)]) || compare(other, clue, shared_[at(other)]);
    shared_[at(other)] = 0;
  }
  return some;
}

// Where one clue lacks so many more mines than another that all cells of its own must be mines, those of the other's
// own are safe.
bool GraphSweep::compare(std::int32_t one, std::int32_t other, std::int32_t shared) {
  const std::int32_t own = now_.unknown[at(one)] - shared;
  if (lacks(one) - lacks(other) != own || (own == 0 && now_.unknown[at(other)] == shared)) return false;
  const auto touches = [&](std::int32_t clue, std::int32_t cell) {
    const auto cells = around(clue);
    return std::find(cells.begin(), cells.end(), cell) != cells.end();
  };
  for (const std::int32_t n : around(other)) {
    if (is_unknown(n) && !touches(one, n)) prove_safe(n);
  }
  for (const std::int32_t n : around(one)) {
    if (is_unknown(n) && !touches(other, n)) prove_mine(n);
  }
  return true;
}

class GraphSurvey final : public Survey {
 public:
  explicit GraphSurvey(const exact::Graph& graph) : cells_(graph.cells), sweep_(graph, 0) {}

  bool find(const std::uint8_t* shown, std::vector<std::int32_t>& safe) override {
    sweep_.read(shown);
    sweep_.settle_all();
    if (sweep_.safe().empty())
      sweep_.run(false);
    else
      sweep_.rest();
    list(safe);
    return !safe.empty() && !sweep_.clashes();
  }

  bool decide(const std::uint8_t* shown, std::vector<std::int32_t>& safe, std::vector<std::int32_t>& mines) override {
    sweep_.read(shown);
    sweep_.run(false);
    list(safe);
    mines.clear();
    for (std::int32_t i = 0; i < cells_; ++i) {
      if (sweep_.is_mine(i)) mines.push_back(i);
    }
    return !sweep_.clashes();
  }

 private:
  void list(std::vector<std::int32_t>& safe) {
    safe = sweep_.safe();
    std::sort(safe.begin(), safe.end());
  }

  std::int32_t cells_;
  GraphSweep sweep_;
};

bool fits_grid(const exact::Graph& graph) { return graph.rows > 0 && graph.cols <= kMostColumns; }

}  // namespace

std::unique_ptr<Sweep> make_graph_sweep(const exact::Graph& graph, std::int64_t mines) {
  return std::make_unique<GraphSweep>(graph, mines);
}

std::unique_ptr<Sweep> make_sweep(const exact::Graph& graph, std::int64_t mines) {
  return fits_grid(graph) ? make_grid_sweep(graph, mines) : make_graph_sweep(graph, mines);
}

std::unique_ptr<Survey> make_graph_survey(const exact::Graph& graph) { return std::make_unique<GraphSurvey>(graph); }

std::unique_ptr<Survey> make_survey(const exact::Graph& graph) {
  return fits_grid(graph) ? make_grid_survey(graph) : make_graph_survey(graph);
}

}  // namespace mineproof::search

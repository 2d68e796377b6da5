// The state behind an Analysis: a position solved in stages, in one workspace.
#pragma once

#include <memory>
#include <vector>

#include "analysis.hpp"
#include "component.hpp"
#include "front.hpp"
#include "join.hpp"
#include "path.hpp"
#include "tree.hpp"

namespace mineproof::exact {

// A component with its program and results.
struct Part {
  const Component* component = nullptr;
  PathProgram program;  // made only when it is asked for where there is a tree; see path_of()
  PathForward forward;
  TreeProgram tree;
  TreeForward tree_forward;
  bool has_tree = false;  // solved along a tree instead
  Polynomial poly;
  double* outside = nullptr;  // see JoinResult
  BoxOdds* odds = nullptr;    // per box of the component
  bool extended = false;      // its weights are too far apart for doubles
};

struct Sampler;  // below

struct Engine {
  Workspace ws;
  Position position;
  Front front;
  Boxes boxes;
  Part* part = nullptr;
  double fugacity = 1;
  JoinResult joined;
  double* box_p = nullptr;         // per box, and before the first: a fixed mine, a fixed safe cell, the sea
  Certain* box_certain = nullptr;  // per box, and before the first: `no` for what is fixed, the sea
  double sea_p = 0;
  Certain sea_certain = Certain::no;
  std::unique_ptr<Sampler> sampler;

  Engine();
  ~Engine();
  void solve(const Position& position, const Limits& limits);
  JoinInput pool();

  // The same in stages, for callers that need less. First what single clues decide: `front`.
  void look(const Position& position, const Limits& limits);
  // Then the components and their programs: `boxes` and `part`.
  void compile();
  // Then what is certain: box_certain and sea_certain. Weighs only where it must, as where the number of mines may have
  // a say in it; true where it did.
  bool prove();
  // And everything else.
  void weigh();

 private:
  template <class Work>
  void naming_the_cell(Work&& work);
  void compile_parts();
  void weigh_parts();
  bool paths_suffice() const;
};

// A probability that is 0.0 or 1.0 exactly where that is certain.
double clamp_probability(double p, bool can_be_mine, bool can_be_safe);
Certain certainty_of(bool can_be_mine, bool can_be_safe);

// Order and program of a component; false when its clues clash. A BudgetExceeded names the component.
bool prepare(const Component& component, Workspace& workspace, PathProgram& program);

// The path program of a part, made now where it was solved along a tree.
const PathProgram& path_of(Part& part, Workspace& workspace);

// Tells an error which component it is about.
void name_component(const Component& component, const PathProgram& program, BudgetExceeded& error);

// A power of two near the odds of a mine; not rounded where a component is so large that its slope would matter.
double choose_fugacity(const Prior& prior, std::int64_t known, std::int64_t unknown, std::int64_t largest);

// Forward passes of all parts, with exact support. False where something has underflowed and there are trees: these
// know no wider range, and paths are to be run in their place.
bool run_forward(Part* part, std::int32_t parts, double fugacity, Workspace& workspace);
// Backward passes of all parts, with exact support.
void run_backward(Part* part, std::int32_t parts, Workspace& workspace);

// A prior by density 0 or 1 is a total.
Prior plain_prior(const Prior& prior, std::int64_t cells);

// Drawing layouts (sample.cpp): per component and state, the weight of completing it with r more mines; and how the
// components' mines are drawn.
struct Sampler {
  struct Rest {
    std::vector<std::vector<double>> c;              // per layer
    std::vector<std::vector<std::int32_t>> low;      // per layer and state: fewest mines still to come
    std::vector<std::vector<std::uint32_t>> offset;  // per layer, states + 1
  };
  std::vector<Rest> rest;  // per component

  // suffix[i][j - first[i]]: the weight of everything from component i on, given j mines before it. Empty where
  // components are independent, or so many that rejection sampling is used.
  std::vector<std::vector<double>> suffix;
  std::vector<std::int64_t> first;
  bool rejects = false;
  std::vector<std::vector<double>> proposal;  // per component, cumulative over its window
  std::vector<double> accept;                 // per number of frontier mines, at most 1
  std::int64_t accept_first = 0;

  std::vector<std::int32_t> cell_begin;  // cells of each box, then those of the sea
  std::vector<std::int32_t> cell;
};

}  // namespace mineproof::exact

// The irreducible blocks of a perfectly matched square part of a matrix.
//
// Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1(2), 1972, without recursion and
// with two savings of Pearce, "A space-efficient algorithm for finding strongly connected components", Inf.
// Process. Lett. 116(1), 2016: a vertex waits on the component stack only if it is not the first of its
// component, and no separate mark says what is on that stack.
//
// State: low[c] is kUnseen before column c is met; then the smallest visit number known to be within reach of
// c among the unfinished columns; then kDone once its component is numbered, or from the start outside the
// square part. kDone exceeds every visit number, so finished columns never lower anything.
//
// A component is finished after everything it reaches, so the numbers come out in block upper triangular
// order. O(columns + entries); the deepest path takes one stack frame a column.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/pattern.h"
#include "core/run.h"

namespace konig {

template <class Id, class Offset>
class StrongComponents {
 public:
  StrongComponents(const Pattern<Id, Offset>& graph, Mates<Id> mates, const uint8_t* in_square, Id* component,
                   Run& run)
      : graph_(graph), mates_(mates), in_square_(in_square), component_(component), run_(run) {}

  Id solve() {
    low_.resize(graph_.cols);
    for (Id col = 0; col < graph_.cols; ++col) low_[col] = in_square_[col] ? kUnseen : kDone;
    std::fill_n(component_, graph_.cols, Id(-1));
    run_.spend(graph_.cols);
    for (Id col = 0; col < graph_.cols; ++col)
      if (low_[col] == kUnseen) search(col);
    return components_;
  }

 private:
  static constexpr Id kUnseen = -1;
  static constexpr Id kDone = std::numeric_limits<Id>::max();

  struct Visit {
    Id col;
    Id number;
    Offset next;  // the first entry not scanned
  };

  void search(Id root) {
    begin_visit(root);
    while (!path_.empty()) {
      const Id child = unseen_successor(path_.back());
      if (child >= 0)
        begin_visit(child);
      else
        leave();
    }
  }

  void begin_visit(Id col) {
    low_[col] = visited_;
    path_.push_back({col, visited_++, graph_.of_col.start[col]});
  }

  // The next column to visit, or -1 when the scan has reached the end.
  Id unseen_successor(Visit& visit) {
    const Offset first = visit.next, end = graph_.of_col.start[visit.col + 1];
    Id low = low_[visit.col], child = -1;
    Offset k = first;
    for (; k < end; ++k) {
      const Id partner = mates_.col_of_row[graph_.of_col.neighbour[k]];
      if (low_[partner] == kUnseen) {
        child = partner;
        break;
      }
      low = std::min(low, low_[partner]);
    }
    low_[visit.col] = low;
    visit.next = k;
    run_.spend(k - first + 1);
    return child;
  }

  void leave() {
    const auto [col, number, next] = path_.back();
    path_.pop_back();
    if (low_[col] == number) {
      number_component(col, number);
    } else {
      waiting_.push_back(col);
      // Not the first of its component: the column it was reached from is in the component too.
      Id& low = low_[path_.back().col];
      low = std::min(low, low_[col]);
    }
  }

  // The columns that wait with a reach not below `number` were met after the first one: its component.
  void number_component(Id first, Id number) {
    const size_t before = waiting_.size();
    component_[first] = components_;
    low_[first] = kDone;
    while (!waiting_.empty() && low_[waiting_.back()] >= number) {
      component_[waiting_.back()] = components_;
      low_[waiting_.back()] = kDone;
      waiting_.pop_back();
    }
    ++components_;
    run_.spend(before - waiting_.size());
  }

  const Pattern<Id, Offset>& graph_;
  Mates<Id> mates_;
  const uint8_t* in_square_;
  Id* component_;
  Run& run_;
  Id visited_ = 0;
  Id components_ = 0;
  std::vector<Id> low_;
  std::vector<Id> waiting_;
  std::vector<Visit> path_;
};

// Numbers the strong components of the graph whose vertices are the columns with in_square[col] != 0 and
// whose arcs lead from a column to the partner of each row in it. component[col] = 0, 1, ... such that an
// entry (row, col) of the square part has component[partner of row] <= component[col]: the block upper
// triangular order; -1 outside the square part. Returns how many components there are. Assumes that every row
// with an entry in a column of the square part is matched. Reads columns.
template <class Id, class Offset>
Id strong_components(const Pattern<Id, Offset>& graph, Mates<Id> mates, const uint8_t* in_square,
                     Id* component, Run& run) {
  return StrongComponents<Id, Offset>(graph, mates, in_square, component, run).solve();
}

}  // namespace konig

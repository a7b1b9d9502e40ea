// Search spread: the entries of each column that may be admissible.
//
// Kaya et al. §4.4, combined with fairness. The open entries of a column are an interval [first, end) of its
// list; every other entry is known not to be admissible at the column's present label, and stays so as long
// as that label stands, since row labels only grow. Forward visits close entries from the left, backward
// ones from the right: the two arrays of length n that the paper mentions. So when a row of label(col) + 1 is
// the least of the open entries, it is a minimum of the whole list and the closed entries need no look.
//
// Deviation: the paper's pointer p(v) outlives a relabelling of v, although entries before it may then have
// become admissible. Here a column that is relabelled opens all but what that very scan has passed, and
// global relabelling opens every list.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/pattern.h"

namespace konig {

template <class Id, class Offset>
class OpenEntries {
 public:
  void open_all(const Adjacency<Id, Offset>& lists, Id vertices) {
    first_.assign(lists.start, lists.start + vertices);
    end_.assign(lists.start + 1, lists.start + 1 + vertices);
  }

  Offset first(Id col) const { return first_[col]; }
  Offset end(Id col) const { return end_[col]; }

  // A visit in this direction has passed the open entries up to `chosen`, which its push closes.
  void close_up_to(Id col, Offset chosen, bool backward) {
    (backward ? end_[col] : first_[col]) = backward ? chosen : chosen + 1;
  }

  // The column with the list [first, end) is about to be relabelled for the sake of `chosen`. What the scan
  // passed on its way there, around the end of the list if need be, has a greater label and stays closed
  // where that leaves an interval; else the whole list is open.
  void reopen(Id col, Offset first, Offset end, Offset chosen, bool backward) {
    if (backward && chosen >= end_[col]) {
      first = end_[col];
      end = chosen;
    } else if (backward && end == end_[col]) {
      end = chosen;
    } else if (!backward && chosen < first_[col]) {
      end = first_[col];
      first = chosen + 1;
    } else if (!backward && first == first_[col]) {
      first = chosen + 1;
    }
    first_[col] = first;
    end_[col] = end;
  }

  size_t bytes() const { return (first_.size() + end_.size()) * sizeof(Offset); }

 private:
  std::vector<Offset> first_, end_;
};

}  // namespace konig

// The rows of each label, for gap relabelling.
//
// A row with a label below m + n has an even label 2k and is on level k. A matched row on level k > 0 leads,
// through its column, only to rows on level k - 1 or higher; so when a level is empty, no row above it
// has an alternating path to an unmatched row. Levels are doubly linked lists: a row moves in O(1).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace konig {

template <class Id, class Label>
class RowLevels {
 public:
  // Sorts in all rows below the limit.
  void rebuild(const std::vector<Label>& label, Label limit) {
    first_.assign(size_t(limit / 2) + 2, Id(-1));
    next_.resize(label.size());
    previous_.resize(label.size());
    highest_ = 0;
    for (size_t row = 0; row < label.size(); ++row)
      if (label[row] < limit) insert(Id(row), label[row] / 2);
  }

  // Moves a row one level up; true if its old level is empty now.
  bool raise(Id row, Label from_label) {
    const size_t level = from_label / 2;
    const Id next = next_[row], previous = previous_[row];
    (previous < 0 ? first_[level] : next_[previous]) = next;
    if (next >= 0) previous_[next] = previous;
    insert(row, level + 1);
    return first_[level] < 0;
  }

  // Takes out every row on a level above that of `label`; returns how many there were.
  template <class Visit>
  size_t take_above(Label label, Visit visit) {
    size_t taken = 0;
    const size_t empty = label / 2;
    for (; highest_ > empty; --highest_) {
      for (Id row = first_[highest_]; row >= 0; row = next_[row], ++taken) visit(row);
      first_[highest_] = -1;
    }
    return taken;
  }

  size_t bytes() const { return (first_.size() + next_.size() + previous_.size()) * sizeof(Id); }

 private:
  void insert(Id row, size_t level) {
    const Id next = first_[level];
    next_[row] = next;
    previous_[row] = -1;
    if (next >= 0) previous_[next] = row;
    first_[level] = row;
    highest_ = std::max(highest_, level);
  }

  std::vector<Id> first_, next_, previous_;
  size_t highest_ = 0;
};

}  // namespace konig

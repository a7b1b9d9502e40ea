// The active columns of push-relabel in the order in which they are visited.
//
// Kaya et al. §4.1: first in first out, last in first out, or lowest label first. A visit takes one column
// out and puts at most one back in, so no array ever grows. First in first out needs no ring: a round
// reads the list from the left and writes the columns of the next round over those already read.
// Lowest label first keeps a stack for each label; active columns have odd labels, so label / 2 is its index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace konig {

enum class PushOrder { kFifo, kLifo, kLowest };

template <class Id, class Label>
class ActiveColumns {
 public:
  // All labels are at most `limit`.
  ActiveColumns(PushOrder order, std::vector<Id> cols, Id all_cols, Label limit)
      : order_(order), list_(std::move(cols)), limit_(limit), end_(list_.size()), count_(list_.size()) {
    if (order_ != PushOrder::kLowest) return;
    top_.assign(size_t(limit / 2) + 1, Id(-1));
    below_.resize(all_cols);
  }

  bool empty() const { return count_ == 0; }
  size_t size() const { return count_; }

  Id pop() {
    --count_;
    if (order_ == PushOrder::kFifo) {
      if (head_ == end_) begin_round();
      return list_[head_++];
    }
    if (order_ == PushOrder::kLifo) return list_[--end_];
    while (top_[lowest_] < 0) ++lowest_;
    const Id col = top_[lowest_];
    top_[lowest_] = below_[col];
    return col;
  }

  void push(Id col, Label label) {
    ++count_;
    if (order_ == PushOrder::kFifo) {
      list_[kept_++] = col;
    } else if (order_ == PushOrder::kLifo) {
      list_[end_++] = col;
    } else {
      stack(col, label);
    }
  }

  // All labels have changed: drops the columns at the limit, sorts the others anew, returns how many went.
  int64_t refresh(const std::vector<Label>& label) {
    const size_t before = count_;
    if (order_ == PushOrder::kLowest) gather();
    const auto kept = [&](Id col) { return label[col] < limit_; };
    kept_ = compact(0, kept_, 0, kept);
    const size_t from = order_ == PushOrder::kFifo ? head_ : 0;
    end_ = compact(from, end_, from, kept);
    count_ = kept_ + end_ - from;
    if (order_ == PushOrder::kLowest)
      for (size_t i = 0; i < end_; ++i) stack(list_[i], label[list_[i]]);
    return int64_t(before - count_);
  }

  size_t bytes() const { return (list_.size() + top_.size() + below_.size()) * sizeof(Id); }

 private:
  void begin_round() {
    end_ = kept_;
    head_ = kept_ = 0;
  }

  void stack(Id col, Label label) {
    const size_t level = label / 2;
    below_[col] = top_[level];
    top_[level] = col;
    if (level < lowest_) lowest_ = level;
  }

  // Empties the stacks into the list, lowest label first. At the first call the list is all there is.
  void gather() {
    if (!stacked_) {
      stacked_ = true;
      lowest_ = top_.size();
      return;
    }
    end_ = 0;
    for (; end_ < count_; ++lowest_)
      for (; top_[lowest_] >= 0; top_[lowest_] = below_[top_[lowest_]]) list_[end_++] = top_[lowest_];
    lowest_ = top_.size();
  }

  template <class Kept>
  size_t compact(size_t from, size_t to, size_t out, Kept kept) {
    for (size_t i = from; i < to; ++i)
      if (kept(list_[i])) list_[out++] = list_[i];
    return out;
  }

  const PushOrder order_;
  std::vector<Id> list_;
  const Label limit_;
  size_t head_ = 0, kept_ = 0, end_, count_;
  std::vector<Id> top_, below_;
  size_t lowest_ = 0;
  bool stacked_ = false;
};

}  // namespace konig

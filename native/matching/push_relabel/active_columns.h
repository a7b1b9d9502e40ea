// The active columns of push-relabel in the order in which they are visited: first in first out, last in
// first out, or lowest label first (Kaya et al. §4.1). Active columns have odd labels, so label / 2 is a
// bucket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "matching/push_relabel/label_buckets.h"

namespace konig {

enum class PushOrder { kFifo, kLifo, kLowest };

template <class Id, class Label>
class ActiveColumns {
 public:
  // All labels are at most `limit`. Labels are first read by refresh().
  ActiveColumns(PushOrder order, const std::vector<Id>& cols, Id all_cols, Label limit)
      : order_(order),
        limit_(limit),
        room_(cols.size()),
        list_(cols.begin(), cols.end()),
        buckets_(by_label() ? all_cols : 0, by_label() ? size_t(limit / 2) + 1 : 0, false, true) {}

  bool empty() const { return size() == 0; }
  size_t size() const { return list_.size() + buckets_.size(); }

  Id pop() {
    if (by_label()) return Id(buckets_.take());
    const Id col = order_ == PushOrder::kFifo ? list_.front() : list_.back();
    if (order_ == PushOrder::kFifo)
      list_.pop_front();
    else
      list_.pop_back();
    return col;
  }

  void push(Id col, Label label) {
    if (by_label())
      buckets_.insert(Label(col), label / 2);
    else
      list_.push_back(col);
  }

  // All labels have changed: drops the columns at the limit, sorts the others anew, returns how many went.
  int64_t refresh(const std::vector<Label>& label) {
    const size_t before = size();
    while (buckets_.size() > 0) list_.push_back(Id(buckets_.take()));
    std::erase_if(list_, [&](Id col) { return label[col] >= limit_; });
    const size_t kept = list_.size();
    if (by_label()) {
      for (const Id col : list_) buckets_.insert(Label(col), label[col] / 2);
      list_.clear();
    }
    return int64_t(before - kept);
  }

  size_t bytes() const { return room_ * sizeof(Id) + size_t(buckets_.integers()) * sizeof(Label); }

 private:
  bool by_label() const { return order_ == PushOrder::kLowest; }

  const PushOrder order_;
  const Label limit_;
  const size_t room_;  // no more columns are ever active at once
  std::deque<Id> list_;
  LabelBuckets<Label> buckets_;
};

}  // namespace konig

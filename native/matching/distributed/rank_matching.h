// A maximum matching of a graph whose rows are divided among ranks, as one of them works on it.
//
// The caller carries messages: what each call returns goes to the ranks (Sent), and what they sent comes with
// the next call, until no rank has anything to say.
//
//   subscribe -> start -> start_round ... -> search -> plant -> (begin_phase -> search_round ...) ... -> the
//   answer
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/run.h"
#include "matching/distributed/block.h"
#include "matching/distributed/karp_sipser.h"
#include "matching/distributed/search.h"

namespace konig::distributed {

// Assumes that offsets, ids and entries of a rank fit into Id.
template <class Id>
class RankMatching {
 public:
  explicit RankMatching(Division<Id> division) : block_(std::move(division)) {}

  Sent<Id> subscribe(const Id* start, const Id* neighbour, Run& run) {
    block_.take_lists(start, neighbour, run);
    return block_.subscribe(run);
  }

  void start(const Messages<Id>& received, Run& run) {
    start_ = std::make_unique<KarpSipser<Id>>(block_, run);
    block_.take_subscribers(received, [&](Id col, Degree<Id> degree) { start_->count_degree(col, degree); });
    start_->queue_columns();
  }
  Sent<Id> start_round(const Messages<Id>& received, int64_t patience, Run& run) {
    return start_->round(received, patience, run);
  }

  void search() {
    scans_ = start_->scans();
    search_ = std::make_unique<Search<Id>>(block_, start_->col_of_row(), start_->take_row_of_ghost(),
                                           start_->row_of_col());
    start_.reset();
    block_.drop_ghost_lists();
  }
  void plant(std::vector<Id> first_root) { search_->plant(std::move(first_root)); }
  void begin_phase(Run& run) { search_->begin_phase(run); }
  Sent<Id> search_round(const Messages<Id>& received, Run& run) { return search_->round(received, run); }

  const Search<Id>& found() const { return *search_; }
  int64_t scans() const { return scans_ + search_->scans(); }

 private:
  Block<Id> block_;
  std::unique_ptr<KarpSipser<Id>> start_;
  std::unique_ptr<Search<Id>> search_;
  int64_t scans_ = 0;
};

extern template class RankMatching<int32_t>;
extern template class RankMatching<int64_t>;

}  // namespace konig::distributed

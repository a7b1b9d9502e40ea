// Phases of searches by a team, for `hk`, `pfp`, their versions on threads and `p-dbfs`: the workers take
// unmatched columns from one list, in small pieces on demand, and search from them, over parts of the graph
// that no two of them hold at once. Between phases the caller's thread, alone, drops the columns that got
// matched and goes on while the last phase found a path and neither side is full.
//
// Order of memory: claims and mates are relaxed atomics, and that is enough on every machine. A worker that
// claims a vertex learns nothing from it about other words; all that a claim gives access to was written
// before the last barrier, or by the claimer. Each solver shows this for its own words.
//
// An interruption (Ctrl-C) reaches worker 0 in spend() or while it waits, and the others in their own
// spend(); a search asks stopped() at each column. The matching is left unfinished, and the exception goes on
// to the caller.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/deal.h"
#include "core/knobs.h"
#include "core/large_array.h"
#include "core/threads.h"
#include "matching/augment.h"

// Tests make this small, so that small graphs fill batches.
#ifndef KONIG_LEVEL_BATCH
#define KONIG_LEVEL_BATCH 256
#endif

namespace konig {

// The counts of one worker, on cache lines of its own.
struct alignas(128) SearchCounts {
  int64_t bfs_scans = 0;
  int64_t search_scans = 0;
  int64_t lookahead_scans = 0;
  int64_t claims_lost = 0;
  PathCounts paths;

  SearchCounts& operator+=(const SearchCounts& other) {
    bfs_scans += other.bfs_scans;
    search_scans += other.search_scans;
    lookahead_scans += other.lookahead_scans;
    claims_lost += other.claims_lost;
    paths += other.paths;
    return *this;
  }
};

// A list that all workers append to through their outboxes, in no order.
template <class T>
struct SharedList {
  explicit SharedList(int64_t room) : items(room) {}
  LargeArray<T> items;
  alignas(128) int64_t size = 0;
};

// The values of one worker on their way into a shared list.
template <class T, class Team>
class Outbox {
 public:
  void aim(SharedList<T>& list) {
    items_ = list.items.data();
    size_ = &list.size;
  }

  void put(T value) {
    if constexpr (kAlone<Team>) {
      items_[(*size_)++] = value;
    } else {
      held_[count_++] = value;
      if (count_ == kHeld) deliver();
    }
  }
  void deliver() {
    if (count_ == 0) return;
    std::copy(held_, held_ + count_, items_ + bsp::fetch_add(size_, count_));
    count_ = 0;
  }

 private:
  static constexpr int64_t kHeld = KONIG_LEVEL_BATCH;
  T* items_ = nullptr;
  int64_t* size_ = nullptr;
  int64_t count_ = 0;
  T held_[kHeld];
};

// A step of a path: a column and the entry through which the path goes on.
template <class Id, class Offset>
struct PathStep {
  Id col;
  Offset entry;
};

// Room for a path of each worker, made before they start so that none of them ever allocates. Memory that no
// path reaches is never touched: this reserves addresses for the longest path, and uses what paths need.
template <class Id, class Offset>
class PathRoom {
 public:
  PathRoom(const Pattern<Id, Offset>& graph, int64_t threads)
      : longest_(std::min<int64_t>(graph.cols, int64_t(graph.rows) + 1)), paths_(threads) {
    for (auto& path : paths_) path.reset(new PathStep<Id, Offset>[longest_]);
  }
  PathStep<Id, Offset>* of(int64_t worker) { return paths_[worker].get(); }
  int64_t longest() const { return longest_; }
  int64_t steps() const { return longest_ * int64_t(paths_.size()); }

 private:
  const int64_t longest_;
  std::vector<std::unique_ptr<PathStep<Id, Offset>[]>> paths_;
};

// Matches the columns path[0 .. depth] with the rows through which the path goes on.
template <class Id, class Offset, class Team>
void augment_along(const PathStep<Id, Offset>* path, int64_t depth, const Adjacency<Id, Offset>& of_col,
                   Mates<Id> mates, Team& team, PathCounts& counts) {
  for (int64_t i = depth; i >= 0 && !team.cut(); --i) {
    const Id col = path[i].col, row = of_col.neighbour[path[i].entry];
    bsp::store(&mates.row_of_col[col], row);
    bsp::store(&mates.col_of_row[row], col);
    team.spend(1);
  }
  counts.add(depth + 1);
}

template <class Id, class Offset>
class SearchPhases {
 public:
  SearchPhases(const Pattern<Id, Offset>& graph, Mates<Id> mates, const Knobs& knobs, Run& run)
      : mates_(mates),
        run_(run),
        threads_(int(knobs.integer("threads"))),
        limit_(std::min(graph.rows, graph.cols)),
        unmatched_(unmatched_vertices(mates.row_of_col, graph.cols)),
        size_(int64_t(graph.cols) - int64_t(unmatched_.size())),
        matched_(size_),
        counts_(std::max(threads_, 1)) {}

  // Runs phase(team) on every worker until a phase finds nothing. after_phase() runs on the caller's thread
  // alone, after each phase that found a path; it returns how many more paths it found itself.
  template <class Phase, class AfterPhase>
  void solve(Phase phase, AfterPhase after_phase) {
    if (size_ == limit_) return;
    const auto close_phase = [&] {
      if (matched_ == size_) return false;
      ++phases_;
      matched_ += after_phase();
      size_ = matched_;
      std::erase_if(unmatched_, [this](Id col) { return mates_.row_of_col[col] >= 0; });
      deal_.restart();
      run_.report(size_, limit_);
      return size_ < limit_;
    };
    workers_ = run_on_threads(threads_, run_, phase, close_phase);
  }

  // Calls search(col) for this worker's share of the unmatched columns; true means that it got matched.
  template <class Team, class Search>
  void search_all(Team& team, Search search) {
    int64_t next, last;
    while (!stopped(team) && deal_.take(int64_t(unmatched_.size()), team.count(), next, last))
      for (; next < last && !stopped(team); ++next)
        if (search(unmatched_[next])) count_match(team);
  }

  // Whether searches may end: the caller gave up, or one side is matched completely.
  template <class Team>
  bool stopped(const Team& team) const {
    return team.cut() || bsp::load(&full_);
  }

  const std::vector<Id>& unmatched() const { return unmatched_; }
  int64_t missing() const { return limit_ - matched_; }
  SearchCounts& counts(int64_t worker) { return counts_[worker]; }

  SearchCounts total() const {
    SearchCounts sum;
    for (const SearchCounts& counts : counts_) sum += counts;
    return sum;
  }

  // The counts that all of these solvers have.
  void report(const SearchCounts& total) const {
    run_.count("search_arc_scans", total.search_scans);
    total.paths.report(run_);
    run_.count("claims_lost", total.claims_lost);
    run_.count("workers", int64_t(workers_));
  }
  int64_t phases() const { return phases_; }

 private:
  template <class Team>
  void count_match(Team& team) {
    const int64_t matched = add_to<Team>(&matched_, int64_t(1)) + 1;
    if (matched == limit_) bsp::store(&full_, true);
    if (team.leads()) run_.report(matched, limit_);
  }

  Mates<Id> mates_;
  Run& run_;
  const int threads_;
  const int64_t limit_;
  std::vector<Id> unmatched_;
  int64_t size_;  // when the phase began
  int64_t phases_ = 0;
  int workers_ = 1;
  bool full_ = false;
  alignas(128) int64_t matched_;
  Deal deal_;
  std::vector<SearchCounts> counts_;
};

}  // namespace konig

// The state that the stages of a sparse assignment share: duals, matching, counts, and the scans of a row.
//
// Minimises; rows <= cols. Invariant: a row's assigned column attains the smallest cost - dual of the row's
// entries, which is the row's dual. On rectangles column duals are <= 0, and 0 where no row is assigned.
//
// With limits a row need not be assigned: it may be left alone instead, which costs its limit and takes no
// column. Its dual is at most the limit, and equal to it if the row is alone.
//
// All that a search reads of a column lies in half a cache line: large problems wait for memory.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "assignment/scans/dense_scans.h"
#include "assignment/sparse/task.h"
#include "assignment/sums.h"
#include "core/large_array.h"
#include "core/prefetch.h"
#include "core/run.h"

namespace konig {

template <class S, class T>
struct SparseState {
  static constexpr T kInfinity = Bounds<T>::infinity;
  static constexpr int64_t kAhead = 8;   // rows whose columns are prefetched
  static constexpr int32_t kAlone = -2;  // in place of the column of a row

  struct Column {
    T dual;
    T distance;
    int32_t stamp;   // of the search that labelled it; see search.h
    int32_t row;     // assigned, or -1
    int32_t before;  // the row that the search came from
    int32_t tree;    // of a search from many rows: the number of its root
  };

  struct Counts {
    int64_t forced_rows = 0;      // see forced_rows.h
    int64_t bids = 0;             // of the auction
    int64_t reduced_rows = 0;     // assigned before the first shortest path
    int64_t row_reductions = 0;   // steps of augmenting row reduction
    int64_t phases = 0;           // searches from all free rows together
    int64_t two_sided_paths = 0;  // found from both ends
    int64_t paths = 0;            // shortest augmenting paths in all
    int64_t entry_scans = 0;      // entries read, in all stages

    Counts& operator+=(const Counts& more) {
      forced_rows += more.forced_rows;
      bids += more.bids;
      row_reductions += more.row_reductions;
      phases += more.phases;
      two_sided_paths += more.two_sided_paths;
      paths += more.paths;
      entry_scans += more.entry_scans;
      return *this;
    }
    void report(Run& run) const {
      run.count("forced_rows", forced_rows);
      run.count("bids", bids);
      run.count("reduced_rows", reduced_rows);
      run.count("row_reductions", row_reductions);
      run.count("phases", phases);
      run.count("two_sided_paths", two_sided_paths);
      run.count("paths", paths);
      run.count("entry_scans", entry_scans);
    }
  };

  // The two smallest slacks of a row. With limits that of leaving it alone is one of them, and the entry is
  // -1 where it is the smallest; of equal ones a free column comes first.
  struct Best {
    T first = kInfinity, second = kInfinity;
    int64_t first_entry = -1;
  };

  void prepare(const SparseCosts<S>& given, const T* limit_of_rows = nullptr) {
    costs = given;
    limit = limit_of_rows;
    counts = {};
    alone = 0;
    columns.assign(size_t(costs.cols), Column{T(0), T(0), 0, -1, -1, -1});
    col_of_row.assign(size_t(costs.rows), -1);
    held.assign(size_t(costs.rows), T(0));
    free.clear();
    forced.clear();
  }

  T slack(int64_t entry) const { return T(costs.cost[entry]) - columns[costs.col[entry]].dual; }
  T row_dual(int64_t row) const {
    return is_alone(row) ? limit[row] : held[row] - columns[col_of_row[row]].dual;
  }
  bool is_square() const { return costs.rows == costs.cols; }
  bool is_forced(int64_t row) const { return !forced.empty() && forced[row]; }
  bool is_alone(int64_t row) const { return col_of_row[row] == kAlone; }
  bool is_free(int64_t entry) const { return entry >= 0 && columns[costs.col[entry]].row < 0; }

  void assign(int64_t row, int64_t entry) {
    const int32_t col = costs.col[entry];
    col_of_row[row] = col;
    columns[col].row = int32_t(row);
    held[row] = T(costs.cost[entry]);
  }
  void assign_pair(int32_t row, int32_t col) {
    int64_t entry = costs.start[row];
    while (costs.col[entry] != col) ++entry;
    assign(row, entry);
  }
  void leave_alone(int64_t row) {
    col_of_row[row] = kAlone;
    ++alone;
  }
  void unassign(int64_t row) {
    columns[col_of_row[row]].row = -1;
    col_of_row[row] = -1;
  }

  void collect_free_rows() {
    free.resize(size_t(costs.rows));
    size_t count = 0;
    for (int64_t i = 0; i < costs.rows; ++i) {
      free[count] = int32_t(i);
      count += col_of_row[i] == -1;
    }
    free.resize(count);
  }

  void prefetch_columns_of(int64_t row) const {
    for (int64_t e = costs.start[row]; e < costs.start[row + 1]; ++e) prefetch(&columns[costs.col[e]]);
  }

  // Which entries are the smallest is as random as the costs: no branch depends on it. Of equal ones a free
  // column comes first.
  Best two_smallest(int64_t row, Run& run) {
    Best best;
    const int64_t first = costs.start[row], last = costs.start[row + 1];
    for (int64_t e = first; e < last; ++e) {
      const T here = slack(e);
      const bool is_less = here < best.first;
      const T other = is_less ? best.first : here;
      best.second = other < best.second ? other : best.second;
      best.first = is_less ? here : best.first;
      best.first_entry = is_less ? e : best.first_entry;
    }
    if (best.first == best.second && best.first_entry >= 0 && !is_free(best.first_entry)) {
      int64_t e = best.first_entry + 1;
      while (e < last && !(slack(e) == best.first && is_free(e))) ++e;
      if (e < last) best.first_entry = e;
    }
    if (limit && (limit[row] < best.first || (limit[row] == best.first && !is_free(best.first_entry))))
      best = {limit[row], best.first, -1};
    else if (limit && limit[row] < best.second)
      best.second = limit[row];
    count_entries(last - first, run);
    return best;
  }
  // The entry of the second smallest slack, which is finite; of a free column if there is one. -1 if that is
  // the limit.
  int64_t second_entry(int64_t row, const Best& best) const {
    int64_t found = -1;
    for (int64_t e = costs.start[row]; e < costs.start[row + 1] && !is_free(found); ++e)
      if (e != best.first_entry && slack(e) == best.second && (found < 0 || is_free(e))) found = e;
    return found;
  }

  void count_scan(int64_t row, Run& run) { count_entries(costs.start[row + 1] - costs.start[row], run); }
  void count_entries(int64_t entries, Run& run) {
    counts.entry_scans += entries;
    run.spend(entries + 1);
  }

  // A square problem with a column that no row may take.
  bool refuse_column(int64_t col) {
    violator.rows.assign(costs.rows, 0);
    violator.cols.assign(costs.cols, 0);
    violator.cols[col] = 1;
    return false;
  }
  // The rows of a tree reach no column but those scanned, which are one fewer.
  bool refuse_tree(int32_t root, const std::vector<int32_t>& scanned) {
    violator.rows.assign(costs.rows, 0);
    violator.cols.assign(costs.cols, 0);
    violator.rows[root] = 1;
    for (const int32_t j : scanned) violator.cols[j] = violator.rows[columns[j].row] = 1;
    return false;
  }

  SparseCosts<S> costs;
  const T* limit = nullptr;  // of each row; null if all rows must be assigned
  int64_t alone = 0;         // rows left alone
  Counts counts;
  LargeArray<Column> columns;
  LargeArray<int32_t> col_of_row;
  LargeArray<T> held;           // the cost of each row's pair
  std::vector<int32_t> free;    // rows without a column
  std::vector<uint8_t> forced;  // rows that no search may touch; empty if there are none
  HallViolator violator;
};

}  // namespace konig

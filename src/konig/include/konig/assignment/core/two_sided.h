// Columns that few lists have get into more of them.
//
// Rows choose their own lists, so a column that is expensive for every row may be in one list only, that of
// the row assigned to it. An outward search reaches that row only through the column, and the column only
// through that row, hence neither. Their duals then stay while the others move, until every other row
// undercuts them at that column. Such columns therefore choose the rows of least slack and join their lists.
// Inward searches suffer less: they follow the row's own list.
#pragma once

#include "konig/assignment/core/lists.h"

namespace konig::core_paths {

template <class Team, class Cost>
class TwoSided : protected Lists<Team, Cost> {
 protected:
  using Base = Lists<Team, Cost>;
  using Base::team_, Base::w_, Base::kWide, Base::kMine, Base::kAtOnce;
  using typename Base::Values;

  KONIG_FN TwoSided(Team& team, const Workspace<Cost>& workspace) : Base(team, workspace) {}

  // Counts in `claim`, which is free outside a phase, how many lists contain each column.
  KONIG_FN void count_lists() {
    team_.for_each(w_.cols, [&](long long col) { bsp::store(w_.claim + col, 0); });
    team_.barrier();
    team_.for_each_wide(w_.rows, kLanes, [&](long long row, int lane, int lanes) {
      const int count = bsp::settled(w_.count + row);
      for (int e = lane; e < count; e += lanes)
        bsp::fetch_add(w_.claim + bsp::settled(w_.arc_col + row * w_.room + e), 1);
      if (lane == 0) team_.spend(count);
    });
    team_.barrier();
  }

  // Returns how many pairs this worker added. row_distance holds the least slack of each row.
  KONIG_FN long long list_cols() {
    long long added = 0;
    team_.for_each_wide(w_.cols, kWide, [&](long long col, int lane, int) {
      if (bsp::settled(w_.claim + col) < kFewLists) added += list_col(col, lane);
    });
    return added;
  }

 private:
  // The column's dual is the same for all rows, so it is left out of the key.
  KONIG_FN long long list_col(long long col, int lane) {
    Values nearest;
    const long long first = (col * 7919) % w_.rows;  // where values tie columns choose different rows
    for (long long at = 0; at < w_.rows; at += (long long)kAtOnce * kWide) {
      Cost cost[kAtOnce];
      long long row[kAtOnce], least[kAtOnce];
      for (int k = 0; k < kAtOnce; ++k) {
        const long long place = at + k * kWide + lane;
        const long long i = first + place < w_.rows ? first + place : first + place - w_.rows;
        const long long read = place < w_.rows ? i : 0;
        cost[k] = w_.costs.row(read)[col];
        least[k] = bsp::settled(w_.row_distance + read);
        row[k] = place < w_.rows ? i : -1;
      }
      for (int k = 0; k < kAtOnce; ++k) {
        const long long value = w_.costs.value(cost[k]);
        if (value < kInfinite)
          nearest.keep(int((at / kWide + k) % kMine), int(row[k]), (value & this->key_mask_) - least[k]);
      }
    }
    if (lane == 0) team_.spend(w_.rows);
    long long added = 0;
    for (int chosen = 0; chosen < kRowsAdded; ++chosen) {
      const int row = take_least(nearest);
      if (row < 0) break;
      if (!list_contains(row, int(col), lane) && lane == 0) added += append(row, int(col));
    }
    return added;
  }

  // The row of the least key that a group's buckets hold, which they then forget; -1 if there is none.
  KONIG_FN int take_least(Values& buckets) {
    const long long key = this->least_above(buckets, -kUnreached);
    if (key >= kUnreached) return -1;
    int row = 0x7fffffff;
    for (int k = 0; k < kMine; ++k)
      if (buckets.least[k] == key && buckets.col[k] < row) row = buckets.col[k];
    row = team_.group_min(row, kWide);
    for (int k = 0; k < kMine; ++k)
      if (buckets.col[k] == row) buckets.least[k] = kUnreached, buckets.col[k] = -1;
    return row;
  }

  // Other groups may append to this list meanwhile, but only this group appends this column.
  KONIG_FN bool list_contains(int row, int col, int lane) {
    const int count = bsp::load(w_.count + row);
    int absent = 1;
    for (int e = lane; e < count; e += kWide)
      if (bsp::load(w_.arc_col + (long long)row * w_.room + e) == col) absent = 0;
    return team_.group_min(absent, kWide) == 0;
  }

  // Leaves kAdded places for pricing.
  KONIG_FN int append(int row, int col) {
    for (int place = bsp::load(w_.count + row); place < w_.room - kAdded;) {
      const int seen = bsp::compare_exchange(w_.count + row, place, place + 1);
      if (seen == place) {
        this->put(row, place, col, this->value_at(row, col));
        return 1;
      }
      place = seen;
    }
    return 0;
  }
};

}  // namespace konig::core_paths

// The lists of the core, and sweeps over the whole matrix that choose what goes into them.
//
// A group of workers reads a row of the matrix in order. The columns are dealt into kBuckets buckets, and
// the least of each bucket is kept: for a list, the bound below which columns join is the kRank-th of these,
// so that about 1.2 times as many columns as that are below it, wherever they lie; for a pricing the least
// themselves join. No list has to hold the smallest entries exactly: what is missing is found by pricing.
#pragma once

#include "konig/assignment/core/state.h"

namespace konig::core_paths {

template <class Team, class Cost>
class Lists {
 protected:
  using Entry = typename Tile<Cost>::Entry;

  static constexpr int kWide = Team::kWarp;
  static constexpr int kMine = kBuckets / kWide;  // buckets of a worker
  static constexpr int kAtOnce = 8;               // entries that a worker asks for before it looks at one
  static constexpr int kSeldom = 2;               // the same in sweeps that few solves need: less code

  KONIG_FN Lists(Team& team, const Workspace<Cost>& workspace) : team_(team), w_(workspace) {}

  // What a worker's buckets hold: the least key of each, a long long or a float.
  template <class Key>
  struct Buckets {
    Key least[kMine];
    int col[kMine];

    KONIG_FN Buckets() {
      for (int k = 0; k < kMine; ++k) least[k] = top<Key>(), col[k] = -1;
    }
    KONIG_FN void keep(int bucket, int from, Key key) {
      if constexpr (kMine == 1) bucket = 0;
      if (from < 0 || !(key < least[bucket])) return;
      least[bucket] = key;
      col[bucket] = from;
    }
  };
  using Values = Buckets<long long>;

  // Above all keys.
  template <class Key>
  static KONIG_FN Key top() {
    return sizeof(Key) == 4 ? Key(assignment::kTooFar) : Key(kUnreached);
  }

  // Some columns of a row and their costs; where there is none, col is -1.
  template <int kColumns>
  struct Batch {
    int col[kColumns];
    Entry cost[kColumns];
  };

  // The columns of a row in the order of a sweep. Rows begin at different places: where values tie they must
  // not all choose the same columns.
  struct Order {
    unsigned cols;
    unsigned first;

    KONIG_FN Order(const Workspace<Cost>& w, long long row)
        : cols(unsigned(w.cols)), first(unsigned((row * 7919) % w.cols) & ~7U) {}
    KONIG_FN int operator()(unsigned place) const {
      if (place >= cols) return -1;
      return int(first + place < cols ? first + place : first + place - cols);
    }
  };

  // visit(at, batch) for the columns of a row. All workers of a group go around the same number of times.
  template <int kColumns, class Visit>
  KONIG_FN void sweep_batches(long long row, int lane, Visit visit) {
    const auto line = w_.costs.row(row);
    const Order order(w_, row);
    for (unsigned at = 0; at < order.cols; at += kColumns * kWide) {
      Batch<kColumns> batch;
      KONIG_UNROLL
      for (int k = 0; k < kColumns; ++k) {
        batch.col[k] = order(at + unsigned(k * kWide + lane));
        batch.cost[k] = line[batch.col[k] < 0 ? 0 : batch.col[k]];
      }
      visit(at, batch);
    }
    if (lane == 0) team_.spend(w_.cols);
  }

  // visit(bucket, col, cost) for the columns of a row, `bucket` being one of the worker's.
  template <int kColumns, class Visit>
  KONIG_FN void sweep_costs(long long row, int lane, Visit visit) {
    sweep_batches<kColumns>(row, lane, [&](unsigned at, const Batch<kColumns>& batch) {
      KONIG_UNROLL
      for (int k = 0; k < kColumns; ++k) visit(int((at / kWide + k) % kMine), batch.col[k], batch.cost[k]);
    });
  }

  // The same with the values of the costs, and -1 for columns that are not allowed.
  template <class Visit>
  KONIG_FN void sweep_row(long long row, int lane, Visit visit) {
    sweep_costs<kAtOnce>(row, lane, [&](int bucket, int col, Entry cost) {
      const long long value = w_.costs.value(cost);
      visit(bucket, value < kInfinite ? col : -1, value);
    });
  }

  // The least that a group's buckets hold above `last`.
  template <class Key>
  KONIG_FN Key least_above(const Buckets<Key>& buckets, Key last) {
    Key least = top<Key>();
    for (int k = 0; k < kMine; ++k)
      if (buckets.least[k] > last && buckets.least[k] < least) least = buckets.least[k];
    return team_.group_min(least, kWide);
  }

  template <class Key>
  KONIG_FN int count_upto(const Buckets<Key>& buckets, Key bound) {
    int count = 0;
    for (int k = 0; k < kMine; ++k)
      count += bsp::count_bits(team_.group_ballot(buckets.least[k] <= bound, kWide));
    return count;
  }

  // A place after the first `used` for each worker of the group that wants one, else -1; `used` grows by as
  // many.
  KONIG_FN int place_for(bool wanted, int lane, int& used) {
    const unsigned takers = team_.group_ballot(wanted, kWide);
    const int place = used + bsp::count_bits(takers & ((1U << lane) - 1));
    used += bsp::count_bits(takers);
    return wanted ? place : -1;
  }

  KONIG_FN void put(long long row, int place, int col, long long value) {
    bsp::store(w_.arc_col + row * w_.room + place, col);
    bsp::store(w_.arc_value + row * w_.room + place, value);
  }

  KONIG_FN long long value_at(long long row, int col) { return w_.costs.value(w_.costs.row(row)[col]); }

  // The keys of the columns for list_row.
  KONIG_FN void prepare_keys() {
    team_.for_each(w_.cols, [&](long long col) {
      w_.col_key[col] = w_.costs.nearly_dual(bsp::settled(w_.col_dual + col));
    });
  }

  // The list of a row made anew: the column it is assigned to and others of small slack, the least of which
  // goes to row_distance. Returns the spread of their slacks, on the first worker of the group. Slacks are
  // floats, which is good enough for a choice; at scales that were made coarser they are exact, and bits
  // below the scale do not count.
  KONIG_FN long long list_row(long long row, int lane, bool exact) {
    if (!exact) {
      const float spread = list_by<float, kAtOnce>(row, lane, [&](int col, Entry cost) {
        return w_.costs.nearly(cost) - bsp::settled(w_.col_key + col);
      });
      return w_.costs.units(spread);
    }
    return list_by<long long, kSeldom>(row, lane, [&](int col, Entry cost) {
      const long long value = w_.costs.value(cost);
      if (value >= kInfinite) return kUnreached;
      return (value & key_mask_) - (bsp::settled(w_.col_dual + col) & key_mask_);
    });
  }

  KONIG_FN long long whole(long long key) const { return key; }
  KONIG_FN long long whole(float key) const { return w_.costs.units(key); }

  template <class Key, int kColumns, class KeyOf>
  KONIG_FN Key list_by(long long row, int lane, KeyOf key_of) {
    Buckets<Key> buckets;
    sweep_costs<kColumns>(row, lane, [&](int bucket, int col, Entry cost) {
      if (col >= 0) buckets.keep(bucket, col, key_of(col, cost));
    });
    const Key least = least_above(buckets, -top<Key>());
    Key bound = least;
    while (bound < top<Key>() && count_upto(buckets, bound) < kRank) {
      const Key next = least_above(buckets, bound);
      if (!(next < top<Key>())) break;
      bound = next;
    }
    const int held = bsp::settled(w_.col_of_row + row);
    int used = 0;
    if (held >= 0) {
      if (lane == 0) put(row, 0, held, value_at(row, held));
      used = 1;
    }
    const Order order(w_, row);
    const auto line = w_.costs.row(row);
    sweep_batches<kColumns>(row, lane, [&](unsigned at, const Batch<kColumns>& batch) {
      bool some = false;
      KONIG_UNROLL
      for (int k = 0; k < kColumns; ++k) {
        const Key key = batch.col[k] < 0 ? top<Key>() : key_of(batch.col[k], batch.cost[k]);
        some |= key <= bound && key < top<Key>();
      }
      if (team_.group_ballot(some, kWide) == 0) return;
      KONIG_NO_UNROLL  // few batches get here: their costs are read again, and the code is there once
          for (int k = 0; k < kColumns; ++k) {
        const int col = order(at + unsigned(k * kWide + lane));
        const Entry cost = line[col < 0 ? 0 : col];
        const Key key = col < 0 ? top<Key>() : key_of(col, cost);
        // Columns at the bound fill up the list; those below it join even later.
        const bool small = key < top<Key>() && (key < bound || (key == bound && used < kFilled));
        const int place = place_for(small && col != held && used < kListed, lane, used);
        if (place >= 0 && place <= kListed) put(row, place, col, w_.costs.value(cost));
      }
    });
    if (lane != 0) return Key(0);
    bsp::store(w_.row_distance + row, whole(least));
    bsp::store(w_.count + row, used <= kListed ? used : kListed + 1);
    return bound < top<Key>() ? bound - least : Key(0);
  }

  // Up to kAdded of what the buckets hold joins the list. Returns how many, on the first worker.
  KONIG_FN int add(long long row, int lane, const Values& found) {
    int used = bsp::settled(w_.count + row);
    const int before = used;
    long long last = -kUnreached;
    for (int added = 0; added < kAdded; ++added) {
      const long long next = least_above(found, last);
      if (next >= kUnreached) break;
      last = next;
      bool one = false;
      int col = -1;
      for (int k = 0; k < kMine; ++k)
        if (found.least[k] == next && !one) one = true, col = found.col[k];
      // Several workers may hold this value.
      const int place = place_for(one, lane, used);
      if (place >= 0 && place < before + kAdded) put(row, place, col, value_at(row, col));
      if (used >= before + kAdded) break;
    }
    if (used > before + kAdded) used = before + kAdded;
    if (lane == 0 && used > before) bsp::store(w_.count + row, used);
    return lane == 0 ? used - before : 0;
  }

  // ---- columns that few lists have get into more of them
  //
  // Rows choose their own lists, so a column that is expensive for every row may be in one list only, that of
  // the row assigned to it. An outward search reaches that row only through the column, and the column only
  // through that row, hence neither. Their duals then stay while the others move, until every other row
  // undercuts them at that column. Such columns therefore choose the rows of least slack and join their
  // lists. Inward searches suffer less: they follow the row's own list.

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

  // ---- what the core lacks: pairs that undercut the duals, columns for rows that reach no free one
  //
  // A pricing looks at every cost of the matrix, and hardly one undercuts the duals. Slacks are calculated
  // in floats first. Each of cost, duals and slack is off by at most 2^-24 of its size, so that with sizes
  // c, v and u the slack is off by less than 2^-21 (c + v + u), and a value that is cut to the bits of the
  // scale is less by up to a unit of that. A pair whose slack in floats is larger than both together does
  // not undercut; of the others the exact slack decides. Sums that overflow, and what is not a number, count
  // as near.

  // By this worker: how many pairs joined lists, and whether one of these has no room for more.
  struct Added {
    long long pairs = 0;
    unsigned full = 0;
  };

  // Pairs that undercut the duals join the lists of their rows. After prepare_keys; `unit` is that of the
  // scale.
  KONIG_FN Added price_rows(long long unit) {
    Added added;
    const float cut = w_.costs.nearly_dual(unit) * 1.0001f + kTiny;
    team_.for_each_wide(w_.rows, kWide, [&](long long row, int lane, int) {
      const long long dual = bsp::settled(w_.row_dual + row);
      const float key = w_.costs.nearly_dual(dual);
      const float margin = cut + kError * size_of(key);
      const Order order(w_, row);
      Values found;
      sweep_batches<kAtOnce>(row, lane, [&](unsigned at, const Batch<kAtOnce>& batch) {
        unsigned near = 0;
        KONIG_UNROLL
        for (int k = 0; k < kAtOnce; ++k) {
          const float cost = w_.costs.nearly(batch.cost[k]);
          const float of_col = bsp::settled(w_.col_key + (batch.col[k] < 0 ? 0 : batch.col[k]));
          const bool above = cost - of_col - key > margin + kError * (size_of(cost) + size_of(of_col));
          near |= unsigned(!above && batch.col[k] >= 0) << k;
        }
        KONIG_NO_UNROLL  // few columns get here: their costs are read again, and the code is there once
            for (int k = 0; near >> k != 0; ++k) {
          if (!(near >> k & 1)) continue;
          const int col = order(at + unsigned(k * kWide + lane));
          const long long value = value_at(row, col);
          const long long slack = (value & key_mask_) - bsp::settled(w_.col_dual + col) - dual;
          const bool undercuts = value < kInfinite && slack < 0;
          found.keep(int((at / kWide + k) % kMine), undercuts ? col : -1, slack);
        }
      });
      join(added, row, lane, found);
    });
    return added;
  }

  // Rows that reach no free column get columns that do.
  KONIG_FN Added extend_rows() {
    Added added;
    team_.for_each_wide(w_.rows, kWide, [&](long long row, int lane, int) {
      if (bsp::settled(w_.row_distance + row) < kUnreached) return;
      Values found;
      sweep_costs<kSeldom>(row, lane, [&](int bucket, int col, Entry cost) {
        const long long value = w_.costs.value(cost);
        if (col < 0 || value >= kInfinite) return;
        const long long distance = bsp::settled(w_.col_distance + col);
        const long long rest = value - bsp::settled(w_.col_dual + col);
        found.keep(bucket, distance < kUnreached ? col : -1, rest + distance);
      });
      join(added, row, lane, found);
    });
    return added;
  }

  Team& team_;
  const Workspace<Cost> w_;
  long long key_mask_ = -1;

 private:
  // The column's dual is the same for all rows, so it is left out of the key.
  KONIG_FN long long list_col(long long col, int lane) {
    Values nearest;
    const long long first = (col * 7919) % w_.rows;  // where values tie columns choose different rows
    for (long long at = 0; at < w_.rows; at += (long long)kAtOnce * kWide) {
      Entry cost[kAtOnce];
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
          nearest.keep(int((at / kWide + k) % kMine), int(row[k]), (value & key_mask_) - least[k]);
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
    const long long key = least_above(buckets, -kUnreached);
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
    bool listed = false;
    for (int e = lane; e < count; e += kWide)
      if (bsp::load(w_.arc_col + (long long)row * w_.room + e) == col) listed = true;
    return team_.group_ballot(listed, kWide) != 0;
  }

  // Leaves kAdded places for pricing.
  KONIG_FN int append(int row, int col) {
    for (int place = bsp::load(w_.count + row); place < w_.room - kAdded;) {
      const int seen = bsp::compare_exchange(w_.count + row, place, place + 1);
      if (seen == place) {
        put(row, place, col, value_at(row, col));
        return 1;
      }
      place = seen;
    }
    return 0;
  }

  static constexpr float kError = 1.0f / (1 << 21);
  static constexpr float kTiny = 1e-36f;  // floats below are less exact

  static KONIG_FN float size_of(float key) { return key < 0 ? -key : key; }

  KONIG_FN void join(Added& added, long long row, int lane, const Values& found) {
    added.pairs += add(row, lane, found);
    if (lane == 0) added.full |= bsp::load(w_.count + row) + kAdded > w_.room;
  }
};

}  // namespace konig::core_paths

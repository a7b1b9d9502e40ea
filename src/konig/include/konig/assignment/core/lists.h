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
  static constexpr int kWide = Team::kWarp;
  static constexpr int kMine = kBuckets / kWide;  // buckets of a worker
  static constexpr int kAtOnce = 8;               // entries that a worker asks for before it looks at one

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
  struct Batch {
    int col[kAtOnce];
    Cost cost[kAtOnce];
  };

  // visit(at, batch) for the columns of a row. All workers of a group go around the same number of times.
  template <class Visit>
  KONIG_FN void sweep_batches(long long row, int lane, Visit visit) {
    const Cost* line = w_.costs.row(row);
    const unsigned cols = unsigned(w_.cols);
    // Rows begin at different places: where values tie they must not all choose the same columns.
    const unsigned first = unsigned((row * 7919) % w_.cols) & ~7U;
    for (unsigned at = 0; at < cols; at += kAtOnce * kWide) {
      Batch batch;
      KONIG_UNROLL
      for (int k = 0; k < kAtOnce; ++k) {
        const unsigned place = at + unsigned(k * kWide + lane);
        const unsigned j = first + place < cols ? first + place : first + place - cols;
        batch.col[k] = place < cols ? int(j) : -1;
        batch.cost[k] = line[place < cols ? j : 0];
      }
      visit(at, batch);
    }
    if (lane == 0) team_.spend(w_.cols);
  }

  // visit(bucket, col, cost) for the columns of a row, `bucket` being one of the worker's.
  template <class Visit>
  KONIG_FN void sweep_costs(long long row, int lane, Visit visit) {
    sweep_batches(row, lane, [&](unsigned at, const Batch& batch) {
      KONIG_UNROLL
      for (int k = 0; k < kAtOnce; ++k) visit(int((at / kWide + k) % kMine), batch.col[k], batch.cost[k]);
    });
  }

  // The same with the values of the costs, and -1 for columns that are not allowed.
  template <class Visit>
  KONIG_FN void sweep_row(long long row, int lane, Visit visit) {
    sweep_costs(row, lane, [&](int bucket, int col, Cost cost) {
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
    for (int k = 0; k < kMine; ++k) team_.group_slot(buckets.least[k] <= bound, kWide, count);
    return count;
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
      const float spread = list_by<float>(row, lane, [&](int col, Cost cost) {
        return w_.costs.nearly(cost) - bsp::settled(w_.col_key + col);
      });
      return w_.costs.units(spread);
    }
    return list_by<long long>(row, lane, [&](int col, Cost cost) {
      const long long value = w_.costs.value(cost);
      if (value >= kInfinite) return kUnreached;
      return (value & key_mask_) - (bsp::settled(w_.col_dual + col) & key_mask_);
    });
  }

  KONIG_FN long long whole(long long key) const { return key; }
  KONIG_FN long long whole(float key) const { return w_.costs.units(key); }

  template <class Key, class KeyOf>
  KONIG_FN Key list_by(long long row, int lane, KeyOf key_of) {
    Buckets<Key> buckets;
    sweep_costs(row, lane, [&](int bucket, int col, Cost cost) {
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
    sweep_batches(row, lane, [&](unsigned, const Batch& batch) {
      Key key[kAtOnce];
      bool some = false;
      KONIG_UNROLL
      for (int k = 0; k < kAtOnce; ++k) {
        key[k] = batch.col[k] < 0 ? top<Key>() : key_of(batch.col[k], batch.cost[k]);
        some |= key[k] <= bound && key[k] < top<Key>();
      }
      int workers = 0;
      team_.group_slot(some, kWide, workers);
      if (workers == 0) return;
      KONIG_UNROLL
      for (int k = 0; k < kAtOnce; ++k) {
        const int col = batch.col[k];
        // Columns at the bound fill up the list; those below it join even later.
        const bool small = key[k] < top<Key>() && (key[k] < bound || (key[k] == bound && used < kFilled));
        const int place = team_.group_slot(small && col != held && used < kListed, kWide, used);
        if (place >= 0 && place <= kListed) put(row, place, col, w_.costs.value(batch.cost[k]));
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
      const int place = team_.group_slot(one, kWide, used);
      if (place >= 0 && place < before + kAdded) put(row, place, col, value_at(row, col));
      if (used >= before + kAdded) break;
    }
    if (used > before + kAdded) used = before + kAdded;
    if (lane == 0 && used > before) bsp::store(w_.count + row, used);
    return lane == 0 ? used - before : 0;
  }

  Team& team_;
  const Workspace<Cost> w_;
  long long key_mask_ = -1;
};

}  // namespace konig::core_paths

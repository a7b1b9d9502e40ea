// The lists of the core, and sweeps over the whole matrix that choose what goes into them.
//
// A group of workers reads a row of the matrix in order, or a part of it where there are more groups than
// rows. The columns are dealt into kBuckets buckets, and the least of each bucket is kept: for a list, the
// bound below which columns join is the kRank-th of these, so that about 1.2 times as many columns as that
// are below it, wherever they lie; for a pricing the least themselves join. No list has to hold the smallest
// entries exactly: what is missing is found by pricing.
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

  KONIG_FN Lists(Team& team, const Workspace<Cost>& workspace) : team_(team), w_(workspace) {
    const long long groups = team_.count() / kWide / w_.rows, most = batches() / kBatchesOfPart;
    parts_ = groups < most ? groups : most;
    if (parts_ < 1) parts_ = 1;
  }

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

  // Places from `first` to before `last` in the order of a row.
  struct Span {
    unsigned first, last;
  };

  KONIG_FN Span whole_row() const { return {0, unsigned(w_.cols)}; }
  KONIG_FN Span part_of_row(long long part) const {
    const unsigned length = unsigned((batches() + parts_ - 1) / parts_ * kBatchColumns);
    const unsigned cols = unsigned(w_.cols), first = unsigned(part) * length;
    return {first < cols ? first : cols, first + length < cols ? first + length : cols};
  }

  // visit(row, part, lane) by a group for each part of each row.
  template <class Visit>
  KONIG_FN void for_each_part(Visit visit) {
    team_.for_each_wide(w_.rows * parts_, kWide, [&](long long item, int lane, int) {
      const long long row = parts_ == 1 ? item : item / parts_;
      visit(row, item - row * parts_, lane);
    });
  }

  // visit(at, batch) for the columns of a row. All workers of a group go around the same number of times.
  template <int kColumns, class Visit>
  KONIG_FN void sweep_batches(long long row, int lane, Span span, Visit visit) {
    const auto line = w_.costs.row(row);
    const Order order(w_, row);
    for (unsigned at = span.first; at < span.last; at += kColumns * kWide) {
      Batch<kColumns> batch;
      KONIG_UNROLL
      for (int k = 0; k < kColumns; ++k) {
        batch.col[k] = order(at + unsigned(k * kWide + lane));
        batch.cost[k] = line[batch.col[k] < 0 ? 0 : batch.col[k]];
      }
      visit(at, batch);
    }
    if (lane == 0) team_.spend(span.last - span.first);
  }

  // visit(bucket, col, cost) for the columns of a row, `bucket` being one of the worker's.
  template <int kColumns, class Visit>
  KONIG_FN void sweep_costs(long long row, int lane, Span span, Visit visit) {
    sweep_batches<kColumns>(row, lane, span, [&](unsigned at, const Batch<kColumns>& batch) {
      KONIG_UNROLL
      for (int k = 0; k < kColumns; ++k) visit(int((at / kWide + k) % kMine), batch.col[k], batch.cost[k]);
    });
  }

  // The same with the values of the costs, and -1 for columns that are not allowed.
  template <class Visit>
  KONIG_FN void sweep_row(long long row, int lane, Visit visit) {
    sweep_costs<kAtOnce>(row, lane, whole_row(), [&](int bucket, int col, Entry cost) {
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

  // The end of a row's list, to which one group appends, which then knows it, or groups of several parts.
  struct End {
    long long row;
    int limit;  // places of the list that may be taken
    int used;
    bool shared;
  };

  // A place behind the list for each worker of the group that wants one, else -1.
  KONIG_FN int place_for(bool wanted, int lane, End& end) {
    const unsigned takers = team_.group_ballot(wanted, kWide);
    if (takers == 0) return -1;
    const int many = bsp::count_bits(takers);
    if (end.shared)
      end.used = team_.group_at(lane == 0 ? take_places(end.row, many, end.limit) : 0, 0, kWide);
    const int place = end.used + bsp::count_bits(takers & ((1U << lane) - 1));
    end.used += many;
    return wanted && place < end.limit ? place : -1;
  }

  // So many places at the end of a list, or as many as there are below the limit: the first of them.
  KONIG_FN int take_places(long long row, int wanted, int limit) {
    int place = bsp::load(w_.count + row);
    while (place < limit) {
      const int next = place + wanted < limit ? place + wanted : limit;
      const int seen = bsp::compare_exchange(w_.count + row, place, next);
      if (seen == place) return place;
      place = seen;
    }
    return limit;
  }

  KONIG_FN void put(long long row, int place, int col, long long value) {
    bsp::store(w_.arc_col + row * w_.room + place, col);
    bsp::store(w_.arc_value + row * w_.room + place, value);
  }

  KONIG_FN long long value_at(long long row, int col) { return w_.costs.value(w_.costs.row(row)[col]); }

  // ---- selection: keys of all entries, bounds of the rows, lists

  // Duals as floats, and rows without lists.
  KONIG_FN void prepare_selection() {
    prepare_keys();
    if (parts_ == 1) return;
    team_.for_each(w_.rows * kBuckets,
                   [&](long long i) { bsp::store(least_of_row(i / kBuckets) + i % kBuckets, kUnreached); });
    team_.for_each(w_.rows, [&](long long row) {
      bsp::store(w_.count + row, int(bsp::settled(w_.col_of_row + row) >= 0));
    });
  }

  KONIG_FN void prepare_keys() {
    team_.for_each(w_.cols, [&](long long col) {
      w_.col_key[col] = w_.costs.nearly_dual(bsp::settled(w_.col_dual + col));
    });
  }

  // The least key of each bucket of all rows.
  KONIG_FN void find_least_keys(bool exact) {
    for_each_part([&](long long row, long long part, int lane) {
      if (exact)
        find_least<ExactKeys>(row, part, lane);
      else
        find_least<NearKeys>(row, part, lane);
    });
  }

  // The lists of all rows made anew: the column that a row is assigned to and others of small slack, the
  // least of which goes to row_distance. Adds this worker's part of the spread of their slacks, if it is
  // wanted.
  KONIG_FN void list_rows(bool exact, bool wants_spread, long long& spread) {
    for_each_part([&](long long row, long long part, int lane) {
      const long long of_row =
          exact ? list_part<ExactKeys>(row, part, lane) : list_part<NearKeys>(row, part, lane);
      if (wants_spread) spread += of_row;
    });
  }

  // Up to kAdded of what the buckets hold joins the list, to which groups of other parts may append, too.
  // Returns how many of this worker's did.
  KONIG_FN int add(long long row, int lane, const Values& found, bool shared) {
    // As the first worker sees it: the others must come to the same conclusions.
    const int before = team_.group_at(lane == 0 ? bsp::load(w_.count + row) : 0, 0, kWide);
    End end{row, shared ? int(w_.room) : before + kAdded, before, shared};
    long long last = -kUnreached;
    int taken = 0;
    for (int added = 0; added < kAdded && end.used < end.limit; ++added) {
      const long long next = least_above(found, last);
      if (next >= kUnreached) break;
      last = next;
      bool one = false;
      int col = -1;
      for (int k = 0; k < kMine; ++k)
        if (found.least[k] == next && !one) one = true, col = found.col[k];
      // Several workers may hold this value.
      const int place = place_for(one, lane, end);
      if (place >= 0) put(row, place, col, value_at(row, col));
      taken += place >= 0;
    }
    if (!shared && lane == 0 && end.used > before)
      bsp::store(w_.count + row, end.used < end.limit ? end.used : end.limit);
    return taken;
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
      if (bsp::settled(w_.claim + col) < kFewLists)
        added += choose_rows(col, lane, nearest_rows(col, lane, w_.row_distance));
    });
    return added;
  }

  // The rows of least value - of_row[row]. The column's dual is the same for all rows, so it is left out.
  KONIG_FN Values nearest_rows(long long col, int lane, const long long* of_row) {
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
        least[k] = bsp::settled(of_row + read);
        row[k] = place < w_.rows ? i : -1;
      }
      for (int k = 0; k < kAtOnce; ++k) {
        const long long value = w_.costs.value(cost[k]);
        if (value < kInfinite)
          nearest.keep(int((at / kWide + k) % kMine), int(row[k]), (value & key_mask_) - least[k]);
      }
    }
    if (lane == 0) team_.spend(w_.rows);
    return nearest;
  }

  // The column joins the lists of its nearest rows. Returns how many it was not in.
  KONIG_FN long long choose_rows(long long col, int lane, Values nearest) {
    long long added = 0;
    for (int chosen = 0; chosen < kRowsAdded; ++chosen) {
      const int row = take_least(nearest);
      if (row < 0) break;
      if (!list_contains(row, int(col), lane) && lane == 0) added += append(row, int(col));
    }
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
    for_each_part([&](long long row, long long part, int lane) {
      const long long dual = bsp::settled(w_.row_dual + row);
      const float key = w_.costs.nearly_dual(dual);
      const float margin = cut + kError * size_of(key);
      const Order order(w_, row);
      Values found;
      sweep_batches<kAtOnce>(row, lane, part_of_row(part), [&](unsigned at, const Batch<kAtOnce>& batch) {
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
      join(added, row, lane, found, parts_ > 1);
    });
    return added;
  }

  // Rows that reach no free column get columns that do.
  KONIG_FN Added extend_rows() {
    Added added;
    team_.for_each_wide(w_.rows, kWide, [&](long long row, int lane, int) {
      if (bsp::settled(w_.row_distance + row) < kUnreached) return;
      Values found;
      sweep_costs<kSeldom>(row, lane, whole_row(), [&](int bucket, int col, Entry cost) {
        const long long value = w_.costs.value(cost);
        if (col < 0 || value >= kInfinite) return;
        const long long distance = bsp::settled(w_.col_distance + col);
        const long long rest = value - bsp::settled(w_.col_dual + col);
        found.keep(bucket, distance < kUnreached ? col : -1, rest + distance);
      });
      join(added, row, lane, found, false);
    });
    return added;
  }

  Team& team_;
  const Workspace<Cost> w_;
  long long key_mask_ = -1;
  long long parts_;  // into which a row is cut for sweeps, so that there is one for each group

 private:
  static constexpr long long kBatchColumns = kAtOnce * kWide;
  static constexpr long long kBatchesOfPart = 2;  // at least

  KONIG_FN long long batches() const { return (w_.cols + kBatchColumns - 1) / kBatchColumns; }

  KONIG_FN long long* least_of_row(long long row) const { return w_.least_key + row * kBuckets; }

  // The slack of an entry as a key: a float, which is good enough for a choice.
  struct NearKeys {
    using Key = float;
    static constexpr int kColumns = kAtOnce;
    const Workspace<Cost>& w;

    KONIG_FN NearKeys(const Workspace<Cost>& w, long long) : w(w) {}
    KONIG_FN float operator()(int col, Entry cost) const {
      return w.costs.nearly(cost) - bsp::settled(w.col_key + col);
    }
  };

  // At scales that were made coarser it is exact, and bits below the scale do not count.
  struct ExactKeys {
    using Key = long long;
    static constexpr int kColumns = kSeldom;
    const Workspace<Cost>& w;
    const long long mask;

    KONIG_FN ExactKeys(const Workspace<Cost>& w, long long mask) : w(w), mask(mask) {}
    KONIG_FN long long operator()(int col, Entry cost) const {
      const long long value = w.costs.value(cost);
      if (value >= kInfinite) return kUnreached;
      return (value & mask) - (bsp::settled(w.col_dual + col) & mask);
    }
  };

  // Keys in the order of whole numbers: the bits of a float, of a negative one all but the sign inverted.
  union FloatBits {
    float key;
    int bits;
  };
  static KONIG_FN long long ordered(long long key) { return key; }
  static KONIG_FN long long ordered(float key) {
    FloatBits word;
    word.key = key;
    return word.bits < 0 ? word.bits ^ 0x7fffffff : word.bits;
  }
  static KONIG_FN void key_from(long long word, long long& key) { key = word; }
  static KONIG_FN void key_from(long long word, float& key) {
    FloatBits bits;
    bits.bits = word < 0 ? int(word) ^ 0x7fffffff : int(word);
    key = word < kUnreached ? bits.key : top<float>();
  }

  KONIG_FN long long whole(long long key) const { return key; }
  KONIG_FN long long whole(float key) const { return w_.costs.units(key); }

  template <class Keys>
  KONIG_FN void find_least(long long row, long long part, int lane) {
    const Keys key_of(w_, key_mask_);
    Buckets<typename Keys::Key> buckets;
    sweep_costs<Keys::kColumns>(row, lane, part_of_row(part), [&](int bucket, int col, Entry cost) {
      if (col >= 0) buckets.keep(bucket, col, key_of(col, cost));
    });
    for (int k = 0; k < kMine; ++k) {
      long long* const place = least_of_row(row) + k * kWide + lane;
      if (parts_ == 1)
        bsp::store(place, ordered(buckets.least[k]));
      else
        bsp::fetch_min(place, ordered(buckets.least[k]));
    }
  }

  // Those of a part that are below the bound of the row. Returns the spread of slacks up to that bound, on
  // one worker of the row.
  template <class Keys>
  KONIG_FN long long list_part(long long row, long long part, int lane) {
    using Key = typename Keys::Key;
    constexpr int kColumns = Keys::kColumns;
    const Keys key_of(w_, key_mask_);
    Buckets<Key> buckets;
    for (int k = 0; k < kMine; ++k)
      key_from(bsp::settled(least_of_row(row) + k * kWide + lane), buckets.least[k]);
    const Key least = least_above(buckets, -top<Key>());
    Key bound = least;
    while (bound < top<Key>() && count_upto(buckets, bound) < kRank) {
      const Key next = least_above(buckets, bound);
      if (!(next < top<Key>())) break;
      bound = next;
    }
    const int held = bsp::settled(w_.col_of_row + row);
    if (held >= 0 && part == 0 && lane == 0) put(row, 0, held, value_at(row, held));
    End end{row, kListed + 1, int(held >= 0), parts_ > 1};
    const Order order(w_, row);
    const auto line = w_.costs.row(row);
    sweep_batches<kColumns>(row, lane, part_of_row(part), [&](unsigned at, const Batch<kColumns>& batch) {
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
        const bool small = key < top<Key>() && (key < bound || (key == bound && end.used < kFilled));
        const int place = place_for(small && col != held && end.used < kListed, lane, end);
        if (place >= 0) put(row, place, col, w_.costs.value(cost));
      }
    });
    if (lane != 0) return 0;
    if (!end.shared) bsp::store(w_.count + row, end.used < end.limit ? end.used : end.limit);
    if (part > 0) return 0;
    bsp::store(w_.row_distance + row, whole(least));
    return bound < top<Key>() ? whole(bound - least) : 0;
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
    const int limit = int(w_.room) - kAdded, place = take_places(row, 1, limit);
    if (place >= limit) return 0;
    put(row, place, col, value_at(row, col));
    return 1;
  }

  static constexpr float kError = 1.0f / (1 << 21);
  static constexpr float kTiny = 1e-36f;  // floats below are less exact

  static KONIG_FN float size_of(float key) { return key < 0 ? -key : key; }

  KONIG_FN void join(Added& added, long long row, int lane, const Values& found, bool shared) {
    added.pairs += add(row, lane, found, shared);
    if (lane == 0) added.full |= bsp::load(w_.count + row) + kAdded > w_.room;
  }
};

}  // namespace konig::core_paths

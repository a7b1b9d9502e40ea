// What the core lacks: pairs that undercut the duals, and columns for rows that reach none that is free.
//
// A pricing looks at every cost of the matrix, and hardly one undercuts the duals. Slacks are calculated in
// floats first. Each of cost, duals and slack is off by at most 2^-24 of its size, so that with sizes c, v
// and u the slack is off by less than 2^-21 (c + v + u), and a value that is cut to the bits of the scale is
// less by up to a unit of that. A pair whose slack in floats is larger than both together does not undercut;
// of the others the exact slack decides. Sums that overflow, and what is not a number, count as near.
#pragma once

#include "konig/assignment/core/two_sided.h"

namespace konig::core_paths {

template <class Team, class Cost>
class Pricing : protected TwoSided<Team, Cost> {
 protected:
  using Base = TwoSided<Team, Cost>;
  using Base::team_, Base::w_, Base::kWide, Base::kMine, Base::kAtOnce;
  using typename Base::Batch, typename Base::Values;

  KONIG_FN Pricing(Team& team, const Workspace<Cost>& workspace) : Base(team, workspace) {}

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
      Values found;
      this->sweep_batches(row, lane, [&](unsigned at, const Batch& batch) {
        unsigned near = 0;
        KONIG_UNROLL
        for (int k = 0; k < kAtOnce; ++k) {
          const float cost = w_.costs.nearly(batch.cost[k]);
          const float of_col = bsp::settled(w_.col_key + (batch.col[k] < 0 ? 0 : batch.col[k]));
          const bool above = cost - of_col - key > margin + kError * (size_of(cost) + size_of(of_col));
          near |= unsigned(!above && batch.col[k] >= 0) << k;
        }
        if (near == 0) return;
        KONIG_UNROLL
        for (int k = 0; k < kAtOnce; ++k) {
          if (!(near >> k & 1)) continue;
          const long long value = w_.costs.value(batch.cost[k]);
          const long long slack = (value & this->key_mask_) - bsp::settled(w_.col_dual + batch.col[k]) - dual;
          const bool undercuts = value < kInfinite && slack < 0;
          found.keep(int((at / kWide + k) % kMine), undercuts ? batch.col[k] : -1, slack);
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
      this->sweep_costs(row, lane, [&](int bucket, int col, Cost cost) {
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

 private:
  static constexpr float kError = 1.0f / (1 << 21);
  static constexpr float kTiny = 1e-36f;  // floats below are less exact

  static KONIG_FN float size_of(float key) { return key < 0 ? -key : key; }

  KONIG_FN void join(Added& added, long long row, int lane, const Values& found) {
    added.pairs += this->add(row, lane, found);
    if (lane == 0) added.full |= bsp::load(w_.count + row) + kAdded > w_.room;
  }
};

}  // namespace konig::core_paths

// G-PR: global relabelling (G-GR, Algorithms 4 and 5), exact or beside the pushes, and gap relabelling.
//
// One superstep of each; where the next one follows from what the team agreed on is push_relabel.h's
// business.
#pragma once

#include "konig/papers/g_pr/state.h"

namespace konig::push_relabel {

template <class V, class Team, class Id, class Offset>
class Labels {
 public:
  KONIG_FN Labels(Team& team, const Workspace<Id, Offset>& workspace) : team_(team), w_(workspace) {}

  // INITRELABEL. Returns this worker's share of the free rows.
  KONIG_FN long long reset(Id* row_label, Id* col_label) {
    long long free = 0;
    const auto partner = [&](long long row) { return bsp::load(w_.col_of_row + row); };
    team_.for_each_ahead(w_.rows, partner, [&](long long row, Id mate) {
      bsp::store(row_label + row, mate >= 0 ? w_.limit() : Id(0));
      free += mate < 0;
    });
    team_.for_each(w_.cols, [&](long long col) { bsp::store(col_label + col, w_.limit()); });
    return free;
  }

  // Whether one of this worker's rows has a list that is too long for one worker.
  KONIG_FN bool any_long_row() {
    bool any = false;
    team_.for_each(w_.rows, [&](long long row) { any |= bsp::exceeds_share(w_.row_start, row); });
    return any;
  }

  // G-GR-KRNL: one level, or one part of it where lists are long.
  KONIG_FN unsigned expand(Id* row_label, Id* col_label, long long level, long long part, bool uneven) {
    unsigned signs = 0;
    const auto entries = [&](long long row) { return bsp::part_of_list(w_.row_start, row, part).size(); };
    team_.for_each_where(
        w_.rows, bsp::Words<Id>{row_label}, [level = Id(level)](Id label) { return label == level; },
        bsp::BySize{uneven, entries},
        [&](long long row, int lane, int width) {
          signs |= expand_row(row, row_label, col_label, level, part, lane, width);
        });
    return signs;
  }

  // Takes over what a relabelling beside the pushes found. Rows may have other partners by now, and a row's
  // way goes through its partner: its label follows from that column's.
  KONIG_FN void take_shadow() {
    team_.for_each(w_.rows, [&](long long row) {
      const Id mate = bsp::load(w_.col_of_row + row);
      const Id below = mate < 0 ? Id(-1) : bsp::load(w_.shadow_col_label + mate);
      bsp::store(w_.row_label + row, below < w_.limit() ? Id(below + 1) : below);
    });
    team_.for_each(w_.cols, [&](long long col) {
      bsp::store(w_.col_label + col, bsp::load(w_.shadow_col_label + col));
    });
  }

  // Gap relabelling in three supersteps: rows mark their levels, ...
  KONIG_FN void mark_levels(long long pass) {
    team_.for_each(w_.rows, [&](long long row) {
      const Id label = bsp::load(w_.row_label + row);
      if (label < w_.limit()) bsp::store(w_.level_seen + label, Id(pass));
    });
  }

  // ... an empty level below a used one is found (any will do: racing writers may not leave the lowest), ...
  KONIG_FN unsigned find_gap(long long pass) {
    long long lowest = -1;
    team_.for_each((long long)w_.limit() - 1, [&](long long level) {
      if (bsp::load(w_.level_seen + level) == Id(pass)) return;
      if (bsp::load(w_.level_seen + level + 1) != Id(pass)) return;
      if (lowest < 0 || level < lowest) lowest = level;
    });
    if (lowest >= 0) bsp::store(&w_.state->gap, lowest);
    return lowest >= 0 ? kFound : 0;
  }

  // ... and every row above it goes out of reach.
  KONIG_FN void lift_rows() {
    const long long gap = bsp::load(&w_.state->gap);
    team_.for_each(w_.rows, [&](long long row) {
      if (bsp::load(w_.row_label + row) > Id(gap)) bsp::store(w_.row_label + row, w_.limit());
    });
  }

  long long edges_scanned = 0;

 private:
  KONIG_FN unsigned expand_row(long long row, Id* row_label, Id* col_label, long long level, long long part,
                               int lane, int width) {
    const auto [first, last, goes_on] = bsp::part_of_list(w_.row_start, row, part);
    unsigned signs = goes_on ? kUnscanned : 0;
    const Id limit = w_.limit();
    for (long long k = first + lane * kBatch; k < last; k += kBatch * width) {
      Id col[kBatch], label[kBatch], mate[kBatch];
      for (int j = 0; j < kBatch; ++j) col[j] = k + j < last ? w_.row_cols[k + j] : Id(-1);
      for (int j = 0; j < kBatch; ++j) {
        label[j] = col[j] >= 0 ? bsp::load(col_label + col[j]) : Id(0);
        mate[j] = col[j] >= 0 ? bsp::load(w_.row_of_col + col[j]) : Id(-1);
      }
      for (int j = 0; j < kBatch; ++j) {
        if (label[j] != limit) continue;
        bsp::store(col_label + col[j], Id(level));
        if (mate[j] < 0 || bsp::load(w_.col_of_row + mate[j]) != col[j]) continue;
        bsp::store(row_label + mate[j], Id(level + 1));
        signs |= kInserted;
      }
    }
    if (last > first && lane == 0) {
      team_.spend(last - first);
      if (V::kCounted) edges_scanned += last - first;
    }
    return signs;
  }

  Team& team_;
  const Workspace<Id, Offset>& w_;
};

}  // namespace konig::push_relabel

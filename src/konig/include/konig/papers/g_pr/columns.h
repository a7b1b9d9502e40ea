// G-PR: active columns, their lists and their pushes (Algorithms 6, 8 and 9), retiring and reviving.
//
// A column is active when it has no partner and is not retired: row_of_col is kFree, or a row that has gone
// to another column. Lists: Ac holds the active columns, each once, or kNobody; Ap holds, slot by slot, what
// a push leaves behind: the column that lost its row. The two swap, and then the slot holds in Ap the column
// that pushed and in Ac the one that it displaced. Should the push have lost a race for its row, the pusher
// comes back and the displaced column, which the winner's slot holds as well, is dropped (column_of_slot).
#pragma once

#include "konig/papers/g_pr/state.h"

namespace konig::push_relabel {

template <class V, class Team, class Id, class Offset>
class Columns {
 public:
  KONIG_FN Columns(Team& team, const Workspace<Id, Offset>& workspace) : team_(team), w_(workspace) {}

  // Lists all active columns anew; two barriers. Returns how many there are.
  KONIG_FN long long gather(Id* current, Id stamp) {
    const auto active_or_nobody = [&](long long col, bool) { return active(col) ? Id(col) : Id(kNobody); };
    return compact(w_.cols, current, stamp, active_or_nobody);
  }

  // G-PR-SHRKRNL; two barriers. Returns how many active columns there are.
  KONIG_FN long long shrink(const Id* current, const Id* previous, long long length, Id* spare, Id stamp) {
    const auto column = [&](long long slot, bool count) {
      return column_of_slot(current, previous, slot, count);
    };
    return compact(length, spare, stamp, column);
  }

  // G-PR-INITKRNL. Returns this worker's share of the active columns.
  KONIG_FN long long init(Id* current, const Id* previous, long long length, Id stamp) {
    long long active = 0;
    team_.for_each(length, [&](long long slot) {
      const Id col = column_of_slot(current, previous, slot, true);
      bsp::store(current + slot, col);
      if (col < 0) return;
      bsp::store(w_.active_in + col, stamp);
      ++active;
    });
    return active;
  }

  // G-PR-PUSHKRNL, or one part of it where lists of rows are long.
  KONIG_FN unsigned push_listed(Id* current, Id* previous, long long length, Id stamp, long long part) {
    unsigned signs = 0;
    team_.for_each(length, [&](long long slot) {
      const Id col = bsp::load(current + slot);
      if (col < 0) {
        if (part == 0) bsp::store(previous + slot, Id(kNobody));
        return;
      }
      const Choice lowest = choose(col, part);
      signs |= lowest.signs;
      if (!lowest.decided) return;
      Id displaced = kNobody;
      if (lowest.label >= w_.limit()) {
        retire(col);
        bsp::store(current + slot, Id(kNobody));
      } else {
        const Id mate = bsp::load(w_.col_of_row + lowest.row);
        if (mate < 0 || bsp::load(w_.active_in + mate) != stamp) {
          push(col, lowest);
          displaced = mate;
          signs |= kPushed;
        }
      }
      bsp::store(previous + slot, displaced);
    });
    return signs;
  }

  // G-PR-KRNL, or one part of it. Adds this worker's share of the active columns.
  KONIG_FN unsigned push_all(long long part, long long& active_columns) {
    unsigned signs = 0;
    team_.for_each(w_.cols, [&](long long col) {
      if (part == 0 && !active(col)) {
        if (w_.col_start[col + 1] - w_.col_start[col] > kScanLimit)
          bsp::store(w_.candidate + col, Id(kDecided));
        return;
      }
      if (part == 0) ++active_columns;
      const Choice lowest = choose(Id(col), part);
      signs |= lowest.signs;
      if (!lowest.decided) return;
      if (lowest.label >= w_.limit()) {
        retire(Id(col));
      } else {
        push(Id(col), lowest);
        signs |= kPushed;
      }
    });
    return signs;
  }

  // After an exact relabelling: retired columns within reach become active. Returns this worker's share. (At
  // that time no column is active; should one be, it counts as revived, so that the answer rests on this
  // alone.)
  KONIG_FN long long revive() {
    long long revived = 0;
    team_.for_each(w_.cols, [&](long long col) {
      if (bsp::load(w_.col_label + col) >= w_.limit()) return;
      if (bsp::load(w_.row_of_col + col) != kRetired && !active(col)) return;
      bsp::store(w_.row_of_col + col, Id(kFree));
      ++revived;
    });
    return revived;
  }

  // Names an active column within reach, the last writer's, for a rescue.
  KONIG_FN unsigned choose_rescue() {
    unsigned signs = 0;
    team_.for_each(w_.cols, [&](long long col) {
      if (!active(col) || bsp::load(w_.col_label + col) >= w_.limit()) return;
      bsp::store(&w_.state->rescued, col);
      bsp::store(&w_.state->rescue_at, 0LL);
      signs = kFound;
    });
    return signs;
  }

  // One worker, right after an exact relabelling, pushes the rescued column down to a free row, or a part of
  // the way. Labels on the way are exact: each push goes one level down.
  KONIG_FN unsigned rescue() {
    Id col = Id(bsp::load(&w_.state->rescued));
    long long at = bsp::load(&w_.state->rescue_at), budget = kScanLimit;
    while (budget > 0) {
      const long long first = w_.col_start[col], length = w_.col_start[col + 1] - first;
      if (at == length) return kLost;
      const Id row = w_.col_rows[first + at++], label = bsp::load(w_.row_label + row);
      --budget;
      if (label != bsp::load(w_.col_label + col)) continue;
      const Id mate = bsp::load(w_.col_of_row + row);
      push(col, Choice{true, 0, row, label});
      if (mate < 0) return 0;
      col = mate;
      at = 0;
    }
    team_.spend(kScanLimit);
    bsp::store(&w_.state->rescued, (long long)col);
    bsp::store(&w_.state->rescue_at, at);
    return kUndecided;
  }

  // FIXMATCHING.
  KONIG_FN void fix() {
    team_.for_each(w_.cols, [&](long long col) {
      const Id row = bsp::load(w_.row_of_col + col);
      if (row < 0 || bsp::load(w_.col_of_row + row) != col) bsp::store(w_.row_of_col + col, Id(kFree));
    });
  }

  long long edges_scanned = 0, pushes = 0, conflicts = 0, retired = 0;

 private:
  struct Choice {
    bool decided;
    unsigned signs;
    Id row;
    Id label;
  };

  KONIG_FN bool active(long long col) const {
    const Id row = bsp::load(w_.row_of_col + col);
    return row == kFree || (row >= 0 && bsp::load(w_.col_of_row + row) != Id(col));
  }

  // Which column a slot stands for: the one displaced by its push, or, if that was lost, the pusher again.
  KONIG_FN Id column_of_slot(const Id* current, const Id* previous, long long slot, bool count) {
    const Id pusher = bsp::load(previous + slot);
    if (pusher < 0 || !active(pusher)) return bsp::load(current + slot);
    if (V::kCounted && count) ++conflicts;
    return pusher;
  }

  // Writes what column_of gives for the items into a list without holes, and stamps it. Each worker counts,
  // learns where its part of the list begins, and writes.
  template <class ColumnOf>
  KONIG_FN long long compact(long long items, Id* list, Id stamp, ColumnOf column_of) {
    long long count = 0;
    team_.for_each(items, [&](long long item) { count += column_of(item, true) >= 0; });
    const bsp::Scanned place = team_.scan(count);
    long long slot = place.before;
    team_.for_each(items, [&](long long item) {
      const Id col = column_of(item, false);
      if (col < 0) return;
      bsp::store(list + slot++, col);
      bsp::store(w_.active_in + col, stamp);
    });
    team_.barrier();
    return place.total;
  }

  // Lines 5-11 of Algorithm 6: a row of the lowest label, or the first one that is as low as it can be.
  KONIG_FN Choice choose(Id col, long long part) {
    const auto [first, last, more] = bsp::part_of_list(w_.col_start, col, part);
    Id row = kFree, label = w_.limit();
    if (part > 0) {
      if (first == last) return {false, 0, row, label};
      row = bsp::load(w_.candidate + col);
      if (row == kDecided) return {false, 0, row, label};
      if (row >= 0) label = bsp::load(w_.row_label + row);
    }
    const Id lowest_possible = bsp::load(w_.col_label + col);
    bool admissible = row >= 0 && label == lowest_possible;
    long long k = first;
    while (k < last && !admissible) {
      Id others[kBatch], labels[kBatch];
      for (int j = 0; j < kBatch; ++j) others[j] = k + j < last ? w_.col_rows[k + j] : Id(-1);
      for (int j = 0; j < kBatch; ++j)
        labels[j] = others[j] >= 0 ? bsp::load(w_.row_label + others[j]) : w_.limit();
      for (int j = 0; j < kBatch && k < last && !admissible; ++j, ++k) {
        if (labels[j] >= label) continue;
        row = others[j];
        label = labels[j];
        admissible = label == lowest_possible;
      }
    }
    team_.spend(k - first);
    if (V::kCounted) edges_scanned += k - first;
    const bool goes_on = !admissible && more;
    if (part > 0 || more) bsp::store(w_.candidate + col, goes_on ? row : Id(kDecided));
    return {!goes_on, goes_on ? kUndecided : 0, row, label};
  }

  KONIG_FN void push(Id col, const Choice& lowest) {
    bsp::store(w_.col_of_row + lowest.row, col);
    bsp::store(w_.row_of_col + col, lowest.row);
    bsp::store(w_.col_label + col, lowest.label);
    bsp::store(w_.row_label + lowest.row, Id(lowest.label + 1));
    if (V::kCounted) ++pushes;
  }

  KONIG_FN void retire(Id col) {
    bsp::store(w_.row_of_col + col, Id(kRetired));
    if (V::kCounted) ++retired;
  }

  Team& team_;
  const Workspace<Id, Offset>& w_;
};

}  // namespace konig::push_relabel

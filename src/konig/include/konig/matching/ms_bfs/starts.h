// The matchings that `ms-bfs` starts from; each is a superstep or a few.
//
// The diagonal, before all others, if a square pattern seems to have all of it: every column takes the row of
// its own number. Many matrices come with a full diagonal, and are then solved.
//
// Greedy: unmatched columns claim rows, those with short lists first, since they have the least choice. A
// column begins at a place in its list that depends on the column: all beginning at the first drifts in one
// direction and leaves unmatched rows and columns far apart. If the pattern looks symmetric the length of a
// row is known as well, and of the first few free rows the shortest is taken.
//
// Pairs, before it, if there is no such diagonal and the pattern looks symmetric and full of triangles: two
// vertices that are unmatched both as row and as column take each other both ways. What remains unmatched is
// then the same vertices on both sides, and where odd cycles are short so are the paths between them: on a
// Delaunay mesh of a million vertices 50 levels in all instead of 2,000.
//
// While pairing, parent[] holds locks, -1 where there is none.
#pragma once

#include "konig/matching/ms_bfs/state.h"

namespace konig::multi_source_bfs {

KONIG_FN unsigned mix(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  return x ^ (x >> 16);
}

template <class Team, class Id, class Offset>
class Starts {
 public:
  KONIG_FN Starts(Team& team, const Workspace<Id, Offset>& workspace) : team_(team), w_(workspace) {}

  // From a sample of columns and an entry of each: symmetric if nine entries of ten have their mirror image,
  // and full of triangles if half of them lie on one and few vertices are hubs; with a full diagonal if all
  // columns that are not empty list themselves. Opens all locks.
  KONIG_FN int look() {
    team_.for_each(w_.rows, [&](long long row) { bsp::store(w_.parent + row, Id(-1)); });
    if (w_.rows != w_.cols) {
      team_.barrier();
      return kUnlike;
    }
    long long seen = 0;  // five counts of at most kSamples, twelve bits each
    const long long samples = w_.cols < kSamples ? w_.cols : kSamples;
    team_.for_each(samples, [&](long long i) {
      const Id col = Id(w_.cols / samples * i);
      if (length(col) > 0 && !lists(col, col)) seen += 1LL << 48;
      const Id partner = shortest_neighbour(col);
      if (partner < 0) return;
      if (length(partner) > kStartScans || length(col) > kStartScans)
        seen += 1LL << 36;
      else
        seen += 1 + ((long long)lists(partner, col) << 12) + ((long long)have_common(partner, col) << 24);
    });
    seen = team_.sum(seen);
    const long long sampled = seen & 0xfff, mirrored = seen >> 12 & 0xfff, triangles = seen >> 24 & 0xfff,
                    hubs = seen >> 36 & 0xfff, lacking = seen >> 48;
    const int diagonal = lacking == 0 ? kFullDiagonal : 0;
    if (mirrored == 0 || 10 * mirrored < 9 * sampled) return kUnlike + diagonal;
    return (2 * triangles >= sampled && 8 * hubs <= sampled ? kTriangles : kSymmetric) + diagonal;
  }

  // No other column takes the row of a column's own number meanwhile. Of long lists the diagonal may be
  // missed.
  KONIG_FN void diagonal() {
    team_.for_each(w_.cols, [&](long long index) {
      const Id v = Id(index);
      if (!free_both_ways(v) || !lists(v, v)) return;
      bsp::store(w_.row_of_col + v, v);
      bsp::store(w_.col_of_row + v, v);
    });
    team_.barrier();
  }

  KONIG_FN void pair() {
    Id* lock = w_.parent;
    const auto in_play = [&](long long v) { return bsp::load(lock + v) < 0 && free_both_ways(Id(v)); };
    const auto yes = [](bool wanted) { return wanted; };
    team_.for_each_where(w_.cols, in_play, yes, 1, [&](long long index, int, int) {
      const Id v = Id(index);
      if (bsp::load(lock + v) >= 0 || bsp::compare_exchange(lock + v, Id(-1), v) != -1) return;
      if (!free_both_ways(v) || !pair_up(v)) bsp::store(lock + v, Id(-1));
    });
    team_.barrier();
  }

  // One pass of kGreedyPasses, or the last one for lists of any length.
  KONIG_FN void greedy(int pass, bool any_length, bool symmetric) {
    const long long shortest = pass == 0 || any_length ? 1 : (1LL << (pass - 1)) + 1;
    const long long longest = 1LL << pass;
    const bool unbounded = pass == kGreedyPasses - 1;
    struct Open {
      Id mate;
      Offset entries;
    };
    team_.for_each_where(
        w_.cols, [&](long long col) { return Open{bsp::load(w_.row_of_col + col), length(Id(col))}; },
        [&](const Open& seen) {
          return seen.mate < 0 && seen.entries >= shortest && (seen.entries <= longest || unbounded);
        },
        1, [&](long long col, int, int) { claim_row(Id(col), symmetric); });
    team_.barrier();
  }

 private:
  // Whether the list of `col`, as far as a start looks, holds `row`.
  KONIG_FN bool lists(Id col, Id row) const {
    const Offset first = w_.col_start[col];
    const Offset last =
        w_.col_start[col + 1] < first + kStartScans ? w_.col_start[col + 1] : first + kStartScans;
    for (Offset k = first; k < last; ++k)
      if (w_.col_rows[k] == row) return true;
    return false;
  }

  KONIG_FN Id shortest_neighbour(Id col) const {
    Id found = -1;
    for (Offset k = w_.col_start[col]; k < w_.col_start[col + 1] && k < w_.col_start[col] + kShort; ++k) {
      const Id row = w_.col_rows[k];
      if (row != col && (found < 0 || length(row) < length(found))) found = row;
    }
    return found;
  }

  // Whether two lists, as far as kShort entries of the first go, share a third vertex.
  KONIG_FN bool have_common(Id v, Id u) const {
    for (Offset k = w_.col_start[v]; k < w_.col_start[v + 1] && k < w_.col_start[v] + kShort; ++k)
      if (w_.col_rows[k] != u && w_.col_rows[k] != v && lists(u, w_.col_rows[k])) return true;
    return false;
  }

  KONIG_FN void claim_row(Id col, bool symmetric) {
    for (int attempt = 0; attempt < kChoices; ++attempt) {
      const Id row = choose_row(col, symmetric ? kChoices : 1);
      if (row < 0) return;
      if (bsp::compare_exchange(w_.col_of_row + row, Id(-1), col) != -1) continue;
      return bsp::store(w_.row_of_col + col, row);
    }
  }

  // The shortest of the first few free rows, -1 if there is none; the loads of a batch travel together.
  KONIG_FN Id choose_row(Id col, int choices) {
    const Offset first = w_.col_start[col];
    const Offset entries = w_.col_start[col + 1] - first;
    const Offset begin = anywhere(col, entries);
    const int scans = entries < kStartScans ? int(entries) : kStartScans;
    team_.spend(scans);
    Id best = -1;
    Offset best_length = 0;
    for (int i = 0; i < scans && choices > 0; i += kBatch) {
      Id row[kBatch], mate[kBatch];
      for (int j = 0; j < kBatch; ++j) {
        const Offset k = begin + i + j < entries ? begin + i + j : begin + i + j - entries;
        row[j] = i + j < scans ? w_.col_rows[first + k] : Id(-1);
      }
      for (int j = 0; j < kBatch; ++j) mate[j] = row[j] >= 0 ? bsp::load(w_.col_of_row + row[j]) : Id(0);
      for (int j = 0; j < kBatch; ++j) {
        if (mate[j] >= 0 || choices == 0) continue;
        --choices;
        const Offset row_length = choices > 0 || best >= 0 ? length(row[j]) : Offset(0);
        if (best >= 0 && row_length >= best_length) continue;
        best = row[j];
        best_length = row_length;
      }
    }
    return best;
  }

  // A place in a list of that length.
  KONIG_FN static Offset anywhere(Id col, Offset entries) {
    return Offset(mix(unsigned(col)) % (unsigned long long)entries);
  }

  KONIG_FN Offset length(Id col) const { return w_.col_start[col + 1] - w_.col_start[col]; }

  KONIG_FN bool free_both_ways(Id v) const {
    return (bsp::load(w_.row_of_col + v) & bsp::load(w_.col_of_row + v)) < 0;  // both negative
  }

  // With the first vertex of its list that is free both ways and lists it in turn, from a place that depends
  // on the column.
  KONIG_FN bool pair_up(Id v) {
    Id* lock = w_.parent;
    const Offset first = w_.col_start[v], entries = length(v);
    if (entries == 0) return false;
    Offset k = anywhere(v, entries);
    const int scans = entries < kStartScans ? int(entries) : kStartScans;
    team_.spend(scans);
    for (int i = 0; i < scans; ++i, k = k + 1 < entries ? k + 1 : Offset(0)) {
      const Id u = w_.col_rows[first + k];
      if (u == v || bsp::load(lock + u) >= 0 || !free_both_ways(u) || !lists(u, v)) continue;
      if (bsp::compare_exchange(lock + u, Id(-1), v) != -1) continue;
      bsp::store(w_.row_of_col + v, u);
      bsp::store(w_.col_of_row + v, u);
      bsp::store(w_.row_of_col + u, v);
      bsp::store(w_.col_of_row + u, v);
      return true;
    }
    return false;
  }

  Team& team_;
  const Workspace<Id, Offset>& w_;
};

}  // namespace konig::multi_source_bfs

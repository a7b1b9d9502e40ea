// Sweeps over the cost matrix: the slacks of many rows against the columns that a worker holds.
//
// The columns are cut into strips, one for a group of workers at a time. Neighbouring workers of a group hold
// neighbouring columns, so that a row of the matrix is read in order; a worker keeps what it learns of its
// columns while it goes from row to row. Where there are fewer strips than groups the rows are cut, too.
#pragma once

#include "konig/papers/hungarian/state.h"

namespace konig::hungarian {

template <class Team, class Cost>
class Sweeps {
 protected:
  static constexpr int kWide = Team::kWarp;
  static constexpr bool kInRegisters = kWide > 1;              // what a worker keeps of its columns
  static constexpr int kStrip = kInRegisters ? 4 : kCpuStrip;  // columns of a worker
  // So that 16 bytes for each of them travel together.
  static constexpr int kRowsAtOnce = kInRegisters ? 16 / int(sizeof(Cost)) : 1;

  // visit(k) for k < columns <= kStrip. What lies in registers is indexed by constants.
  template <class Visit>
  static KONIG_FN void for_strip(int columns, Visit visit) {
    if constexpr (kInRegisters) {
      KONIG_UNROLL
      for (int k = 0; k < kStrip; ++k)
        if (k < columns) visit(k);
    } else {
      for (int k = 0; k < columns; ++k) visit(k);
    }
  }

  KONIG_FN Sweeps(Team& team, const Workspace<Cost>& workspace) : team_(team), w_(workspace) {
    strips_ = (w_.cols + kStrip * kWide - 1) / (kStrip * kWide);
    most_chunks_ = 2 * (team_.count() / kWide) / strips_;
  }

  // Of strip `strip` the columns left, left + kWide, ...: `mine` of them.
  struct Strip {
    long long left;
    int mine;
    long long dual[kStrip];

    KONIG_FN long long col(int k) const { return left + k * kWide; }
  };

  KONIG_FN Strip strip_at(long long strip, int lane) const {
    Strip s;
    s.left = strip * (kStrip * kWide) + lane;
    const long long more = (w_.cols - s.left + kWide - 1) / kWide;
    s.mine = more < 0 ? 0 : more < kStrip ? int(more) : kStrip;
    return s;
  }

  // The duals of the columns; those reached in this search are out of it.
  KONIG_FN Strip open_columns(long long strip, int lane) const {
    Strip s = strip_at(strip, lane);
    for_strip(s.mine, [&](int k) {
      const bool open = bsp::settled(w_.col_since + s.col(k)) < 0;
      s.dual[k] = open ? bsp::settled(w_.col_dual + s.col(k)) : -kOut;
    });
    return s;
  }

  KONIG_FN Strip all_columns(long long strip, int lane) const {
    Strip s = strip_at(strip, lane);
    for_strip(s.mine, [&](int k) { s.dual[k] = bsp::settled(w_.col_dual + s.col(k)); });
    return s;
  }

  // visit(row, slacks) for the rows row_at(first), ..., row_at(last - 1), the slacks in the order of a strip.
  template <class RowAt, class Visit>
  KONIG_FN void sweep(const Strip& strip, long long first, long long last, RowAt row_at, Visit visit) {
    long long r = first;
    for (; r + kRowsAtOnce <= last; r += kRowsAtOnce) sweep_some<kRowsAtOnce>(strip, r, row_at, visit);
    for (; r < last; ++r) sweep_some<1>(strip, r, row_at, visit);
    team_.spend((last - first) * strip.mine);
  }

  template <int kRows, class RowAt, class Visit>
  KONIG_FN void sweep_some(const Strip& strip, long long first, RowAt row_at, Visit visit) {
    Reached at[kRows];
    Cost cost[kRows][kStrip];
    for (int b = 0; b < kRows; ++b) at[b] = row_at(first + b);
    for (int b = 0; b < kRows; ++b) {
      const Cost* line = w_.costs.row(at[b].row) + strip.left;
      for_strip(strip.mine, [&](int k) { cost[b][k] = line[k * kWide]; });
    }
    for (int b = 0; b < kRows; ++b) {
      long long slack[kStrip];
      for_strip(strip.mine,
                [&](int k) { slack[k] = w_.costs.value(cost[b][k]) - at[b].base - strip.dual[k]; });
      visit(at[b].row, slack);
    }
  }

  // test(k) for every column of the strip, and hit(col) where it is true. Where what a worker holds lies in
  // registers the tests are unrolled; hits are few and are not.
  template <class Test, class Hit>
  KONIG_FN void for_columns(const Strip& strip, Test test, Hit hit) {
    if constexpr (kInRegisters) {
      unsigned hits = 0;
      for_strip(strip.mine, [&](int k) { hits |= unsigned(test(k)) << k; });
      for (int k = 0; hits; ++k, hits >>= 1)
        if (hits & 1) hit(strip.col(k));
    } else {
      for (int k = 0; k < strip.mine; ++k)
        if (test(k)) hit(strip.col(k));
    }
  }

  template <class Hit>
  KONIG_FN void for_each_zero(const Strip& strip, const long long* slack, Hit hit) {
    if (!kInRegisters) {  // a look at all of them by vector instructions
      unsigned zeros = 0;
      for_strip(strip.mine, [&](int k) { zeros |= slack[k] == 0; });
      if (!zeros) return;
    }
    for_columns(strip, [&](int k) { return slack[k] == 0; }, hit);
  }

  // Into how many parts so many rows are cut: two tiles of strip and part for each group of workers, if the
  // parts do not become too small.
  KONIG_FN long long chunks_for(long long rows) const {
    const long long sensible = (rows + kChunkRows - 1) / kChunkRows;
    const long long most = sensible < kChunks ? sensible : kChunks;
    return most_chunks_ > most ? most : most_chunks_ > 1 ? most_chunks_ : 1;
  }

  // visit(strip, lane, first, last, chunk) for all tiles of so many rows.
  template <class Visit>
  KONIG_FN void for_each_tile(long long rows, Visit visit) {
    const long long chunks = chunks_for(rows);
    const long long each = chunks == 1 ? rows : (rows + chunks - 1) / chunks;
    team_.for_each_wide(strips_ * chunks, kWide, [&](long long tile, int lane, int) {
      const long long chunk = chunks == 1 ? 0 : tile / strips_;
      const long long first = chunk * each;
      const long long last = first + each < rows ? first + each : rows;
      visit(tile - chunk * strips_, lane, first, last, chunk);
    });
  }

  KONIG_FN Reached queued_row(long long i) const {
    return {bsp::settled(&w_.queue[i].base), bsp::settled(&w_.queue[i].row)};
  }
  KONIG_FN Reached any_row(long long row) const { return {bsp::settled(w_.row_dual + row), row}; }

  Team& team_;
  const Workspace<Cost> w_;
  long long strips_;
  long long most_chunks_;  // parts of the rows that there are workers for
};

}  // namespace konig::hungarian

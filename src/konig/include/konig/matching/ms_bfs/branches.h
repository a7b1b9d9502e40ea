// Writes and reads where the searches of `ms-bfs` go on: the branches of rows and the pieces of frontiers.
#pragma once

#include "konig/matching/ms_bfs/state.h"

namespace konig::multi_source_bfs {

template <class Id, class Offset>
class Branches {
 public:
  KONIG_FN explicit Branches(const Workspace<Id, Offset>& workspace) : w_(workspace) {}

  // What a search that reaches the row finds there.
  KONIG_FN void describe(Id row, Id mate) {
    Branch<Id> branch{};
    if (mate >= 0) branch = rows_of(mate, row);
    branch.near.word[kMate] = mate;
    w_.branch[row] = branch;
  }

  // The rows of a column's list without one of them. Indices are constants once the loops are unrolled: all
  // stays in registers.
  KONIG_FN Branch<Id> rows_of(Id col, Id except) const {
    const Offset first = w_.col_start[col], length = w_.col_start[col + 1] - first;
    Branch<Id> branch{};
    if (length > kFewRows + 1) {
      branch.near.word[kOnward] = kElsewhere;
      branch.near.word[kFirst] = kWide ? Id(0) : Id(first);
      branch.near.word[kLength] = Id(length);
      return branch;
    }
    Id row[kFewRows + 1];
    for (int k = 0; k <= kFewRows; ++k) row[k] = k < length ? w_.col_rows[first + k] : Id(-1);
    bool passed = false;
    const auto onward = [&](int k) {
      passed |= row[k] == except;
      return passed ? row[k + 1] : row[k];
    };
    for (int k = 0; k < kNearRows; ++k) branch.near.word[kOnward + k] = onward(k);
    Id& last = branch.near.word[kOnward + kNearRows - 1];
    if (length > kNearRows + 1) last = more(last);
    for (int k = 0; k < kFarRows; ++k) branch.far.word[k] = onward(kNearRows + k);
    return branch;
  }

  // The list of a root; its rows are always elsewhere.
  KONIG_FN static Piece<Id> root_piece(Id root, Offset first, Offset length) {
    return {root, Id(-1), {Id(kElsewhere), kWide ? Id(0) : Id(first), Id(length)}};
  }

  KONIG_FN static Piece<Id> piece_of(const bsp::Four<Id>& near, Id root, Id via) {
    return {root, via, {near.word[kOnward], near.word[kFirst], near.word[kLength]}};
  }

  // Where a piece begins whose rows are elsewhere.
  KONIG_FN Offset first_of(const Piece<Id>& piece) const {
    if (!kWide) return Offset(piece.onward[1]);
    const Id col = piece.via < 0 ? piece.root : bsp::settled(w_.col_of_row + piece.via);
    return w_.col_start[col] + Offset(piece.onward[1]);
  }

 private:
  static constexpr bool kWide = sizeof(Offset) > sizeof(Id);  // a place in col_rows does not fit an id

  const Workspace<Id, Offset>& w_;
};

}  // namespace konig::multi_source_bfs

// The costs of an assignment problem, read through a tile: a part of a matrix in row-major order.
//
// Solvers calculate with whole numbers: an entry's value is a long long from 0 upwards, less is better. Then
// duals are exact, a slack is zero or it is not, and the solve ends for real costs as it does for integers.
//   integers  value = entry - base, or base - entry when maximising
//   reals     value = the whole part of (entry - base) * first * second
// For reals the host chooses the two powers of two such that the spread of the costs uses the bits that the
// sums along a path leave over: kValueBits less those of twice the number of rows. What is cut off is made
// good by the proof of the answer (native/assignment/exact/core.h). `base` is the least cost (the
// greatest when maximising) where subtracting it is exact, else 0 and reals may be negative; the host sees to
// it.
//
// Where a choice need not be exact, nearly(entry) is about the value in units of its own, a float, and so is
// nearly_dual(dual); a difference of such floats has about units(difference) values.
//
// A pair is forbidden if its entry is not finite.
#pragma once

#include "konig/bsp/program.h"

namespace konig::assignment {

// Values, duals and slacks stay below kReach in magnitude. A forbidden pair and a column that is out of the
// search count kOut more than they should, and still do both together not overflow.
constexpr int kValueBits = 59;
constexpr long long kReach = 1LL << kValueBits;
constexpr long long kInfinite = 2 * kReach;
constexpr long long kOut = 4 * kReach;

// No float key of an allowed pair should be larger; if one is, the pair is not chosen by it.
constexpr float kTooFar = 1e38f;

KONIG_FN long long whole_part(double value) { return value < double(kReach) ? (long long)value : kReach; }

template <class Cost>
struct Tile {
  using Entry = Cost;

  const Cost* entry;  // of row 0 and column 0
  long long stride;   // from a row to the next
  long long base;
  long long flip;  // -1 when maximising, else 0

  template <class Layout>
  KONIG_FN void describe(Layout& layout) {
    layout.given("costs", entry);
    layout.number(KONIG_NAMED(stride, base, flip));
  }

  KONIG_FN const Cost* row(long long i) const { return entry + i * stride; }

  KONIG_FN long long value(Cost cost) const {
    const long long above = (long long)((unsigned long long)(long long)cost - (unsigned long long)base);
    return (above ^ flip) - flip;
  }
  KONIG_FN float nearly(Cost cost) const { return float(value(cost)); }
  KONIG_FN float nearly_dual(long long dual) const { return float(dual); }
  KONIG_FN long long units(float difference) const { return whole_part(double(difference)); }
};

struct RealScale {
  double base;
  double first;  // negative when maximising
  double second;

  KONIG_FN long long value(double cost) const {
    const double scaled = (cost - base) * first * second;
    const bool finite = scaled < double(kReach) && scaled > -double(kReach);
    return finite ? (long long)scaled : kOut;
  }
  // In units of the costs.
  template <class Cost>
  KONIG_FN float nearly(Cost cost) const {
    const float above = float(cost - Cost(base));
    return first < 0 ? -above : above;
  }
  KONIG_FN float nearly_dual(long long dual) const { return float(double(dual) / size() / second); }
  KONIG_FN long long units(float difference) const {
    return whole_part(double(difference) * size() * second);
  }
  KONIG_FN double size() const { return first < 0 ? -first : first; }
};

template <class Real>
struct RealTile {
  using Entry = Real;

  const Real* entry;
  long long stride;
  RealScale scale;

  template <class Layout>
  KONIG_FN void describe(Layout& layout) {
    layout.given("costs", entry);
    layout.number(KONIG_NAMED(stride, scale.base, scale.first, scale.second));
  }

  KONIG_FN const Real* row(long long i) const { return entry + i * stride; }
  KONIG_FN long long value(Real cost) const { return scale.value(double(cost)); }
  KONIG_FN float nearly(Real cost) const { return scale.nearly(cost); }
  KONIG_FN float nearly_dual(long long dual) const { return scale.nearly_dual(dual); }
  KONIG_FN long long units(float difference) const { return scale.units(difference); }
};

template <>
struct Tile<float> : RealTile<float> {};
template <>
struct Tile<double> : RealTile<double> {};

// What a program starts from: nothing; duals of the columns; such duals, but coarse scales come first; duals
// and pairs, where on a rectangle only columns that have a pair have a dual.
enum Start : long long { kNothing, kDuals, kCoarseDuals, kPairs };

// What the programs for one problem work on, with room for the answer; at most as many rows as columns.
template <class Cost>
struct Problem {
  long long rows;
  long long cols;
  Tile<Cost> costs;
  int* col_of_row;  // -1 at first, as row_of_col
  int* row_of_col;
  long long* row_dual;
  long long* col_dual;
  long long starts_from;  // a Start
  long long room;         // for what the program lists; its host makes more if it is asked to

  template <class Layout>
  KONIG_FN void describe_problem(Layout& layout) {
    layout.number(KONIG_NAMED(rows, cols));
    costs.describe(layout);
    layout.given(KONIG_NAMED(col_of_row, row_of_col, row_dual, col_dual));
    layout.number(KONIG_NAMED(starts_from, room));
  }
};

}  // namespace konig::assignment

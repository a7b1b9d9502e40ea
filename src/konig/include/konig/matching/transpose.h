// The lists of the rows from those of the columns, by a team: a counting sort that leaves each list in no
// particular order, for algorithms that do not mind.
//
// State: while entries are counted, row_start[r] is how many row r has; then where its list ends; then, as
// each entry takes the place before, where what is still to come will end, and at last where the list begins.
// Entries are dealt out one by one, so lists of any length are no burden; the column of an entry is found by
// bisection.
#pragma once

#include "konig/bsp/limits.h"
#include "konig/bsp/program.h"
#include "konig/bsp/team.h"

namespace konig::transpose {

enum Status : long long { kRunning, kDone };

struct State {
  long long status;
};

template <class Id, class Offset>
struct Workspace {
  long long rows;
  long long cols;
  const Offset* col_start;
  const Id* col_rows;
  Offset* row_start;  // rows + 1
  Id* row_cols;       // entries
  State* state;

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    layout.number(KONIG_NAMED(rows, cols));
    layout.given(KONIG_NAMED(col_start, col_rows, row_start, row_cols));
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State& s, Reading& reading) const {
    reading.status(s.status, "running", "done");
  }
};

template <class Team, class Id, class Offset>
class Solve {
 public:
  KONIG_FN Solve(Team& team, const Workspace<Id, Offset>& workspace) : team_(team), w_(workspace) {}

  KONIG_FN void run() {
    const long long entries = w_.col_start[w_.cols];
    const auto row_of = [&](long long k) { return w_.col_rows[k]; };
    team_.for_each(w_.rows, [&](long long row) { bsp::store(w_.row_start + row, Offset(0)); });
    team_.barrier();
    team_.for_each_ahead(entries, row_of,
                         [&](long long, Id row) { bsp::fetch_add(w_.row_start + row, Offset(1)); });
    team_.barrier();
    bsp::counts_to_offsets(
        team_, w_.rows, [&](long long row) { return bsp::load(w_.row_start + row); },
        [&](long long row, long long begin, long long count) {
          bsp::store(w_.row_start + row, Offset(begin + count));
        });
    if (team_.leads()) bsp::store(w_.row_start + w_.rows, Offset(entries));
    team_.barrier();
    team_.for_each_ahead(entries, row_of, [&](long long k, Id row) {
      const Offset place = bsp::fetch_add(w_.row_start + row, Offset(-1)) - 1;
      w_.row_cols[place] = column_of(k);
    });
    team_.barrier();
    if (team_.leads()) w_.state->status = kDone;
  }

 private:
  // The last column whose list begins at or before the entry.
  KONIG_FN Id column_of(long long entry) const {
    long long low = 0, high = w_.cols;
    while (high - low > 1) {
      const long long middle = (low + high) / 2;
      if (w_.col_start[middle] <= entry)
        low = middle;
      else
        high = middle;
    }
    return Id(low);
  }

  Team& team_;
  const Workspace<Id, Offset>& w_;
};

template <class Id, class Offset>
using Program = bsp::ProgramOf<Workspace<Id, Offset>, State, 0, Solve, Id, Offset>;

}  // namespace konig::transpose

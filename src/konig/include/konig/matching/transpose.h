// The lists of the rows from those of the columns, by a team: a counting sort that leaves each list in no
// particular order, for algorithms that do not mind.
//
// State: while entries are counted, row_start[r] is how many row r has; then where its list ends; then, as
// each entry takes the place before, where what is still to come will end, and at last where the list begins.
// Entries are dealt out one by one, so lists of any length are no burden; the column of an entry is found by
// bisection.
#pragma once

#include "konig/bsp/program.h"
#include "konig/bsp/team.h"

namespace konig::transpose {

enum Status : long long { kRunning, kDone };
enum Step : long long { kClear, kCount, kAddUp, kScatter };

// Everything that outlives a launch; zeros before the first.
struct State {
  long long status;
  long long step;
  long long launches;
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
    layout.number("rows", rows);
    layout.number("cols", cols);
    layout.given("col_start", col_start);
    layout.given("col_rows", col_rows);
    layout.given("row_start", row_start);
    layout.given("row_cols", row_cols);
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
  KONIG_FN Solve(Team& team, const Workspace<Id, Offset>& workspace)
      : team_(team), w_(workspace), entries_(workspace.col_start[workspace.cols]) {}

  KONIG_FN void run() {
    status_ = w_.state->status;
    step_ = w_.state->step;
    team_.barrier();  // no worker writes the state before all have read it
    while (status_ == kRunning) {
      switch (step_) {
        case kClear:
          clear();
          break;
        case kCount:
          count();
          break;
        case kAddUp:
          add_up();
          break;
        default:
          scatter();
      }
      if (team_.expired()) break;
    }
    leave();
  }

 private:
  KONIG_FN void clear() {
    team_.for_each(w_.rows, [&](long long row) { bsp::store(w_.row_start + row, Offset(0)); });
    team_.barrier();
    step_ = kCount;
  }

  KONIG_FN void count() {
    team_.for_each_ahead(
        entries_, [&](long long k) { return w_.col_rows[k]; },
        [&](long long, Id row) { bsp::fetch_add(w_.row_start + row, Offset(1)); });
    team_.barrier();
    step_ = kAddUp;
  }

  // Each worker has a stretch of rows: its sum, then where each list ends.
  KONIG_FN void add_up() {
    const long long stretch = (w_.rows + team_.count() - 1) / team_.count();
    const long long first = least(team_.index() * stretch), last = least(first + stretch);
    long long sum = 0;
    for (long long row = first; row < last; ++row) sum += bsp::load(w_.row_start + row);
    long long end = team_.scan(sum).before;
    for (long long row = first; row < last; ++row) {
      end += bsp::load(w_.row_start + row);
      bsp::store(w_.row_start + row, Offset(end));
    }
    if (team_.leads()) bsp::store(w_.row_start + w_.rows, Offset(entries_));
    team_.spend(last - first);
    team_.barrier();
    step_ = kScatter;
  }

  KONIG_FN void scatter() {
    team_.for_each_ahead(
        entries_, [&](long long k) { return w_.col_rows[k]; },
        [&](long long k, Id row) {
          const Offset place = bsp::fetch_add(w_.row_start + row, Offset(-1)) - 1;
          w_.row_cols[place] = column_of(k);
        });
    team_.barrier();
    status_ = kDone;
  }

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

  KONIG_FN long long least(long long row) const { return row < w_.rows ? row : w_.rows; }

  KONIG_FN void leave() {
    if (!team_.leads()) return;
    w_.state->status = status_;
    w_.state->step = step_;
    w_.state->launches += 1;
  }

  Team& team_;
  const Workspace<Id, Offset> w_;
  const long long entries_;
  long long status_, step_;
};

template <class Id, class Offset>
struct Program {
  using Workspace = transpose::Workspace<Id, Offset>;
  using State = transpose::State;
  static constexpr int kResidentBlocks = 0;

  template <class Team>
  KONIG_FN static void run(Team& team, const Workspace& workspace) {
    Solve<Team, Id, Offset>(team, workspace).run();
  }
};

}  // namespace konig::transpose

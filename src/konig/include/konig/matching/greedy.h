// Simple greedy matching (SGM) by a team: each unmatched column claims the first unmatched row of its list.
//
// Kaya, Langguth, Manne, Ucar, "Push-relabel based algorithms for the maximum transversal problem", §2.2; the
// "cheap matching" that the GPU papers start from. Columns claim rows all at the same time, so which of two
// columns gets a row is left to the race; a single worker visits them in order and finds what SGM finds.
//
// State: a row goes from kFree to its column once, by compare_exchange, and stays there; only the column's
// own worker writes row_of_col. So the two arrays agree after every superstep. A column is left unmatched
// only after each row of its list was seen taken: no entry joins two unmatched vertices at the end, and the
// matching is at least half as large as a maximum one. A matching handed in is kept and extended.
//
// Deviation: a superstep scans at most kScanLimit entries of a list; the rest comes in a superstep of its
// own, so that a launch ends in time.
#pragma once

#include "konig/bsp/limits.h"
#include "konig/bsp/program.h"
#include "konig/bsp/team.h"
#include "konig/matching/graph.h"

namespace konig::greedy {

constexpr int kFree = -1;

using bsp::kBatch;

enum Status : long long { kRunning, kMaximal };

constexpr unsigned kUnscanned = 1;  // a list that goes on

// Everything that outlives a launch; zeros before the first.
struct State {
  long long status;
  long long part;  // of the lists: how many supersteps they were cut into so far
  long long launches;
  long long arc_scans;
};

template <class Id, class Offset>
struct Workspace : matching::ColumnGraph<Id, Offset> {
  State* state;

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    this->describe_graph(layout);
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State& s, Reading& reading) const {
    reading.status(s.status, "running", "maximal");
    reading.statistic("start_arc_scans", s.arc_scans);
  }
};

template <class Team, class Id, class Offset>
class Solve {
 public:
  KONIG_FN Solve(Team& team, const Workspace<Id, Offset>& workspace) : team_(team), w_(workspace) {}

  // Goes on from the state in the workspace until the matching is maximal or the launch has to end.
  KONIG_FN void run() {
    status_ = w_.state->status;
    part_ = w_.state->part;
    team_.barrier();  // no worker writes the state before all have read it
    while (status_ == kRunning) {
      claim();
      if (team_.expired()) break;
    }
    leave();
  }

 private:
  KONIG_FN void claim() {
    unsigned signs = 0;
    team_.for_each(w_.cols, [&](long long col) {
      if (bsp::load(w_.row_of_col + col) < 0) signs |= claim_for(Id(col));
    });
    if (team_.any(signs) & kUnscanned)
      ++part_;
    else
      status_ = kMaximal;
  }

  KONIG_FN unsigned claim_for(Id col) {
    const auto [first, last, goes_on] = bsp::part_of_list(w_.col_start, col, part_);
    unsigned signs = goes_on ? kUnscanned : 0;
    // The first row is often free. Where it is not, several are asked for at once.
    long long k = first;
    for (int batch = 1; k < last; batch = kBatch) {
      Id row[kBatch];
      bool taken[kBatch];
      for (int j = 0; j < batch; ++j) row[j] = k + j < last ? w_.col_rows[k + j] : Id(-1);
      for (int j = 0; j < batch; ++j) taken[j] = row[j] < 0 || bsp::load(w_.col_of_row + row[j]) >= 0;
      bool claimed = false;
      for (int j = 0; j < batch && k < last && !claimed; ++j, ++k) {
        // A look before the exchange: most rows are taken, and an exchange that must fail is dear.
        if (taken[j] || bsp::compare_exchange(w_.col_of_row + row[j], Id(kFree), col) >= 0) continue;
        bsp::store(w_.row_of_col + col, row[j]);
        claimed = true;
      }
      if (!claimed) continue;
      signs = 0;
      break;
    }
    if (k > first) {
      team_.spend(k - first);
      arc_scans_ += k - first;
    }
    return signs;
  }

  KONIG_FN void leave() {
    State* s = w_.state;
    if (team_.leads()) {
      s->status = status_;
      s->part = part_;
      s->launches += 1;
    }
    team_.add(&s->arc_scans, arc_scans_);
  }

  Team& team_;
  const Workspace<Id, Offset> w_;
  long long status_, part_;
  long long arc_scans_ = 0;  // this worker's, this launch
};

template <class Id, class Offset>
using Program = bsp::ProgramOf<Workspace<Id, Offset>, State, 0, Solve, Id, Offset>;

}  // namespace konig::greedy

// Whether compressed lists are sound, in one sweep: they begin with 0, do not decrease, end within the
// entries that are there, and name neighbours in [0, bound). What is wrong, and where, is for a closer look.
#pragma once

#include "konig/bsp/program.h"
#include "konig/bsp/team.h"

namespace konig::check_lists {

enum Status : long long { kRunning, kSound, kUnsound };

struct State {
  long long status;
  long long end;  // of the lists
};

template <class Id, class Offset>
struct Workspace {
  long long lists;
  long long entries;
  long long bound;
  const Offset* start;  // lists + 1
  const Id* neighbour;  // entries
  State* state;

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    layout.number(KONIG_NAMED(lists, entries, bound));
    layout.given(KONIG_NAMED(start, neighbour));
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State& s, Reading& reading) const {
    reading.status(s.status, "running", "sound", "unsound");
    reading.word("end", s.end);
  }
};

template <class Id, class Offset>
struct Program {
  using Workspace = check_lists::Workspace<Id, Offset>;
  using State = check_lists::State;
  static constexpr int kResidentBlocks = 0;

  template <class Team>
  KONIG_FN static void run(Team& team, const Workspace& w) {
    const long long end = w.start[w.lists];
    bool sound = w.start[0] == 0 && end >= 0 && end <= w.entries;
    team.for_each(w.lists, [&](long long i) { sound &= w.start[i] <= w.start[i + 1]; });
    team.for_each(sound ? end : 0,
                  [&](long long k) { sound &= w.neighbour[k] >= 0 && w.neighbour[k] < w.bound; });
    const bool wrong = team.any(!sound);
    if (!team.leads()) return;
    w.state->status = wrong ? kUnsound : kSound;
    w.state->end = end;
  }
};

}  // namespace konig::check_lists

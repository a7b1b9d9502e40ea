// Which arcs of a flow may lie on a cycle of it: those that are left when vertices that no flow enters, or
// that none leaves, are taken off, a number of times. All sources count as one vertex, and so do all sinks.
//
// A round marks where the flow of each arc that is left comes from and where it goes to, and keeps the arcs
// that lead on at both ends: it takes one layer of vertices off. Arcs of long paths may be left after all
// rounds though they lie on no cycle; what is left goes to the host, which finds the cycles.
#pragma once

#include "konig/flow/arcs.h"

namespace konig::flow_cycles {

using residual::kSink, residual::kSource;

enum Status : long long { kRunning, kDone };

struct State {
  long long status;
  long long kept[2];  // arcs in the two lists, which take turns
  long long in;       // the list that holds what is left
};

template <class Id>
struct Workspace {
  long long vertices;
  long long arcs;
  long long rounds;
  long long source;  // the vertex that stands for all sources
  long long sink;
  const Id* tail;
  const Id* head;
  const long long* flow;      // of each arc, negative against its direction
  const unsigned char* role;  // of each vertex
  Id* left;                   // vertices: the last round in which flow was seen to leave it
  Id* entered;                // and to enter it
  Id* list;                   // two lists of up to `arcs` arcs
  State* state;

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    layout.number(KONIG_NAMED(vertices, arcs, rounds, source, sink));
    layout.given(KONIG_NAMED(tail, head, flow, role, list));
    layout.own(left, vertices, bsp::Filling::kZeros);
    layout.own(entered, vertices, bsp::Filling::kZeros);
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State& s, Reading& reading) const {
    reading.status(s.status, "running", "done");
    reading.word("list", s.in);
    reading.word("kept", s.kept[s.in]);
  }
};

template <class Team, class Id>
class Trimmer {
 public:
  KONIG_FN Trimmer(Team& team, const Workspace<Id>& workspace) : team_(team), w_(workspace) {}

  KONIG_FN void run() {
    long long items = w_.arcs;
    int into = 0;
    for (long long round = 1; round <= w_.rounds; ++round) {
      into = int(round & 1);
      visit(round, items, [&](Id, Id from, Id to) {
        bsp::store(w_.left + from, Id(round));
        bsp::store(w_.entered + to, Id(round));
      });
      if (team_.leads()) bsp::store(w_.state->kept + into, 0LL);
      team_.barrier();
      visit(round, items, [&](Id arc, Id from, Id to) {
        if (bsp::load(w_.entered + from) != Id(round) || bsp::load(w_.left + to) != Id(round)) return;
        bsp::store(w_.list + into * w_.arcs + team_.reserve(w_.state->kept + into, 1), arc);
      });
      team_.barrier();
      const long long before = items;
      items = bsp::load(w_.state->kept + into);
      if (items == 0 || items == before) break;
    }
    if (!team_.leads()) return;
    w_.state->in = into;
    w_.state->status = kDone;
  }

 private:
  // visit(arc, where its flow comes from, where it goes to): all arcs in the first round, later those of the
  // list that the round before has made.
  template <class Visit>
  KONIG_FN void visit(long long round, long long items, Visit visit) {
    const Id* list = w_.list + ((round - 1) & 1) * w_.arcs;
    team_.for_each(items, [&](long long i) {
      const Id arc = round == 1 ? Id(i) : bsp::load(list + i);
      const long long flow = w_.flow[arc];
      if (flow == 0) return;
      const Id tail = merged(w_.tail[arc]), head = merged(w_.head[arc]);
      if (flow > 0)
        visit(arc, tail, head);
      else
        visit(arc, head, tail);
    });
  }

  KONIG_FN Id merged(Id vertex) const {
    const unsigned char role = w_.role[vertex];
    return role == kSource ? Id(w_.source) : role == kSink ? Id(w_.sink) : vertex;
  }

  Team& team_;
  const Workspace<Id>& w_;
};

template <class Id>
using Program = bsp::ProgramOf<Workspace<Id>, State, 0, Trimmer, Id>;

}  // namespace konig::flow_cycles

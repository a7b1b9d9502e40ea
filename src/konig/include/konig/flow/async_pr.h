// Asynchronous push-relabel (`async-pr`) for maximum flow: `auto` on the GPU for deep networks.
//
// Each vertex has one worker, who looks at it again and again and never waits for others. A superstep is no
// step of the algorithm here but a stretch of many thousand visits, after which all meet to see how things
// stand. What costs a bulk-synchronous program a barrier, one arc of the way to the sink, costs about two
// microseconds on a GPU. Pushes without locks are those of Hong and He, "An asynchronous multithreaded
// algorithm for the maximum network flow problem with nonblocking global relabeling heuristic" (2011).
//
// Heights are kept by all vertices, active or not, as in a distance-vector protocol: one more than the lowest
// neighbour that a residual arc leads to. Who changes its height notifies its neighbours, so heights follow
// the residual network at the speed of the visits, and no search is ever needed for them.
//
// Waves tell what cannot reach the sink. A wave starts at the sink; a vertex with a residual arc to one that
// the wave has come to is reached, too. When all workers have met and none finds a vertex that the wave has
// yet to come to, no residual arc leads from what it has not reached to what it has: those vertices cannot
// reach the sink, and never will, since nobody pushes to them any more. They are stranded. Their excess goes
// back to the source, by heights that count from there, while the others go on; nothing passes between the
// two. When no vertex holds excess, the flow is maximum; a last wave finds all that cannot reach the sink,
// which is the source's side of a minimum cut, the same one whatever the workers did.
//
// No answer rests on a label, and nothing is lost if a notice is overtaken by another word on its way: all
// labels are renewed whenever all meet. Heights stop at a limit, a few times the longest way of the latest
// wave, since a cut-off part counts up until the next wave is through; the limit grows when nothing has moved
// for a wave. After so many waves the preflow is left to sync-pr, which ends by proof.
#pragma once

#include "konig/flow/async_pr/vertices.h"

namespace konig::asynchronous_flow {

template <class Team, class Id, class Amount>
class Solve {
 public:
  using Work = Workspace<Id, Amount>;

  KONIG_FN Solve(Team& team, const Work& workspace)
      : team_(team), w_(workspace), vertices_(team, workspace) {}

  // Goes on from the state in the workspace until the flow is maximum or the launch has to end.
  KONIG_FN void run() {
    p_ = w_.state->progress;
    team_.barrier();  // nobody leaves, and writes the state, before all have read it
    while (p_.status == kRunning) {
      const bool first = p_.step == kSplit;
      step();
      ++p_.meetings;
      // The arrays that the first step makes are read like constants, in later launches only.
      if (first || team_.expired()) break;
    }
    leave();
  }

 private:
  static constexpr unsigned kCame = 1, kActive = 2;
  static constexpr long long kSlack = 32;  // for the way back, when no vertex reaches the sink

  KONIG_FN void step() {
    switch (p_.step) {
      case kSplit:
        return split();
      case kAttend:
        return attend();
      case kLook:
        return look();
      case kStrand:
        return strand();
      default:
        return join();
    }
  }

  KONIG_FN Moment moment() const { return {p_.wave, p_.limit, p_.calm != 0}; }

  // ---- the first step ----

  KONIG_FN void split() {
    long long stranded = 0;
    team_.for_each(w_.slot_count, [&](long long k) {
      w_.other[k] = w_.slots[k].other;
      w_.reverse[k] = w_.slots[k].reverse;
      bsp::store(w_.out + k, w_.slots[k].out);
    });
    team_.for_each(w_.vertices, [&](long long v) {
      Label<Id> label{{1, 0}};
      if (w_.known != nullptr) {
        const Id height = w_.known[v].height;
        const bool reached = (long long)height <= w_.vertices;
        label = reached ? Label<Id>{{height, make_trace<Id>(1, height)}} : Label<Id>{{1, Id(kNone)}};
        stranded += !reached && bsp::load(w_.excess + v) != 0;
      }
      bsp::store_two(w_.labels + v, label);
      bsp::store(w_.notices + v, Id(1));
      w_.seen[v] = 0;
    });
    stranded_ += team_.sum(stranded);
    const bool known = w_.known != nullptr;
    p_.factor = 2;
    p_.calm = !known;
    p_.wave = known ? 2 : 1;
    p_.limit = known ? limit_for(w_.rules.levels) : w_.vertices + 1;
    p_.step = kAttend;
  }

  KONIG_FN long long limit_for(long long longest) const {
    const long long wanted = p_.factor * (longest + kSlack);
    return wanted < w_.vertices + 1 ? wanted : w_.vertices + 1;
  }

  KONIG_FN void attend() {
    const long long before = vertices_.moves;
    vertices_.attend(moment());
    p_.moved |= team_.any(vertices_.moves > before);
    p_.step = kLook;
  }

  // ---- when all have met ----

  // Nothing is pushed here, so what the workers find holds for one moment.
  KONIG_FN void look() {
    const Moment m = moment();
    unsigned bits = 0;
    team_.for_each(w_.vertices, [&](long long v) {
      if (bsp::load(w_.excess + v) != 0) bits |= kActive;
      if (vertices_.visit(Id(v), 0, m)) bits |= kCame;
    });
    bits = team_.any(bits);
    p_.active = bits & kActive;
    const bool complete = (bits & kCame) == 0;
    p_.step = complete ? kStrand : kAttend;
    if (p_.active != 0 || p_.calm || p_.ending) return;
    p_.ending = 1;
    ++p_.wave;
    p_.step = kAttend;
  }

  // The wave has come to all that it can.
  KONIG_FN void strand() {
    long long stranded = 0, farthest = 0;
    team_.for_each(w_.vertices, [&](long long v) {
      const Id trace = trace_of(bsp::load_any_two(w_.labels + v));
      if (trace < 0) return;
      if ((long long)wave_of(trace) == p_.wave) {
        if (hops_of(trace) > farthest) farthest = hops_of(trace);
        return;
      }
      stranded += bsp::load(w_.excess + v) != 0;
      bsp::store_two(w_.labels + v, Label<Id>{{1, Id(kNone)}});
      bsp::fetch_add(w_.notices + v, Id(1));
    });
    const bsp::AgreedLeast outcome = team_.agree(0, stranded, kMostHops - farthest);
    stranded_ += outcome.total;
    if (p_.moved == 0 && p_.active != 0 && !p_.calm && p_.limit <= w_.vertices) p_.factor *= 2;
    p_.limit = limit_for(kMostHops - outcome.least);
    p_.calm = p_.moved = 0;
    p_.step = p_.ending || p_.wave >= w_.rules.waves ? kJoin : kAttend;
    if (p_.step == kAttend) ++p_.wave;
  }

  KONIG_FN void join() {
    team_.for_each(w_.slot_count, [&](long long k) {
      w_.slots[k].out = bsp::load(w_.out + k);
      w_.slots[k].in = bsp::load(w_.out + w_.reverse[k]);
    });
    team_.for_each(w_.vertices, [&](long long v) {
      bsp::store(w_.cut + v, (unsigned char)(trace_of(bsp::load_any_two(w_.labels + v)) < 0));
    });
    team_.barrier();
    p_.status = p_.ending ? kMaximum : kUnfinished;
  }

  KONIG_FN void leave() {
    State* s = w_.state;
    if (team_.leads()) {
      s->progress = p_;
      s->launches += 1;
      s->stranded += stranded_;
    }
    team_.add(&s->delivered, vertices_.delivered);
    team_.add(&s->returned, vertices_.returned);
    team_.add(&s->visits, vertices_.visits);
    team_.add(&s->scanned, vertices_.scanned);
    team_.add(&s->moves, vertices_.moves);
    team_.add(&s->rises, vertices_.rises);
  }

  Team& team_;
  const Work& w_;  // no copy: an object that points into itself is not kept in registers
  Progress p_;
  Vertices<Team, Id, Amount> vertices_;
  long long stranded_ = 0;  // the leader's
};

template <class Id, class Amount>
using Program = bsp::ProgramOf<Workspace<Id, Amount>, State, 2, Solve, Id, Amount>;

}  // namespace konig::asynchronous_flow

// Synchronous push-relabel (`sync-pr`) for maximum flow: `auto` on the GPU.
//
// Baumstark, Blelloch, Shun, "Efficient implementation of a synchronous parallel push-relabel algorithm" (ESA
// 2015). In a superstep every active vertex pushes along all of its admissible arcs and rises, as discharge.h
// describes, all by the heights of the superstep's beginning. After some supersteps a search from the target
// makes the heights exact distances (distances.h).
//
// The terminals are no vertices with lists: an arc from the source is excess at its head from the start, and
// may take it back in the second phase; arcs to the sink are a number for each tail.
//
// State: excess[v] is what v holds, height[v] a lower bound on its distance from the target, `unreachable` or
// more when it cannot get there. Labels are valid at the end of each superstep, so a search never lowers one,
// and the solve ends as Goldberg and Tarjan proved. When right after a search no vertex is active, no excess
// can reach the sink, and the vertices that cannot reach it are the source's side of a minimum cut.
//
// A network whose first search is deep may be left to async_pr.h, before anything is pushed.
//
// Second phase: what is left on that side goes back to the source, by the same program with the source as its
// target.
//
// Deviations. (1) A vertex that loses a pair to its neighbour does not rise above it by more than one even if
// it has no residual arc there: the neighbour's push may give it one. Labels stay valid without a repair. (2)
// The search comes after k times as many supersteps as the latest one had levels; what matters on a GPU is
// the number of barriers and not the work. (3) One block takes supersteps alone while few vertices are
// active.
#pragma once

#include "konig/flow/sync_pr/discharge.h"
#include "konig/flow/sync_pr/distances.h"

namespace konig::synchronous_flow {

template <class Team, class V, class Id, class Amount>
class Solve {
 public:
  using Work = Workspace<Id, Amount>;

  KONIG_FN Solve(Team& team, const Work& workspace)
      : team_(team), w_(workspace), distances_(team, workspace), vertices_(team, workspace) {}

  // Goes on from the state in the workspace until the flow is maximum or the launch has to end.
  KONIG_FN void run() {
    p_ = w_.state->progress;
    team_.barrier();  // nobody leaves, and writes the state, before all have read it
    while (p_.status == kRunning && p_.series_used < kSeries) {
      const long long began = V::kTimed && team_.leads() ? team_.nanoseconds() : 0;
      const long long step_taken = p_.step;
      step();
      ++p_.meetings;
      if (V::kTimed && team_.leads()) note(step_taken, team_.nanoseconds() - began);
      if (team_.expired()) break;
    }
    leave();
  }

 private:
  static constexpr long long kOneFound = 1 << 10;
  static_assert(kAlone < kOneFound);

  KONIG_FN void step() {
    switch (p_.step) {
      case kSweep:
        return sweep();
      case kLevel:
        return level();
      case kGather:
        return gather();
      case kPush:
        return push();
      default:
        return cut();
    }
  }

  // ---- global relabelling ----

  KONIG_FN void sweep() {
    p_.unreached = close_level(distances_.sweep(p_));
    p_.level = 1;
    p_.step = goes_on() ? kLevel : kGather;
  }

  // Whether a search has vertices to go on from, and in the second phase to go on for.
  KONIG_FN bool goes_on() const {
    return p_.pieces + p_.long_pieces > 0 && (p_.phase == 0 || p_.unreached > 0);
  }

  KONIG_FN void level() {
    const bool lone = distances_.alone(p_);
    const long long before = distances_.found;
    const int taken = distances_.expand(p_);
    // One sum of two numbers: supersteps that were taken, by the leader, and vertices with excess found.
    const long long both = close_level((team_.leads() ? taken : 0) + (distances_.found - before) * kOneFound);
    const long long rounds = both % kOneFound;
    p_.unreached -= both / kOneFound;
    p_.level += rounds;
    p_.levels += rounds;
    if (lone) p_.lone_levels += rounds;
    p_.second_levels += p_.phase * rounds;
    if (!goes_on()) p_.step = kGather;
  }

  KONIG_FN long long close_level(long long value) {
    const bsp::Counted outcome = team_.count_up(value, w_.state->fronts + p_.rounds % bsp::kTallies);
    p_.pieces = outcome.first;
    p_.long_pieces = outcome.second;
    ++p_.rounds;
    return outcome.total;
  }

  // The queue of the next superstep is made anew, with other counters than those filled last.
  KONIG_FN void gather() {
    ++p_.time;
    ++p_.turn;
    p_.searched = p_.time;
    const auto next = vertices_.next_queue(p_.turn);
    if (p_.phase == 1) distances_.settle_unreached(p_);
    distances_.gather(p_, [&](const Entry<Id>& entry) { vertices_.enqueue(next, entry); });
    team_.deliver(next.few);
    const bsp::Counted outcome = team_.count_up(0, w_.state->queues + p_.turn % bsp::kTallies);
    p_.queued = outcome.first;
    p_.long_queued = outcome.second;
    finish_search();
  }

  KONIG_FN void finish_search() {
    ++p_.relabels;
    p_.second_relabels += p_.phase;
    const double wanted = w_.rules.k * (double)p_.level;
    long long interval = wanted < 1e15 ? (long long)wanted : 1000000000000000LL;
    if (interval < w_.rules.least) interval = w_.rules.least;
    p_.next_relabel = p_.time + interval;
    const long long active = p_.queued + p_.long_queued;
    if (team_.leads()) {
      long long* entry = w_.state->series + 3 * p_.series_used;
      entry[0] = p_.level;
      entry[1] = interval;
      entry[2] = active;
    }
    ++p_.series_used;
    p_.step = active > 0 ? kPush : kCut;
    if (p_.relabels == 1 && active > 0 && is_deep()) p_.status = kDeep;
  }

  // Heights are exact, and nothing has been pushed yet.
  KONIG_FN bool is_deep() const {
    const Rules& rules = w_.rules;
    return rules.deep > 0 && p_.level >= rules.deep && w_.vertices <= rules.thick * p_.level;
  }

  // ---- pushes ----

  KONIG_FN void push() {
    const auto next = vertices_.next_queue(p_.turn + 1);
    const long long active = p_.queued + p_.long_queued;
    const Entry<Id>* queue = frontier::array_of(w_.queues, next.room, p_.turn);
    const bool lone = p_.long_queued == 0 && active <= kFew;
    const long long until = p_.next_relabel - p_.time;
    const int rounds = int(until < 1 ? 1 : until < kAlone ? until : kAlone);
    Amount delivered = 0;
    const int done =
        frontier::visit_all(team_, queue, p_.queued, p_.long_queued, next, kFew, rounds,
                            [&](const Entry<Id>& entry, int round, int lane, int width) {
                              bool queued_long = false;
                              delivered += vertices_.discharge(
                                  entry, p_.time + round, p_.phase, lane, width,
                                  [&](const Entry<Id>& to) { queued_long |= vertices_.enqueue(next, to); });
                              return queued_long;
                            });
    if (lone && team_.leads()) bsp::store(w_.state->lone + p_.turn % 2, (long long)done);
    const bsp::Counted outcome =
        team_.count_up((long long)delivered, w_.state->queues + (p_.turn + 1) % bsp::kTallies);
    const long long taken = lone ? bsp::load(w_.state->lone + p_.turn % 2) : 1;
    p_.delivered += outcome.total;
    p_.queued = outcome.first;
    p_.long_queued = outcome.second;
    p_.pushes += taken;
    p_.second_pushes += p_.phase * taken;
    p_.active += active;
    if (lone) p_.lone_pushes += taken;
    p_.time += taken;
    ++p_.turn;
    // The second phase has ended if no vertex holds excess, which takes no search to see.
    if (p_.queued + p_.long_queued == 0)
      p_.step = p_.phase == 0 ? kSweep : kCut;
    else if (p_.time >= p_.next_relabel)
      p_.step = kSweep;
  }

  // ---- the end of a phase ----

  // After the first phase heights are exact here: they are the cut.
  KONIG_FN void cut() {
    long long stranded = 0;
    team_.for_each(w_.vertices, [&](long long v) {
      const bool apart = bsp::load(&w_.labels[v].height) >= unreachable(w_);
      if (p_.phase == 0) bsp::store(w_.cut + v, (unsigned char)apart);
      stranded += bsp::load(w_.excess + v) != 0;
    });
    stranded = team_.sum(stranded);
    if (p_.phase == 1) {
      if (stranded == 0)
        p_.status = kMaximum;
      else if (p_.searched == p_.time)
        p_.status = kStalled;  // cannot be: excess has a way back
      else
        p_.step = kSweep;
      return;
    }
    p_.stranded = stranded;
    p_.brought = p_.delivered;
    if (stranded == 0) {
      p_.status = kMaximum;
      return;
    }
    p_.phase = 1;
    p_.step = kSweep;
  }

  KONIG_FN void note(long long step_taken, long long ns) {
    const int taken = step_taken == kPush ? 2 : step_taken == kLevel ? 1 : 0;
    KONIG_UNROLL
    for (int kind = 0; kind < kKinds; ++kind) ns_[kind] += kind == taken ? ns : 0;
  }

  KONIG_FN void leave() {
    State* s = w_.state;
    if (team_.leads()) {
      s->progress = p_;
      s->launches += 1;
      KONIG_UNROLL
      for (int kind = 0; kind < kKinds; ++kind) s->step_ns[kind] += ns_[kind];
    }
    team_.add(&s->scanned, vertices_.scanned);
    team_.add(&s->search_scanned, distances_.scanned);
    team_.add(&s->moves, vertices_.moves);
    team_.add(&s->rises, vertices_.relabels);
  }

  Team& team_;
  const Work& w_;  // no copy: an object that points into itself is not kept in registers
  Progress p_;
  Distances<Team, Id, Amount> distances_;
  Discharge<Team, Id, Amount> vertices_;
  long long ns_[kKinds] = {};  // the leader's
};

template <class Id, class Amount, bool kTimes>
struct Program
    : bsp::ProgramOf<Workspace<Id, Amount>, State, 2, Solve, Program<Id, Amount, kTimes>, Id, Amount> {
  static constexpr bool kTimed = kTimes;
};

}  // namespace konig::synchronous_flow

// Push-relabel in supersteps with waves under way: how `sync-pr` goes on when its first search
// (synchronous.h) has shown that a network is deep.
//
// There the levels of searches would be most of the supersteps if pushes waited for them. Instead a search
// from the target, a wave, starts every so many supersteps and goes on while excess moves, several of them at
// once: a superstep is a level of each wave and a superstep of pushes. That takes a third of the supersteps.
// The terminals, pairs of neighbours and the rule for active neighbours are those of synchronous.h.
//
// State: excess[v] is what v holds. Its label is the higher of heights[v], how far it has risen, and the
// level with which the latest wave claimed it. What waves promise is in waves/claims.h.
//
// A phase ends when no vertex is active but those that a finished wave did not reach: they hold excess that
// cannot get to the target. After the first phase the vertices that the latest finished wave did not reach
// are the source's side of a minimum cut, and what they hold goes back to the source in the second, where a
// vertex acts as soon as the first wave has reached it. After kMost waves pushes stop for a search that makes
// all labels exact.
#pragma once

#include "konig/flow/waves/claims.h"
#include "konig/flow/waves/discharge.h"
#include "konig/flow/waves/queues.h"

namespace konig::flow_waves {

template <bool kCounted, class Team, class Id, class Amount>
class Solve {
 public:
  using Work = Workspace<Id, Amount>;
  using ItemOf = Item<Id>;
  using QueuesOf = Queues<Team, Id, Amount>;

  KONIG_FN Solve(Team& team, const Work& workspace)
      : team_(team), w_(workspace), waves_(team, workspace), vertices_(team, workspace) {}

  // Goes on from the state in the workspace until the flow is maximum or the launch has to end.
  KONIG_FN void run() {
    p_ = w_.state->progress;
    team_.barrier();  // nobody leaves, and writes the state, before all have read it
    while (p_.status == kRunning && p_.series_used < kSeries) {
      const long long began = kCounted && team_.leads() ? team_.nanoseconds() : 0;
      const long long step_taken = p_.step;
      step();
      count(&Counts::meetings, 1);
      if (kCounted && team_.leads()) note(step_taken, team_.nanoseconds() - began);
      if (team_.expired()) break;
    }
    leave();
  }

 private:
  KONIG_FN void step() {
    switch (p_.step) {
      case kReset:
        return reset();
      case kGather:
        return gather();
      case kCut:
        return cut();
      default:
        return turn();
    }
  }

  // At first the labels of the search that showed how deep the network is stand for wave 1.
  KONIG_FN void reset() {
    const bool known = p_.turn == 0;
    waves_.reset(p_, known);
    team_.barrier();
    p_.acts = p_.long_acts = p_.fronts = p_.long_fronts = 0;
    p_.newest = known;
    p_.newest_start = p_.clock - w_.rules.levels;
    p_.oldest = 1;
    p_.done = p_.careful = 0;
    p_.step = known ? kGather : p_.phase == 1 ? kRoll : kSeed;
  }

  // ---- a superstep: a level of the waves under way, and pushes ----

  KONIG_FN void turn() {
    const bool starts = p_.step == kSeed || (p_.step == kRoll && wave_is_due());
    if (starts) {
      ++p_.newest;
      p_.newest_start = p_.clock;
    }
    const long long acts = p_.acts + p_.long_acts, fronts = p_.fronts + p_.long_fronts;
    const long long pieces = visit_items(starts);
    const bsp::Tallied outcome = team_.tally(pieces, QueuesOf::tally(w_, p_.turn + 1));
    p_.acts = outcome.of[0];
    p_.long_acts = outcome.of[1];
    p_.fronts = outcome.of[2];
    p_.long_fronts = outcome.of[3];
    ++p_.turn;
    ++p_.clock;
    if (p_.step == kRoll) ++p_.time;
    count_turn(acts, fronts);
    close_turn(outcome.total);
  }

  KONIG_FN bool wave_is_due() const {
    if (p_.newest == 0) return true;  // in the second phase
    const long long room = p_.careful ? 1 : kUnderWay - 1;
    return p_.clock - p_.newest_start >= p_.spacing && p_.newest - p_.oldest + 1 < room;
  }

  // How many pieces of the oldest wave this worker has queued.
  KONIG_FN long long visit_items(bool starts) {
    const Moment m{p_.time,
                   p_.clock,
                   p_.phase,
                   p_.oldest,
                   p_.done,
                   p_.newest > p_.oldest,
                   p_.step == kRoll && p_.phase == 1 && p_.done == 0};
    QueuesOf next(team_, w_, p_.turn + 1, p_.oldest);
    const QueuesOf now(team_, w_, p_.turn, 0);
    const auto queue_up = [&](const ItemOf& item) { next.enter(item); };
    if (starts) waves_.seed(p_.newest, m, queue_up);
    // One loop for short and long lists, so that a visit is in the code once. Those that act come first and
    // waves after them, so that neighbouring workers do the same. Many workers for an item shorten a
    // superstep that is small; few use all of them when it is large.
    KONIG_NO_UNROLL
    for (int longs = p_.long_acts + p_.long_fronts > 0; longs >= 0; --longs) {
      const long long acts = longs ? p_.long_acts : p_.acts;
      const long long items = acts + (longs ? p_.long_fronts : p_.fronts);
      const int lanes = longs ? 32 : 4 * items <= team_.count() ? 4 : 2 * items <= team_.count() ? 2 : 1;
      team_.for_each_wide(items, lanes, [&](long long i, int lane, int width) {
        const ItemOf item = i < acts ? now.act(i, longs) : now.front(i - acts, longs);
        if (item.kind > 0)
          waves_.search(item, m, lane, width, queue_up);
        else
          delivered_ += (long long)vertices_.act(item, m, lane, width, queue_up);
      });
    }
    next.deliver();
    return next.posted;
  }

  KONIG_FN void close_turn(long long pieces_of_oldest) {
    if (p_.step == kRoll) {
      if (pieces_of_oldest == 0 && p_.oldest <= p_.newest) finish_wave();
      const bool waking = p_.phase == 1 && p_.done == 0;
      if (p_.acts + p_.long_acts == 0 && !waking)
        p_.step = kCut;
      else if (p_.newest >= kMost)
        p_.step = kReset;
    } else {
      p_.step = p_.fronts + p_.long_fronts > 0 ? kLevel : kGather;
    }
  }

  // ---- the end of a wave ----

  KONIG_FN void finish_wave() {
    const long long tainted = bsp::load(&w_.state->tainted);
    const long long began = bsp::load(w_.state->starts + p_.oldest % kUnderWay);
    team_.barrier();  // all have read them
    count(&Counts::meetings, 1);
    p_.careful = p_.oldest <= tainted;
    if (!p_.careful) p_.done = p_.oldest;
    ++p_.oldest;
    record(p_.clock - began);
  }

  // After a search that pushes have waited for. Labels are distances; what has excess and was reached acts.
  KONIG_FN void gather() {
    ++p_.time;
    p_.done = p_.newest;
    p_.oldest = p_.newest + 1;
    const long long levels = p_.clock - p_.newest_start;
    p_.spacing = w_.rules.spacing > 0 ? w_.rules.spacing : spacing_for(levels);
    if (p_.spacing < 2) p_.spacing = 2;  // a vertex waits in the superstep in which a wave comes
    p_.newest_start = p_.clock;          // the next wave comes a while after this one
    QueuesOf next(team_, w_, p_.turn + 1, 0);
    Height<Id>* now = w_.heights + (p_.time % 2 ? w_.vertices : 0);
    team_.for_each_ahead(
        w_.vertices, [&](long long v) { return bsp::load(w_.excess + v); },
        [&](long long v, Amount excess) {
          if (excess == 0) return;
          const Mark<Id> mark = load_mark(w_.marks + v);
          if (wave_of(mark.claim) != p_.done) return;
          bsp::store(&now[v].active_at, Id(p_.time));
          next.enter(ItemOf{Id(v), mark.first, mark.length, Id(kAct)});
        });
    next.deliver();
    const bsp::Tallied outcome = team_.tally(0, QueuesOf::tally(w_, p_.turn + 1));
    ++p_.turn;
    ++p_.clock;
    p_.acts = outcome.of[0];
    p_.long_acts = outcome.of[1];
    p_.fronts = p_.long_fronts = 0;
    if (p_.turn > 1) record(levels);  // the first search has been recorded where it was made
    p_.step = p_.acts + p_.long_acts == 0 ? kCut : kRoll;
  }

  // About 2.5 times the root: with less between two waves they do much work, with more labels are old.
  KONIG_FN static long long spacing_for(long long levels) {
    long long root = 4;
    while (root * root < levels) ++root;
    return 5 * root / 2;
  }

  KONIG_FN void record(long long levels) {
    ++p_.relabels;
    count(&Counts::second_relabels, p_.phase);
    if (team_.leads()) {
      long long* entry = w_.state->series + 3 * p_.series_used;
      entry[0] = levels;
      entry[1] = p_.spacing;
      entry[2] = p_.acts + p_.long_acts;
    }
    ++p_.series_used;
  }

  // ---- the end of a phase ----

  KONIG_FN void cut() {
    long long stranded = 0;
    team_.for_each(w_.vertices, [&](long long v) {
      const bool apart = wave_of(bsp::load(&w_.marks[v].claim)) < p_.done;
      if (p_.phase == 0) bsp::store(w_.cut + v, (unsigned char)apart);
      stranded += bsp::load(w_.excess + v) != 0;
    });
    team_.add(w_.state->delivered + p_.phase, delivered_);
    delivered_ = 0;
    stranded = team_.sum(stranded);
    if (p_.phase == 1) {
      p_.status = stranded == 0 ? kMaximum : kStalled;  // cannot stall: excess has a way back
      return;
    }
    count(&Counts::stranded, stranded);
    p_.status = stranded == 0 ? kMaximum : kRunning;
    p_.phase = 1;
    p_.step = kReset;
  }

  // ---- counters ----

  KONIG_FN void count(long long Counts::* counter, long long value) {
    if (team_.leads() && value != 0) bsp::fetch_add(&(w_.state->counts.*counter), value);
  }

  KONIG_FN void count_turn(long long acts, long long fronts) {
    if (!team_.leads()) return;
    if (acts > 0) {
      count(&Counts::pushes, 1);
      count(&Counts::active, acts);
      count(&Counts::second_pushes, p_.phase);
    }
    if (fronts > 0) {
      count(&Counts::levels, 1);
      count(&Counts::second_levels, p_.phase);
    }
    if (acts > 0 && fronts > 0) count(&Counts::both, 1);
  }

  KONIG_FN void note(long long step_taken, long long ns) {
    if (step_taken == kRoll)
      push_ns_ += ns;
    else if (step_taken == kLevel)
      level_ns_ += ns;
    else
      sweep_ns_ += ns;
  }

  KONIG_FN void leave() {
    State* s = w_.state;
    if (team_.leads()) {
      s->progress = p_;
      s->launches += 1;
      s->sweep_ns += sweep_ns_;
      s->level_ns += level_ns_;
      s->push_ns += push_ns_;
    }
    team_.add(s->delivered + p_.phase, delivered_);
    team_.add(&s->scanned, vertices_.scanned);
    team_.add(&s->search_scanned, waves_.scanned);
    team_.add(&s->moves, vertices_.moves);
    team_.add(&s->rises, vertices_.rises);
  }

  Team& team_;
  const Work& w_;  // no copy: an object that points into itself is not kept in registers
  Progress p_;
  Waves<Team, Id, Amount> waves_;
  Discharge<Team, Id, Amount> vertices_;
  long long delivered_ = 0;                              // to the target since the last count
  long long sweep_ns_ = 0, level_ns_ = 0, push_ns_ = 0;  // the leader's
};

}  // namespace konig::flow_waves

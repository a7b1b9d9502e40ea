// Push-relabel by speculation: G-PR-First, G-PR-NoShr and G-PR-Shr.
//
// Deveci, Kaya, Ucar, Catalyurek, "A push-relabel-based maximum cardinality bipartite matching algorithm on
// GPUs", ICPP 2013, Algorithms 3-9. All active columns push at the same time, each onto a row of the lowest
// label among its neighbours, and take that row from its column, which becomes active. Who loses a race for a
// row is active again. A column without a row below the limit retires. Every so often a BFS from the free
// rows makes the labels exact distances (global relabelling). No read-modify-write.
//
// State: col_of_row[r] and row_of_col[c] are mu. A row once matched stays matched, and at every barrier the
// column that it names points back: only row_of_col may be stale, and then its column is active. So free rows
// only ever fall in number. Labels guide the pushes and prove nothing: a lagging worker may lower the label
// of a row, and then others overestimate. What proves the answer is the last relabelling, a BFS from the free
// rows at a time when no column is active: a retired column that it reaches is revived and the loop goes
// on; if there is none the matching is maximum.
//
// Why it ends. Between two exact relabellings lies a bounded number of supersteps (where the rules would not
// have one for very long it comes all the same, see kOverdue). When a number of iterations of kLoopsPerLevel
// times maxLevel and a few more have brought no new pair, or when columns are revived twice without a new
// pair in between, the next exact relabelling is followed by a rescue: one worker alone pushes one active
// column that is within reach. Labels are exact and no other column moves, so every push goes down one level,
// the last one ends on a free row, and there is one free row less. That can happen min(rows, cols) times at
// most.
//
// Deviations. (1) The corrections that a working program needs. Algorithm 6: a retired column is not active.
// Algorithm 8: a slot of Ac is stamped whether or not it was rolled back. Algorithm 9: w is mu(u), read once;
// a slot that is empty, or whose push is forbidden, leaves -1 in Ap (the paper's keeps an old entry there,
// and two swaps later a matched column is taken for an active one). The next relabelling is at least one
// iteration away. (2) Retiring is provisional, see above. (3) Out of reach is min(m, n) + 1 in halved labels,
// not m + n. (4) Lists are made by a prefix sum at the start, after reviving and after a rescue. (5) Scans
// are cut at kScanLimit entries and go on in a superstep of their own, within the same iteration of the loop.
// (6) Gap relabelling, which the paper names and does not describe: every kGapEvery iterations rows above an
// empty level go out of reach. (7) `concurrent`, the paper's future work: every superstep of the loop also
// does one step of a relabelling into labels of its own (reset, a level, or taking them over), so that one
// barrier serves both. Its levels are blurred by the pushes beside it, hence at most kShadows of them follow
// an exact one; the interval runs from the iteration in which it began. (8) When nothing was pushed since the
// latest exact relabelling, it is the last one.
#pragma once

#include "konig/papers/g_pr/columns.h"
#include "konig/papers/g_pr/labels.h"
#include "konig/papers/g_pr/state.h"

namespace konig::push_relabel {

template <class Team, class V, class Id, class Offset>
class Solve {
 public:
  KONIG_FN Solve(Team& team, const Workspace<Id, Offset>& workspace)
      : team_(team), w_(workspace), labels_(team, workspace), columns_(team, workspace) {}

  // Goes on from the state in the workspace until the matching is maximum or the launch has to end.
  KONIG_FN void run() {
    p_ = w_.state->progress;
    team_.barrier();  // no worker writes the state before all have read it
    while (p_.status == kRunning && p_.series_used < kSeries) {
      step();
      ++p_.supersteps;
      if (team_.expired()) break;
    }
    leave();
  }

 private:
  KONIG_FN void step() {
    switch (p_.step) {
      case kStartRelabel:
        return start_relabel();
      case kRelabelLevel:
        return relabel_level();
      case kRevive:
        return revive();
      case kChoose:
        return choose();
      case kRescue:
        return rescue();
      case kGather:
        return gather();
      case kShrink:
        return shrink();
      case kInit:
        return init();
      case kPush:
        return push();
      case kGapMark:
        return mark_levels();
      case kGapFind:
        return find_gap();
      case kGapLift:
        return lift_rows();
      default:
        return fix();
    }
  }

  // An exact relabelling: no pushes beside it.
  KONIG_FN void start_relabel() {
    p_.shadow_step = kShadowIdle;
    p_.exact_loop = p_.loop;
    const bool first = p_.gain_free < 0;
    const unsigned seen = first && labels_.any_long_row() ? kLongRow : 0;
    const bsp::Agreed all = team_.agree(seen, labels_.reset(w_.row_label, w_.col_label));
    p_.free_rows = all.total;
    if (first) p_.uneven = (all.bits & kLongRow) != 0;
    const long long free_cols = w_.cols - (w_.rows - p_.free_rows);
    if (p_.free_rows == 0 || free_cols == 0) {
      p_.step = kFix;
      return;
    }
    if (first) p_.gather = V::kLists;
    if (first || p_.free_rows < p_.gain_free) {
      p_.gain_free = p_.free_rows;
      p_.gain_loop = p_.loop;
    }
    p_.rescue = p_.loop - p_.gain_loop > kLoopsPerLevel * (p_.max_level + 16);
    p_.level = p_.part = p_.signs = 0;
    p_.step = kRelabelLevel;
  }

  KONIG_FN void relabel_level() {
    const unsigned signs =
        team_.any(labels_.expand(w_.row_label, w_.col_label, p_.level, p_.part, p_.uneven));
    if (!finished_level(signs & kInserted, signs & kUnscanned, p_.level, p_.part, p_.signs)) return;
    finish_relabel(p_.level, p_.loop);
    p_.fresh = 1;
    p_.shadows = 0;
    if (p_.checking)
      p_.step = kRevive;
    else if (p_.rescue)
      p_.step = kChoose;
    else
      list_active();
    p_.checking = 0;
  }

  // Goes on to the next part or level; true when there is none.
  KONIG_FN bool finished_level(bool inserted, bool unscanned, long long& level, long long& part,
                               long long& signs) {
    signs |= inserted;
    if (unscanned) {
      ++part;
      return false;
    }
    const bool deeper = signs != 0;
    part = signs = 0;
    level += deeper;
    return !deeper;
  }

  // GETITERGR. Algorithm 4 counts a superstep as two levels, the last one, which adds nothing, too.
  KONIG_FN void finish_relabel(long long level, long long began) {
    if (p_.unrecorded) record(0);
    p_.max_level = 2 * (level + 1);
    const double wanted = w_.rules.adaptive ? w_.rules.k * (double)p_.max_level : w_.rules.k;
    p_.interval = bsp::whole_interval(wanted);
    p_.next_relabel = began + p_.interval;
    p_.shrink = 1;
    p_.unrecorded = 1;
    ++p_.relabels;
  }

  KONIG_FN void revive() {
    const long long revived = team_.sum(columns_.revive());
    p_.revived += revived;
    if (revived == 0) {
      p_.step = kFix;
      return;
    }
    const bool again = p_.free_rows == p_.check_free;
    p_.check_free = p_.free_rows;
    p_.gather = V::kLists;
    if (again)
      p_.step = kChoose;
    else
      list_active();
  }

  KONIG_FN void choose() {
    if (team_.any(columns_.choose_rescue()) & kFound)
      p_.step = kRescue;
    else
      list_active();
  }

  KONIG_FN void rescue() {
    const unsigned signs = team_.any(team_.leads() ? columns_.rescue() : 0);
    if (signs & kLost) p_.status = kStalled;  // cannot happen: labels are exact; better an error than no end
    if (signs) return;
    ++p_.rescues;
    p_.fresh = 0;
    p_.gather = V::kLists;
    list_active();
  }

  KONIG_FN void list_active() {
    if (!V::kLists)
      p_.step = kPush;
    else if (p_.gather)
      p_.step = kGather;
    else
      p_.step = w_.rules.shrink && p_.shrink && p_.length >= kShrinkFrom ? kShrink : kInit;
  }

  KONIG_FN void gather() {
    p_.previous = (p_.current + 1) % kListCount;
    p_.length = columns_.gather(w_.list(p_.current), stamp());
    p_.gather = p_.shrink = 0;
    listed(p_.length);
    ++p_.supersteps;
  }

  KONIG_FN void shrink() {
    const long long spare = kListCount - p_.current - p_.previous;
    p_.length =
        columns_.shrink(w_.list(p_.current), w_.list(p_.previous), p_.length, w_.list(spare), stamp());
    p_.current = spare;
    p_.shrink = 0;
    listed(p_.length);
    ++p_.supersteps;
  }

  KONIG_FN void init() {
    const unsigned signs = beside();
    const bsp::Agreed all =
        team_.agree(signs, columns_.init(w_.list(p_.current), w_.list(p_.previous), p_.length, stamp()));
    listed(all.total);
    went_beside(all.bits);
  }

  KONIG_FN void listed(long long active) {
    if (p_.unrecorded) record(active);
    if (active > 0)
      p_.step = kPush;
    else
      nobody_active();
  }

  KONIG_FN void nobody_active() {
    p_.shadow_step = kShadowIdle;
    p_.checking = !p_.fresh;
    p_.step = p_.fresh ? kRevive : kStartRelabel;
  }

  KONIG_FN void push() {
    unsigned signs = beside();
    long long active = 0;
    if (V::kLists)
      signs |=
          columns_.push_listed(w_.list(p_.current), w_.list(p_.previous), p_.length, stamp(), p_.push_part);
    else
      signs |= columns_.push_all(p_.push_part, active);
    const bsp::Agreed all = team_.agree(signs, active);
    if (all.bits & kPushed) p_.fresh = 0;
    if (!V::kLists && p_.push_part == 0) {
      if (p_.unrecorded) record(all.total);
      if (all.total == 0) return nobody_active();
    }
    went_beside(all.bits);
    if (all.bits & kUndecided) {
      ++p_.push_part;
      return;
    }
    p_.push_part = 0;
    const long long swapped = p_.current;
    p_.current = p_.previous;
    p_.previous = swapped;
    ++p_.loop;
    start_iteration();
  }

  KONIG_FN void start_iteration() {
    if (p_.loop - p_.exact_loop >= kOverdue * ((long long)w_.limit() + 64)) {
      p_.step = kStartRelabel;
      return;
    }
    if (p_.loop >= p_.next_relabel && p_.shadow_step == kShadowIdle) {
      if (!w_.rules.concurrent || p_.shadows >= kShadows) {
        p_.step = kStartRelabel;
        return;
      }
      p_.shadow_step = kShadowReset;
      p_.shadow_began = p_.loop;
      p_.fresh = 0;
    }
    if (w_.rules.gap && p_.loop % kGapEvery == 0)
      p_.step = kGapMark;
    else
      list_active();
  }

  // One step of the relabelling that runs beside the loop, if there is one.
  KONIG_FN unsigned beside() {
    switch (p_.shadow_step) {
      case kShadowReset:
        labels_.reset(w_.shadow_row_label, w_.shadow_col_label);
        return 0;
      case kShadowLevel: {
        const unsigned signs = labels_.expand(w_.shadow_row_label, w_.shadow_col_label, p_.shadow_level,
                                              p_.shadow_part, p_.uneven);
        return (signs & kInserted ? kShadowInserted : 0) | (signs & kUnscanned ? kShadowUnscanned : 0);
      }
      case kShadowTake:
        labels_.take_shadow();
        return 0;
      default:
        return 0;
    }
  }

  KONIG_FN void went_beside(unsigned signs) {
    if (p_.shadow_step == kShadowReset) {
      p_.shadow_step = kShadowLevel;
      p_.shadow_level = p_.shadow_part = p_.shadow_signs = 0;
    } else if (p_.shadow_step == kShadowLevel) {
      if (finished_level(signs & kShadowInserted, signs & kShadowUnscanned, p_.shadow_level, p_.shadow_part,
                         p_.shadow_signs))
        p_.shadow_step = kShadowTake;
    } else if (p_.shadow_step == kShadowTake) {
      finish_relabel(p_.shadow_level, p_.shadow_began);
      p_.shadow_step = kShadowIdle;
      ++p_.shadows;
    }
  }

  KONIG_FN void mark_levels() {
    ++p_.gap_passes;
    labels_.mark_levels(p_.gap_passes);
    team_.barrier();
    p_.step = kGapFind;
  }

  KONIG_FN void find_gap() {
    if (team_.any(labels_.find_gap(p_.gap_passes)) & kFound)
      p_.step = kGapLift;
    else
      list_active();
  }

  KONIG_FN void lift_rows() {
    labels_.lift_rows();
    team_.barrier();
    ++p_.gap_relabels;
    p_.fresh = 0;
    list_active();
  }

  KONIG_FN void fix() {
    if (p_.unrecorded) record(0);
    columns_.fix();
    team_.barrier();
    p_.status = kMaximum;
  }

  KONIG_FN void record(long long active) {
    if (team_.leads()) {
      long long* entry = w_.state->series + 4 * p_.series_used;
      entry[0] = p_.max_level;
      entry[1] = p_.interval;
      entry[2] = active;
      entry[3] = V::kLists ? p_.length : w_.cols;
    }
    ++p_.series_used;
    p_.unrecorded = 0;
  }

  // What iA holds for a column that is active in this iteration. It is compared for equality only.
  KONIG_FN Id stamp() const { return Id(p_.loop & 0x7fffffff); }

  KONIG_FN void leave() {
    State* s = w_.state;
    if (team_.leads()) {
      s->progress = p_;
      s->launches += 1;
    }
    if (V::kCounted) {
      team_.add(&s->edges_scanned, labels_.edges_scanned + columns_.edges_scanned);
      team_.add(&s->pushes, columns_.pushes);
      team_.add(&s->conflicts, columns_.conflicts);
      team_.add(&s->retired, columns_.retired);
    }
  }

  Team& team_;
  const Workspace<Id, Offset>& w_;  // no copy: an object that points into itself is not kept in registers
  Progress p_;
  Labels<V, Team, Id, Offset> labels_;
  Columns<V, Team, Id, Offset> columns_;
};

// Whether active columns are kept in lists (Algorithms 7-9) or looked for among all (Algorithms 3 and 6), and
// whether to count what is done.
template <class Id, class Offset, bool kActiveLists, bool kCounts>
struct Program : bsp::ProgramOf<Workspace<Id, Offset>, State, 0, Solve,
                                Program<Id, Offset, kActiveLists, kCounts>, Id, Offset> {
  static constexpr bool kLists = kActiveLists;
  static constexpr bool kCounted = kCounts;
};

}  // namespace konig::push_relabel

// The discharge of one active vertex in a superstep: it pushes along every admissible arc, is relabelled to
// one above the lowest neighbour that is left, and so on, up to `rises` times.
//
// A vertex has one worker, or a group of workers that share its slots, and its excess by a prefix sum.
// Heights are those of the superstep's beginning: new ones go to the other of two arrays. Where both ends of
// a pair are active, at most one of them may use the pair: the one that stands one above the other, or else
// the lower one, or else the one with the smaller number (Baumstark, Blelloch and Shun, section 3). The other
// one has to expect a push from there: its label stays at most one above that neighbour's. So residual
// capacities have one writer in a superstep, and labels stay valid: h(u) <= h(v) + 1 on residual arcs.
//
// What takes time on a GPU is waiting for memory, so what can be asked for at once is: a worker holds kHold
// slots and the labels of their ends while the vertex is relabelled, and only then writes its pushes.
#pragma once

#include "konig/flow/sync_pr/state.h"

namespace konig::synchronous_flow {

template <class Id, class Amount>
KONIG_FN Slot<Id, Amount> load_slot(const Slot<Id, Amount>* place) {
  if constexpr (sizeof(Id) == 4 && sizeof(Amount) == 4) {
    const bsp::Four<int> words = bsp::load_any_four((const bsp::Four<int>*)place);
    return {words.word[0], words.word[1], words.word[2], words.word[3]};
  } else {
    return {place->other, place->reverse, bsp::load(&place->out), bsp::load(&place->in)};
  }
}

template <class Id, class Amount>
KONIG_FN void store_amounts(Slot<Id, Amount>* place, Amount out, Amount in) {
  if constexpr (sizeof(Id) == 4 && sizeof(Amount) == 4) {
    bsp::store_two((bsp::Two<int>*)&place->out, {{out, in}});
  } else {
    bsp::store(&place->out, out);
    bsp::store(&place->in, in);
  }
}

template <class Id>
KONIG_FN Label<Id> load_label(const Label<Id>* place) {
  const bsp::Four<Id> words = bsp::load_any_four((const bsp::Four<Id>*)place);
  return {words.word[0], words.word[1], words.word[2], words.word[3]};
}

template <class Team, class Id, class Amount>
class Discharge {
 public:
  using Work = Workspace<Id, Amount>;

  using Next = frontier::Next<Entry<Id>>;

  KONIG_FN Discharge(Team& team, const Work& workspace) : team_(team), w_(workspace) {}

  KONIG_FN Next next_queue(long long turn) const {
    return frontier::open_next(team_, w_.queues, 2 * w_.vertices, w_.state->queues, turn);
  }

  // Enqueues a vertex for the next superstep. Whether its list is long.
  KONIG_FN bool enqueue(const Next& next, const Entry<Id>& entry) {
    const bool is_long = entry.vertex >= 0 && entry.length > kShort;
    if (is_long)
      next.place_at_back(team_) = entry;
    else
      team_.post(next.few, entry);
    return is_long;
  }

  // Discharges a vertex; what reached the target. enqueue(entry) puts a vertex among those of the next
  // superstep.
  template <class Enqueue>
  KONIG_FN Amount discharge(const Entry<Id>& entry, long long time, long long phase, int lane, int width,
                            Enqueue enqueue) {
    const Id u = entry.vertex < 0 ? ~entry.vertex : entry.vertex;
    const Id first = entry.first, last = entry.first + entry.length;
    const Label<Id>* now = w_.labels + (time % 2 ? w_.vertices : 0);
    Label<Id>* then = w_.labels + (time % 2 ? 0 : w_.vertices);
    const Label<Id> own = load_label(now + u);
    if (entry.vertex < 0) {
      // Relabelled last time and inactive: its height is copied. An active vertex's own discharge writes it.
      if (lane == 0 && own.active_at != Id(time)) bsp::store(&then[u].height, own.height);
      return 0;
    }
    const Amount excess = bsp::load(w_.excess + u);
    const Amount room = bsp::load((phase == 0 ? w_.to_sink : w_.to_source) + u);
    HeldArc held_arcs[kHold];
    load_arcs(held_arcs, first + lane, width, last, now, u, own.height, time);
    // The first worker's, for others may be late and see what has come or gone meanwhile.
    const Amount held = team_.group_at(excess, 0, width);
    const Amount target_room = team_.group_at(room, 0, width);
    const Id limit = unreachable(w_);
    Id height = own.height;
    Amount left = held;
    const Amount gone = push_to_target(u, phase, target_room, lane, left);
    const Amount to_neighbours = left;
    const bool all_held = last - first <= Id(width) * kHold;
    for (int rise = 0; left != 0; ++rise) {
      long long lowest = limit;
      for (Id base = first; base < last && left != 0; base += Id(width) * kHold) {
        if (!all_held && (rise > 0 || base > first))
          load_arcs(held_arcs, base + lane, width, last, now, u, own.height, time);
        lowest = push(held_arcs, height, left, lane, width, lowest);
        if (!all_held) write_pushes(held_arcs, then, time, enqueue);
      }
      if (lane == 0) scanned += last - first;
      team_.spend(last - first);
      if (left == 0) break;
      lowest = team_.group_min(lowest, width);
      if (lowest <= height) break;  // a neighbour may push from there in this superstep
      height = Id(lowest);
      if (lane == 0) ++relabels;
      if (height >= limit || rise + 1 >= w_.rules.rises) break;
    }
    Amount rest = left;
    if (lane == 0) {
      bsp::store(&then[u].height, height);
      const Amount passed = held - left;
      if (passed != 0) rest = bsp::fetch_add(w_.excess + u, Amount(-passed)) - passed;
    }
    if (all_held && left != to_neighbours) write_pushes(held_arcs, then, time, enqueue);
    if (lane == 0) {
      const bool active = rest != 0 && height < limit;
      if (active) bsp::store(&then[u].active_at, Id(time + 1));
      if (active || height != own.height) enqueue(Entry<Id>{active ? u : Id(~u), first, entry.length});
    }
    return gone;
  }

  long long scanned = 0;
  long long moves = 0;
  long long relabels = 0;

 private:
  // A residual arc in registers. Past the end of the list it is a null arc from u to u without capacity,
  // which `u <= other` in `wins` keeps from being a rival.
  struct HeldArc {
    Slot<Id, Amount> slot;
    Id at;
    Id height;  // of the other end
    Id first;   // of its slots
    Id length;
    Amount pushed;  // to it
    bool rival;     // the other end may push from there
  };

  KONIG_FN static bool wins(Id u, Id height, Id other, Id other_height) {
    return height == other_height + 1 || height < other_height - 1 || (height == other_height && u <= other);
  }

  // Every width-th slot from k up.
  KONIG_FN void load_arcs(HeldArc (&held_arcs)[kHold], Id k, int width, Id last, const Label<Id>* now, Id u,
                          Id height, long long time) const {
    Label<Id> label[kHold];
    KONIG_UNROLL
    for (int j = 0; j < kHold; ++j) {
      held_arcs[j].at = k + Id(j) * width;
      held_arcs[j].pushed = 0;
      if (held_arcs[j].at < last)
        held_arcs[j].slot = load_slot(w_.slots + held_arcs[j].at);
      else
        held_arcs[j].slot = {u, 0, 0, 0};
    }
    KONIG_UNROLL
    for (int j = 0; j < kHold; ++j) label[j] = load_label(now + held_arcs[j].slot.other);
    KONIG_UNROLL
    for (int j = 0; j < kHold; ++j) {
      held_arcs[j].height = label[j].height;
      held_arcs[j].first = label[j].first;
      held_arcs[j].length = label[j].length;
      held_arcs[j].rival =
          label[j].active_at == Id(time) && !wins(u, height, held_arcs[j].slot.other, label[j].height);
    }
  }

  // Pushes along admissible arcs; returns to which label the vertex may be relabelled then.
  KONIG_FN long long push(HeldArc (&held_arcs)[kHold], Id height, Amount& left, int lane, int width,
                          long long lowest) const {
    Amount room[kHold];
    unsigned long long mine = 0;
    KONIG_UNROLL
    for (int j = 0; j < kHold; ++j) {
      const bool open =
          held_arcs[j].slot.out != 0 && !held_arcs[j].rival && held_arcs[j].height + 1 == height;
      room[j] = open ? least(held_arcs[j].slot.out, left) : Amount(0);
      mine += (unsigned long long)room[j];
      if (mine > kMostShared) mine = kMostShared;
    }
    const bsp::Scanned share = shares(mine, lane, width);
    Amount rest = share.before < (long long)left ? Amount(left - Amount(share.before)) : Amount(0);
    left -= Amount(share.total < (long long)left ? share.total : (long long)left);
    KONIG_UNROLL
    for (int j = 0; j < kHold; ++j) {
      const Amount amount = least(room[j], rest);
      rest -= amount;
      held_arcs[j].pushed += amount;
      held_arcs[j].slot.out = difference_of(held_arcs[j].slot.out, amount);
      const bool above = held_arcs[j].rival || held_arcs[j].slot.out != 0;
      if (above && held_arcs[j].height + 1 < lowest) lowest = held_arcs[j].height + 1;
    }
    return lowest;
  }

  // What the workers before this one in its group pass, and what all of them do; sums stop at kMostShared.
  KONIG_FN bsp::Scanned shares(unsigned long long mine, int lane, int width) const {
    if (width == 1) return {0, (long long)mine};
    unsigned long long upto = mine;
    for (int offset = 1; offset < width; offset *= 2) {
      const unsigned long long left = team_.group_at(upto, lane >= offset ? lane - offset : lane, width);
      if (lane >= offset) upto = upto + left < kMostShared ? upto + left : kMostShared;
    }
    const unsigned long long before = team_.group_at(upto, lane > 0 ? lane - 1 : 0, width);
    return {lane == 0 ? 0 : (long long)before, (long long)team_.group_at(upto, width - 1, width)};
  }

  // Writes the pushes. This worker alone writes to both slots of the pair in this superstep. Who brings
  // the first excess makes the other end active.
  template <class Enqueue>
  KONIG_FN void write_pushes(HeldArc (&held_arcs)[kHold], Label<Id>* then, long long time, Enqueue enqueue) {
    Amount before[kHold];
    KONIG_UNROLL
    for (int j = 0; j < kHold; ++j) {
      before[j] = 1;
      const Amount amount = held_arcs[j].pushed;
      if (amount == 0) continue;
      const Slot<Id, Amount>& slot = held_arcs[j].slot;
      before[j] = bsp::fetch_add(w_.excess + slot.other, amount);
      const Amount out = slot.out, in = sum_of(slot.in, amount);
      store_amounts(w_.slots + held_arcs[j].at, out, in);
      store_amounts(w_.slots + slot.reverse, in, out);
      ++moves;
    }
    KONIG_UNROLL
    for (int j = 0; j < kHold; ++j) {
      if (before[j] != 0) continue;
      bsp::store(&then[held_arcs[j].slot.other].active_at, Id(time + 1));
      enqueue(Entry<Id>{held_arcs[j].slot.other, held_arcs[j].first, held_arcs[j].length});
    }
  }

  // A vertex with residual capacity to the target has height 1: labels are valid.
  KONIG_FN Amount push_to_target(Id u, long long phase, Amount room, int lane, Amount& left) {
    const Amount gone = least(room, left);
    left -= gone;
    if (gone == 0 || lane != 0) return 0;
    bsp::store((phase == 0 ? w_.to_sink : w_.to_source) + u, Amount(room - gone));
    return gone;
  }

  static constexpr unsigned long long kMostShared = 3ULL << 61;  // more than there is excess

  Team& team_;
  const Work& w_;
};

}  // namespace konig::synchronous_flow

// What happens to one active vertex in a superstep: it pushes to every lower neighbour that may be pushed to,
// rises above the lowest of those that are left, and so on, up to `rises` times.
//
// A vertex has one worker, or a group of workers that share its slots, and its excess by a prefix sum.
// Its label is the higher of how far it has risen and what the latest wave has found. Heights are those of
// the superstep's beginning: new ones go to the other of two arrays. Where both ends of a pair are active, at
// most one of them may use the pair: the one that stands one above the other, or else the lower one, or else
// the one with the smaller number (Baumstark, Blelloch and Shun, section 3). The other one has to expect a
// push from there: it does not rise to more than one above that neighbour. So residual capacities have one
// writer in a superstep, and labels stay valid: h(u) <= h(v) + 1 on residual arcs.
//
// Waves claim vertices meanwhile. Nobody pushes to a vertex that its own wave has not reached yet: what a
// wave has left behind must not become reachable again behind its back. Such a vertex counts as being at the
// wave's front, which is where the wave will find it at the earliest. A claim of this very superstep may be
// seen or not, so who sees one at either end of a pair of active vertices leaves the pair to the other.
//
// What takes time on a GPU is waiting for memory, so what can be asked for at once is: a worker holds kHold
// slots and the labels of their ends while the vertex rises, and only then moves what it has given away.
#pragma once

#include "konig/flow/synchronous/discharge.h"
#include "konig/flow/waves/state.h"

namespace konig::flow_waves {

using synchronous_flow::least;
using synchronous_flow::load_slot;
using synchronous_flow::store_amounts;

template <class Id>
KONIG_FN Mark<Id> load_mark(const Mark<Id>* place) {
#if defined(__CUDACC__)
  if constexpr (sizeof(Id) == 4) {
    const bsp::Two<long long> words = bsp::load_any_two((const bsp::Two<long long>*)place);
    return {words.word[0], Id(words.word[1]), Id(words.word[1] >> 32)};
  }
#endif
  return {bsp::load(&place->claim), bsp::load(&place->first), bsp::load(&place->length)};
}

template <class Id>
KONIG_FN Height<Id> load_height(const Height<Id>* place) {
  const bsp::Two<Id> words = bsp::load_any_two((const bsp::Two<Id>*)place);
  return {words.word[0], words.word[1]};
}

template <class Team, class Id, class Amount>
class Discharge {
 public:
  using Work = Workspace<Id, Amount>;
  using ItemOf = Item<Id>;

  KONIG_FN Discharge(Team& team, const Work& workspace) : team_(team), w_(workspace) {}

  // queue_up(item) is for the next superstep.
  template <class QueueUp>
  KONIG_FN Amount act(const ItemOf& item, const Moment& m, int lane, int width, QueueUp queue_up) {
    const Id u = item.vertex, first = item.first, last = item.first + item.length;
    const Height<Id>* now = w_.heights + (m.time % 2 ? w_.vertices : 0);
    Height<Id>* then = w_.heights + (m.time % 2 ? 0 : w_.vertices);
    const Height<Id> own = load_height(now + u);
    if (item.kind == kCopy) {
      // An active vertex does that for itself.
      if (lane == 0 && own.active_at != Id(m.time)) bsp::store(&then[u].height, own.height);
      return 0;
    }
    const long long seen = bsp::load(&w_.marks[u].claim);
    const Amount excess = bsp::load(w_.excess + u);
    const Amount room = bsp::load((m.phase == 0 ? w_.to_sink : w_.to_source) + u);
    Hand hand[kHold];
    Mark<Id> mark[kHold];
    Height<Id> theirs[kHold];
    fetch(hand, mark, theirs, first + lane, width, last, now, u);
    // The first worker's, for others may be late and see what has come or gone meanwhile.
    const long long claim = team_.group_first(seen, width);
    const Amount held = Amount(team_.group_first((long long)excess, width));
    const Amount target_room = Amount(team_.group_first((long long)room, width));
    Own mine{u, own.height, wave_of(claim), 0};
    if (mine.wave < m.done) return 0;  // it cannot reach the target
    if (is_fresh(claim, m.clock)) {    // nobody knows what its label was
      if (lane == 0) stay(item, own.height, then, m, queue_up);
      return 0;
    }
    const Id limit = unreachable(w_);
    if (level_of(claim) > (long long)mine.height) mine.height = Id(level_of(claim));
    mine.front = front_of(mine.wave, m, limit);
    weigh(hand, mark, theirs, mine, m, last);
    Id height = mine.height;
    Amount left = held;
    const Amount gone = to_target(u, m.phase, target_room, lane, left);
    const Amount to_neighbours = left;
    const bool in_hand = last - first <= Id(width) * kHold;
    for (int rise = 0; left != 0; ++rise) {
      long long lowest = limit;
      for (Id base = first; base < last && left != 0; base += Id(width) * kHold) {
        if (!in_hand && (rise > 0 || base > first)) {
          fetch(hand, mark, theirs, base + lane, width, last, now, u);
          weigh(hand, mark, theirs, mine, m, last);
        }
        lowest = deal(hand, height, left, width, lowest);
        if (!in_hand) finish(hand, then, m, queue_up);
      }
      if (lane == 0) scanned += last - first;
      team_.spend(last - first);
      if (left == 0) break;
      lowest = team_.group_min(lowest, width);
      if (lowest <= height) break;  // a neighbour may push from there in this superstep, or a wave comes
      height = Id(lowest);
      if (lane == 0) ++rises;
      if (height >= limit || rise + 1 >= w_.rules.rises) break;
    }
    Amount rest = left;
    const Id risen = height > mine.height ? height : own.height;
    if (lane == 0) {
      bsp::store(&then[u].height, risen);
      const Amount passed = held - left;
      if (passed != 0) rest = bsp::fetch_add(w_.excess + u, Amount(-passed)) - passed;
    }
    if (in_hand && left != to_neighbours) finish(hand, then, m, queue_up);
    if (lane == 0) {
      if (rest != 0) {
        bsp::store(&then[u].active_at, Id(m.time + 1));
        queue_up(item);
      } else if (risen != own.height) {
        queue_up(ItemOf{u, first, item.length, Id(kCopy)});
      }
    }
    return gone;
  }

  long long scanned = 0;
  long long moves = 0;
  long long rises = 0;

 private:
  // The vertex that acts: its label, its wave, and where that wave's front is.
  struct Own {
    Id vertex;
    Id height;
    long long wave;
    Id front;
  };

  // A slot that a worker holds.
  struct Hand {
    Slot<Id, Amount> slot;
    Id at;
    Id height;  // of the other end
    Id first;   // of its slots
    Id length;
    Amount given;  // to it
    bool rival;    // the other end may push from there
    bool barred;   // nothing may be pushed there
  };

  KONIG_FN static bool wins(Id u, Id height, Id other, Id other_height) {
    return height == other_height + 1 || height < other_height - 1 || (height == other_height && u <= other);
  }

  // At the least a wave that is under way gives this label to those it has not reached. What a finished wave
  // has not reached cannot reach the target, unless the wave was disturbed.
  KONIG_FN Id front_of(long long wave, const Moment& m, Id limit) const {
    if (wave == m.done) return limit;
    if (wave < m.oldest) return 0;
    return Id(m.clock - bsp::load(w_.state->starts + wave % kUnderWay));
  }

  template <class QueueUp>
  KONIG_FN void stay(const ItemOf& item, Id height, Height<Id>* then, const Moment& m, QueueUp queue_up) {
    bsp::store(&then[item.vertex].height, height);
    bsp::store(&then[item.vertex].active_at, Id(m.time + 1));
    queue_up(item);
  }

  // Every width-th slot from k up, and what is known of the other ends.
  KONIG_FN void fetch(Hand (&hand)[kHold], Mark<Id> (&mark)[kHold], Height<Id> (&theirs)[kHold], Id k,
                      int width, Id last, const Height<Id>* now, Id u) const {
    KONIG_UNROLL
    for (int j = 0; j < kHold; ++j) {
      hand[j].at = k + Id(j) * width;
      hand[j].given = 0;
      if (hand[j].at < last)
        hand[j].slot = load_slot(w_.slots + hand[j].at);
      else
        hand[j].slot = {u, 0, 0, 0};
    }
    KONIG_UNROLL
    for (int j = 0; j < kHold; ++j) {
      mark[j] = load_mark(w_.marks + hand[j].slot.other);
      theirs[j] = load_height(now + hand[j].slot.other);
    }
  }

  KONIG_FN static void weigh(Hand (&hand)[kHold], const Mark<Id> (&mark)[kHold],
                             const Height<Id> (&theirs)[kHold], const Own& own, const Moment& m, Id last) {
    KONIG_UNROLL
    for (int j = 0; j < kHold; ++j) {
      const long long claim = mark[j].claim;
      Id height = theirs[j].height;
      if (level_of(claim) > (long long)height) height = Id(level_of(claim));
      const bool behind = wave_of(claim) < own.wave;
      const bool unclear = is_fresh(claim, m.clock);
      hand[j].rival = hand[j].at < last && theirs[j].active_at == Id(m.time) &&
                      (unclear || !wins(own.vertex, own.height, hand[j].slot.other, height));
      hand[j].barred = hand[j].rival || behind;
      hand[j].height = behind && own.front > height ? own.front : height;
      hand[j].first = mark[j].first;
      hand[j].length = mark[j].length;
    }
  }

  // Gives away what slots to lower neighbours take; returns how high the vertex may rise then.
  KONIG_FN long long deal(Hand (&hand)[kHold], Id height, Amount& left, int width, long long lowest) const {
    Amount room[kHold];
    unsigned long long mine = 0;
    KONIG_UNROLL
    for (int j = 0; j < kHold; ++j) {
      const bool open = hand[j].slot.out != 0 && !hand[j].barred && hand[j].height < height;
      room[j] = open ? least(hand[j].slot.out, left) : Amount(0);
      mine += (unsigned long long)room[j];
      if (mine > (unsigned long long)bsp::kMostGrouped) mine = bsp::kMostGrouped;
    }
    const bsp::Scanned share = team_.group_scan((long long)mine, width);
    Amount rest = share.before < (long long)left ? Amount(left - Amount(share.before)) : Amount(0);
    left -= Amount(share.total < (long long)left ? share.total : (long long)left);
    KONIG_UNROLL
    for (int j = 0; j < kHold; ++j) {
      const Amount amount = least(room[j], rest);
      rest -= amount;
      hand[j].given += amount;
      hand[j].slot.out -= amount;
      const bool above = hand[j].rival || hand[j].slot.out != 0;
      if (above && (long long)hand[j].height + 1 < lowest) lowest = (long long)hand[j].height + 1;
    }
    return lowest;
  }

  // Moves what was given. This worker alone writes to both slots of the pair in this superstep. Who brings
  // the first excess makes the other end active.
  template <class QueueUp>
  KONIG_FN void finish(Hand (&hand)[kHold], Height<Id>* then, const Moment& m, QueueUp queue_up) {
    Amount before[kHold];
    KONIG_UNROLL
    for (int j = 0; j < kHold; ++j) {
      before[j] = 1;
      const Amount amount = hand[j].given;
      if (amount == 0) continue;
      const Slot<Id, Amount>& slot = hand[j].slot;
      before[j] = bsp::fetch_add(w_.excess + slot.other, amount);
      const Amount out = slot.out, in = slot.in + amount;
      store_amounts(w_.slots + hand[j].at, out, in);
      store_amounts(w_.slots + slot.mate, in, out);
      ++moves;
    }
    KONIG_UNROLL
    for (int j = 0; j < kHold; ++j) {
      if (before[j] != 0) continue;
      bsp::store(&then[hand[j].slot.other].active_at, Id(m.time + 1));
      queue_up(ItemOf{hand[j].slot.other, hand[j].first, hand[j].length, Id(kAct)});
    }
  }

  KONIG_FN Amount to_target(Id u, long long phase, Amount room, int lane, Amount& left) {
    const Amount gone = least(room, left);
    left -= gone;
    if (gone == 0 || lane != 0) return 0;
    bsp::store((phase == 0 ? w_.to_sink : w_.to_source) + u, Amount(room - gone));
    return gone;
  }

  Team& team_;
  const Work& w_;
};

}  // namespace konig::flow_waves

// What a worker does at a vertex of asynchronous push-relabel, at any time, whatever its neighbours do.
//
// Only the worker of a vertex lowers its excess and the residual capacities of its slots, and what it gives
// is at most what it has seen of both; others only add. So no number falls below zero, and at every moment
// the flow is a preflow. Labels are advice: a stale one costs time, never the answer (async_pr.h).
#pragma once

#include "konig/flow/async_pr/state.h"

namespace konig::asynchronous_flow {

// What all workers know of a stretch.
struct Moment {
  long long wave;
  long long limit;
  bool calm;
};

// What a vertex has got since its worker was there.
template <class Id, class Amount>
struct News {
  Amount excess;
  Id notices;
  Id seen;
};

template <class Team, class Id, class Amount>
class Vertices {
 public:
  using Work = Workspace<Id, Amount>;
  using NewsOf = News<Id, Amount>;

  KONIG_FN Vertices(Team& team, const Work& workspace) : team_(team), w_(workspace) {}

  // Looks after this worker's vertices until all meet.
  KONIG_FN void attend(const Moment& m) {
    team_.attend(
        w_.vertices, w_.rules.span,
        [&](long long v) { return NewsOf{bsp::load(w_.excess + v), bsp::load(w_.notices + v), w_.seen[v]}; },
        [&](const NewsOf& news) { return news.notices != news.seen || (news.excess != 0 && !m.calm); },
        [&](long long v, const NewsOf& news) {
          w_.seen[v] = news.notices;
          visit(Id(v), m.calm ? Amount(0) : news.excess, m);
        });
  }

  // Renews the label of a vertex, and tells its neighbours if it has changed; then pushes its excess along
  // all slots to lower ones. Returns whether the wave has come to it.
  KONIG_FN bool visit(Id v, Amount excess, const Moment& m) {
    const Label<Id> was = bsp::load_any_two(w_.labels + v);
    const bool back = trace_of(was) < 0;
    const Id first = w_.start[v], last = w_.start[v + 1];
    const Amount room = back ? w_.to_source[v] : w_.to_sink[v];
    Hand hand[kHeld];
    KONIG_UNROLL
    for (int j = 0; j < kHeld; ++j) hand[j] = {v, 0, was};
    Id lowest = Id(m.limit), trace = 0;
    KONIG_NO_UNROLL
    for (Id k = first; k < last; k += kHeld) {
      hold(hand, v, k, last, back);
      KONIG_UNROLL
      for (int j = 0; j < kHeld; ++j) {
        if (hand[j].out == 0) continue;
        if (height_of(hand[j].label) < lowest) lowest = height_of(hand[j].label);
        if (trace_of(hand[j].label) > trace) trace = trace_of(hand[j].label);
      }
    }
    if (room != 0) {
      lowest = 0;
      trace = make_trace<Id>(m.wave, 0);
    }
    const bool came = !back && wave_of(trace) > wave_of(trace_of(was));
    const Id height = lowest < Id(m.limit) ? Id(lowest + 1) : Id(m.limit);
    const Label<Id> now{{height, came ? lengthened(trace) : trace_of(was)}};
    if (came || height != height_of(was)) {
      bsp::store_two(w_.labels + v, now);
      rises += height > height_of(was);
      tell(hand, v, first, last, was, now);
    }
    ++visits;
    scanned += last - first;
    team_.spend(last - first);
    if (excess != 0) push(hand, v, first, last, excess, room, back, height);
    return came;
  }

  long long visits = 0;
  long long scanned = 0;
  long long moves = 0;
  long long rises = 0;
  long long delivered = 0;
  long long returned = 0;

 private:
  // A slot that a worker holds, and the label of the other end.
  struct Hand {
    Id other;
    Amount out;  // 0 if nothing may go there
    Label<Id> label;
  };

  // Stranded vertices push to stranded ones only, and nobody else pushes to them.
  KONIG_FN void hold(Hand (&hand)[kHeld], Id v, Id k, Id last, bool back) const {
    KONIG_UNROLL
    for (int j = 0; j < kHeld; ++j) {
      hand[j].other = v;
      hand[j].out = 0;
      if (k + j >= last) continue;
      hand[j].other = w_.other[k + j];
      hand[j].out = bsp::load(w_.out + k + j);
    }
    KONIG_UNROLL
    for (int j = 0; j < kHeld; ++j) hand[j].label = bsp::load_any_two(w_.labels + hand[j].other);
    KONIG_UNROLL
    for (int j = 0; j < kHeld; ++j)
      if ((trace_of(hand[j].label) < 0) != back) hand[j].out = 0;
  }

  // Whether a neighbour may have to change its own label. One that was lower does not stand on this one.
  KONIG_FN static bool concerns(const Label<Id>& other, const Label<Id>& was, const Label<Id>& now) {
    return height_of(other) >= height_of(was) || height_of(now) < height_of(was) ||
           (trace_of(other) >= 0 && trace_of(other) < trace_of(now));
  }

  KONIG_FN void tell(const Hand (&hand)[kHeld], Id v, Id first, Id last, const Label<Id>& was,
                     const Label<Id>& now) {
    if (last - first <= kHeld) {
      KONIG_UNROLL
      for (int j = 0; j < kHeld; ++j)
        if (hand[j].other != v && concerns(hand[j].label, was, now))
          bsp::fetch_add(w_.notices + hand[j].other, Id(1));
    } else {
      for (Id k = first; k < last; ++k) bsp::fetch_add(w_.notices + w_.other[k], Id(1));
    }
  }

  KONIG_FN void push(Hand (&hand)[kHeld], Id v, Id first, Id last, Amount excess, Amount room, bool back,
                     Id height) {
    Amount left = excess;
    bool filled = false;
    if (room != 0) {
      const Amount gone = least(room, left);
      left -= gone;
      filled = gone == room;
      (back ? w_.to_source : w_.to_sink)[v] = room - gone;
      (back ? returned : delivered) += (long long)gone;
    }
    KONIG_NO_UNROLL
    for (Id k = first; k < last && left != 0; k += kHeld) {
      if (last - first > kHeld) hold(hand, v, k, last, back);
      KONIG_UNROLL
      for (int j = 0; j < kHeld; ++j) {
        if (hand[j].out == 0 || left == 0 || height_of(hand[j].label) >= height) continue;
        const Amount amount = least(hand[j].out, left);
        bsp::fetch_add(w_.out + w_.reverse[k + j], amount);  // first, so that the other end sees its way back
        bsp::fetch_add(w_.out + k + j, Amount(-amount));
        bsp::fetch_add(w_.excess + hand[j].other, amount);
        left -= amount;
        filled |= amount == hand[j].out;
        ++moves;
      }
    }
    if (left != excess) bsp::fetch_add(w_.excess + v, Amount(left - excess));
    if (filled && left == 0) bsp::fetch_add(w_.notices + v, Id(1));  // a way is gone, and nothing else calls
  }

  Team& team_;
  const Work& w_;
};

}  // namespace konig::asynchronous_flow

// Work for the next superstep in one array: short lists from its front, long ones from its back, for a few
// workers and for many. Two arrays take turns, and so do the counters (bsp::Tally).
#pragma once

#include "konig/bsp/team.h"

// A stress build makes it tiny.
#ifndef KONIG_FLOW_PIECE
#define KONIG_FLOW_PIECE 256
#endif

namespace konig::frontier {

constexpr int kPiece = KONIG_FLOW_PIECE;  // of a long list that a search takes at once

// A vertex is in a frontier once, as a short piece or as pieces of full length but for the last.
KONIG_FN long long room_for_pieces(long long vertices, long long entries) {
  return vertices + entries / kPiece + 1;
}

template <class Item>
KONIG_FN Item* array_of(Item* both, long long room, long long round) {
  return both + (round % 2 ? room : 0);
}

template <class Item>
struct Next {
  bsp::Queue<Item> few;
  long long* many;
  long long room;

  template <class Team>
  KONIG_FN Item& place_at_back(Team& team) const {
    return few.items[room - 1 - team.reserve(many, 1)];
  }

  // Adds a list in pieces: make(first, length) is one of them. Returns whether the list is long.
  template <class Team, class Make>
  KONIG_FN bool add_list(Team& team, long long length, int short_list, Make make) const {
    if (length <= short_list) {
      if (length > 0) team.post(few, make(0, int(length)));
      return false;
    }
    long long slot = team.reserve(many, (length + kPiece - 1) / kPiece);
    for (long long first = 0; first < length; first += kPiece, ++slot)
      few.items[room - 1 - slot] = make(first, int(length - first < kPiece ? length - first : kPiece));
    return true;
  }
};

// What superstep `round` fills.
template <class Team, class Item>
KONIG_FN Next<Item> open_next(Team& team, Item* both, long long room, bsp::Tally* tallies, long long round) {
  bsp::Tally* tally = bsp::open_tally(team, tallies, round);
  return {{array_of(both, room, round), &tally->first}, &tally->second, room};
}

// visit(item, round, lane, width) for all items of an array. While no more than `alone` are left and all are
// short, one block takes up to `rounds` supersteps. Returns how many were taken, for the leader.
template <class Team, class Item, class Visit>
KONIG_FN int visit_all(Team& team, const Item* items, long long few, long long many, const Next<Item>& next,
                       int alone, int rounds, Visit visit) {
  return team.expand_alone(items, few, many, next.room, next.few, alone, rounds, visit);
}

}  // namespace konig::frontier

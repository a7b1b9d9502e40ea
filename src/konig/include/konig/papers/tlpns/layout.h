// From arcs in any order to a layout of residual.h (Hsieh, Lin, Kuo, section III-B), and back to the flow of
// each arc, by a team. What a launch does is the number `task`.
//
//   kWeigh   adds up what may leave the source and what may enter the sink. The caller then knows a bound on
//            the flow, to which capacities are cut, and whether what leaves the source fits a word.
//   kLayOut  makes the layout. Lists come in order of arrival first and are then sorted by merging runs that
//            double in each superstep: an entry finds its place among those of the other run by bisection, so
//            that a list of any length is shared by all workers, and the layout is the same on every machine.
//   kSend    puts a flow on it.
//   kDeal    after the solve: the flow of each arc, and the side of the cut that each vertex is on.
//
// The paper's networks have one source and one sink: all sources are one vertex here, and so are all sinks.
// Where the source might send more than fits a word, one more vertex feeds it, through one more arc that
// lets `bound` through. Loops and arcs of no capacity are left out.
//
// Entries: entry k < all is arc k, which may be the one more, and entry all + k is arc k the other way: the
// arc itself where arcs have no direction; else what Bcsr alone has a place for.
#pragma once

#include "konig/bsp/limits.h"
#include "konig/bsp/program.h"
#include "konig/flow/profile.h"
#include "konig/flow/residual.h"

namespace konig::flow_layout {

using flow_profile::Sum;
using residual::add_up_to, residual::Arcs, residual::kSink, residual::kSource, residual::take;

enum Status : long long { kRunning, kDone };
enum Task : long long { kWeigh, kLayOut, kSend, kDeal };

struct State {
  long long status;
  Sum leaving;   // the source
  Sum entering;  // the sink
  long long listed;
};

// What a list holds: an entry, after the key that lists are sorted by.
template <class Id>
struct Item {
  Id key;
  Id entry;
  KONIG_FN bool operator<(const Item& other) const {
    return key != other.key ? key < other.key : entry < other.entry;
  }
};

// Of the arrays of a layout, those that it does not have are null: Bcsr has no `backward`, Rcsr alone has
// `in_start`. Their number decides how many entries there are.
template <class Id>
struct Workspace {
  Arcs<Id> arcs;
  long long task;
  long long source;   // the vertex that stands for all sources
  long long sink;     // and the one for all sinks
  long long fed;      // whether there is one more vertex, and one more arc
  long long entries;  // kLayOut: the arcs, or twice as many
  Id* start;          // the arrays of residual.h, of which these two are called like those of the arcs
  Id* list_head;
  Id* list_tail;
  Id* in_start;
  Id* in_tail;
  Id* in_arc;
  long long* forward;
  long long* backward;
  Id* place;          // of each entry that is not left out
  long long* whole;   // Bcsr: what the places hold without flow; kDeal leaves the flow that is not dealt
  long long* excess;  // kSend: vertices; that of the sink is written
  long long* flow;    // of each arc, negative against its direction
  const unsigned char* cut;  // of the solve: vertices on the source's side
  unsigned char* side;       // the same of the given vertices
  Id* degree;                // vertices: what is to be placed in their lists
  Id* begins;                // vertices + 1: Bcsr: where the lists of entries begin
  Id* owner;                 // of each item: the vertex that has it in its list
  Item<Id>* items;           // two arrays of `entries`
  State* state;

  KONIG_FN long long vertices() const { return arcs.vertices + fed; }

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    arcs.describe(layout);
    layout.number(KONIG_NAMED(task, source, sink, fed, entries));
    layout.given(KONIG_NAMED(start, list_head, list_tail, in_start, in_tail, in_arc, forward, backward, place,
                             whole, excess, flow, cut, side));
    const long long lists = task == kLayOut ? vertices() + 1 : 0;
    layout.own(degree, lists, bsp::Filling::kZeros);
    layout.own(begins, lists);
    layout.own(owner, entries);
    layout.own(items, 2 * entries);
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State& s, Reading& reading) const {
    reading.status(s.status, "running", "done");
    reading.word("low_bits", flow_profile::kLowBits);
    reading.word("leaving", s.leaving.high);
    reading.word("leaving_low", s.leaving.low);
    reading.word("entering", s.entering.high);
    reading.word("entering_low", s.entering.low);
    reading.word("listed", s.listed);
  }
};

template <class Team, class Id>
class LayOut {
 public:
  KONIG_FN LayOut(Team& team, const Workspace<Id>& workspace)
      : team_(team), w_(workspace), all_(workspace.arcs.count + workspace.fed) {}

  KONIG_FN void run() {
    if (w_.task == kWeigh) weigh();
    if (w_.task == kLayOut) merges() ? lay_out_neighbours() : lay_out_arcs();
    if (w_.task == kSend) send();
    if (w_.task == kDeal) deal();
    if (team_.leads()) w_.state->status = kDone;
  }

 private:
  KONIG_FN bool merges() const { return w_.backward == nullptr; }

  // ---- arcs and entries ----

  struct Directed {
    Id tail, head;
    long long room;
    bool used;  // whether it has a place
  };

  KONIG_FN Id end_of(Id v) const {
    const unsigned char role = w_.arcs.role[v];
    return role == kSource ? Id(w_.source) : role == kSink ? Id(w_.sink) : v;
  }

  KONIG_FN Directed entry(long long e) const {
    const bool turned = e >= all_;
    const long long k = turned ? e - all_ : e;
    const bool given = k < w_.arcs.count;
    const Id tail = given ? end_of(w_.arcs.tail[k]) : Id(w_.arcs.vertices);
    const Id head = given ? end_of(w_.arcs.head[k]) : Id(w_.source);
    const long long room = given ? w_.arcs.room(k) : w_.arcs.bound;
    const bool carries = !turned || (given && w_.arcs.undirected);
    const bool used = tail != head && room > 0 && (carries || merges());
    return {turned ? head : tail, turned ? tail : head, carries ? room : 0, used};
  }

  // visit(k, arc) for the arcs given, which may be both ways where they have no direction.
  template <class Visit>
  KONIG_FN void each_arc(Visit visit) {
    team_.for_each(w_.arcs.count, [&](long long k) { visit(k, entry(k)); });
  }

  KONIG_FN void weigh() {
    Sum leaving, entering;
    each_arc([&](long long, const Directed& arc) {
      if (!arc.used) return;
      const bool both = w_.arcs.undirected != 0;
      if (arc.tail == Id(w_.source) || (both && arc.head == Id(w_.source))) leaving.add(arc.room);
      if (arc.head == Id(w_.sink) || (both && arc.tail == Id(w_.sink))) entering.add(arc.room);
    });
    leaving.publish(team_, &w_.state->leaving);
    entering.publish(team_, &w_.state->entering);
  }

  // ---- lists ----

  // Lists of the entries in use: owner_of(arc) has it in its list, which is sorted by key_of(e, arc). Returns
  // the items, one list after the other, for all workers to read.
  template <class OwnerOf, class KeyOf>
  KONIG_FN const Item<Id>* make_lists(Id* start, OwnerOf owner_of, KeyOf key_of) {
    team_.for_each(w_.entries, [&](long long e) {
      const Directed arc = entry(e);
      if (arc.used) bsp::fetch_add(w_.degree + owner_of(arc), Id(1));
    });
    team_.barrier();
    long long longest = 0;
    const long long total = bsp::counts_to_offsets(
        team_, w_.vertices(), [&](long long v) { return (long long)bsp::load(w_.degree + v); },
        [&](long long v, long long begin, long long degree) {
          bsp::store(start + v, Id(begin));
          if (degree > longest) longest = degree;
        });
    if (team_.leads()) bsp::store(start + w_.vertices(), Id(total));
    longest = total - team_.agree(0, 0, total - longest).least;
    team_.for_each(w_.entries, [&](long long e) {
      const Directed arc = entry(e);
      if (!arc.used) return;
      const Id owner = owner_of(arc);
      const Id at = bsp::load(start + owner) + bsp::fetch_add(w_.degree + owner, Id(-1)) - 1;
      w_.items[at] = {key_of(e, arc), Id(e)};
      w_.owner[at] = owner;
    });
    team_.barrier();
    return sorted(start, total, longest);
  }

  // Merges neighbouring runs of a list until each list is one.
  KONIG_FN const Item<Id>* sorted(const Id* start, long long total, long long longest) {
    Item<Id>*from = w_.items, *into = w_.items + w_.entries;
    for (long long width = 1; width < longest; width *= 2) {
      team_.for_each(total, [&](long long at) {
        const Item<Id> item = from[at];
        const Id owner = w_.owner[at];
        const long long first = bsp::load(start + owner), end = bsp::load(start + owner + 1);
        const long long in_run = (at - first) & (width - 1), in_both = (at - first) & (2 * width - 1);
        const long long both = at - in_both;  // where the two runs begin
        long long low = in_both < width ? both + width : both;
        if (low > end) low = end;
        const long long other = low;
        long long high = low + width < end ? low + width : end;
        while (low < high) {
          const long long middle = low + (high - low) / 2;
          if (from[middle] < item)
            low = middle + 1;
          else
            high = middle;
        }
        into[both + in_run + (low - other)] = item;
      });
      team_.barrier();
      Item<Id>* const merged = into;
      into = from;
      from = merged;
    }
    return from;
  }

  // ---- the layouts ----

  // Csr, and what Rcsr has beside it.
  KONIG_FN void lay_out_arcs() {
    const Item<Id>* items = make_lists(
        w_.start, [](const Directed& arc) { return arc.tail; },
        [](long long, const Directed& arc) { return arc.head; });
    const long long total = bsp::load(w_.start + w_.vertices());
    team_.for_each(total, [&](long long at) {
      const Id e = items[at].entry;
      w_.place[e] = Id(at);
      w_.list_head[at] = items[at].key;
      if (w_.list_tail) w_.list_tail[at] = w_.owner[at];
      w_.forward[at] = entry(e).room;
      w_.backward[at] = 0;
    });
    team_.barrier();
    if (team_.leads()) w_.state->listed = total;
    if (w_.in_start) list_entering();
  }

  KONIG_FN void list_entering() {
    const Item<Id>* items = make_lists(
        w_.in_start, [](const Directed& arc) { return arc.head; },
        [&](long long e, const Directed&) { return w_.place[e]; });
    team_.for_each(bsp::load(w_.in_start + w_.vertices()), [&](long long at) {
      w_.in_arc[at] = items[at].key;
      w_.in_tail[at] = entry(items[at].entry).tail;
    });
  }

  // Bcsr: entries to the same neighbour, which stand side by side, share a place.
  KONIG_FN void lay_out_neighbours() {
    const Item<Id>* items = make_lists(
        w_.begins, [](const Directed& arc) { return arc.tail; },
        [](long long, const Directed& arc) { return arc.head; });
    const long long total = bsp::load(w_.begins + w_.vertices());
    const long long places = bsp::counts_to_offsets(
        team_, total,
        [&](long long at) {
          const bool first = bsp::load(w_.begins + w_.owner[at]) == Id(at);
          return (long long)(first || items[at].key != items[at - 1].key);
        },
        [&](long long at, long long before, long long opens) {
          const long long place = before + opens - 1;
          w_.place[items[at].entry] = Id(place);
          if (opens == 0) return;
          w_.list_head[place] = items[at].key;
          bsp::store(w_.whole + place, 0LL);
        });
    team_.barrier();
    team_.for_each(w_.vertices() + 1, [&](long long v) {
      const long long first = bsp::load(w_.begins + v);
      w_.start[v] = first < total ? w_.place[items[first].entry] : Id(places);
    });
    team_.for_each(total, [&](long long at) {
      const Id e = items[at].entry;
      const long long room = entry(e).room;
      if (room > 0) add_up_to(w_.whole + w_.place[e], room, w_.arcs.bound);
    });
    team_.barrier();
    team_.for_each(places, [&](long long place) { w_.forward[place] = bsp::load(w_.whole + place); });
    if (team_.leads()) w_.state->listed = places;
  }

  // ---- flow onto the layout, and off it ----

  // The residual capacity of the other direction of an entry, which may not be one itself.
  KONIG_FN long long* against(long long e) const {
    if (!merges()) return w_.backward + w_.place[e];
    return w_.forward + w_.place[e < all_ ? e + all_ : e - all_];
  }

  // A flow of each arc, within capacities.
  KONIG_FN void send() {
    long long brought = 0;
    each_arc([&](long long k, const Directed& arc) {
      const long long flow = bsp::load(w_.flow + k), amount = flow < 0 ? -flow : flow;
      if (flow == 0 || !arc.used) return;
      const long long e = flow < 0 ? k + all_ : k;
      bsp::fetch_add(w_.forward + w_.place[e], -amount);
      bsp::fetch_add(against(e), amount);
      if ((flow < 0 ? arc.tail : arc.head) == Id(w_.sink)) brought += amount;
    });
    brought = team_.sum(brought);
    if (team_.leads()) bsp::store(w_.excess + w_.sink, brought);
  }

  KONIG_FN void deal() {
    if (merges()) weigh_places();
    each_arc([&](long long k, const Directed& arc) {
      bsp::store(w_.flow + k, arc.used ? flow_of(k, arc.room) : 0LL);
    });
    team_.for_each(w_.arcs.vertices, [&](long long v) {
      const unsigned char role = w_.arcs.role[v];
      w_.side[v] = role == kSource || (role != kSink && w_.cut[v] != 0);
    });
  }

  // Leaves the flow of each place. Where there is more than without flow, it goes the other way; 2^63 reads
  // as negative.
  KONIG_FN void weigh_places() {
    team_.for_each(bsp::load(w_.start + w_.vertices()), [&](long long place) {
      const unsigned long long left = (unsigned long long)w_.forward[place];
      const unsigned long long whole = (unsigned long long)bsp::load(w_.whole + place);
      bsp::store(w_.whole + place, left < whole ? (long long)(whole - left) : 0LL);
    });
    team_.barrier();
  }

  KONIG_FN long long flow_of(long long k, long long room) const {
    const bool both = w_.arcs.undirected != 0;
    if (!merges()) return w_.backward[w_.place[k]] - (both ? w_.backward[w_.place[k + all_]] : 0);
    const long long flow = take(w_.whole + w_.place[k], room);
    return both && flow == 0 ? -take(w_.whole + w_.place[k + all_], room) : flow;
  }

  Team& team_;
  const Workspace<Id>& w_;
  const long long all_;
};

template <class Id>
using Program = bsp::ProgramOf<Workspace<Id>, State, 0, LayOut, Id>;

}  // namespace konig::flow_layout

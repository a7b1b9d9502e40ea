// Lock-free push-relabel, thread-centric and with two-level parallelism (TLPNS), for maximum flow.
//
// Hsieh, Lin, Kuo, "Accelerating push-relabel algorithm on GPU via two-level parallelism paradigm and
// efficient CSR designs", Algorithms 1 and 2; after He and Hong (IPDPS 2010). In a cycle every active vertex
// finds its lowest neighbour in the residual network and pushes flow to it, or, if that is not lower,
// rises above it. Thread-centric: a worker for each vertex, active or not. TLPNS: the active vertices are
// gathered in a queue first, and a tile of workers searches the neighbours of each; when the queue is empty
// the cycles end early. From time to time a search from the target makes the heights exact distances.
//
// State: excess[v] is what v holds, height[v] a guess at its distance from the target, the vertex count when
// it is out of reach; a vertex is active when it holds something and is not out of reach. Excesses and
// residual capacities always describe a preflow, whatever the races: they change by atomic additions of what
// the one worker that may take it has seen. Heights guide and prove nothing. What proves the answer is a
// relabelling: when right after an exact one no vertex is active, no excess can reach the sink, and the
// vertices that cannot reach it are the source's side of a minimum cut.
//
// Second phase: what is left at vertices on the source's side goes back to the source, by the same program
// with the source as its target. There is a way: it came from there. Residual arcs do not cross the cut.
//
// Deviations. (1) The corrections that Algorithm 1 needs: amounts add up on parallel and opposite arcs, the
// lowest neighbour is remembered, the end is the one above, and the second phase follows. (2) Racing heights
// can break h(u) <= h(v) + 1 on a residual arc. He and Hong saturate such arcs, which may take from u what it
// no longer has. Here relabelling makes all heights anew, so that no such arc is left; the source's arcs,
// where one could be, are saturated at the start and stay so, since nothing flows back before the second
// phase. (3) Heights may then fall at a relabelling, so races might go on forever. When a number of cycles of
// kCyclesPerLevel times the levels have brought the target nothing, cycles are careful until something comes:
// all pushes in one superstep, all new heights in the next. Heights are valid then and only rise, which is
// push-relabel as Goldberg and Tarjan proved it. (4) The interval between relabellings is a knob, k times the
// levels of the latest one; the paper's is `vertices` cycles. (5) The queue alternates between two counters.
// (6) A tile may depend on the vertex's degree, the paper's future work.
#pragma once

#include "konig/papers/tlpns/discharge.h"
#include "konig/papers/tlpns/heights.h"

namespace konig::flow {

template <class Team, class V, class Id, class Offset>
class Solve {
 public:
  using Residual = typename V::Residual;
  using Work = Workspace<Id, Offset, Residual>;

  KONIG_FN Solve(Team& team, const Work& workspace)
      : team_(team), w_(workspace), heights_(team, workspace), vertices_(team, workspace) {}

  // Goes on from the state in the workspace until the flow is maximum or the launch has to end.
  KONIG_FN void run() {
    const long long began = V::kProfiled ? team_.ticks() : 0;
    const long long began_ns = V::kProfiled ? team_.nanoseconds() : 0;
    p_ = w_.state->progress;
    team_.barrier();  // nobody leaves, and writes the state, before all have read it
    while (p_.status == kRunning && p_.series_used < kSeries) {
      step();
      ++p_.supersteps;
      if (team_.expired()) break;
    }
    leave();
    if (V::kProfiled && team_.leads()) {
      w_.state->leader_ticks += team_.ticks() - began;
      w_.state->leader_ns += team_.nanoseconds() - began_ns;
    }
  }

 private:
  KONIG_FN void step() {
    switch (p_.step) {
      case kPreflow:
        return preflow();
      case kStartRelabel:
        return start_relabel();
      case kRelabelLevel:
        return relabel_level();
      case kGather:
        return gather();
      case kCycle:
        return V::kTiles ? cycle_tiles() : cycle_all();
      case kCarefulPush:
        return careful_push();
      case kCarefulRelabel:
        return careful_relabel();
      default:
        return cut();
    }
  }

  KONIG_FN Id target() const { return p_.phase == 0 ? w_.sink : w_.source; }

  KONIG_FN void preflow() {
    vertices_.preflow();
    team_.barrier();
    p_.step = kStartRelabel;
  }

  // ---- global relabelling ----

  KONIG_FN void start_relabel() {
    heights_.start(target(), p_.rounds);
    team_.barrier();
    heights_.read(p_);
    p_.level = 0;
    p_.step = kRelabelLevel;
  }

  KONIG_FN void relabel_level() {
    // Read before the barrier: after it a worker that is ahead may push there already.
    const long long received = bsp::load(w_.excess + target());
    const unsigned reached = heights_.expand(p_);
    const bool reached_any = team_.any(reached) != 0;
    heights_.read(p_);
    if (Residual::kScansAll ? reached_any : p_.pieces + p_.long_pieces > 0)
      ++p_.level;
    else
      finish_relabel(received);
  }

  KONIG_FN void finish_relabel(long long received) {
    if (p_.unrecorded) record(0);
    ++p_.relabels;
    p_.second_relabels += p_.phase;
    const double wanted = w_.rules.k * (double)(w_.rules.base > 0 ? w_.rules.base : p_.level + 1);
    p_.interval = bsp::whole_interval(wanted);
    p_.next_relabel = p_.cycles + p_.interval;
    p_.fresh = 1;
    p_.unrecorded = 1;
    if (received > p_.gain || p_.relabels == 1) {
      p_.gain = received;
      p_.gain_cycle = p_.cycles;
      p_.deepest = 0;
    }
    if (p_.level > p_.deepest) p_.deepest = p_.level;
    p_.careful = p_.cycles - p_.gain_cycle > kCyclesPerLevel * (p_.deepest + 16);
    start_cycle();
  }

  KONIG_FN void start_cycle() {
    if (p_.careful)
      p_.step = kCarefulPush;
    else
      p_.step = V::kTiles ? kGather : kCycle;
  }

  // ---- cycles ----

  // Thread-centric: all vertices are looked at, and the cycles go on though nobody may be active.
  KONIG_FN void cycle_all() {
    const Mark mark = begin_mark();
    const long long total = end_mark(mark, act_everywhere<Moves::kAny>());
    if (p_.fresh) record(total);
    if (total == 0) {
      if (p_.fresh) {
        p_.step = kCut;
        return;
      }
      ++p_.idle_cycles;
    }
    end_cycle(total);
  }

  // TLPNS, lines 1-5.
  KONIG_FN void gather() {
    const Mark mark = begin_mark();
    long long* used = w_.state->queue_used + p_.turn * kTileSizes;
    const bool by_degree = w_.rules.tile == kByDegree;
    const bsp::Queue<Id> queue{w_.queue, used};
    team_.for_each(w_.vertices, [&](long long v) {
      if (!vertices_.active(Id(v), target())) return;
      if (!by_degree) return team_.post(queue, Id(v));
      // Vertices of three queues come in no order, so each worker asks for its own place.
      const int size = tile_class(w_.residual.places(Id(v)));
      const long long slot = bsp::fetch_add(used + size, 1LL);
      bsp::store(w_.queue + size * w_.vertices + slot, Id(v));
    });
    team_.deliver(queue);
    if (V::kProfiled) busy(mark);
    team_.barrier();
    if (V::kProfiled && team_.leads()) cycle_ticks_ += team_.ticks() - mark.began;
    long long total = 0;
    for (int size = 0; size < kTileSizes; ++size) total += p_.queued[size] = bsp::load(used + size);
    if (p_.fresh) record(total);
    if (total > 0)
      p_.step = kCycle;
    else if (p_.fresh)
      p_.step = kCut;
    else
      p_.step = kStartRelabel;  // the early exit
  }

  // Lines 6-14. The other counter is set back: it was last read before the previous barrier.
  KONIG_FN void cycle_tiles() {
    const Mark mark = begin_mark();
    p_.turn = 1 - p_.turn;
    if (team_.leads())
      for (int size = 0; size < kTileSizes; ++size)
        bsp::store(w_.state->queue_used + p_.turn * kTileSizes + size, 0LL);
    const bool by_degree = w_.rules.tile == kByDegree;
    long long total = 0;
    for (int size = kTileSizes - 1; size >= 0; --size) {  // the long lists first
      const int width = by_degree ? tile_width(size) : int(w_.rules.tile);
      const Id* queue = w_.queue + size * w_.vertices;
      team_.for_each_wide(p_.queued[size], width, [&](long long i, int lane, int lanes) {
        vertices_.template act<Moves::kAny>(bsp::load(queue + i), lane, lanes);
      });
      total += p_.queued[size];
      p_.tiled[size] += p_.queued[size];
    }
    end_mark(mark, 0);
    p_.step = kGather;
    end_cycle(total);
  }

  KONIG_FN void end_cycle(long long active) {
    p_.fresh = 0;
    p_.active += active;
    ++p_.cycles;
    p_.second_cycles += p_.phase;
    if (p_.cycles >= p_.next_relabel) p_.step = kStartRelabel;
  }

  // ---- cycles without races ----

  KONIG_FN void careful_push() {
    const long long total = team_.sum(act_everywhere<Moves::kPushesOnly>());
    if (p_.fresh) {
      record(total);
      if (total == 0) {
        p_.step = kCut;
        return;
      }
    }
    p_.fresh = 0;
    p_.step = kCarefulRelabel;
  }

  KONIG_FN void careful_relabel() {
    if (V::kProfiled && team_.leads()) bsp::store(w_.state->busiest + (p_.cycles + 1) % bsp::kTallies, 0LL);
    const long long total = team_.sum(act_everywhere<Moves::kHeightsOnly>());
    ++p_.careful_cycles;
    p_.step = kCarefulPush;
    end_cycle(total);
    if (total == 0) p_.step = kStartRelabel;
  }

  // Returns this worker's share of the active vertices.
  template <Moves kMoves>
  KONIG_FN long long act_everywhere() {
    long long active = 0;
    team_.for_each(w_.vertices, [&](long long v) {
      if (!vertices_.active(Id(v), target())) return;
      ++active;
      vertices_.template act<kMoves>(Id(v), 0, 1);
    });
    return active;
  }

  // ---- the end of a phase ----

  // Heights are exact here. After the first phase they are the cut.
  KONIG_FN void cut() {
    long long stranded = 0;
    team_.for_each(w_.vertices, [&](long long v) {
      const bool apart = bsp::load(w_.height + v) >= Id(w_.vertices);
      if (p_.phase == 0) bsp::store(w_.cut + v, (unsigned char)apart);
      stranded += Id(v) != w_.source && Id(v) != w_.sink && bsp::load(w_.excess + v) > 0;
    });
    stranded = team_.sum(stranded);
    if (p_.phase == 1) {
      p_.status = stranded == 0 ? kMaximum : kStalled;  // cannot stall: excess has a way back
      return;
    }
    p_.stranded = stranded;
    if (stranded == 0) {
      p_.status = kMaximum;
      return;
    }
    p_.phase = 1;
    p_.gain = 0;
    p_.gain_cycle = p_.cycles;
    p_.deepest = 0;
    p_.step = kStartRelabel;
  }

  KONIG_FN void record(long long active) {
    if (team_.leads()) {
      long long* entry = w_.state->series + 3 * p_.series_used;
      entry[0] = p_.level + 1;
      entry[1] = p_.interval;
      entry[2] = active;
    }
    ++p_.series_used;
    p_.unrecorded = 0;
  }

  // ---- the profile: what each warp does in a cycle, and what the busiest worker does ----

  struct Mark {
    long long began;
    long long scanned;
    long long moves;
  };

  KONIG_FN Mark begin_mark() const {
    if (!V::kProfiled) return {0, 0, 0};
    return {team_.ticks(), vertices_.scanned, vertices_.pushes + vertices_.height_changes};
  }

  KONIG_FN long long busy(const Mark& mark) {
    const long long now = team_.ticks();
    worker_ticks_ += now - mark.began;
    if (team_.index() % Team::kWarp == 0) {
      long long* warp = w_.workload + team_.index() / Team::kWarp;
      *warp += now - mark.began;
    }
    return now;
  }

  // The barrier that ends a cycle.
  KONIG_FN long long end_mark(const Mark& mark, long long value) {
    if (!V::kProfiled) return team_.sum(value);
    const long long scans = vertices_.scanned - mark.scanned;
    const long long moves = vertices_.pushes + vertices_.height_changes - mark.moves;
    long long* busiest = w_.state->busiest;
    if (scans + moves > 0) bsp::fetch_min(busiest + p_.cycles % bsp::kTallies, -(scans * kMovesUnit + moves));
    if (team_.leads()) bsp::store(busiest + (p_.cycles + 1) % bsp::kTallies, 0LL);
    const long long waits = busy(mark);
    const long long total = team_.sum(value);
    const long long now = team_.ticks();
    const long long most = -bsp::load(busiest + p_.cycles % bsp::kTallies);
    p_.critical_scans += most / kMovesUnit;
    p_.critical_moves += most % kMovesUnit;
    cycle_ticks_ += now - mark.began;
    if (barrier_ticks_ == 0 || now - waits < barrier_ticks_) barrier_ticks_ = now - waits;
    return total;
  }

  KONIG_FN void leave() {
    State* s = w_.state;
    if (team_.leads()) {
      s->progress = p_;
      s->launches += 1;
      s->brought = bsp::load(w_.excess + w_.sink);
      if (V::kProfiled) {
        s->cycle_ticks += cycle_ticks_;
        if (barrier_ticks_ > 0 && (s->barrier_ticks == 0 || barrier_ticks_ < s->barrier_ticks))
          s->barrier_ticks = barrier_ticks_;
      }
    }
    team_.add(&s->scanned, vertices_.scanned);
    team_.add(&s->search_scanned, heights_.scanned);
    team_.add(&s->probes, vertices_.probes + heights_.probes);
    team_.add(&s->pushes, vertices_.pushes);
    team_.add(&s->height_changes, vertices_.height_changes);
    if (V::kProfiled) {
      team_.add(&s->mhns_ticks, vertices_.mhns_ticks);
      team_.add(&s->mhns_lead_ticks, vertices_.mhns_lead_ticks);
      team_.add(&s->bes_ticks, vertices_.bes_ticks);
      team_.add(&s->worker_ticks, worker_ticks_);
    }
  }

  static constexpr long long kMovesUnit = 1 << 24;  // more than a worker's moves in a cycle

  Team& team_;
  const Work& w_;  // no copy: an object that points into itself is not kept in registers
  Progress p_;
  Heights<V, Team, Id, Offset> heights_;
  Discharge<V, Team, Id, Offset> vertices_;
  long long worker_ticks_ = 0;
  long long cycle_ticks_ = 0;
  long long barrier_ticks_ = 0;
};

// Which of the paper's configurations: with tiles (TLPNS) or without (thread-centric), on which layout.
template <template <class, class> class Layout, class Id, class Offset, bool tiles, bool profiled>
struct ProgramOn : bsp::ProgramOf<Workspace<Id, Offset, Layout<Id, Offset>>, State, 0, Solve,
                                  ProgramOn<Layout, Id, Offset, tiles, profiled>, Id, Offset> {
  using Residual = Layout<Id, Offset>;
  static constexpr bool kTiles = tiles;
  static constexpr bool kProfiled = profiled;
};
template <class Id, class Offset, bool tiles, bool profiled>
using CsrProgram = ProgramOn<Csr, Id, Offset, tiles, profiled>;
template <class Id, class Offset, bool tiles, bool profiled>
using RcsrProgram = ProgramOn<Rcsr, Id, Offset, tiles, profiled>;
template <class Id, class Offset, bool tiles, bool profiled>
using BcsrProgram = ProgramOn<Bcsr, Id, Offset, tiles, profiled>;

}  // namespace konig::flow

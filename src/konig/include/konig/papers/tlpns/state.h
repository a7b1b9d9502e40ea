// Push-relabel for maximum flow: its state and its workspace.
#pragma once

#include "konig/bsp/limits.h"
#include "konig/bsp/program.h"
#include "konig/flow/frontier.h"
#include "konig/papers/tlpns/residual.h"

namespace konig::flow {

// A stress build makes these tiny.
#ifndef KONIG_FLOW_CYCLES_PER_LEVEL
#define KONIG_FLOW_CYCLES_PER_LEVEL 16
#endif
using bsp::kScanLimit;
using bsp::kSeries;
constexpr int kShort = 16 < frontier::kPiece ? 16 : frontier::kPiece;  // places for a few workers
constexpr int kCyclesPerLevel =
    KONIG_FLOW_CYCLES_PER_LEVEL;  // times the levels, in cycles: how long without a gain

// Tile sizes by degree: one worker up to 4 places, eight up to 32, a warp beyond.
constexpr int kTileSizes = 3;
constexpr int kByDegree = 0;  // as the knob
KONIG_FN int tile_class(long long places) { return places <= 4 ? 0 : places <= 32 ? 1 : 2; }
KONIG_FN int tile_width(int size_class) { return size_class == 0 ? 1 : size_class == 1 ? 8 : 32; }

enum Status : long long { kRunning, kMaximum, kStalled };
enum Step : long long {
  kPreflow,
  kStartRelabel,
  kRelabelLevel,
  kGather,
  kCycle,
  kCarefulPush,
  kCarefulRelabel,
  kCut
};

// The knobs.
struct Rules {
  long long base;  // what k multiplies; 0 for the levels of the latest relabelling
  double k;
  long long tile;  // workers for an active vertex, or kByDegree
};

// What the workers hold copies of, which stay equal because they change by agreed values only.
struct Progress {
  long long status;
  long long step;
  long long phase;   // 0: towards the sink; 1: what is stranded goes back to the source
  long long rounds;  // supersteps that used a tally: they take turns by it
  long long level;   // of the vertices being expanded
  long long pieces;  // short ones in the current frontier
  long long long_pieces;
  long long queued[kTileSizes];  // active vertices in the queue
  long long turn;                // which of the two queue counters is open
  long long fresh;               // nothing has moved since the latest relabelling
  long long careful;             // no races until there is a gain
  long long gain;                // what the target had received when that last grew ...
  long long gain_cycle;          // ... and the cycle
  long long deepest;             // the most levels of a relabelling since then
  long long next_relabel;        // the cycle
  long long interval;            // that led to it
  long long unrecorded;          // whether the latest relabelling has yet to enter the series
  long long cycles;              // the paper's: rounds in which every active vertex acts once
  long long idle_cycles;         // those in which no vertex was active
  long long active;              // vertices, over all cycles
  long long tiled[kTileSizes];   // active vertices by tile size
  long long supersteps;
  long long relabels;
  long long careful_cycles;
  long long stranded;  // vertices whose excess had to go back
  long long second_relabels;
  long long second_cycles;
  long long critical_scans;  // profiled: over all cycles, the places that the busiest worker looked at ...
  long long critical_moves;  // ... and its pushes and relabels
  long long series_used;
};

// Everything that outlives a launch: all zeros before the first.
struct State {
  Progress progress;
  bsp::Tally tallies[bsp::kTallies];  // pieces of a frontier: short ones at its front, long ones at its back
  long long queue_used[2 * kTileSizes];
  long long busiest[bsp::kTallies];  // profiled: negated scans and moves of the busiest worker of a cycle
  long long launches;
  long long brought;  // to the sink
  long long scanned;  // places looked at for the lowest neighbour
  long long search_scanned;
  long long probes;  // of binary searches
  long long pushes;
  long long height_changes;
  long long mhns_ticks;       // profiled, like the rest
  long long mhns_lead_ticks;  // of one worker of each group
  long long bes_ticks;
  long long worker_ticks;   // of all workers, in cycles
  long long cycle_ticks;    // of the leader, in cycles
  long long leader_ticks;   // of the leader, in all
  long long leader_ns;      // the same by the other clock
  long long barrier_ticks;  // the least that a cycle's last barrier took
  // Of each relabelling: levels, interval, active vertices; the host empties it between launches.
  long long series[3 * kSeries];
};

// A part of a vertex's places.
template <class Id, class Offset>
struct Piece {
  Offset first;
  Id vertex;
  int length;
};

template <class Id, class Offset, class Residual>
struct Workspace {
  long long vertices;
  Id source;
  Id sink;
  Residual residual;
  Id* height;                // vertices; `vertices` itself is out of reach
  long long* excess;         // vertices; zeros at the start
  unsigned char* cut;        // vertices: 1 on the source's side, when the solve has ended
  Offset* scan_at;           // vertices: where the scan of a long list goes on; zeros at the start
  Offset* scan_best;         // vertices: its lowest neighbour so far, or -1
  Id* queue;                 // kTileSizes times vertices; only with tiles
  Piece<Id, Offset>* front;  // two frontiers of `pieces` each; not for Csr
  long long pieces;          // room_for_pieces
  long long* workload;       // profiled: ticks of each warp
  Rules rules;
  State* state;

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    long long places = 0;
    Arrays<Id, Offset>& a = residual.a;
    layout.number(
        KONIG_NAMED(vertices, source, sink, residual.arcs, places, rules.base, rules.k, rules.tile));
    pieces = Residual::kScansAll ? 0 : frontier::room_for_pieces(vertices, places);
    layout.given(KONIG_NAMED(a.start, a.head, a.tail, a.in_start, a.in_tail, a.in_arc, a.forward, a.backward,
                             excess, cut, workload));
    layout.own(height, vertices);
    layout.own(scan_at, vertices, bsp::Filling::kZeros);
    layout.own(scan_best, vertices);
    layout.own(queue, Program::kTiles ? kTileSizes * vertices : 0);
    layout.own(front, 2 * pieces);
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State& s, Reading& reading) const {
    const Progress& p = s.progress;
    reading.status(p.status, "running", "maximum", "stalled");
    reading.progress(s.brought, 0);  // the caller knows what there is to bring
    reading.statistic("cycles", p.cycles);
    reading.statistic("idle_cycles", p.idle_cycles);
    reading.statistic("careful_cycles", p.careful_cycles);
    reading.statistic("active", p.active);
    if (Program::kTiles) reading.statistic("tiles", p.tiled);
    reading.statistic("global_relabels", p.relabels);
    reading.series(s.series, p.series_used, "relabel_levels", "relabel_interval", "relabel_active");
    reading.statistic("stranded", p.stranded);
    reading.statistic("second_relabels", p.second_relabels);
    reading.statistic("second_cycles", p.second_cycles);
    reading.statistic("pushes", s.pushes);
    reading.statistic("relabels", s.height_changes);
    reading.statistic("places_scanned", s.scanned);
    reading.statistic("search_scanned", s.search_scanned);
    reading.statistic("back_edge_probes", s.probes);
    reading.statistic("supersteps", p.supersteps);
    reading.statistic("launches", s.launches);
    if (!Program::kProfiled) return;
    reading.word("mhns_ticks", s.mhns_ticks);
    reading.word("mhns_lead_ticks", s.mhns_lead_ticks);
    reading.word("bes_ticks", s.bes_ticks);
    reading.word("worker_ticks", s.worker_ticks);
    reading.word("cycle_ticks", s.cycle_ticks);
    reading.word("leader_ticks", s.leader_ticks);
    reading.word("leader_ns", s.leader_ns);
    reading.word("barrier_ticks", s.barrier_ticks);
    reading.word("critical_scans", p.critical_scans);
    reading.word("critical_moves", p.critical_moves);
  }
};

}  // namespace konig::flow

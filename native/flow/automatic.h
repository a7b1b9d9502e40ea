// How `auto` chooses between search trees and push-relabel.
#pragma once

#include <cstdint>
#include <string>

#include "core/knobs.h"
#include "core/run.h"

namespace konig {

inline constexpr double kFrequency = 0.5;  // of global relabelling

// How many steps of search trees per vertex and slot are worth a try; 0 for push-relabel at once. Trees win
// where one of eight vertices is linked to a terminal, so that paths are short and many. Where there can only
// be few paths they may win, unless those are long: then growing the trees once is about all they may do. In
// a small network no path is long.
inline double patience_with_trees(int64_t linked, int64_t vertices, int64_t bound) {
  constexpr int64_t kLinkedOf = 8, kFewPaths = 1000, kSmall = 4096;
  if (linked * kLinkedOf >= vertices) return 10;
  if (bound > kFewPaths) return 0;
  return vertices < kSmall ? 4 : 1.25;
}

inline void count_choice(bool trees, bool handed_over, Run& run) {
  run.count("trees", int64_t(trees));
  run.count("handed_over", int64_t(handed_over));
}

// What push-relabel is told when it takes over from a lattice.
inline Knobs push_relabel_knobs() {
  Knobs knobs;
  knobs.set("selection", std::string("highest"));
  knobs.set("relabel", kFrequency);
  knobs.set("gap", true);
  return knobs;
}

}  // namespace konig

// How `auto` chooses between search trees and push-relabel.
#pragma once

#include <cstdint>

#include "core/knobs.h"
#include "core/run.h"
#include "sequential/flow/terminal_links.h"

namespace konig {

inline constexpr int64_t kLinkedOf = 8;    // trees if one of so many vertices is linked to a terminal
inline constexpr int64_t kPatience = 10;   // steps of trees per vertex and slot before push-relabel takes over
inline constexpr double kFrequency = 0.5;  // of global relabelling

inline bool many_are_linked(const TerminalLinks& links, int64_t vertices) {
  int64_t linked = 0;
  for (int64_t v = 0; v < vertices; ++v) linked += links.from_source[v] > 0 || links.to_sink[v] > 0;
  return linked * kLinkedOf >= vertices;
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

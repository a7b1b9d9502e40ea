// Steps that several augmenting-path solvers share.
#pragma once

#include <vector>

#include "core/pattern.h"

namespace konig {

template <class Id>
Id matched_vertices(const Id* mate, Id vertices) {
  Id matched = 0;
  for (Id v = 0; v < vertices; ++v) matched += mate[v] >= 0;
  return matched;
}

template <class Id>
std::vector<Id> unmatched_vertices(const Id* mate, Id vertices) {
  std::vector<Id> unmatched;
  for (Id v = 0; v < vertices; ++v)
    if (mate[v] < 0) unmatched.push_back(v);
  return unmatched;
}

}  // namespace konig

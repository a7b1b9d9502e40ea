// Costs of any type and layout, row after row in the type that they are solved in.
#pragma once

#include <cstdint>

namespace konig {

// Where a matrix lies: its first cost, and the bytes from one cost to the next down and to the right.
struct CostLayout {
  const char* base;
  int64_t rows, cols;
  int64_t down, right;
};

// Instantiated for the pairs of types in cost_rows.cpp.
template <class S, class Given>
void write_rows(const CostLayout& given, S* made);

}  // namespace konig

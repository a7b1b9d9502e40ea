// The proof that no assignment is full.
#pragma once

#include <cstdint>
#include <vector>

namespace konig {

// A set of rows (a mask) whose allowed columns, all in `cols`, are fewer: no assignment covers the rows.
struct HallViolator {
  std::vector<uint8_t> rows, cols;
};

}  // namespace konig

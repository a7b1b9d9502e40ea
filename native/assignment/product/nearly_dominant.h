// Maximum product transversals of matrices that are nearly dominant: most rows, or columns, have their
// largest entry where no other has its own. Matrices of circuits and of finite differences are like that.
#pragma once

#include <cstdint>

#include "assignment/product/transversal.h"
#include "core/run.h"

namespace konig {

// Lists with no more rows than columns, and the largest modulus of each column of a square. Whether it has
// found an entry in each row, and the scales of the columns. If not, the matrix is not nearly dominant, or
// has no full transversal, and nothing is known.
bool match_nearly_dominant(const Moduli& matrix, const double* largest_of_cols, int64_t* col_of_row,
                           const Scales& of_cols, Run& run);

}  // namespace konig

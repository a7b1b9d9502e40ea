// No branches in loops, and one kind of number in each: they are vectorised.
#include "flow/given.h"

#include <algorithm>
#include <type_traits>

#include "flow/arcs.h"

namespace konig {

template <class Given>
int64_t copy_ids(const Given* given, int64_t count, int32_t* copy) {
  std::make_unsigned_t<Given> all = 0;  // their digits
  int32_t largest = -1;
  for (int64_t k = 0; k < count; ++k) {
    all |= std::make_unsigned_t<Given>(given[k]);
    copy[k] = int32_t(given[k]);
    largest = std::max(largest, int32_t(given[k]));
  }
  return all >> 31 ? -1 : int64_t(largest) + 1;
}

template <class Given>
bool copy_capacities(const Given* given, int64_t count, int64_t* copy) {
  Given all = 0;
  for (int64_t k = 0; k < count; ++k) {
    all |= given[k];
    copy[k] = given[k];
  }
  return all >= 0;
}

template int64_t copy_ids(const int32_t*, int64_t, int32_t*);
template int64_t copy_ids(const int64_t*, int64_t, int32_t*);
template bool copy_capacities(const int32_t*, int64_t, int64_t*);
template bool copy_capacities(const int64_t*, int64_t, int64_t*);
template bool sorted_lists(const int32_t*, const int32_t*, int32_t);
template bool sorted_lists(const int64_t*, const int64_t*, int64_t);

}  // namespace konig

#include "matching/distributed/rank_matching.h"

namespace konig::distributed {

template class RankMatching<int32_t>;
template class RankMatching<int64_t>;

}  // namespace konig::distributed

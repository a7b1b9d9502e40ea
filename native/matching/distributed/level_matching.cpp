#include "matching/distributed/level_matching.h"

namespace konig::distributed {

template class LevelMatching<int32_t>;
template class LevelMatching<int64_t>;

}  // namespace konig::distributed

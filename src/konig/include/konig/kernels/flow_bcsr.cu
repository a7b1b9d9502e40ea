// The entry points of konig/papers/tlpns.h on the layout Bcsr.
#include "konig/kernels/flow_entry.h"

KONIG_FLOW(lock_free_bcsr, Bcsr, false)
KONIG_FLOW(tlpns_bcsr, Bcsr, true)

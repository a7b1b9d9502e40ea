// The entry points of konig/papers/tlpns.h on the layout Rcsr.
#include "konig/kernels/flow_entry.h"

KONIG_FLOW(lock_free_rcsr, Rcsr, false)
KONIG_FLOW(tlpns_rcsr, Rcsr, true)

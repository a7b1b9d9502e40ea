// The entry points of konig/papers/tlpns.h on the layout Csr.
#include "konig/kernels/flow_entry.h"

KONIG_FLOW(lock_free_csr, Csr, false)
KONIG_FLOW(tlpns_csr, Csr, true)

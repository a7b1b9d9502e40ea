// How Python names what is on a GPU.
#pragma once

#include "bindings/bindings.h"
#include "gpu/driver.h"

namespace konig {

// (address of the function, whether it is cooperative)
inline Driver::Kernel as_kernel(const nb::tuple& kernel) {
  return {nb::cast<uintptr_t>(kernel[0]), nb::cast<bool>(kernel[1])};
}

}  // namespace konig

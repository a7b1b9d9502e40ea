// How Python passes the numbers of a program.
#pragma once

#include "bindings/bindings.h"
#include "core/program.h"

namespace konig {

Numbers read_numbers(const nb::dict& given);

}  // namespace konig

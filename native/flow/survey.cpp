#include "flow/programs.h"

#include "konig/flow/survey.h"

namespace konig {

void enter_survey(Programs& programs) {
  enter_each<survey::Program, int, long long>(programs, "flow/survey", "konig::survey::Program");
}

}  // namespace konig

// Real capacities as whole numbers of a unit, a power of two, and flows in units as reals again. What the
// unit is to be is for the caller to say, who asks for the profile of the numbers first.
//
// Numbers come as the bits of float64 (IEEE 754), and are taken apart and shifted as integers: nothing rounds
// but what the unit cuts off, on every machine alike. What a launch does is the number `task`.
#pragma once

#include "konig/bsp/program.h"
#include "konig/bsp/team.h"

namespace konig::flow_units {

enum Status : long long { kRunning, kDone };
enum Task : long long { kProfile, kUnits, kReals };

constexpr int kDigits = 52;               // that a mantissa stores
constexpr long long kExponents = 0x7ff;   // the largest biased exponent: infinite, or not a number
constexpr int kLowest = -1074;            // every number is a multiple of two to this power
constexpr long long kBeyond = 1LL << 62;  // units from here on are `most`
constexpr unsigned kWrong = 1, kInfinite = 2;

struct State {
  long long status;
  long long wrong;      // whether a number is negative or none at all
  long long unbounded;  // whether one is infinite
  long long finest;     // of all finite ones: the largest power of two that they are multiples of
  long long zero;       // whether all of these are zero
  long long largest;    // the bits of the largest
};

template <class Word>
struct Workspace {
  long long count;
  long long task;
  long long exponent;  // of the unit
  long long most;      // what stands for what is beyond all units
  long long up;        // whether numbers are rounded up, to one more where they are whole, or down
  double first;        // two powers of two whose product is the unit: itself it may be beyond the type
  double second;
  const Word* bits;
  Word* units;
  double* reals;
  State* state;

  template <class Program, class Layout>
  KONIG_FN void describe(Layout& layout) {
    layout.number(KONIG_NAMED(count, task, exponent, most, up, first, second));
    layout.given(KONIG_NAMED(bits, units, reals));
    layout.state(state);
  }

  template <class Program, class Reading>
  KONIG_FN void read(const State& s, Reading& reading) const {
    reading.status(s.status, "running", "done");
    reading.word("wrong", s.wrong);
    reading.word("unbounded", s.unbounded);
    reading.word("finest", s.finest);
    reading.word("zero", s.zero);
    reading.word("largest", s.largest);
  }
};

// A finite number that is not negative: mantissa times two to the exponent.
struct Parts {
  unsigned long long mantissa;
  int exponent;
};
KONIG_FN Parts parts_of(long long bits) {
  const int biased = int(bits >> kDigits & kExponents);
  const unsigned long long stored = (unsigned long long)bits & ((1ULL << kDigits) - 1);
  if (biased == 0) return {stored, kLowest};
  return {stored | 1ULL << kDigits, kLowest - 1 + biased};
}

// The place of the lowest digit that is set; there is one.
KONIG_FN int lowest_digit(unsigned long long word) {
  int place = 0;
  for (int width = 32; width > 0; width /= 2) {
    if ((word & ((1ULL << width) - 1)) != 0) continue;
    word >>= width;
    place += width;
  }
  return place;
}

template <class Team, class Word>
class Scaler {
 public:
  KONIG_FN Scaler(Team& team, const Workspace<Word>& workspace) : team_(team), w_(workspace) {}

  KONIG_FN void run() {
    if (w_.task == kProfile) profile();
    if (w_.task == kUnits)
      team_.for_each_ahead(
          w_.count, [&](long long k) { return w_.bits[k]; },
          [&](long long k, Word bits) { w_.units[k] = units_of(bits); });
    if (w_.task == kReals)
      team_.for_each_ahead(
          w_.count, [&](long long k) { return w_.units[k]; },
          [&](long long k, Word units) { w_.reals[k] = double(units) * w_.first * w_.second; });
    if (team_.leads()) w_.state->status = kDone;
  }

 private:
  KONIG_FN void profile() {
    unsigned seen = 0;
    long long lowest = bsp::kNoLeast, largest = 0;
    team_.for_each_ahead(
        w_.count, [&](long long k) { return (long long)w_.bits[k]; },
        [&](long long, long long bits) {
          bits = without_sign_of_zero(bits);
          if (bits < 0 || bits > kInfinityBits) {
            seen |= kWrong;
          } else if (bits == kInfinityBits) {
            seen |= kInfinite;
          } else if (bits != 0) {
            const Parts parts = parts_of(bits);
            const long long place = parts.exponent - kLowest + lowest_digit(parts.mantissa);
            if (place < lowest) lowest = place;
            if (bits > largest) largest = bits;
          }
        });
    const bsp::AgreedLeast first = team_.agree(seen, 0, lowest);
    const bsp::AgreedLeast second = team_.agree(0, 0, kInfinityBits - largest);
    if (!team_.leads()) return;
    State* s = w_.state;
    s->wrong = (first.bits & kWrong) != 0;
    s->unbounded = (first.bits & kInfinite) != 0;
    s->zero = first.least == bsp::kNoLeast;
    s->finest = s->zero ? 0 : first.least + kLowest;
    s->largest = kInfinityBits - second.least;
  }

  KONIG_FN Word units_of(long long bits) const {
    bits = without_sign_of_zero(bits);
    if (bits == 0) return 0;
    if (bits == kInfinityBits) return Word(w_.most);
    const Parts parts = parts_of(bits);
    const long long shift = parts.exponent - w_.exponent;
    long long units = 0;
    if (shift >= 0) {
      if (shift > 61 || parts.mantissa >= (unsigned long long)kBeyond >> shift) return Word(w_.most);
      units = (long long)(parts.mantissa << shift);
    } else if (shift > -64) {
      units = (long long)(parts.mantissa >> -shift);
    }
    return Word(units + (w_.up != 0));
  }

  static KONIG_FN long long without_sign_of_zero(long long bits) {
    return bits == (long long)(1ULL << 63) ? 0 : bits;
  }

  static constexpr long long kInfinityBits = kExponents << kDigits;

  Team& team_;
  const Workspace<Word>& w_;
};

// Words are of 64 bits.
template <class Word>
using Program = bsp::ProgramOf<Workspace<Word>, State, 0, Scaler, Word>;

}  // namespace konig::flow_units

// No branches in loops over integers, and one kind of number in each: they are vectorised. Of reals: the
// finest digit of each capacity, bounds on the value, and exact sums over a cut.
#include "flow/given.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace konig {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr int kDoubleDigits = 53;

// A bound on the value: what links of a terminal let through is no more than what their vertices pass on.
double bound_on_value(const double* capacity, const Arcs<int32_t>& arcs, double all_finite) {
  struct Sums {
    double supply, demand, leaving, entering;
  };
  std::vector<Sums> at(size_t(arcs.vertices), Sums{0, 0, 0, 0});
  Run run;
  arcs.for_each(run, [&](int32_t a, int32_t u, int32_t v) {
    if (arcs.role[u] == Role::kSource) at[v].supply += capacity[a];
    if (arcs.role[v] == Role::kSink) at[u].demand += capacity[a];
    at[u].leaving += capacity[a];
    at[v].entering += capacity[a];
  });
  const double kUnbounded = std::numeric_limits<double>::infinity();
  double supply = 0, demand = 0;
  for (int32_t v = 0; v < arcs.vertices; ++v) {
    if (arcs.role[v] != Role::kSource)
      supply += std::min(at[v].supply, arcs.role[v] == Role::kSink ? kUnbounded : at[v].leaving);
    if (arcs.role[v] != Role::kSink)
      demand += std::min(at[v].demand, arcs.role[v] == Role::kSource ? kUnbounded : at[v].entering);
  }
  constexpr double kRounding = 1 + 0x1p-20;  // more than sums of so many numbers can be off
  return std::min({supply, demand, all_finite}) * kRounding;
}

// The digits of all capacities, and their sum without infinite ones.
struct Digits {
  int finest = std::numeric_limits<int>::max();
  double all_finite = 0;
};

// Rounds down to units; the largest int64 for what is beyond every flow.
void round_down(const double* capacity, int64_t count, int exponent, int64_t* units) {
  const double per_unit = std::ldexp(1.0, -exponent);
  for (int64_t k = 0; k < count; ++k) {
    const double scaled = capacity[k] * per_unit;
    units[k] = scaled < 0x1p63 ? int64_t(scaled) : std::numeric_limits<int64_t>::max();
  }
}

// If all are whole numbers below 2^40, or infinite, and their sum fits: most are, and this takes a third of
// the time. `units` gets them in units of 1.
std::optional<Digits> digits_of_whole(const double* capacity, int64_t count, int64_t* units) {
  constexpr double kMost = 0x1p40;
  constexpr int64_t kMostArcs = int64_t(1) << 22, kBetweenTests = 1024;
  if (count > kMostArcs) return {};
  int64_t digits = 0, sum = 0;
  for (int64_t k = 0; k < count;) {
    bool whole = true;
    for (const int64_t end = std::min(k + kBetweenTests, count); k < end; ++k) {
      const double x = capacity[k], finite = x < kMost ? x : 0.0;
      const auto number = int64_t(std::max(finite, -1.0));
      whole &= (double(number) == x) | (x == kInfinite);
      digits |= number;
      sum += number;
      units[k] = x == kInfinite ? std::numeric_limits<int64_t>::max() : number;
    }
    if (!whole || digits < 0) return {};
  }
  Digits found{std::numeric_limits<int>::max(), double(sum)};
  if (digits) found.finest = std::countr_zero(uint64_t(digits));
  return found;
}

// Nothing if one is negative or NaN, or too large.
std::optional<Digits> digits_of(const double* capacity, int64_t count) {
  constexpr double kLargest = 0x1p900;
  Digits found;
  double largest = 0;
  bool valid = true;
  for (int64_t k = 0; k < count; ++k) {
    const double x = capacity[k];
    valid &= x >= 0;
    if (!(x > 0) || x == kInfinite) continue;
    const auto bits = std::bit_cast<uint64_t>(x);
    const int field = int(bits >> 52);
    const uint64_t mantissa = (bits & ((uint64_t(1) << 52) - 1)) | (uint64_t(field > 0) << 52);
    found.finest = std::min(found.finest, std::max(field, 1) - 1075 + std::countr_zero(mantissa));
    found.all_finite += x;
    largest = std::max(largest, x);
  }
  if (!valid || largest > kLargest || found.all_finite > kLargest) return {};
  return found;
}

// The unit for capacities with these digits.
RealUnit unit_for(const double* capacity, const Digits& digits, int finest, const Arcs<int32_t>& arcs) {
  constexpr double kMost = 0x1p52;  // with room for what sums are off by
  if (std::ldexp(digits.all_finite, -finest) <= kMost) return {finest, finest};
  const double bound = bound_on_value(capacity, arcs, digits.all_finite);
  if (bound == 0) return {finest, finest};
  int power = 0;
  std::frexp(bound, &power);
  return {finest, std::max(finest, power - kDoubleDigits)};
}

}  // namespace

std::optional<RealUnit> count_in_units(const double* capacity, int64_t count, std::optional<int> exponent,
                                       const Arcs<int32_t>& arcs, int64_t* units) {
  constexpr int kSmallest = -900;
  auto digits = digits_of_whole(capacity, count, units);
  const bool whole = digits.has_value();
  if (!whole) digits = digits_of(capacity, count);
  if (!digits) return {};
  const int finest = digits->finest == std::numeric_limits<int>::max() ? 0 : digits->finest;
  if (finest < kSmallest) return {};
  const RealUnit unit = exponent ? RealUnit{finest, *exponent} : unit_for(capacity, *digits, finest, arcs);
  if (!whole || unit.exponent != 0) round_down(capacity, count, unit.exponent, units);
  return unit;
}

std::optional<CutCapacity> capacity_across(const double* capacity, const Arcs<int32_t>& arcs,
                                           const uint8_t* source_side, const RealUnit& unit, Run& run) {
  constexpr int kMostDigits = 96;  // so that sums of 2^31 arcs fit
  const int digits = unit.exponent - unit.finest;
  if (digits > kMostDigits) return {};
  const double per_unit = std::ldexp(1.0, -unit.exponent);
  CutCapacity across;
  double largest = 0;
  arcs.for_each(run, [&](int32_t a, int32_t u, int32_t v) {
    if (!source_side[u] || source_side[v]) return;
    const double scaled = capacity[a] * per_unit;
    largest = std::max(largest, scaled);
    if (scaled > double(kLargestFlow)) return;
    const double whole = std::floor(scaled);
    across.units += int64_t(whole);
    // Exact: what is left of 53 digits, and a whole number.
    across.lost += static_cast<unsigned __int128>(std::ldexp(scaled - whole, digits));
  });
  if (largest > double(kLargestFlow)) return {};
  return across;
}

// ---- integers

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

// A solver's settings by name. Python's registry has checked names, types and ranges and filled in defaults,
// so a missing knob is a programming error.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <variant>

namespace konig {

class Knobs {
 public:
  using Value = std::variant<bool, int64_t, double, std::string>;

  void set(std::string name, Value value) { values_[std::move(name)] = std::move(value); }

  bool flag(const char* name) const { return get<bool>(name); }
  int64_t integer(const char* name) const { return get<int64_t>(name); }
  double real(const char* name) const { return get<double>(name); }
  const std::string& text(const char* name) const { return get<std::string>(name); }

 private:
  template <class T>
  const T& get(const char* name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) throw std::logic_error(std::string("knob not set: ") + name);
    if (const T* value = std::get_if<T>(&found->second)) return *value;
    throw std::logic_error(std::string("knob of another type: ") + name);
  }

  std::map<std::string, Value> values_;
};

}  // namespace konig

#pragma once

#include "core/result.hpp"
#include "io/json/score_fields.hpp"
#include "io/json/time_json.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fermata::io {

/// Takes members out of an object and remembers the first that is missing or wrong, so that a
/// reader asks for all it needs and looks once whether everything was there.
class object_reader {
public:
  explicit object_reader(const boost::json::object& o) : object_(o) {}

  /// A member that must be there.
  template <class T>
  T need(std::string_view name) {
    T x{};
    auto member = object_.if_contains(name);
    if (!member)
      wrong(name, "missing");
    else
      take(name, *member, x);
    return x;
  }
  /// A member that may be left out.
  template <class T>
  T or_else(std::string_view name, T by_default = {}) {
    if (auto member = object_.if_contains(name)) take(name, *member, by_default);
    return by_default;
  }
  template <class T>
  std::optional<T> maybe(std::string_view name) {
    if (!object_.contains(name)) return std::nullopt;
    return need<T>(name);
  }
  timestamp time(std::string_view name) {
    auto t = parse_time_text(need<std::string>(name));
    if (!t) wrong(name, "no time");
    return t.value_or(timestamp{});
  }
  const boost::json::object* inner(std::string_view name) {
    auto member = object_.if_contains(name);
    if (member && !member->is_object()) wrong(name, "no object");
    return member ? member->if_object() : nullptr;
  }

  bool good() const { return fault_.empty(); }
  error fault() const {
    return {errc::wrong_type, fault_, std::nullopt, "The stored text is damaged."};
  }
  void wrong(std::string_view name, std::string_view what) {
    if (fault_.empty()) fault_ = '"' + std::string{name} + "\" is " + std::string{what};
  }

private:
  template <class T>
  void take(std::string_view name, const boost::json::value& v, T& x) {
    json_fault fault;
    if (!read_json(v, x, fault))
      wrong(name, "wrong at \"" + fault.path + "\": expected " + fault.what);
  }

  const boost::json::object& object_;
  std::string fault_;
};

}  // namespace fermata::io

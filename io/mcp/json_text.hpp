#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace fermata::io::mcp {

/// Appends `text` as a JSON string, quotes included. `text` is UTF-8. Writing texts directly,
/// beside Boost.JSON, saves building a tree only to print it: results pass through here once.
void append_string(std::string& out, std::string_view text);

/// `text` as a JSON string.
std::string json_string(std::string_view text);

/// The text of a JSON string; empty for anything else, and for null.
std::string_view text_of(const boost::json::value* v);

/// A member, or null when it is not there; and an object, or null when it is none.
inline const boost::json::value* member(const boost::json::object& o, std::string_view name) {
  return o.if_contains(name);
}
inline const boost::json::object* object_of(const boost::json::value* v) {
  return v ? v->if_object() : nullptr;
}

/// Whether declared capabilities say that the host can put a form before its user.
bool takes_forms(const boost::json::object* capabilities);

/// `{"a":1}` and `"b":2` become `{"b":2,"a":1}`. `object` is the text of a JSON object.
std::string with_member(std::string_view object, std::string_view member);

/// A reply of an instance, taken apart without building a tree when it has exactly the form that
/// Fermata writes; `whole` says whether that was so.
struct plain_reply {
  bool whole = false;
  std::uint64_t id = 0;
  std::string_view result;
};
plain_reply take_apart(std::string_view line);

}  // namespace fermata::io::mcp

#pragma once

#include "core/score/model/preserved.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace fermata::io {

/// Plain structs to JSON and back by one table each: `fields_of<T>` names the members. Writing and
/// reading use the same table, so they cannot disagree. A member that has its default value is left
/// out; a member that is not in the text keeps its default; unknown members are passed over, so
/// that newer files can be read.
///
/// Kinds: bool, integers, strings, vectors, optionals and boxed values (absent: nothing), pairs as
/// two-element arrays, structs with a table as objects, variants with `alternatives_of` as an
/// object of one member, the alternative's name; and whatever has a `json_codec`.

template <class T, class M>
struct json_field {
  std::string_view name;
  M T::*member;
};
template <class T, class M>
json_field(std::string_view, M T::*) -> json_field<T, M>;

/// Specialize with a `std::tuple` of `json_field`s.
template <class T>
inline constexpr std::nullptr_t fields_of = nullptr;

/// Specialize for a variant with an array of names, one per alternative.
template <class T>
inline constexpr std::nullptr_t alternatives_of = nullptr;

/// Specialize with `static boost::json::value write(const T&)` and
/// `static bool read(const boost::json::value&, T&)`.
template <class T>
struct json_codec;

/// What went wrong while reading: the way to the place, and what was expected there.
struct json_fault {
  std::string path;  ///< "/notes/0/tone"
  std::string what;
  bool operator==(const json_fault&) const = default;
};

namespace detail {

template <class T>
concept has_table = !std::is_same_v<decltype(fields_of<T>), const std::nullptr_t>;
template <class T>
concept has_alternatives = !std::is_same_v<decltype(alternatives_of<T>), const std::nullptr_t>;
template <class T>
concept has_codec = requires(const T& x) {
  json_codec<T>::write(x);
};

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_vector<shared_list<T>> = true;
template <>
inline constexpr bool is_vector<measure_list> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_boxed = false;
template <class T>
inline constexpr bool is_boxed<boxed<T>> = true;
template <class T>
inline constexpr bool is_pair = false;
template <class A, class B>
inline constexpr bool is_pair<std::pair<A, B>> = true;

template <class T>
struct boxed_element;
template <class T>
struct boxed_element<boxed<T>> {
  using type = T;
};

/// Whether a member has the value that it has when nothing is said. What can be absent is by
/// default.
template <class T>
bool is_default(const T& x, const T& by_default) {
  if constexpr (is_optional<T> || is_boxed<T>)
    return !x;
  else if constexpr (is_vector<T>)
    return x.empty() ? by_default.empty() : !by_default.empty() && x == by_default;
  else
    return x == by_default;
}

}  // namespace detail

template <class T>
boost::json::value write_json(const T& x) {
  namespace json = boost::json;
  if constexpr (detail::has_codec<T>) {
    return json_codec<T>::write(x);
  } else if constexpr (std::is_same_v<T, bool>) {
    return x;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<std::int64_t>(x);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return json::string{x};
  } else if constexpr (detail::is_vector<T>) {
    json::array a;
    a.reserve(x.size());
    for (auto& e : x)
      a.push_back(write_json(e));
    return a;
  } else if constexpr (detail::is_optional<T> || detail::is_boxed<T>) {
    return x ? write_json(*x) : json::value{};
  } else if constexpr (detail::is_pair<T>) {
    return json::array{write_json(x.first), write_json(x.second)};
  } else if constexpr (detail::has_alternatives<T>) {
    return std::visit(
        [&](auto& alternative) {
          return json::value(
              json::object{{alternatives_of<T>[x.index()], write_json(alternative)}});
        },
        x);
  } else {
    static_assert(detail::has_table<T>, "this type has no table of fields");
    static const T by_default{};
    json::object o;
    std::apply(
        [&](auto&... field) {
          ((detail::is_default(x.*field.member, by_default.*field.member)
                ? void()
                : void(o.emplace(field.name, write_json(x.*field.member)))),
           ...);
        },
        fields_of<T>);
    return o;
  }
}

/// Reads into `x`, whose members keep what they have where the text says nothing. False: `fault`
/// says where and why.
template <class T>
bool read_json(const boost::json::value& v, T& x, json_fault& fault) {
  auto wrong = [&](std::string_view expected) {
    fault.what = expected;
    return false;
  };
  if constexpr (detail::has_codec<T>) {
    return json_codec<T>::read(v, x) || wrong("a value of another kind");
  } else if constexpr (std::is_same_v<T, bool>) {
    return v.is_bool() ? (x = v.get_bool(), true) : wrong("true or false");
  } else if constexpr (std::is_integral_v<T>) {
    if (!v.is_int64() || !std::in_range<T>(v.get_int64())) return wrong("an integer in range");
    x = static_cast<T>(v.get_int64());
    return true;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return v.is_string() ? (x = v.get_string(), true) : wrong("a string");
  } else if constexpr (detail::is_vector<T>) {
    if (!v.is_array()) return wrong("an array");
    auto& a = v.get_array();
    std::vector<typename T::value_type> all(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!read_json(a[i], all[i], fault)) {
        fault.path = '/' + std::to_string(i) + fault.path;
        return false;
      }
    x = std::move(all);
    return true;
  } else if constexpr (detail::is_optional<T>) {
    if (v.is_null()) return x.reset(), true;
    return read_json(v, x.emplace(), fault);
  } else if constexpr (detail::is_boxed<T>) {
    if (v.is_null()) return x = T{}, true;
    typename detail::boxed_element<T>::type inner{};
    if (!read_json(v, inner, fault)) return false;
    x = T{std::move(inner)};
    return true;
  } else if constexpr (detail::is_pair<T>) {
    if (!v.is_array() || v.get_array().size() != 2) return wrong("an array of two");
    return read_json(v.get_array()[0], x.first, fault) &&
           read_json(v.get_array()[1], x.second, fault);
  } else if constexpr (detail::has_alternatives<T>) {
    if (!v.is_object() || v.get_object().size() != 1) return wrong("an object of one member");
    std::string_view name = v.get_object().begin()->key();
    auto& content = v.get_object().begin()->value();
    auto read_as = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
      return read_json(content, x.template emplace<I>(), fault);
    };
    bool known = false, good = false;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((!known && alternatives_of<T>[I] == std::string_view{name}
            ? void((known = true, good = read_as(std::integral_constant<std::size_t, I>{})))
            : void()),
       ...);
    }
    (std::make_index_sequence<std::variant_size_v<T>>{});
    if (!known) return wrong("a known kind");
    if (!good) fault.path = '/' + std::string{name} + fault.path;
    return good;
  } else {
    static_assert(detail::has_table<T>, "this type has no table of fields");
    if (!v.is_object()) return wrong("an object");
    auto& o = v.get_object();
    auto read_field = [&](auto& field) {
      auto member = o.if_contains(field.name);
      if (!member || read_json(*member, x.*field.member, fault)) return true;
      fault.path = '/' + std::string{field.name} + fault.path;
      return false;
    };
    return std::apply([&](auto&... field) { return (read_field(field) && ...); }, fields_of<T>);
  }
}

}  // namespace fermata::io

#include "io/protocol/schema.hpp"

#include "core/error.hpp"
#include "io/text/line_decoder.hpp"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace json = boost::json;

namespace fermata::io::protocol {

namespace {

constexpr std::string_view type_names[] = {"any",     "string", "integer", "number",
                                           "boolean", "object", "array"};

bool is_integer(const json::value& v) {
  if (v.is_int64()) return true;
  // 3.0 is an integer in JSON; a number beyond 63 bits is none that we could use.
  return v.is_double() && std::trunc(v.get_double()) == v.get_double() &&
         std::abs(v.get_double()) < 9.0e15;
}

bool has_type(const json::value& v, json_type t) {
  switch (t) {
    case json_type::any: return true;
    case json_type::string: return v.is_string();
    case json_type::integer: return is_integer(v);
    case json_type::number: return v.is_number();
    case json_type::boolean: return v.is_bool();
    case json_type::object: return v.is_object();
    case json_type::array: return v.is_array();
  }
  return false;
}

std::string_view type_of(const json::value& v) {
  switch (v.kind()) {
    case json::kind::null: return "null";
    case json::kind::bool_: return "boolean";
    case json::kind::int64:
    case json::kind::uint64: return "integer";
    case json::kind::double_: return is_integer(v) ? "integer" : "number";
    case json::kind::string: return "string";
    case json::kind::array: return "array";
    case json::kind::object: return "object";
  }
  return "nothing";
}

/// The bounds of a row, in words.
std::string bounds_of(const field& row) {
  if (row.min && row.max) return fmt::format("{} to {}", *row.min, *row.max);
  if (row.min) return fmt::format("at least {}", *row.min);
  return row.max ? fmt::format("at most {}", *row.max) : std::string{};
}

/// What to do about a text of this many bytes.
std::string hint_on_length(const std::string& name, const field& row, std::size_t bytes) {
  if (row.min && bytes < static_cast<std::size_t>(*row.min))
    return fmt::format("give `{}`: {}", name, row.doc);
  constexpr std::int64_t worth_splitting = 1'000;
  return fmt::format("shorten it to {} bytes{}", *row.max,
                     *row.max >= worth_splitting ? ", or split it over several calls" : "");
}

std::string choices_text(const field& row) {
  std::string out;
  for (auto choice : row.choices)
    out += fmt::format("{}\"{}\"", out.empty() ? "" : ", ", choice);
  return out;
}

/// What a value of this row has to be, in words.
std::string expected(const field& row) {
  if (!row.choices.empty() && row.type == json_type::string) return "one of " + choices_text(row);
  std::string out{to_string(row.type)};
  if (row.type == json_type::array && row.items != json_type::any)
    out += fmt::format(" of {}", to_string(row.items));
  if (row.min && row.max)
    out += fmt::format(" from {} to {}", *row.min, *row.max);
  else if (row.min)
    out += fmt::format(", at least {}", *row.min);
  else if (row.max)
    out += fmt::format(", at most {}", *row.max);
  return out;
}

/// A value as it is quoted in an error: its beginning.
std::string shown(const json::value& v) {
  if (v.is_string() && v.get_string().size() <= 60)
    return fmt::format("\"{}\"", std::string_view{v.get_string()});
  if (v.is_number() || v.is_bool()) {
    if (v.is_int64()) return fmt::format("{}", v.get_int64());
    if (v.is_uint64()) return fmt::format("{}", v.get_uint64());
    if (v.is_double()) return fmt::format("{}", v.get_double());
    return v.get_bool() ? "true" : "false";
  }
  return std::string{type_of(v)};
}

json::value got(const json::value& v) {
  // Big values are named by their type: an error must stay short.
  if (v.is_structured() || (v.is_string() && v.get_string().size() > 60))
    return json::value(type_of(v));
  return v;
}

fault wrong(const std::string& name, const field& row, const json::value& v,
            std::string_view instead = {}) {
  auto hint = fmt::format("give `{}` as {}", name, expected(row));
  if (!instead.empty()) hint += fmt::format("; did you mean \"{}\"?", instead);
  return {fault_code::invalid_params,
          fmt::format("`{}` must be {}, not {}", name, expected(row), shown(v)),
          hint,
          {{"param", name}, {"expected", expected(row)}, {"got", got(v)}}};
}

std::optional<fault> check_range(const std::string& name, const field& row, double n,
                                 const json::value& v) {
  if ((!row.min || n >= static_cast<double>(*row.min)) &&
      (!row.max || n <= static_cast<double>(*row.max)))
    return std::nullopt;
  json::object data{{"param", name}, {"got", got(v)}};
  if (row.min) data["min"] = *row.min;
  if (row.max) data["max"] = *row.max;
  return fault{fault_code::out_of_range,
               fmt::format("`{}` must be {}, not {}", name, expected(row), shown(v)),
               fmt::format("give `{}` as {}", name, expected(row)), std::move(data)};
}

std::optional<fault> check_choice(const std::string& name, const field& row, const json::value& v) {
  if (row.choices.empty()) return std::nullopt;
  const std::string_view text{v.get_string()};
  for (auto choice : row.choices)
    if (choice == text) return std::nullopt;
  auto near = nearest(text, {row.choices.begin(), row.choices.end()});
  auto out = wrong(name, row, v, near ? std::string_view{*near} : std::string_view{});
  if (row.type == json_type::array) {
    out.message = fmt::format("`{}` must be one of {}, not {}", name, choices_text(row), shown(v));
    out.data["expected"] = "one of " + choices_text(row);
    out.data["hint"] = fmt::format("give `{}` as one of {}{}", name, choices_text(row),
                                   near ? fmt::format("; did you mean \"{}\"?", *near) : "");
  }
  return out;
}

std::optional<fault> check_value(const std::string& name, const field& row, const json::value& v) {
  if (!has_type(v, row.type)) return wrong(name, row, v);
  switch (row.type) {
    case json_type::integer:
    case json_type::number: return check_range(name, row, v.to_number<double>(), v);
    case json_type::string:
      if (auto f = check_choice(name, row, v)) return f;
      // min and max of a string are its length in bytes.
      if (row.min || row.max) {
        json::value length(v.get_string().size());
        if (auto f = check_range(name + "` (its length) `", row,
                                 static_cast<double>(v.get_string().size()), length)) {
          f->message = fmt::format("`{}` has {} bytes; it must have {}", name,
                                   v.get_string().size(), bounds_of(row));
          f->data["param"] = name;
          f->data["hint"] = hint_on_length(name, row, v.get_string().size());
          return f;
        }
      }
      return std::nullopt;
    case json_type::object: return check(row.members, v.get_object(), name + ".");
    case json_type::array: {
      const auto& items = v.get_array();
      if (auto f = check_range(name, row, static_cast<double>(items.size()), v)) {
        f->message =
            fmt::format("`{}` has {} items; it must have {}", name, items.size(), bounds_of(row));
        f->data["got"] = items.size();
        return f;
      }
      for (std::size_t i = 0; i < items.size(); ++i) {
        auto item = fmt::format("{}[{}]", name, i);
        if (!has_type(items[i], row.items))
          return wrong(item, field{.name = row.name, .type = row.items}, items[i]);
        if (row.items == json_type::string)
          if (auto f = check_choice(item, row, items[i])) return f;
        if (row.items == json_type::object && !row.members.empty())
          if (auto f = check(row.members, items[i].get_object(), item + ".")) return f;
      }
      return std::nullopt;
    }
    case json_type::any:
    case json_type::boolean: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(json_type t) { return type_names[static_cast<std::size_t>(t)]; }

std::optional<fault> check(fields rows, const json::object& params, std::string_view where) {
  std::size_t given = 0;
  for (const auto& row : rows) {
    const auto* v = params.if_contains(row.name);
    if (!v || v->is_null()) {
      // null for an optional parameter is how several clients say "not given".
      given += v != nullptr;
      if (row.required) {
        auto name = std::string{where} + std::string{row.name};
        return fault{fault_code::invalid_params,
                     fmt::format("`{}` is missing", name),
                     fmt::format("give `{}`: {} ({})", name, row.doc, expected(row)),
                     {{"param", name}, {"expected", expected(row)}, {"got", nullptr}}};
      }
      continue;
    }
    ++given;
    if (auto f = check_value(std::string{where} + std::string{row.name}, row, *v)) return f;
  }
  if (given == params.size()) return std::nullopt;
  std::vector<std::string_view> known;
  for (const auto& row : rows)
    known.push_back(row.name);
  for (const auto& member : params) {
    const std::string_view name{member.key()};
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    auto full = std::string{where} + std::string{clipped(name, 60)};
    json::object data{{"param", full}, {"got", got(member.value())}};
    json::array names;
    for (auto k : known)
      names.emplace_back(k);
    std::string hint = known.empty() ? "leave it out; the method takes no parameters"
                                     : "leave it out, or see `expected` for the names";
    data["expected"] = std::move(names);
    if (auto near = nearest(name, known)) {
      hint = fmt::format("did you mean `{}`?", *near);
      data["nearest"] = *near;
    }
    return fault{fault_code::invalid_params, fmt::format("unknown parameter `{}`", full), hint,
                 std::move(data)};
  }
  return std::nullopt;
}

std::optional<fault> name_positions(fields rows, const json::array& positions,
                                    json::object& named) {
  if (positions.size() > rows.size())
    return fault{fault_code::invalid_params,
                 fmt::format("{} parameters by position, but there are only {}", positions.size(),
                             rows.size()),
                 "give parameters by name, as an object",
                 {{"param", "params"}, {"expected", rows.size()}, {"got", positions.size()}}};
  for (std::size_t i = 0; i < positions.size(); ++i)
    named[rows[i].name] = positions[i];
  return std::nullopt;
}

json::object json_schema(const field& row, schema_detail detail) {
  json::object out;
  if (row.type != json_type::any) out["type"] = to_string(row.type);
  const auto documented = detail == schema_detail::documented;
  if (!row.doc.empty() && (documented || !row.plain)) out["description"] = row.doc;
  auto choices = [&](json::object& into) {
    if (row.choices.empty()) return;
    json::array names;
    for (auto c : row.choices)
      names.emplace_back(c);
    into["enum"] = std::move(names);
  };
  switch (row.type) {
    case json_type::string:
      choices(out);
      if (documented && row.min) out["minLength"] = *row.min;
      if (documented && row.max) out["maxLength"] = *row.max;
      break;
    case json_type::integer:
    case json_type::number:
      if (documented && row.min) out["minimum"] = *row.min;
      if (documented && row.max) out["maximum"] = *row.max;
      break;
    case json_type::array: {
      json::object item;
      if (!row.members.empty() && documented)
        item = json_schema(row.members, detail, false);
      else if (row.items != json_type::any)
        item["type"] = to_string(row.items);
      if (row.items == json_type::string) choices(item);
      if (!item.empty()) out["items"] = std::move(item);
      if (documented && row.min) out["minItems"] = *row.min;
      if (documented && row.max) out["maxItems"] = *row.max;
      break;
    }
    case json_type::object:
      if (!row.members.empty() && documented) {
        auto inner = json_schema(row.members, detail, false);
        for (auto& member : inner)
          if (member.key() != "type") out[member.key()] = member.value();
      }
      break;
    case json_type::any:
    case json_type::boolean: break;
  }
  return out;
}

json::object json_schema(fields rows, schema_detail detail, bool closed) {
  json::object properties;
  json::array required;
  for (const auto& row : rows) {
    properties[row.name] = json_schema(row, detail);
    if (row.required) required.emplace_back(row.name);
  }
  json::object out{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) out["required"] = std::move(required);
  if (closed) out["additionalProperties"] = false;
  return out;
}

const json::value* arguments::find(std::string_view name) const {
  const auto* v = params_->if_contains(name);
  return v && !v->is_null() ? v : nullptr;
}

std::string_view arguments::text(std::string_view name) const {
  const auto* v = find(name);
  return v && v->is_string() ? std::string_view{v->get_string()} : std::string_view{};
}

std::optional<std::string> arguments::optional_text(std::string_view name) const {
  const auto* v = find(name);
  if (!v || !v->is_string()) return std::nullopt;
  return std::string{std::string_view{v->get_string()}};
}

std::optional<std::int64_t> arguments::integer(std::string_view name) const {
  const auto* v = find(name);
  if (!v || !is_integer(*v)) return std::nullopt;
  return v->to_number<std::int64_t>();
}

std::optional<double> arguments::number(std::string_view name) const {
  const auto* v = find(name);
  if (!v || !v->is_number()) return std::nullopt;
  return v->to_number<double>();
}

bool arguments::flag(std::string_view name) const {
  const auto* v = find(name);
  return v && v->is_bool() && v->get_bool();
}

std::vector<std::string> arguments::texts(std::string_view name) const {
  std::vector<std::string> out;
  const auto* v = find(name);
  if (v && v->is_array())
    for (const auto& item : v->get_array())
      if (item.is_string()) out.emplace_back(std::string_view{item.get_string()});
  return out;
}

}  // namespace fermata::io::protocol

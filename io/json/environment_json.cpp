#include "io/json/environment_json.hpp"

#include "io/json/score_fields.hpp"
#include "io/json/value_json.hpp"

#include <boost/json/array.hpp>

namespace fermata::io {

namespace json = boost::json;

namespace {

error unreadable_bindings(std::string what) {
  return {errc::wrong_type, std::move(what), std::nullopt, "The stored environment is damaged."};
}

json::object write_binding(const binding& b) {
  return {{"source", b.source}, {"value", write_value(b.bound)}};
}

result<binding> read_binding(std::string_view name, const json::value& v) {
  auto o = v.if_object();
  auto source = o ? o->if_contains("source") : nullptr;
  auto stored = o ? o->if_contains("value") : nullptr;
  if (!source || !source->is_string() || !stored)
    return fail(
        unreadable_bindings("the definition of " + std::string{name} + " is not a definition"));
  auto bound = read_value(*stored);
  if (!bound)
    return fail(unreadable_bindings("the definition of " + std::string{name} +
                                    " cannot be read: " + bound.error().first().message));
  return binding{std::move(*bound), std::string{source->get_string()}};
}

template <class T>
result<void> read_member(const json::object& o, std::string_view name, T& x) {
  json_fault fault;
  auto member = o.if_contains(name);
  if (!member || read_json(*member, x, fault)) return {};
  return fail(unreadable_bindings(std::string{name} + fault.path + " should be " + fault.what));
}

/// A change of a plain member as a pair.
template <class T>
void write_pair(json::object& o, std::string_view name,
                const std::optional<before_after<T>>& change) {
  if (change) o[name] = json::array{write_json(change->before), write_json(change->after)};
}
template <class T>
result<void> read_pair(const json::object& o, std::string_view name,
                       std::optional<before_after<T>>& change) {
  if (!o.contains(name)) return {};
  std::pair<T, T> both;
  if (auto read = read_member(o, name, both); !read) return read;
  change = before_after<T>{std::move(both.first), std::move(both.second)};
  return {};
}

}  // namespace

json::object write_environment(const environment& env) {
  json::object o;
  json::object bindings;
  for (auto& [name, b] : env.bindings)
    bindings[name] = write_binding(b);
  o["bindings"] = std::move(bindings);
  o["cursor"] = write_json(env.cursor);
  o["defaults"] = write_json(env.defaults);
  o["key_inference"] = env.key_inference;
  return o;
}

result<environment> read_environment(const json::object& o) {
  environment env;
  for (auto read : {read_member(o, "cursor", env.cursor), read_member(o, "defaults", env.defaults),
                    read_member(o, "key_inference", env.key_inference)})
    if (!read) return fail(read.error());
  auto stored = o.if_contains("bindings");
  if (!stored || !stored->is_object()) return fail(unreadable_bindings("there are no bindings"));
  for (auto& pair : stored->get_object()) {
    std::string_view name = pair.key();
    auto b = read_binding(name, pair.value());
    if (!b) return fail(b.error());
    env.bindings.insert_or_assign(std::string{name}, std::move(*b));
  }
  return env;
}

json::object write_change(const environment_delta& d) {
  json::object o;
  json::array bindings;
  auto side = [](const std::optional<binding>& b) {
    return b ? json::value(write_binding(*b)) : json::value();
  };
  for (auto& change : d.bindings)
    bindings.push_back(json::object{
        {"name", change.name}, {"before", side(change.before)}, {"after", side(change.after)}});
  if (!bindings.empty()) o["bindings"] = std::move(bindings);
  write_pair(o, "cursor", d.cursor);
  write_pair(o, "defaults", d.defaults);
  write_pair(o, "key_inference", d.key_inference);
  return o;
}

result<environment_delta> read_change(const json::object& o) {
  environment_delta d;
  for (auto read : {read_pair(o, "cursor", d.cursor), read_pair(o, "defaults", d.defaults),
                    read_pair(o, "key_inference", d.key_inference)})
    if (!read) return fail(read.error());
  auto stored = o.if_contains("bindings");
  if (!stored) return d;
  if (!stored->is_array()) return fail(unreadable_bindings("bindings should be an array"));
  for (auto& v : stored->get_array()) {
    auto change = v.if_object();
    auto name = change ? change->if_contains("name") : nullptr;
    if (!name || !name->is_string())
      return fail(unreadable_bindings("a changed binding has no name"));
    binding_change b{std::string{name->get_string()}, {}, {}};
    for (auto [which, to] : {std::pair{"before", &b.before}, std::pair{"after", &b.after}}) {
      auto side = change->if_contains(which);
      if (!side || side->is_null()) continue;
      auto read = read_binding(b.name, *side);
      if (!read) return fail(read.error());
      *to = std::move(*read);
    }
    d.bindings.push_back(std::move(b));
  }
  return d;
}

}  // namespace fermata::io

#include "core/lang/evaluation/call.hpp"

#include "core/lang/evaluation/bind.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/lang/value/literals.hpp"
#include "core/lang/value/music.hpp"

#include <algorithm>
#include <cassert>

namespace fermata {

namespace {

std::size_t index_of(const form_spec& spec, std::string_view name) {
  for (std::size_t i = 0; i < spec.params.size(); ++i)
    if (spec.params[i].name == name) return i;
  assert(!"the row of the form table has no such parameter");
  return 0;
}

/// The single attribute that a `(key ...)` or `(time ...)` value holds.
const attributes* attributes_of(const value& v) {
  auto m = v.as_music();
  auto content = m != nullptr ? std::get_if<measure_content>(&m->data) : nullptr;
  return content != nullptr ? std::get_if<attributes>(content) : nullptr;
}

}  // namespace

const call::written* call::find(std::size_t param) const {
  auto last_in = [param](auto& given) {
    // Of an option that is given several times, the last.
    auto at = std::find_if(given.rbegin(), given.rend(),
                           [param](const written& x) { return x.param == param; });
    return at != given.rend() ? &*at : nullptr;
  };
  return is_named(spec_.params[param]) ? last_in(in_order_) : last_in(positional_);
}

bool call::has(std::string_view name) const { return has(index_of(spec_, name)); }
const value& call::get(std::string_view name) const {
  static const value nothing;
  auto x = find(index_of(spec_, name));
  return x != nullptr ? x->given : nothing;
}
source_span call::span_of(std::string_view name) const {
  auto x = find(index_of(spec_, name));
  return x != nullptr ? x->span : span_;
}

bool call::flag(std::string_view name) const { return has(name) && get(name).is_true(); }

std::optional<std::int64_t> call::integer(std::string_view name) const {
  auto n = get(name).as_number();
  if (n == nullptr || !n->is_integer()) return std::nullopt;
  return n->numerator();
}

std::optional<std::string> call::text(std::string_view name) const {
  auto& v = get(name);
  if (auto s = v.as_string()) return *s;
  if (auto s = v.as_symbol()) return *s;
  if (auto s = v.as_keyword()) return *s;
  if (v.is_nil()) return std::nullopt;
  return print(v);
}

std::optional<fermata::pitch> call::pitch(std::string_view name) const {
  auto p = get(name).as_pitch();
  return p != nullptr ? std::optional{*p} : std::nullopt;
}

std::optional<note_value> call::duration(std::string_view name) const {
  auto& v = get(name);
  if (auto d = v.get_if<note_value>()) return *d;
  if (auto k = v.as_keyword()) return parse_note_value(*k);
  if (auto s = v.as_symbol()) return parse_note_value(*s);
  return std::nullopt;
}

std::optional<fermata::interval> call::interval(std::string_view name) const {
  auto i = get(name).get_if<fermata::interval>();
  return i != nullptr ? std::optional{*i} : std::nullopt;
}

std::optional<key_signature> call::key(std::string_view name) const {
  auto& v = get(name);
  if (auto a = attributes_of(v); a != nullptr && a->keys.size() == 1) return a->keys.front().value;
  if (auto n = v.as_number(); n != nullptr && n->is_integer()) {
    key_signature k;
    k.fifths = static_cast<int>(n->numerator());
    return k;
  }
  if (auto s = text(name)) return parse_key(*s);
  return std::nullopt;
}

std::optional<time_signature> call::time(std::string_view name) const {
  auto& v = get(name);
  if (auto a = attributes_of(v); a != nullptr && a->times.size() == 1)
    return a->times.front().value;
  return parse_time(v);
}

result<value> call::apply(const value& function, std::span<const value> args) {
  return state_.apply(function, args, span_);
}

result<void> call::produced(std::size_t n) { return state_.produced(n); }

result<void> call::copied(std::uint64_t notes) { return state_.copied(notes); }
result<void> call::check_interrupted() { return state_.check_interrupted(); }

error call::wrong(errc code, std::string message, std::string_view param) const {
  auto at = param.empty() ? span_ : span_of(param);
  return error{code, spec_.name + ": " + std::move(message), at, "usage: " + usage(spec_)};
}

void call::set(std::size_t param, value v, source_span at) {
  written x{param, std::move(v), at};
  if (is_named(spec_.params[param]))
    in_order_.push_back(std::move(x));
  else
    positional_.push_back(std::move(x));
}

void call::add_rest(value v, source_span at) {
  rest_.push_back(std::move(v));
  rest_spans_.push_back(at);
}

}  // namespace fermata

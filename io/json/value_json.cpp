#include "io/json/value_json.hpp"

#include "core/lang/evaluation/environment_io.hpp"
#include "core/lang/evaluation/evaluate.hpp"
#include "core/lang/value/callable.hpp"
#include "io/json/entry_json.hpp"

#include <boost/json/serialize.hpp>

#include <cmath>
#include <limits>

namespace fermata::io {

namespace json = boost::json;

namespace {

/// Deeper than anything that can be made, which the first journals may hold; guards the stack
/// against damaged files.
constexpr int deepest = 2 * deepest_value;

error unreadable_value(std::string what) {
  return {errc::wrong_type, std::move(what), std::nullopt, "The stored value is damaged."};
}

json::array write_all(const std::vector<value>& values) {
  json::array a;
  a.reserve(values.size());
  for (auto& v : values)
    a.push_back(write_value(v));
  return a;
}

json::value write_function(const callable_ptr& c) {
  auto text = to_source(value::of(c));
  // What cannot be written down (it is far too large) is still told; reading it is an error.
  if (!text) return json::object{{"unsaved", text.error().first().message}};
  json::object o{{c->what == callable::kind::macro ? "macro" : "fn", *text}};
  if (c->code && !c->name.empty()) o["name"] = c->name;
  return o;
}

struct writer {
  json::value operator()(const nil_value&) const { return nullptr; }
  json::value operator()(bool b) const { return b; }
  json::value operator()(const rational& r) const { return json::object{{"number", to_string(r)}}; }
  json::value operator()(double d) const {
    if (std::isfinite(d)) return json::object{{"real", d}};
    return json::object{{"real", std::isnan(d) ? "nan" : d > 0 ? "inf" : "-inf"}};
  }
  json::value operator()(const std::shared_ptr<const std::string>& s) const {
    return json::string{*s};
  }
  json::value operator()(const std::shared_ptr<const symbol>& s) const {
    return json::object{{"symbol", s->name}};
  }
  json::value operator()(const std::shared_ptr<const keyword>& k) const {
    return json::object{{"keyword", k->name}};
  }
  json::value operator()(const list_ptr& l) const {
    return json::object{{l->bracketed ? "vector" : "list", write_all(l->items)}};
  }
  json::value operator()(const pitch& p) const { return json::object{{"pitch", to_string(p)}}; }
  json::value operator()(const interval& i) const {
    return json::object{{"interval", to_string(i)}};
  }
  json::value operator()(const note_value& d) const {
    return json::object{{"duration", to_string(d)}};
  }
  json::value operator()(const music_ptr& m) const {
    return json::object{{"music", print(value::of(m))}};
  }
  json::value operator()(const callable_ptr& c) const { return write_function(c); }
  json::value operator()(const std::shared_ptr<const error_value>& e) const {
    return json::object{{"error", to_json(e->what)}};
  }
};

struct reader {
  int depth = 0;

  result<value> read(const json::value& v) {
    if (++depth > deepest) return fail(unreadable_value("a value is nested too deeply"));
    auto read_it = read_at_this_depth(v);
    --depth;
    return read_it;
  }

  result<value> read_at_this_depth(const json::value& v) {
    if (v.is_null()) return value{};
    if (v.is_bool()) return value::of(v.get_bool());
    if (v.is_string()) return value::string(std::string{v.get_string()});
    if (!v.is_object() || v.get_object().empty())
      return fail(unreadable_value("not a value: " + json::serialize(v)));
    auto& o = v.get_object();
    auto& [kind, content] = *o.begin();
    std::string_view name = kind;
    if (content.is_string()) return from_text(name, content.get_string(), o);
    if (name == "real" && content.is_double()) return value::of(content.get_double());
    if (name == "real" && content.is_int64())
      return value::of(static_cast<double>(content.get_int64()));
    if (name == "error" && content.is_object()) return read_error(content.get_object());
    if (!content.is_array()) return fail(unreadable_value("not a value: " + json::serialize(v)));
    auto items = read_all(content.get_array());
    if (!items) return fail(items.error());
    if (name == "list") return value::list(std::move(*items));
    if (name == "vector") return value::list(std::move(*items), true);
    return fail(unreadable_value("unknown value type " + std::string{name}));
  }

  result<value> from_text(std::string_view kind, std::string_view text, const json::object& all) {
    auto when = [&](auto parsed) -> result<value> {
      if (!parsed)
        return fail(
            unreadable_value("`" + std::string{text} + "` is not a valid " + std::string{kind}));
      return value::of(*parsed);
    };
    if (kind == "number") return when(parse_rational(text));
    if (kind == "real")
      return value::of(text == "nan"   ? std::numeric_limits<double>::quiet_NaN()
                       : text == "inf" ? std::numeric_limits<double>::infinity()
                                       : -std::numeric_limits<double>::infinity());
    if (kind == "symbol") return value::sym(std::string{text});
    if (kind == "keyword") return value::kw(std::string{text});
    if (kind == "pitch") return when(parse_pitch(text));
    if (kind == "interval") return when(parse_interval(text));
    if (kind == "duration") return when(parse_note_value(text));
    if (kind == "music") return value_of_text(text);
    if (kind == "fn" || kind == "macro") return read_function(kind, text, all);
    return fail(unreadable_value("unknown value type " + std::string{kind}));
  }

  result<std::vector<value>> read_all(const json::array& a) {
    std::vector<value> items;
    items.reserve(a.size());
    for (auto& e : a) {
      auto item = read(e);
      if (!item) return fail(item.error());
      items.push_back(std::move(*item));
    }
    return items;
  }

  result<value> read_function(std::string_view kind, std::string_view text,
                              const json::object& all) {
    auto made = value_of_text(text);
    auto function = made ? made->get_if<callable_ptr>() : nullptr;
    if (made && !function)
      return fail(unreadable_value("`" + std::string{text} + "` is not a function"));
    auto name = all.if_contains("name");
    if (!made || (!name && kind == "fn")) return made;
    auto c = std::make_shared<callable>(**function);
    if (name && name->is_string()) c->name = std::string{name->get_string()};
    if (kind == "macro") c->what = callable::kind::macro;
    return value::of(std::move(c));
  }

  result<value> read_error(const json::object& o) {
    auto what = parse_error(o);
    if (!what) return fail(what.error());
    return value::of(std::move(*what));
  }
};

}  // namespace

json::value write_value(const value& v) { return std::visit(writer{}, v.data()); }

result<value> read_value(const json::value& v) { return reader{}.read(v); }

result<value> value_of_text(std::string_view text) {
  evaluation_request request;
  request.text = std::string{text};
  request.env = std::make_shared<const environment>();
  request.score = empty_score();
  request.commit = false;
  request.stored = true;
  auto done = evaluate(request);
  if (!done) return fail(done.error());
  if (done->values.empty()) return fail(unreadable_value("there is nothing to evaluate"));
  return done->values.back();
}

}  // namespace fermata::io

#include "core/lang/evaluation/environment_io.hpp"

#include "core/lang/evaluation/evaluate.hpp"
#include "core/lang/value/code.hpp"
#include "core/lang/value/music.hpp"

#include <algorithm>

namespace fermata {

namespace {

constexpr std::size_t largest = std::size_t{1} << 30;

bool is_symbol(const value& v, std::string_view name) {
  auto s = v.as_symbol();
  return s != nullptr && *s == name;
}

/// Writes a value as an expression. It calls itself as deep as values are nested, and code: that is
/// bounded where they are made (`deepest_value`, and the compiler).
class writer {
public:
  result<std::string> write(const value& v) {
    put(v);
    if (!wrong_.diagnostics.empty()) return fail(std::move(wrong_));
    return std::move(out_);
  }

private:
  void refuse(std::string why) {
    if (wrong_.diagnostics.empty()) wrong_ = error{errc::out_of_range, std::move(why)};
  }

  void put(const value& v) {
    if (out_.size() > largest) refuse("the value is too large to save");
    if (!wrong_.diagnostics.empty()) return;
    if (auto list = v.as_list())
      put_list(v, *list);
    else if (v.as_symbol())
      out_ += "'" + print(v);
    else if (auto i = v.get_if<interval>())
      out_ += "(as-interval \"" + to_string(*i) + "\")";
    else if (auto d = v.get_if<note_value>())
      out_ += "(as-duration :" + to_string(*d) + ")";
    else if (auto c = v.get_if<callable_ptr>())
      put_callable(**c);
    else if (auto e = v.get_if<std::shared_ptr<const error_value>>())
      put_error((*e)->what);
    else
      out_ += print(v);
  }

  void put_list(const value& v, const list_data& list) {
    if (is_plain_data(v)) {
      if (auto text = print_within(v, largest))
        out_ += "'" + *text;
      else
        refuse("the value is too large to save");
      return;
    }
    put_call("list", list.items.begin(), list.items.end());
  }

  template <class I>
  void put_call(std::string_view head, I from, I to) {
    out_ += "(";
    out_ += head;
    for (; from != to; ++from) {
      out_ += ' ';
      put(*from);
    }
    out_ += ")";
  }

  /// Lists of what the reader reads: they may be quoted as a whole.
  static bool is_plain_data(const value& v) {
    if (auto list = v.as_list())
      return std::all_of(list->items.begin(), list->items.end(), is_plain_data);
    return !(v.get_if<interval>() || v.get_if<note_value>() || v.get_if<callable_ptr>() ||
             v.as_music() || v.get_if<std::shared_ptr<const error_value>>());
  }

  void put_callable(const callable& c) {
    switch (c.what) {
      case callable::kind::builtin: out_ += c.name; return;
      case callable::kind::partial: put_call("partial", c.held.begin(), c.held.end()); return;
      case callable::kind::composed: put_call("comp", c.held.begin(), c.held.end()); return;
      case callable::kind::closure:
      case callable::kind::macro: break;
    }
    auto source = print(expanded(c.code->source, c.code->unit->expansions));
    if (c.held.empty()) {
      out_ += source;
      return;
    }
    // As arguments, the captured values are evaluated where none of the captured names is seen.
    out_ += "((fn [";
    for (std::size_t i = 0; i < c.held.size(); ++i)
      out_ += (i > 0 ? " " : "") + c.code->captures[i].name;
    out_ += "] " + source + ")";
    for (auto& v : c.held) {
      out_ += ' ';
      put(v);
    }
    out_ += ")";
  }

  /// Code with each macro call replaced by what it expanded to when it was compiled. Only macros
  /// put values into code that do not print as code, such as functions.
  static value expanded(const value& v, const expansions_by_call& expansions) {
    if (expansions.empty()) return v;
    auto list = v.as_list();
    if (list == nullptr) return is_plain_data(v) || v.as_music() ? v : as_code(v);
    if (list->items.size() == 2 && is_symbol(list->items[0], "quote"))
      return is_plain_data(v) ? v : as_code(list->items[1]);
    if (auto at = expansions.find(list); at != expansions.end())
      return expanded(at->second.second, expansions);
    std::vector<value> items;
    items.reserve(list->items.size());
    for (auto& item : list->items)
      items.push_back(expanded(item, expansions));
    return value::list(std::move(items), list->bracketed);
  }

  /// The expression for a value, as data.
  static value as_code(const value& v) {
    auto text = writer{}.write(v);
    auto code = text ? read(*text, stored_text) : read_result{};
    return code.forms.size() == 1 ? code.forms[0].datum : v;
  }

  void put_error(const error& e) {
    out_ += "(make-error";
    for (auto& d : e.diagnostics)
      out_ += " :" + std::string{info(d.code).name} + " " + print(value::string(d.message)) + " " +
              print(value::string(d.hint));
    out_ += ")";
  }

  std::string out_;
  error wrong_;
};

const callable* as_callable(const value& v) {
  auto c = v.get_if<callable_ptr>();
  return c != nullptr ? c->get() : nullptr;
}

/// The function as a macro, or with its name.
value finished(const value& v, const saved_binding& saved) {
  auto c = as_callable(v);
  if (c == nullptr || c->what != callable::kind::closure) return v;
  auto copy = std::make_shared<callable>();
  copy->what = saved.is_macro ? callable::kind::macro : callable::kind::closure;
  copy->name = saved.function_name;
  copy->code = c->code;
  copy->held = c->held;
  return value::of(std::move(copy));
}

}  // namespace

result<std::string> to_source(const value& v) { return writer{}.write(v); }

saved_bindings save_bindings(const environment& env) {
  saved_bindings all;
  for (auto& [name, b] : env.bindings) {
    auto expression = to_source(b.bound);
    if (!expression) {
      auto d = expression.error().first();
      d.message = "`" + name + "` cannot be saved: " + d.message;
      all.errors.diagnostics.push_back(std::move(d));
      continue;
    }
    saved_binding saved{name, b.source, std::move(*expression), {}, false};
    if (auto c = as_callable(b.bound); c != nullptr && c->code) {
      saved.function_name = c->name;
      saved.is_macro = c->what == callable::kind::macro;
    }
    all.bindings.push_back(std::move(saved));
  }
  return all;
}

loaded_bindings load_bindings(const std::vector<saved_binding>& saved) {
  loaded_bindings all;
  for (auto& s : saved) {
    evaluation_request request;
    request.text = s.expression;
    request.commit = false;
    request.stored = true;
    auto done = evaluate(request);
    if (done && done->values.size() == 1) {
      all.bindings[s.name] = {finished(done->values[0], s), s.source};
      continue;
    }
    auto why =
        done ? diagnostic{errc::invalid_token, "the saved text is not a single expression", {}, {}}
             : done.error().first();
    all.errors.diagnostics.push_back(
        {why.code, "`" + s.name + "` does not load: " + why.message, std::nullopt, why.hint});
    all.failed.push_back(s);
  }
  return all;
}

}  // namespace fermata

#include "core/lang/evaluation/bind.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/lang/evaluation/row_shorthand.hpp"
#include "core/lang/forms/forms.hpp"
#include "core/lang/reference/reference.hpp"
#include "core/lang/syntax/reader.hpp"
#include "core/lang/value/code.hpp"

namespace fermata {

namespace {

/// The name that `(doc x)` asks about, when there is one.
std::optional<std::string> asked_name(const value& v) {
  if (auto s = v.as_symbol()) return *s;
  if (auto s = v.as_string()) return *s;
  if (auto c = v.get_if<callable_ptr>(); c != nullptr && !(*c)->name.empty()) return (*c)->name;
  return std::nullopt;
}

/// The string before or after the parameters of a definition: `(defn f "..." [x] ...)`.
std::string documentation(std::string_view source) {
  auto r = read(source);
  if (r.forms.size() != 1) return {};
  auto list = r.forms[0].datum.as_list();
  if (list == nullptr) return {};
  for (std::size_t i = 2; i + 1 < list->items.size() && i < 4; ++i)
    if (auto s = list->items[i].as_string()) return *s;
  return {};
}

std::string source_of(call& c, const std::string& name) {
  auto& made = c.state().definitions;
  for (auto i = made.size(); i-- > 0;)
    if (made[i].name == name) return made[i].source;
  auto& env = c.state().request.env;
  if (!env) return {};
  auto at = env->bindings.find(name);
  return at != env->bindings.end() ? at->second.source : std::string{};
}

result<value> doc(call& c) {
  auto name = asked_name(c.get("x"));
  if (!name) return fail(c.wrong(errc::wrong_type, "needs a name or a named function"));
  if (auto row = find_form(*name)) return value::string(form_help(*row));
  auto cell = c.state().find_cell(*name);
  if (cell == nullptr) {
    auto e = c.wrong(errc::unknown_name, "`" + *name + "` is not defined");
    if (auto near = c.state().suggestion(*name))
      e.diagnostics.front().hint = "did you mean `" + *near + "`?";
    return fail(std::move(e));
  }
  std::string text = *name + ": " + describe_kind(cell->v);
  if (auto f = cell->v.get_if<callable_ptr>(); f != nullptr && (*f)->code) {
    text = "(" + *name;
    auto& code = *(*f)->code;
    for (std::size_t i = 0; i < code.params.size(); ++i)
      text += (code.has_rest && i + 1 == code.params.size() ? " & " : " ") + code.params[i];
    text += ")";
  }
  if (auto written = documentation(source_of(c, *name)); !written.empty()) text += "\n" + written;
  return value::string(text);
}

result<value> source(call& c) {
  auto& x = c.get("x");
  if (auto name = asked_name(x)) {
    if (auto text = source_of(c, *name); !text.empty())
      if (auto r = read(text); r.forms.size() == 1) return r.forms[0].datum;
    if (find_form(*name))
      return fail(c.wrong(errc::unknown_name, "`" + *name + "` is built in and has no source"));
  }
  if (auto f = x.get_if<callable_ptr>(); f != nullptr && (*f)->code) return (*f)->code->source;
  return fail(c.wrong(errc::unknown_name, "no definition of " + describe(x)));
}

/// The first diagnostic of an error that was caught.
result<diagnostic> caught(call& c) {
  if (auto e = c.get("error").get_if<std::shared_ptr<const error_value>>())
    return (*e)->what.first();
  return fail(
      c.wrong(errc::wrong_type, "needs an error, not " + describe(c.get("error")), "error"));
}

result<value> gensym_handler(call& c) {
  return value::sym("g%" + std::to_string(++c.state().fresh_names));
}

result<value> error_handler(call& c) {
  std::string message;
  for (auto& v : c.rest()) {
    auto s = v.as_string() ? std::optional{*v.as_string()} : print_within(v, 10'000);
    message += s.value_or("...");
  }
  return fail({errc::user_error, message.empty() ? "error" : message, c.span()});
}

result<value> make_error_handler(call& c) {
  error e;
  auto& parts = c.rest();
  for (std::size_t i = 0; i < parts.size(); i += 3) {
    auto code = parts[i].as_keyword() ? find_error(*parts[i].as_keyword()) : nullptr;
    if (auto word = parts[i].as_keyword(); word && code == nullptr) {
      std::vector<std::string_view> names;
      for (auto& row : error_table())
        names.push_back(row.name);
      auto near = nearest(*word, names);
      auto unknown = c.wrong(errc::wrong_type, "unknown error code :" + *word);
      unknown.diagnostics.front().span = c.rest_spans()[i];
      unknown.diagnostics.front().hint =
          (near ? "did you mean :" + *near + "?\n"
                : std::string{"use :user-error for errors of your own\n"}) +
          unknown.diagnostics.front().hint;
      return fail(std::move(unknown));
    }
    if (code == nullptr || i + 2 >= parts.size() || !parts[i + 1].as_string() ||
        !parts[i + 2].as_string())
      return fail(
          c.wrong(errc::wrong_type, "needs an error code as a keyword, a message and a hint"));
    e.diagnostics.push_back(
        {code->code, *parts[i + 1].as_string(), std::nullopt, *parts[i + 2].as_string()});
  }
  if (e.diagnostics.empty())
    return fail(c.wrong(errc::wrong_argument_count, "needs an error code, a message and a hint"));
  return value::of(std::move(e));
}

result<value> error_message_handler(call& c) {
  auto d = caught(c);
  return d ? result<value>{value::string(d->message)} : fail(d.error());
}

result<value> error_code_handler(call& c) {
  auto d = caught(c);
  return d ? result<value>{value::kw(std::string{info(d->code).name})} : fail(d.error());
}

}  // namespace

std::vector<form_spec> help_forms() {
  using t = arg_type;
  const std::string cat = "help";
  auto x = required("x", t::any, "a name or a function");
  auto caught_error = required("error", t::any, "an error caught by try");

  return {
      {"doc",
       {},
       cat,
       {x},
       "The documentation of a form, function or definition, as text.",
       "(doc count)",
       "string",
       doc},
      {"source",
       {},
       cat,
       {x},
       "The source of a definition or function, as data.",
       "(do (defn double [x] (* 2 x)) (source double))",
       "data",
       source},
      {"gensym",
       {},
       cat,
       {},
       "A unique symbol, for macros.",
       "(symbol? (gensym))",
       "symbol",
       gensym_handler},
      {"error",
       {},
       cat,
       {all_further("message", t::any, "strings as is, other values as printed")},
       "Stops the evaluation with an error message.",
       "(try (error \"no such mode\") error-message)",
       "never",
       error_handler},
      {"make-error",
       {},
       cat,
       {all_further("parts", t::any, "code, message and hint, repeated")},
       "An error value, like the ones caught by try.",
       "(make-error :user-error \"no such mode\" \"\")",
       "error",
       make_error_handler},
      {"error-message",
       {},
       cat,
       {caught_error},
       "The message of an error.",
       "(error-message (try (/ 1 0)))",
       "string",
       error_message_handler},
      {"error-code",
       {},
       cat,
       {caught_error},
       "The code of an error, as a keyword.",
       "(error-code (try (/ 1 0)))",
       "keyword",
       error_code_handler},
  };
}

}  // namespace fermata

#include "core/lang/evaluation/bind.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/lang/evaluation/row_shorthand.hpp"
#include "core/lang/forms/forms.hpp"
#include "core/lang/syntax/reader.hpp"
#include "core/lang/value/letter_case.hpp"
#include "core/utf8.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// Strings as they are, everything else as printed.
result<std::string> joined(call& c, const std::vector<value>& values, std::string_view between) {
  std::string out;
  bool first = true;
  for (auto& v : values) {
    if (!first) out += between;
    first = false;
    auto left = c.state().request.budget.bytes -
                std::min<std::uint64_t>(out.size(), c.state().request.budget.bytes);
    auto text = v.as_string() ? std::optional{*v.as_string()} : print_within(v, left);
    if (!text || text->size() > left)
      return fail(c.wrong(errc::budget_exceeded, "the text is too long"));
    out += *text;
  }
  if (auto good = c.state().produced_bytes(out.size()); !good) return fail(good.error());
  return out;
}

result<value> text(result<std::string> s) {
  return s ? result<value>{value::string(std::move(*s))} : fail(s.error());
}

/// Byte offset of character number n, or the end.
std::size_t byte_of(std::string_view s, std::int64_t n) {
  std::size_t at = 0;
  for (; n > 0 && at < s.size(); --n)
    do
      ++at;
    while (at < s.size() && is_utf8_continuation(s[at]));
  return at;
}

result<value> split(call& c) {
  std::string_view s = *c.get("string").as_string();
  std::string_view by = *c.get("by").as_string();
  std::vector<value> parts;
  if (by.empty()) {
    for (std::size_t at = 0; at < s.size();) {
      auto n = byte_of(s.substr(at), 1);
      parts.push_back(value::string(std::string{s.substr(at, n)}));
      at += n;
    }
  } else {
    while (true) {
      auto at = s.find(by);
      parts.push_back(value::string(std::string{s.substr(0, at)}));
      if (at == std::string_view::npos) break;
      s.remove_prefix(at + by.size());
    }
  }
  if (auto good = c.produced(parts.size()); !good) return fail(good.error());
  return value::list(std::move(parts));
}

/// A symbol or keyword from text; only such that read back.
result<value> word(call& c, bool keyword) {
  auto name = *c.text("name");
  auto r = read(keyword ? ":" + name : name);
  bool good = r.complete() && r.forms.size() == 1 &&
              (keyword ? r.forms[0].datum.as_keyword() != nullptr
                       : r.forms[0].datum.as_symbol() != nullptr);
  if (!good)
    return fail(c.wrong(errc::invalid_token,
                        "\"" + name + "\" is not the name of a " + (keyword ? "keyword" : "symbol"),
                        "name"));
  return r.forms[0].datum;
}

result<value> join_handler(call& c) {
  return text(joined(c, c.get("list").as_list()->items, *c.get("string").as_string()));
}

result<value> upper_handler(call& c) {
  return value::string(in_capitals(*c.get("string").as_string()));
}

result<value> lower_handler(call& c) {
  return value::string(in_small_letters(*c.get("string").as_string()));
}

result<value> substring_handler(call& c) {
  std::string_view s = *c.get("string").as_string();
  auto from = byte_of(s, *c.integer("from"));
  auto to = c.has("to") ? byte_of(s, *c.integer("to")) : s.size();
  if (*c.integer("from") < 0 || to < from)
    return fail(c.wrong(errc::out_of_range, "the end is before the start"));
  return value::string(std::string{s.substr(from, to - from)});
}

result<value> starts_with_handler(call& c) {
  return value::of(c.get("string").as_string()->starts_with(*c.get("start").as_string()));
}

result<value> ends_with_handler(call& c) {
  return value::of(c.get("string").as_string()->ends_with(*c.get("end").as_string()));
}

result<value> includes_handler(call& c) {
  return value::of(c.get("string").as_string()->find(*c.get("part").as_string()) !=
                   std::string::npos);
}

result<value> name_handler(call& c) {
  auto& v = c.get("x");
  auto s = v.as_keyword() ? v.as_keyword() : v.as_symbol() ? v.as_symbol() : v.as_string();
  return s ? result<value>{value::string(*s)}
           : fail(c.wrong(errc::wrong_type, "needs a symbol, keyword or string", "x"));
}

result<value> parse_handler(call& c) {
  auto r = read(*c.get("string").as_string());
  if (!r.errors.diagnostics.empty())
    return fail(c.wrong(r.errors.first().code, r.errors.first().message, "string"));
  if (!r.complete() || r.forms.empty())
    return fail(
        c.wrong(errc::unclosed_delimiter, "the text holds no complete expression", "string"));
  return r.forms.front().datum;
}

result<value> printed_handler(call& c) {
  auto s = print_within(c.get("x"), c.state().request.budget.bytes);
  if (!s) return fail(c.wrong(errc::budget_exceeded, "the text is too long"));
  if (auto good = c.state().produced_bytes(s->size()); !good) return fail(good.error());
  return value::string(std::move(*s));
}

}  // namespace

std::vector<form_spec> text_forms() {
  using t = arg_type;
  const std::string cat = "text";
  auto string = required("string", t::string, "a string");

  return {
      {"str",
       {},
       cat,
       {all_further("values", t::any, "strings as is, other values as printed")},
       "The values joined into one string.",
       "(str \"bar \" 12 \": \" c4)",
       "string",
       [](call& c) { return text(joined(c, c.rest(), "")); }},
      {"join",
       {},
       cat,
       {string, required("list", t::list, "values")},
       "The items joined into one string, with a separator.",
       "(join \" \" (c4 e4 g4))",
       "string",
       join_handler},
      {"split",
       {},
       cat,
       {required("by", t::string, "the separator; \"\" splits into characters"), string},
       "Splits a string.",
       "(split \"-\" \"a-b-c\")",
       "list",
       split},
      {"upper",
       {},
       cat,
       {string},
       "Converts to upper case.",
       "(upper \"mf\")",
       "string",
       upper_handler},
      {"lower",
       {},
       cat,
       {string},
       "Converts to lower case.",
       "(lower \"MF\")",
       "string",
       lower_handler},
      {"substring",
       {},
       cat,
       {string, required("from", t::integer, "first character, counting from 0"),
        optional("to", t::integer, "end, exclusive", "the end")},
       "Part of a string, by character positions.",
       "(substring \"fermata\" 0 4)",
       "string",
       substring_handler},
      {"starts-with?",
       {},
       cat,
       {required("start", t::string, "a string"), string},
       "Whether a string starts with another.",
       "(starts-with? \"fer\" \"fermata\")",
       "boolean",
       starts_with_handler},
      {"ends-with?",
       {},
       cat,
       {required("end", t::string, "a string"), string},
       "Whether a string ends with another.",
       "(ends-with? \"ta\" \"fermata\")",
       "boolean",
       ends_with_handler},
      {"includes?",
       {},
       cat,
       {required("part", t::string, "a string"), string},
       "Whether a string contains another.",
       "(includes? \"mat\" \"fermata\")",
       "boolean",
       includes_handler},
      {"name",
       {},
       cat,
       {required("x", t::any, "a symbol, keyword or string")},
       "The name of a symbol, keyword or string, as a string.",
       "(name :staccato)",
       "string",
       name_handler},
      {"symbol",
       {},
       cat,
       {required("name", t::string, "its name")},
       "The symbol with a given name.",
       "(symbol \"motif\")",
       "symbol",
       [](call& c) { return word(c, false); }},
      {"keyword",
       {},
       cat,
       {required("name", t::string, "its name without the colon")},
       "The keyword with a given name.",
       "(keyword \"q\")",
       "keyword",
       [](call& c) { return word(c, true); }},
      {"parse",
       {},
       cat,
       {string},
       "Reads the first expression in a string, as data.",
       "(parse \"(+ 1 2)\")",
       "data",
       parse_handler},
      {"printed",
       {},
       cat,
       {required("x", t::any, "anything")},
       "The exact printed form, as a string.",
       "(printed \"a\")",
       "string",
       printed_handler},
  };
}

}  // namespace fermata

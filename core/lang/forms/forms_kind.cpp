#include "core/lang/evaluation/row_shorthand.hpp"
#include "core/lang/forms/forms.hpp"

namespace fermata {

namespace {

/// Answers whether `x` is of the kind that the row's name says: `note?`.
result<value> is_kind(call& c) {
  auto kind = std::string_view{c.spec().name};
  kind.remove_suffix(1);
  return value::of(type_name(c.get("x")) == kind);
}

form_spec predicate(std::string kind, const std::string& what, std::string example) {
  return {kind + "?",
          {},
          "kind",
          {required("x", arg_type::any, "anything")},
          "Whether a value is " + what + ".",
          std::move(example),
          "boolean",
          is_kind};
}

}  // namespace

std::vector<form_spec> kind_forms() {
  std::vector<form_spec> rows{
      {"type",
       {},
       "kind",
       {required("x", arg_type::any, "anything")},
       "The kind of a value, as a keyword.",
       "(type c4)",
       "keyword",
       [](call& c) -> result<value> { return value::kw(std::string{type_name(c.get("x"))}); }},
      {"as-duration",
       {},
       "kind",
       {required("x", arg_type::duration, "a keyword or word such as :q. or quarter")},
       "The duration named by a word; prints as a keyword.",
       "(as-duration quarter)",
       "duration",
       [](call& c) -> result<value> { return value::of(*c.duration("x")); }},
      {"as-interval",
       {},
       "kind",
       {required("x", arg_type::interval, "a word such as M3, -P5, aug4, A4")},
       "The interval named by a word, regardless of definitions.",
       "(as-interval A4)",
       "interval",
       [](call& c) -> result<value> { return value::of(*c.interval("x")); }},
      {"music?",
       {},
       "kind",
       {required("x", arg_type::any, "anything")},
       "Whether a value is music of any kind: a note, a seq, a mark, a score.",
       "(music? c4)",
       "boolean",
       [](call& c) -> result<value> { return value::of(c.get("x").as_music() != nullptr); }},
  };
  for (auto [kind, what, example] :
       std::initializer_list<std::tuple<const char*, const char*, const char*>>{
           {"nil", "nil", "(nil? nil)"},
           {"boolean", "true or false", "(boolean? false)"},
           {"real", "a number in floating point", "(real? 0.5)"},
           {"string", "a string", "(string? \"dolce\")"},
           {"symbol", "a symbol", "(symbol? 'motif)"},
           {"keyword", "a keyword", "(keyword? :q)"},
           {"list", "a list", "(list? (c4 e4))"},
           {"pitch", "a pitch", "(pitch? c4)"},
           {"interval", "an interval", "(interval? M3)"},
           {"duration", "a duration", "(duration? :q)"},
           {"function", "a function", "(function? map)"},
           {"macro", "a macro", "(macro? 1)"},
           {"error", "an error caught by try", "(error? (try (/ 1 0)))"},
           {"note", "a note", "(note? c4)"},
           {"rest", "a rest", "(rest? c4)"},
           {"chord", "a chord", "(chord? c4)"},
           {"grace", "a grace note or group", "(grace? c4)"},
           {"tuplet", "a tuplet", "(tuplet? c4)"},
           {"seq", "a seq", "(seq? c4)"},
           {"par", "simultaneous music", "(par? c4)"},
           {"voice", "a voice", "(voice? c4)"},
           {"staff", "a staff", "(staff? c4)"},
           {"measure", "a measure", "(measure? c4)"},
           {"part", "a part", "(part? c4)"},
           {"score", "a score", "(score? c4)"},
           {"mark", "a direction: dynamics, words, tempo, pedal", "(mark? c4)"},
           {"key", "a key signature", "(key? c4)"},
           {"time", "a time signature", "(time? c4)"},
           {"clef", "a clef", "(clef? c4)"},
           {"barline", "a barline", "(barline? c4)"},
           {"harmony", "a chord symbol", "(harmony? c4)"},
       })
    rows.push_back(predicate(kind, what, example));
  return rows;
}

}  // namespace fermata

#include "core/lang/names/symbol_names.hpp"
#include "core/lang/notation/forms.hpp"
#include "core/score/model/placing.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace fermata {

namespace {

struct barline_name {
  std::string_view name;
  std::vector<std::string_view> aliases;
  std::string_view location, style, repeat;
};

/// "both" is dissolved when the score is made: MusicXML has its halves in two measures.
const std::vector<barline_name>& barline_table() {
  static const std::vector<barline_name> table{
      {"regular", {"single"}, "right", "regular", ""},
      {"double", {"light-light"}, "right", "light-light", ""},
      {"final", {"end", "light-heavy"}, "right", "light-heavy", ""},
      {"repeat-start", {"repeat-forward", "start-repeat"}, "left", "heavy-light", "forward"},
      {"repeat-end", {"repeat-backward", "end-repeat"}, "right", "light-heavy", "backward"},
      {"repeat-both", {}, "right", "light-heavy", "both"},
      {"heavy", {}, "right", "heavy", ""},
      {"heavy-light", {"reverse-final"}, "right", "heavy-light", ""},
      {"heavy-heavy", {}, "right", "heavy-heavy", ""},
      {"dashed", {}, "right", "dashed", ""},
      {"dotted", {}, "right", "dotted", ""},
      {"tick", {}, "right", "tick", ""},
      {"short", {}, "right", "short", ""},
      {"none", {}, "right", "none", ""},
      {"plain", {}, "right", "", ""},
  };
  return table;
}

const barline_name* find_barline(std::string_view name) {
  for (const auto& row : barline_table())
    if (row.name == name ||
        std::find(row.aliases.begin(), row.aliases.end(), name) != row.aliases.end())
      return &row;
  return nullptr;
}

completion_words barline_words(std::string_view) {
  completion_words words;
  for (const auto& row : barline_table()) {
    words.emplace_back(row.name);
    words.insert(words.end(), row.aliases.begin(), row.aliases.end());
  }
  return words;
}

const drawn_names& bar_styles() {
  static const drawn_names names{"regular",     "dotted",      "dashed",      "heavy",
                                 "light-light", "light-heavy", "heavy-light", "heavy-heavy",
                                 "tick",        "short",       "none"};
  return names;
}

std::string ending_numbers(const value& v) {
  std::string out;
  if (auto list = v.as_list())
    for (const auto& x : list->items)
      out += (out.empty() ? "" : ", ") + text_of(x).value_or(print(x));
  else
    out = text_of(v).value_or(print(v));
  return out;
}

/// The words of a call, with where each stands.
struct given_words {
  std::vector<std::string> words;
  std::vector<source_span> spans;
};

tl::unexpected<error> two_barlines(call& c, std::string_view first, std::string_view second) {
  return fail(c.wrong(errc::wrong_argument_count, "a barline cannot be both " + std::string{first} +
                                                      " and " + std::string{second}));
}

/// Reads which endings the barline belongs to; takes `ending 2` (the keywords left out) from the
/// words.
result<void> read_ending_numbers(call& c, barline& b, given_words& given) {
  auto& [words, spans] = given;
  if (!words.empty() && words.front() == "ending") {
    if (words.size() < 2)
      return fail(c.wrong(errc::wrong_argument_count, "which ending? (barline :ending 1 :start)"));
    b.ending_numbers = words[1];
    words.erase(words.begin(), words.begin() + 2);
    spans.erase(spans.begin(), spans.begin() + 2);
  }
  if (c.has("ending")) {
    if (!b.ending_numbers.empty())
      return fail(c.wrong(errc::wrong_argument_count, "the ending is given twice"));
    b.ending_numbers = ending_numbers(c.get("ending"));
  }
  if (begins_with_zero(b.ending_numbers))
    return fail(c.wrong(errc::out_of_range, "ending numbers start at 1, not " + b.ending_numbers));
  return {};
}

error unknown_barline(call& c, const std::string& word, source_span at) {
  std::vector<std::string_view> names;
  for (const auto& x : barline_table()) {
    names.push_back(x.name);
    names.insert(names.end(), x.aliases.begin(), x.aliases.end());
  }
  return unknown_keyword(c, word, at, std::move(names));
}

/// Reads the name of the barline, and whether an ending starts or stops at it. Returns the row of
/// the name, or null.
result<const barline_name*> read_names(call& c, barline& b, const given_words& given) {
  constexpr std::string_view ending_types[] = {"start", "stop", "discontinue"};
  const barline_name* named = nullptr;
  auto set_ending = [&](std::string_view type) -> result<void> {
    auto before = std::exchange(b.ending_type, std::string{type});
    if (before.empty() || before == type) return {};
    return two_barlines(c, before, type);
  };
  for (std::size_t i = 0; i < given.words.size(); ++i) {
    const auto& w = given.words[i];
    if (std::ranges::find(ending_types, w) != std::end(ending_types)) {
      if (auto ok = set_ending(w); !ok) return fail(ok.error());
    } else if (auto row = find_barline(w)) {
      if (named && named != row) return two_barlines(c, named->name, row->name);
      named = row;
      b.location = row->location;
      b.style = row->style;
      b.repeat = row->repeat;
    } else {
      return fail(unknown_barline(c, w, given.spans[i]));
    }
  }
  for (auto type : ending_types)
    if (c.flag(type))
      if (auto ok = set_ending(type); !ok) return fail(ok.error());
  return named;
}

/// Reads options which say more closely, or instead of a name, how the barline looks and repeats.
result<void> read_barline_options(call& c, barline& b, const barline_name* named) {
  if (c.has("location")) b.location = c.text("location").value_or("");
  if (c.has("style")) {
    auto style = drawn_text(c.get("style"), bar_styles());
    if (!style)
      return fail(c.wrong(errc::wrong_type, no_such_name(c.get("style"), bar_styles(), "bar style"),
                          "style"));
    // The name of a repeat says its usual drawing, the others nothing but how they are drawn.
    if (named && named->repeat.empty() && !named->style.empty() && *style != named->style)
      return two_barlines(c, named->name, *style);
    b.style = *style;
  }
  if (c.has("repeat")) {
    auto repeat = c.text("repeat").value_or("");
    if (named && !named->repeat.empty() && repeat != named->repeat)
      return two_barlines(c, named->name, repeat);
    b.repeat = std::move(repeat);
  }
  if (auto n = c.integer("times")) {
    if (b.repeat.empty())
      return fail(c.wrong(errc::misplaced, ":times is only allowed on a repeat barline", "times"));
    if (*n < 0 || *n > 1'000'000)
      return fail(c.wrong(errc::out_of_range, ":times must be a number", "times"));
    b.repeat_times = static_cast<int>(*n);
  }
  b.after_jump = c.text("after-jump").value_or("");
  b.ending_text = c.text("ending-text").value_or("");
  if (c.has("xml")) b.extra = preserved_of(c.get("xml"));
  return {};
}

result<value> barline_handler(call& c) {
  barline b;
  given_words given;
  for (const auto& v : c.rest())
    given.words.push_back(text_of(v).value_or(print(v)));
  given.spans.assign(c.rest_spans().begin(), c.rest_spans().end());
  if (auto ok = read_ending_numbers(c, b, given); !ok) return fail(ok.error());
  const auto named = read_names(c, b, given);
  if (!named) return fail(named.error());
  if (!b.ending_type.empty() && b.ending_numbers.empty() && !c.has("ending"))
    return fail(c.wrong(errc::wrong_argument_count, "which ending? (barline :ending 1 :start)"));
  if (!b.ending_numbers.empty() && b.ending_type.empty())
    return fail(c.wrong(errc::wrong_argument_count,
                        "an ending starts, stops or is discontinued: (barline :ending 1 :start)"));
  if (!*named && b.ending_type.empty() && !c.has("style") && !c.has("repeat")) b.style = "regular";
  if (b.ending_type == "start" && !*named) b.location = "left";
  if (auto ok = read_barline_options(c, b, *named); !ok) return fail(ok.error());
  take_given_side(b);
  if (c.has("location") && b.location != "middle") give_side(b);
  return music_answer(c, measure_content{std::move(b)});
}

}  // namespace

value barline_form(const barline& b) {
  auto x = b;
  const auto side_given = take_given_side(x);
  form f{"barline"};
  auto row =
      std::find_if(barline_table().begin(), barline_table().end(), [&](const barline_name& r) {
        return r.location == x.location && r.style == x.style && r.repeat == x.repeat;
      });
  if (row != barline_table().end()) {
    if (row->name != "plain" || x.ending_type.empty()) f.word(row->name);
  } else {
    if (side_given || x.location != (x.ending_type == "start" ? "left" : "right"))
      f.option("location", word_value(x.location));
    if (!x.style.empty()) f.option("style", drawn_value(x.style, bar_styles()));
    if (!x.repeat.empty()) f.option("repeat", word_value(x.repeat));
    if (x.style.empty() && x.repeat.empty() && x.ending_type.empty())
      f.option("style", value::string(""));
  }
  if (row != barline_table().end() &&
      (side_given || (row->name == "plain" && x.ending_type == "start")))
    f.option("location", word_value(x.location));
  if (!x.ending_numbers.empty() || !x.ending_type.empty()) {
    f.option("ending", text_value(x.ending_numbers));
    f.word(x.ending_type);
  }
  f.text("ending-text", x.ending_text);
  if (x.repeat_times) f.option("times", value::of(std::int64_t{*x.repeat_times}));
  f.text("after-jump", x.after_jump);
  return f.xml(x.extra).done();
}

void add_barline_forms(form_rows& rows) {
  auto style = option_param("style", arg_type::text, "line style");
  style.choices = drawn_words(bar_styles());
  rows.push_back(
      {"barline",
       {},
       "mark",
       {offering(rest_param("type", arg_type::spec,
                            "double, final, repeat-start, repeat-end, repeat-both, ..."),
                 barline_words),
        option_param("ending", arg_type::spec, "number of the ending that starts or stops here"),
        one_of("end of the bracket", flag_param("start", "the ending starts")),
        one_of("end of the bracket", flag_param("stop", "the ending stops")),
        one_of("end of the bracket", flag_param("discontinue", "the ending stops without a hook")),
        option_param("ending-text", arg_type::text, "text shown for the ending"),
        option_param("times", arg_type::integer, "how often the repeat is played"),
        word_option("location", "left, right or middle", {"left", "right", "middle"}), style,
        word_option("repeat", "forward or backward", {"forward", "backward"}),
        named_option("after-jump", "whether the repeat is also taken after a jump", {"yes", "no"}),
        option_param("xml", arg_type::xml, "further MusicXML attributes and elements")},
       "A barline at this position.",
       "(barline :double)",
       "barline",
       barline_handler});
}

}  // namespace fermata

#include "core/lang/reference/reference.hpp"

#include "core/lang/evaluation/evaluate.hpp"
#include "core/lang/names/completion_words.hpp"
#include "core/lang/names/mark_meanings.hpp"
#include "core/lang/reference/reference_prose.hpp"
#include "core/lang/syntax/token.hpp"
#include "core/music/clef.hpp"
#include "core/music/duration.hpp"
#include "core/music/instruments.hpp"
#include "core/music/key.hpp"
#include "core/score/model/mark.hpp"
#include "core/theory/chord_type.hpp"
#include "core/theory/scale.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace fermata {

namespace {

constexpr std::size_t longest_result = 2'000;

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string s;
  for (auto& w : words)
    s += (s.empty() ? "" : std::string{between}) + w;
  return s;
}

// --- topics from the form table ------------------------------------------------------------------

/// Families in the order of the page; rows of other families follow under their own name.
struct family {
  std::string_view category, title;
};
constexpr family families[] = {
    {"music", "Notes and music"},
    {"mark", "Marks"},
    {"structure", "Measures, parts, scores"},
    {"edit", "Editing the score"},
    {"transform", "Transformations"},
    {"theory", "Theory"},
    {"set", "Pitch-class sets"},
    {"row", "Rows"},
    {"neo", "Neo-Riemannian transformations"},
    {"core", "Definitions and control"},
    {"number", "Numbers and comparison"},
    {"list", "Lists"},
    {"function", "Higher-order functions"},
    {"text", "Text"},
    {"kind", "Types"},
    {"help", "Help and errors"},
};

std::vector<family> families_in_use() {
  std::vector<family> all{std::begin(families), std::end(families)};
  for (auto& row : form_table())
    if (std::none_of(all.begin(), all.end(), [&](auto& f) { return f.category == row.category; }))
      all.push_back({row.category, row.category});
  std::erase_if(all, [](auto& f) {
    return std::none_of(form_table().begin(), form_table().end(),
                        [&](auto& row) { return row.category == f.category; });
  });
  return all;
}

reference_topic topic_of_family(const family& f) {
  reference_topic t{std::string{f.category}, std::string{f.title}, {}};
  for (auto& row : form_table())
    if (row.category == f.category)
      t.items.push_back({usage(row), row.doc, row.example, example_result(row.example)});
  return t;
}

reference_topic forms_topic() {
  reference_topic t{"forms", "Forms and functions", {}};
  for (auto& f : families_in_use())
    for (auto& row : form_table())
      if (row.category == f.category) t.items.push_back({row.name, row.doc, row.example, {}});
  return t;
}

const param* find_param(std::string_view form, std::string_view name) {
  auto row = find_form(form);
  if (row == nullptr) return nullptr;
  for (auto& p : row->params)
    if (p.name == name || std::find(p.aliases.begin(), p.aliases.end(), name) != p.aliases.end())
      return &p;
  return nullptr;
}

/// The words that an option or a positional parameter takes.
void add_choices(reference_topic& t, std::string_view form, std::string_view name) {
  auto p = find_param(form, name);
  if (p == nullptr) return;
  for (auto& choice : p->choices)
    t.items.push_back({":" + choice, {}, {}, {}});
}

// --- topics from other tables --------------------------------------------------------------------

reference_topic syntax_topic() {
  return {"syntax",
          "Text",
          {
              {"(f x y)", "a call", "(+ 1 2)", example_result("(+ 1 2)")},
              {"(c4 e4 g4)", "a list of pitches", "(c4 e4 g4)", "(c4 e4 g4)"},
              {"[x y]", "a list of the values; parameters and bindings", "[1 (+ 1 1)]", "(1 2)"},
              {"\"text\"", "a string", {}, {}},
              {"c#4", "a pitch", {}, {}},
              {":q.", "a keyword, here a duration", {}, {}},
              {"'x `x ,x ,@x", "quote, quasiquote, unquote, splice", "`(1 ,(+ 1 1))", "(1 2)"},
              {"#p\"c4:q d\"", "a phrase", {}, {}},
              {"$In[3] $Out[-1] %", "entries of the history", {}, {}},
              {"; #| |# #;", "comments: line, block, one expression", {}, {}},
          }};
}

reference_topic durations_topic() {
  reference_topic t{"durations", "Durations", {}};
  constexpr std::pair<note_base, std::string_view> names[] = {
      {note_base::maxima, "maxima"},
      {note_base::long_, "long"},
      {note_base::breve, "breve, double whole"},
      {note_base::whole, "whole, semibreve"},
      {note_base::half, "half, minim"},
      {note_base::quarter, "quarter, crotchet"},
      {note_base::eighth, "eighth, quaver"},
      {note_base::n16th, "sixteenth, semiquaver"},
      {note_base::n32nd, "thirty-second, demisemiquaver"},
      {note_base::n64th, "sixty-fourth, hemidemisemiquaver"},
      {note_base::n128th, "128th"},
      {note_base::n256th, "256th"},
      {note_base::n512th, "512th"},
      {note_base::n1024th, "1024th"},
  };
  for (auto& [base, name] : names)
    t.items.push_back({":" + to_string(note_value{base, 0}), std::string{name}, {}, {}});
  t.items.push_back({":q.", "dotted, with any number of dots", {}, {}});
  return t;
}

reference_topic pitches_topic() {
  reference_topic t{"pitches", "Pitches", {}};
  for (auto [text, what] :
       {std::pair{"c4", "middle C; octaves -1 to 9, letters a to g in either case"},
        {"c#4", "sharp; also cs4 c♯4"},
        {"db4", "flat; also d♭4"},
        {"fx4", "double sharp; also f##4 f𝄪4"},
        {"bbb3", "double flat; also b𝄫3"},
        {"fn4", "natural; the same as f4"},
        {"e+4", "quarter sharp"},
        {"ed4", "quarter flat"},
        {"f#+4", "three-quarter sharp"},
        {"edb4", "three-quarter flat"}})
    t.items.push_back({text, what, {}, {}});
  return t;
}

reference_topic clefs_topic() {
  reference_topic t{"clefs", "Clefs", {}};
  for (auto& row : clef_table()) {
    std::vector<std::string> aliases{row.aliases.begin(), row.aliases.end()};
    std::string what =
        row.value.sign + (row.value.line > 0 ? " on line " + std::to_string(row.value.line) : "");
    if (!aliases.empty()) what += "; also " + joined(aliases, " ");
    t.items.push_back({":" + std::string{row.name}, what, {}, {}});
  }
  return t;
}

reference_topic keys_topic() {
  reference_topic t{"keys", "Keys", {}};
  constexpr std::pair<const char*, const char*> tonics[] = {
      {"major", "cb gb db ab eb bb f c g d a e b f# c#"},
      {"minor", "ab eb bb f c g d a e b f# c# g# d# a#"}};
  for (auto [mode_name, names] : tonics) {
    std::string_view all = names;
    while (!all.empty()) {
      auto name = all.substr(0, all.find(' '));
      all.remove_prefix(std::min(all.size(), name.size() + 1));
      auto key = key_on(*parse_pitch_name(name), *parse_mode(mode_name));
      auto n = key ? key->fifths : 0;
      t.items.push_back({std::string{name} + "-" + mode_name,
                         n == 0 ? "no accidentals"
                                : std::to_string(n < 0 ? -n : n) + (n < 0 ? " flat" : " sharp") +
                                      (n == 1 || n == -1 ? "" : "s"),
                         {},
                         {}});
    }
  }
  for (auto m : {"ionian", "dorian", "phrygian", "lydian", "mixolydian", "aeolian", "locrian"})
    t.items.push_back({std::string{"d-"} + m, "church mode on any tonic", {}, {}});
  return t;
}

reference_topic marks_topic(std::string name, std::string title, mark_group group) {
  reference_topic t{std::move(name), std::move(title), {}};
  for (auto& row : mark_table()) {
    if (row.group != group) continue;
    std::string what{meaning_of(row.kind)};
    if (row.value != mark_value::none)
      what += row.value == mark_value::number ? "; takes a number" : "; takes a text";
    if (!row.aliases.empty()) what += "; also " + std::string{row.aliases};
    t.items.push_back({":" + std::string{row.option}, what, {}, {}});
  }
  return t;
}

reference_topic instruments_topic() {
  reference_topic t{"instruments", "Instruments", {}};
  for (auto& row : instrument_table()) {
    std::string what{row.full_name};
    if (!row.lowest.empty())
      what += ", written " + std::string{row.lowest} + " to " + std::string{row.highest};
    std::vector<std::string> aliases{row.aliases.begin(), row.aliases.end()};
    if (!aliases.empty()) what += "; also " + joined(aliases, " ");
    t.items.push_back({":" + std::string{row.name}, what, {}, {}});
  }
  return t;
}

/// "P1 M3 P5: c e g; also :major-triad".
std::string tones_above_c(const std::vector<interval>& intervals,
                          const std::vector<std::string_view>& others) {
  std::vector<std::string> spelled, tones, also;
  for (auto i : intervals) {
    spelled.push_back(to_string(i));
    tones.push_back(to_string(transposed(pitch_name{}, i)));
  }
  for (auto name : others)
    if (!name.empty()) also.push_back(typed_name(name));
  return joined(spelled, " ") + ": " + joined(tones, " ") +
         (also.empty() ? "" : "; also " + joined(also, " "));
}

reference_topic scales_topic() {
  reference_topic t{"scales", "Scales, with their tones on c", {}};
  for (auto& row : scale_table())
    t.items.push_back({typed_name(row.name), tones_above_c(row.intervals, row.aliases), {}, {}});
  return t;
}

reference_topic chords_topic() {
  reference_topic t{"chords", "Chords, with their tones on c", {}};
  for (auto& row : chord_table()) {
    // The first word is the usual one; symbols as in chord symbols do as well.
    std::vector<std::string_view> names{row.words};
    names.push_back(row.symbol);
    names.insert(names.end(), row.aliases.begin(), row.aliases.end());
    t.items.push_back({typed_name(names.front()),
                       tones_above_c(row.intervals, {names.begin() + 1, names.end()}),
                       {},
                       {}});
  }
  return t;
}

reference_topic choices_topic(std::string name, std::string title, std::string_view form,
                              std::string_view option) {
  reference_topic t{std::move(name), std::move(title), {}};
  add_choices(t, form, option);
  return t;
}

reference_topic dynamics_topic() {
  reference_topic t{"dynamics", "Dynamics and hairpins", {}};
  add_choices(t, "note", "dyn");
  for (auto& row : form_table())
    if (row.category == "dynamic" || row.returns == "dynamics" || row.name == "cresc" ||
        row.name == "dim" || row.name == "hairpin-stop")
      t.items.push_back({"(" + row.name + ")", row.doc, row.example, {}});
  return t;
}

reference_topic errors_topic() {
  reference_topic t{"errors", "Errors", {}};
  for (auto& row : error_table())
    t.items.push_back({std::string{row.name},
                       std::string{row.summary} + " " + std::string{row.explanation},
                       std::string{row.example},
                       {}});
  return t;
}

struct topic_row {
  std::string_view name;
  reference_topic (*make)();
};
const std::vector<topic_row>& fixed_topics() {
  static const std::vector<topic_row> rows{
      {"syntax", syntax_topic},
      {"forms", forms_topic},
      {"durations", durations_topic},
      {"pitches", pitches_topic},
      {"clefs", clefs_topic},
      {"keys", keys_topic},
      {"dynamics", dynamics_topic},
      {"articulations",
       [] { return marks_topic("articulations", "Articulations", mark_group::articulation); }},
      {"ornaments", [] { return marks_topic("ornaments", "Ornaments", mark_group::ornament); }},
      {"technical",
       [] { return marks_topic("technical", "Technical marks", mark_group::technical); }},
      {"notations",
       [] { return marks_topic("notations", "Other marks on notes", mark_group::notation); }},
      {"noteheads", [] { return choices_topic("noteheads", "Noteheads", "note", "notehead"); }},
      {"fermatas", [] { return choices_topic("fermatas", "Fermatas", "note", "fermata"); }},
      {"accidentals",
       [] { return choices_topic("accidentals", "Displayed accidentals", "note", "accidental"); }},
      {"barlines", [] { return choices_topic("barlines", "Barlines", "barline", "style"); }},
      {"instruments", instruments_topic},
      {"scales", scales_topic},
      {"chords", chords_topic},
      {"errors", errors_topic},
  };
  return rows;
}

}  // namespace

std::string example_result(std::string_view example) {
  if (example.empty()) return {};
  evaluation_request request;
  request.text = example;
  request.score = std::make_shared<const score>();
  request.budget.steps = 1'000'000;
  request.rule = commit_rule::notation;
  auto done = evaluate(request);
  if (!done) {
    auto& d = done.error().first();
    return std::string{info(d.code).name} + ": " + d.message;
  }
  if (done->values.empty()) return {};
  return print_within(done->values.back(), longest_result).value_or("...");
}

std::string error_look(const error_info& row) {
  evaluation_request request;
  request.text = row.example;
  request.score = std::make_shared<const score>();
  request.budget.steps = 1'000'000;
  request.rule = commit_rule::notation;
  if (auto done = evaluate(request); !done && done.error().first().code == row.code)
    return render(done.error(), row.example);
  return std::string{row.name} + ": ...\n";
}

std::vector<std::string> reference_topic_names() {
  std::vector<std::string> names;
  for (auto& row : fixed_topics())
    names.emplace_back(row.name);
  for (auto& f : families_in_use())
    if (std::find(names.begin(), names.end(), f.category) == names.end())
      names.emplace_back(f.category);
  return names;
}

std::optional<reference_topic> find_reference_topic(std::string_view name) {
  for (auto& row : fixed_topics())
    if (row.name == name) return row.make();
  for (auto& f : families_in_use())
    if (f.category == name) return topic_of_family(f);
  return std::nullopt;
}

std::string reference_text(const reference_topic& topic) {
  constexpr std::size_t widest = 28;
  std::size_t width = 0;
  for (auto& i : topic.items)
    width = std::max(width, std::min(i.keyword.size(), widest));
  auto text = topic.title + "\n";
  for (auto& i : topic.items) {
    text += "  " + i.keyword;
    if (!i.description.empty())
      text += std::string(i.keyword.size() <= width ? width - i.keyword.size() + 2 : 2, ' ') +
              i.description;
    text += "\n";
    if (!i.example.empty() && !i.result.empty())
      text += std::string(width + 4, ' ') + i.example + "  =>  " + i.result + "\n";
  }
  return text;
}

namespace {

/// The words that a parameter takes; of a long list the first ones, and where to find the rest.
std::string choices_text(const param& p) {
  constexpr std::size_t most = 12, shown = 6;
  if (p.choices.size() <= most) return joined(p.choices, " ");
  std::vector<std::string> first{p.choices.begin(), p.choices.begin() + shown};
  auto topic = p.name + 's';
  auto is_topic = std::any_of(fixed_topics().begin(), fixed_topics().end(),
                              [&](auto& row) { return row.name == topic; });
  return joined(first, " ") + " ... (" + std::to_string(p.choices.size()) +
         (is_topic ? "; `:help " + topic + "` lists them)" : " in all)");
}

/// "  :staccato      short and detached"
std::string param_help(const param& p, std::size_t width) {
  auto text = "  " + std::string{is_named(p) ? ":" : ""} + p.name;
  if (!p.aliases.empty()) text += " (" + joined(p.aliases, ", ") + ")";
  text.resize(std::max(text.size(), width) + 2, ' ');
  text += p.doc;
  if (!p.choices.empty()) text += ": " + choices_text(p);
  if (!p.default_text.empty()) text += " (default " + p.default_text + ")";
  return text;
}

}  // namespace

std::string form_help(const form_spec& form) {
  // The order of the headings; what has none comes first, what only files need comes last.
  constexpr std::string_view headings[] = {"",
                                           "Voice and length",
                                           "Ties, slurs and other lines",
                                           "Articulations",
                                           "Ornaments",
                                           "Playing techniques",
                                           "Dynamics, fermatas, arpeggios",
                                           "Lyrics",
                                           "How it is drawn",
                                           "Kept from MusicXML files"};
  constexpr std::size_t widest = 24, most_without_headings = 30;
  auto is_long = form.params.size() > most_without_headings;
  auto heading = [&](const param& p) {
    return is_long && is_named(p) ? note_option_group(p.name) : std::string_view{};
  };
  std::size_t width = 0;
  for (auto& p : form.params)
    width = std::max(width, std::min(p.name.size() + (is_named(p) ? 3 : 2), widest));
  auto text = usage(form) + "\n" + form.doc;
  for (auto group : headings) {
    auto begins = true;
    for (auto& p : form.params) {
      if (heading(p) != group) continue;
      if (std::exchange(begins, false) && !group.empty()) text += "\n" + std::string{group} + ":";
      text += "\n" + param_help(p, width);
    }
  }
  if (!form.aliases.empty()) text += "\nalso: " + joined(form.aliases, " ");
  return text + "\nexample: " + form.example;
}

namespace {

/// Safe inside a cell of a Markdown table.
std::string cell(std::string_view s) {
  std::string out;
  for (char c : s) {
    if (c == '|')
      out += "\\|";
    else if (c == '\n')
      out += ' ';
    else
      out += c;
  }
  return out;
}

std::string code(std::string_view s) {
  if (s.find('`') != std::string_view::npos) return "`` " + std::string{s} + " ``";
  return "`" + std::string{s} + "`";
}

std::string form_markdown(const form_spec& row) {
  auto text = "### " + row.name + "\n\n" + code(usage(row)) + "\n\n" + row.doc;
  if (!row.returns.empty()) text += " Gives: " + row.returns + ".";
  if (!row.aliases.empty()) text += " Also written " + joined(row.aliases, ", ") + ".";
  text += "\n\n";
  if (!row.params.empty()) {
    text += "| parameter | meaning |\n|---|---|\n";
    for (auto& p : row.params) {
      bool named = p.kind == param_kind::option || p.kind == param_kind::flag;
      text += "| " + cell(code((named ? ":" : "") + p.name));
      for (auto& alias : p.aliases)
        text += " " + cell(code(":" + alias));
      text += " | " + cell(p.doc);
      if (!p.choices.empty()) text += ": " + cell(joined(p.choices, ", "));
      if (!p.default_text.empty()) text += " (default " + cell(p.default_text) + ")";
      text += " |\n";
    }
    text += "\n";
  }
  auto shown = example_result(row.example);
  return text + "```lisp\n" + row.example + "\n" + (shown.empty() ? "" : "; => " + shown + "\n") +
         "```\n\n";
}

}  // namespace

std::string reference_markdown() {
  auto text = std::string{reference_prose};
  for (auto& f : families_in_use()) {
    text += "\n## " + std::string{f.title} + "\n\n";
    for (auto& row : form_table())
      if (row.category == f.category) text += form_markdown(row);
  }
  for (auto& row : fixed_topics()) {
    if (row.name == "syntax" || row.name == "forms") continue;
    if (row.name == "errors") continue;
    auto topic = row.make();
    text += "\n## " + topic.title + "\n\n| keyword | meaning |\n|---|---|\n";
    for (auto& i : topic.items)
      text += "| " + cell(code(i.keyword)) + " | " + cell(i.description) +
              (i.example.empty() ? "" : " Example: " + cell(code(i.example))) + " |\n";
  }
  text +=
      "\n## Errors\n\nEvery error has a code, a message, a position and a suggestion. `:explain "
      "CODE` and\n`fermata show errors` print what is listed here.\n";
  for (auto& row : error_table())
    text += "\n### " + std::string{row.name} + "\n\n" + std::string{row.summary} + " " +
            std::string{row.explanation} + "\n\n```\n> " + as_valid_utf8(row.example) + "\n" +
            error_look(row) + "```\n";
  return text;
}

}  // namespace fermata

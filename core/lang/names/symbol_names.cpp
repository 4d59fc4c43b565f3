#include "core/lang/names/symbol_names.hpp"

#include "core/error.hpp"
#include "core/lang/names/spec.hpp"

#include <algorithm>

namespace fermata {

namespace {

std::string hyphened(std::string_view name) {
  std::string word{name};
  std::replace(word.begin(), word.end(), ' ', '-');
  return word;
}

}  // namespace

const drawn_names& notehead_names() {
  static const drawn_names names{"slash",
                                 "triangle",
                                 "diamond",
                                 "square",
                                 "cross",
                                 "x",
                                 "circle-x",
                                 "circled",
                                 "inverted triangle",
                                 "arrow down",
                                 "arrow up",
                                 "slashed",
                                 "back slashed",
                                 "normal",
                                 "cluster",
                                 "circle dot",
                                 "left triangle",
                                 "rectangle",
                                 "none",
                                 "do",
                                 "re",
                                 "mi",
                                 "fa",
                                 "fa up",
                                 "so",
                                 "la",
                                 "ti",
                                 "other"};
  return names;
}

const drawn_names& accidental_names() {
  static const drawn_names names{"sharp",
                                 "natural",
                                 "flat",
                                 "double-sharp",
                                 "sharp-sharp",
                                 "flat-flat",
                                 "natural-sharp",
                                 "natural-flat",
                                 "quarter-flat",
                                 "quarter-sharp",
                                 "three-quarters-flat",
                                 "three-quarters-sharp",
                                 "sharp-down",
                                 "sharp-up",
                                 "natural-down",
                                 "natural-up",
                                 "flat-down",
                                 "flat-up",
                                 "double-sharp-down",
                                 "double-sharp-up",
                                 "flat-flat-down",
                                 "flat-flat-up",
                                 "arrow-down",
                                 "arrow-up",
                                 "triple-sharp",
                                 "triple-flat",
                                 "slash-quarter-sharp",
                                 "slash-sharp",
                                 "slash-flat",
                                 "double-slash-flat",
                                 "sharp-1",
                                 "sharp-2",
                                 "sharp-3",
                                 "sharp-5",
                                 "flat-1",
                                 "flat-2",
                                 "flat-3",
                                 "flat-4",
                                 "sori",
                                 "koron",
                                 "other"};
  return names;
}

const drawn_names& handbell_names() {
  static const drawn_names names{"belltree",
                                 "damp",
                                 "echo",
                                 "gyro",
                                 "hand martellato",
                                 "mallet lift",
                                 "mallet table",
                                 "martellato",
                                 "martellato lift",
                                 "muted martellato",
                                 "pluck lift",
                                 "swing"};
  return names;
}

const drawn_names& arrow_names() {
  static const drawn_names names{"left",
                                 "up",
                                 "right",
                                 "down",
                                 "northwest",
                                 "northeast",
                                 "southeast",
                                 "southwest",
                                 "left right",
                                 "up down",
                                 "northwest southeast",
                                 "northeast southwest",
                                 "other"};
  return names;
}

const drawn_names& chord_kind_names() {
  static const drawn_names names{"major",
                                 "minor",
                                 "augmented",
                                 "diminished",
                                 "dominant",
                                 "major-seventh",
                                 "minor-seventh",
                                 "diminished-seventh",
                                 "augmented-seventh",
                                 "half-diminished",
                                 "major-minor",
                                 "major-sixth",
                                 "minor-sixth",
                                 "dominant-ninth",
                                 "major-ninth",
                                 "minor-ninth",
                                 "dominant-11th",
                                 "major-11th",
                                 "minor-11th",
                                 "dominant-13th",
                                 "major-13th",
                                 "minor-13th",
                                 "suspended-second",
                                 "suspended-fourth",
                                 "Neapolitan",
                                 "Italian",
                                 "French",
                                 "German",
                                 "pedal",
                                 "power",
                                 "Tristan",
                                 "other",
                                 "none"};
  return names;
}

const drawn_names& degree_type_names() {
  static const drawn_names names{"add", "alter", "subtract"};
  return names;
}

/// MusicXML says of <prefix>: "plus and the accidental values sharp, flat, natural, double-sharp,
/// flat-flat, and sharp-sharp".
const drawn_names& figure_prefix_names() {
  static const drawn_names names{"plus",         "sharp",     "flat",       "natural",
                                 "double-sharp", "flat-flat", "sharp-sharp"};
  return names;
}

/// ... and of <suffix>: these, and "slash, back-slash and vertical".
const drawn_names& figure_suffix_names() {
  static const drawn_names names = [] {
    auto all = figure_prefix_names();
    all.insert(all.end(), {"slash", "back-slash", "vertical"});
    return all;
  }();
  return names;
}

std::optional<std::string> drawn_text(const value& v, const drawn_names& names) {
  if (auto s = v.as_string()) return *s;
  auto word = text_of(v).value_or("");
  for (auto name : names)
    if (word == name || word == hyphened(name)) return std::string{name};
  return std::nullopt;
}

value drawn_value(std::string_view text, const drawn_names& names) {
  auto known = std::find(names.begin(), names.end(), text) != names.end();
  return known ? value::kw(hyphened(text)) : value::string(std::string{text});
}

value named_value(std::string_view text, const drawn_names& names) {
  auto known = std::find(names.begin(), names.end(), text) != names.end();
  return known ? value::kw(std::string{text}) : value::string(std::string{text});
}

std::vector<std::string> drawn_words(const drawn_names& names) {
  std::vector<std::string> words;
  for (auto name : names)
    words.push_back(hyphened(name));
  return words;
}

std::string no_such_name(const value& v, const drawn_names& names, std::string_view what) {
  auto word = text_of(v).value_or(print(v));
  auto words = drawn_words(names);
  return "`" + word + "` is not a valid " + std::string{what} +
         meant(word, drawn_names{words.begin(), words.end()});
}

std::string meant(std::string_view word, const drawn_names& known) {
  auto near = nearest(word, known);
  return near ? "; did you mean `" + *near + "`?" : std::string{};
}

}  // namespace fermata

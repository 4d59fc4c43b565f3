#include "core/lang/names/completion_words.hpp"

#include "core/lang/syntax/reader.hpp"
#include "core/lang/value/literals.hpp"
#include "core/music/clef.hpp"
#include "core/music/instruments.hpp"
#include "core/music/key.hpp"
#include "core/theory/cadence.hpp"
#include "core/theory/chord_type.hpp"
#include "core/theory/key_profiles.hpp"
#include "core/theory/scale.hpp"
#include "core/theory/twelve_tone_row.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// As one types it: "harmonic minor" is `harmonic-minor`.
std::string as_word(std::string_view name) {
  std::string word{name};
  std::replace(word.begin(), word.end(), ' ', '-');
  return word;
}

/// The names and other names of all rows of a table. What has an apostrophe, as Messiaen's modes,
/// is written in quotes and no word.
template <class Table>
completion_words names_in(const Table& table) {
  completion_words words;
  auto add = [&](std::string_view name) {
    if (name.find('\'') == name.npos) words.push_back(as_word(name));
  };
  for (auto& row : table) {
    add(row.name);
    for (auto alias : row.aliases)
      add(alias);
  }
  return words;
}

completion_words copied(const std::vector<std::string_view>& names) {
  return {names.begin(), names.end()};
}

}  // namespace

std::string typed_name(std::string_view name) {
  auto word = ":" + as_word(name);
  auto r = read(word);
  auto is_keyword = r.complete() && r.forms.size() == 1 && r.forms[0].datum.as_keyword() &&
                    print(r.forms[0].datum) == word;
  return is_keyword ? word : print(value::string(std::string{name}));
}

completion_words clef_words(std::string_view) { return names_in(clef_table()); }

completion_words instrument_words(std::string_view) { return names_in(instrument_table()); }

completion_words mode_words(std::string_view) { return copied(mode_names()); }

completion_words key_words(std::string_view typed) {
  if (typed.empty() || typed.front() == ':') return mode_words(typed);
  completion_words words;
  for (char letter : std::string_view{"cdefgab"})
    for (auto sign : {"", "#", "b"})
      for (auto mode : mode_names()) {
        auto name = letter + std::string{sign} + '-' + std::string{mode};
        if (parse_key(name)) words.push_back(std::move(name));
      }
  return words;
}

completion_words time_words(std::string_view) { return copied(time_word_names()); }

completion_words scale_words(std::string_view) { return names_in(scale_table()); }

completion_words chord_words(std::string_view) {
  completion_words words;
  for (auto& row : chord_table())
    for (auto word : row.words)
      words.push_back(as_word(word));
  return words;
}

completion_words row_form_words(std::string_view) {
  completion_words words;
  for (auto form : all_row_forms())
    words.push_back(to_string(form));
  return words;
}

completion_words cadence_words(std::string_view) { return copied(cadence_names()); }

completion_words key_profile_words(std::string_view) { return copied(key_profile_names()); }

}  // namespace fermata

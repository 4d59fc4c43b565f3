#include "core/lang/evaluation/bind.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/lang/evaluation/sequence.hpp"
#include "core/lang/value/literals.hpp"
#include "core/lang/value/number.hpp"
#include "core/music/note_value_names.hpp"
#include "core/music/pitch.hpp"
#include "core/theory/roman_numeral.hpp"

#include <algorithm>

namespace fermata {

namespace {

constexpr std::size_t longest_quoted = 40;

std::string lower(std::string_view s) {
  std::string out{s};
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::optional<value> word_among(const value& v, const std::vector<std::string>& choices) {
  auto word = word_of(v);
  // Numbers may be among the choices too: (ending 1).
  std::string number;
  if (word == nullptr && v.as_number()) {
    number = print(v);
    word = &number;
  }
  if (word == nullptr) return std::nullopt;
  if (choices.empty()) return v;
  auto same = std::find(choices.begin(), choices.end(), *word);
  if (same != choices.end()) return v;
  auto folded = lower(*word);
  for (auto& choice : choices)
    if (lower(choice) == folded) return value::kw(choice);
  return std::nullopt;
}

bool is_music_kind(const value& v, std::string_view kind) {
  return v.as_music() && type_name(v) == kind;
}

}  // namespace

bool takes_word(arg_type t) {
  switch (t) {
    case arg_type::symbol:
    case arg_type::word:
    case arg_type::named:
    case arg_type::duration:
    case arg_type::interval:
    case arg_type::key:
    case arg_type::ratio:
    case arg_type::time:
    case arg_type::text:
    case arg_type::spec:
    case arg_type::xml: return true;
    default: return false;
  }
}
bool takes_literal_list(arg_type t) {
  return t == arg_type::ratio || t == arg_type::time || t == arg_type::spec || t == arg_type::xml;
}

const std::string* word_of(const value& v) {
  if (auto k = v.as_keyword()) return k;
  if (auto s = v.as_symbol()) return s;
  return v.as_string();
}

std::optional<value> converted(const argument& a, const param& p) {
  // A word that names a form, or nothing, is itself where words are wanted.
  bool literal = takes_word(p.type) && (a.form == argument_form::form_word ||
                                        (a.form == argument_form::word && !a.bound));
  if (a.form == argument_form::literal_list) {
    bool good = p.type == arg_type::spec || p.type == arg_type::xml ||
                (p.type == arg_type::time && parse_time(a.datum)) ||
                (p.type == arg_type::ratio && parse_ratio(a.datum)) ||
                (p.type == arg_type::list && is_rhythm(a.datum));
    return good ? std::optional{a.datum} : std::nullopt;
  }
  if (is_unknown(a) && !literal) return std::nullopt;
  const auto& v = literal ? a.datum : a.v;
  auto only_if = [&v](bool yes) { return yes ? std::optional{v} : std::nullopt; };
  switch (p.type) {
    case arg_type::any:
    case arg_type::spec:
    case arg_type::xml: return v;
    case arg_type::boolean: return only_if(v.get_if<bool>());
    case arg_type::number: return only_if(is_number(v));
    case arg_type::integer: return only_if(v.as_number() && v.as_number()->is_integer());
    case arg_type::string: return only_if(v.as_string());
    case arg_type::list: {
      if (v.as_list()) return v;
      auto items = items_of(v);
      return items ? std::optional{value::list(std::move(*items))} : std::nullopt;
    }
    case arg_type::function: {
      auto c = v.get_if<callable_ptr>();
      return only_if(c != nullptr && (*c)->what != callable::kind::macro);
    }
    case arg_type::music: return only_if(v.as_music());
    case arg_type::contents:
      return only_if(v.as_music() || v.as_pitch() || v.as_list() || v.is_nil());
    case arg_type::symbol: return only_if(v.as_symbol());
    case arg_type::keyword: return only_if(v.as_keyword());
    case arg_type::word: return word_among(v, p.choices);
    case arg_type::named: return v.as_string() ? std::optional{v} : word_among(v, p.choices);
    case arg_type::pitch: return only_if(v.as_pitch());
    case arg_type::pitches: return only_if(v.as_pitch() || v.as_list() || v.as_music());
    case arg_type::duration: {
      if (v.get_if<note_value>()) return v;
      auto word = v.as_string() ? nullptr : word_of(v);
      return only_if(word != nullptr && parse_note_value(*word));
    }
    case arg_type::interval: {
      if (v.get_if<interval>()) return v;
      // Where an interval is wanted, A4 and d5 are the augmented fourth and the diminished fifth.
      if (auto written = v.as_pitch(); written != nullptr && a.form == argument_form::pitch &&
                                       written->cents == 0 &&
                                       (written->letter == step::a || written->letter == step::d)) {
        auto letter = written->letter == step::a ? "A" : "d";
        auto i = parse_interval(letter + std::to_string(written->octave), true);
        return i ? std::optional{value::of(*i)} : std::nullopt;
      }
      auto word = v.as_keyword() ? nullptr : word_of(v);
      auto i = word != nullptr ? parse_interval(*word, true) : std::nullopt;
      return i ? std::optional{value::of(*i)} : std::nullopt;
    }
    case arg_type::key: {
      if (is_music_kind(v, "key")) return v;
      if (auto n = v.as_number())
        return only_if(n->is_integer() && n->numerator() >= -7 && n->numerator() <= 7);
      auto word = word_of(v);
      return only_if(word != nullptr && parse_key(*word));
    }
    case arg_type::ratio: return only_if(parse_ratio(v).has_value());
    case arg_type::time: return only_if(is_music_kind(v, "time") || parse_time(v));
    case arg_type::selector: return v;
    case arg_type::text:
      return only_if(word_of(v) != nullptr || v.as_number() || v.as_pitch() || v.get_if<double>());
  }
  return std::nullopt;
}

bool looks_like_interval(std::string_view name) {
  if (name.starts_with('-')) name.remove_prefix(1);
  for (std::string_view quality : {"P", "m", "M", "A", "d", "aug", "dim"})
    if (name.starts_with(quality) && name.size() > quality.size())
      return name.find_first_not_of("0123456789", quality.size()) == std::string_view::npos;
  return false;
}

std::string describe(const param& p) {
  switch (p.type) {
    case arg_type::any:
    case arg_type::spec: return "a value";
    case arg_type::xml: return "MusicXML attributes and elements";
    case arg_type::boolean: return "true or false";
    case arg_type::number: return "a number";
    case arg_type::integer: return "a whole number";
    case arg_type::string: return "a string";
    case arg_type::list: return "a list";
    case arg_type::function: return "a function";
    case arg_type::music:
    case arg_type::contents: return "music";
    case arg_type::symbol: return "a name";
    case arg_type::keyword: return "a keyword";
    case arg_type::word:
    case arg_type::named: {
      if (p.choices.empty()) return "a word";
      std::string s = p.choices.size() > 1 ? "one of" : "the word";
      for (std::size_t i = 0; i < p.choices.size(); ++i) {
        if (i == 12) {
          s += " ...";
          break;
        }
        auto number = p.choices[i].front() >= '0' && p.choices[i].front() <= '9';
        s += (number ? " " : " :") + p.choices[i];
      }
      return p.type == arg_type::named ? s + ", or quoted text" : s;
    }
    case arg_type::pitch: return "a pitch such as c4";
    case arg_type::pitches: return "pitches: a pitch, a list of pitches, or music";
    case arg_type::duration: return "a duration such as :q";
    case arg_type::interval: return "an interval such as M3";
    case arg_type::key: return "a key such as c-major";
    case arg_type::ratio: return "a ratio such as 3:2";
    case arg_type::time: return "a time signature such as (4 4)";
    case arg_type::selector: return "a selector";
    case arg_type::text: return "a text";
  }
  return "a value";
}

std::string describe(const value& v) {
  if (v.is_nil()) return "nil";
  if (v.get_if<callable_ptr>()) return "the " + std::string{type_name(v)} + " " + print(v);
  auto kind = std::string{type_name(v)};
  auto shown = v.as_music() ? std::optional<std::string>{} : print_within(v, longest_quoted);
  if (v.as_list() && v.as_list()->items.empty()) return "the empty list";
  return shown ? "the " + kind + " " + *shown : describe_kind(v);
}

std::string describe_kind(const value& v) {
  std::string kind{type_name(v)};
  for (auto alone : {"nil", "attributes", "lyrics"})
    if (kind == alone) return kind;
  return (std::string_view{"aeiou"}.find(kind.front()) == std::string_view::npos ? "a " : "an ") +
         kind;
}

}  // namespace fermata

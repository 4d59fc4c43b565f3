#include "core/lang/bind.hpp"

#include "core/lang/evaluation_state.hpp"
#include "core/lang/literals.hpp"
#include "core/lang/music/zip_rhythm.hpp"
#include "core/lang/number.hpp"
#include "core/lang/sequence.hpp"
#include "core/lang/theory/arguments.hpp"
#include "core/music/pitch.hpp"
#include "core/theory/roman_numeral.hpp"

#include <algorithm>

namespace fermata {

namespace {

constexpr std::size_t longest_quoted = 40;

bool takes_word(arg_type t) {
  switch (t) {
    case arg_type::symbol:
    case arg_type::word:
    case arg_type::duration:
    case arg_type::interval:
    case arg_type::key:
    case arg_type::ratio:
    case arg_type::time:
    case arg_type::text:
    case arg_type::spec: return true;
    default: return false;
  }
}
bool takes_literal_list(arg_type t) {
  return t == arg_type::ratio || t == arg_type::time || t == arg_type::spec;
}

std::string lower(std::string_view s) {
  std::string out{s};
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// A keyword, symbol or string as a word.
const std::string* word_of(const value& v) {
  if (auto k = v.as_keyword()) return k;
  if (auto s = v.as_symbol()) return s;
  return v.as_string();
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

/// A word that stands for no value.
bool is_unknown(const argument& a) { return !a.bound && a.v.is_nil(); }

bool is_music_kind(const value& v, std::string_view kind) {
  return v.as_music() && type_name(v) == kind;
}

}  // namespace

std::optional<value> converted(const argument& a, const param& p) {
  // A word that names a form, or nothing, is itself where words are wanted.
  bool literal = takes_word(p.type) && (a.form == argument_form::form_word ||
                                        (a.form == argument_form::word && !a.bound));
  if (a.form == argument_form::literal_list) {
    bool good = p.type == arg_type::spec || (p.type == arg_type::time && parse_time(a.datum)) ||
                (p.type == arg_type::ratio && parse_ratio(a.datum)) ||
                (p.type == arg_type::list && is_rhythm(a.datum));
    return good ? std::optional{a.datum} : std::nullopt;
  }
  if (is_unknown(a) && !literal) return std::nullopt;
  const auto& v = literal ? a.datum : a.v;
  auto only_if = [&v](bool yes) { return yes ? std::optional{v} : std::nullopt; };
  switch (p.type) {
    case arg_type::any:
    case arg_type::spec: return v;
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
    case arg_type::word: {
      if (p.choices.empty()) return "a word";
      std::string s = p.choices.size() > 1 ? "one of" : "the word";
      for (std::size_t i = 0; i < p.choices.size(); ++i) {
        if (i == 12) {
          s += " ...";
          break;
        }
        s += " :" + p.choices[i];
      }
      return s;
    }
    case arg_type::pitch: return "a pitch such as c4";
    case arg_type::pitches: return "pitches: a pitch, a list of pitches, or music";
    case arg_type::duration: return "a duration such as :q";
    case arg_type::interval: return "an interval such as M3";
    case arg_type::key: return "a key such as c-major";
    case arg_type::ratio: return "a ratio such as 3:2";
    case arg_type::time: return "a metre such as (4 4)";
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
  return shown ? "the " + kind + " " + *shown : "a " + kind;
}

namespace {

class binder {
public:
  binder(call& c, std::span<argument> args)
    : call_(c), spec_(c.spec()), args_(args), positional_(spec_.facts.positional) {}

  result<void> run() {
    for (std::size_t i = 0; i < args_.size() && faults_.diagnostics.size() < 10;)
      i = take(i);
    if (faults_.diagnostics.empty())
      for (auto p : positional_)
        if (auto& param = spec_.params[p]; param.kind == param_kind::required && !call_.has(p))
          report(errc::wrong_argument_count, upper(param.name) + " is missing: " + describe(param),
                 call_.span());
    if (!faults_.diagnostics.empty()) return fail(std::move(faults_));
    return {};
  }

private:
  void report(errc code, std::string message, source_span at, std::string hint = {}) {
    auto line = "usage: " + usage(spec_);
    faults_.diagnostics.push_back({code, spec_.name + ": " + std::move(message), at,
                                   hint.empty() ? line : hint + "\n" + line});
  }

  static std::string upper(std::string_view s) {
    std::string out{s};
    for (char& c : out)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return out;
  }

  std::optional<std::size_t> named(const value& v) const {
    auto k = v.as_keyword();
    return k != nullptr ? find_option(spec_, *k) : std::nullopt;
  }

  /// Binds argument `i`; the index of the next one.
  std::size_t take(std::size_t i) {
    auto& a = args_[i];
    if (auto p = named(a.v)) {
      auto& param = spec_.params[*p];
      if (!param.repeats && call_.has(*p)) {
        report(errc::unknown_keyword, ":" + param.name + " is given twice", a.span);
        return i + (param.kind == param_kind::option ? 2 : 1);
      }
      if (param.kind == param_kind::flag) {
        call_.set(*p, value::of(true), a.span);
        return i + 1;
      }
      return take_option(*p, i);
    }
    take_positional(a);
    return i + 1;
  }

  std::size_t take_option(std::size_t p, std::size_t i) {
    auto& param = spec_.params[p];
    bool may_stand_alone = param.type == arg_type::word && !param.default_text.empty();
    auto next = i + 1 < args_.size() ? &args_[i + 1] : nullptr;
    if (next != nullptr) {
      if (auto v = converted(*next, param)) {
        // `:voice :staff 2`: the value is missing, although a keyword could be one.
        if (!(named(next->v) && param.choices.empty())) {
          call_.set(p, std::move(*v), next->span);
          return i + 2;
        }
        next = nullptr;
      }
    }
    if (may_stand_alone) {
      call_.set(p, value::kw(param.default_text), args_[i].span);
      return i + 1;
    }
    if (next == nullptr || named(next->v)) {
      report(errc::wrong_argument_count,
             ":" + param.name + " has no value: it needs " + describe(param), args_[i].span);
      return i + 1;
    }
    mismatch(*next, param, ":" + param.name);
    return i + 2;
  }

  void take_positional(argument& a) {
    const param* expected = nullptr;
    for (auto at = next_; at < positional_.size(); ++at) {
      auto p = positional_[at];
      auto& param = spec_.params[p];
      if (auto v = converted(a, param)) {
        if (param.kind == param_kind::rest) {
          call_.add_rest(std::move(*v), a.span);
          if (!call_.has(p)) call_.set(p, value{}, a.span);
          next_ = at;
        } else {
          call_.set(p, std::move(*v), a.span);
          next_ = at + 1;
        }
        return;
      }
      if (expected == nullptr) expected = &param;
      if (param.kind != param_kind::optional) break;
    }
    if (a.v.as_keyword() && a.form != argument_form::word &&
        (expected == nullptr || !wants_keyword(*expected) || near_option(*a.v.as_keyword()))) {
      unknown_keyword(a, expected);
      return;
    }
    if (expected == nullptr) {
      std::size_t most = positional_.size();
      if (!too_many_)
        report(errc::wrong_argument_count,
               most == 0 ? "no argument is taken here, but " + describe_argument(a) + " came"
                         : "at most " + std::to_string(most) +
                               (most == 1 ? " argument is" : " arguments are") + " taken, but " +
                               describe_argument(a) + " came too",
               a.span, elsewhere(a));
      too_many_ = true;
      return;
    }
    mismatch(a, *expected, upper(expected->name));
    // The argument counts as given, so that the next ones are not measured by the wrong parameter.
    while (next_ < positional_.size() && &spec_.params[positional_[next_]] != expected)
      ++next_;
    if (expected->kind != param_kind::rest) ++next_;
  }

  /// A letter, something, and a number at the end: h4, c&5.
  static bool is_like_a_pitch(std::string_view name) {
    return name.size() > 1 && name.size() < 8 && name.back() >= '0' && name.back() <= '9' &&
           ((name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z'));
  }

  /// What keeps a word that is like a pitch from being one.
  static std::string fault_of_pitch(std::string_view name) {
    auto letter = name[0] | 0x20;
    if (letter == 'h') return "the note that Germans call h is b, and their b is bb";
    if (letter < 'a' || letter > 'g') return "a pitch begins with a letter from a to g";
    auto octave = name.find_first_of("-0123456789", 1);
    auto signs = name.substr(1, octave - 1);
    auto number = name.substr(octave);
    if (number.find_first_of("0123456789") != std::string_view::npos &&
        parse_pitch(std::string{static_cast<char>(letter)} + std::string{signs} + "4"))
      return "octaves go from -1 to 9; middle c is c4";
    return "accidentals are # x b bb n, quarter tones + d #+ db";
  }

  std::vector<std::string_view> option_names() const {
    std::vector<std::string_view> names;
    for (auto& p : spec_.params)
      if (is_named(p)) {
        names.push_back(p.name);
        names.insert(names.end(), p.aliases.begin(), p.aliases.end());
      }
    return names;
  }
  std::optional<std::string> near_option(const std::string& name) const {
    return nearest(name, option_names());
  }

  static bool wants_keyword(const param& p) {
    return p.type == arg_type::word || p.type == arg_type::duration ||
           p.type == arg_type::keyword || p.type == arg_type::spec;
  }

  std::string describe_argument(const argument& a) const {
    if (a.form == argument_form::word || a.form == argument_form::literal_list)
      return "`" + print(a.datum) + "`";
    return describe(a.v);
  }

  void mismatch(const argument& a, const param& p, const std::string& where) {
    if (a.form == argument_form::literal_list && !takes_literal_list(p.type)) {
      report(errc::not_callable, describe(a.datum.as_list()->items.front()) + " cannot be called",
             a.span, "for a list of values write (list ...) or [...]");
      return;
    }
    if (is_unknown(a) && !takes_word(p.type)) {
      auto& name = *a.datum.as_symbol();
      if (a.form == argument_form::form_word) {
        report(errc::wrong_type, "`" + name + "` is a special form and no value", a.span);
        return;
      }
      if (p.type == arg_type::pitch && is_like_a_pitch(name)) {
        report(errc::invalid_pitch, where + " needs " + describe(p) + ", not `" + name + "`",
               a.span, fault_of_pitch(name));
        return;
      }
      if (looks_like_interval(name)) {
        faults_.diagnostics.push_back({errc::invalid_interval, "`" + name + "` is no interval",
                                       a.span, std::string{which_intervals}});
        return;
      }
      auto near = call_.state().suggestion(name);
      faults_.diagnostics.push_back(
          {errc::unknown_name, "`" + name + "` is not defined", a.span,
           near ? "did you mean `" + *near + "`?" : "define it first: (def " + name + " ...)"});
      return;
    }
    auto hint = elsewhere(a);
    if (auto text = a.v.as_string(); hint.empty() && p.type == arg_type::contents && text)
      if (auto numerals = parse_roman_numerals(*text); numerals && !numerals->empty())
        hint = numerals_as_chords;
    if (hint.empty() && p.type == arg_type::word && !p.choices.empty()) {
      auto& v = a.form == argument_form::word && !a.bound ? a.datum : a.v;
      if (auto word = word_of(v)) {
        std::vector<std::string_view> choices{p.choices.begin(), p.choices.end()};
        if (auto near = nearest(*word, choices)) hint = "did you mean :" + *near + "?";
      }
    }
    report(error_for(p.type), where + " needs " + describe(p) + ", not " + describe_argument(a),
           a.span, std::move(hint));
  }

  /// Notation has its own codes, which `:explain` tells more about.
  static errc error_for(arg_type t) {
    switch (t) {
      case arg_type::pitch: return errc::invalid_pitch;
      case arg_type::duration: return errc::invalid_duration;
      case arg_type::interval: return errc::invalid_interval;
      case arg_type::key: return errc::invalid_key;
      case arg_type::ratio: return errc::invalid_tuplet;
      case arg_type::time: return errc::invalid_time;
      default: return errc::wrong_type;
    }
  }

  void unknown_keyword(const argument& a, const param* expected) {
    auto& name = *a.v.as_keyword();
    auto known = option_names();
    if (expected != nullptr)
      known.insert(known.end(), expected->choices.begin(), expected->choices.end());
    auto near = nearest(name, known);
    auto code = errc::unknown_keyword;
    std::string message = "there is no option :" + name;
    if (expected != nullptr && expected->kind == param_kind::required)
      message += ", and " + upper(expected->name) + " needs " + describe(*expected);
    auto instead = elsewhere(a);
    report(code, std::move(message), a.span,
           !instead.empty() ? instead
           : near           ? "did you mean :" + *near + "?"
                            : "");
  }

  /// The spelling that an argument belongs to which is none of this form.
  std::string elsewhere(const argument& a) const {
    auto written = print(a.form == argument_form::word && !a.bound ? a.datum : a.v);
    for (auto& x : spec_.elsewhere)
      if (x.written == written) return x.hint;
    return {};
  }

  call& call_;
  const form_spec& spec_;
  std::span<argument> args_;
  const std::vector<std::size_t>& positional_;
  std::size_t next_ = 0;  ///< of positional_
  bool too_many_ = false;
  error faults_;
};

}  // namespace

result<void> bind_arguments(call& c, std::span<argument> args) { return binder{c, args}.run(); }

}  // namespace fermata

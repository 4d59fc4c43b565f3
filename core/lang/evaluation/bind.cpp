#include "core/lang/evaluation/bind.hpp"

#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/lang/evaluation/sequence.hpp"
#include "core/lang/names/xml_text.hpp"
#include "core/lang/value/letter_case.hpp"
#include "core/lang/value/literals.hpp"
#include "core/lang/value/number.hpp"
#include "core/music/note_value_names.hpp"
#include "core/music/pitch.hpp"
#include "core/theory/roman_numeral.hpp"

#include <algorithm>

namespace fermata {

namespace {

std::vector<std::string_view> option_names(const form_spec& spec) {
  std::vector<std::string_view> names;
  for (auto& p : spec.params)
    if (is_named(p)) {
      names.push_back(p.name);
      names.insert(names.end(), p.aliases.begin(), p.aliases.end());
    }
  return names;
}

std::string usage_line(const form_spec& spec) { return "usage: " + usage(spec); }

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
    if (faults_.diagnostics.empty()) refuse_twice_said();
    if (!faults_.diagnostics.empty()) return fail(std::move(faults_));
    return {};
  }

private:
  /// `(p :above :below)`: the second would silently take the place of the first.
  void refuse_twice_said() {
    const auto& given = call_.in_order();
    auto name_of = [](const param& p) { return (is_named(p) ? ":" : "") + p.name; };
    for (std::size_t i = 0; i < given.size(); ++i) {
      const auto& p = spec_.params[given[i].param];
      if (p.thing.empty()) continue;
      for (std::size_t other = 0; other < spec_.params.size(); ++other) {
        const auto& q = spec_.params[other];
        // Of two named ones the later is at fault; of a named and a positional one the named.
        auto before =
            is_named(q) ? std::any_of(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(i),
                                      [&](const auto& x) { return x.param == other; })
                        : call_.has(other);
        if (other == given[i].param || q.thing != p.thing || !before) continue;
        report(errc::wrong_argument_count,
               name_of(q) + " and " + name_of(p) + " both give the " + p.thing + "; use only one",
               given[i].span);
        return;
      }
    }
  }

  void report(errc code, std::string message, source_span at, std::string hint = {}) {
    auto line = usage_line(spec_);
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
        if (i + 1 < args_.size() && !named(args_[i + 1].v)) after_flag_ = {&args_[i + 1], &param};
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
          auto fault = param.type == arg_type::xml ? fault_of_xml(*v) : std::string{};
          if (!fault.empty())
            report(errc::invalid_xml, ":" + param.name + ": " + fault, next->span);
          call_.set(p, std::move(*v), next->span);
          return i + 2;
        }
        next = nullptr;
      }
    }
    if (may_stand_alone) {
      if (next != nullptr && !fits_a_position(*next) && !is_another_option(*next, param)) {
        mismatch(*next, param, ":" + param.name);
        return i + 2;
      }
      call_.set(p, value::kw(param.default_text), args_[i].span);
      return i + 1;
    }
    if (next == nullptr || named(next->v)) {
      report(errc::wrong_argument_count, ":" + param.name + " needs a value: " + describe(param),
             args_[i].span);
      return i + 1;
    }
    mismatch(*next, param, ":" + param.name);
    return i + 2;
  }

  /// Whether what stands behind an option is rather another one, misspelt. It is no word of `p`.
  bool is_another_option(const argument& a, const param& p) const {
    auto k = a.v.as_keyword();
    if (k == nullptr || a.form == argument_form::word) return false;
    return named(a.v) || (!near_choice(a, p) && near_option(*k));
  }

  bool fits_a_position(const argument& a) const {
    return std::any_of(positional_.begin() + static_cast<std::ptrdiff_t>(next_), positional_.end(),
                       [&](std::size_t p) { return converted(a, spec_.params[p]).has_value(); });
  }

  /// The choice of `p` that a misspelt word is near to.
  static std::optional<std::string> near_choice(const argument& a, const param& p) {
    auto& v = a.form == argument_form::word && !a.bound ? a.datum : a.v;
    auto word = word_of(v);
    if (word == nullptr) return std::nullopt;
    if (p.type == arg_type::duration) return nearest(*word, note_value_names());
    return nearest(*word, {p.choices.begin(), p.choices.end()});
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
      // A word that is nothing would be music, say, rather than the interval that may be left out.
      auto rather = expected != nullptr && is_unknown(a) && takes_word(expected->type) &&
                    !takes_word(param.type);
      if (expected == nullptr || rather) expected = &param;
      if (param.kind != param_kind::optional) break;
    }
    if (auto given = expected == nullptr ? given_duration(a) : nullptr) {
      report(errc::wrong_argument_count,
             "there is already a duration, " + print(*given) + "; " + describe_argument(a) +
                 " is one too many",
             a.span);
      return;
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
               after_flag_.first == &a ? ":" + after_flag_.second->name +
                                             " takes no value; unexpected " + describe_argument(a)
               : most == 0 ? "takes no arguments; unexpected " + describe_argument(a)
                           : "takes at most " + std::to_string(most) +
                                 (most == 1 ? " argument" : " arguments") + "; unexpected " +
                                 describe_argument(a),
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

  /// The duration that was given, where `a` is one more.
  const value* given_duration(const argument& a) const {
    for (auto p : positional_)
      if (auto& param = spec_.params[p];
          param.type == arg_type::duration && call_.has(p) && converted(a, param))
        return &call_.get(param.name);
    return nullptr;
  }

  /// A letter, something, and a number at the end: h4, c&5.
  static bool is_like_a_pitch(std::string_view name) {
    return name.size() > 1 && name.size() < 8 && name.back() >= '0' && name.back() <= '9' &&
           ((name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z'));
  }

  /// The pitch that Germans, Dutch and Scandinavians call by a syllable: fis4 is f#4, bes4 is bb4.
  static std::optional<std::string> pitch_in_syllables(std::string_view name) {
    auto octave = name.find_first_of("-0123456789", 1);
    if (octave == std::string_view::npos) return std::nullopt;
    auto syllables = in_small_letters(name.substr(0, octave));
    auto letter = syllables.front();
    if (letter < 'a' || letter > 'g') return std::nullopt;
    std::string_view ending{syllables};
    ending.remove_prefix(1);
    // After a vowel the e of "es" may fall out. "as" and "es" alone are a and e with s for sharp.
    auto vowel = letter == 'a' || letter == 'e';
    auto sign = ending == "is"                                   ? "#"
                : ending == "isis"                               ? "x"
                : ending == "es"                                 ? "b"
                : ending == "eses" || (vowel && ending == "ses") ? "bb"
                                                                 : "";
    if (*sign == 0) return std::nullopt;
    auto written = letter + std::string{sign} + std::string{name.substr(octave)};
    return parse_pitch(written) ? std::optional{written} : std::nullopt;
  }

  /// What keeps a word that is like a pitch from being one.
  static std::string fault_of_pitch(std::string_view name) {
    if (auto meant = pitch_in_syllables(name))
      return "the note called " +
             std::string{name.substr(0, name.find_first_of("-0123456789", 1))} +
             " in other languages is written " + *meant;
    auto letter = name[0] | 0x20;
    if (letter == 'h') return "the German note h is written b here, and German b is bb";
    if (letter < 'a' || letter > 'g') return "a pitch starts with a letter from a to g";
    auto octave = name.find_first_of("-0123456789", 1);
    auto signs = name.substr(1, octave - 1);
    auto number = name.substr(octave);
    if (number.find_first_of("0123456789") != std::string_view::npos &&
        parse_pitch(std::string{static_cast<char>(letter)} + std::string{signs} + "4"))
      return "octaves range from -1 to 9; middle C is c4";
    return "accidentals are # x b bb n, and + d #+ db for quarter tones";
  }

  std::optional<std::string> near_option(const std::string& name) const {
    return nearest(name, option_names(spec_));
  }

  static bool wants_keyword(const param& p) {
    return p.type == arg_type::word || p.type == arg_type::duration ||
           p.type == arg_type::keyword || p.type == arg_type::named || p.type == arg_type::spec ||
           p.type == arg_type::xml;
  }

  std::string describe_argument(const argument& a) const {
    if (a.form == argument_form::word || a.form == argument_form::literal_list)
      return "`" + print(a.datum) + "`";
    return describe(a.v);
  }

  void mismatch(const argument& a, const param& p, const std::string& where) {
    if (a.form == argument_form::literal_list && !takes_literal_list(p.type)) {
      report(errc::not_callable, describe(a.datum.as_list()->items.front()) + " cannot be called",
             a.span, "to write a list of values, use (list ...) or [...]");
      return;
    }
    if (is_unknown(a) && !takes_word(p.type)) {
      auto& name = *a.datum.as_symbol();
      if (a.form == argument_form::form_word) {
        report(errc::wrong_type, "`" + name + "` is a special form, not a value", a.span);
        return;
      }
      if (p.type == arg_type::pitch && is_like_a_pitch(name)) {
        report(errc::invalid_pitch, where + " needs " + describe(p) + ", not `" + name + "`",
               a.span, fault_of_pitch(name));
        return;
      }
      if (auto tone = p.type == arg_type::pitch ? parse_pitch_name(name) : std::nullopt) {
        report(errc::invalid_pitch, where + " needs " + describe(p) + ", not `" + name + "`",
               a.span, "a pitch needs its octave: " + to_string(*tone) + "4");
        return;
      }
      if (looks_like_interval(name)) {
        faults_.diagnostics.push_back({errc::invalid_interval, "`" + name + "` is not an interval",
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
    if (hint.empty() && (p.type == arg_type::duration || p.type == arg_type::named ||
                         (p.type == arg_type::word && !p.choices.empty())))
      if (auto near = near_choice(a, p)) hint = "did you mean :" + *near + "?";
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
    auto known = option_names(spec_);
    if (expected != nullptr)
      known.insert(known.end(), expected->choices.begin(), expected->choices.end());
    auto near = nearest(name, known);
    auto code = errc::unknown_keyword;
    std::string message = "unknown option :" + name;
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
  std::pair<const argument*, const param*> after_flag_{};  ///< what stands behind a flag
  error faults_;
};

}  // namespace

result<void> bind_arguments(call& c, std::span<argument> args) { return binder{c, args}.run(); }

void name_misspelt(const call& c, std::span<const argument> args, error& refusal) {
  auto& faults = refusal.diagnostics;
  auto has_advice = [](const diagnostic& d) {
    return (d.message + d.hint).find("did you mean") != std::string::npos;
  };
  if (std::any_of(faults.begin(), faults.end(), has_advice)) return;
  for (const auto& a : args) {
    auto is_refused = std::find_if(faults.begin(), faults.end(), [&](const diagnostic& d) {
      return d.span == std::optional{a.span};
    });
    if (a.form == argument_form::word && !a.bound && is_refused != faults.end()) {
      const auto& name = *a.datum.as_symbol();
      if (auto near = c.state().near_definition(name))
        *is_refused = {errc::unknown_name, "`" + name + "` is not defined", a.span,
                       "did you mean `" + *near + "`?"};
      continue;
    }
    // The value behind it is refused, too, or is too many.
    auto name = a.v.as_keyword();
    if (!name || find_option(c.spec(), *name) || parse_note_value(*name)) continue;
    if (auto near = nearest(*name, option_names(c.spec()))) {
      faults.assign(1, {errc::unknown_keyword, c.spec().name + ": unknown option :" + *name, a.span,
                        "did you mean :" + *near + "?\n" + usage_line(c.spec())});
      return;
    }
  }
}

}  // namespace fermata

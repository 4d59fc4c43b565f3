#include "core/lang/names/symbol_names.hpp"
#include "core/lang/notation/signature_forms.hpp"
#include "core/lang/value/literals.hpp"
#include "core/lang/value/make.hpp"
#include "core/theory/tonality.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// What is wrong with it, or nothing.
std::string read_alteration(const value& v, key_alteration& into) {
  spec s{v, {"accidental", "octave", "smufl"}};
  if (auto more = s.beyond(1); !more.empty()) return more;
  auto name = parse_pitch_name(s.word(0));
  if (!name) return "expected an altered letter such as f#, not " + print(v);
  into.name = *name;
  if (auto sign = s.named("accidental")) {
    auto known = drawn_text(*sign, accidental_names());
    if (!known) return no_such_name(*sign, accidental_names(), "accidental");
    into.accidental = *known;
  }
  into.octave = s.integer("octave");
  if (s.named("octave") && !into.octave)
    return "an octave must be a whole number, not " + print(*s.named("octave"));
  into.smufl = s.text("smufl");
  if (!into.smufl.empty() && into.accidental.empty()) return ":smufl needs an :accidental";
  return {};
}

constexpr const char* octave_shape =
    "expected pairs such as ((1 5) (2 4)): the first accidental is in octave 5";

/// `(1 5)`, `(1 5 :cancel yes)`; answers what is wrong, or nothing.
std::string read_octave(const value& v, key_octave& into) {
  spec s{v, {"cancel"}};
  if (auto more = s.beyond(2); !more.empty()) return more;
  auto number = s.size() == 2 ? int_of(s.words()[0]) : std::nullopt;
  auto octave = number ? int_of(s.words()[1]) : std::nullopt;
  if (!octave) return octave_shape + ("; not " + print(v));
  into = {*number, *octave, s.text("cancel")};
  if (s.named("cancel") && into.cancel != "yes" && into.cancel != "no")
    return ":cancel must be yes or no, not " + print(*s.named("cancel"));
  return {};
}

/// What to write for a key on a tonic between the semitones.
std::string no_quarter_tone(std::string_view tonic) {
  return "`" + std::string{tonic} +
         "` is between two semitones, and no key signature begins there; list the accidentals "
         "instead: (key :alterations (bd ed))";
}

bool is_between_semitones(const std::optional<pitch_name>& name) {
  return name && name->cents % 100 != 0;
}

tl::unexpected<error> wrong_key(call& c, const std::string& message) {
  return fail(c.wrong(errc::invalid_key, message));
}

/// `(key 3)`: the number of sharps or flats.
result<int> fifths_of(call& c, const rational& n) {
  const auto& words = c.rest();
  if (!n.is_integer()) return wrong_key(c, "the number of sharps or flats must be whole");
  if (abs(n) > rational{127})
    return wrong_key(c, "a key has at most seven sharps or flats, or 127 with :theoretical");
  if (abs(n) > rational{7} && !c.flag("theoretical"))
    return wrong_key(c, "a key has at most seven sharps or flats; for more, write (key " +
                            print(words[0]) + " :theoretical)");
  if (words.size() > 1)
    return wrong_key(c, "after a number of sharps or flats, write the mode as :mode major");
  return static_cast<int>(n.numerator());
}

/// `(key c-minor)`, `(key "c minor")`: a tonic and a mode in one word.
result<key_signature> key_of_one_word(call& c) {
  const auto& words = c.rest();
  auto text = text_of(words[0]).value_or("");
  if (words[0].as_string()) std::replace(text.begin(), text.end(), ' ', '-');
  if (auto whole = words.size() == 1 ? parse_key(text) : std::nullopt) return *whole;
  auto tonic_text = text.substr(0, text.find('-'));
  if (is_between_semitones(parse_pitch_name(tonic_text)))
    return fail(wrong_word(c, errc::invalid_key, no_quarter_tone(tonic_text), 0));
  return fail(wrong_word(c, errc::invalid_key,
                         "`" + text + "` is not a tonic; write c, f#, bb or c-minor", 0));
}

/// The mode is the second word, or the option.
error no_such_mode(call& c, const std::string& mode_text) {
  const auto& words = c.rest();
  auto message = "`" + mode_text + "` is not a mode";
  auto is_word = words.size() == 2;
  auto e = is_word ? wrong_word(c, errc::invalid_key, message, 1)
                   : c.wrong(errc::invalid_key, message, "mode");
  auto near = nearest(mode_text, mode_names());
  if (auto word = is_word ? words[1].as_keyword() : nullptr; word && near)
    return unknown_keyword(c, *word, c.rest_spans()[1], {*near});
  e.diagnostics.front().hint =
      near ? "did you mean " + *near + "?"
           : "modes are :major :minor :ionian :dorian :phrygian :lydian :mixolydian "
             ":aeolian :locrian";
  return e;
}

/// `(key c :minor)`, `(key c :mode minor)`: major if no mode is given.
result<key_signature> key_of_tonic(call& c) {
  const auto& words = c.rest();
  if (words.size() > 2) return wrong_key(c, "a key needs a tonic and a mode: (key c :major)");
  auto text = text_of(words[0]).value_or("");
  auto name = parse_pitch_name(text);
  if (!name) return key_of_one_word(c);
  auto option = c.text("mode").value_or("");
  auto mode_text = words.size() == 2    ? text_of(words[1]).value_or("")
                   : parse_mode(option) ? option
                                        : std::string{"major"};
  for (auto& ch : mode_text)
    ch = static_cast<char>(ch >= 'A' && ch <= 'Z' ? ch - 'A' + 'a' : ch);
  auto m = parse_mode(mode_text);
  if (!m || *m == mode::none) return fail(no_such_mode(c, mode_text));
  if (is_between_semitones(name))
    return fail(wrong_word(c, errc::invalid_key, no_quarter_tone(text), 0));
  auto on = key_on(*name, *m);
  if (!on && c.flag("theoretical")) on = signature_of({*name, *m});
  if (!on)
    return wrong_key(c, to_string(*name) + " " + mode_text +
                            " would need more than seven accidentals; to allow it, write (key " +
                            print(words[0]) + " :" + mode_text + " :theoretical)");
  return *on;
}

result<std::vector<key_alteration>> read_alterations(call& c) {
  auto list = c.get("alterations").as_list();
  std::vector<value> one{c.get("alterations")};
  std::vector<key_alteration> all;
  for (const auto& x : list ? list->items : one)
    if (auto fault = read_alteration(x, all.emplace_back()); !fault.empty())
      return wrong_key(c, fault);
  return all;
}

/// What is wrong with the options that a key has besides its accidentals, or nothing.
std::string read_key_options(call& c, key_signature& k) {
  if (auto m = c.text("mode")) {
    const auto known = parse_mode(*m);
    if (known && *known != k.mode && (c.rest().size() == 2 || k.mode != mode::none))
      return "conflicting modes: " + std::string{to_string(k.mode)} + " and " + *m;
    if (known)
      k.mode = *known;
    else
      k.other_mode = *m;
  }
  if (auto n = c.integer("cancel")) {
    if (*n < -127 || *n > 127) return "at most 7 sharps or flats";
    k.cancel = static_cast<int>(*n);
  }
  k.cancel_location = c.text("cancel-location").value_or("");
  if (c.has("octaves")) {
    auto list = c.get("octaves").as_list();
    if (!list) return octave_shape;
    for (const auto& x : list->items)
      if (auto fault = read_octave(x, k.key_octaves.emplace_back()); !fault.empty()) return fault;
  }
  return {};
}

}  // namespace

result<value> key_handler(call& c) {
  key_signature k;
  if (c.has("alterations")) {
    auto read = read_alterations(c);
    if (!read) return fail(read.error());
    k.alterations = std::move(*read);
  } else if (c.rest().empty()) {
    return wrong_key(c, "a key needs a tonic and a mode: (key c :major)");
  }
  if (auto n = c.rest().empty() ? nullptr : c.rest()[0].as_number()) {
    auto fifths = fifths_of(c, *n);
    if (!fifths) return fail(fifths.error());
    k.fifths = *fifths;
  } else if (!c.rest().empty()) {
    auto named = key_of_tonic(c);
    if (!named) return fail(named.error());
    k = std::move(*named);
  }
  if (auto fault = read_key_options(c, k); !fault.empty()) return wrong_key(c, fault);
  return for_staff_answer(c, &attributes::keys, std::move(k));
}

std::vector<std::string> modes_and_none() {
  auto names = mode_names();
  std::vector<std::string> words{names.begin(), names.end()};
  words.emplace_back(to_string(mode::none));
  return words;
}

form key_form(const key_signature& k) {
  form f{"key"};
  auto on = k.alterations.empty() && k.mode != mode::none && k.fifths >= -7 && k.fifths <= 7
                ? key_on(tonic(k), k.mode)
                : std::nullopt;
  if (on) {
    // As keywords, because a variable may be called c.
    auto name = to_string(tonic(k));
    f.add(value::kw(name));
    f.word(to_string(k.mode));
  } else {
    if (k.alterations.empty() || k.fifths != 0) f.add(value::of(std::int64_t{k.fifths}));
    if (k.fifths < -7 || k.fifths > 7) f.flag("theoretical");
    if (k.mode != mode::none) f.option("mode", word_value(to_string(k.mode)));
  }
  f.text("mode", k.other_mode);
  if (k.cancel) f.option("cancel", value::of(std::int64_t{*k.cancel}));
  f.text("cancel-location", k.cancel_location);
  if (!k.alterations.empty()) {
    form list;
    for (const auto& a : k.alterations) {
      form one;
      one.add(value::string(to_string(a.name)));
      one.text("accidental", a.accidental);
      if (a.octave) one.option("octave", value::of(std::int64_t{*a.octave}));
      one.text("smufl", a.smufl);
      list.add(one.one_or_list());
    }
    f.option("alterations", list.done());
  }
  if (!k.key_octaves.empty()) {
    form list;
    for (const auto& [number, octave, cancel] : k.key_octaves)
      list.add(form{}
                   .add(value::of(std::int64_t{number}))
                   .add(value::of(std::int64_t{octave}))
                   .text("cancel", cancel)
                   .done());
    f.option("octaves", list.done());
  }
  return f;
}

}  // namespace fermata

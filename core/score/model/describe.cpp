#include "core/score/model/describe.hpp"

#include "core/score/model/attribute_of.hpp"

#include <algorithm>

namespace fermata {

namespace {

struct tone_text {
  std::string operator()(const pitch& p) const { return to_string(p); }
  std::string operator()(const unpitched& u) const {
    return u.display_step ? "x:" + to_string(pitch{*u.display_step, 0,
                                                   static_cast<std::int16_t>(u.display_octave)})
                          : "x";
  }
  std::string operator()(const rest&) const { return "r"; }
};

std::string span_text(const spanner& s) {
  static constexpr const char* kinds[] = {"tie",       "slur",     "tuplet",
                                          "glissando", "slide",    "wavy line",
                                          "hammer-on", "pull-off", "tremolo"};
  static constexpr const char* ends[] = {" start", " stop", " continue", " let ring"};
  return std::string{kinds[static_cast<std::size_t>(s.kind)]} +
         ends[static_cast<std::size_t>(s.end)];
}

std::string syllables(const lyric& l) {
  std::string text;
  for (auto& s : l.syllables)
    text += s.elision + s.text + (s.syllabic == "begin" || s.syllabic == "middle" ? "-" : "");
  return text;
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

std::string key_text(const key_signature& k) {
  if (!k.alterations.empty()) {
    std::string text = "key";
    for (auto& a : k.alterations)
      text += " " + to_string(a.name);
    return text;
  }
  if (k.mode != mode::none)
    return "key " + to_string(tonic(k)) + " " + std::string{to_string(k.mode)};
  return "key " + std::to_string(k.fifths);
}

std::string clef_text(const clef& c) {
  if (auto name = name_of(c)) return "clef " + std::string{*name};
  return "clef " + c.sign + std::to_string(c.line);
}

struct direction_text {
  std::string operator()(const dynamics& x) const {
    std::string text;
    for (auto& v : x.values)
      text += v;
    return text.empty() ? "dynamics" : text;
  }
  std::string operator()(const wedge& x) const { return "hairpin " + x.type; }
  std::string operator()(const words& x) const { return "words " + quoted(x.text); }
  std::string operator()(const rehearsal_mark& x) const { return "rehearsal " + quoted(x.text); }
  std::string operator()(const segno_mark&) const { return "segno"; }
  std::string operator()(const coda_mark&) const { return "coda"; }
  std::string operator()(const metronome& x) const {
    return to_string(x.beat) + " = " + (x.equals ? to_string(*x.equals) : x.per_minute);
  }
  std::string operator()(const pedal& x) const { return "pedal " + x.type; }
  std::string operator()(const octave_shift& x) const {
    return "octave line " + x.type + (x.size == 8 ? "" : " " + std::to_string(x.size));
  }
  std::string operator()(const line_end& x) const {
    return std::string{x.dashes ? "dashes " : "bracket "} + x.type;
  }
  std::string operator()(const fragment& x) const { return element_name(x); }

  static std::string element_name(const fragment& f) {
    auto end = f.xml.find_first_of(" />", 1);
    return f.xml.empty() ? "nothing" : f.xml.substr(1, end == std::string::npos ? end : end - 1);
  }
};

struct content_text {
  std::string operator()(const chord_rest& x) const {
    auto text = describe_rhythm(x);
    std::string more;
    auto add = [&](const std::string& word) { more += (more.empty() ? "" : ", ") + word; };
    for (auto& n : x.notes) {
      if (n.tie.start) add("tied");
      for (auto& m : n.marks)
        add(std::string{info(m.kind).option} + (m.text.empty() ? "" : " " + m.text));
      for (auto& s : n.spanners)
        add(span_text(s));
      for (auto& l : n.lyrics)
        add(quoted(syllables(l)));
    }
    return more.empty() ? text : text + " (" + more + ")";
  }

  std::string operator()(const direction& x) const {
    std::string text;
    for (auto& t : x.types)
      text += (text.empty() ? "" : " ") + std::visit(direction_text{}, t);
    if (x.sound && (*this)(*x.sound) != "sound")
      text += (text.empty() ? "" : ", ") + (*this)(*x.sound);
    return text.empty() ? "direction" : text;
  }

  std::string operator()(const attributes& x) const {
    std::string text;
    auto add = [&](const std::string& word, std::optional<std::uint8_t> staff) {
      text += (text.empty() ? "" : ", ") + word;
      if (staff) text += " on staff " + std::to_string(*staff);
    };
    for (auto& k : x.keys)
      add(key_text(k.value), k.staff);
    for (auto& t : x.times)
      add("time " + to_string(t.value), t.staff);
    for (auto& c : x.clefs)
      add(clef_text(c.value), c.staff);
    if (x.staves) add(std::to_string(*x.staves) + " staves", {});
    for (auto& t : x.transpositions)
      add("transpose " + t.value.chromatic +
              (t.value.octaves ? " and " + std::to_string(t.value.octaves) + " octaves" : ""),
          t.staff);
    if (x.multiple_rest) add("multiple rest " + std::to_string(*x.multiple_rest), {});
    for (auto& o : x.others)
      add(direction_text::element_name(o), {});
    return text.empty() ? "attributes" : text;
  }

  std::string operator()(const harmony& x) const {
    auto text = "chord symbol " + chord_text(x);
    for (auto& further : x.further)
      text += " | " + chord_text(further);
    return text;
  }
  static std::string chord_text(const harmony& x) {
    auto text = x.root ? to_string(*x.root) : x.function;
    text += " " + (x.kind_text.empty() ? x.kind : x.kind_text);
    for (auto& d : x.degrees)
      if (!is_hidden(d.extra)) text += " " + d.type + " " + std::to_string(d.value);
    if (x.bass) text += "/" + to_string(*x.bass);
    return text;
  }

  std::string operator()(const figured_bass& x) const {
    std::string text = "figured bass";
    for (auto& f : x.figures)
      text += " " + f.prefix + f.number + f.suffix;
    return text;
  }

  std::string operator()(const barline& x) const {
    std::string text;
    auto add = [&](const std::string& word) { text += (text.empty() ? "" : ", ") + word; };
    if (!x.repeat.empty())
      add("repeat " + x.repeat +
          (x.repeat_times ? " " + std::to_string(*x.repeat_times) + " times" : ""));
    if (!x.ending_type.empty())
      add("ending " + x.ending_numbers + (x.ending_numbers.empty() ? "" : " ") + x.ending_type);
    if (!x.style.empty()) add("barline " + x.style);
    return text.empty() ? "barline" : text;
  }

  std::string operator()(const sound& x) const {
    std::string text;
    for (auto name : {"tempo", "dynamics", "segno", "dalsegno", "coda", "tocoda", "dacapo", "fine",
                      "forward-repeat"})
      if (auto value = x.attribute(name); !value.empty())
        text += std::string{text.empty() ? "" : ", "} + name + " " + value;
    return text.empty() ? "sound" : "plays " + text;
  }

  std::string operator()(const print_layout& x) const {
    return x.new_page == "yes" ? "page break" : x.new_system == "yes" ? "system break" : "layout";
  }

  std::string operator()(const fragment& x) const { return direction_text::element_name(x); }
};

}  // namespace

std::string describe_rhythm(const chord_rest& x) {
  std::string heads;
  for (auto& n : x.notes)
    heads += (heads.empty() ? "" : " ") + std::visit(tone_text{}, n.tone);
  if (x.notes.size() > 1) heads = "<" + heads + ">";
  if (x.grace) return "grace " + heads;
  auto length = x.written ? to_string(*x.written) : to_string(x.length.value);
  if (x.tuplet)
    length += " " + std::to_string(x.tuplet->actual) + ":" + std::to_string(x.tuplet->normal);
  return heads + ":" + length;
}

std::string describe(const measure_content& c) { return std::visit(content_text{}, c); }

}  // namespace fermata

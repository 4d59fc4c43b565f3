#include "io/musicxml/export_context.hpp"
#include "io/musicxml/preserved_writer.hpp"

#include <algorithm>

namespace fermata::io::musicxml::detail {

namespace {

/// Opens <name number="staff" ...>.
template <class T>
void open_for_staff(export_context& c, std::string_view name, const for_staff<T>& x) {
  c.out.open(name);
  if (x.staff) c.out.attribute("number", std::max<std::int64_t>(1, *x.staff));
}

void write_key(export_context& c, const for_staff<key_signature>& x) {
  auto& out = c.out;
  auto& k = x.value;
  open_for_staff(c, "key", x);
  write_preserved_attributes(c, "key", x.extra, {"number"});
  if (k.alterations.empty()) {
    if (k.cancel) {
      out.open("cancel");
      c.attribute("cancel", "location", k.cancel_location);
      out.text(*k.cancel);
      out.close("cancel");
    }
    out.leaf("fifths", k.fifths);
    if (!k.other_mode.empty())
      out.leaf("mode", k.other_mode);
    else if (k.mode != mode::none)
      out.leaf("mode", to_string(k.mode));
    else if (auto said = preserved_child(x.extra, "mode"))
      out.leaf("mode", said->xml.find("none") == std::string::npos ? "" : "none");
  } else {
    for (auto& a : k.alterations) {
      out.leaf("key-step", step_name(a.name.letter));
      write_semitones(c, {}, "key-alter", a.name.cents);
      if (!a.accidental.empty() && c.text_fits("key-accidental", a.accidental)) {
        out.open("key-accidental");
        c.attribute("key-accidental", "smufl", a.smufl);
        out.text(a.accidental);
        out.close("key-accidental");
      }
    }
  }
  for (auto& [number, octave, cancel] : k.key_octaves) {
    out.open("key-octave");
    out.attribute("number", std::max(1, number));
    c.attribute("key-octave", "cancel", cancel);
    out.text(std::clamp(octave, 0, 9));
    out.close("key-octave");
  }
  write_misplaced_children(c, x.extra, {"mode"});
  out.close("key");
}

void write_time(export_context& c, const for_staff<time_signature>& x) {
  auto& out = c.out;
  auto& t = x.value;
  open_for_staff(c, "time", x);
  c.attribute("time", "symbol", t.symbol);
  write_preserved_attributes(c, "time", x.extra, {"number", "symbol"});
  if (t.fractions.empty()) out.leaf("senza-misura", t.senza_text);
  for (auto& f : t.fractions) {
    std::string beats;
    for (auto b : f.beats) {
      if (!beats.empty()) beats += '+';
      beats += std::to_string(b);
    }
    out.leaf("beats", beats);
    out.leaf("beat-type", f.beat_type);
  }
  write_preserved_children(c, "time", x.extra, {"interchangeable"});
  write_misplaced_children(c, x.extra, {"interchangeable"});
  out.close("time");
}

void write_clef(export_context& c, const for_staff<clef>& x) {
  auto& out = c.out;
  open_for_staff(c, "clef", x);
  write_preserved_attributes(c, "clef", x.extra, {"number"});
  out.leaf("sign", c.fitting("sign", x.value.sign, "G"));
  if (x.value.line != 0) out.leaf("line", x.value.line);
  if (x.value.octave_change != 0 || preserved_child(x.extra, "clef-octave-change"))
    out.leaf("clef-octave-change", x.value.octave_change);
  write_misplaced_children(c, x.extra, {"clef-octave-change"});
  out.close("clef");
}

void write_transpose(export_context& c, const for_staff<transposition>& x) {
  auto& out = c.out;
  auto& t = x.value;
  open_for_staff(c, "transpose", x);
  write_preserved_attributes(c, "transpose", x.extra, {"number"});
  if (t.diatonic_given || t.diatonic != 0) out.leaf("diatonic", t.diatonic);
  out.leaf("chromatic", c.fitting("chromatic", t.chromatic, "0"));
  if (t.octaves != 0 || preserved_child(x.extra, "octave-change"))
    out.leaf("octave-change", t.octaves);
  if (t.doubled) {
    out.open("double");
    c.attribute("double", "above", t.double_above);
    out.close("double");
  }
  write_misplaced_children(c, x.extra, {"octave-change"});
  out.close("transpose");
}

void write_others(export_context& c, const attributes& a,
                  std::initializer_list<std::string_view> names) {
  write_children(c, "attributes", a.others, names);
}

}  // namespace

void write_attributes(export_context& c, const attributes& a, bool with_divisions) {
  auto& out = c.out;
  out.open("attributes");
  write_preserved_attributes(c, "attributes", a.extra);
  write_preserved_children(c, "attributes", a.extra, {"footnote"});
  write_preserved_children(c, "attributes", a.extra, {"level"});
  if (with_divisions) out.leaf("divisions", c.divisions);
  for (auto& k : a.keys)
    write_key(c, k);
  write_others(c, a, {"key"});
  for (auto& t : a.times)
    write_time(c, t);
  write_others(c, a, {"time"});
  if (a.staves)
    out.leaf("staves", std::max(0, *a.staves));
  else
    write_others(c, a, {"staves"});
  write_others(c, a, {"part-symbol"});
  write_others(c, a, {"instruments"});
  for (auto& x : a.clefs)
    write_clef(c, x);
  write_others(c, a, {"clef"});
  write_others(c, a, {"staff-details"});
  for (auto& t : a.transpositions)
    write_transpose(c, t);
  write_others(c, a, {"transpose"});
  // Either transpositions or transpositions for named parts; never both.
  auto has_transpose = !a.transpositions.empty() ||
                       std::any_of(a.others.begin(), a.others.end(),
                                   [](auto& f) { return element_name(f) == "transpose"; });
  if (!has_transpose) write_others(c, a, {"for-part"});
  write_others(c, a, {"directive"});
  if (a.multiple_rest && *a.multiple_rest > 0) {
    out.open("measure-style");
    out.leaf("multiple-rest", *a.multiple_rest);
    out.close("measure-style");
  }
  write_others(c, a, {"measure-style"});
  write_misplaced(c, a.others,
                  {"key", "time", a.staves ? "key" : "staves", "part-symbol", "instruments", "clef",
                   "staff-details", "transpose", has_transpose ? "transpose" : "for-part",
                   "directive", "measure-style"});
  write_misplaced_children(c, a.extra, {"footnote", "level"});
  out.close("attributes");
}

}  // namespace fermata::io::musicxml::detail

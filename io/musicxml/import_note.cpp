#include "io/musicxml/canonical_xml.hpp"
#include "io/musicxml/child_elements.hpp"
#include "io/musicxml/division_values.hpp"
#include "io/musicxml/fragment_check.hpp"
#include "io/musicxml/import_context.hpp"
#include "io/musicxml/tied_ends.hpp"
#include "io/musicxml/xml_writer.hpp"

#include <algorithm>

namespace fermata::io::musicxml::detail {

namespace {

/// Reads the three children of <pitch>. What is no pitch becomes a place on the staff, so that its
/// time is kept.
tone read_pitch(import_context& c, pugi::xml_node n, kept_xml& kept) {
  std::optional<step> letter;
  std::optional<std::int64_t> octave;
  int cents = 0;
  for (auto [k, e] : elements_in(c, n)) {
    if (e == element::step) {
      letter = parse_step(c.token(k));
    } else if (e == element::octave) {
      octave = parse_integer(c.token(k));
    } else if (e == element::alter) {
      auto text = c.token(k);
      auto exact = parse_semitones(text);
      if (exact) {
        cents = *exact;
      } else if (auto semitones = parse_decimal(text);
                 semitones && abs(*semitones) <= rational{100}) {
        // Finer than a cent: the score knows the nearest cent, the file gets its own text back.
        cents = static_cast<int>(floor(*semitones * rational{100} + rational{1, 2}));
      } else {
        kept.misplaced_in(c, k, "not a number of semitones", {"pitch"});
        continue;
      }
      if (!exact || cents == 0) kept.add({"<alter>" + std::string{text} + "</alter>"});
    } else {
      kept.misplaced_in(c, k, "a pitch does not have this", {"pitch"});
    }
  }
  if (letter && octave && *octave >= 0 && *octave <= 9)
    return pitch{*letter, static_cast<std::int16_t>(cents), static_cast<std::int16_t>(*octave)};
  c.warn(n, "not a pitch; the note is read without one",
         "a pitch needs a <step> from A to G and an <octave> from 0 to 9");
  kept.add(wrapped_fragment(c, n));
  return unpitched{};
}

/// display-step and display-octave of rests and unpitched notes.
void read_place(import_context& c, pugi::xml_node n, std::optional<step>& display, int& octave,
                kept_xml& kept) {
  std::optional<std::int64_t> number;
  pugi::xml_node octave_node;
  for (auto [k, e] : elements_in(c, n)) {
    if (e == element::display_step) {
      display = parse_step(c.token(k));
    } else if (e == element::display_octave) {
      number = parse_integer(c.token(k));
      octave_node = k;
    } else {
      kept.misplaced_in(c, k, "this does not belong here", {n.name()});
    }
  }
  if (display && number && *number >= 0 && *number <= 9) {
    octave = static_cast<int>(*number);
  } else if (display || octave_node) {
    c.warn(n, "a staff position needs a step and an octave from 0 to 9; it is kept");
    kept.add(wrapped_fragment(c, n));
    display.reset();
  }
}

unpitched read_unpitched(import_context& c, pugi::xml_node k, kept_xml& kept) {
  unpitched u;
  read_place(c, k, u.display_step, u.display_octave, kept);
  return u;
}

rest read_rest(import_context& c, pugi::xml_node k, kept_xml& kept) {
  rest r;
  r.whole_measure = says_yes(k, "measure");
  if (r.whole_measure)
    kept.attributes_of(c, k, element::rest, {"measure"});
  else
    kept.attributes_of(c, k, element::rest);
  read_place(c, k, r.display_step, r.display_octave, kept);
  return r;
}

void read_voice(import_context& c, pugi::xml_node k, note_reading& out, kept_xml& kept) {
  if (out.voice_given) {
    kept.misplaced(c, k, "a second voice");
    return;
  }
  out.voice = c.verbatim(k);
  out.voice_given = true;
}

void read_note_staff(import_context& c, pugi::xml_node k, note_reading& out, kept_xml& kept) {
  auto staff = read_staff(c, k);
  if (!staff || out.staff_given) {
    kept.misplaced(c, k, "the staff does not match this note");
    return;
  }
  out.staff = *staff;
  out.staff_given = true;
}

void read_dot(import_context& c, pugi::xml_node k, note_reading& out, kept_xml& kept) {
  if (!out.written || out.written->dots == 16) {
    kept.misplaced(c, k, "a dot without a note value");
    return;
  }
  ++out.written->dots;
  // Dots with attributes are told apart by their number, so those before them count too.
  if (k.first_attribute() || k.first_child()) out.dots_with_attributes = true;
}

void read_stem(import_context& c, pugi::xml_node k, note& n, kept_xml& kept) {
  auto value = c.token(k);
  if (!n.stem.empty() || !is_valid_text(element::stem, value)) {
    kept.misplaced(c, k, "not a stem");
    return;
  }
  n.stem = value;
  kept.attributes_of(c, k, element::stem);
}

void read_type(import_context& c, pugi::xml_node k, note_reading& out, kept_xml& kept) {
  auto base = parse_note_type(c.token(k));
  if (!base || out.written) {
    kept.misplaced(c, k, base ? "a second note value" : "not a note value");
    return;
  }
  out.written = note_value{*base, 0};
  kept.attributes_of(c, k, element::type);
}

void read_tie(import_context& c, pugi::xml_node k, tie_ends& tie, kept_xml& kept) {
  std::string_view type = k.attribute("type").value();
  auto& end = type == "stop" ? tie.stop : tie.start;
  if ((type != "start" && type != "stop") || end) {
    kept.misplaced(c, k, end ? "a second tie of the same kind" : "a tie must start or stop");
    return;
  }
  end = true;
  // Only a tie of certain passes has more to say; its type tells the two ends apart.
  if (k.first_child() || k.first_attribute().next_attribute())
    kept.attributes_of(c, k, element::tie);
}

time_modification read_time_modification(import_context& c, pugi::xml_node n, kept_xml& kept) {
  time_modification t;
  auto count = [&](pugi::xml_node k, int& target) {
    auto number = parse_integer(c.token(k));
    if (number && *number > 0 && *number <= 1'000'000)
      target = static_cast<int>(*number);
    else
      c.warn(k, "tuplet numbers start at 1");
  };
  std::optional<note_base> base;
  std::uint8_t dots = 0;
  for (auto [k, e] : elements_in(c, n)) {
    switch (e) {
      case element::actual_notes: count(k, t.actual); break;
      case element::normal_notes: count(k, t.normal); break;
      case element::normal_type: base = parse_note_type(c.token(k)); break;
      case element::normal_dot: dots = static_cast<std::uint8_t>(std::min(dots + 1, 16)); break;
      default: kept.misplaced_in(c, k, "this does not belong here", {"time-modification"});
    }
  }
  if (base) t.normal_type = note_value{*base, dots};
  return t;
}

void read_beam(import_context& c, pugi::xml_node k, const std::optional<note_value>& written,
               note& n, kept_xml& kept) {
  auto value = c.token(k);
  auto first = k.first_attribute();
  if (!is_valid_text(element::beam, value) || n.beams.size() == 8) {
    kept.misplaced(c, k, "not a beam");
    return;
  }
  if (n.beams.empty() && written && written->base > note_base::quarter)
    n.beams.reserve(static_cast<std::size_t>(written->base) -
                    static_cast<std::size_t>(note_base::quarter));
  auto& b = n.beams.emplace_back();
  b.value = value;
  if (first || !c.plain_text) {
    auto number = parse_integer(k.attribute("number").value());
    auto fits_beam = number && *number >= 1 && *number <= 8;
    b.number = fits_beam ? static_cast<std::uint8_t>(*number) : 1;
    if (!c.plain_text || first.next_attribute() || !fits_beam) {
      kept_xml of_beam;
      of_beam.attributes(c, k, element::beam, {"number"});
      b.extra = of_beam.take();
    }
  }
}

void read_accidental(import_context& c, pugi::xml_node k, note& n, kept_xml& kept) {
  auto value = c.token(k);
  if (n.accidental || !is_valid_text(element::accidental, value)) {
    kept.misplaced(c, k, "not an accidental");
    return;
  }
  kept_xml own;
  own.attributes(c, k, element::accidental);
  n.accidental = displayed_accidental{std::string{value}, own.take()};
}

void read_notehead(import_context& c, pugi::xml_node k, note& n, kept_xml& kept) {
  auto value = c.token(k);
  if (n.notehead || !is_valid_text(element::notehead, value)) {
    kept.misplaced(c, k, "not a notehead");
    return;
  }
  kept_xml own;
  own.attributes(c, k, element::notehead, {"filled", "parentheses"});
  notehead h;
  h.value = value;
  // Values that are neither yes nor no stay among the other attributes.
  auto yes_no = [&](const char* name) {
    std::string_view text = k.attribute(name).value();
    return text == "yes" || text == "no" ? std::string{text} : std::string{};
  };
  h.filled = yes_no("filled");
  h.parentheses = yes_no("parentheses");
  h.extra = own.take();
  n.notehead = std::move(h);
}

grace_info read_grace(import_context& c, pugi::xml_node k, kept_xml& kept) {
  grace_info g;
  for (auto a : k.attributes()) {
    std::string_view name = a.name();
    if (!is_valid_attribute("grace", name, a.value())) {
      c.warn(k, "MusicXML 4.0 has no " + std::string{name} + "=\"" + a.value() +
                    "\" here; it is kept");
      kept.add(wrapped("<grace " + std::string{name} + "=\"" + escaped(a.value()) + "\"/>"));
    } else if (name == "steal-time-previous") {
      g.steal_previous = a.value();
    } else if (name == "steal-time-following") {
      g.steal_following = a.value();
    } else if (name == "make-time") {
      g.make_time = in_quarters(a.value(), c.divisions);
    } else {
      g.slash_text = a.value();
      g.slash = g.slash_text == "yes";
    }
  }
  return g;
}

void read_instrument(import_context& c, pugi::xml_node k, note& n, kept_xml& kept) {
  std::string id = k.attribute("id").value();
  auto own = c.instruments && std::any_of(c.instruments->begin(), c.instruments->end(),
                                          [&](auto& x) { return x.id == id; });
  if (!c.ids.contains(id))
    kept.misplaced(c, k, "no instrument has the id \"" + id + "\"");
  else if (own && n.instrument.empty() && !k.first_attribute().next_attribute())
    n.instrument = std::move(id);
  else
    kept.child(c, element::note, k);
}

}  // namespace

void read_note(import_context& c, pugi::xml_node node, note_reading& out) {
  kept_xml kept;
  kept.attributes(c, node, element::note);
  auto& n = out.value();
  bool has_tone = false;
  tied_ends tied;
  auto set_tone = [&](pugi::xml_node k, tone t) {
    if (has_tone) return kept.misplaced(c, k, "a second pitch");
    n.tone = t;
    has_tone = true;
  };
  for (auto [k, e] : elements_in(c, node, kept)) {
    switch (e) {
      case element::grace:
        if (out.grace)
          kept.misplaced(c, k, "a second <grace>");
        else
          out.grace = read_grace(c, k, kept);
        break;
      case element::cue: out.cue = true; break;
      case element::chord: out.in_chord = true; break;
      case element::pitch: set_tone(k, read_pitch(c, k, kept)); break;
      case element::unpitched: set_tone(k, read_unpitched(c, k, kept)); break;
      case element::rest: set_tone(k, read_rest(c, k, kept)); break;
      case element::duration:
        out.has_duration = true;
        out.duration = parse_decimal(c.token(k));
        if (!out.duration) c.warn(k, "not a number of divisions");
        break;
      case element::tie: read_tie(c, k, n.tie, kept); break;
      case element::instrument: read_instrument(c, k, n, kept); break;
      case element::voice: read_voice(c, k, out, kept); break;
      case element::type: read_type(c, k, out, kept); break;
      case element::dot: read_dot(c, k, out, kept); break;
      case element::accidental: read_accidental(c, k, n, kept); break;
      case element::time_modification:
        if (out.tuplet)
          kept.misplaced(c, k, "a second <time-modification>");
        else
          out.tuplet = read_time_modification(c, k, kept);
        break;
      case element::stem: read_stem(c, k, n, kept); break;
      case element::notehead: read_notehead(c, k, n, kept); break;
      case element::staff: read_note_staff(c, k, out, kept); break;
      case element::beam: read_beam(c, k, out.written, n, kept); break;
      case element::notations: read_notations(c, k, out, kept, tied); break;
      case element::lyric: n.lyrics.push_back(read_lyric(c, k)); break;
      default: kept.child(c, element::note, k);
    }
  }
  if (out.dots_with_attributes)
    for (auto k : node.children("dot"))
      kept.attributes_of(c, k, element::dot, {}, true);
  if (!has_tone) c.warn(node, "a note without pitch; it is read as a rest"), n.tone = rest{};
  tied.settle(n);
  settle_notations(n);
  n.extra = kept.take();
}

}  // namespace fermata::io::musicxml::detail

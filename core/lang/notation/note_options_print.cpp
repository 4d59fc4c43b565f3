#include "core/lang/names/spanner_names.hpp"
#include "core/lang/names/symbol_names.hpp"
#include "core/lang/notation/note_option_values.hpp"
#include "core/lang/notation/note_options.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// `:above` and `:below` stand for the placement alone, which is what most files say.
void write_extra(form& f, const preserved& p) {
  auto placement = only_attribute(p, "placement");
  if (placement == "above" || placement == "below")
    f.flag(*placement);
  else
    f.xml(p);
}

value accidental_value(const displayed_accidental& a) {
  form f;
  f.add(drawn_value(a.value, accidental_names()));
  auto flagged = false;
  for (auto name : {"cautionary", "editorial", "parentheses"})
    if (only_attribute(a.extra, name) == "yes") {
      f.flag(name);
      flagged = true;
    }
  if (!flagged) f.xml(a.extra);
  return f.one_or_list();
}

value beams_value(const std::vector<beam>& beams) {
  form f;
  auto number = 1;
  for (const auto& b : beams) {
    if (b.number != number) f.add(value::of(std::int64_t{b.number}));
    number = b.number + 1;
    auto word = b.value;
    std::replace(word.begin(), word.end(), ' ', '-');
    f.word(word);
    f.xml(b.extra);
  }
  return f.one_or_list();
}

value lyric_value(const lyric& l) {
  form f;
  for (const auto& s : l.syllables) {
    f.text("elision", s.elision);
    f.add(value::string(s.text));
    if (s.syllabic != "single") f.word(s.syllabic.empty() ? "none" : s.syllabic);
    f.xml(s.extra, "text-xml");
  }
  if (l.number != "1") f.option("verse", value::string(l.number));
  if (!l.extend.empty()) f.option("extend", word_value(l.extend));
  if (l.humming) f.flag("humming");
  if (l.laughing) f.flag("laughing");
  if (l.end_line) f.flag("end-line");
  if (l.end_paragraph) f.flag("end-paragraph");
  f.xml(l.extra);
  return l.syllables.size() == 1 ? f.one_or_list() : f.done();
}

void write_mark(form& f, const mark& m) {
  const auto& row = info(m.kind);
  if (auto word = word_in_child(m)) {
    auto number = parse_rational(*word);
    f.option(row.option, number ? value::of(*number) : value::kw(*word));
    return;
  }
  if (!m.extra) {
    if (row.value == mark_value::none && m.text.empty()) {
      f.flag(row.option);
      return;
    }
    auto choices = mark_words(m.kind);
    auto chosen =
        choices && std::find(choices->begin() + 1, choices->end(), m.text) != choices->end();
    if (chosen && m.text != "none" && m.text != "inverted") {
      f.option(row.option, value::kw(m.text));
      return;
    }
    if (auto names = names_of_mark(m.kind); names && !m.text.empty()) {
      f.option(row.option, drawn_value(m.text, *names));
      return;
    }
    if (row.value != mark_value::none && !choices && !m.text.empty()) {
      // A number that no one would type stands in quotes (see the option).
      auto n = row.value == mark_value::number ? int_of(value::string(m.text)) : std::nullopt;
      auto odd = n && (*n < 0 || *n > (m.kind == mark_kind::tremolo ? 8 : 999) ||
                       (m.kind == mark_kind::string && *n < 1));
      f.option(row.option, odd ? value::string(m.text) : text_value(m.text));
      return;
    }
  }
  if (m.kind == mark_kind::fermata_mark && m.text.empty() &&
      only_attribute(m.extra, "type") == "inverted") {
    f.option(row.option, value::kw("inverted"));
    return;
  }
  form inner;
  inner.word(row.option);
  if (!m.text.empty()) inner.add(value::string(m.text));
  write_extra(inner, m.extra);
  // As a list, because the name alone would be taken for a flag of the note.
  f.option("mark", inner.done());
}

void write_spanner(form& f, const spanner& s) {
  auto row = std::find_if(span_names().begin(), span_names().end(),
                          [&](const span_name& x) { return x.kind == s.kind; });
  form inner;
  inner.word(name_of(s.end));
  auto strokes =
      s.kind == spanner_kind::tremolo && s.text.size() == 1 && s.text[0] >= '0' && s.text[0] <= '8';
  if (strokes) inner.add(text_value(s.text));
  if (s.kind == spanner_kind::tremolo && s.number != 1)
    inner.option("number", value::of(std::int64_t{s.number}));
  else if (s.number != 1)
    inner.add(value::of(std::int64_t{s.number}));
  if (!strokes) inner.text("text", s.text);
  write_extra(inner, s.extra);
  f.option(row->option, inner.one_or_list());
}

value difference_value(const chord_difference& x) {
  form f;
  if (x.length) f.option("lasts", value::of(x.length->value / rational{4}));
  if (x.written) f.option("value", value::kw(to_string(*x.written)));
  if (x.without_written) f.flag("untyped");
  if (x.voice) f.option("voice", value::string(*x.voice));
  if (x.staff) f.option("staff", value::of(std::int64_t{*x.staff}));
  return f.done();
}

}  // namespace

void write_rhythm_options(form& f, const chord_rest& x) {
  if (!x.voice.empty()) f.option("voice", text_value(x.voice));
  if (x.staff == 0)
    f.option("staff", value::kw("none"));
  else if (x.staff_given)
    f.option("staff", value::of(std::int64_t{x.staff}));
  if (x.cue) f.flag("cue");
  if (!x.grace) {
    // What it would last if only its value spoke: compare with `with_notes`.
    auto ratio = x.tuplet ? rational{x.tuplet->normal, x.tuplet->actual} : rational{1};
    auto written = x.length / ratio;
    auto fills = is_rest(x) && std::get<rest>(x.notes.front().tone).whole_measure;
    auto as_written =
        x.written ? written == length(*x.written) : note_value_for(written).has_value();
    if (fills ? x.length != quarters{} : !as_written)
      f.option("lasts", value::of(written.value / rational{4}));
  }
  if (!x.written && !(is_rest(x) && std::get<rest>(x.notes.front().tone).whole_measure))
    f.flag("untyped");
  if (x.tuplet) {
    if (x.tuplet->actual != 1 || x.tuplet->normal != 1)
      f.option("modification", value::sym(std::to_string(x.tuplet->actual) + ":" +
                                          std::to_string(x.tuplet->normal)));
    if (x.tuplet->normal_type)
      f.option("normal-type", value::kw(to_string(*x.tuplet->normal_type)));
    else if (x.tuplet->actual == 1 && x.tuplet->normal == 1)
      f.option("normal-type", value::kw("none"));
  }
}

void write_note_options(form& f, const note& n) {
  const auto& t = n.tie;
  if (t.start || t.stop || t.start_undrawn || t.stop_undrawn) {
    form ends;
    if (t.stop || t.stop_undrawn) ends.word(t.stop_undrawn ? "stop-undrawn" : "stop");
    if (t.start || t.start_undrawn) ends.word(t.start_undrawn ? "start-undrawn" : "start");
    f.option("tie", t.start && t.stop && !t.start_undrawn && !t.stop_undrawn ? value::kw("both")
                                                                             : ends.one_or_list());
  }
  if (n.accidental) f.option("accidental", accidental_value(*n.accidental));
  if (n.notehead) {
    form head;
    head.add(drawn_value(n.notehead->value, notehead_names()));
    head.text("filled", n.notehead->filled).text("parentheses", n.notehead->parentheses);
    head.xml(n.notehead->extra);
    f.option("notehead", n.notehead->value == "slash" ? head.done() : head.one_or_list());
  }
  if (!n.stem.empty()) f.option("stem", word_value(n.stem));
  if (!n.beams.empty()) f.option("beam", beams_value(n.beams));
  for (const auto& m : n.marks)
    write_mark(f, m);
  for (const auto& s : n.spanners)
    write_spanner(f, s);
  for (const auto& l : n.lyrics)
    f.option("lyric", lyric_value(l));
  if (!n.instrument.empty()) f.option("instrument", value::string(n.instrument));
  if (n.differs) f.option("differs", difference_value(*n.differs));
  f.xml(n.extra);
}

}  // namespace fermata

#include "core/lang/notation/note_option_values.hpp"

#include "core/lang/names/phrase_symbols.hpp"
#include "core/lang/names/spanner_names.hpp"
#include "core/lang/names/xml_text.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// Marks that say more in a child element, and its name: `:hole half`.
std::string_view child_of(mark_kind kind) {
  switch (kind) {
    case mark_kind::hole: return "hole-closed";
    case mark_kind::harmon_mute: return "harmon-closed";
    case mark_kind::arrow: return "arrow-direction";
    case mark_kind::bend: return "bend-alter";
    default: return {};
  }
}

/// How far a string is bent, in semitones, and as MusicXML writes it.
struct bend_size {
  std::string_view said, written;
};
constexpr bend_size bend_sizes[] = {
    {"1/4", "0.25"}, {"1/2", "0.5"}, {"3/4", "0.75"}, {"1", "1"},     {"3/2", "1.5"},
    {"2", "2"},      {"5/2", "2.5"}, {"3", "3"},      {"7/2", "3.5"}, {"4", "4"},
};

std::vector<std::string> bend_words() {
  std::vector<std::string> words{"plain"};
  for (auto& size : bend_sizes)
    words.emplace_back(size.said);
  return words;
}

}  // namespace

const std::map<mark_kind, std::vector<std::string>>& mark_choices() {
  static const std::map<mark_kind, std::vector<std::string>> table{
      {mark_kind::fermata_mark,
       {"normal", "angled", "square", "double-angled", "double-square", "double-dot", "half-curve",
        "curlew", "inverted"}},
      {mark_kind::strong_accent, {"plain", "up", "down"}},
      {mark_kind::arpeggiate, {"plain", "up", "down", "none"}},
      {mark_kind::non_arpeggiate, {"plain", "top", "bottom"}},
      {mark_kind::breath_mark, {"plain", "comma", "tick", "upbow", "salzedo"}},
      {mark_kind::caesura, {"plain", "normal", "thick", "short", "curved", "single"}},
      {mark_kind::hole, {"plain", "yes", "no", "half"}},
      {mark_kind::harmon_mute, {"plain", "yes", "no", "half"}},
      {mark_kind::bend, bend_words()},
  };
  return table;
}

const drawn_names* names_of_mark(mark_kind kind) {
  switch (kind) {
    case mark_kind::ornament_accidental:
    case mark_kind::accidental_notation: return &accidental_names();
    case mark_kind::handbell: return &handbell_names();
    default: return nullptr;
  }
}

std::string add_mark(note_draft& d, mark_kind kind, std::string text) {
  mark m{kind, std::move(text), {}};
  if (auto choices = mark_choices().find(kind);
      choices != mark_choices().end() &&
      (m.text == choices->second.front() || (m.text == "none" && kind == mark_kind::arpeggiate)))
    m.text.clear();
  if (kind == mark_kind::fermata_mark && m.text == "inverted") {
    m.text.clear();
    m.extra = with_attribute({}, "type", "inverted");
  }
  if (kind == mark_kind::bend)
    for (auto& size : bend_sizes)
      if (m.text == size.said) m.text = size.written;
  if (auto child = child_of(kind); !child.empty() && !m.text.empty()) {
    preserved_xml inside;
    inside.children.push_back(
        fragment{"<" + std::string{child} + ">" + m.text + "</" + std::string{child} + ">"});
    m.text.clear();
    m.extra = preserved{std::move(inside)};
  }
  d.first.marks.push_back(std::move(m));
  return {};
}

std::string add_drawn_mark(note_draft& d, mark_kind kind, const value& v,
                           const drawn_names& names) {
  auto known = drawn_text(v, names);
  if (!known) return no_such_name(v, names, info(kind).xml_name);
  return add_mark(d, kind, *known);
}

/// What a text behind the name of a mark must be: a word among those there are, a number, or
/// nothing. What stands in quotes came from a file as it is.
std::string read_mark_text(mark_kind kind, const value& v, std::string& into) {
  const auto& row = info(kind);
  into = text_of(v).value_or(print(v));
  if (row.value == mark_value::none)
    return "`" + into + "` is not a valid value for " + std::string{row.option} +
           "; for MusicXML content, write :xml (\"<...>\")";
  if (v.as_string()) return {};
  if (auto names = names_of_mark(kind)) {
    auto known = drawn_text(v, *names);
    if (!known) return no_such_name(v, *names, row.xml_name);
    into = *known;
  } else if (auto words = mark_words(kind)) {
    if (std::find(words->begin(), words->end(), into) == words->end())
      return "`" + into + "` is not a valid " + std::string{row.xml_name} +
             meant(into, {words->begin(), words->end()});
    if (into == words->front() || (into == "none" && kind == mark_kind::arpeggiate)) into.clear();
  } else if (kind == mark_kind::dynamics_notation && !is_dynamic(into)) {
    return no_such_dynamic(into);
  } else if (row.value == mark_value::number && !int_of(v)) {
    return "expected a whole number, not `" + into + "`";
  }
  return {};
}

std::string add_exact_mark(note_draft& d, const value& v) {
  spec s{v, {"xml"}, {"above", "below"}};
  if (auto more = s.beyond(2); !more.empty()) return more;
  auto kind = mark_by_option(s.word(0));
  if (!kind) {
    std::vector<std::string_view> known;
    for (const auto& row : mark_table())
      known.push_back(row.option);
    return "`" + s.word(0) + "` is not a mark on notes" + meant(s.word(0), known);
  }
  mark m{*kind, {}, s.xml()};
  if (s.size() > 1)
    if (auto fault = read_mark_text(*kind, s.words()[1], m.text); !fault.empty()) return fault;
  if (*kind == mark_kind::fermata_mark && m.text == "inverted") {
    m.text.clear();
    m.extra = with_attribute(m.extra, "type", "inverted");
  }
  if (s.flag("above") || s.flag("below"))
    m.extra = with_attribute(m.extra, "placement", s.flag("above") ? "above" : "below");
  d.first.marks.push_back(std::move(m));
  return {};
}

completion_words tie_words(std::string_view) {
  return {"start", "stop", "both", "start-undrawn", "stop-undrawn"};
}

completion_words beam_words(std::string_view) {
  return {"begin", "continue", "end", "forward-hook", "backward-hook"};
}

std::string add_tie(note_draft& d, const value& v) {
  auto& t = d.first.tie;
  spec s{v, {}};
  for (const auto& w : s.words()) {
    auto text = text_of(w).value_or(print(w));
    if (auto known = tie_words({}); std::find(known.begin(), known.end(), text) == known.end())
      return ":tie must be start, stop or both, not `" + text + "`" +
             meant(text, {known.begin(), known.end()});
    if (text == "start" || text == "both") t.start = true;
    if (text == "stop" || text == "both") t.stop = true;
    if (text == "start-undrawn") t.start = t.start_undrawn = true;
    if (text == "stop-undrawn") t.stop = t.stop_undrawn = true;
  }
  return {};
}

std::string add_spanner(note_draft& d, spanner_kind kind, const value& v) {
  spec s{v, {"xml", "text", "number"}, {"above", "below"}};
  if (auto more = s.beyond(2); !more.empty()) return more;
  spanner x;
  x.kind = kind;
  auto end = parse_span_end(s.word(0));
  auto row = std::find_if(span_names().begin(), span_names().end(),
                          [kind](const span_name& r) { return r.kind == kind; });
  auto& ends = row->ends;
  if (!end || std::find(ends.begin(), ends.end(), *end) == ends.end()) {
    std::string all;
    drawn_names known;
    for (auto e : ends) {
      all += (all.empty() ? "" : e == ends.back() ? " or " : ", ") + std::string{name_of(e)};
      known.push_back(name_of(e));
    }
    return "`" + s.word(0) + "` is not " + all + meant(s.word(0), known);
  }
  x.end = *end;
  x.text = s.text("text");
  auto number = s.integer("number");
  auto numbered = s.named("number") != nullptr;
  if (s.size() > 1 && kind == spanner_kind::tremolo) {
    // MusicXML's type "tremolo-marks".
    auto strokes = int_of(s.words()[1]);
    if (!strokes || *strokes < 0 || *strokes > 8)
      return "a tremolo has 0 to 8 strokes, not " + s.word(1);
    x.text = std::to_string(*strokes);
  } else if (s.size() > 1) {
    number = int_of(s.words()[1]);
    numbered = true;
  }
  if (numbered && (!number || *number < 1 || *number > 16))
    return "the number must be a whole number from 1 to 16";
  x.number = static_cast<std::uint8_t>(number.value_or(1));
  x.extra = s.xml();
  if (s.flag("above") || s.flag("below"))
    x.extra = with_attribute(x.extra, "placement", s.flag("above") ? "above" : "below");
  d.first.spanners.push_back(std::move(x));
  return {};
}

std::string add_beams(note_draft& d, const value& v) {
  auto number = 1;
  auto list = v.as_list();
  std::vector<value> one{v};
  const auto& items = list ? list->items : one;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].as_number()) {
      number = int_of(items[i]).value_or(0);
      if (number < 1 || number > 8) return "beams are numbered 1 to 8";
      continue;
    }
    auto word = text_of(items[i]).value_or(print(items[i]));
    if (word == "xml" && items[i].as_keyword() && i + 1 < items.size() && !d.first.beams.empty()) {
      if (auto fault = fault_of_xml(items[i + 1]); !fault.empty()) return fault;
      d.first.beams.back().extra = preserved_of(items[++i]);
      continue;
    }
    if (number > 8) return "a note has at most eight beams, one per level";
    beam b;
    b.number = static_cast<std::uint8_t>(number++);
    b.value = word == "start" ? "begin" : word == "stop" ? "end" : word;
    auto known = beam_words({});
    if (std::find(known.begin(), known.end(), b.value) == known.end())
      return ":beam must be begin, continue, end, forward-hook or backward-hook, not `" + word +
             "`" + meant(word, {known.begin(), known.end()});
    std::replace(b.value.begin(), b.value.end(), '-', ' ');
    d.first.beams.push_back(std::move(b));
  }
  return {};
}

std::string add_lyric(note_draft& d, const value& v) {
  lyric l;
  auto list = v.as_list();
  if (!list) {
    auto text = text_of(v);
    if (!text) return "expected a syllable such as \"la\", not " + print(v);
    l.syllables.push_back({"", "single", std::move(*text), {}});
    d.first.lyrics.push_back(std::move(l));
    return {};
  }
  std::string elision;
  const auto& items = list->items;
  auto single = [&] {
    for (auto& s : l.syllables)
      if (s.syllabic == "?")
        s.syllabic = "single";
      else if (s.syllabic == "none")
        s.syllabic.clear();
  };
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (auto s = items[i].as_string()) {
      l.syllables.push_back({std::exchange(elision, {}), "?", *s, {}});
      continue;
    }
    auto word = text_of(items[i]).value_or(print(items[i]));
    auto next = [&] { return i + 1 < items.size() ? items[++i] : value{}; };
    if (word == "single" || word == "begin" || word == "middle" || word == "end" ||
        word == "none") {
      if (l.syllables.empty()) return "the syllable's text must come before `" + word + "`";
      l.syllables.back().syllabic = word;
    } else if (word == "elision") {
      elision = text_of(next()).value_or("");
    } else if ((word == "text-xml" && !l.syllables.empty()) || word == "xml") {
      auto xml = next();
      if (auto fault = fault_of_xml(xml); !fault.empty()) return fault;
      (word == "xml" ? l.extra : l.syllables.back().extra) = preserved_of(xml);
    } else if (word == "verse") {
      // An imported lyric may have an empty number.
      auto verse = text_of(next());
      l.number = verse.value_or("");
      if (!verse) return "which verse? (\"la\" :verse 2)";
    } else if (word == "extend") {
      // Alone it is a line to wherever the next syllable stands.
      auto kind = i + 1 < items.size() ? text_of(items[i + 1]).value_or("") : std::string{};
      auto says = kind == "plain" || kind == "start" || kind == "stop" || kind == "continue";
      l.extend = says ? kind : "plain";
      if (says) ++i;
    } else if (word == "humming") {
      l.humming = true;
    } else if (word == "laughing") {
      l.laughing = true;
    } else if (word == "end-line") {
      l.end_line = true;
    } else if (word == "end-paragraph") {
      l.end_paragraph = true;
    } else {
      return "`" + word + "` is not a valid value for a lyric" +
             meant(word, {"single", "begin", "middle", "end", "none", "elision", "verse", "extend",
                          "humming", "laughing", "end-line", "end-paragraph"});
    }
  }
  single();
  d.first.lyrics.push_back(std::move(l));
  return {};
}

std::string set_accidental(note_draft& d, const value& v) {
  static const std::map<std::string, std::string, std::less<>> signs{
      {"#", "sharp"},        {"s", "sharp"},
      {"b", "flat"},         {"n", "natural"},
      {"x", "double-sharp"}, {"##", "double-sharp"},
      {"bb", "flat-flat"},   {"double-flat", "flat-flat"},
  };
  spec s{v, {"xml"}, {"cautionary", "editorial", "parentheses"}};
  if (auto more = s.beyond(1); !more.empty()) return more;
  if (s.size() == 0) return "which accidental? :accidental sharp";
  displayed_accidental a;
  if (auto sign = signs.find(s.word(0)); sign != signs.end())
    a.value = sign->second;
  else if (auto known = drawn_text(s.words()[0], accidental_names()))
    a.value = *known;
  else
    return no_such_name(s.words()[0], accidental_names(), "accidental");
  a.extra = s.xml();
  for (auto flag : {"cautionary", "editorial", "parentheses"})
    if (s.flag(flag)) a.extra = with_attribute(a.extra, flag, "yes");
  d.first.accidental = std::move(a);
  return {};
}

std::string set_notehead(note_draft& d, const value& v) {
  spec s{v, {"xml", "filled", "parentheses"}};
  if (auto more = s.beyond(1); !more.empty()) return more;
  if (s.size() == 0) return "which notehead? :notehead diamond";
  auto known = drawn_text(s.words()[0], notehead_names());
  if (!known) return no_such_name(s.words()[0], notehead_names(), "notehead");
  const drawn_names yes_or_no{"yes", "no"};
  for (auto what : {"filled", "parentheses"})
    if (auto said = s.named(what); said && !drawn_text(*said, yes_or_no))
      return ":" + std::string{what} + " must be yes or no, not `" + print(*said) + "`";
  d.first.notehead = notehead{*known, s.text("filled"), s.text("parentheses"), s.xml()};
  return {};
}

std::optional<std::string> word_in_child(const mark& m) {
  auto child = child_of(m.kind);
  if (child.empty() || !m.extra || !m.extra->attributes.empty() || m.extra->children.size() != 1)
    return std::nullopt;
  std::string_view xml = m.extra->children.front().xml;
  auto open = "<" + std::string{child} + ">", close = "</" + std::string{child} + ">";
  if (!m.text.empty() || !xml.starts_with(open) || !xml.ends_with(close)) return std::nullopt;
  xml = xml.substr(open.size(), xml.size() - open.size() - close.size());
  if (m.kind == mark_kind::arrow) {
    auto word = drawn_value(xml, arrow_names());
    return word.as_keyword() ? std::optional{*word.as_keyword()} : std::nullopt;
  }
  if (m.kind == mark_kind::bend) {
    for (auto& size : bend_sizes)
      if (size.written == xml) return std::string{size.said};
    return std::nullopt;
  }
  auto& choices = mark_choices().at(m.kind);
  auto known = std::find(choices.begin() + 1, choices.end(), xml) != choices.end();
  return known ? std::optional{std::string{xml}} : std::nullopt;
}

const std::vector<std::string>* mark_words(mark_kind kind) {
  auto found = mark_choices().find(kind);
  return found == mark_choices().end() ? nullptr : &found->second;
}

}  // namespace fermata

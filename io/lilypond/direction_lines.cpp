#include "io/lilypond/direction_lines.hpp"

#include "io/lilypond/mark_text.hpp"
#include "io/lilypond/syntax.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>
#include <tuple>

namespace fermata::io::lilypond {

namespace {

std::string side(const direction& d, const char* otherwise) {
  return d.placement == "above" ? "^" : d.placement == "below" ? "_" : otherwise;
}

struct enclosure_row {
  std::string_view enclosure, command;
};
constexpr enclosure_row enclosures[] = {
    {"none", ""},
    {"square", "\\box "},
    {"rectangle", "\\box "},
    {"circle", "\\circle "},
    {"oval", "\\ellipse "},
    {"bracket", "\\bracket "},
};

/// Text as markup with its frame: the one that is said, else the usual one of its kind.
std::string framed(std::string_view text, const preserved& extra, std::string_view usual,
                   const std::string& styles = {}) {
  auto said = attribute(extra, "enclosure");
  std::string frame;
  for (auto& row : enclosures)
    if (row.enclosure == (said.empty() ? usual : said)) frame = row.command;
  return "\\markup { " + frame + styles + quoted(text) + " }";
}

/// A frame that LilyPond does not have.
std::optional<std::string> unknown_enclosure(const preserved& extra) {
  auto said = attribute(extra, "enclosure");
  if (said.empty() || std::any_of(std::begin(enclosures), std::end(enclosures),
                                  [&](auto& row) { return row.enclosure == said; }))
    return std::nullopt;
  return "enclosures \"" + said + "\"";
}

std::string markup(const words& w) {
  std::string styles;
  if (attribute(w.extra, "font-weight") == "bold") styles += "\\bold ";
  if (attribute(w.extra, "font-style") == "italic") styles += "\\italic ";
  return framed(w.text, w.extra, "none", styles);
}

bool is_whole_number(const std::string& text) {
  return !text.empty() && text.size() < 5 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

/// Items of a measure by place, attributed to a staff.
std::vector<const measure_item*> by_place(const measure& m) {
  std::vector<const measure_item*> items;
  for (auto& item : m.items)
    items.push_back(&item);
  std::stable_sort(items.begin(), items.end(), [](auto* a, auto* b) { return a->at < b->at; });
  return items;
}

bool has_tempo(const direction& d) {
  return std::any_of(d.types.begin(), d.types.end(),
                     [](auto& t) { return std::holds_alternative<metronome>(t); });
}

/// The post-events of one direction for one line of a staff.
class direction_events {
public:
  direction_events(const score_plan& plan, const part_plan& part, int staff, int line)
    : plan_(plan),
      part_(part),
      staff_(staff),
      line_(line),
      pedal_style_(part.lines.first_pedal_style(staff)) {}

  void begin_measure(std::size_t m) {
    measure_ = m;
    with_dynamic_.clear();
  }

  /// `moment` tells places apart; of several dynamics at one LilyPond takes only the first.
  std::string of(const direction& d, std::pair<measure_position, bool> moment) {
    events_.clear();
    before_.clear();
    direction_ = &d;
    moment_ = moment;
    own_ = line_ == 1 && d.staff.value_or(1) == staff_;
    for (auto& t : d.types) {
      end_ = part_.lines.find(t);
      if (end_ && (end_->staff != staff_ || end_->line != line_)) end_ = nullptr;
      std::visit(*this, t);
    }
    return events_.empty() ? "" : before_ + "<>" + events_;
  }

  void operator()(const dynamics& x) {
    if (!own_) return;
    for (auto& v : x.values)
      if (with_dynamic_.insert(moment_).second)
        events_ += side(*direction_, "-") + dynamic_text(v);
      else
        events_ += side(*direction_, "_") + "\\markup { \\dynamic " + quoted(v) + " }";
  }
  void operator()(const wedge& x) {
    if (!end_) return;
    // Circled at the silent end; said of either end in MusicXML.
    if (attribute(x.extra, "niente") == "yes" && x.type != "stop")
      events_ += "-\\tweak circled-tip ##t ";
    else if (attribute(x.extra, "niente") == "yes")
      lose("niente at the end of hairpins");
    if (x.type == "crescendo")
      events_ += side(*direction_, "") + "\\<";
    else if (x.type == "diminuendo")
      events_ += side(*direction_, "") + "\\>";
    else if (x.type == "stop")
      events_ += "\\!";
  }
  void operator()(const words& x) {
    // Beside a metronome mark they are the tempo.
    if (!own_) return;
    if (auto frame = unknown_enclosure(x.extra)) lose(*frame);
    if (!x.text.empty() && !has_tempo(*direction_)) events_ += side(*direction_, "^") + markup(x);
  }
  void operator()(const pedal& x) {
    if (!end_) return;
    auto on = end_->sostenuto ? "\\sostenutoOn" : "\\sustainOn";
    auto off = end_->sostenuto ? "\\sostenutoOff" : "\\sustainOff";
    if (x.type == "start" || x.type == "resume" || x.type == "sostenuto") {
      if (end_->pedal_style != pedal_style_)
        for (auto which : {"pedalSustainStyle", "pedalSostenutoStyle"})
          before_ += "\\set Staff." + std::string{which} + " = #'" + end_->pedal_style + " ";
      pedal_style_ = end_->pedal_style;
      events_ += on;
    } else if (x.type == "stop" || x.type == "discontinue") {
      events_ += off;
    } else if (x.type == "change") {
      events_ += std::string{off} + on;
    }
  }
  void operator()(const line_end& x) {
    if (own_ && x.type == "start") lose(x.dashes ? "dashed lines" : "brackets over notes");
  }
  void operator()(const fragment& x) {
    if (own_) lose("<" + std::string{element_name(x.xml)} + ">");
  }
  // These belong to the score or to the frame of the staff.
  void operator()(const rehearsal_mark&) {}
  void operator()(const segno_mark&) {}
  void operator()(const coda_mark&) {}
  void operator()(const metronome&) {}
  void operator()(const octave_shift&) {}

private:
  void lose(const std::string& what) { plan_.losses.add(what, part_.index, measure_); }

  const score_plan& plan_;
  const part_plan& part_;
  int staff_, line_;
  std::size_t measure_ = 0;
  std::string pedal_style_;  ///< that is set
  const direction* direction_ = nullptr;
  bool own_ = false;                             ///< it stands on this staff and line
  const line_plan::written_end* end_ = nullptr;  ///< of a line that is written here
  std::pair<measure_position, bool> moment_;
  std::set<std::pair<measure_position, bool>> with_dynamic_;
  std::string before_, events_;
};

std::string tempo_text(const metronome& x, const std::string& words_beside) {
  std::string text = "\\tempo ";
  if (!x.equals && is_whole_number(x.per_minute))
    return text + (words_beside.empty() ? "" : quoted(words_beside) + " ") + value_text(x.beat) +
           " = " + x.per_minute;
  // What is no plain number is drawn as text.
  auto note = [](note_value v) { return "\\note {" + value_text(v) + "} #1"; };
  auto right = x.equals ? note(*x.equals) : quoted(x.per_minute);
  return text + "\\markup { " + (words_beside.empty() ? "" : quoted(words_beside) + " ") +
         "\\normal-text { " + note(x.beat) + " \" = \" " + right + " } }";
}

struct kind_row {
  std::string_view kind, suffix;
};
constexpr kind_row chord_kinds[] = {
    {"major", ""},
    {"minor", ":m"},
    {"augmented", ":aug"},
    {"diminished", ":dim"},
    {"dominant", ":7"},
    {"major-seventh", ":maj7"},
    {"minor-seventh", ":m7"},
    {"diminished-seventh", ":dim7"},
    {"augmented-seventh", ":aug7"},
    {"half-diminished", ":m7.5-"},
    {"major-minor", ":m7+"},
    {"major-sixth", ":6"},
    {"minor-sixth", ":m6"},
    {"dominant-ninth", ":9"},
    {"major-ninth", ":maj9"},
    {"minor-ninth", ":m9"},
    {"dominant-11th", ":11"},
    {"major-11th", ":maj11"},
    {"minor-11th", ":m11"},
    {"dominant-13th", ":13.11"},
    {"major-13th", ":maj13.11"},
    {"minor-13th", ":m13"},
    {"suspended-second", ":sus2"},
    {"suspended-fourth", ":sus4"},
    {"power", ":1.5"},
};

/// Root, duration and quality of a chord symbol, or nothing when chord mode has no word for it.
std::optional<std::string> chord_text(const harmony& h, quarters length) {
  auto duration = "1*" + whole_fraction(length);
  if (h.kind == "none") return "r" + duration;
  if (!h.root) return std::nullopt;
  auto row = std::find_if(std::begin(chord_kinds), std::end(chord_kinds),
                          [&](auto& r) { return r.kind == h.kind; });
  if (row == std::end(chord_kinds)) return std::nullopt;
  std::string suffix{row->suffix};
  std::string removed;
  for (auto& d : h.degrees) {
    auto step = std::to_string(d.value) + (d.cents > 0 ? "+" : d.cents < 0 ? "-" : "");
    if (d.type == "subtract")
      removed += (removed.empty() ? "^" : ".") + std::to_string(d.value);
    else
      suffix += (suffix.empty() ? ":" : ".") + step;
  }
  auto text = name_text(*h.root) + duration + suffix + removed;
  if (h.bass) text += "/+" + name_text(*h.bass);
  return text;
}

}  // namespace

/// Whether a direction at the start of a measure is met before a grace note there.
static bool before_graces(const measure& m, const measure_item& what) {
  if (what.at != measure_position{}) return false;
  bool met = false;
  for (auto& item : m.items) {
    met |= &item == &what;
    if (met && item.at == measure_position{})
      if (auto* x = std::get_if<chord_rest>(&item.content)) return x->grace.has_value();
  }
  return false;
}

int direction_lines(const score_plan& plan, const part_plan& part, int staff) {
  auto highest = part.lines.hairpin_lines(staff);
  for (auto& m : plan.source.parts[part.index]->measures)
    for (auto& item : m->items)
      if (auto* d = std::get_if<direction>(&item.content)) {
        auto here = d->staff.value_or(1) == staff;
        for (auto& t : d->types)
          if (auto* end = part.lines.find(t)) here = here || end->staff == staff;
        if (here) return std::max(highest, 1);
      }
  return highest;
}

std::string write_directions(const score_plan& plan, const part_plan& part, int staff,
                             int line_number) {
  auto& source = *plan.source.parts[part.index];
  line_writer line{line_writer::skips::voice};
  direction_events events{plan, part, staff, line_number};
  bool any = false;
  for (std::size_t m = 0; m < plan.lengths.size(); ++m) {
    static const measure nothing{};
    auto& here = m < source.measures.size() ? *source.measures[m] : nothing;
    events.begin_measure(m);
    struct placed {
      measure_position at;
      std::string text;
      bool before_graces;
    };
    std::vector<placed> found;
    for (auto* item : by_place(here)) {
      auto* d = std::get_if<direction>(&item->content);
      if (!d) continue;
      auto at = item->at + d->offset.value_or(quarters{});
      auto before = before_graces(here, *item);
      if (auto text = events.of(*d, {at, before}); !text.empty())
        found.push_back({at, text, before});
    }
    std::stable_sort(found.begin(), found.end(), [](auto& a, auto& b) {
      return std::tuple{a.at, !a.before_graces} < std::tuple{b.at, !b.before_graces};
    });
    // The graces at the beginning have time of their own, and directions stand before or behind it.
    for (auto& f : found)
      if (f.before_graces) line.word(f.text);
    line.begin_measure(plan.grace_lead[m]);
    for (auto& f : found) {
      any = true;
      if (f.before_graces) continue;
      line.skip_to(std::clamp(f.at, measure_position{}, measure_position{} + plan.lengths[m]));
      line.word(f.text);
    }
    line.end_measure(plan.lengths[m], plan.metred[m], here.number);
  }
  return any ? line.text() : "";
}

std::string write_score_marks(const score_plan& plan) {
  line_writer line{line_writer::skips::silent};
  for (std::size_t m = 0; m < plan.lengths.size(); ++m) {
    line.begin_measure(plan.grace_lead[m]);
    struct placed {
      measure_position at;
      std::string text;
    };
    std::vector<placed> found;
    for (std::size_t part_index = 0; part_index < plan.source.parts.size(); ++part_index) {
      auto& p = plan.source.parts[part_index];
      if (m >= p->measures.size()) continue;
      for (auto* item : by_place(*p->measures[m])) {
        auto* d = std::get_if<direction>(&item->content);
        if (!d) continue;
        std::string beside;
        for (auto& t : d->types)
          if (auto* w = std::get_if<words>(&t)) beside += (beside.empty() ? "" : " ") + w->text;
        for (auto& t : d->types) {
          std::string text;
          if (auto* tempo = std::get_if<metronome>(&t))
            text = tempo_text(*tempo, beside);
          else if (auto* r = std::get_if<rehearsal_mark>(&t))
            text = "\\mark " + framed(r->text, r->extra, "square");
          else if (std::holds_alternative<segno_mark>(t))
            text = "\\textMark \\markup { \\musicglyph \"scripts.segno\" }";
          else if (std::holds_alternative<coda_mark>(t))
            text = "\\textMark \\markup { \\musicglyph \"scripts.coda\" }";
          if (text.empty()) continue;
          // One of a kind at a place: parts repeat what is the score's.
          auto at = item->at + d->offset.value_or(quarters{});
          auto kind = text.substr(0, text.find(' '));
          bool there = std::any_of(found.begin(), found.end(), [&](auto& f) {
            return f.at == at &&
                   (f.text == text || (kind != "\\textMark" && f.text.starts_with(kind)));
          });
          if (!there)
            found.push_back({at, text});
          else if (std::none_of(found.begin(), found.end(),
                                [&](auto& f) { return f.at == at && f.text == text; }))
            plan.losses.add("several tempo or rehearsal marks at the same position", part_index, m);
          if (auto* r = std::get_if<rehearsal_mark>(&t))
            if (auto frame = unknown_enclosure(r->extra)) plan.losses.add(*frame, part_index, m);
        }
      }
    }
    std::stable_sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.at < b.at; });
    for (auto& f : found) {
      line.skip_to(std::clamp(f.at, measure_position{}, measure_position{} + plan.lengths[m]));
      line.word(f.text);
    }
    line.end_measure(plan.lengths[m], plan.metred[m], std::to_string(m + 1));
  }
  return line.text();
}

std::string write_chord_names(const score_plan& plan, const part_plan& part) {
  auto& source = *plan.source.parts[part.index];
  struct symbol {
    quarters onset;
    const harmony* what;
    std::size_t measure;
  };
  std::vector<symbol> symbols;
  quarters start;
  for (std::size_t m = 0; m < plan.lengths.size(); ++m) {
    if (m < source.measures.size())
      for (auto* item : by_place(*source.measures[m]))
        if (auto* h = std::get_if<harmony>(&item->content))
          symbols.push_back(
              {start + (item->at - measure_position{}) + h->offset.value_or(quarters{}), h, m});
    start += plan.lengths[m];
  }
  if (symbols.empty()) return "";
  std::stable_sort(symbols.begin(), symbols.end(),
                   [](auto& a, auto& b) { return a.onset < b.onset; });
  std::string text;
  quarters now;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    auto& s = symbols[i];
    for (std::size_t k = 0; k < s.what->further.size(); ++k)
      plan.losses.add("further chords of polychords", part.index, s.measure);
    auto next = i + 1 < symbols.size() ? symbols[i + 1].onset : std::max(start, s.onset);
    if (next == s.onset) {
      plan.losses.add("several chord symbols at the same position", part.index, s.measure);
      continue;
    }
    auto written = chord_text(*s.what, next - s.onset);
    if (!written) {
      plan.losses.add(s.what->root ? "chord symbols of the kind \"" + s.what->kind + "\""
                                   : std::string{"chord symbols by function"},
                      part.index, s.measure);
      continue;
    }
    if (s.onset > now) text += "s1*" + whole_fraction(s.onset - now) + " ";
    text += *written + "\n";
    now = next;
  }
  return text;
}

}  // namespace fermata::io::lilypond

#include "io/lilypond/voice.hpp"

#include "core/score/lines.hpp"
#include "core/score/ties.hpp"
#include "io/lilypond/chord_text.hpp"
#include "io/lilypond/syntax.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace fermata::io::lilypond {

namespace {

using item_place = std::pair<std::size_t, std::size_t>;  // measure, item

/// How many times shorter the chord is than it is drawn. What it lasts decides, not the numbers of
/// <time-modification>, which nested tuplets often get wrong.
rational ratio_of(const chord_rest& x) {
  if (!x.tuplet) return rational{1};
  if (x.written && x.length > quarters{}) return length(*x.written) / x.length;
  return x.tuplet->actual > 0 ? rational{x.tuplet->actual, std::max(1, x.tuplet->normal)}
                              : rational{1};
}

/// How many tuplet brackets begin or end on a chord.
int brackets(const chord_rest& x, span_end end) {
  int count = 0;
  for (auto& n : x.notes)
    count += static_cast<int>(std::count_if(n.spanners.begin(), n.spanners.end(), [&](auto& s) {
      return s.kind == span_kind::tuplet && s.end == end;
    }));
  return count;
}

/// Strokes of a two-note tremolo that begins here.
std::optional<int> alternating(const chord_rest& x) {
  for (auto& n : x.notes)
    for (auto& s : n.spanners)
      if (s.kind == span_kind::tremolo_double && s.end == span_end::start) {
        auto marks = parse_rational(s.text).value_or(rational{3});
        if (marks.is_integer() && marks > rational{0} && marks <= rational{6})
          return static_cast<int>(marks.numerator());
      }
  return std::nullopt;
}

class voice_writer {
public:
  voice_writer(const score_plan& plan, const part_plan& part, const voice_plan& voice)
    : plan_(plan),
      source_(*plan.source.parts[part.index]),
      part_(part),
      voice_(voice),
      line_(line_writer::skips::voice),
      staff_(voice.home) {
    link_lines();
  }

  std::string write() {
    std::string head;
    for (std::size_t m = 0; m < plan_.lengths.size(); ++m)
      write_measure(m);
    if (collects_)
      head = "\\set " + voice_context(part_.kind(voice_.home)) + ".tieWaitForNote = ##t\n";
    return head + line_.text();
  }

private:
  // --- lines between notes, found beforehand ---

  bool mine(const line_end_place& e) const {
    auto* x = std::get_if<chord_rest>(&source_.measures[e.measure]->items[e.item].content);
    return x && voice_.holds(*x);
  }

  void link_lines() {
    auto lines = pair_lines(line_ends(source_, 0, source_.measures.size()));
    for (auto& [a, b] : lines.pairs) {
      if (a.voice.empty() || a.kind == line_kind::tuplet || a.kind == line_kind::tremolo) continue;
      if (!mine(a)) continue;
      if (!mine(b)) {
        plan_.losses.add(std::string{name_of(a.kind)} + "s between voices", part_.index, a.measure);
        continue;
      }
      link(a, b);
    }
    for (auto& e : lines.lonely)
      if (!e.voice.empty() && mine(e) && e.kind != line_kind::tuplet)
        plan_.losses.add(std::string{name_of(e.kind)} + "s with one end", part_.index, e.measure);
  }

  void link(const line_end_place& a, const line_end_place& b) {
    item_place from{a.measure, a.item}, to{b.measure, b.item};
    auto id = a.number > 1 ? "\\=" + std::to_string(a.number) : std::string{};
    switch (a.kind) {
      case line_kind::slur:
        if (from == to) break;
        links_[from].after += id + "(";
        // A slur ends before the next one begins.
        links_[to].after = id + ")" + links_[to].after;
        break;
      case line_kind::glissando:
      case line_kind::slide: links_[from].after += "\\glissando"; break;
      case line_kind::wavy_line:
        if (from == to) break;
        links_[from].in_trill_line = true;
        links_[from].after += "\\startTrillSpan";
        links_[to].after = "\\stopTrillSpan" + links_[to].after;
        break;
      case line_kind::hammer_on:
      case line_kind::pull_off:
        plan_.losses.add(std::string{name_of(a.kind)} + "s", part_.index, a.measure);
        break;
      case line_kind::tuplet:
      case line_kind::tremolo:
      case line_kind::hairpin:
      case line_kind::pedal:
      case line_kind::octave_line:
      case line_kind::bracket:
      case line_kind::dashes: break;
    }
  }

  chord_links links_of(std::size_t m, std::size_t i, const chord_rest& x) {
    chord_links links = links_[{m, i}];
    links.tied.resize(x.notes.size());
    links.rings.resize(x.notes.size());
    for (std::size_t n = 0; n < x.notes.size(); ++n) {
      auto& written = x.notes[n];
      for (auto& s : written.spanners)
        if (s.kind == span_kind::tied && s.end == span_end::let_ring) links.rings[n] = true;
      if (written.tie.start && !links.rings[n]) tie(m, i, n, x, links);
      if (written.tie.stop)
        if (auto from = tied_from(source_, {m, i, n}); from && from->measure + 1 < m)
          links.repeat_tie = true;
    }
    return links;
  }

  void tie(std::size_t m, std::size_t i, std::size_t n, const chord_rest& x, chord_links& links) {
    auto to = tied_to(source_, {m, i, n});
    if (!to) {
      plan_.losses.add("ties without a second note", part_.index, m);
      return;
    }
    auto& target = source_.measures[to->measure]->items[to->item];
    auto& other = std::get<chord_rest>(target.content);
    auto end = source_.measures[m]->items[i].at + x.length;
    bool gap = to->measure == m && target.at > end;
    if (!voice_.holds(other) && (other.staff != x.staff || gap)) {
      plan_.losses.add(gap ? "ties across other notes between voices" : "ties between staves",
                       part_.index, m);
      return;
    }
    links.tied[n] = true;
    collects_ |= gap;
  }

  // --- measures ---

  struct placed {
    std::size_t item;
    measure_position at;
    const chord_rest* chord;
  };

  std::vector<placed> line_of(std::size_t m) {
    std::vector<placed> line;
    if (m >= source_.measures.size()) return line;
    auto& items = source_.measures[m]->items;
    for (std::size_t i = 0; i < items.size(); ++i)
      if (auto* x = std::get_if<chord_rest>(&items[i].content); x && voice_.holds(*x))
        line.push_back({i, items[i].at, x});
    std::stable_sort(line.begin(), line.end(), [](auto& a, auto& b) { return a.at < b.at; });
    return line;
  }

  void write_measure(std::size_t m) {
    auto line = line_of(m);
    static const measure nothing{};
    auto& here = m < source_.measures.size() ? *source_.measures[m] : nothing;
    line_.begin_measure(plan_.grace_lead[m], leading_graces(here, voice_));
    if (!line.empty()) place_voice(m);
    for (std::size_t k = 0; k < line.size();)
      k = write_chord(m, line, k);
    close_tuplets(tuplets_.size());
    line_.end_measure(plan_.lengths[m], plan_.metred[m], here.number);
  }

  /// The staves on which a voice has something in a measure.
  std::set<int> staves_of(const voice_plan& v, std::size_t m) const {
    std::set<int> staves;
    for (auto& item : source_.measures[m]->items)
      if (auto* x = std::get_if<chord_rest>(&item.content); x && v.holds(*x))
        staves.insert(x->staff);
    return staves;
  }

  /// Stems and slurs turn away from the other voices of the staff, while there are any.
  void place_voice(std::size_t m) {
    auto mine = staves_of(voice_, m);
    std::vector<const voice_plan*> sounding;
    for (auto& v : part_.voices) {
      auto theirs = staves_of(v, m);
      if (std::any_of(theirs.begin(), theirs.end(), [&](int s) { return mine.contains(s); }))
        sounding.push_back(&v);
    }
    static constexpr const char* names[] = {"\\voiceOne", "\\voiceTwo", "\\voiceThree",
                                            "\\voiceFour"};
    std::string now = "\\oneVoice";
    if (sounding.size() > 1)
      for (std::size_t k = 0; k < sounding.size(); ++k)
        if (sounding[k] == &voice_) now = names[std::min(k, std::size_t{3})];
    if (now != placed_) line_.word(now);
    placed_ = now;
  }

  /// Writes chord `k` (with graces before or after it, or its tremolo partner); answers the next
  /// one.
  std::size_t write_chord(std::size_t m, const std::vector<placed>& line, std::size_t k) {
    if (line[k].chord->grace) return write_graces(m, line, k);
    auto& p = line[k];
    auto& x = *p.chord;
    if (p.at < line_.at()) {
      plan_.losses.add("notes that overlap others of their voice", part_.index, m);
      return k + 1;
    }
    skip_to(p.at);
    change_staff(x);
    for (auto& n : x.notes)
      if (n.differs)
        plan_.losses.add("notes with durations other than their chord's", part_.index, m);
    set_size(x.cue);
    if (auto strokes = alternating(x); strokes && k + 1 < line.size())
      if (write_alternating(m, p, line[k + 1], *strokes)) return k + 2;
    open_tuplets(line, k);
    auto links = links_of(m, p.item, x);
    // Graces behind it that no note follows belong to its end.
    auto end = p.at + x.length;
    std::size_t after = k + 1;
    while (after < line.size() && line[after].chord->grace && line[after].at == end)
      ++after;
    bool after_graces = after > k + 1 && (after == line.size() || line[after].at != end) &&
                        end == measure_position{} + plan_.lengths[m];
    if (after_graces) line_.word("\\afterGrace");
    line_.word(chord_word(m, x, links, duration_in_tuplets(x)));
    if (after_graces) {
      line_.word("{");
      for (auto g = k + 1; g < after; ++g)
        line_.word(grace_word(m, line[g]));
      line_.word("}");
    }
    line_.advance(x.length);
    close_tuplets(static_cast<std::size_t>(brackets(x, span_end::stop)));
    return after_graces ? after : k + 1;
  }

  std::string chord_word(std::size_t m, const chord_rest& x, const chord_links& links,
                         const std::string& duration) {
    auto heads = heads_text(x, links, drums());
    auto& first = x.notes.front();
    auto* silence = std::get_if<rest>(&first.tone);
    bool whole = silence && silence->whole_measure && !silence->display_step &&
                 x.length == plan_.lengths[m] && plan_.metred[m];
    if (whole)
      return "R1*" + whole_fraction(x.length) + post_events(x, links, plan_, part_.index, m);
    return heads + duration + tremolo_text(x) + post_events(x, links, plan_, part_.index, m);
  }

  std::size_t write_graces(std::size_t m, const std::vector<placed>& line, std::size_t k) {
    auto end = k;
    while (end < line.size() && line[end].chord->grace && line[end].at == line[k].at)
      ++end;
    skip_to(line[k].at);
    change_staff(*line[k].chord);
    line_.word(line[k].chord->grace->slash ? "\\slashedGrace {" : "\\grace {");
    for (auto g = k; g < end; ++g)
      line_.word(grace_word(m, line[g]));
    line_.word("}");
    return end;
  }

  std::string grace_word(std::size_t m, const placed& g) {
    auto links = links_of(m, g.item, *g.chord);
    auto value = g.chord->written.value_or(note_value{note_base::eighth, 0});
    return heads_text(*g.chord, links, drums()) + value_text(value) +
           post_events(*g.chord, links, plan_, part_.index, m);
  }

  bool write_alternating(std::size_t m, const placed& a, const placed& b, int strokes) {
    if (b.chord->grace || b.at != a.at + a.chord->length) return false;
    auto stroke =
        note_value{static_cast<note_base>(static_cast<int>(note_base::quarter) + strokes), 0};
    auto count = (a.chord->length + b.chord->length) / (length(stroke) * rational{2});
    if (!count.is_integer()) return false;
    line_.word("\\repeat tremolo " + to_string(count) + " {");
    line_.word(chord_word(m, *a.chord, links_of(m, a.item, *a.chord), value_text(stroke)));
    line_.word(chord_word(m, *b.chord, links_of(m, b.item, *b.chord), value_text(stroke)));
    line_.word("}");
    line_.advance(a.chord->length + b.chord->length);
    return true;
  }

  /// Cue notes are small, and so is what hangs on them.
  void set_size(bool cue) {
    if (cue == cue_) return;
    line_.word(cue ? "\\set fontSize = #-3" : "\\unset fontSize");
    cue_ = cue;
  }

  const part* drums() const {
    return part_.kind(voice_.home) == staff_kind::drums ? &source_ : nullptr;
  }

  void change_staff(const chord_rest& x) {
    if (x.staff == staff_ || part_.staves < 2) return;
    if (part_.kind(x.staff) != part_.kind(staff_)) return;  // notes stay out of tablature
    staff_ = x.staff;
    line_.word("\\change " + staff_context(part_.kind(staff_)) + " = " +
               quoted(part_.staff_id(staff_)));
  }

  // --- tuplets ---

  struct open_tuplet {
    rational ratio;
    bool drawn;
  };

  rational open_ratio() const {
    rational product{1};
    for (auto& t : tuplets_)
      product *= t.ratio;
    return product;
  }

  /// A gap; within a tuplet it is written in the tuplet's time.
  void skip_to(measure_position to) {
    if (to <= line_.at()) return;
    auto gap = to - line_.at();
    line_.word("s1*" + whole_fraction(gap * open_ratio()));
    line_.advance(gap);
  }

  /// Opens brackets so that the product of all ratios is that of chord `k`. Where the score draws
  /// no bracket, neither does LilyPond.
  void open_tuplets(const std::vector<placed>& line, std::size_t k) {
    auto& x = *line[k].chord;
    auto starts = brackets(x, span_end::start);
    auto wanted = ratio_of(x);
    // An undrawn group ends where its ratio does.
    while (!tuplets_.empty() && !tuplets_.back().drawn && (starts > 0 || wanted != open_ratio()))
      close_tuplets(1);
    // Of several brackets that begin together an outer one has the ratio of the first chord behind
    // the inner ones.
    for (; starts >= 2; --starts)
      open(ratio_behind(line, k, starts) / open_ratio(), true);
    auto factor = wanted / open_ratio();
    if (starts == 1 || factor != rational{1}) open(factor, starts == 1);
  }

  /// The ratio of the chord behind the innermost of `depth` brackets that begin on chord `k`, if
  /// that is still within the others; else that of the chord itself.
  rational ratio_behind(const std::vector<placed>& line, std::size_t k, int depth) const {
    for (auto j = k; j + 1 < line.size(); ++j) {
      depth += (j == k ? 0 : brackets(*line[j].chord, span_end::start)) -
               brackets(*line[j].chord, span_end::stop);
      if (depth < 1) break;
      if (brackets(*line[j].chord, span_end::stop) > 0) return ratio_of(*line[j + 1].chord);
    }
    return open_ratio();
  }

  /// Ratio 1 (a bracket over notes that are none) is kept in mind, so that its end closes nothing
  /// else.
  void open(rational ratio, bool drawn) {
    if (ratio != rational{1}) {
      if (!drawn) line_.word("\\once \\omit TupletNumber \\once \\omit TupletBracket");
      line_.word("\\tuplet " + std::to_string(ratio.numerator()) + "/" +
                 std::to_string(ratio.denominator()) + " {");
    }
    tuplets_.push_back({ratio, drawn});
  }

  void close_tuplets(std::size_t count) {
    for (; count > 0 && !tuplets_.empty(); --count) {
      if (tuplets_.back().ratio != rational{1}) line_.word("}");
      tuplets_.pop_back();
    }
  }

  std::string duration_in_tuplets(const chord_rest& x) const {
    return duration_text(x.length * open_ratio(), x.written);
  }

  const score_plan& plan_;
  const part& source_;
  const part_plan& part_;
  const voice_plan& voice_;
  line_writer line_;
  int staff_;
  std::string placed_ = "\\oneVoice";
  std::map<item_place, chord_links> links_;
  std::vector<open_tuplet> tuplets_;  ///< outermost first
  bool collects_ = false;             ///< some tie reaches over other notes
  bool cue_ = false;                  ///< notes are written small
};

std::string syllable_text(const lyric& l) {
  std::string text;
  for (auto& s : l.syllables) {
    if (!text.empty()) text += "~";
    text += s.text;
  }
  return quoted(text);
}

}  // namespace

std::string write_voice(const score_plan& plan, const part_plan& part, const voice_plan& voice) {
  return voice_writer{plan, part, voice}.write();
}

std::string write_verse(const score_plan& plan, const part_plan& part, const voice_plan& voice,
                        const std::string& verse) {
  std::string text = "\\set ignoreMelismata = ##t";
  auto& source = *plan.source.parts[part.index];
  for (auto& m : source.measures) {
    std::vector<const measure_item*> line;
    for (auto& item : m->items)
      if (auto* x = std::get_if<chord_rest>(&item.content);
          x && voice.holds(*x) && !is_rest(*x) && !x->grace)
        line.push_back(&item);
    std::stable_sort(line.begin(), line.end(), [](auto* a, auto* b) { return a->at < b->at; });
    for (auto* item : line) {
      auto& x = std::get<chord_rest>(item->content);
      const lyric* found = nullptr;
      for (auto& n : x.notes)
        for (auto& l : n.lyrics)
          if (l.number == verse && !l.syllables.empty() && !found) found = &l;
      if (!found) {
        text += " _";
        continue;
      }
      text += " " + syllable_text(*found);
      auto& last = found->syllables.back().syllabic;
      if (last == "begin" || last == "middle")
        text += " --";
      else if (found->extend == "plain" || found->extend == "start")
        text += " __";
    }
    text += "\n";
  }
  return text;
}

}  // namespace fermata::io::lilypond

#include "io/lilypond/voice.hpp"

#include "core/score/model/attribute_of.hpp"
#include "core/score/model/ties.hpp"
#include "core/score/model/walk.hpp"
#include "io/lilypond/accidentals.hpp"
#include "io/lilypond/beams.hpp"
#include "io/lilypond/chord_text.hpp"
#include "io/lilypond/staff_height.hpp"
#include "io/lilypond/syntax.hpp"
#include "io/lilypond/tuplets.hpp"
#include "io/lilypond/voice_links.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace fermata::io::lilypond {

namespace {

class voice_writer {
public:
  voice_writer(const score_plan& plan, const part_plan& part, const voice_plan& voice)
    : plan_(plan),
      source_(*plan.source.parts[part.index]),
      part_(part),
      voice_(voice),
      line_(line_writer::skips::voice),
      staff_(voice.home),
      linked_(link_voice(plan, part, voice)),
      tuplets_(linked_.brackets),
      repeated_(repeated_accidentals(source_)),
      beams_(beams_of(plan, part, voice)) {}

  std::string write() {
    std::string head;
    for (std::size_t m = 0; m < plan_.lengths.size(); ++m)
      write_measure(m);
    if (collects_)
      head = "\\set " + voice_context(part_.kind(voice_.home)) + ".tieWaitForNote = ##t\n";
    return head + line_.text();
  }

private:
  /// Whether a chord on another staff is broken together with this one.
  bool is_broken_across(std::size_t m, std::size_t i, const chord_rest& x) const {
    auto number_of = [](const chord_rest& c) -> std::optional<std::string> {
      for (auto& n : c.notes)
        for (auto& mark : n.marks)
          if (mark.kind == mark_kind::arpeggiate && attribute(mark.extra, "unbroken") != "no")
            return attribute(mark.extra, "number");
      return std::nullopt;
    };
    auto number = number_of(x);
    if (!number || part_.staves < 2) return false;
    auto& items = source_.measures[m]->items;
    for (auto& item : items)
      if (auto* other = std::get_if<chord_rest>(&item.content);
          other && other->staff != x.staff && item.at == items[i].at && number_of(*other) == number)
        return true;
    return false;
  }

  chord_links links_of(std::size_t m, std::size_t i, const chord_rest& x) {
    chord_links links = linked_.chords[{m, i}];
    links.tied.resize(x.notes.size());
    links.rings.resize(x.notes.size());
    links.repeated.resize(x.notes.size());
    if (auto words = words_before(x, drums() != nullptr); !words.empty())
      links.before += (links.before.empty() ? "" : " ") + words;
    find_heights(m, i, x, links);
    links.broken_across = is_broken_across(m, i, x);
    if (links.broken_across)
      links.before += std::string{links.before.empty() ? "" : " "} +
                      "\\once \\set PianoStaff.connectArpeggios = ##t";
    for (std::size_t n = 0; n < x.notes.size(); ++n) {
      auto& written = x.notes[n];
      links.repeated[n] = repeated_.contains({m, i, n});
      for (auto& s : written.spanners)
        if (s.kind == spanner_kind::tied && s.end == span_end::let_ring) links.rings[n] = true;
      auto rings_only = links.rings[n] && !tied_to(source_, {m, i, n});
      if (written.tie.start && !rings_only)
        tie(m, i, n, x, links);
      else if (!written.tie.start && draws_tie_start(written))
        draw_tie(m, i, n, x, links);
      if (written.tie.stop) {
        auto from = tied_from(source_, {m, i, n});
        if (!from)
          plan_.losses.add("ties without a first note", part_.index, m);
        else if (draws_tie_stop(written) != draws_tie_start(note_at(source_, *from)))
          plan_.losses.add("ties drawn at one end only", part_.index, m);
        if (from && from->measure + 1 < m) links.repeat_tie = true;
      } else if (draws_tie_stop(written) && !drawn_into_.contains({m, i, n})) {
        plan_.losses.add("drawn ties without a first note", part_.index, m);
      }
    }
    return links;
  }

  /// What LilyPond needs to know of the staff to put notes without pitch where they belong.
  void find_heights(std::size_t m, std::size_t i, const chord_rest& x, chord_links& links) {
    links.heights.resize(x.notes.size());
    auto needs = [](const note& n) {
      auto* r = std::get_if<rest>(&n.tone);
      return std::holds_alternative<unpitched>(n.tone) || (r && r->display_step);
    };
    if (drums() || std::none_of(x.notes.begin(), x.notes.end(), needs)) return;
    auto state = before_measure_;
    state.apply(*source_.measures[m], source_.measures[m]->items[i].at);
    for (std::size_t n = 0; n < x.notes.size(); ++n) {
      links.heights[n] =
          staff_height(x.notes[n], state.clef_or_default(x.staff), state.key_or_default(x.staff));
      if (std::holds_alternative<unpitched>(x.notes[n].tone))
        plan_.losses.add("sounds of notes without pitch", part_.index, m);
    }
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

  /// A curve between notes that sound one after the other: it is drawn, and the notes are then
  /// played as one.
  void draw_tie(std::size_t m, std::size_t i, std::size_t n, const chord_rest& x,
                chord_links& links) {
    auto end = source_.measures[m]->items[i].at + x.length;
    bool over = end >= measure_position{} + plan_.lengths[m];
    auto next = over ? m + 1 : m;
    if (next < source_.measures.size())
      for (auto& p : chords_of(source_, next, voice_)) {
        if (p.at != (over ? measure_position{} : end) || p.chord->grace) continue;
        for (std::size_t k = 0; k < p.chord->notes.size(); ++k)
          if (p.chord->notes[k].tone == x.notes[n].tone && draws_tie_stop(p.chord->notes[k])) {
            links.tied[n] = true;
            drawn_into_.insert({next, p.item, k});
            plan_.losses.add("separate sounds of notes joined by a drawn tie", part_.index, m);
            return;
          }
      }
    plan_.losses.add("drawn ties without a second note", part_.index, m);
  }

  // --- measures ---

  void write_measure(std::size_t m) {
    auto line = chords_of(source_, m, voice_);
    chords_.clear();
    for (auto& p : line)
      chords_.push_back(p.chord);
    static const measure nothing{};
    auto& here = m < source_.measures.size() ? *source_.measures[m] : nothing;
    line_.begin_measure(plan_.grace_lead[m], leading_graces(here, voice_));
    if (!line.empty()) place_voice(m);
    for (std::size_t k = 0; k < line.size();)
      k = write_chord(m, line, k);
    word_if_any(tuplets_.close_all());
    for (; brackets_lost_ < tuplets_.without_ratio(); ++brackets_lost_)
      plan_.losses.add("tuplet brackets over notes that are no tuplet", part_.index, m);
    line_.end_measure(plan_.lengths[m], plan_.metred[m], here.number);
    before_measure_.apply(here);
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
  std::size_t write_chord(std::size_t m, const std::vector<placed_chord>& line, std::size_t k) {
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
    if (auto tremolo = linked_.tremolos.find({m, p.item}); tremolo != linked_.tremolos.end()) {
      if (write_alternating(m, p, line[k + 1], tremolo->second)) return k + 2;
      plan_.losses.add("tremolos between these notes", part_.index, m);
    }
    for (auto& word : tuplets_.open_before(chords_, k))
      line_.word(word);
    auto links = links_of(m, p.item, x);
    // Graces behind it that no note follows belong to its end.
    auto end = p.at + x.length;
    std::size_t after = k + 1;
    while (after < line.size() && line[after].chord->grace && line[after].at == end)
      ++after;
    bool after_graces = after > k + 1 && (after == line.size() || line[after].at != end) &&
                        end == measure_position{} + plan_.lengths[m];
    add_beam(m, p.item, links);
    word_if_any(links.before);
    if (after_graces) line_.word("\\afterGrace");
    line_.word(chord_word(m, x, links, duration_in_tuplets(x)));
    if (after_graces) {
      line_.word("{");
      for (auto g = k + 1; g < after; ++g) {
        if (line[g].chord->grace->slash)
          plan_.losses.add("slashes of grace notes after a note", part_.index, m);
        write_grace(m, line[g]);
      }
      line_.word("}");
    }
    line_.advance(x.length);
    word_if_any(tuplets_.close_after(x));
    return after_graces ? after : k + 1;
  }

  std::string chord_word(std::size_t m, const chord_rest& x, const chord_links& links,
                         const std::string& duration) {
    auto heads = heads_text(x, links, drums());
    auto& first = x.notes.front();
    auto* silence = std::get_if<rest>(&first.tone);
    bool hidden = is_hidden(first.extra);
    bool whole = silence && !hidden && silence->whole_measure && !silence->display_step &&
                 x.length == plan_.lengths[m] && plan_.metred[m];
    if (silence && silence->whole_measure && !whole && !hidden)
      plan_.losses.add("rests for a whole measure that are drawn as others", part_.index, m);
    if (whole)
      return "R1*" + whole_fraction(x.length) + post_events(x, links, plan_, part_.index, m);
    return heads + duration + tremolo_text(x) + post_events(x, links, plan_, part_.index, m);
  }

  std::size_t write_graces(std::size_t m, const std::vector<placed_chord>& line, std::size_t k) {
    auto slash = line[k].chord->grace->slash;
    auto end = k;
    while (end < line.size() && line[end].chord->grace && line[end].at == line[k].at &&
           line[end].chord->grace->slash == slash)
      ++end;
    skip_to(line[k].at);
    change_staff(*line[k].chord);
    set_size(line[k].chord->cue);
    line_.word(slash ? "\\slashedGrace {" : "\\grace {");
    for (auto g = k; g < end; ++g)
      write_grace(m, line[g]);
    line_.word("}");
    return end;
  }

  void write_grace(std::size_t m, const placed_chord& g) {
    auto links = links_of(m, g.item, *g.chord);
    add_beam(m, g.item, links);
    word_if_any(links.before);
    auto value = g.chord->written.value_or(note_value{note_base::eighth, 0});
    line_.word(heads_text(*g.chord, links, drums()) + value_text(value) + tremolo_text(*g.chord) +
               post_events(*g.chord, links, plan_, part_.index, m));
    if (g.chord->tuplet) plan_.losses.add("tuplets of grace notes", part_.index, m);
  }

  void word_if_any(const std::string& word) {
    if (!word.empty()) line_.word(word);
  }

  /// A beam goes before slurs: what is counted of it stands in front of the chord.
  void add_beam(std::size_t m, std::size_t item, chord_links& links) const {
    auto found = beams_.find({m, item});
    if (found == beams_.end()) return;
    auto& beam = found->second;
    if (!beam.before.empty()) links.before += (links.before.empty() ? "" : " ") + beam.before;
    links.after = beam.after + links.after;
  }

  bool write_alternating(std::size_t m, const placed_chord& a, const placed_chord& b, int strokes) {
    if (b.at != a.at + a.chord->length || a.chord->tuplet || b.chord->tuplet ||
        tuplets_.ratio() != rational{1})
      return false;
    auto stroke =
        note_value{static_cast<note_base>(static_cast<int>(note_base::quarter) + strokes), 0};
    auto count = (a.chord->length + b.chord->length) / (length(stroke) * rational{2});
    if (!count.is_integer()) return false;
    line_.word("\\repeat tremolo " + to_string(count) + " {");
    for (auto* c : {&a, &b}) {
      auto links = links_of(m, c->item, *c->chord);
      word_if_any(links.before);
      line_.word(chord_word(m, *c->chord, links, value_text(stroke)));
    }
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

  /// A gap; within a tuplet it is written in the tuplet's time.
  void skip_to(measure_position to) {
    if (to <= line_.at()) return;
    auto gap = to - line_.at();
    line_.word("s1*" + whole_fraction(gap * tuplets_.ratio()));
    line_.advance(gap);
  }

  std::string duration_in_tuplets(const chord_rest& x) const {
    return duration_text(x.length * tuplets_.ratio(), x.written);
  }

  const score_plan& plan_;
  const part& source_;
  const part_plan& part_;
  const voice_plan& voice_;
  line_writer line_;
  int staff_;
  std::string placed_ = "\\oneVoice";
  std::vector<const chord_rest*> chords_;  ///< of the measure that is being written
  voice_links linked_;
  tuplet_blocks tuplets_;
  std::size_t brackets_lost_ = 0;             ///< counted so far
  std::set<fermata::note_place> drawn_into_;  ///< ends of ties that are only drawn
  part_state before_measure_;
  std::set<note_place> repeated_;  ///< accidentals
  std::map<item_place, beam_words> beams_;
  bool collects_ = false;  ///< some tie reaches over other notes
  bool cue_ = false;       ///< notes are written small
};

/// The lyrics of a verse on a chord that have text.
std::vector<const lyric*> syllables_of(const chord_rest& x, const std::string& verse) {
  std::vector<const lyric*> found;
  for (auto& n : x.notes)
    for (auto& l : n.lyrics)
      if (l.number == verse && !l.syllables.empty()) found.push_back(&l);
  return found;
}

std::string syllable_text(const lyric& l) {
  std::string text;
  for (auto& s : l.syllables) {
    // A tie, which is usual, or what the score has in its place.
    if (!text.empty()) text += s.elision.empty() || s.elision == "\u203f" ? "~" : s.elision;
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
  std::size_t index = 0;
  for (auto& m : source.measures) {
    std::vector<const measure_item*> line;
    for (auto& item : m->items)
      if (auto* x = std::get_if<chord_rest>(&item.content); x && voice.holds(*x)) {
        if (!is_rest(*x) && !x->grace)
          line.push_back(&item);
        else if (syllables_of(*x, verse).size() > 0)
          plan.losses.add(is_rest(*x) ? "lyrics under rests" : "lyrics under grace notes",
                          part.index, index);
      }
    std::stable_sort(line.begin(), line.end(), [](auto* a, auto* b) { return a->at < b->at; });
    for (auto* item : line) {
      auto& x = std::get<chord_rest>(item->content);
      auto all = syllables_of(x, verse);
      if (all.empty()) {
        text += " _";
        continue;
      }
      if (all.size() > 1) plan.losses.add("second lyrics of a verse", part.index, index);
      auto* found = all.front();
      text += " " + syllable_text(*found);
      auto& last = found->syllables.back().syllabic;
      if (last == "begin" || last == "middle")
        text += " --";
      else if (found->extend == "plain" || found->extend == "start")
        text += " __";
    }
    text += "\n";
    ++index;
  }
  return text;
}

}  // namespace fermata::io::lilypond

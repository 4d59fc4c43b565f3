#include "io/lilypond/voice_links.hpp"

#include "core/score/model/spanners.hpp"
#include "io/lilypond/syntax.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

namespace fermata::io::lilypond {

namespace {

/// Strokes of a two-note tremolo as LilyPond can draw them.
std::optional<int> strokes_of(const spanner& tremolo) {
  auto marks = parse_rational(tremolo.text).value_or(rational{3});
  if (!marks.is_integer() || marks <= rational{0} || marks > rational{6}) return std::nullopt;
  return static_cast<int>(marks.numerator());
}

class voice_linker {
public:
  voice_linker(const score_plan& plan, const part_plan& part, const voice_plan& voice)
    : plan_(plan), source_(*plan.source.parts[part.index]), part_(part), voice_(voice) {}

  voice_links run() {
    find_order();
    auto& lines = part_.lines.lines();
    for (auto& [a, b] : lines.pairs)
      if (a.kind == spanner_kind::tremolo && mine(a)) link_tremolo(a, b);
    for (auto& [a, b] : lines.pairs) {
      if (a.staff != 0 || a.kind == spanner_kind::tremolo || !mine(a)) continue;
      if (!mine(b)) {
        lose(a, "between voices");
        if (a.kind == spanner_kind::tuplet) leave_bracket(a);
        continue;
      }
      link(a, b);
    }
    // The ends of brackets that begin in other voices.
    for (auto& [a, b] : lines.pairs)
      if (a.kind == spanner_kind::tuplet && !mine(a) && mine(b)) leave_bracket(b);
    for (auto& e : lines.unpaired)
      if (e.staff == 0 && mine(e) && e.kind != spanner_kind::tuplet) lose(e, "with one end");
    pair_lonely_brackets(lines.unpaired);
    write_glissandi();
    return std::move(result_);
  }

private:
  bool mine(const spanner_end_place& e) const {
    auto* x = std::get_if<chord_rest>(&source_.measures[e.measure]->items[e.item].content);
    return x && voice_.holds(*x);
  }

  void lose(const spanner_end_place& e, const std::string& how) {
    plan_.losses.add(std::string{name_of(e.kind)} + "s " + how, part_.index, e.measure);
  }

  void link(const spanner_end_place& a, const spanner_end_place& b) {
    auto from = place_of(a), to = place_of(b);
    auto id = a.number > 1 ? "\\=" + std::to_string(a.number) : std::string{};
    switch (a.kind) {
      case spanner_kind::slur:
        if (from == to) return lose(a, "on one note");
        result_.chords[from].after += id + "(";
        // A slur ends before the next one begins.
        result_.chords[to].after = id + ")" + result_.chords[to].after;
        break;
      case spanner_kind::glissando:
      case spanner_kind::slide: link_glissando(a, b); break;
      case spanner_kind::wavy_line: link_wavy_line(a, b); break;
      case spanner_kind::hammer_on:
      case spanner_kind::pull_off:
        plan_.losses.add(std::string{name_of(a.kind)} + "s", part_.index, a.measure);
        break;
      case spanner_kind::tuplet: link_bracket(a, b); break;
      case spanner_kind::tied:
      case spanner_kind::tremolo:
      case spanner_kind::hairpin:
      case spanner_kind::pedal:
      case spanner_kind::octave_shift:
      case spanner_kind::bracket:
      case spanner_kind::dashes: break;
    }
  }

  static item_place place_of(const spanner_end_place& e) { return {e.measure, e.item}; }

  /// The chords of the voice in the order in which they are written.
  void find_order() {
    std::size_t count = 0;
    for (std::size_t m = 0; m < source_.measures.size(); ++m)
      for (auto& p : chords_of(source_, m, voice_))
        order_[{m, p.item}] = count++;
  }

  bool follows_at_once(const spanner_end_place& a, const spanner_end_place& b) const {
    return order_.at(place_of(b)) == order_.at(place_of(a)) + 1;
  }

  void link_tremolo(const spanner_end_place& a, const spanner_end_place& b) {
    if (!mine(b)) return lose(a, "between voices");
    auto from = place_of(a), to = place_of(b);
    auto strokes = strokes_of(spanner_at(a));
    auto at_once = from != to && a.measure == b.measure && follows_at_once(a, b);
    if (!strokes || !at_once || chord_at(a).grace || chord_at(b).grace ||
        result_.tremolos.contains(from) || in_tremolo_.contains(from))
      return plan_.losses.add("tremolos between these notes", part_.index, a.measure);
    result_.tremolos[from] = *strokes;
    in_tremolo_.insert(from);
    in_tremolo_.insert(to);
  }

  void link_wavy_line(const spanner_end_place& a, const spanner_end_place& b) {
    auto from = place_of(a), to = place_of(b);
    if (from == to) return lose(a, "on one note");
    if (order_.at(from) < wavy_until_) return lose(a, "that overlap others");
    wavy_until_ = order_.at(to);
    result_.chords[from].in_trill_line = true;
    // A wavy line without the sign of a trill belongs to another ornament.
    if (!has_trill(a)) result_.chords[from].after += "-\\tweak bound-details.left.text ##f ";
    result_.chords[from].after += "\\startTrillSpan";
    result_.chords[to].after = "\\stopTrillSpan" + result_.chords[to].after;
  }

  // --- brackets of tuplets ---

  void leave_bracket(const spanner_end_place& e) {
    result_.brackets.unwritten.insert(&spanner_at(e));
  }

  /// Files that number nested brackets differ on the number of the stop; what began last ends
  /// first.
  void pair_lonely_brackets(const std::vector<spanner_end_place>& unpaired) {
    std::vector<spanner_end_place> open, lost;
    for (auto& e : unpaired) {
      if (e.kind != spanner_kind::tuplet || !mine(e)) continue;
      if (e.start) {
        open.push_back(e);
      } else if (open.empty() || open.back().measure != e.measure) {
        lost.push_back(e);
      } else {
        link_bracket(open.back(), e);
        open.pop_back();
      }
    }
    lost.insert(lost.end(), open.begin(), open.end());
    for (auto& e : lost) {
      lose(e, "with one end");
      leave_bracket(e);
    }
  }

  /// Blocks are closed at barlines, and not opened within graces and two-note tremolos.
  void link_bracket(const spanner_end_place& a, const spanner_end_place& b) {
    auto lost = [&](const char* where) {
      lose(a, where);
      leave_bracket(a);
      leave_bracket(b);
    };
    if (a.measure != b.measure) return lost("across barlines");
    if (chord_at(a).grace || chord_at(b).grace) return lost("on grace notes");
    if (in_tremolo_.contains(place_of(a)) || in_tremolo_.contains(place_of(b)))
      return lost("on two-note tremolos");
    if (a.item == b.item) result_.brackets.on_one.insert(&spanner_at(a));
  }

  // --- glissandi ---

  struct glissando_line {
    std::size_t from, to;  ///< notes of the chords
    std::string text;
    spanner_end_place start;
    std::size_t target_size;
  };

  /// LilyPond leads a glissando to the next chord, between the notes that a map names.
  void link_glissando(const spanner_end_place& a, const spanner_end_place& b) {
    if (place_of(a) == place_of(b)) return lose(a, "on one note");
    if (!follows_at_once(a, b)) return lose(a, "over other notes");
    if (is_rest(chord_at(a)) || is_rest(chord_at(b))) return lose(a, "to or from rests");
    glissandi_[place_of(a)].push_back({a.note, b.note, glissando(a), a, chord_at(b).notes.size()});
  }

  void write_glissandi() {
    for (auto& [place, all] : glissandi_) {
      std::vector<glissando_line> drawn;
      for (auto& line : all) {
        bool doubled = std::any_of(drawn.begin(), drawn.end(), [&](auto& other) {
          return other.from == line.from && other.to == line.to;
        });
        // One command draws them all.
        if (doubled || line.text != all.front().text)
          lose(line.start, "beside others");
        else
          drawn.push_back(line);
      }
      auto heads = chord_at(all.front().start).notes.size();
      std::string map;
      bool all_straight = drawn.size() == heads && heads == all.front().target_size;
      for (auto& line : drawn) {
        all_straight = all_straight && line.from == line.to;
        map += (map.empty() ? "" : " ") + std::string{"("} + std::to_string(line.from) + " . " +
               std::to_string(line.to) + ")";
      }
      auto& links = result_.chords[place];
      if (!all_straight) links.before = "\\once \\set glissandoMap = #'(" + map + ")";
      links.after += drawn.front().text;
    }
  }

  const spanner& spanner_at(const spanner_end_place& e) const {
    return chord_at(e).notes[e.note].spanners[e.index];
  }

  const chord_rest& chord_at(const spanner_end_place& e) const {
    return std::get<chord_rest>(source_.measures[e.measure]->items[e.item].content);
  }

  bool has_trill(const spanner_end_place& e) const {
    for (auto& n : chord_at(e).notes)
      for (auto& m : n.marks)
        if (m.kind == mark_kind::trill_mark) return true;
    return false;
  }

  /// MusicXML draws a glissando wavy and a slide straight unless it says otherwise.
  std::string glissando(const spanner_end_place& e) {
    auto& s = spanner_at(e);
    if (!s.text.empty())
      plan_.losses.add("texts of " + std::string{name_of(e.kind)} + "s", part_.index, e.measure);
    auto type = attribute(s.extra, "line-type");
    if (type.empty()) type = e.kind == spanner_kind::glissando ? "wavy" : "solid";
    const char* style = type == "wavy"     ? "zigzag"
                        : type == "dashed" ? "dashed-line"
                        : type == "dotted" ? "dotted-line"
                                           : nullptr;
    return style ? "-\\tweak style #'" + std::string{style} + " \\glissando" : "\\glissando";
  }

  const score_plan& plan_;
  const part& source_;
  const part_plan& part_;
  const voice_plan& voice_;
  voice_links result_;
  std::map<item_place, std::size_t> order_;  ///< of the chords as they are written
  std::set<item_place> in_tremolo_;
  std::size_t wavy_until_ = 0;  ///< in `order_`
  std::map<item_place, std::vector<glissando_line>> glissandi_;
};

}  // namespace

std::vector<placed_chord> chords_of(const part& p, std::size_t measure, const voice_plan& voice) {
  std::vector<placed_chord> line;
  if (measure >= p.measures.size()) return line;
  auto& items = p.measures[measure]->items;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (auto* x = std::get_if<chord_rest>(&items[i].content); x && voice.holds(*x))
      line.push_back({i, items[i].at, x});
  std::stable_sort(line.begin(), line.end(), [](auto& a, auto& b) { return a.at < b.at; });
  return line;
}

voice_links link_voice(const score_plan& plan, const part_plan& part, const voice_plan& voice) {
  return voice_linker{plan, part, voice}.run();
}

}  // namespace fermata::io::lilypond

#include "io/musicxml/canonical_xml.hpp"
#include "io/musicxml/child_elements.hpp"
#include "io/musicxml/fragment_check.hpp"
#include "io/musicxml/import_context.hpp"

#include <algorithm>
#include <numeric>

namespace fermata::io::musicxml::detail {

namespace {

/// Quarters for counts of divisions. A file uses a handful of counts thousands of times, so each
/// fraction is reduced once.
class division_counter {
public:
  rational quarters_of(const import_context& c, rational count) {
    if (!count.is_integer() || count < rational{0} || count >= rational{size})
      return in_quarters_of(c, count);
    if (c.divisions != divisions_) {
      divisions_ = c.divisions;
      known_.fill(false);
    }
    auto i = static_cast<std::size_t>(count.numerator());
    if (!known_[i]) {
      values_[i] = in_quarters_of(c, count);
      known_[i] = true;
    }
    return values_[i];
  }

private:
  static constexpr std::int64_t size = 256;
  rational divisions_{1};
  std::array<rational, size> values_;
  std::array<bool, size> known_{};
};

class measure_reader {
public:
  measure_reader(import_context& c, part_reading& part, measure& m) : c_(c), part_(part), m_(m) {}

  void read(pugi::xml_node content) {
    for (auto n : children_of(content)) {
      auto e = element_of(n.name());
      if (!is_element(n, e)) {
        read_other(n);
        continue;
      }
      c_.typed(n, e);
      switch (e) {
        case element::note: read_one_note(n); break;
        case element::backup: read_move(n, false); break;
        case element::forward: read_move(n, true); break;
        case element::attributes:
          if (auto a = read_attributes(c_, n)) {
            if (!a->times.empty()) part_.time = a->times.front().value;
            if (a->staves.value_or(1) > 1) part_.several_staves = true;
            put(std::move(*a));
          }
          break;
        case element::direction: put_any(read_direction(c_, n)); break;
        case element::harmony: put_any(read_harmony(c_, n)); break;
        case element::figured_bass: put(read_figured_bass(c_, n)); break;
        case element::barline: put(read_barline(c_, n)); break;
        case element::sound: put(read_sound(c_, n)); break;
        case element::print: put(read_print(c_, n)); break;
        default: put_fragment(n, e);
      }
    }
    settle_pending(current_run_);
    order();
    auto end = measure_position{};
    for (auto& item : m_.items)
      if (auto* x = std::get_if<chord_rest>(&item.content))
        end = std::max(end, item.at + x->length);
    if (furthest_ > end) m_.padded_to = furthest_;
  }

private:
  /// One voice of the measure.
  struct run {
    std::string voice;
    measure_position end;  ///< of its last note
  };

  void put_any(measure_content content) {
    m_.items.push_back({cursor_, std::move(content)});
    run_of_.push_back(-1);
  }
  template <class T>
  void put(T content) {
    m_.items.push_back({cursor_, measure_content{std::in_place_type<T>, std::move(content)}});
    run_of_.push_back(-1);
  }
  void put_fragment(pugi::xml_node n, element e) {
    c_.report.not_typed(e);
    if (e == element::unknown || !schema_of(element::measure).allows_child(n.name())) {
      c_.warn(n, "a measure does not have this element; it is kept");
      put(wrapped_fragment(c_, n));
    } else {
      put(kept_fragment(c_, n));
    }
  }
  void read_other(pugi::xml_node n) {
    kept_xml own;
    own.other_node(c_, n);
    for (auto& f : own.take_children())
      put(std::move(f));
  }

  /// What has no voice belongs to the voice that comes next, or, before a step back or the end, to
  /// the one that was last.
  void settle_pending(std::int16_t voice) {
    for (auto i = settled_; i < run_of_.size(); ++i)
      if (run_of_[i] < 0) run_of_[i] = std::max<std::int16_t>(voice, 0);
    settled_ = run_of_.size();
  }

  void move_to(measure_position p) {
    cursor_ = p;
    furthest_ = std::max(furthest_, p);
  }

  void read_move(pugi::xml_node n, bool ahead) {
    std::optional<rational> duration;
    kept_xml own;
    for (auto [k, e] : elements_in(c_, n)) {
      if (e == element::duration && !duration)
        duration = parse_decimal(c_.token(k));
      else if (!ahead || (e != element::voice && e != element::staff))  // a gap is in no voice
        own.misplaced_in(c_, k, "a gap of a voice has no place for this", {n.name()});
    }
    for (auto& f : own.take_children())
      put(std::move(f));
    if (!duration || *duration <= rational{0}) {
      c_.warn(n, "a duration greater than zero is needed; the element is ignored",
              "<backup> and <forward> need positive durations");
      return;
    }
    auto length = quarters{counter_.quarters_of(c_, *duration)};
    if (ahead) return move_to(cursor_ + length);
    settle_pending(current_run_);
    auto target = cursor_ - length;
    if (target < measure_position{}) {
      c_.warn(n, "goes back past the start of the measure; it stops there");
      target = {};
    }
    cursor_ = target;
  }

  std::int16_t run_for(const std::string& voice) {
    if (current_run_ >= 0 && runs_[static_cast<std::size_t>(current_run_)].voice == voice)
      return current_run_;
    for (std::size_t i = 0; i < runs_.size(); ++i)
      if (runs_[i].voice == voice) return static_cast<std::int16_t>(i);
    if (runs_.size() == 1000)
      fail_at(c_, {}, errc::invalid_musicxml, "a measure has more than a thousand voices");
    runs_.push_back({voice, {}});
    return static_cast<std::int16_t>(runs_.size() - 1);
  }

  void read_one_note(pugi::xml_node n) {
    note_reading r;
    musicxml::detail::read_note(c_, n, r);
    if (r.staff > 1) part_.several_staves = true;
    if (r.in_chord && join_chord(n, r)) return;
    quarters length;
    if (!r.grace) length = length_of(n, r);
    if (!r.grace && length.value <= rational{0}) {
      c_.warn(n, "a note that takes no time; it is read as a grace note");
      r.grace = grace_info{};
      length = {};
    }
    current_run_ = run_for(r.voice);
    settle_pending(current_run_);
    auto& voice = runs_[static_cast<std::size_t>(current_run_)];
    if (cursor_ < voice.end && !r.grace)
      c_.warn(n, "voice " + r.voice + " overlaps itself here; both notes are kept");
    auto at = cursor_;
    if (!r.grace) voice.end = std::max(voice.end, at + length);

    auto& item = m_.items.emplace_back();  // holds a chord to begin with
    run_of_.push_back(current_run_);
    settled_ = run_of_.size();
    item.at = at;
    auto& x = std::get<chord_rest>(item.content);
    x.length = length;
    x.written = r.written;
    x.tuplet = r.tuplet;
    x.grace = std::move(r.grace);
    x.cue = r.cue;
    x.voice = std::move(r.voice);
    x.staff = r.staff;
    x.staff_given = r.staff_given;
    x.notes = std::move(r.notes);
    last_chord_ = m_.items.size() - 1;
    if (!x.grace) move_to(at + length);
  }

  /// How long a note is: its duration; failing that its written value, failing that the measure.
  quarters length_of(pugi::xml_node n, const note_reading& r) {
    if (r.duration && *r.duration >= rational{0})
      return quarters{counter_.quarters_of(c_, *r.duration)};
    c_.warn(n, r.duration       ? "negative duration; the written note value is used"
               : r.has_duration ? "invalid duration; the written note value is used"
                                : "no duration; the written note value is used");
    if (r.written) {
      auto length = fermata::length(*r.written);
      return r.tuplet ? length * rational{r.tuplet->normal, r.tuplet->actual} : length;
    }
    auto* rest = std::get_if<fermata::rest>(&r.notes.front().tone);
    if (rest && rest->whole_measure)
      return part_.time ? measure_length(*part_.time) : quarters{rational{4}};
    return {};
  }

  /// Adds a note to the chord before it. False when there is none that it could belong to.
  bool join_chord(pugi::xml_node n, note_reading& r) {
    auto* chord = last_chord_ < m_.items.size()
                      ? std::get_if<chord_rest>(&m_.items[last_chord_].content)
                      : nullptr;
    if (!chord || chord->grace.has_value() != r.grace.has_value()) {
      c_.warn(n, "<chord/> without a note before it; it is read as a note of its own");
      return false;
    }
    chord_difference d;
    if (!r.grace) {
      auto length = length_of(n, r);
      if (length != chord->length && length.value > rational{0}) d.length = length;
    }
    if (r.written != chord->written) {
      d.written = r.written;
      d.without_written = !r.written;
    }
    if (r.voice_given && r.voice != chord->voice) d.voice = r.voice;
    if (r.staff_given && r.staff != chord->staff) d.staff = r.staff;
    if (d != chord_difference{}) r.value().differs = d;
    if (r.cue != chord->cue)
      c_.warn(n, "cue and regular notes in one chord; all are read like the first");
    chord->notes.push_back(std::move(r.value()));
    return true;
  }

  /// Voice by voice, each by position. Nearly every file is written like that already.
  void order() {
    auto in_order = true;
    for (std::size_t i = 1; i < run_of_.size() && in_order; ++i)
      in_order = run_of_[i - 1] < run_of_[i] ||
                 (run_of_[i - 1] == run_of_[i] && m_.items[i - 1].at <= m_.items[i].at);
    if (in_order) return;
    std::vector<std::size_t> index(run_of_.size());
    std::iota(index.begin(), index.end(), std::size_t{0});
    std::stable_sort(index.begin(), index.end(), [&](auto a, auto b) {
      return run_of_[a] != run_of_[b] ? run_of_[a] < run_of_[b] : m_.items[a].at < m_.items[b].at;
    });
    std::vector<measure_item> sorted;
    sorted.reserve(index.size());
    for (auto i : index)
      sorted.push_back(std::move(m_.items[i]));
    m_.items = std::move(sorted);
  }

  import_context& c_;
  part_reading& part_;
  measure& m_;
  division_counter counter_;
  measure_position cursor_, furthest_;
  std::vector<run> runs_;
  std::vector<std::int16_t> run_of_;  ///< by item; -1 while not settled
  std::size_t settled_ = 0;
  std::size_t last_chord_ = SIZE_MAX;
  std::int16_t current_run_ = -1;
};

}  // namespace

measure read_measure(import_context& c, part_reading& part, pugi::xml_node attributes_of,
                     pugi::xml_node content, std::size_t index) {
  measure m;
  auto number = attributes_of.attribute("number");
  m.number = number ? number.value() : std::to_string(index + 1);
  c.measure = m.number.empty() ? "(" + std::to_string(index + 1) + ". of the part)" : m.number;
  if (!number) c.warn(attributes_of, "a measure without a number; it is counted");
  kept_xml kept;
  m.implicit = says_yes(attributes_of, "implicit");
  if (m.implicit)
    kept.attributes(c, attributes_of, element::measure, {"number", "implicit"});
  else
    kept.attributes(c, attributes_of, element::measure, {"number"});
  std::size_t children = 0;
  for ([[maybe_unused]] auto k : children_of(content))
    ++children;
  m.items.reserve(children);
  measure_reader{c, part, m}.read(content);
  // Where chords and steps back were many, the room for them goes back.
  if (m.items.capacity() > m.items.size() + m.items.size() / 2) m.items.shrink_to_fit();
  m.extra = kept.take();
  c.measure.clear();
  return m;
}

}  // namespace fermata::io::musicxml::detail

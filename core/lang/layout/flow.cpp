#include "core/lang/layout/flow.hpp"

#include "core/lang/layout/layers.hpp"
#include "core/lang/layout/named_staves.hpp"
#include "core/lang/value/make.hpp"

#include <algorithm>
#include <charconv>

namespace fermata {

namespace {

/// "1" -> 1; names of voices that are no numbers count as 1.
int voice_number(const std::string& voice) {
  int n = 1;
  std::from_chars(voice.data(), voice.data() + voice.size(), n);
  return n;
}

/// The first voice of a staff, as notation programs number them: 1 to 4 on the first staff, 5 to 8
/// on the second.
std::string first_voice_of(int staff) { return std::to_string((staff - 1) * 4 + 1); }

/// Longer than any piece; a number from outside must not become a million measures.
constexpr quarters longest_music{1 << 20};

/// The product of nested tuplets, as far as it can be written.
constexpr std::int64_t largest_ratio = 1'000'000;
std::optional<int> nested_ratio(std::int64_t outer, std::int64_t inner) {
  auto product = outer * inner;
  return product <= largest_ratio ? std::optional{static_cast<int>(product)} : std::nullopt;
}

class flow_layout {
public:
  explicit flow_layout(const flow_start& start)
    : at_(start.at),
      voice_(start.voice),
      staff_(start.staff),
      inside_voice_(start.inside_voice),
      measure_length_(start.measure_length) {}

  void expect(std::size_t items) { out_.reserve(items); }

  /// Fills measures, so it has no place in what sounds together or in another rhythm.
  bool refuse_rest_over_measures(const std::vector<music_ptr>& items, const char* in) {
    auto found = std::find_if(items.begin(), items.end(),
                              [](const music_ptr& x) { return holds_rest_over_measures(*x); });
    if (found == items.end()) return true;
    return wrong(errc::misplaced, std::string{"a multi-measure rest is not allowed in "} + in,
                 (*found)->span, "put it between measures, or in a staff or voice");
  }

  bool add(const std::vector<music_ptr>& items) {
    return std::all_of(items.begin(), items.end(), [&](const music_ptr& x) { return add(*x); });
  }

  result<flow> finish() && {
    if (!fault_.diagnostics.empty()) return fail(std::move(fault_));
    return flow{std::move(out_), at_, skipped_to_};
  }

private:
  struct modification {
    time_modification ratio;
    rational scale{1};
    bool nested = false;
    /// Where no unit was written: the one that follows from what the tuplet holds. It is written
    /// on the notes that have another value, as MusicXML asks.
    std::optional<note_value> unit_unless_same;
  };

  bool wrong(errc code, std::string message, source_span span, std::string hint = {}) {
    if (fault_.diagnostics.empty()) fault_ = error{code, std::move(message), span, std::move(hint)};
    return false;
  }

  bool add(const music& m) {
    span_ = m.span;
    return std::visit([&](const auto& x) { return add(x, m); }, m.data);
  }

  bool add(const measure_content& content, const music& m) {
    out_.emplace_back(at_, content, m.span, block_);
    auto& placed = std::get<measure_content>(out_.back().content);
    if (!std::visit([&](auto& x) { return settle(x); }, placed)) return false;
    return at_ > longest_music ? too_long(m) : true;
  }

  // What a leaf takes from around it.

  bool settle(chord_rest& x) {
    if (x.voice.empty()) x.voice = voice_;
    if (x.staff == 0) {
      x.staff = 1;
      x.staff_given = false;
    } else if (!x.staff_given && staff_ != 0) {
      x.staff = staff_;
      x.staff_given = true;
    }
    if (in_grace_ && !x.grace) x.grace = grace_info{grace_slash_, {}, {}, {}, {}};
    if (x.grace) {
      x.length = {};
      return true;
    }
    if (is_rest(x) && std::get<rest>(x.notes.front().tone).whole_measure && x.length == quarters{})
      x.length = measure_length_ > quarters{}
                     ? measure_length_
                     : length(x.written.value_or(note_value{note_base::whole, 0}));
    if (modification_ && !diminish(x, *modification_))
      return wrong(errc::invalid_tuplet,
                   "the nested tuplets around this note multiply to too large a ratio", span_,
                   "nest fewer tuplets, or smaller ones");
    at_ += x.length;
    if (inside_layer_) {
      auto& end = end_of(x.voice);
      end = std::max(end, at_);
    }
    return true;
  }

  /// How far a voice has come, loose notes aside.
  quarters& end_of(const std::string& voice) {
    if (last_end_ < ends_.size() && ends_[last_end_].first == voice) return ends_[last_end_].second;
    auto known =
        std::find_if(ends_.begin(), ends_.end(), [&](const auto& x) { return x.first == voice; });
    if (known == ends_.end()) known = ends_.insert(known, {voice, quarters{}});
    last_end_ = static_cast<std::size_t>(known - ends_.begin());
    return known->second;
  }

  /// A voice that comes again goes on where it ended; signs alone stand where the music begins.
  quarters begin_of_layer(const std::vector<music_ptr>& items) {
    auto plays =
        std::any_of(items.begin(), items.end(), [](const music_ptr& x) { return holds_notes(*x); });
    return plays ? end_of(voice_) : quarters{};
  }

  static bool diminish(chord_rest& x, const modification& m) {
    x.length = x.length * m.scale;
    auto ratio = m.ratio;
    if (!ratio.normal_type && m.unit_unless_same && x.written && *x.written != *m.unit_unless_same)
      ratio.normal_type = m.unit_unless_same;
    if (x.tuplet) {
      // The note's own ratio; 1:1 only says which normal type is written.
      auto actual = nested_ratio(ratio.actual, x.tuplet->actual);
      auto normal = nested_ratio(ratio.normal, x.tuplet->normal);
      if (!actual || !normal) return false;
      ratio.actual = *actual;
      ratio.normal = *normal;
      ratio.normal_type = x.tuplet->normal_type;
    }
    x.tuplet = ratio;
    return true;
  }

  bool too_long(const music& m) {
    return wrong(errc::out_of_range,
                 "the music would be longer than " + to_string(longest_music.value) + " quarters",
                 m.span, "shorten it, or divide it into several parts");
  }

  bool settle(direction& x) { return settle_staff(x.staff); }
  bool settle(harmony& x) { return settle_staff(x.staff); }
  bool settle(attributes& x) {
    for (auto& c : x.clefs)
      settle_staff(c.staff);
    // Keys, times and transpositions hold for all staves unless they say otherwise.
    auto none = [](auto& changes) {
      for (auto& c : changes)
        if (c.staff == 0) c.staff.reset();
    };
    none(x.keys);
    none(x.times);
    none(x.transpositions);
    for (const auto& t : x.times)
      if (!t.staff) measure_length_ = fermata::measure_length(t.value);
    return true;
  }
  bool settle(figured_bass&) { return true; }
  bool settle(barline&) { return true; }
  bool settle(sound&) { return true; }
  bool settle(print_layout&) { return true; }
  bool settle(fragment&) { return true; }

  bool settle_staff(std::optional<std::uint8_t>& staff) {
    if (staff == 0)
      staff.reset();
    else if (!staff && staff_ != 0)
      staff = staff_;
    return true;
  }

  // Inner nodes.

  bool add(const seq_music& x, const music&) {
    auto outer = block_;
    if (x.block && block_ == 0) block_ = ++blocks_;
    auto ok = add(x.items);
    block_ = outer;
    return ok;
  }

  bool add(const par_music& x, const music&) {
    if (!refuse_rest_over_measures(x.items, "a par")) return false;
    auto begin = at_;
    auto end = at_;
    auto outer = voice_;
    auto number = voice_number(outer);
    for (const auto& item : x.items) {
      at_ = begin;
      if (!add(*item)) return false;
      end = std::max(end, at_);
      if (at_ > begin) voice_ = std::to_string(++number);
    }
    voice_ = outer;
    at_ = end;
    return true;
  }

  bool add(const tuplet_music& x, const music& m) {
    if (x.actual < 1 || x.normal < 1)
      return wrong(errc::invalid_tuplet, "a tuplet ratio needs two positive whole numbers", m.span,
                   "write (tuplet 3:2 ...)");
    if (!refuse_rest_over_measures(x.items, "a tuplet")) return false;
    auto outer = modification_;
    modification inner;
    inner.nested = outer.has_value();
    auto actual = nested_ratio(x.actual, outer ? outer->ratio.actual : 1);
    auto normal = nested_ratio(x.normal, outer ? outer->ratio.normal : 1);
    if (!actual || !normal)
      return wrong(errc::invalid_tuplet, "these nested tuplets multiply to too large a ratio",
                   m.span, "nest fewer tuplets, or smaller ones");
    inner.ratio.actual = *actual;
    inner.ratio.normal = *normal;
    inner.ratio.normal_type = x.unit;
    inner.scale = rational{x.normal, x.actual} * (outer ? outer->scale : rational{1});
    if (!x.unit && x.marked && !inner.nested) {
      quarters total;
      for (const auto& item : x.items)
        total += duration_of(*item);
      inner.unit_unless_same = note_value_for(total / rational{x.actual});
    }
    modification_ = inner;
    auto depth_before = tuplet_depth_;
    if (x.marked) ++tuplet_depth_;
    auto first = out_.size();
    if (!add(x.items)) return false;
    if (x.marked) mark_tuplet(x, first);
    tuplet_depth_ = depth_before;
    modification_ = outer;
    return true;
  }

  /// Brackets what was laid out from `first` on.
  void mark_tuplet(const tuplet_music& x, std::size_t first) {
    chord_rest* begin = nullptr;
    chord_rest* end = nullptr;
    for (auto i = first; i < out_.size(); ++i)
      if (auto content = std::get_if<measure_content>(&out_[i].content))
        if (auto c = std::get_if<chord_rest>(content); c && !c->grace) {
          begin = begin ? begin : c;
          end = c;
        }
    if (!begin) return;
    auto number = static_cast<std::uint8_t>(tuplet_depth_);
    auto nested = number > 1 || holds_tuplet(x.items);
    auto& spanners = begin->notes.front().spanners;
    // Outer brackets open before inner ones.
    auto place = std::find_if(spanners.begin(), spanners.end(), [&](const spanner& s) {
      return s.kind == spanner_kind::tuplet && s.end == span_end::start && s.number > number;
    });
    spanners.insert(
        place,
        spanner{
            spanner_kind::tuplet, span_end::start, number, {}, nested ? with_ratio(x) : x.extra});
    end->notes.front().spanners.push_back(
        spanner{spanner_kind::tuplet, span_end::stop, number, {}, {}});
  }

  /// Directly or in what groups them, such as a phrase.
  static bool holds_tuplet(const std::vector<music_ptr>& items) {
    return std::any_of(items.begin(), items.end(), [](const music_ptr& i) {
      auto inner = items_of(*i);
      return as_node<tuplet_music>(*i) || (inner && holds_tuplet(*inner));
    });
  }

  /// Inside each other the brackets must say their own ratios: the notes only know the product.
  static preserved with_ratio(const tuplet_music& x) {
    auto extra = x.extra ? *x.extra : preserved_xml{};
    auto says = std::any_of(extra.children.begin(), extra.children.end(),
                            [](const fragment& f) { return f.xml.starts_with("<tuplet-actual"); });
    if (!says) {
      auto child = [&](const char* name, int n) {
        return fragment{std::string{"<tuplet-"} + name + "><tuplet-number>" + std::to_string(n) +
                        "</tuplet-number></tuplet-" + name + ">"};
      };
      extra.children.push_back(child("actual", x.actual));
      extra.children.push_back(child("normal", x.normal));
    }
    return preserved{std::move(extra)};
  }

  bool add(const grace_music& x, const music&) {
    auto outer = std::pair{in_grace_, grace_slash_};
    in_grace_ = true;
    grace_slash_ = x.slash;
    auto ok = add(x.items);
    std::tie(in_grace_, grace_slash_) = outer;
    return ok;
  }

  bool add(const voice_music& x, const music&) {
    auto before = at_;
    auto outer = std::tuple{voice_, staff_, inside_voice_, inside_layer_};
    voice_ = x.voice;
    at_ = x.at ? quarters{x.at->value} : begin_of_layer(x.items);
    if (x.staff) staff_ = *x.staff;
    inside_voice_ = inside_layer_ = true;
    auto ok = add(x.items);
    std::tie(voice_, staff_, inside_voice_, inside_layer_) = outer;
    at_ = std::max(before, at_);
    return ok;
  }

  bool add(const staff_music& x, const music& m) {
    if (x.staff == 0) {
      fault_ = too_many_staves(m.span);
      return false;
    }
    auto outer = std::tuple{voice_, staff_, inside_layer_};
    auto before = at_;
    staff_ = x.staff;
    if (!inside_voice_) {
      voice_ = first_voice_of(staff_);
      at_ = begin_of_layer(x.items);
    }
    inside_layer_ = true;
    auto ok = add(x.items);
    std::tie(voice_, staff_, inside_layer_) = outer;
    at_ = std::max(before, at_);
    return ok;
  }

  bool add(const skip_music& x, const music& m) {
    at_ += x.distance;
    if (at_ < quarters{})
      return wrong(errc::misplaced, "this backup goes before the start of the measure", m.span,
                   "back up at most to the first beat");
    if (at_ > longest_music) return too_long(m);
    skipped_to_ = std::max(skipped_to_, at_);
    return true;
  }

  bool add(const bar_check_music& x, const music& m) {
    out_.emplace_back(at_, bar_claim{x.number}, m.span);
    return true;
  }

  bool add(const lyrics_music& x, const music& m) {
    auto items = with_lyrics(x, m.span);
    if (!items) {
      fault_ = std::move(items.error());
      return false;
    }
    return add(*items);
  }

  bool add(const measure_music&, const music& m) { return misplaced("a measure", m); }
  bool add(const repeat_music&, const music& m) { return misplaced("a repeat", m); }
  bool add(const ending_music&, const music& m) { return misplaced("an ending", m); }
  bool add(const part_music&, const music& m) { return misplaced("a part", m); }
  bool add(const part_group_music&, const music& m) { return misplaced("a group of parts", m); }
  bool add(const score_music&, const music& m) { return misplaced("a score", m); }

  bool misplaced(const char* what, const music& m) {
    return wrong(errc::misplaced, std::string{what} + " is not allowed inside a measure or a voice",
                 m.span, "end the measure first");
  }

  quarters at_, skipped_to_;
  std::string voice_;
  std::uint8_t staff_;
  bool inside_voice_, inside_layer_ = false;
  quarters measure_length_;
  std::vector<std::pair<std::string, quarters>> ends_;  ///< of each voice
  std::size_t last_end_ = 0;                            ///< the one asked for last
  std::optional<modification> modification_;
  int tuplet_depth_ = 0;
  bool in_grace_ = false;
  bool grace_slash_ = false;
  int block_ = 0, blocks_ = 0;
  source_span span_;
  std::vector<flow_item> out_;
  error fault_;
};

/// Hands out the syllables of a verse while it walks over the notes.
class syllable_giver {
public:
  explicit syllable_giver(const lyrics_music& x) : x_(x) {}

  std::vector<music_ptr> walk(const std::vector<music_ptr>& items) {
    std::vector<music_ptr> out;
    out.reserve(items.size());
    for (const auto& item : items)
      out.push_back(walk(item));
    return out;
  }
  std::size_t left() const { return x_.syllables.size() - next_; }

private:
  music_ptr walk(const music_ptr& m) {
    if (as_node<grace_music>(*m)) return m;
    if (auto items = items_of(*m)) return with_items(*m, walk(*items));
    auto c = leaf<chord_rest>(*m);
    if (!c || c->grace || c->notes.empty() || is_rest(*c)) return m;
    auto continues = c->notes.front().tie.stop || slurs_ > 0;
    for (const auto& n : c->notes)
      for (const auto& s : n.spanners)
        if (s.kind == spanner_kind::slur)
          slurs_ += s.end == span_end::start ? 1 : s.end == span_end::stop ? -1 : 0;
    slurs_ = std::max(slurs_, 0);
    if (continues || next_ >= x_.syllables.size()) return m;
    auto copy = *c;
    give(copy.notes.front(), x_.syllables[next_++]);
    return make_music(measure_content{std::move(copy)}, m->span);
  }

  void give(note& n, std::string_view text) {
    lyric l;
    l.number = x_.verse;
    if (text == "_") {
      // Inside a word hyphens fill the gap, and nothing is extended before the first syllable.
      if (!extending_) return;
      extending_ = next_ < x_.syllables.size() && x_.syllables[next_] == "_";
      l.extend = extending_ ? "continue" : "stop";
      n.lyrics.push_back(std::move(l));
      return;
    }
    auto goes_on = text.size() > 1 && text.ends_with('-');
    if (goes_on) text.remove_suffix(1);
    lyric_syllable s;
    s.syllabic = inside_word_ ? (goes_on ? "middle" : "end") : (goes_on ? "begin" : "single");
    s.text = text;
    inside_word_ = goes_on;
    l.syllables.push_back(std::move(s));
    extending_ = !goes_on && next_ < x_.syllables.size() && x_.syllables[next_] == "_";
    if (extending_) l.extend = "start";
    n.lyrics.push_back(std::move(l));
  }

  const lyrics_music& x_;
  std::size_t next_ = 0;
  int slurs_ = 0;
  bool inside_word_ = false;
  bool extending_ = false;  ///< a line leads on from the syllable before
};

}  // namespace

result<flow> lay_out(const std::vector<music_ptr>& items, const flow_start& start) {
  flow_layout l{start};
  l.expect(items.size());
  // Of what is not in a part yet the clefs alone tell the staves.
  if (std::any_of(items.begin(), items.end(), [](auto& x) { return names_a_staff(*x); }))
    l.add(with_numbered_staves(items));
  else
    l.add(items);
  return std::move(l).finish();
}

result<std::vector<music_ptr>> with_lyrics(const lyrics_music& x, source_span span) {
  syllable_giver giver{x};
  auto items = giver.walk(x.items);
  if (auto left = giver.left())
    return fail(error{errc::out_of_range,
                      "these lyrics have " + std::to_string(left) +
                          (left == 1 ? " syllable" : " syllables") + " more than there are notes",
                      span, "separate syllables with spaces and hyphens; _ extends a syllable"});
  return items;
}

}  // namespace fermata

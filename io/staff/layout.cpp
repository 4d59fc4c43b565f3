#include "io/staff/layout.hpp"

#include "core/score/model/attribute_of.hpp"
#include "io/musicxml/export.hpp"
#include "io/musicxml/part_progress.hpp"
#include "io/staff/column_spacing.hpp"
#include "io/staff/geometry.hpp"
#include "io/staff/marking.hpp"
#include "io/staff/signature.hpp"
#include "io/text/wrap.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace fermata::io::staff {

namespace {

int flags_of(note_base b) {
  return std::clamp(static_cast<int>(b) - static_cast<int>(note_base::quarter), 0, 5);
}

/// The written value, or the one that comes nearest to what it lasts.
note_value written_value(const chord_rest& x) {
  if (x.written) return *x.written;
  auto length = x.length;
  if (x.tuplet && x.tuplet->normal > 0)
    length = length * rational{x.tuplet->actual, x.tuplet->normal};
  if (auto exact = note_value_for(length)) return *exact;
  for (int base = 0; base <= static_cast<int>(note_base::n1024th); ++base)
    if (fermata::length(static_cast<note_base>(base)) <= length)
      return {static_cast<note_base>(base), 0};
  return {};
}

/// The beams that the score has, as letters.
std::array<char, 9> own_beams(const note& n) {
  std::array<char, 9> letters{};
  for (auto& b : n.beams)
    if (b.number >= 1 && b.number <= 8)
      letters[b.number - 1U] = b.value == "begin"           ? 'b'
                               : b.value == "continue"      ? 'c'
                               : b.value == "end"           ? 'e'
                               : b.value == "forward hook"  ? 'f'
                               : b.value == "backward hook" ? 'k'
                                                            : '\0';
  return letters;
}

/// Lays out one measure of one part into a block.
class measure_layout {
public:
  measure_layout(measure_block& block, std::size_t first_stave, const glyphs& g,
                 left_out_counts& left_out)
    : block_(block), first_stave_(first_stave), g_(g), left_out_(left_out) {}

  void run(const part& p, std::size_t number, const part_state& before,
           const std::vector<musicxml::detail::completed_chord>& completed, const clef* chosen) {
    auto& m = *p.measures[number];
    state_ = before;
    chosen_ = chosen;
    part_ = &p;
    number_graces(m);
    std::size_t index = 0, next_item = 0;
    measure_position at{};
    for (auto& item : m.items) {
      auto item_index = next_item++;
      if (item.at != at) {  // the clef at that place decides
        at = item.at;
        state_ = before;
        state_.apply(m, at);
      }
      if (auto* a = std::get_if<attributes>(&item.content)) {
        auto old = state_;
        state_.apply(*a);
        if (item.at > measure_position{}) changed(item.at, *a, old);
        add_attributes(*a, left_out_);
      } else if (auto* x = std::get_if<chord_rest>(&item.content)) {
        here_ = {number, item_index, 0};
        add(*x, item.at, completed[index], index);
        ++index;
      } else if (auto* d = std::get_if<direction>(&item.content)) {
        add_direction(block_, first_stave_, *d, item.at, g_, left_out_);
      } else if (auto* h = std::get_if<harmony>(&item.content)) {
        add_harmony(block_, first_stave_, *h, item.at, g_);
      } else if (auto* f = std::get_if<figured_bass>(&item.content)) {
        add_figures(block_, first_stave_, *f, item.at, g_);
      } else if (auto* bar = std::get_if<barline>(&item.content)) {
        add_barline(block_, *bar, item.at, left_out_);
      } else if (auto* other = std::get_if<fragment>(&item.content)) {
        add_fragment(*other, left_out_);
      }
    }
    stems();
  }

private:
  clef clef_on(int staff) const { return chosen_ ? *chosen_ : state_.clef_or_default(staff); }

  /// Grace notes of a voice count backwards from what follows them.
  void number_graces(const measure& m) {
    std::vector<const chord_rest*> chords;
    for (auto& item : m.items)
      if (auto* x = std::get_if<chord_rest>(&item.content)) chords.push_back(x);
    orders_.assign(chords.size(), 0);
    std::map<std::string, int> run;
    for (std::size_t i = chords.size(); i-- > 0;) {
      auto& count = run[chords[i]->voice];
      count = chords[i]->grace ? count - 1 : 0;
      orders_[i] = count;
    }
  }

  void changed(measure_position at, const attributes& a, const part_state& old) {
    for (int staff = 1; staff <= state_.staves(); ++staff) {
      signature signs;
      auto says = [&](auto& list) {
        return std::any_of(list.begin(), list.end(),
                           [&](auto& x) { return !x.staff || *x.staff == staff; });
      };
      if (says(a.clefs)) signs.clef = clef_columns(clef_on(staff), g_);
      auto key = old.key_or_default(staff);
      if (says(a.keys))
        signs.key = key_columns(state_.key_or_default(staff), &key, clef_on(staff), g_);
      if (says(a.times)) signs.time = time_columns(state_.time_or_default(staff), g_);
      if (width_of(signs.clef) + width_of(signs.key) + width_of(signs.time) > 0)
        block_.changes.push_back({first_stave_ + static_cast<std::size_t>(staff) - 1,
                                  {at, change_order},
                                  std::move(signs)});
    }
  }

  void add(const chord_rest& x, measure_position at,
           const musicxml::detail::completed_chord& completed, std::size_t index) {
    drawn_chord d;
    auto value = written_value(x);
    d.stave = first_stave_ + (x.staff > 0 ? x.staff - 1U : 0U);
    d.at = {at, orders_[index]};
    d.voice = x.voice;
    d.base = value.base;
    d.dots = value.dots;
    d.grace = x.grace.has_value();
    auto c = clef_on(x.staff);
    d.hidden = std::all_of(x.notes.begin(), x.notes.end(),
                           [](const note& n) { return is_hidden(n.extra); });
    if (auto* r = x.notes.empty() ? nullptr : std::get_if<rest>(&x.notes.front().tone)) {
      d.whole_measure = r->whole_measure;
      if (r->whole_measure) {
        d.base = note_base::whole;
        d.dots = 0;
      }
      auto usual = d.base <= note_base::half ? middle_line + 1 : middle_line;
      d.rest_place =
          r->display_step
              ? place_of({*r->display_step, 0, static_cast<std::int16_t>(r->display_octave)}, c)
              : usual;
      rest_is_placed_.push_back(r->display_step.has_value());
      stem_is_given_.push_back(true);
    } else {
      rest_is_placed_.push_back(false);
      for (std::size_t i = 0; i < x.notes.size(); ++i) {
        if (is_hidden(x.notes[i].extra)) continue;
        d.heads.push_back(head_of(x.notes[i], d, c,
                                  i < completed.accidentals.size() ? completed.accidentals[i]
                                                                   : std::string_view{}));
        auto& h = d.heads.back();
        h.here = here_;
        h.here.note = i;
        if (h.tie_start) h.tie_to = drawn_end(h.here, x.staff);
      }
      std::stable_sort(d.heads.begin(), d.heads.end(),
                       [](auto& a, auto& b) { return a.place < b.place; });
      auto& first = x.notes.front();
      auto given =
          std::any_of(x.notes.begin(), x.notes.end(), [](auto& n) { return !n.beams.empty(); });
      d.beams = given ? own_beams(first) : completed.beams;
      d.flags = d.grace ? 0 : flags_of(d.base);
      d.stem = first.stem == "up" ? 1 : first.stem == "down" ? -1 : 0;
      stem_is_given_.push_back(!first.stem.empty());
    }
    for (auto& n : x.notes)
      for (auto& s : n.spanners)
        if (s.kind == spanner_kind::tuplet) {
          if (s.end == span_end::start) d.tuplet_start = x.tuplet ? x.tuplet->actual : 3;
          if (s.end == span_end::stop) d.tuplet_stop = true;
        }
    add_marks(d, x, g_, left_out_);
    chords_.push_back(block_.chords.size());
    block_.chords.push_back(std::move(d));
  }

  head head_of(const note& n, const drawn_chord& d, const clef& c, std::string_view sign) const {
    head h;
    if (auto* p = std::get_if<pitch>(&n.tone)) {
      h.place = place_of(*p, c);
    } else if (auto* u = std::get_if<unpitched>(&n.tone)) {
      h.place =
          u->display_step
              ? place_of({*u->display_step, 0, static_cast<std::int16_t>(u->display_octave)}, c)
              : middle_line;
    }
    h.shape = d.grace                     ? head_shape::grace
              : d.base < note_base::whole ? head_shape::breve
              : d.base <= note_base::half ? head_shape::open
                                          : head_shape::filled;
    if (n.notehead && !d.grace && (n.notehead->value == "x" || n.notehead->value == "cross"))
      h.shape = head_shape::cross;
    if (n.accidental) sign = n.accidental->value;
    if (!sign.empty()) h.accidental = accidental_sign(sign, g_);
    h.tie_start = n.tie.start && !n.tie.start_undrawn;
    return h;
  }

  /// The note that the tie from here leads to, where that is seen on the same staff.
  std::optional<note_place> drawn_end(const note_place& at, std::uint8_t staff) const {
    auto to = tied_to(*part_, at);
    if (!to || is_hidden(note_at(*part_, *to).extra)) return std::nullopt;
    auto& item = part_->measures[to->measure]->items[to->item];
    return std::get<chord_rest>(item.content).staff == staff ? to : std::nullopt;
  }

  // --- stems
  // ---------------------------------------------------------------------------------------

  void stems() {
    std::map<std::size_t, std::vector<std::string>> voices;
    for (auto i : chords_) {
      auto& on_stave = voices[block_.chords[i].stave];
      auto& voice = block_.chords[i].voice;
      if (std::find(on_stave.begin(), on_stave.end(), voice) == on_stave.end())
        on_stave.push_back(voice);
    }
    group_beams();
    std::set<std::size_t> grouped;
    for (auto& group : block_.beam_groups)
      if (block_.chords[group.front()].stave >= first_stave_ &&
          std::find(chords_.begin(), chords_.end(), group.front()) != chords_.end()) {
        direct(group, voices);
        grouped.insert(group.begin(), group.end());
      }
    for (auto i : chords_)
      if (!grouped.contains(i)) direct({i}, voices);
    for (std::size_t n = 0; n < chords_.size(); ++n) {
      auto& d = block_.chords[chords_[n]];
      auto& on_stave = voices[d.stave];
      // Rests of two voices make room for each other.
      if (d.heads.empty() && on_stave.size() > 1 && !rest_is_placed_[n])
        d.rest_place += d.voice == on_stave.front() ? 4 : -4;
      displace(d);
    }
    part_voices();
  }

  void group_beams() {
    std::map<std::string, std::vector<std::size_t>> open;
    for (auto i : chords_) {
      auto& d = block_.chords[i];
      auto letter = d.beams[0];
      auto& group = open[d.voice + (d.grace ? "g" : "")];
      if (letter == 'b') group = {i};
      if ((letter == 'c' || letter == 'e') && !group.empty()) group.push_back(i);
      if (letter != 'e') continue;
      auto seen = without_hidden(std::exchange(group, {}));
      if (seen.size() > 1 && !d.grace) block_.beam_groups.push_back(std::move(seen));
    }
  }

  /// What is seen of a beam when the hidden notes are out of it: it begins and ends at notes that
  /// are seen, and one that is left alone has flags.
  std::vector<std::size_t> without_hidden(std::vector<std::size_t> group) {
    auto is_seen = [this](std::size_t i) { return !block_.chords[i].heads.empty(); };
    auto first = std::find_if(group.begin(), group.end(), is_seen);
    if (std::all_of(group.begin(), group.end(), is_seen) || first == group.end()) {
      if (first == group.end()) group.clear();
      return group;
    }
    for (std::size_t level = 0; level < block_.chords[*first].beams.size(); ++level) {
      auto letter = [&](std::size_t i) -> char& { return block_.chords[i].beams[level]; };
      std::vector<std::size_t> joined;
      for (auto i : group) {
        if (letter(i) == 'b') joined.clear();
        if (is_seen(i) && (letter(i) == 'b' || letter(i) == 'c' || letter(i) == 'e'))
          joined.push_back(i);
        if (letter(i) != 'e') continue;
        for (auto j : joined)
          letter(j) = joined.size() == 1    ? (j == *first ? 'f' : 'k')
                      : j == joined.front() ? 'b'
                      : j == joined.back()  ? 'e'
                                            : 'c';
        joined.clear();
      }
    }
    std::erase_if(group, [&](auto i) { return !is_seen(i); });
    if (group.size() == 1) block_.chords[group.front()].beams = {};
    return group;
  }

  /// The note farthest from the middle line decides; at equal distance stems go down (Read, ch. 5).
  void direct(const std::vector<std::size_t>& group,
              std::map<std::size_t, std::vector<std::string>>& voices) {
    auto& first = block_.chords[group.front()];
    if (first.heads.empty()) return;
    auto& on_stave = voices[first.stave];
    int stem;
    auto n = static_cast<std::size_t>(std::find(chords_.begin(), chords_.end(), group.front()) -
                                      chords_.begin());
    if (stem_is_given_[n]) {
      stem = first.stem;
    } else if (on_stave.size() > 1) {
      stem = first.voice == on_stave.front() ? 1 : -1;
    } else {
      int high = -100, low = 100;
      for (auto i : group)
        if (!block_.chords[i].heads.empty()) {
          high = std::max(high, block_.chords[i].heads.back().place);
          low = std::min(low, block_.chords[i].heads.front().place);
        }
      stem = high - middle_line >= middle_line - low ? -1 : 1;
    }
    int end = stem > 0 ? -100 : 100;
    for (auto i : group) {
      auto& d = block_.chords[i];
      d.stem = d.grace || d.base <= note_base::whole ? 0 : stem;
      // Curves of several voices keep to the outside; else they lie where the stem is not, or would
      // not be (Gould, Behind Bars, "Ties" and "Slurs").
      if (on_stave.size() > 1) {
        d.tie_side = first.voice == on_stave.front() ? 1 : -1;
        for (auto& s : d.slurs)
          if (s.side == 0) s.side = d.tie_side;
      } else if (d.heads.size() == 1) {
        d.tie_side = -stem;
      }
      // An octave, and as far as the middle line for notes on ledger lines; under a beam it may be
      // shorter, but leaves room for every further beam.
      auto length = group.size() > 1 ? 5 + std::max(d.flags - 1, 0) : 7;
      if (stem > 0)
        end = std::max({end, d.heads.back().place + length, middle_line});
      else
        end = std::min({end, d.heads.front().place - length, middle_line});
    }
    for (auto i : group)
      block_.chords[i].stem_end = end;
  }

  /// Of two heads a second apart the upper one stands to the right.
  static void displace(drawn_chord& d) {
    if (d.stem >= 0) {
      for (std::size_t i = 1; i < d.heads.size(); ++i)
        if (d.heads[i].place - d.heads[i - 1].place <= 1 && d.heads[i - 1].displaced == 0)
          d.heads[i].displaced = 1;
    } else {
      for (std::size_t i = d.heads.size() - 1; i-- > 0 && !d.heads.empty();)
        if (d.heads[i + 1].place - d.heads[i].place <= 1 && d.heads[i + 1].displaced == 0)
          d.heads[i].displaced = -1;
    }
  }

  /// Where heads of two voices would cover or touch each other, the later voice moves aside.
  void part_voices() {
    for (std::size_t a = 0; a < chords_.size(); ++a)
      for (std::size_t b = a + 1; b < chords_.size(); ++b) {
        auto &x = block_.chords[chords_[a]], &y = block_.chords[chords_[b]];
        if (x.stave != y.stave || x.at != y.at || x.voice == y.voice) continue;
        for (auto& h : x.heads)
          for (auto& k : y.heads) {
            auto apart = std::abs(h.place - k.place);
            if (apart == 1 || (apart == 0 && (h.shape != k.shape || x.dots != y.dots))) y.shift = 2;
          }
      }
  }

  measure_block& block_;
  std::size_t first_stave_;
  const glyphs& g_;
  left_out_counts& left_out_;
  part_state state_;
  const clef* chosen_ = nullptr;
  const part* part_ = nullptr;
  note_place here_;  ///< the chord that is being laid out
  std::vector<int> orders_;
  std::vector<std::size_t> chords_;                   ///< of this part, indices into the block
  std::vector<bool> rest_is_placed_, stem_is_given_;  ///< per entry of `chords_`
};

/// Whether most of a part lies nearer to the bass staff than to the treble staff.
bool lies_low(const part& p) {
  int count = 0, sum = 0;
  for (auto& m : p.measures)
    for (auto& item : m->items)
      if (auto* x = std::get_if<chord_rest>(&item.content))
        for (auto& n : x->notes)
          if (auto* at = std::get_if<pitch>(&n.tone)) {
            ++count;
            sum += at->diatonic_index();
          }
  return count > 0 && sum < 28 * count;  // on average below middle C
}

int staves_of(const part& p) {
  int staves = 1;
  for (auto& m : p.measures)
    for (auto& item : m->items) {
      if (auto* a = std::get_if<attributes>(&item.content); a && a->staves)
        staves = std::max(staves, *a->staves);
      if (auto* x = std::get_if<chord_rest>(&item.content))
        staves = std::max(staves, static_cast<int>(x->staff));
    }
  return staves;
}

}  // namespace

staff_layout laid_out(const score& s, const excerpt& which, const glyphs& g) {
  staff_layout out;
  std::vector<std::size_t> parts;
  for (std::size_t p = 0; p < s.parts.size(); ++p)
    if (!which.part || *which.part == p) parts.push_back(p);
  std::size_t measures = 0;
  for (auto p : parts) {
    auto staves = staves_of(*s.parts[p]);
    for (int n = 1; n <= staves; ++n)
      out.staves.push_back({p, n, n == 1 ? s.parts[p]->name : "", n == 1, n == staves});
    measures = std::max(measures, s.parts[p]->measures.size());
  }
  if (parts.empty() || which.first >= measures) return out;
  auto last = std::min(which.last, measures - 1);
  out.blocks.resize(last - which.first + 1);
  std::vector<quarters> ends(out.blocks.size());

  std::size_t first_stave = 0;
  for (auto p : parts) {
    auto& part = *s.parts[p];
    auto staves = static_cast<std::size_t>(staves_of(part));
    clef bass = *find_clef("bass");
    auto chosen = which.choose_clef && staves == 1 &&
                          state_before(part, 1).clef_or_default() == *find_clef("treble") &&
                          lies_low(part)
                      ? &bass
                      : nullptr;
    musicxml::detail::part_progress progress;
    walk_measures(part, [&](std::size_t i, const measure& m, const part_state& before) {
      if (i > last) return;
      auto& completed = progress.next_measure(m, {});
      if (i < which.first) return;
      auto& b = out.blocks[i - which.first];
      if (b.number.empty()) b.number = m.number;
      auto now = before;
      now.apply(m, measure_position{});
      for (std::size_t n = 0; n < staves; ++n) {
        auto staff = static_cast<int>(n) + 1;
        auto c = chosen ? *chosen : now.clef_or_default(staff);
        auto key = now.key_or_default(staff), old_key = before.key_or_default(staff);
        auto time = now.time_or_default(staff);
        signature opening, full, times;
        if (i > 0) {
          if (!chosen && c != before.clef_or_default(staff)) opening.clef = clef_columns(c, g);
          if (key != old_key) opening.key = key_columns(key, &old_key, c, g);
          if (time != before.time_or_default(staff)) opening.time = time_columns(time, g);
        }
        full.clef = clef_columns(c, g);
        full.key = key_columns(key, i > which.first && key != old_key ? &old_key : nullptr, c, g);
        times.time = time_columns(time, g);
        b.opening.push_back(std::move(opening));
        b.full.push_back(std::move(full));
        b.time.push_back(std::move(times));
      }
      measure_layout{b, first_stave, g, out.left_out}.run(part, i, before, completed, chosen);
      auto length =
          std::max(extent(m), m.implicit ? quarters{} : measure_length(now.time_or_default()));
      ends[i - which.first] = std::max(ends[i - which.first], length);
    });
    // A part that is shorter than the others goes on with empty staves.
    for (auto& b : out.blocks)
      while (b.full.size() < first_stave + staves) {
        b.opening.emplace_back();
        b.full.emplace_back();
        b.time.emplace_back();
      }
    first_stave += staves;
  }
  for (std::size_t i = 0; i < out.blocks.size(); ++i)
    place_columns(out.blocks[i], ends[i], g, which.columns, out.left_out);
  return out;
}

}  // namespace fermata::io::staff

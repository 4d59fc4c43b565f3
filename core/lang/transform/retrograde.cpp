#include "core/lang/layout/compile.hpp"
#include "core/lang/layout/decompile.hpp"
#include "core/lang/layout/marks_in_measures.hpp"
#include "core/lang/layout/measure_order.hpp"
#include "core/lang/layout/named_staves.hpp"
#include "core/lang/layout/page_breaks.hpp"
#include "core/lang/transform/kept_xml_transform.hpp"
#include "core/lang/transform/repeat_order.hpp"
#include "core/lang/transform/reversed_notes.hpp"
#include "core/lang/transform/reversed_spanners.hpp"
#include "core/lang/transform/transform.hpp"
#include "core/lang/value/make.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace fermata {

namespace {

/// As long as its time signature says; turned, so what held at its end is `at_begin`.
bool is_full(const loose_measure& m) {
  for (const auto& x : m.at_begin)
    if (const auto& times = leaf<attributes>(*x)->times; !times.empty())
      return duration_of(*make_music(measure_music{m.rest})) >= measure_length(times.front().value);
  return true;
}

/// What a rest without a length fills, where `in_force` holds.
quarters full_length(const signatures& in_force) {
  for (const auto& x : in_force)
    for (const auto& t : leaf<attributes>(*x)->times)
      if (!t.staff || t.staff == 1) return measure_length(t.value);
  return measure_length(time_signature{});
}

/// How far items of one voice lead from where they begin; `full` is what a rest without a length
/// fills. A way back may follow it, to a mark that stands inside the measure.
quarters time_taken(const std::vector<music_ptr>& items, quarters full) {
  quarters at;
  for (const auto& x : items) {
    auto c = leaf<chord_rest>(*x);
    auto fills = c && !c->grace && c->length == quarters{} && full > quarters{};
    at += fills ? full : duration_of(*x);
  }
  return at;
}

/// Where the notes of a layer end, counted from where all layers begin.
quarters end_of_layer(const music& m) {
  const auto& items = *items_of(m);
  auto v = as_node<voice_music>(m);
  quarters end{v && v->at ? v->at->value : rational{}};
  if (!holds_layers(items)) return end + time_taken(items, measure_length(time_signature{}));
  for (const auto& x : spliced(items))
    end = std::max(end, is_layer(*x) ? end_of_layer(*x) : duration_of(*x));
  return end;
}

/// Where the last note or rest of a measure ends.
quarters end_of_notes(const measure& m) {
  quarters end;
  for (const auto& item : m.items)
    if (auto c = std::get_if<chord_rest>(&item.content))
      end = std::max(end, quarters{item.at.value} + c->length);
  return end;
}

/// What held before `change` on the staves that it is for: one thing for all of them, and what some
/// had of their own.
std::vector<attributes> held_before(const signatures& in_force, const music& change) {
  const auto& a = *leaf<attributes>(change);
  std::vector<attributes> out;
  for (const auto& x : all_of_same_kind(in_force, change)) {
    out.push_back(*leaf<attributes>(*x));
    auto for_staff = [](auto& held, const auto& of) {
      if (!held.empty() && !of.empty() && !held.front().staff)
        held.front().staff = of.front().staff;
    };
    for_staff(out.back().keys, a.keys);
    for_staff(out.back().times, a.times);
    for_staff(out.back().clefs, a.clefs);
    for_staff(out.back().transpositions, a.transpositions);
  }
  if (out.empty()) out.push_back(a);
  return out;
}

bool is_group_of_notes(const music& m) {
  auto seq = as_node<seq_music>(m);
  return as_node<tuplet_music>(m) || (seq && !seq->block && !holds_measures(m));
}

class turner {
public:
  explicit turner(copying& walk) : walk_(walk) {}

  std::vector<music_ptr> all(const std::vector<music_ptr>& in) {
    time_signature time;
    auto own = written_out(in, time);
    if (!walk_.asks()) return in;
    auto lines = reverse_spanners(own);
    if (!walk_.asks()) return in;
    between_ = std::move(lines.between);
    return row(lines.items, nullptr);
  }

  error fault;

private:
  /// Measures as voices and positions, which can be read from behind. `time` holds before them.
  std::vector<music_ptr> written_out(const std::vector<music_ptr>& in, time_signature& time) {
    std::vector<music_ptr> out;
    out.reserve(in.size());
    for (const auto& m : in) {
      if (!walk_.goes_on()) return in;
      auto inner = items_of(*m);
      if (auto p = as_node<part_music>(*m)) {
        time = {};
        out.push_back(with_items(*m, written_out(with_staves_of_measures_numbered(*p), time)));
        continue;
      }
      if (is_measure(m) && names_one_staff(*m))
        fault.diagnostics.push_back(
            {errc::misplaced, "the staff depends on the part this measure belongs to", m->span,
             "number it, as in (staff 2 ...), or reverse the whole part"});
      out.push_back(is_measure(m) ? written_out_measure(m, time)
                    : inner       ? with_items(*m, written_out(*inner, time))
                                  : m);
    }
    return out;
  }

  music_ptr written_out_measure(const music_ptr& m, time_signature& time) {
    const auto& own = *as_node<measure_music>(*m);
    auto loose = own;
    loose.free = true;
    auto made = compile_measure(loose, own.number.value_or("1"), time);
    if (!made) {
      fault.diagnostics.insert(fault.diagnostics.end(), made.error().diagnostics.begin(),
                               made.error().diagnostics.end());
      return m;
    }
    auto written = *as_node<measure_music>(*to_music(*made, time, !own.number));
    for (const auto& item : made->items)
      if (auto a = std::get_if<attributes>(&item.content); a && !a->times.empty())
        time = a->times.back().value;
    written.padded_to = measure_position{extent(*made).value};
    // Silence behind the notes may reach beyond the time signature; in front, it pushes notes
    // there.
    auto full = measure_length(time);
    written.free = own.free || (full > quarters{} && end_of_notes(*made) <= full &&
                                quarters{extent(*made).value} > full);
    return make_music(std::move(written), m->span);
  }

  /// Measures, layers, or notes that stand in no measure: there key, time and clef hold over the
  /// same notes as before, as they do in measures.
  std::vector<music_ptr> row(const std::vector<music_ptr>& in, const part_music* whole) {
    if (inside_row_) return items(in);
    if (auto turned = as_measures(in, whole)) return *turned;
    if (in.size() == 1 && !is_layer(*in.front())) return items(in);
    if (holds_layers(in)) return layers(spliced(in));
    if (!changes_on_the_way(in)) return items(in);
    measure_music all;
    all.items = in;
    auto loose = loosened({std::move(all)}, whole);
    auto& only = loose.front();
    only.rest.items = with_changes_led_back(only.rest.items, only.at_begin);
    inside_row_ = true;
    only.rest.items = items(only.rest.items);
    inside_row_ = false;
    std::swap(only.at_begin, only.at_end);
    return *items_of(*put_in_order(std::move(loose)).front());
  }

  /// One after another.
  std::vector<music_ptr> items(const std::vector<music_ptr>& in) {
    if (auto turned = as_measures(in, nullptr)) return *turned;
    // Key, time, clef and layout at the beginning stay there.
    auto begin = std::find_if_not(
        in.begin(), in.end(), [](const music_ptr& x) { return is_signature(x) || is_layout(x); });
    std::vector<music_ptr> out{in.begin(), begin};
    // What stands before a note goes with it; what stands between two notes stays between them.
    struct unit {
      std::vector<music_ptr> between, own;
      grace_ties held;
    };
    std::vector<unit> units(1);
    std::vector<music_ptr> closing;  // the line under it all stays there
    for (auto x = begin; x != in.end(); ++x) {
      auto& u = units.back();
      if (between_.contains(x->get()) || is_layout(*x)) {
        u.between.insert(u.between.begin(), *x);
      } else if (auto b = leaf<barline>(**x)) {
        auto last = x + 1 == in.end() && b->repeat.empty();
        auto& place = last ? closing : u.between;
        place.insert(place.begin(), make_music(measure_content{turned(*b)}, (*x)->span));
      } else if (is_grace(**x)) {
        add_grace_ties(**x, u.held);
        u.own.push_back(*x);
      } else if (is_group_of_notes(**x)) {
        u.own = one_with_marks(*x, std::move(u.own));
      } else {
        u.own.push_back(one(*x, u.held));
      }
      if (takes_place(**x)) units.emplace_back();
    }
    // Marks after the last note end something there: they now open.
    for (auto u = units.rbegin(); u != units.rend(); ++u) {
      out.insert(out.end(), u->own.begin(), u->own.end());
      out.insert(out.end(), u->between.begin(), u->between.end());
    }
    out.insert(out.end(), closing.begin(), closing.end());
    return out;
  }

  /// A tuplet or a row of notes, with what stands before it: that goes with the first note in it,
  /// which comes last.
  std::vector<music_ptr> one_with_marks(const music_ptr& group, std::vector<music_ptr> before) {
    auto inside = std::stable_partition(before.begin(), before.end(), is_signature);
    std::vector<music_ptr> inner{inside, before.end()};
    before.erase(inside, before.end());
    const auto& own = *items_of(*group);
    inner.insert(inner.end(), own.begin(), own.end());
    before.push_back(one(with_items(*group, std::move(inner))));
    return before;
  }

  /// Feathered beams say at the note where they begin how the notes get faster or slower.
  chord_rest without_fans(chord_rest x) const {
    for (auto& n : x.notes)
      for (auto& b : n.beams) {
        if (!b.extra) continue;
        auto extra = *b.extra;
        auto gone = std::erase_if(extra.attributes, [](const auto& a) { return a.first == "fan"; });
        if (gone == 0) continue;
        walk_.dropped(edit_operation::retrograde, "the fan of a beam");
        b.extra = extra == preserved_xml{} ? preserved{} : preserved{std::move(extra)};
      }
    return x;
  }

  music_ptr one(const music_ptr& m, const grace_ties& held = {}) {
    if (!walk_.goes_on()) return m;
    if (auto c = leaf<chord_rest>(*m))
      return make_music(measure_content{without_fans(turned_chord(*c, held))}, m->span);
    if (as_node<measure_music>(*m)) return measures({m}, nullptr).front();
    if (auto p = as_node<part_music>(*m)) return part(*p, m->span);
    if (auto s = as_node<score_music>(*m)) return with_items(*m, each(s->items));
    if (auto g = as_node<part_group_music>(*m)) return with_items(*m, each(g->items));
    if (auto inner = items_of(*m))
      return with_items(*m, as_node<par_music>(*m) ? each(*inner) : row(*inner, nullptr));
    return m;
  }

  std::vector<music_ptr> each(const std::vector<music_ptr>& in) {
    std::vector<music_ptr> out;
    for (const auto& x : in)
      out.push_back(one(x));
    return out;
  }

  /// Rows of notes that begin together: what ended last begins first. Notes in front of the layers,
  /// between and behind them are one row more, which begins where the layers do.
  std::vector<music_ptr> layers(const std::vector<music_ptr>& in) {
    auto [row_of_loose, end_of_loose, rest, in_front] = loose_notes(in);
    auto reach = end_of_loose;
    for (const auto& x : rest)
      if (is_layer(*x)) reach = std::max(reach, end_of_layer(*x));
    auto out = layers({rest.begin(), rest.begin() + in_front}, reach);
    if (!row_of_loose.empty())
      for (auto& x : delayed(row(row_of_loose, nullptr), reach - end_of_loose))
        out.push_back(std::move(x));
    for (auto& x : layers({rest.begin() + in_front, rest.end()}, reach))
      out.push_back(std::move(x));
    return out;
  }

  struct divided_layers {
    std::vector<music_ptr> loose;  ///< notes that stand in no layer, silence where layers go on
    quarters end;                  ///< of these
    std::vector<music_ptr> rest;   ///< layers, and marks beside them
    std::ptrdiff_t in_front = 0;   ///< marks before the first layer
  };
  static divided_layers loose_notes(const std::vector<music_ptr>& in) {
    divided_layers out;
    std::vector<music_ptr> marks;
    quarters at;
    auto in_run = false, seen_layer = false;
    auto put_marks = [&] {
      auto& into = in_run ? out.loose : out.rest;
      into.insert(into.end(), marks.begin(), marks.end());
      marks.clear();
    };
    for (const auto& x : in) {
      if (is_layer(*x)) {
        put_marks();
        if (!std::exchange(seen_layer, true))
          out.in_front = static_cast<std::ptrdiff_t>(out.rest.size());
        at = std::max(at, end_of_layer(*x));
        in_run = false;
        out.rest.push_back(x);
        continue;
      }
      auto length = time_taken({x}, measure_length(time_signature{}));
      marks.push_back(x);
      if (length == quarters{}) continue;
      if (at > out.end && !out.loose.empty())
        out.loose.push_back(make_music(skip_music{at - out.end}));
      in_run = true;
      put_marks();
      at += length;
      out.end = at;
    }
    put_marks();
    return out;
  }

  /// With silence in front.
  static std::vector<music_ptr> delayed(std::vector<music_ptr> items, quarters silence) {
    auto notes = std::find_if_not(items.begin(), items.end(), is_signature);
    if (silence > quarters{}) items.insert(notes, make_music(skip_music{silence}));
    return items;
  }

  std::vector<music_ptr> layers(const std::vector<music_ptr>& in, quarters reach) {
    std::vector<music_ptr> out;
    for (const auto& x : in)
      out.push_back(is_layer(*x) ? layer(x, reach) : one(x));
    return out;
  }

  music_ptr layer(const music_ptr& m, quarters reach) {
    const auto& inner = *items_of(*m);
    if (holds_layers(inner)) return with_items(*m, layers(spliced(inner), reach));
    auto begin = reach - end_of_layer(*m);
    auto turned = row(inner, nullptr);
    auto v = as_node<voice_music>(*m);
    if (!v) return with_items(*m, delayed(std::move(turned), begin));
    auto copy = *v;
    copy.at.reset();
    if (begin > quarters{}) copy.at = measure_position{begin.value};
    copy.items = std::move(turned);
    return make_music(std::move(copy), m->span);
  }

  /// Chord symbols, figures and the like in front of the voices are written before the first note
  /// of the first, with which they go. `items` hold a voice.
  static void stand_in_first_voice(std::vector<music_ptr>& items) {
    auto first = std::find_if(items.begin(), items.end(),
                              [](const music_ptr& x) { return as_node<voice_music>(*x); });
    auto own = std::stable_partition(
        items.begin(), first, [](const music_ptr& x) { return is_signature(x) || is_layout(x); });
    if (own == first) return;
    auto voice = *as_node<voice_music>(**first);
    std::vector<music_ptr> inner;
    for (auto x = own; x != first; ++x)
      inner.push_back(said_on_staff(*x, voice.staff));
    if (voice.at) inner.push_back(make_music(skip_music{quarters{voice.at->value}}));
    voice.at.reset();
    inner.insert(inner.end(), voice.items.begin(), voice.items.end());
    voice.items = std::move(inner);
    *first = make_music(std::move(voice), (*first)->span);
    items.erase(own, first);
  }

  /// What stands outside of a staff, as it is said inside.
  static music_ptr said_on_staff(const music_ptr& x, std::optional<std::uint8_t> staff) {
    auto h = leaf<harmony>(*x);
    if (!h || !staff) return x;
    auto copy = *h;
    if (!h->staff)
      copy.staff = 0;
    else if (h->staff == staff)
      copy.staff.reset();
    return make_music(measure_content{std::move(copy)}, x->span);
  }

  /// Voice by voice, so that they stay together. `full` is what a rest without a length fills.
  measure_music turned_measure(measure_music m, quarters full) {
    auto reach = quarters{m.padded_to ? m.padded_to->value : rational{}};
    m.padded_to.reset();
    auto is_voice = [](const music_ptr& x) { return as_node<voice_music>(*x) != nullptr; };
    if (std::none_of(m.items.begin(), m.items.end(), is_voice)) {
      auto length = time_taken(m.items, full);
      m.items = items(m.items);
      if (length < reach) {
        auto first = std::find_if(m.items.begin(), m.items.end(),
                                  [](const music_ptr& x) { return !leaf<attributes>(*x); });
        m.items.insert(first, make_music(skip_music{reach - length}));
      }
      return m;
    }
    stand_in_first_voice(m.items);
    std::vector<music_ptr> out;
    std::set<std::string> seen;
    for (const auto& x : m.items) {
      auto v = as_node<voice_music>(*x);
      if (!v) {
        out.push_back(one(x));
        continue;
      }
      auto copy = *v;
      auto start = quarters{v->at ? v->at->value : rational{}};
      auto length = time_taken(v->items, full);
      auto new_start = reach - start - length;
      copy.at.reset();
      if (!seen.insert(v->voice).second || new_start > quarters{})
        copy.at = measure_position{new_start.value};
      copy.items = items(v->items);
      out.push_back(make_music(std::move(copy), x->span));
    }
    m.items = std::move(out);
    return m;
  }

  /// The last measure first. A change on the way through a measure leads, read backwards, to what
  /// held before it.
  std::vector<music_ptr> measures(const std::vector<music_ptr>& in, const part_music* whole) {
    std::vector<measure_music> own;
    own.reserve(in.size());
    for (const auto& x : in)
      own.push_back(*as_node<measure_music>(*x));
    auto layouts = without_layouts(own);
    auto bars = without_barlines(own);
    auto loose = loosened(own, whole);
    for (std::size_t i = 0; i < loose.size(); ++i) {
      auto& m = loose[i];
      m.rest.items = with_changes_led_back(m.rest.items, m.at_begin);
      auto outer = std::exchange(inside_row_, true);
      m.rest = turned_measure(std::move(m.rest), full_length(m.at_end));
      inside_row_ = outer;
      std::swap(m.at_begin, m.at_end);
    }
    move_measure_rests(loose);
    // The pickup is now the end, and what completed it at the end the pickup.
    if (loose.size() > 1 && loose.front().rest.implicit && !is_full(loose.back()))
      std::swap(loose.front().rest.implicit, loose.back().rest.implicit);
    std::reverse(loose.begin(), loose.end());
    auto lines = turned_barlines(bars, whole != nullptr);
    if (!lines) {
      if (fault.diagnostics.empty()) fault = std::move(lines.error());
      return in;
    }
    set_barlines(loose, *lines);
    set_layouts(loose, layouts);
    return put_in_order(std::move(loose));
  }

  /// "Four measures of rest" is said in the first of them, which is now the last.
  static void move_measure_rests(std::vector<loose_measure>& measures) {
    std::vector<std::pair<std::size_t, music_ptr>> moved;
    for (std::size_t i = 0; i < measures.size(); ++i)
      std::erase_if(measures[i].rest.items, [&](const music_ptr& x) {
        auto seq = as_node<seq_music>(*x);
        auto a = seq && seq->items.size() == 1 ? leaf<attributes>(*seq->items.front()) : nullptr;
        if (!a || !a->multiple_rest || *a->multiple_rest < 1) return false;
        auto last = i + static_cast<std::size_t>(*a->multiple_rest) - 1;
        moved.emplace_back(std::min(last, measures.size() - 1), x);
        return true;
      });
    for (auto& [place, x] : moved)
      measures[place].rest.items.insert(measures[place].rest.items.begin(), x);
  }

  /// `in_force` holds at the beginning.
  std::vector<music_ptr> with_changes_led_back(const std::vector<music_ptr>& in,
                                               signatures in_force) {
    auto changes = changes_inside(in, in_force);
    auto next = changes.cbegin();
    return with_changes_led_back(in, next, 0);
  }

  std::vector<music_ptr> with_changes_led_back(const std::vector<music_ptr>& in,
                                               std::vector<change_inside>::const_iterator& next,
                                               int staff) {
    std::vector<music_ptr> out;
    for (const auto& x : in) {
      auto said = signatures_in(*x, staff);
      for (std::size_t i = 0; i < said.own.size(); ++i, ++next) {
        auto held = held_before(next->before, *next->said);
        // They stand in reverse when the music is turned: what is for all staves comes first.
        for (auto h = held.rbegin(); h != held.rend(); ++h) {
          auto back = make_music(measure_content{as_said_in(std::move(*h), staff)}, x->span);
          between_.insert(back.get());
          kept_alive_.push_back(back);
          out.push_back(std::move(back));
        }
      }
      if (said.rest) {
        out.push_back(said.rest);
      } else if (!said.own.empty()) {
        continue;
      } else if (auto inner = items_of(*x)) {
        auto led = with_changes_led_back(*inner, next, staff_inside(*x, staff));
        out.push_back(as_node<grace_music>(*x) ? x : with_items(*x, std::move(led)));
      } else {
        out.push_back(x);
      }
    }
    return out;
  }

  music_ptr part(const part_music& p, source_span span) {
    auto out = p;
    out.items = row(p.items, &p);
    return make_music(std::move(out), span);
  }

  /// Measures and repeats in reverse, the barline behind them still there; nothing when there is
  /// anything else. A repeat by itself stays one.
  std::optional<std::vector<music_ptr>> as_measures(const std::vector<music_ptr>& in,
                                                    const part_music* whole) {
    auto closing = in.end() - static_cast<std::ptrdiff_t>(closing_barlines(in));
    std::vector<music_ptr> body{in.begin(), closing};
    if (!whole && body.size() == 1 && !is_measure(body.front())) return std::nullopt;
    auto flat = measures_with_repeat_signs(body);
    if (!flat) return std::nullopt;
    auto out = measures(*flat, whole);
    out.insert(out.end(), closing, in.end());
    return out;
  }

  copying& walk_;
  bool inside_row_ = false;  ///< of notes, whose changes are led back already
  std::unordered_set<const music*> between_;
  std::vector<music_ptr> kept_alive_;  ///< so that no two in `between_` have one address
};

result<std::vector<music_ptr>> turned(const std::vector<music_ptr>& items, copying& walk) {
  if (!walk.asks()) return fail(walk.why());
  turner t{walk};
  auto out = t.all(items);
  if (walk.is_stopped()) return fail(walk.why());
  if (!t.fault.diagnostics.empty()) return fail(std::move(t.fault));
  return out;
}

}  // namespace

result<std::vector<music_ptr>> retrograde(const std::vector<music_ptr>& items, copying& walk) {
  if (auto refused = irreversible_order(items)) return fail(std::move(*refused));
  standing_xml standing{edit_operation::retrograde, walk};
  auto own = with_marks_in_measures(standing.taken_out(items));
  if (!own) return fail(std::move(own.error()));
  auto out = turned(*own, walk);
  if (!out) return out;
  return standing.restored(*out);
}

result<music_ptr> retrograde(const music_ptr& m, copying& walk) {
  if (auto refused = irreversible_order({m})) return fail(std::move(*refused));
  standing_xml standing{edit_operation::retrograde, walk};
  auto own = with_marks_in_measures(standing.taken_out({m}).front());
  if (!own) return fail(std::move(own.error()));
  auto out = turned({*own}, walk);
  if (!out) return fail(std::move(out.error()));
  return standing.restored(*out).front();
}

}  // namespace fermata

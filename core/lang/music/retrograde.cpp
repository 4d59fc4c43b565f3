#include "core/lang/music/compile.hpp"
#include "core/lang/music/decompile.hpp"
#include "core/lang/music/make.hpp"
#include "core/lang/music/marks_in_measures.hpp"
#include "core/lang/music/measure_order.hpp"
#include "core/lang/music/moved_lines.hpp"
#include "core/lang/music/repeat_order.hpp"
#include "core/lang/music/transform.hpp"

#include <algorithm>

namespace fermata {

namespace {

std::string other_beam(const std::string& value) {
  return value == "begin"           ? "end"
         : value == "end"           ? "begin"
         : value == "forward hook"  ? "backward hook"
         : value == "backward hook" ? "forward hook"
                                    : value;
}

/// Pitches whose tie comes from a grace note that stays before them.
using grace_ties = std::vector<pitch>;

/// Ties and beams read backwards; lines are done before (moved_lines.hpp).
chord_rest turned_chord(chord_rest x, const grace_ties& from_grace) {
  for (auto& n : x.notes) {
    auto p = std::get_if<pitch>(&n.tone);
    auto held =
        p && std::find(from_grace.begin(), from_grace.end(), *p) != from_grace.end() && n.tie.stop;
    std::swap(n.tie.start, n.tie.stop);
    std::swap(n.tie.start_undrawn, n.tie.stop_undrawn);
    if (held) {
      n.tie.stop = true;
      n.tie.start = false;
      n.tie.start_undrawn = false;
    }
    for (auto& b : n.beams)
      b.value = other_beam(b.value);
  }
  return x;
}

void add_grace_ties(const music& m, grace_ties& out) {
  if (auto c = leaf<chord_rest>(m)) {
    for (const auto& n : c->notes)
      if (auto p = std::get_if<pitch>(&n.tone); p && n.tie.start) out.push_back(*p);
  } else if (auto g = as_node<grace_music>(m)) {
    for (const auto& x : g->items)
      add_grace_ties(*x, out);
  }
}

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

/// Where the last note or rest of a measure ends.
quarters end_of_notes(const measure& m) {
  quarters end;
  for (const auto& item : m.items)
    if (auto c = std::get_if<chord_rest>(&item.content))
      end = std::max(end, quarters{item.at.value} + c->length);
  return end;
}

/// Key, time, clef, or a block of them.
bool is_signature(const music_ptr& m) {
  auto seq = as_node<seq_music>(*m);
  return leaf<attributes>(*m) || (seq && seq->block);
}

/// What held before `change`, for the staff that it is for.
attributes held_before(const signatures& in_force, const music& change) {
  const auto& a = *leaf<attributes>(change);
  auto held = of_same_kind(in_force, change);
  if (!held) return a;
  auto back = *leaf<attributes>(*held);
  auto for_staff = [](auto& x, const auto& of) {
    if (!x.empty() && !of.empty() && !x.front().staff) x.front().staff = of.front().staff;
  };
  for_staff(back.keys, a.keys);
  for_staff(back.times, a.times);
  for_staff(back.clefs, a.clefs);
  for_staff(back.transpositions, a.transpositions);
  return back;
}

/// Breaks and page layout at the edges of a measure.
struct edge_layouts {
  std::vector<music_ptr> leading, trailing;
};

bool is_layout(const music_ptr& x) { return leaf<print_layout>(*x) != nullptr; }
bool takes_time(const music_ptr& x) {
  return leaf<chord_rest>(*x) || items_of(*x) || as_node<skip_music>(*x);
}

std::vector<music_ptr> leading_layouts_taken(std::vector<music_ptr>& items) {
  auto notes = std::find_if(items.begin(), items.end(),
                            [](const music_ptr& x) { return takes_time(x) && !is_signature(x); });
  auto kept = std::stable_partition(items.begin(), notes, is_layout);
  std::vector<music_ptr> out{items.begin(), kept};
  items.erase(items.begin(), kept);
  for (auto& x : items)
    if (begins_with_measure(*x)) {
      auto inner = *items_of(*x);
      auto own = leading_layouts_taken(inner);
      if (own.empty()) continue;
      out.insert(out.end(), own.begin(), own.end());
      x = with_items(*x, std::move(inner));
    }
  return out;
}

/// What stands inside a measure is left there: it is a point in time.
std::vector<edge_layouts> without_layouts(std::vector<measure_music>& measures) {
  std::vector<edge_layouts> found;
  for (auto& m : measures) {
    auto& own = found.emplace_back();
    own.leading = leading_layouts_taken(m.items);
    auto end = std::find_if(m.items.rbegin(), m.items.rend(), takes_time).base();
    auto first =
        std::stable_partition(end, m.items.end(), [](const music_ptr& x) { return !is_layout(x); });
    own.trailing.assign(first, m.items.end());
    m.items.erase(first, m.items.end());
  }
  return found;
}

/// A page or line break stands between the same two measures as before, what is said of the first
/// page stays there. `measures` are in reverse.
void set_layouts(std::vector<loose_measure>& measures, const std::vector<edge_layouts>& layouts) {
  const auto n = layouts.size();
  for (std::size_t i = 0; i < n; ++i) {
    auto& behind = measures[i == 0 ? 0 : n - i].rest.items;
    behind.insert(behind.begin(), layouts[i].leading.begin(), layouts[i].leading.end());
    auto& before = measures[i + 1 == n ? n - 1 : n - 2 - i].rest.items;
    auto end = before.end() - static_cast<std::ptrdiff_t>(closing_barlines(before));
    before.insert(end, layouts[i].trailing.begin(), layouts[i].trailing.end());
  }
}

bool is_group_of_notes(const music& m) {
  auto seq = as_node<seq_music>(m);
  return as_node<tuplet_music>(m) || (seq && !seq->block && !holds_measures(m));
}

class turner {
public:
  std::vector<music_ptr> all(const std::vector<music_ptr>& in) {
    auto refused = order_that_cannot_turn(in);
    if (refused) {
      fault = std::move(*refused);
      return in;
    }
    time_signature time;
    auto lines = turn_lines(written_out(in, time));
    between_ = std::move(lines.between);
    return items(lines.items);
  }

  error fault;

private:
  /// Measures as voices and positions, which can be read from behind. `time` holds before them.
  std::vector<music_ptr> written_out(const std::vector<music_ptr>& in, time_signature& time) {
    std::vector<music_ptr> out;
    out.reserve(in.size());
    for (const auto& m : in) {
      auto inner = items_of(*m);
      if (as_node<part_music>(*m)) time = {};
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

  music_ptr one(const music_ptr& m, const grace_ties& held = {}) {
    if (auto c = leaf<chord_rest>(*m))
      return make_music(measure_content{turned_chord(*c, held)}, m->span);
    if (as_node<measure_music>(*m)) return measures({m}, nullptr).front();
    if (auto p = as_node<part_music>(*m)) return part(*p, m->span);
    if (auto s = as_node<score_music>(*m)) return with_items(*m, each(s->items));
    if (auto g = as_node<part_group_music>(*m)) return with_items(*m, each(g->items));
    if (auto inner = items_of(*m))
      return with_items(*m, as_node<par_music>(*m) ? each(*inner) : items(*inner));
    return m;
  }

  std::vector<music_ptr> each(const std::vector<music_ptr>& in) {
    std::vector<music_ptr> out;
    for (const auto& x : in)
      out.push_back(one(x));
    return out;
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
    std::vector<music_ptr> out;
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
      if (new_start > quarters{}) copy.at = measure_position{new_start.value};
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
      auto in_force = m.at_begin;
      m.rest.items = with_changes_led_back(m.rest.items, in_force, 0);
      m.rest = turned_measure(std::move(m.rest), full_length(m.at_end));
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

  std::vector<music_ptr> with_changes_led_back(const std::vector<music_ptr>& in,
                                               signatures& in_force, int staff) {
    std::vector<music_ptr> out;
    for (const auto& x : in) {
      auto said = signatures_in(*x, staff);
      for (const auto& s : said.own) {
        auto held = held_before(in_force, *s);
        say(in_force, s);
        auto back = make_music(measure_content{as_said_in(std::move(held), staff)}, x->span);
        between_.insert(back.get());
        kept_alive_.push_back(back);
        out.push_back(std::move(back));
      }
      if (said.rest) {
        out.push_back(said.rest);
      } else if (!said.own.empty()) {
        continue;
      } else if (auto inner = items_of(*x); inner && !as_node<grace_music>(*x)) {
        out.push_back(
            with_items(*x, with_changes_led_back(*inner, in_force, staff_inside(*x, staff))));
      } else {
        out.push_back(x);
      }
    }
    return out;
  }

  music_ptr part(const part_music& p, source_span span) {
    auto out = p;
    auto turned = as_measures(p.items, &p);
    out.items = turned ? std::move(*turned) : items(p.items);
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

  std::unordered_set<const music*> between_;
  std::vector<music_ptr> kept_alive_;  ///< so that no two in `between_` have one address
};

}  // namespace

result<music_ptr> retrograde(const music_ptr& m) {
  turner t;
  auto out = t.all({with_marks_in_measures(m)});
  if (!t.fault.diagnostics.empty()) return fail(std::move(t.fault));
  return out.front();
}

result<std::vector<music_ptr>> retrograde(const std::vector<music_ptr>& items) {
  turner t;
  auto out = t.all(with_marks_in_measures(items));
  if (!t.fault.diagnostics.empty()) return fail(std::move(t.fault));
  return out;
}

}  // namespace fermata

#include "core/lang/layout/compile.hpp"
#include "core/lang/layout/marks_in_measures.hpp"
#include "core/lang/layout/measure_order.hpp"
#include "core/lang/transform/kept_xml_transform.hpp"
#include "core/lang/transform/repeat_order.hpp"
#include "core/lang/transform/reversed_spanners.hpp"
#include "core/lang/transform/transform.hpp"
#include "core/lang/value/make.hpp"
#include "core/music/modular.hpp"
#include "core/score/model/spanners.hpp"
#include "core/score/model/wording.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

namespace fermata {

namespace {

/// `steps` as a number of places from the front.
std::size_t places(std::int64_t steps, std::size_t size) {
  auto n = static_cast<std::int64_t>(size);
  return n == 0 ? 0 : static_cast<std::size_t>(mod(steps, n));
}

void walk_notes(const music& m, const std::function<void(const chord_rest&)>& f) {
  if (auto c = leaf<chord_rest>(m)) f(*c);
  if (auto items = items_of(m))
    for (const auto& x : *items)
      walk_notes(*x, f);
}

/// Whether the first note goes on from the one before.
bool is_continued(const music& m) {
  bool first = true, tied = false;
  walk_notes(m, [&](const chord_rest& x) {
    if (first && !x.grace)
      tied = std::any_of(x.notes.begin(), x.notes.end(), [](const note& n) { return n.tie.stop; });
    first = first && x.grace;
  });
  return tied;
}

/// Whether the last note goes on into the one behind.
bool goes_on(const music& m) {
  bool tied = false;
  walk_notes(m, [&](const chord_rest& x) {
    if (!x.grace)
      tied = std::any_of(x.notes.begin(), x.notes.end(), [](const note& n) { return n.tie.start; });
  });
  return tied;
}

bool ends_a_line(const music& m) {
  auto d = leaf<direction>(m);
  if (!d || d->types.size() != 1) return false;
  auto sign = spanner_sign_of(d->types.front());
  return sign && !sign->start;
}

chord_rest untied(chord_rest x, bool at_start) {
  for (auto& n : x.notes) {
    (at_start ? n.tie.stop : n.tie.start) = false;
    (at_start ? n.tie.stop_undrawn : n.tie.start_undrawn) = false;
    std::erase_if(n.spanners, [&](const spanner& s) {
      return s.kind == spanner_kind::tied && s.end == (at_start ? span_end::stop : span_end::start);
    });
  }
  return x;
}

/// Without the ties that lead out of a measure on one side, in every voice.
std::vector<music_ptr> without_ties(std::vector<music_ptr> items, bool at_start) {
  auto turn = [&](auto first, auto last) {
    for (auto x = first; x != last; ++x) {
      if (as_node<voice_music>(**x) || !takes_place(**x)) continue;
      if (auto c = leaf<chord_rest>(**x))
        *x = make_music(measure_content{untied(*c, at_start)}, (*x)->span);
      else if (auto inner = items_of(**x))
        *x = with_items(**x, without_ties(*inner, at_start));
      break;
    }
  };
  for (auto& x : items)
    if (auto v = as_node<voice_music>(*x)) x = with_items(*x, without_ties(v->items, at_start));
  if (at_start)
    turn(items.begin(), items.end());
  else
    turn(items.rbegin(), items.rend());
  return items;
}

std::vector<music_ptr> rotated_measures(const std::vector<music_ptr>& items, std::int64_t steps,
                                        const part_music* whole, const copying& walk) {
  auto cut = places(steps, items.size());
  if (cut == 0) return items;
  auto pieces = parted(items, cut);
  for (const auto& name : pieces.lost_ends)
    walk.dropped(edit_operation::rotate, name);
  std::vector<measure_music> own;
  for (const auto* piece : {&pieces.before, &pieces.behind})
    for (const auto& m : *piece)
      own.push_back(*as_node<measure_music>(*m));
  own[cut - 1].items = without_ties(std::move(own[cut - 1].items), false);
  own[cut].items = without_ties(std::move(own[cut].items), true);
  auto bars = without_barlines(own);
  auto loose = loosened(own, whole);
  std::rotate(loose.begin(), loose.begin() + static_cast<std::ptrdiff_t>(cut), loose.end());
  set_barlines(loose, bars);
  return put_in_order(std::move(loose));
}

/// Notes in two pieces that change places, over which key, time and clef hold as before. The first
/// `head` items (which are no notes) and the last `tail` stay at the ends of it all.
std::vector<music_ptr> in_force_as_before(const parted_music& pieces, std::ptrdiff_t head,
                                          std::ptrdiff_t tail, const part_music* whole) {
  std::vector<music_ptr> out;
  measure_music before, behind;
  for (auto x = pieces.before.begin(); x != pieces.before.end(); ++x)
    (x < pieces.before.begin() + head && leaf<barline>(**x) ? out : before.items).push_back(*x);
  behind.items.assign(pieces.behind.begin(), pieces.behind.end() - tail);
  auto loose = loosened({std::move(before), std::move(behind)}, whole);
  std::swap(loose.front(), loose.back());
  for (const auto& m : put_in_order(std::move(loose)))
    out.insert(out.end(), items_of(*m)->begin(), items_of(*m)->end());
  out.insert(out.end(), pieces.behind.end() - tail, pieces.behind.end());
  return out;
}

/// `(staff :bass ...)`, which begins with its clef.
bool is_next_staff(const music& m) {
  auto staff = as_node<staff_music>(m);
  return staff && staff->staff == 0;
}

/// Key, time and clef where layers begin: what stands in front of them, and what the compiler puts
/// there.
signatures before_layers(const std::vector<music_ptr>& items, const part_music* whole) {
  signatures out;
  attributes said;
  auto staves = 0;
  auto in_front = true;
  for (const auto& x : items) {
    if (is_layer(*x)) {
      in_front = false;
      // A staff that is called by its clef is the next one.
      staves = std::max(staves, is_next_staff(*x) ? staves + 1 : staff_inside(*x, 1));
    } else if (in_front) {
      for (const auto& s : signatures_in(*x).own) {
        set_signature(out, s);
        join(said, attributes{*leaf<attributes>(*s)});
      }
    }
  }
  if (!whole) return out;
  auto added = make_music(measure_content{completion(&said, *whole, staves)});
  for (const auto& s : signatures_in(*added).own)
    out.push_back(s);
  return out;
}

/// Where a note with what belongs to it begins, among items one after another.
struct note_places {
  std::size_t head = 0, tail = 0;   ///< items that stay at the beginning and at the end
  std::vector<std::size_t> begins;  ///< of each note
};
note_places places_of_notes(const std::vector<music_ptr>& items, copying& walk) {
  auto stays_first = [](const music_ptr& x) {
    auto seq = as_node<seq_music>(*x);
    auto b = leaf<barline>(*x);
    return leaf<attributes>(*x) || (seq && seq->block) || (b && b->location == "left");
  };
  auto first = std::find_if_not(items.begin(), items.end(), stays_first);
  auto last = items.end();
  while (last != first && leaf<barline>(**(last - 1)))
    --last;
  note_places out{static_cast<std::size_t>(first - items.begin()),
                  static_cast<std::size_t>(items.end() - last),
                  {}};
  auto& begins = out.begins;
  bool inside = true, tied = false;
  for (auto x = first; x != last && walk.goes_on(); ++x) {
    auto at = static_cast<std::size_t>(x - items.begin());
    if (begins.empty() || (!inside && !ends_a_line(**x))) {
      begins.push_back(at);
      inside = true;
    }
    if (!takes_place(**x)) continue;
    if (tied && is_continued(**x) && begins.size() > 1) begins.pop_back();
    tied = goes_on(**x);
    inside = false;
  }
  // Marks behind the last note are its own.
  if (begins.size() > 1 && inside) begins.pop_back();
  return out;
}

/// How long the notes are that go from the front of a row to its end.
quarters time_to_cut(const std::vector<music_ptr>& items, std::int64_t steps, copying& walk) {
  auto begins = places_of_notes(items, walk).begins;
  auto step = places(steps, begins.size());
  quarters out;
  for (std::size_t i = 0; step > 0 && i < begins[step]; ++i)
    out += duration_of(*items[i]);
  return out;
}

/// Whether a clef, or a key, is said anywhere in it.
struct said_kinds {
  bool clef = false, key = false;
};
void look_for_kinds(const std::vector<change_inside>& changes, said_kinds& out) {
  for (const auto& x : changes) {
    const auto& a = *leaf<attributes>(*x.said);
    out.clef |= !a.clefs.empty();
    out.key |= !a.keys.empty();
  }
}

class rotator {
public:
  rotator(std::int64_t steps, copying& walk) : steps_(steps), walk_(walk) {}

  music_ptr one(const music_ptr& m) {
    auto own = items_of(*m);
    if (!own || stopped()) return m;
    auto voices = std::any_of(own->begin(), own->end(), [](const music_ptr& x) {
      return as_node<voice_music>(*x) || as_node<staff_music>(*x);
    });
    auto several = as_node<par_music>(*m) || as_node<score_music>(*m) ||
                   as_node<part_group_music>(*m) || (as_node<measure_music>(*m) && voices);
    return with_items(*m, several ? each(*own) : items(*own, as_node<part_music>(*m)));
  }

  /// One after another; `whole` where they are all of a part.
  std::vector<music_ptr> items(const std::vector<music_ptr>& in, const part_music* whole) {
    if (stopped()) return in;
    if (auto made = as_measures(in, whole)) return *made;
    if (holds_layers(in)) return layers(spliced(in), whole);
    // A row that stands alone in a voice or part is that voice's own.
    if (auto seq = in.size() == 1 ? as_node<seq_music>(*in.front()) : nullptr; seq && !seq->block)
      return {with_items(*in.front(), items(seq->items, whole))};
    auto [head, tail, begins] = places_of_notes(in, walk_);
    if (stopped()) return in;
    auto step = places(steps_, begins.size());
    if (step == 0) return in;
    const std::vector<music_ptr> moving{in.begin() + static_cast<std::ptrdiff_t>(head),
                                        in.end() - static_cast<std::ptrdiff_t>(tail)};
    if (is_refused(moving) || parts_repeat_signs(moving)) return in;
    auto pieces = parted(in, begins[step]);
    for (const auto& name : pieces.lost_ends)
      walk_.dropped(edit_operation::rotate, name);
    auto first = static_cast<std::ptrdiff_t>(head), last = static_cast<std::ptrdiff_t>(tail);
    if (changes_on_the_way(in)) return in_force_as_before(pieces, first, last, whole);
    std::vector<music_ptr> out(pieces.before.begin(), pieces.before.begin() + first);
    out.insert(out.end(), pieces.behind.begin(), pieces.behind.end() - last);
    out.insert(out.end(), pieces.before.begin() + first, pieces.before.end());
    out.insert(out.end(), pieces.behind.end() - last, pieces.behind.end());
    return out;
  }

  error fault;

private:
  bool stopped() { return !fault.diagnostics.empty() || !walk_.goes_on(); }

  /// What leads the player through it would lead through other measures. Within one measure the
  /// barlines at its edges stay.
  bool is_refused(const std::vector<music_ptr>& moving) {
    auto refused = order_that_cannot_rotate(moving);
    if (refused) fault = std::move(*refused);
    return refused.has_value();
  }

  /// Repeat signs among notes, which have no measure to stay at.
  bool parts_repeat_signs(const std::vector<music_ptr>& moving) {
    for (const auto& x : moving) {
      auto b = leaf<barline>(*x);
      if (b && !b->repeat.empty()) {
        fault = error{errc::misplaced,
                      "repeat signs in the rotated music would enclose different notes", x->span,
                      "rotate the notes between them, or whole measures of a part, where repeat "
                      "signs stay in place"};
        return true;
      }
      if (auto inner = items_of(*x); inner && parts_repeat_signs(*inner)) return true;
    }
    return false;
  }

  std::vector<music_ptr> each(const std::vector<music_ptr>& in) {
    std::vector<music_ptr> out;
    for (const auto& x : in)
      out.push_back(items_of(*x) ? one(x) : x);
    return out;
  }

  /// Measures as such, the barline behind them still there; measures within repeats are measures of
  /// the whole part. Nothing when there is anything else.
  std::optional<std::vector<music_ptr>> as_measures(const std::vector<music_ptr>& items,
                                                    const part_music* whole) {
    auto closing = items.end() - static_cast<std::ptrdiff_t>(closing_barlines(items));
    std::vector<music_ptr> body{items.begin(), closing};
    if (!whole && !std::all_of(body.begin(), body.end(), is_measure)) return std::nullopt;
    auto flat = measures_with_repeat_signs(body);
    if (!flat) return std::nullopt;
    if (places(steps_, flat->size()) != 0 && is_refused(body)) return items;
    auto out = rotated_measures(*flat, steps_, whole, walk_);
    out.insert(out.end(), closing, items.end());
    return out;
  }

  /// A clef, or a key, that changes in two voices of one staff holds for both: where they are cut
  /// at different times, it cannot stay over the notes of each.
  std::optional<error> torn_apart(const std::vector<music_ptr>& items) const {
    struct changing {
      const music* layer;
      int staff;
      quarters cut;
      said_kinds says;
    };
    std::vector<changing> seen;
    auto next_staff = 0;
    for (const auto& x : items) {
      if (!is_layer(*x)) continue;
      next_staff = std::max(next_staff, is_next_staff(*x) ? next_staff + 1 : staff_inside(*x, 1));
      if (!changes_on_the_way(*items_of(*x))) continue;
      changing own{x.get(),
                   is_next_staff(*x) ? next_staff : staff_inside(*x, 1),
                   time_to_cut(*items_of(*x), steps_, walk_),
                   {}};
      signatures none;
      look_for_kinds(changes_inside({x}, none), own.says);
      for (const auto& other : seen) {
        auto both_clefs = other.says.clef && own.says.clef;
        if (other.staff != own.staff || other.cut == own.cut ||
            !(both_clefs || (other.says.key && own.says.key)))
          continue;
        return error{errc::misplaced,
                     "two voices of staff " + std::to_string(own.staff) + " change the " +
                         (both_clefs ? "clef" : "key") + " and would be cut at different points, " +
                         length_in_words(other.cut) + " and " + length_in_words(own.cut) +
                         " after the start, so it cannot apply to both",
                     own.layer->span,
                     "write it in one voice only, or rotate the voices separately"};
      }
      seen.push_back(own);
    }
    return std::nullopt;
  }

  /// Layers over one another, each rotated for itself. A layer in which key or clef changes gets
  /// the one that held before the change, too, so that each stays over its notes.
  std::vector<music_ptr> layers(const std::vector<music_ptr>& items, const part_music* whole) {
    auto changes = [](const music_ptr& x) {
      return is_layer(*x) && changes_on_the_way(*items_of(*x));
    };
    if (std::none_of(items.begin(), items.end(), changes)) return each(items);
    if (auto refused = torn_apart(items)) {
      fault = std::move(*refused);
      return items;
    }
    const auto front = before_layers(items, whole);
    signatures gone;
    std::vector<music_ptr> out, rotated;
    auto first =
        std::find_if(items.begin(), items.end(), [](const music_ptr& x) { return is_layer(*x); });
    for (auto x = first; x != items.end(); ++x) {
      if (!changes(*x)) {
        rotated.push_back(items_of(**x) ? one(*x) : *x);
        continue;
      }
      signatures none, moved;
      for (const auto& change : changes_inside({*x}, none))
        for (const auto& s : all_of_same_kind(front, *change.said))
          if (std::find(moved.begin(), moved.end(), s) == moved.end() &&
              !(is_next_staff(**x) && !leaf<attributes>(*s)->clefs.empty()))
            moved.push_back(s);
      auto inner = moved;
      for (auto& s : inner)
        s = make_music(measure_content{as_said_in(*leaf<attributes>(*s), staff_inside(**x, 0))});
      inner.insert(inner.end(), items_of(**x)->begin(), items_of(**x)->end());
      rotated.push_back(with_items(**x, this->items(inner, nullptr)));
      gone.insert(gone.end(), moved.begin(), moved.end());
    }
    for (const auto& s : front)
      if (std::find(gone.begin(), gone.end(), s) == gone.end()) out.push_back(s);
    for (auto x = items.begin(); x != first; ++x) {
      auto said = signatures_in(**x);
      if (said.rest) out.push_back(said.rest);
      if (!said.rest && said.own.empty()) out.push_back(*x);
    }
    out.insert(out.end(), rotated.begin(), rotated.end());
    return out;
  }

  std::int64_t steps_;
  copying& walk_;
};

}  // namespace

result<std::vector<music_ptr>> rotated(const std::vector<music_ptr>& items, std::int64_t steps,
                                       copying& walk) {
  standing_xml standing{edit_operation::rotate, walk};
  auto own = with_marks_in_measures(standing.taken_out(items), kept_layers::any_length);
  if (!own) return fail(std::move(own.error()));
  if (!walk.asks()) return fail(walk.why());
  rotator r{steps, walk};
  auto out = r.items(*own, nullptr);
  if (walk.is_stopped()) return fail(walk.why());
  if (!r.fault.diagnostics.empty()) return fail(std::move(r.fault));
  return standing.restored(out);
}

result<music_ptr> rotated(const music_ptr& m, std::int64_t steps, copying& walk) {
  standing_xml standing{edit_operation::rotate, walk};
  auto own = with_marks_in_measures(standing.taken_out({m}).front(), kept_layers::any_length);
  if (!own) return fail(std::move(own.error()));
  if (!walk.asks()) return fail(walk.why());
  rotator r{steps, walk};
  auto out = r.one(*own);
  if (walk.is_stopped()) return fail(walk.why());
  if (!r.fault.diagnostics.empty()) return fail(std::move(r.fault));
  return standing.restored({out}).front();
}

}  // namespace fermata

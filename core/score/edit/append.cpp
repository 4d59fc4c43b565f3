#include "core/score/edit/append.hpp"

#include "core/score/analysis/overfull_voices.hpp"
#include "core/score/edit/divided_tuplet.hpp"
#include "core/score/edit/edit.hpp"
#include "core/score/model/draft.hpp"
#include "core/score/model/measure_names.hpp"
#include "core/score/model/metric_spelling.hpp"
#include "core/score/model/numbering.hpp"
#include "core/score/model/part_defaults.hpp"
#include "core/score/model/placing.hpp"
#include "core/score/model/staves.hpp"
#include "core/score/model/walk.hpp"
#include "core/score/model/wording.hpp"
#include "core/score/repair/repair_tuplets.hpp"

#include <algorithm>
#include <map>

namespace fermata {

namespace {

using outcome = tl::expected<void, error>;

/// That one note becomes across barlines; a number from outside must not become a million.
constexpr std::size_t most_pieces = 10'000;
/// Of a part that grows by notes, for the same reason.
constexpr std::size_t most_measures = 100'000;

bool changes_metre(const measure& m) {
  return std::any_of(m.items.begin(), m.items.end(), [](auto& item) {
    auto* a = std::get_if<attributes>(&item.content);
    return a && !a->times.empty();
  });
}

/// Writes one thing after another behind a cursor. Visited with each content in turn.
class writer {
public:
  writer(const score_ptr& s, const score_cursor& at, const score_defaults& defaults)
    : before_(s), draft_(s), at_(at), first_(at.measure), defaults_(defaults) {}

  outcome start() {
    if (at_.part > draft_.view().parts.size())
      return fail({errc::no_such_target,
                   "the cursor is in part " + std::to_string(at_.part + 1) + " of " +
                       std::to_string(draft_.view().parts.size()),
                   {},
                   "move the cursor to an existing part"});
    if (at_.part < draft_.view().parts.size() &&
        at_.measure > draft_.view(at_.part).measures.size())
      return fail({errc::no_such_target,
                   "the cursor is in measure " +
                       printed_number(draft_.view(at_.part), at_.measure) + ", and " +
                       part_label(draft_.view(at_.part)) + " has " +
                       measures_there(draft_.view(at_.part)),
                   {},
                   "move the cursor to an existing measure, or just after the last"});
    return {};
  }

  outcome write(const std::vector<measure_content>& line) {
    if (auto ok = start(); !ok) return ok;
    for (auto& c : line)
      if (auto ok = write(c); !ok) return ok;
    return {};
  }
  outcome write(const measure_content& c) {
    if (at_.part < parts() && draft_.view(at_.part).measures.size() > most_measures)
      return fail({errc::out_of_range,
                   where() + ": the part would have more than " + std::to_string(most_measures) +
                       " measures",
                   {},
                   "check the time signature"});
    auto put_it = [this](auto& x) { return put(x); };
    if (!belongs_to_end(c)) {
      make_room();
      return std::visit(put_it, c);
    }
    if (at_.position == measure_position{} && at_.measure > 0 && at_.part < parts() &&
        at_.measure == draft_.view(at_.part).measures.size()) {
      // The cursor has passed the barline, but what this closes lies before it.
      auto behind = at_;
      --at_.measure;
      at_.position = measure_position{} + extent(draft_.view(at_.part, at_.measure));
      auto done = std::visit(put_it, c);
      at_ = behind;
      return done;
    }
    make_measure();
    return std::visit(put_it, c);
  }

  /// Rests that gave way may have held ends of brackets.
  void repair_brackets() {
    if (at_.part < before_->parts.size())
      repair_tuplets(draft_, at_.part, *before_->parts[at_.part], first_, at_.measure + 1);
  }
  result<edited> finish() {
    for (auto& [m, position] : divided_)
      settle_unit(draft_.open(at_.part, m), at_.voice, position);
    draft_.for_each_written(settle_right_barlines);
    if (metre_changed_)
      if (auto ok = check_metre(); !ok) return tl::unexpected(ok.error());
    return edited{draft_.finish(), at_};
  }

private:
  std::size_t parts() const { return draft_.view().parts.size(); }
  measure& here() { return draft_.open(at_.part, at_.measure); }
  std::string where() const { return place_name(draft_.view(), at_.part, at_.measure); }

  /// The part and measure that the cursor names exist.
  void make_measure() {
    if (at_.part == parts()) {
      auto opening = opening_attributes(draft_.view(), at_.part, defaults_);
      auto p = draft_.add_part(default_part(draft_.view(), defaults_));
      at_.measure = 0;
      add_measure(p);
      place_attributes(draft_.open(p, 0), measure_position{}, at_.voice, opening);
    } else if (at_.measure == draft_.view(at_.part).measures.size()) {
      bool first = draft_.view(at_.part).measures.empty();
      add_measure(at_.part);
      if (first)
        place_attributes(here(), measure_position{}, at_.voice,
                         opening_attributes(draft_.view(), at_.part, defaults_));
    }
  }

  void add_measure(std::size_t p) {
    measure m;
    m.number = next_measure_number(draft_.view(p), draft_.view(p).measures.size());
    auto index = draft_.view(p).measures.size();
    draft_.insert_measure(p, index, std::move(m));
    // The metre goes on; looking for it again would search the whole part.
    if (time_ && time_->first + 1 == index)
      time_->first = index;
    else
      time_ = std::nullopt;
  }

  /// The cursor stands where something can begin: a full measure has been left behind.
  void make_room() {
    make_measure();
    auto full = full_length();
    if (full > quarters{} && at_.position - measure_position{} >= full) {
      close_tuplets();
      ++at_.measure;
      at_.position = measure_position{};
      make_measure();
    }
  }

  const time_signature& metre() {
    if (!time_ || time_->first != at_.measure)
      time_ = {
          at_.measure,
          time_in_force(draft_.view(at_.part), at_.measure, at_.staff).value_or(defaults_.time)};
    return time_->second;
  }

  quarters full_length() { return measure_length(metre()); }

  // --- one overload per kind of content ---

  outcome put(const chord_rest& original) {
    auto x = original;
    x.voice = at_.voice;
    if (!x.staff_given) {
      x.staff = at_.staff;
      x.staff_given = at_.staff > 1;
    }
    open_staff(x.staff);
    if (is_rest(x) && std::get<rest>(x.notes.front().tone).whole_measure)
      return put_measure_rest(std::move(x));
    if (x.grace) {
      x.length = quarters{};
      reopen_tuplets(x);
      place_timed(here(), at_.position, std::move(x));
      return {};
    }
    if (x.length <= quarters{})
      return fail({errc::invalid_duration, where() + ": " + name_of(x) + " has no length", {}, {}});
    auto full = full_length();
    auto end = at_.position + x.length;
    if (full == quarters{} || end - measure_position{} <= full) return put_whole(std::move(x));
    return put_across(x);
  }

  /// It fits into the measure.
  outcome put_whole(chord_rest x) {
    if (auto ok = clear(at_.position, at_.position + x.length); !ok) return ok;
    reopen_tuplets(x);
    follow_tuplets(x);
    go_on_behind_barline();
    auto length = x.length;
    place_timed(here(), at_.position, std::move(x));
    at_.position += length;
    return {};
  }

  /// It crosses one barline or more.
  outcome put_across(const chord_rest& x) {
    for (auto& n : x.notes)
      if (n.differs && n.differs->length)
        return fail({errc::overfull_measure,
                     where() + ": " + name_of(x) +
                         " crosses the barline and its notes differ in "
                         "length",
                     {},
                     "write its notes in separate voices"});
    if (x.tuplet) return put_tuplet_across(x);
    struct piece {
      std::size_t measure;
      measure_position at;
      quarters full;  ///< that its measure holds
    };
    std::vector<piece> places;
    std::vector<note_value> values;
    auto cursor = at_;
    auto left = x.length;
    auto how = is_rest(x) ? spelled_as::rest : spelled_as::note;
    while (left > quarters{}) {
      if (places.size() > most_pieces)
        return fail({errc::out_of_range,
                     where() + ": " + name_of(x) + " is longer than " +
                         std::to_string(most_pieces) + " tied notes",
                     {},
                     "check its length"});
      make_room();
      auto full = full_length();
      auto room = full - (at_.position - measure_position{});
      auto now = full == quarters{} ? left : std::min(left, room);
      auto pieces = metric_pieces(at_.position, now, metre(), how);
      if (pieces.empty()) {
        auto text = where() + ": " + name_of(x) + " crosses the barline, and the part before it, " +
                    length_in_words(now) + ", cannot be written without a tuplet";
        at_ = cursor;
        return fail({errc::overfull_measure, text, {}, "write it as a tuplet"});
      }
      if (auto ok = clear(at_.position, at_.position + now); !ok) return ok;
      for (auto& p : pieces) {
        places.push_back({at_.measure, p.at, full});
        values.push_back(p.value);
      }
      at_.position += now;
      left = left - now;
    }
    auto pieces = tied_pieces(x, values);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      auto& m = draft_.open(at_.part, places[i].measure);
      // A measure that is nothing but rest is written as such.
      if (is_rest(x) && places[i].at == measure_position{} && pieces[i].length == places[i].full) {
        std::get<rest>(pieces[i].notes.front().tone).whole_measure = true;
        pieces[i].written.reset();
      }
      place_timed(m, places[i].at, std::move(pieces[i]));
    }
    return {};
  }

  /// Tied inside the ratio of its tuplet.
  outcome put_tuplet_across(const chord_rest& x) {
    auto& measures = draft_.view(at_.part).measures;
    std::vector<quarters> lengths;
    auto full = full_length();
    auto room = full - (at_.position - measure_position{});
    auto left = x.length;
    for (auto m = at_.measure + 1; left > quarters{} && lengths.size() < most_pieces; ++m) {
      lengths.push_back(full == quarters{} ? left : std::min(left, room));
      left = left - lengths.back();
      if (m < measures.size())
        full = measure_length(
            time_in_force(draft_.view(at_.part), m, at_.staff).value_or(defaults_.time));
      room = full;
    }
    auto pieces = tuplet_pieces(x, lengths);
    if (pieces.empty() || left > quarters{})
      return fail({errc::overfull_measure,
                   where() + ": the tuplet " + std::to_string(x.tuplet->actual) + ":" +
                       std::to_string(x.tuplet->normal) + " crosses the barline within " +
                       name_of(x),
                   {},
                   "start the tuplet so that the barline falls between two of its notes"});
    for (auto& piece : pieces) {
      make_room();
      divided_.push_back({at_.measure, at_.position});
      if (auto ok = put_whole(std::move(piece)); !ok) return ok;
    }
    return {};
  }

  outcome put_measure_rest(chord_rest x) {
    if (at_.position != measure_position{})
      return fail({errc::misplaced,
                   where() + ": a whole-measure rest needs a measure of its own",
                   {},
                   "write rests of given lengths to fill the measure"});
    auto full = full_length();
    x.length = full > quarters{} ? full : x.length > quarters{} ? x.length : quarters{4};
    return put_whole(std::move(x));
  }

  outcome put(const attributes& a) {
    if (!a.times.empty()) {
      if (at_.position != measure_position{})
        return fail({errc::misplaced,
                     where() + ": a time signature must be at the start of a measure, " +
                         length_in_words(at_.position - measure_position{}) + " is already there",
                     {},
                     "complete the measure first"});
      metre_changed_ = metre_changed_ ? std::min(*metre_changed_, at_.measure) : at_.measure;
    }
    auto own = a;
    if (at_.staff > 1) {
      open_staff(at_.staff);
      for (auto& c : own.clefs)
        if (!c.staff) c.staff = at_.staff;
    }
    for (auto& c : own.clefs)
      open_staff(c.staff.value_or(1));
    place_attributes(here(), at_.position, at_.voice, own);
    time_ = std::nullopt;
    return {};
  }

  outcome put(const barline& b) {
    auto own = b;
    auto given = take_given_side(own);
    auto full = measure_position{} + full_length();
    auto end = measure_position{} + extent(here());
    // Where a repeat begins inside a measure more music is meant to follow.
    if (own.location == "left" && at_.position < full) end = full;
    if (!given && is_inner_barline(own, at_.position, end)) own.location = "middle";
    place_barline(here(), at_.position, at_.voice, own);
    return {};
  }

  /// A barline behind which the measure goes on stood inside it. A final one closes it still.
  void go_on_behind_barline() {
    auto is_passed = [&](const measure_item& item) {
      auto b = std::get_if<barline>(&item.content);
      return b && b->location == "right" && b->ending_type.empty() && item.at == at_.position &&
             (b->style != "light-heavy" || !b->repeat.empty());
    };
    if (at_.position == measure_position{} ||
        std::none_of(here().items.begin(), here().items.end(), is_passed))
      return;
    for (auto& item : here().items)
      if (is_passed(item)) std::get<barline>(item.content).location = "middle";
  }
  outcome put(direction d) {
    give_staff(d.staff);
    return put_beside(std::move(d));
  }
  outcome put(harmony h) {
    give_staff(h.staff);
    return put_beside(std::move(h));
  }
  outcome put(const figured_bass& x) { return put_beside(x); }
  outcome put(const sound& x) { return put_beside(x); }
  outcome put(const print_layout& x) { return put_beside(x); }
  outcome put(const fragment& x) { return put_beside(x); }

  outcome put_beside(measure_content c) {
    place_beside(here(), at_.position, at_.voice, std::move(c));
    return {};
  }

  void give_staff(std::optional<std::uint8_t>& staff) {
    if (!staff && at_.staff > 1) staff = at_.staff;
    open_staff(staff.value_or(1));
  }

  /// A staff that the part does not have yet is declared from the first measure on.
  void open_staff(std::uint8_t staff) {
    if (staff <= std::max(known_staves_, 1)) return;
    auto& p = draft_.view(at_.part);
    auto state = state_at(p, at_.measure, at_.position);
    known_staves_ = state.staves();
    if (staff <= known_staves_) return;
    place_attributes(draft_.open(at_.part, 0), measure_position{}, at_.voice,
                     staves_up_to(staff, state));
    known_staves_ = staff;
  }

  /// The place is free, or held by rests only, which go.
  outcome clear(measure_position from, measure_position to) {
    if (auto* there = clear_rests(here(), at_.voice, from, to, metre()))
      return fail({errc::misplaced,
                   where() + ": " + name_of(*there) + " is already there",
                   {},
                   "replace it, or write in another voice"});
    return {};
  }

  // --- tuplets over the barline ---

  void follow_tuplets(const chord_rest& x) {
    for (auto& n : x.notes)
      for (auto& s : n.spanners)
        if (s.kind == spanner_kind::tuplet) {
          if (s.end == span_end::start)
            open_tuplets_[s.number] = s;
          else if (s.end == span_end::stop)
            open_tuplets_.erase(s.number);
        }
    last_timed_ = {at_.measure, at_.position};
  }

  /// The barline falls between two notes of a tuplet: its bracket ends before and begins anew
  /// after.
  void close_tuplets() {
    if (open_tuplets_.empty() || !last_timed_) return;
    for (auto& item : draft_.open(at_.part, last_timed_->first).items)
      if (auto* x = std::get_if<chord_rest>(&item.content);
          x && x->voice == at_.voice && item.at == last_timed_->second && !x->grace)
        for (auto& [number, bracket] : open_tuplets_) {
          auto stop = spanner{spanner_kind::tuplet, span_end::stop, number, {}, {}};
          x->notes.front().spanners.push_back(stop);
          to_reopen_.push_back(bracket);
        }
    open_tuplets_.clear();
  }

  void reopen_tuplets(chord_rest& x) {
    if (x.grace) return;
    auto& spanners = x.notes.front().spanners;
    // A bracket that would hold nothing but this last note still needs both its ends.
    spanners.insert(spanners.begin(), to_reopen_.begin(), to_reopen_.end());
    to_reopen_.clear();
  }

  /// A new time signature must suit the measures that already follow it.
  outcome check_metre() {
    auto& p = draft_.view(at_.part);
    std::optional<error> faults;
    auto t = time_in_force(p, *metre_changed_, at_.staff).value_or(defaults_.time);
    for (auto i = *metre_changed_; i < p.measures.size(); ++i) {
      if (i > *metre_changed_ && changes_metre(*p.measures[i])) break;
      for (auto& f : overfull_voices(*p.measures[i], measure_length(t)))
        if (f.kind == length_fault::what::too_long) {
          diagnostic d{errc::overfull_measure,
                       place_name(draft_.view(), at_.part, i) + ": " +
                           to_text(f, *p.measures[i], t),
                       {},
                       "change the music first, or set the old time signature after it"};
          if (!faults) faults.emplace();
          faults->diagnostics.push_back(std::move(d));
        }
    }
    if (faults) return fail(*faults);
    return {};
  }

  score_ptr before_;
  score_draft draft_;
  score_cursor at_;
  std::size_t first_;  ///< measure that the writing began in
  const score_defaults& defaults_;
  std::optional<std::pair<std::size_t, time_signature>> time_;  ///< in force, by measure
  std::optional<std::size_t> metre_changed_;                    ///< first measure with a new one
  int known_staves_ = 0;
  std::map<std::uint8_t, spanner> open_tuplets_;
  std::vector<spanner> to_reopen_;
  std::optional<std::pair<std::size_t, measure_position>> last_timed_;
  std::vector<std::pair<std::size_t, measure_position>> divided_;  ///< pieces of tuplets
};

}  // namespace

result<edited> append_content(const score_ptr& s, const score_cursor& at,
                              const score_defaults& defaults,
                              const std::vector<measure_content>& line) {
  writer w{s, at, defaults};
  if (auto ok = w.write(line); !ok) return tl::unexpected(ok.error());
  w.repair_brackets();
  return w.finish();
}

result<edited> append_in_edit(const score_ptr& s, const score_cursor& at,
                              const score_defaults& defaults,
                              const std::vector<measure_content>& line) {
  writer w{s, at, defaults};
  if (auto ok = w.write(line); !ok) return tl::unexpected(ok.error());
  return w.finish();
}

}  // namespace fermata

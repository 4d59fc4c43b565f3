#include "core/music/key.hpp"
#include "io/musicxml/part_progress.hpp"

#include <algorithm>

namespace fermata::io::musicxml::detail {

namespace {

struct accidental_sign {
  int cents;
  std::string_view value;
};
/// The sign for an alteration. Microtones other than quarter tones have none that is common.
constexpr accidental_sign accidental_signs[] = {
    {0, "natural"},
    {100, "sharp"},
    {-100, "flat"},
    {200, "double-sharp"},
    {-200, "flat-flat"},
    {50, "quarter-sharp"},
    {-50, "quarter-flat"},
    {150, "three-quarters-sharp"},
    {-150, "three-quarters-flat"},
    {300, "triple-sharp"},
    {-300, "triple-flat"},
};

std::string_view sign_for(int cents) {
  for (auto& row : accidental_signs)
    if (row.cents == cents) return row.value;
  return {};
}

/// A note or a change of key, in the order in which a reader of the staff meets them.
struct event {
  measure_position at;
  const chord_rest* chord = nullptr;
  const attributes* change = nullptr;
  std::size_t index = 0;  ///< among the chords of the measure
};

/// What was altered in this measure, per staff and place on it. Few entries: searched in order.
struct altered {
  int staff;
  int place;  ///< diatonic index: an accidental holds for its own octave only
  int cents;
};

}  // namespace

const part_progress::key_cents& part_progress::key_of(int staff) const {
  auto found = key_of_staff_.find(staff);
  return found == key_of_staff_.end() ? key_of_all_ : found->second;
}

void part_progress::apply_keys(const attributes& a) {
  for (auto& k : a.keys) {
    key_cents cents{};
    for (int s = 0; s < 7; ++s)
      cents[static_cast<std::size_t>(s)] =
          static_cast<std::int16_t>(alteration(k.value, static_cast<step>(s)));
    if (k.staff) {
      key_of_staff_[*k.staff] = cents;
    } else {
      key_of_staff_.clear();
      key_of_all_ = cents;
    }
  }
}

void part_progress::complete_accidentals(const measure& m) {
  std::vector<event> events;
  std::size_t chords = 0;
  bool in_order = true;
  for (auto& item : m.items) {
    event e{item.at, std::get_if<chord_rest>(&item.content), std::get_if<attributes>(&item.content),
            chords};
    if (e.chord)
      ++chords;
    else if (!e.change || e.change->keys.empty())
      continue;
    in_order = in_order && (events.empty() || events.back().at <= e.at);
    events.push_back(e);
  }
  if (!in_order)
    std::stable_sort(events.begin(), events.end(), [](auto& a, auto& b) { return a.at < b.at; });
  std::vector<altered> state;
  for (auto& e : events) {
    if (e.change) {
      apply_keys(*e.change);
      continue;
    }
    auto& target = completed_[e.index].accidentals;
    for (std::size_t i = 0; i < e.chord->notes.size(); ++i) {
      auto& n = e.chord->notes[i];
      auto* p = std::get_if<pitch>(&n.tone);
      if (!p) continue;
      int staff = n.differs && n.differs->staff ? *n.differs->staff : e.chord->staff;
      auto place = p->diatonic_index();
      auto known = std::find_if(state.begin(), state.end(),
                                [&](auto& a) { return a.staff == staff && a.place == place; });
      int in_force =
          known != state.end() ? known->cents : key_of(staff)[static_cast<std::size_t>(p->letter)];
      // The far end of a tie needs no sign, and gives none to what follows it in the measure.
      auto sign_needed = in_force != p->cents && !n.tie.stop;
      if (sign_needed && !n.accidental) target[i] = sign_for(p->cents);
      if (sign_needed || n.accidental) {
        if (known != state.end())
          known->cents = p->cents;
        else
          state.push_back({staff, place, p->cents});
      }
    }
  }
}

const std::vector<completed_chord>& part_progress::next_measure(const measure& m,
                                                                const write_options& options) {
  completed_.clear();
  auto accidentals = options.accidentals == completion::completed;
  auto beams = options.beams == completion::completed;
  if (!accidentals && !beams) return completed_;
  std::size_t notes = 0;
  for (auto& item : m.items)
    if (auto* x = std::get_if<chord_rest>(&item.content)) notes += x->notes.size();
  accidentals_.assign(notes, {});
  std::size_t next = 0;
  for (auto& item : m.items)
    if (auto* x = std::get_if<chord_rest>(&item.content)) {
      completed_.emplace_back().accidentals = {accidentals_.data() + next, x->notes.size()};
      next += x->notes.size();
    }
  if (beams) {
    try {
      complete_beams(m);
    } catch (const rational_overflow&) {
      // Places that no fraction holds: such a measure has no beats to beam by.
      for (auto& x : completed_)
        x.beams = {};
    }
  }
  if (accidentals) complete_accidentals(m);
  return completed_;
}

}  // namespace fermata::io::musicxml::detail

#include "core/score/model/selector.hpp"

#include "core/score/model/part_names.hpp"
#include "core/score/model/walk.hpp"
#include "core/score/model/wording.hpp"

#include <algorithm>
#include <cctype>

namespace fermata {

namespace {

std::string lower(std::string text) {
  for (auto& c : text)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

tl::unexpected<error> no_target(std::string message, std::string hint = {}) {
  return fail({errc::no_such_target, std::move(message), {}, std::move(hint)});
}

/// 1 is the first, -1 the last of `count`.
std::optional<std::size_t> counted(int number, std::size_t count) {
  auto n = static_cast<long long>(count);
  long long i = number > 0 ? number - 1 : n + number;
  if (number == 0 || i < 0 || i >= n) return std::nullopt;
  return static_cast<std::size_t>(i);
}

class part_resolver {
public:
  explicit part_resolver(const score& s) : score_(s) {}

  result<std::vector<std::size_t>> operator()(const part_id& p) const {
    auto found = by_id(p.text);
    return found.empty() ? unknown(p.text) : found;
  }
  result<std::vector<std::size_t>> operator()(const part_name& p) const {
    auto found = by_name(p.text);
    return found.empty() ? unknown(p.text) : found;
  }
  result<std::vector<std::size_t>> operator()(const part_index& p) const {
    if (auto i = counted(p.number, score_.parts.size())) return std::vector{*i};
    return no_target("there is no part " + std::to_string(p.number) + "; the score has " +
                     std::to_string(score_.parts.size()));
  }
  result<std::vector<std::size_t>> operator()(const part_word& p) const {
    auto found = by_id(p.text);
    if (found.empty()) found = by_name(p.text);
    if (found.empty()) found = parts_called(score_, p.text);
    return found.empty() ? unknown(p.text) : found;
  }

private:
  std::vector<std::size_t> by_id(std::string_view id) const {
    return where([&](const part& p) { return p.id == id; });
  }
  std::vector<std::size_t> by_name(std::string_view name) const {
    return where([&](const part& p) { return same_word(p.name, name); });
  }
  template <class Predicate>
  std::vector<std::size_t> where(Predicate holds) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < score_.parts.size(); ++i)
      if (holds(*score_.parts[i])) found.push_back(i);
    return found;
  }
  result<std::vector<std::size_t>> unknown(const std::string& text) const {
    // Case is no difference here, so it must not count as a misspelling.
    std::vector<std::string> names, lowered;
    for (auto& p : score_.parts)
      for (auto& name : {p->id, p->name}) {
        names.push_back(name);
        lowered.push_back(lower(name));
      }
    auto meant = nearest(lower(text), {lowered.begin(), lowered.end()});
    std::string hint;
    if (meant) {
      auto place = std::find(lowered.begin(), lowered.end(), *meant) - lowered.begin();
      hint = "did you mean \"" + names[static_cast<std::size_t>(place)] + "\"?";
    }
    return no_target("unknown part \"" + text + "\"", hint);
  }

  const score& score_;
};

/// Index of a named measure in a part.
class measure_resolver {
public:
  explicit measure_resolver(const part& p) : part_(p) {}

  result<std::size_t> operator()(const measure_number& m) const {
    if (auto i = part_.measures.find_number(m.text)) return *i;
    return missing(m.text);
  }
  result<std::size_t> operator()(const measure_index& m) const {
    if (auto i = counted(m.number, part_.measures.size())) return *i;
    return missing(std::to_string(m.number));
  }

private:
  tl::unexpected<error> missing(const std::string& what) const {
    if (part_.measures.empty()) return no_target(part_label(part_) + " has no measures");
    return no_target("there is no measure " + what + "; " + part_label(part_) + " has " +
                     part_.measures.front()->number + " to " + part_.measures.back()->number);
  }

  const part& part_;
};

/// What staff and voice an item belongs to; nothing for those that belong to all.
struct item_staff {
  std::optional<std::uint8_t> operator()(const chord_rest& x) const { return x.staff; }
  std::optional<std::uint8_t> operator()(const direction& x) const { return x.staff; }
  std::optional<std::uint8_t> operator()(const harmony& x) const { return x.staff; }
  std::optional<std::uint8_t> operator()(const attributes&) const { return {}; }
  std::optional<std::uint8_t> operator()(const figured_bass&) const { return {}; }
  std::optional<std::uint8_t> operator()(const barline&) const { return {}; }
  std::optional<std::uint8_t> operator()(const sound&) const { return {}; }
  std::optional<std::uint8_t> operator()(const print_layout&) const { return {}; }
  std::optional<std::uint8_t> operator()(const fragment&) const { return {}; }
};

bool in_voice(const measure_content& c, const std::string& voice) {
  if (auto* x = std::get_if<chord_rest>(&c)) return x->voice == voice;
  auto* d = std::get_if<direction>(&c);
  return d && d->voice == voice;
}

/// The selected measures of one part, or the fault in a range.
result<std::vector<std::size_t>> measures_of(const std::vector<measure_range>& ranges,
                                             const part& p) {
  std::vector<bool> chosen(p.measures.size(), ranges.empty());
  measure_resolver index_of{p};
  for (auto& r : ranges) {
    if (p.measures.empty()) return no_target(part_label(p) + " has no measures");
    std::size_t first = 0, last = p.measures.size() - 1;
    if (r.first) {
      auto i = std::visit(index_of, *r.first);
      if (!i) return tl::unexpected(i.error());
      first = *i;
    }
    if (r.last) {
      auto i = std::visit(index_of, *r.last);
      if (!i) return tl::unexpected(i.error());
      last = *i;
    }
    if (last < first)
      return no_target(measure_name(*p.measures[last], last) + " comes before " +
                           measure_name(*p.measures[first], first),
                       "give the earlier measure first");
    std::fill(chosen.begin() + static_cast<std::ptrdiff_t>(first),
              chosen.begin() + static_cast<std::ptrdiff_t>(last) + 1, true);
  }
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i]) found.push_back(i);
  return found;
}

bool on_beats(const beat_range& beats, measure_position at, const time_signature& t) {
  auto from = position_of_beat(beats.first, t);
  return beats.end ? at >= from && at < position_of_beat(*beats.end, t) : at == from;
}

}  // namespace

measure_position position_of_beat(rational beat, const time_signature& t) {
  auto beat_type = t.fractions.empty() ? 4 : t.fractions.front().beat_type;
  return measure_position{(beat - rational{1}) * rational{4, beat_type}};
}

rational beat_at(measure_position at, const time_signature& t) {
  auto beat_type = t.fractions.empty() ? 4 : t.fractions.front().beat_type;
  return at.value * rational{beat_type, 4} + rational{1};
}

const measure_item& item_at(const score& s, const item_location& at) {
  return s.parts.at(at.part)->measures.at(at.measure)->items.at(at.item);
}

result<std::vector<std::size_t>> selected_parts(const part_selector& s, const score& in) {
  return std::visit(part_resolver{in}, s);
}

result<std::vector<measure_location>> selected_measures(const selector& s, const score& in) {
  std::vector<std::size_t> parts;
  if (s.part) {
    auto named = selected_parts(*s.part, in);
    if (!named) return tl::unexpected(named.error());
    parts = *named;
  } else {
    for (std::size_t i = 0; i < in.parts.size(); ++i)
      parts.push_back(i);
  }
  std::vector<measure_location> found;
  std::optional<error> fault;
  for (auto p : parts) {
    auto measures = measures_of(s.measures, *in.parts[p]);
    // With all parts meant, a measure that only the longer ones have is no fault.
    if (!measures && !fault) fault = measures.error();
    if (measures)
      for (auto m : *measures)
        found.push_back({p, m});
  }
  if (!found.empty() && (!fault || !s.part)) return found;
  if (fault) return fail(*fault);
  return no_target(in.parts.empty() ? "the score has no parts" : "there are no measures yet");
}

result<std::vector<item_location>> selected_items(const selector& s, const score& in) {
  auto measures = selected_measures(s, in);
  if (!measures) return tl::unexpected(measures.error());
  std::vector<item_location> found;
  std::optional<part_state> state;
  std::size_t state_part = 0, state_measure = 0;
  for (auto& at : *measures) {
    auto& p = *in.parts[at.part];
    auto& m = *p.measures[at.measure];
    time_signature t;
    if (s.beats) {
      // The time signature, carried from measure to measure of a part.
      if (!state || state_part != at.part) {
        state = state_before(p, at.measure);
        state_measure = at.measure;
        state_part = at.part;
      }
      for (; state_measure < at.measure; ++state_measure)
        state->apply(*p.measures[state_measure]);
      auto here = *state;
      here.apply(m, measure_position{});
      t = here.time_or_default(s.staff.value_or(1));
    }
    for (std::size_t i = 0; i < m.items.size(); ++i) {
      auto& item = m.items[i];
      if (s.staff && std::visit(item_staff{}, item.content) != *s.staff) continue;
      if (s.voice && !in_voice(item.content, *s.voice)) continue;
      if (s.beats && !on_beats(*s.beats, item.at, t)) continue;
      if (s.kind && !s.kind(item.content)) continue;
      found.push_back({at.part, at.measure, i});
    }
  }
  if (!found.empty()) return found;
  auto& first = measures->front();
  std::string what = "nothing matches";
  if (s.staff) what += " on staff " + std::to_string(*s.staff);
  if (s.voice) what += " in voice " + *s.voice;
  what += " in " + place_name(in, first.part, first.measure);
  if (measures->size() > 1) what += " and " + std::to_string(measures->size() - 1) + " more";
  return no_target(what);
}

}  // namespace fermata

#include "core/score/model/spanners.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace fermata {

namespace {

/// What a direction type starts (true) or stops (false), if it is an end of a line.
struct direction_end {
  using found = spanner_sign;
  using answer = std::optional<spanner_sign>;

  answer operator()(const wedge& x) const {
    if (x.type == "continue") return {};
    return found{spanner_kind::hairpin, x.number, x.type != "stop"};
  }
  answer operator()(const pedal& x) const {
    // A pedal whose line breaks off ends there as far as anyone can see.
    if (x.type == "start" || x.type == "sostenuto" || x.type == "resume")
      return found{spanner_kind::pedal, 1, true};
    if (x.type == "stop" || x.type == "discontinue") return found{spanner_kind::pedal, 1, false};
    return {};
  }
  answer operator()(const octave_shift& x) const {
    if (x.type == "continue") return {};
    return found{spanner_kind::octave_shift, x.number, x.type != "stop"};
  }
  answer operator()(const line_end& x) const {
    if (x.type == "continue") return {};
    return found{x.dashes ? spanner_kind::dashes : spanner_kind::bracket, x.number,
                 x.type == "start"};
  }
  answer operator()(const dynamics&) const { return {}; }
  answer operator()(const words&) const { return {}; }
  answer operator()(const rehearsal_mark&) const { return {}; }
  answer operator()(const segno_mark&) const { return {}; }
  answer operator()(const coda_mark&) const { return {}; }
  answer operator()(const metronome&) const { return {}; }
  answer operator()(const fragment&) const { return {}; }
};

bool same_place(const spanner_end_place& a, const spanner_end_place& b) {
  return a.measure == b.measure && a.at == b.at;
}

/// Tuplets stand inside each other, also without numbers that tell them apart: what was opened last
/// is closed first.
void pair_nested(const std::vector<spanner_end_place>& ends, paired_spanners& result,
                 std::vector<spanner_end_place>& unpaired) {
  std::vector<spanner_end_place> open;
  for (auto& e : ends)
    if (e.start) {
      open.push_back(e);
    } else if (open.empty()) {
      unpaired.push_back(e);
    } else {
      result.pairs.emplace_back(open.back(), e);
      open.pop_back();
    }
  unpaired.insert(unpaired.end(), open.begin(), open.end());
}

/// Pairs one kind and number (of one voice and staff, or of all); what is left goes to `unpaired`.
void pair_one(const std::vector<spanner_end_place>& ends, paired_spanners& result,
              std::vector<spanner_end_place>& unpaired) {
  if (!ends.empty() && ends.front().kind == spanner_kind::tuplet)
    return pair_nested(ends, result, unpaired);
  std::optional<spanner_end_place> open;
  for (std::size_t i = 0; i < ends.size();) {
    // All ends at one place: an open line ends there first, whatever their order in the file.
    auto j = i;
    while (j < ends.size() && same_place(ends[i], ends[j]))
      ++j;
    std::vector<spanner_end_place> here(ends.begin() + static_cast<std::ptrdiff_t>(i),
                                        ends.begin() + static_cast<std::ptrdiff_t>(j));
    if (open) std::stable_partition(here.begin(), here.end(), [](auto& e) { return !e.start; });
    for (auto& e : here)
      if (e.start) {
        if (open) unpaired.push_back(*open);
        open = e;
      } else if (open) {
        result.pairs.emplace_back(*open, e);
        open.reset();
      } else {
        unpaired.push_back(e);
      }
    i = j;
  }
  if (open) unpaired.push_back(*open);
}

/// The voice that the item lies in: in front of what its voice plays there, or behind all of it.
std::string voice_around(const shared_list<measure_item>& items, std::size_t item) {
  const chord_rest* next = nullptr;
  for (auto i = item + 1; i < items.size() && !next; ++i)
    if ((next = std::get_if<chord_rest>(&items[i].content)) && items[i].at >= items[item].at)
      return next->voice;
  for (auto i = item; i-- > 0;)
    if (auto* last = std::get_if<chord_rest>(&items[i].content)) return last->voice;
  return next ? next->voice : std::string{};
}

bool earlier(const spanner_end_place& a, const spanner_end_place& b) {
  return std::tie(a.measure, a.at, a.item, a.note, a.index) <
         std::tie(b.measure, b.at, b.item, b.note, b.index);
}

}  // namespace

std::string_view name_of(spanner_kind k) {
  switch (k) {
    case spanner_kind::tied: return "tie";
    case spanner_kind::slur: return "slur";
    case spanner_kind::tuplet: return "tuplet bracket";
    case spanner_kind::glissando: return "glissando";
    case spanner_kind::slide: return "slide";
    case spanner_kind::wavy_line: return "wavy line";
    case spanner_kind::hammer_on: return "hammer-on";
    case spanner_kind::pull_off: return "pull-off";
    case spanner_kind::tremolo: return "tremolo";
    case spanner_kind::hairpin: return "hairpin";
    case spanner_kind::pedal: return "pedal";
    case spanner_kind::octave_shift: return "octave line";
    case spanner_kind::bracket: return "bracket";
    case spanner_kind::dashes: return "dashed line";
  }
  return {};
}

std::optional<spanner_sign> spanner_sign_of(const spanner& s) {
  auto is_end = s.end == span_end::start || s.end == span_end::stop;
  if (s.kind == spanner_kind::tied || !is_end) return std::nullopt;
  return spanner_sign{s.kind, s.number, s.end == span_end::start};
}

std::optional<spanner_sign> spanner_sign_of(const direction_type& t) {
  return std::visit(direction_end{}, t);
}

bool same_end(const spanner_end_place& a, const spanner_end_place& b) {
  return a.kind == b.kind && a.number == b.number && a.start == b.start && a.measure == b.measure &&
         a.at == b.at && a.voice == b.voice && a.staff == b.staff;
}

std::vector<spanner_end_place> spanner_ends(const part& p, std::size_t first, std::size_t end) {
  std::vector<spanner_end_place> found;
  for (auto m = first; m < std::min(end, p.measures.size()); ++m) {
    auto& items = p.measures[m]->items;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (auto* x = std::get_if<chord_rest>(&items[i].content)) {
        for (std::size_t n = 0; n < x->notes.size(); ++n) {
          auto& spanners = x->notes[n].spanners;
          for (std::size_t s = 0; s < spanners.size(); ++s)
            if (auto e = spanner_sign_of(spanners[s]))
              found.push_back({e->kind, e->number, e->start, m, i, n, s, x->voice, items[i].at});
        }
      } else if (auto* d = std::get_if<direction>(&items[i].content)) {
        for (std::size_t t = 0; t < d->types.size(); ++t)
          if (auto e = spanner_sign_of(d->types[t]))
            found.push_back({e->kind, e->number, e->start, m, i, 0, t,
                             d->voice.empty() ? voice_around(items, i) : d->voice,
                             items[i].at + d->offset.value_or(quarters{}), d->staff.value_or(1)});
      }
    }
  }
  std::stable_sort(found.begin(), found.end(), [](auto& a, auto& b) {
    return std::tie(a.measure, a.at) < std::tie(b.measure, b.at);
  });
  return found;
}

paired_spanners pair_spanners(const std::vector<spanner_end_place>& ends) {
  paired_spanners result;
  using line = std::tuple<spanner_kind, std::uint8_t, int, std::string>;
  // Marks that make whole lines on their staff are these lines: which voice a mark stands in is
  // chance in most files.
  std::map<line, std::vector<spanner_end_place>> on_staff;
  for (auto& e : ends)
    if (e.staff == 0)
      result.unpaired.push_back(e);
    else
      on_staff[{e.kind, e.number, e.staff, ""}].push_back(e);
  for (auto& [key, own] : on_staff) {
    paired_spanners whole;
    pair_one(own, whole, whole.unpaired);
    if (whole.unpaired.empty())
      result.pairs.insert(result.pairs.end(), whole.pairs.begin(), whole.pairs.end());
    else
      result.unpaired.insert(result.unpaired.end(), own.begin(), own.end());
  }
  // What finds no partner in its voice looks for one on its staff, then anywhere in the part.
  for (auto [by_staff, by_voice] : {std::pair{true, true}, {true, false}, {false, false}}) {
    std::map<line, std::vector<spanner_end_place>> lines;
    for (auto& e : std::exchange(result.unpaired, {}))
      if (by_staff && !by_voice && e.staff == 0)
        result.unpaired.push_back(e);  // on a note: no staff would tell it from others
      else
        lines[{e.kind, e.number, by_staff ? e.staff : 0, by_voice ? e.voice : ""}].push_back(e);
    for (auto& [key, own] : lines) {
      if (!by_voice) std::sort(own.begin(), own.end(), earlier);
      paired_spanners found;
      pair_one(own, found, found.unpaired);
      // A voice's marks are lines of their own only if nothing is left over.
      if (by_voice && own.front().staff != 0 && !found.unpaired.empty()) found = {{}, own};
      result.pairs.insert(result.pairs.end(), found.pairs.begin(), found.pairs.end());
      result.unpaired.insert(result.unpaired.end(), found.unpaired.begin(), found.unpaired.end());
    }
  }
  std::sort(result.unpaired.begin(), result.unpaired.end(), earlier);
  return result;
}

std::vector<std::pair<spanner_end_place, spanner_end_place>> certain_pairs(
    const std::vector<spanner_end_place>& ends) {
  std::map<std::tuple<spanner_kind, std::uint8_t, int, std::string>, std::vector<spanner_end_place>>
      own;
  for (auto& e : ends)
    own[{e.kind, e.number, e.staff, e.staff == 0 ? e.voice : ""}].push_back(e);
  paired_spanners found;
  for (auto& [key, line] : own)
    pair_one(line, found, found.unpaired);
  // Of two ends at one place the stop may belong to a line from before.
  std::erase_if(found.pairs, [](auto& pair) {
    return pair.first.voice != pair.second.voice || same_place(pair.first, pair.second);
  });
  return std::move(found.pairs);
}

}  // namespace fermata

#include "core/score/analysis/validate.hpp"

#include "core/music/instruments.hpp"
#include "core/score/analysis/jumps.hpp"
#include "core/score/analysis/overfull_voices.hpp"
#include "core/score/model/part_names.hpp"
#include "core/score/model/spanners.hpp"
#include "core/score/model/ties.hpp"
#include "core/score/model/walk.hpp"
#include "core/score/model/wording.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace fermata {

namespace {

bool has_repeat(const measure& m, std::string_view direction) {
  return std::any_of(m.items.begin(), m.items.end(), [&](auto& item) {
    auto* b = std::get_if<barline>(&item.content);
    return b && b->repeat == direction;
  });
}

/// Looks through the measures [first, end) of one part.
class part_check {
public:
  part_check(const score& s, std::size_t index, std::vector<finding>& found)
    : score_(s), part_(*s.parts[index]), index_(index), found_(found) {}

  void check(std::size_t first, std::size_t end) {
    auto state = state_before(part_, first);
    for (auto m = first; m < end; ++m) {
      auto before = state;
      state.apply(*part_.measures[m], measure_position{});
      auto t = state.time_or_default();
      fill(m, t);
      ties(m);
      instruments(m, before);
      state = before;
      state.apply(*part_.measures[m]);
    }
  }

  void lines() {
    for (auto& e : pair_spanners(spanner_ends(part_, 0, part_.measures.size())).unpaired) {
      auto kind = e.kind == spanner_kind::tuplet ? finding_kind::unclosed_tuplet
                                                 : finding_kind::unclosed_line;
      report(kind, e.measure,
             (name_of(e.kind).front() == 'o' ? "an " : "a ") + std::string{name_of(e.kind)} +
                 (e.start ? " begins" : " ends") + on_note(e) +
                 (e.start ? " and has no end" : " and has no start"));
    }
  }

private:
  void report(finding_kind kind, std::size_t m, const std::string& what) {
    found_.push_back({kind, place_name(score_, index_, m) + ": " + what, index_, m});
  }

  std::string on_note(const spanner_end_place& e) const {
    auto* x = std::get_if<chord_rest>(&part_.measures[e.measure]->items[e.item].content);
    return x ? " on " + name_of(*x) : "";
  }

  void fill(std::size_t m, const time_signature& t) {
    auto& here = *part_.measures[m];
    auto full = measure_length(t);
    bool too_long = false;
    for (auto& f : overfull_voices(here, full)) {
      too_long |= f.kind == length_fault::what::too_long;
      report(f.kind == length_fault::what::overlap ? finding_kind::overlapping_notes
                                                   : finding_kind::overfull_measure,
             m, to_text(f, here, t));
    }
    if (too_long || full == quarters{} || here.implicit || voices(here).empty()) return;
    auto length = longest(m);
    if (length >= full || is_piece_of_a_measure(m, length, full)) return;
    // When every part is as short, the first one speaks for all.
    if (index_ > 0 && m < score_.parts[0]->measures.size() &&
        !voices(*score_.parts[0]->measures[m]).empty())
      return;
    length_fault f{length_fault::what::too_short, "", full - length, last_note(here)};
    auto text = to_text(f, here, t);
    // Which voice is short means nothing: the longest one is.
    report(finding_kind::underfull_measure, m, text.substr(0, text.find(" in voice")));
  }

  /// How long the measure is in any part: another part may carry the music on.
  quarters longest(std::size_t m) const {
    quarters length;
    for (auto& p : score_.parts)
      if (m < p->measures.size()) length = std::max(length, extent(*p->measures[m]));
    return length;
  }

  static const chord_rest* last_note(const measure& m) {
    const chord_rest* last = nullptr;
    measure_position end;
    for (auto& item : m.items)
      if (auto* x = std::get_if<chord_rest>(&item.content); x && item.at + x->length >= end) {
        end = item.at + x->length;
        last = x;
      }
    return last;
  }

  /// A measure may be short where a section begins or ends, if the pieces make up a whole one.
  bool is_piece_of_a_measure(std::size_t m, quarters length, quarters full) const {
    auto n = part_.measures.size();
    auto backward = [&](std::size_t i) { return has_repeat(*part_.measures[i], "backward"); };
    auto forward = [&](std::size_t i) { return has_repeat(*part_.measures[i], "forward"); };
    auto implicit = [&](std::size_t i) { return part_.measures[i]->implicit; };
    if (m == 0 || forward(m)) return true;
    bool last = m + 1 == n;
    // Together with the uncounted pieces that follow it is one measure.
    auto sum = length;
    for (auto i = m + 1; i < n && implicit(i); ++i)
      sum += longest(i);
    if (!last && implicit(m + 1) && sum == full) return true;
    // A repeat divides it.
    if (!last && (backward(m) || forward(m + 1)) && length + longest(m + 1) == full) return true;
    if (backward(m - 1) && length + longest(m - 1) == full) return true;
    // The end of the piece or of a section makes up for the pickup that it began with.
    if (last || backward(m) || implicit(m + 1))
      for (std::size_t i = 0; i < m; ++i)
        if ((i == 0 || implicit(i) || forward(i)) && length + longest(i) == full) return true;
    return false;
  }

  void ties(std::size_t m) {
    auto& items = part_.measures[m]->items;
    for (std::size_t i = 0; i < items.size(); ++i)
      if (auto* x = std::get_if<chord_rest>(&items[i].content); x && !x->grace)
        for (std::size_t n = 0; n < x->notes.size(); ++n) {
          auto& sounding = x->notes[n];
          if (sounding.tie.start && !lets_ring(sounding) && !tied_to(part_, {m, i, n}))
            report(finding_kind::dangling_tie, m, "the tie from " + tone(*x, n) + " leads nowhere");
          if (sounding.tie.stop && !tied_from(part_, {m, i, n}))
            report(finding_kind::dangling_tie, m,
                   "the tie into " + tone(*x, n) + " comes from nowhere");
        }
  }

  static bool lets_ring(const note& n) {
    return std::any_of(n.spanners.begin(), n.spanners.end(),
                       [](auto& s) { return s.end == span_end::let_ring; });
  }

  static std::string tone(const chord_rest& x, std::size_t n) {
    chord_rest single = x;
    single.notes.assign(1, x.notes[n]);
    return name_of(single);
  }

  void instruments(std::size_t m, part_state state) {
    // One message per measure and direction: a passage in the wrong octave is one mistake.
    bool said_low = false, said_high = false;
    auto& here = *part_.measures[m];
    for (auto& item : here.items) {
      auto* x = std::get_if<chord_rest>(&item.content);
      if (!x) continue;
      for (std::size_t n = 0; n < x->notes.size(); ++n) {
        auto& sounding = x->notes[n];
        auto* declared = instrument_of(sounding);
        if (!sounding.instrument.empty() && !declared)
          report(finding_kind::unknown_instrument, m,
                 tone(*x, n) + " uses an instrument \"" + sounding.instrument + "\" that " +
                     part_label(part_) + " does not have");
        auto* p = std::get_if<pitch>(&sounding.tone);
        auto* known = p && declared ? row_of(*declared) : nullptr;
        if (!known) continue;
        auto now = state;
        now.apply(here, item.at);
        range(m, *x, n, sounding_cents(*p, now.staff(x->staff).transpose), *known, said_low,
              said_high);
      }
    }
  }

  const part_instrument* instrument_of(const note& n) const {
    if (n.instrument.empty())
      return part_.instruments.empty() ? nullptr : &part_.instruments.front();
    for (auto& i : part_.instruments)
      if (i.id == n.instrument) return &i;
    return nullptr;
  }

  /// Rows of the table are looked up once per instrument.
  const instrument_info* row_of(const part_instrument& i) {
    auto [it, fresh] = known_.try_emplace(i.id, nullptr);
    if (fresh) it->second = known_instrument(i);
    return it->second;
  }

  void range(std::size_t m, const chord_rest& x, std::size_t n, int cents,
             const instrument_info& known, bool& said_low, bool& said_high) {
    auto lowest = known.lowest_pitch(), highest = known.highest_pitch();
    if (!lowest || !highest) return;
    auto shift = known.chromatic * 100 + known.octaves * 1200;
    bool low = cents<midi_cents(*lowest) + shift, high = cents> midi_cents(*highest) + shift;
    if ((low && !said_low) || (high && !said_high))
      report(finding_kind::out_of_range, m,
             tone(x, n) + " is " + (low ? "below" : "above") + " the range of the " +
                 std::string{known.name} + ", written " + to_string(*lowest) + " to " +
                 to_string(*highest));
    said_low |= low;
    said_high |= high;
  }

  const score& score_;
  const part& part_;
  std::size_t index_;
  std::vector<finding>& found_;
  std::map<std::string, const instrument_info*> known_;
};

void check_parts(const score& s, std::vector<finding>& found) {
  std::map<std::string, std::size_t> ids;
  for (std::size_t p = 0; p < s.parts.size(); ++p) {
    auto [it, fresh] = ids.emplace(s.parts[p]->id, p);
    if (!fresh)
      found.push_back({finding_kind::duplicate_part_id,
                       part_label(*s.parts[it->second]) + " and " + part_label(*s.parts[p]) +
                           " have the same id " + it->first,
                       p, 0});
    auto here = s.parts[p]->measures.size(), first = s.parts[0]->measures.size();
    if (here != first)
      found.push_back({finding_kind::unequal_parts,
                       part_label(*s.parts[p]) + " has " + std::to_string(here) +
                           (here == 1 ? " measure, " : " measures, ") + part_label(*s.parts[0]) +
                           " " + std::to_string(first),
                       p, std::min(here, first)});
  }
}

/// The id of a note, or null.
const std::string* id_of(const note& n) {
  if (n.extra)
    for (auto& [name, text] : n.extra->attributes)
      if (name == "id") return &text;
  return nullptr;
}

void check_note_ids(const score& s, std::vector<finding>& found) {
  std::map<std::string_view, std::string> places;
  for (std::size_t p = 0; p < s.parts.size(); ++p)
    for (std::size_t m = 0; m < s.parts[p]->measures.size(); ++m)
      for (auto& item : s.parts[p]->measures[m]->items) {
        auto* x = std::get_if<chord_rest>(&item.content);
        if (!x) continue;
        for (auto& n : x->notes) {
          auto* id = id_of(n);
          if (!id) continue;
          auto here = place_name(s, p, m);
          auto [it, fresh] = places.emplace(*id, here);
          if (!fresh)
            found.push_back(
                {finding_kind::duplicate_id,
                 here + ": the id " + *id + " is that of a note in " + it->second + ", too", p, m});
        }
      }
}

void check_part_list(const score& s, std::vector<finding>& found) {
  std::vector<int> named(s.parts.size());
  std::map<std::string, int> open;
  auto broken = [&](std::string what) {
    found.push_back({finding_kind::broken_part_list, std::move(what), 0, 0});
  };
  for (auto& entry : s.part_list) {
    if (auto* index = std::get_if<std::size_t>(&entry)) {
      if (*index >= named.size())
        broken("the part list names part " + std::to_string(*index + 1) + " of " +
               std::to_string(named.size()));
      else
        ++named[*index];
    } else {
      auto& g = std::get<part_group>(entry);
      open[g.number] += g.type == "start" ? 1 : -1;
      if (open[g.number] < 0) {
        broken("part group " + g.number + " ends without a start");
        open[g.number] = 0;
      }
    }
  }
  for (std::size_t p = 0; p < named.size(); ++p)
    if (named[p] != 1)
      broken("the part list names " + part_label(*s.parts[p]) +
             (named[p] == 0 ? " nowhere" : " more than once"));
  for (auto& [number, count] : open)
    if (count > 0) broken("part group " + number + " does not end");
}

/// Jumps concern the whole score and are told of its first part.
void check_jumps(const score& s, std::vector<finding>& found) {
  auto signs = signs_of(s);
  auto any = [&](auto has) { return std::any_of(signs.begin(), signs.end(), has); };
  bool segno = any([](auto&m) { return m.segno; }), coda = any([](auto&m) { return m.coda; }),
       fine = any([](auto&m) { return m.fine; });
  auto report = [&](std::size_t m, const char* what) {
    found.push_back({finding_kind::jump_without_target, place_name(s, 0, m) + ": " + what, 0, m});
  };
  for (std::size_t m = 0; m < signs.size(); ++m) {
    auto& here = signs[m];
    if ((here.to_coda_before || here.to_coda_after) && !coda)
      report(m, "To Coda, but there is no coda");
    if (!here.jumps) continue;
    if (here.jumps->target == jump::to::segno && !segno) report(m, "D.S., but there is no segno");
    if (here.jumps->goal == jump_goal::fine && !fine) report(m, "al Fine, but there is no Fine");
    if (here.jumps->goal == jump_goal::coda && !coda) report(m, "al Coda, but there is no coda");
  }
}

}  // namespace

std::string_view to_string(severity s) { return s == severity::error ? "error" : "warning"; }

const std::vector<finding_info>& finding_table() {
  static const std::vector<finding_info> table{
#define FERMATA_FINDING(id, name, level, summary) \
  {finding_kind::id, name, severity::level, summary},
#include "core/score/analysis/finding_table.inc"
#undef FERMATA_FINDING
  };
  return table;
}

const finding_info& info(finding_kind k) { return finding_table()[static_cast<std::size_t>(k)]; }

std::vector<finding> validate_measures(const score& s, std::size_t part_index, std::size_t first,
                                       std::size_t end) {
  std::vector<finding> found;
  if (part_index < s.parts.size())
    part_check{s, part_index, found}.check(first,
                                           std::min(end, s.parts[part_index]->measures.size()));
  return found;
}

std::vector<finding> validate(const score& s) {
  std::vector<finding> found;
  check_parts(s, found);
  check_note_ids(s, found);
  check_part_list(s, found);
  check_jumps(s, found);
  for (std::size_t p = 0; p < s.parts.size(); ++p) {
    std::vector<finding> here;
    part_check check{s, p, here};
    check.check(0, s.parts[p]->measures.size());
    check.lines();
    std::stable_sort(here.begin(), here.end(),
                     [](auto& a, auto& b) { return a.measure < b.measure; });
    found.insert(found.end(), here.begin(), here.end());
  }
  return found;
}

}  // namespace fermata

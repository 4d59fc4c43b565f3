#include "io/lilypond/score_plan.hpp"

#include "core/score/model/ties.hpp"
#include "core/score/model/walk.hpp"
#include "io/lilypond/syntax.hpp"

#include <algorithm>

namespace fermata::io::lilypond {

namespace {

/// Whether a voice name is sounding on two staves at one moment.
std::set<std::string> voices_on_two_staves(const part& p) {
  std::set<std::string> found;
  for (auto& m : p.measures) {
    struct stretch {
      measure_position from, to;
      std::uint8_t staff;
    };
    std::map<std::string, std::vector<stretch>> lines;
    for (auto& item : m->items)
      if (auto* x = std::get_if<chord_rest>(&item.content); x && !x->grace) {
        auto& line = lines[x->voice];
        stretch now{item.at, item.at + x->length, x->staff};
        for (auto& other : line)
          if (other.staff != now.staff && other.from < now.to && now.from < other.to)
            found.insert(x->voice);
        line.push_back(now);
      }
  }
  return found;
}

bool has_ties_between_voices(const part& p, const part_plan& plan) {
  for (std::size_t m = 0; m < p.measures.size(); ++m)
    for (std::size_t i = 0; i < p.measures[m]->items.size(); ++i) {
      auto* x = std::get_if<chord_rest>(&p.measures[m]->items[i].content);
      if (!x) continue;
      for (std::size_t n = 0; n < x->notes.size(); ++n) {
        auto to = x->notes[n].tie.start ? tied_to(p, {m, i, n}) : std::nullopt;
        if (!to) continue;
        auto& target = std::get<chord_rest>(p.measures[to->measure]->items[to->item].content);
        for (auto& v : plan.voices)
          if (v.holds(*x) && !v.holds(target)) return true;
      }
    }
  return false;
}

part_plan plan_part(const part& p, std::size_t index) {
  part_plan plan;
  plan.index = index;
  plan.prefix = "P" + std::to_string(index + 1);
  auto doubled = voices_on_two_staves(p);
  std::vector<std::map<int, int>> staff_counts;
  int highest_staff = 1;
  for (auto& m : p.measures)
    for (auto& item : m->items) {
      if (auto* a = std::get_if<attributes>(&item.content); a && a->staves)
        highest_staff = std::max(highest_staff, *a->staves);
      if (auto* d = std::get_if<direction>(&item.content); d && d->staff)
        highest_staff = std::max(highest_staff, static_cast<int>(*d->staff));
      auto* x = std::get_if<chord_rest>(&item.content);
      if (!x) continue;
      highest_staff = std::max(highest_staff, static_cast<int>(x->staff));
      auto it = std::find_if(plan.voices.begin(), plan.voices.end(),
                             [&](auto& v) { return v.holds(*x); });
      if (it == plan.voices.end()) {
        plan.voices.push_back({x->voice, doubled.contains(x->voice) ? x->staff : 0, 1, "", {}});
        staff_counts.emplace_back();
        it = std::prev(plan.voices.end());
      }
      ++staff_counts[static_cast<std::size_t>(it - plan.voices.begin())][x->staff];
      for (auto& n : x->notes)
        for (auto& l : n.lyrics)
          it->verses.insert(l.number);
    }
  plan.staves = std::max(1, highest_staff);
  for (int staff = 1; staff <= plan.staves; ++staff)
    plan.kinds.push_back(kind_of_staff(p, staff, plan.staves));
  for (std::size_t i = 0; i < plan.voices.size(); ++i) {
    auto& v = plan.voices[i];
    auto& counts = staff_counts[i];
    v.home = std::max_element(counts.begin(), counts.end(), [](auto& a, auto& b) {
               return a.second < b.second;
             })->first;
    v.id = plan.prefix + "v" + std::to_string(i + 1);
  }
  plan.ties_between_voices = has_ties_between_voices(p, plan);
  return plan;
}

bool staves_disagree(const score& s) {
  std::vector<std::vector<time_signature>> first;
  for (auto& p : s.parts) {
    part_state state;
    for (std::size_t m = 0; m < p->measures.size(); ++m) {
      state.apply(*p->measures[m]);
      auto t = state.time_or_default();
      t.symbol.clear();
      for (int staff = 2; staff <= state.staves(); ++staff) {
        auto other = state.time_or_default(staff);
        other.symbol.clear();
        if (other != t) return true;
      }
      if (first.size() <= m)
        first.push_back({t});
      else if (first[m].front() != t)
        return true;
    }
  }
  return false;
}

}  // namespace

std::string part_plan::staff_id(int staff) const { return prefix + "s" + std::to_string(staff); }

quarters leading_graces(const measure& m, const voice_plan& v) {
  quarters sum;
  bool main = false;
  for (auto& item : m.items)
    if (auto* x = std::get_if<chord_rest>(&item.content);
        x && v.holds(*x) && item.at == measure_position{}) {
      if (x->grace)
        sum += length(x->written.value_or(note_value{note_base::eighth, 0}));
      else
        main = true;
    }
  return main ? sum : quarters{};
}

score_plan make_plan(const score& s, loss_list& losses, bool beams_as_given) {
  score_plan plan{s, losses, {}, {}, {}, signs_of(s), {}, staves_disagree(s), beams_as_given};
  auto starts = measure_starts(s);
  for (std::size_t m = 0; m + 1 < starts.size(); ++m)
    plan.lengths.push_back(starts[m + 1] - starts[m]);
  plan.grace_lead.resize(plan.lengths.size());
  plan.metred.assign(plan.lengths.size(), true);
  for (auto& p : s.parts) {
    part_state state;
    for (std::size_t m = 0; m < p->measures.size(); ++m) {
      state.apply(*p->measures[m]);
      if (measure_length(state.time_or_default()) == quarters{}) plan.metred[m] = false;
    }
  }
  for (std::size_t i = 0; i < s.parts.size(); ++i) {
    plan.parts.push_back(plan_part(*s.parts[i], i));
    plan.parts.back().lines = line_plan{*s.parts[i], i, losses};
    for (auto& v : plan.parts.back().voices)
      for (std::size_t m = 0; m < s.parts[i]->measures.size(); ++m)
        plan.grace_lead[m] =
            std::max(plan.grace_lead[m], leading_graces(*s.parts[i]->measures[m], v));
  }
  return plan;
}

void line_writer::word(const std::string& text) {
  if (!text_.empty() && text_.back() != '\n' && text_.back() != ' ') text_ += ' ';
  text_ += text;
}

void line_writer::begin_measure(quarters grace_lead, quarters own_grace) {
  at_ = {};
  if (own_grace < grace_lead) {
    auto gap = grace_lead - own_grace;
    word("\\grace { s" + duration_text(gap) + " }");
  }
}

void line_writer::skip_to(measure_position to) {
  if (to <= at_) return;
  word((kind_ == skips::silent ? "\\skip 1*" : "s1*") + whole_fraction(to - at_));
  at_ = to;
}

void line_writer::end_measure(quarters length, bool checked, const std::string& number) {
  skip_to(measure_position{} + length);
  if (checked) word("|");
  word("% " + (number.empty() ? std::string{"-"} : number) + "\n");
}

}  // namespace fermata::io::lilypond

#include "io/lilypond/beams.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace fermata::io::lilypond {

namespace {

struct beamed_chord {
  std::pair<std::size_t, std::size_t> place;
  const chord_rest* chord;
};

int flags_of(const chord_rest& x) {
  if (!x.written || x.written->base <= note_base::quarter) return 0;
  return static_cast<int>(x.written->base) - static_cast<int>(note_base::quarter);
}

/// Whether LilyPond can draw no beam to the chord, as to the half notes of a tremolo between notes.
bool has_no_flags(const chord_rest& x) {
  return x.written && x.written->base <= note_base::quarter;
}

/// The beams of a chord are those of the note that has any.
const std::vector<beam>& beams_on(const chord_rest& x) {
  for (auto& n : x.notes)
    if (!n.beams.empty()) return n.beams;
  return x.notes.front().beams;
}

const beam* primary(const chord_rest& x) {
  for (auto& b : beams_on(x))
    if (b.number == 1) return &b;
  return nullptr;
}

int beams_towards(const chord_rest& x, bool right) {
  auto& all = beams_on(x);
  return static_cast<int>(std::count_if(all.begin(), all.end(), [&](auto& b) {
    return b.value == "continue" || b.value == (right ? "begin" : "end") ||
           b.value == (right ? "forward hook" : "backward hook");
  }));
}

bool has_hook(const chord_rest& x) {
  auto& all = beams_on(x);
  return std::any_of(all.begin(), all.end(), [](auto& b) { return b.value.ends_with("hook"); });
}

/// The chords of a voice in order of time: main notes, or graces, which have beams of their own.
std::vector<beamed_chord> chords_of(const part& p, const voice_plan& voice, bool graces) {
  std::vector<beamed_chord> all;
  for (std::size_t m = 0; m < p.measures.size(); ++m) {
    auto& items = p.measures[m]->items;
    struct placed {
      measure_position at;
      beamed_chord what;
    };
    std::vector<placed> here;
    for (std::size_t i = 0; i < items.size(); ++i)
      if (auto* x = std::get_if<chord_rest>(&items[i].content);
          x && voice.holds(*x) && x->grace.has_value() == graces)
        here.push_back({items[i].at, {{m, i}, x}});
    std::stable_sort(here.begin(), here.end(), [](auto& a, auto& b) { return a.at < b.at; });
    for (auto& h : here)
      all.push_back(h.what);
  }
  return all;
}

}  // namespace

std::map<std::pair<std::size_t, std::size_t>, beam_words> beams_of(const score_plan& plan,
                                                                   const part_plan& part,
                                                                   const voice_plan& voice) {
  auto& source = *plan.source.parts[part.index];
  std::map<std::pair<std::size_t, std::size_t>, beam_words> words;
  for (bool graces : {false, true}) {
    auto line = chords_of(source, voice, graces);
    std::set<std::size_t> beamed_measures;
    for (auto& c : line)
      if (!beams_on(*c.chord).empty()) beamed_measures.insert(c.place.first);
    if (beamed_measures.empty()) continue;
    std::size_t open = line.size();  // where the beam that is open began
    std::vector<std::size_t> group;
    auto lose = [&](const beamed_chord& c) {
      plan.losses.add("beams with one end", part.index, c.place.first);
    };
    auto close = [&] {
      open = line.size();
      auto cannot_beam = [&](std::size_t k) { return has_no_flags(*line[k].chord); };
      if (std::any_of(group.begin(), group.end(), cannot_beam)) {
        plan.losses.add("beams between notes without flags", part.index,
                        line[group.front()].place.first);
        return group.clear();
      }
      for (std::size_t g = 0; g < group.size(); ++g) {
        auto& x = *line[group[g]].chord;
        auto flags = flags_of(x);
        auto usual = [&](std::size_t other) {
          return std::min(flags, flags_of(*line[group[other]].chord));
        };
        auto left = beams_towards(x, false), right = beams_towards(x, true);
        auto& word = words[line[group[g]].place];
        bool first = g == 0, last = g + 1 == group.size();
        if (!first && (has_hook(x) || left != usual(g - 1)))
          word.before += "\\set stemLeftBeamCount = #" + std::to_string(left);
        if (!last && (has_hook(x) || right != usual(g + 1)))
          word.before += (word.before.empty() ? "" : " ") +
                         ("\\set stemRightBeamCount = #" + std::to_string(right));
      }
      words[line[group.front()].place].after = "[";
      words[line[group.back()].place].after = "]";
      group.clear();
    };
    for (std::size_t k = 0; k < line.size(); ++k) {
      auto& x = *line[k].chord;
      auto flags = flags_of(x);
      auto b = primary(x);
      if (b && b->value == "begin") {
        if (open < line.size()) lose(line[open]);
        group.assign(1, k);
        open = k;
      } else if (b && b->value == "end") {
        if (open < line.size()) {
          group.push_back(k);
          close();
        } else {
          lose(line[k]);
        }
      } else if (open < line.size() && flags > 0 && !is_rest(x)) {
        group.push_back(k);
      } else if (!b && flags > 0 && !is_rest(x)) {
        if (plan.beams_as_given || beamed_measures.contains(line[k].place.first))
          words[line[k].place].after = "\\noBeam";
      }
    }
    if (open < line.size()) lose(line[open]);
  }
  return words;
}

}  // namespace fermata::io::lilypond

#include "io/lilypond/accidentals.hpp"

#include "core/score/model/walk.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace fermata::io::lilypond {

namespace {

struct usual_accidental {
  std::string_view value;
  int cents;
};
constexpr usual_accidental usual_accidentals[] = {
    {"natural", 0},
    {"sharp", 100},
    {"flat", -100},
    {"double-sharp", 200},
    {"sharp-sharp", 200},
    {"flat-flat", -200},
    {"double-flat", -200},
    {"quarter-sharp", 50},
    {"quarter-flat", -50},
    {"three-quarters-sharp", 150},
    {"three-quarters-flat", -150},
};

}  // namespace

bool is_usual_accidental(std::string_view value, int cents) {
  return std::any_of(std::begin(usual_accidentals), std::end(usual_accidentals),
                     [&](auto& u) { return u.value == value && u.cents == cents; });
}

std::set<note_place> repeated_accidentals(const part& p) {
  std::set<note_place> found;
  walk_measures(p, [&](std::size_t m, const measure& here, const part_state& before) {
    struct placed {
      measure_position at;
      std::size_t item;
    };
    std::vector<placed> order;
    for (std::size_t i = 0; i < here.items.size(); ++i)
      order.push_back({here.items[i].at, i});
    std::stable_sort(order.begin(), order.end(), [](auto& a, auto& b) { return a.at < b.at; });
    auto state = before;
    std::map<std::tuple<int, step, int>, int> altered;  // staff, letter, octave
    for (auto& o : order) {
      auto& content = here.items[o.item].content;
      if (auto* a = std::get_if<attributes>(&content)) {
        state.apply(*a);
        if (!a->keys.empty()) altered.clear();
      }
      auto* x = std::get_if<chord_rest>(&content);
      if (!x) continue;
      for (std::size_t n = 0; n < x->notes.size(); ++n) {
        auto* tone = std::get_if<pitch>(&x->notes[n].tone);
        if (!tone) continue;
        std::tuple key{static_cast<int>(x->staff), tone->letter, static_cast<int>(tone->octave)};
        auto it = altered.find(key);
        auto holds = it != altered.end() ? it->second
                                         : alteration(state.key_or_default(x->staff), tone->letter);
        if (x->notes[n].accidental && holds == tone->cents) found.insert({m, o.item, n});
        altered[key] = tone->cents;
      }
    }
  });
  return found;
}

}  // namespace fermata::io::lilypond

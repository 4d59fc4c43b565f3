#include "core/score/analysis/overfull_voices.hpp"

#include "core/score/model/wording.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// A whole-measure rest is as long as its measure, whatever the file says.
bool lasts_the_measure(const chord_rest& x) {
  return is_rest(x) && std::get<rest>(x.notes.front().tone).whole_measure;
}

}  // namespace

std::vector<length_fault> overfull_voices(const measure& m, quarters full) {
  std::vector<length_fault> faults;
  for (auto& voice : voices(m)) {
    std::vector<const measure_item*> line;
    for (auto& item : m.items)
      if (auto* x = std::get_if<chord_rest>(&item.content))
        if (x->voice == voice && x->length > quarters{} && !lasts_the_measure(*x))
          line.push_back(&item);
    std::stable_sort(line.begin(), line.end(), [](auto* a, auto* b) { return a->at < b->at; });
    measure_position end;
    const chord_rest* last_inside = nullptr;
    for (auto* item : line) {
      auto& x = std::get<chord_rest>(item->content);
      if (item->at < end)
        faults.push_back({length_fault::what::overlap, voice,
                          std::min(end, item->at + x.length) - item->at, &x});
      end = std::max(end, item->at + x.length);
      if (item->at - measure_position{} < full) last_inside = &x;
    }
    if (full > quarters{} && end - measure_position{} > full)
      faults.push_back(
          {length_fault::what::too_long, voice, end - measure_position{} - full, last_inside});
  }
  return faults;
}

std::string to_text(const length_fault& f, const measure& m, const time_signature& t) {
  auto in_voice = voices(m).size() > 1 ? " in voice " + f.voice : std::string{};
  switch (f.kind) {
    case length_fault::what::too_long:
      return length_in_words(f.amount) + " too long for " + metre_in_words(t) +
             (f.after ? " after " + name_of(*f.after) : "") + in_voice;
    case length_fault::what::too_short:
      return length_in_words(f.amount) + " short of " + metre_in_words(t) +
             (f.after ? " after " + name_of(*f.after) : "") + in_voice;
    case length_fault::what::overlap:
      return name_of(*f.after) + " begins " + length_in_words(f.amount) +
             " before the previous note ends" + in_voice;
  }
  return {};
}

}  // namespace fermata

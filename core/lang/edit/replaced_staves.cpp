#include "core/lang/edit/replaced_staves.hpp"

#include "core/score/analysis/kept_staves.hpp"
#include "core/score/model/wording.hpp"

#include <utility>

namespace fermata {

static std::string to_text(const replacement_report& r) {
  auto listed = [](std::string_view noun, const std::vector<std::string>& names) {
    std::string text = std::string{noun} + (names.size() > 1 ? "s " : " ");
    for (std::size_t i = 0; i < names.size(); ++i)
      text += (i ? ", " : "") + names[i];
    return text;
  };
  std::string text;
  std::vector<std::string> staves;
  for (auto staff : r.kept_staves)
    staves.push_back(std::to_string(staff));
  if (!staves.empty()) text += "; " + listed("staff", staves) + " kept";
  if (staves.size() > 1) text.replace(text.find("staffs"), 6, "staves");
  if (!r.removed_voices.empty())
    text += "; " + listed("voice", {r.removed_voices.begin(), r.removed_voices.end()}) + " removed";
  return text;
}

std::vector<measure_run> runs_of(const std::vector<measure_location>& found) {
  std::vector<measure_run> out;
  for (const auto& at : found)
    if (!out.empty() && out.back().part == at.part &&
        out.back().first + out.back().count == at.measure)
      ++out.back().count;
    else
      out.push_back({at.part, at.measure, 1});
  return out;
}

result<value> with_report(result<value> answer, const replacement_report& report) {
  if (!answer) return answer;
  return value::string(*answer->as_string() + to_text(report));
}

result<void> keep_staves(call& c, const part& p, const measure_run& run, std::vector<measure>& made,
                         replacement_report& report) {
  for (std::size_t i = 0; i < run.count; ++i) {
    const auto& old = *p.measures[run.first + i];
    if (made.empty()) return {};
    auto kept = kept_beside(i < made.size() ? made[i] : made.back(), old);
    report.removed_voices.insert(kept.removed_voices.begin(), kept.removed_voices.end());
    if (kept.voices.empty()) continue;
    if (made.size() == run.count) {
      add_kept(made[i], kept, old);
      if (kept.sounds) report.kept_staves.insert(kept.staves.begin(), kept.staves.end());
      continue;
    }
    if (!kept.sounds) continue;
    auto what = kept.staves.empty() ? "voice " + *kept.voices.begin()
                                    : "staff " + std::to_string(*kept.staves.begin());
    auto e = c.wrong(errc::misplaced, what + " of " + part_label(p) + " has music in " +
                                          measure_name(old, run.first + i) +
                                          ", and a different number of measures cannot keep it");
    e.diagnostics.front().hint = "write as many measures as there are, or every staff: (measure "
                                 "(staff 1 ...) (staff 2 ...))";
    return fail(std::move(e));
  }
  return {};
}

}  // namespace fermata

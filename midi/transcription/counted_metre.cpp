#include "midi/transcription/counted_metre.hpp"

namespace fermata::midi {

metric_level level_of(int position, int beat, const counted_metre& metre) {
  if (position == 0) {
    if (beat == 0) return metric_level::downbeat;
    auto is_half = metre.beats == 2 || (metre.beats == 4 && beat == 2);
    return is_half ? metric_level::half_measure : metric_level::beat;
  }
  if (metre.is_compound) {
    if (position % grid_of_eighth == 0) return metric_level::eighth;
    return position % grid_of_sixteenth == 0 ? metric_level::sixteenth : metric_level::finer;
  }
  if (position == grid_of_eighth) return metric_level::eighth;
  if (position % grid_of_sixteenth == 0) return metric_level::sixteenth;
  return position % grid_of_triplet == 0 ? metric_level::triplet : metric_level::finer;
}

time_signature signature_of(const counted_metre& metre) {
  time_signature t;
  t.fractions = {metre.is_compound ? time_signature::fraction{{3 * metre.beats}, 8}
                                   : time_signature::fraction{{metre.beats}, 4}};
  return t;
}

result<counted_metre> metre_called(const std::string& name) {
  std::string known;
  for (auto& m : counted_metres) {
    auto text = to_string(signature_of(m));
    if (text == name) return m;
    known += (known.empty() ? "" : ", ") + text;
  }
  return fail({errc::out_of_range, "`" + name + "` is not a meter that can be recognized",
               std::nullopt, "Choose one of " + known + "."});
}

}  // namespace fermata::midi

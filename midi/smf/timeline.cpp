#include "midi/smf/timeline.hpp"

#include "midi/smf/grid.hpp"
#include "midi/smf/meta.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace fermata::midi::smf {

namespace {

bool has_notes(const track& t) {
  return std::any_of(t.events.begin(), t.events.end(), [](const event& e) {
    auto* m = std::get_if<channel_message>(&e.message);
    return m && m->command() == 0x90 && m->data2 > 0;
  });
}

/// In order of time; the last of the same time and no two equal ones in a row.
template <class T>
std::vector<timed<T>> without_repetitions(std::vector<timed<T>> all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const timed<T>& a, const timed<T>& b) { return a.at < b.at; });
  std::vector<timed<T>> kept;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i + 1 < all.size() && all[i + 1].at == all[i].at) continue;
    if (kept.empty() || !(kept.back().value == all[i].value)) kept.push_back(std::move(all[i]));
  }
  return kept;
}

class timeline_reading {
public:
  explicit timeline_reading(int ticks_per_quarter) : ticks_(ticks_per_quarter) {}

  void read(const track& t) {
    for (auto& e : t.events)
      if (auto* m = std::get_if<meta_event>(&e.message)) read(*m, e.at);
  }

  timeline take(std::vector<std::string>& remarks) {
    line_.metres = without_repetitions(std::move(line_.metres));
    if (line_.metres.empty() || line_.metres.front().at > rational{})
      line_.metres.insert(line_.metres.begin(), {rational{}, time_signature{}});
    line_.keys = without_repetitions(std::move(line_.keys));
    line_.tempos = without_repetitions(std::move(line_.tempos));
    for (auto* texts : {&line_.markers, &line_.cue_points})
      std::stable_sort(texts->begin(), texts->end(),
                       [](const auto& a, const auto& b) { return a.at < b.at; });
    if (metres_off_grid_ > 0)
      remarks.push_back("time signatures left out, as no barline can be there: " +
                        std::to_string(metres_off_grid_));
    return std::move(line_);
  }

  /// The first of the copyright notices, and a name of the piece.
  void read_title(const track& t, bool names_the_piece) {
    for (auto& e : t.events) {
      auto* m = std::get_if<meta_event>(&e.message);
      if (!m) continue;
      if (is(*m, meta_type::track_name) && names_the_piece && line_.title.empty())
        line_.title = text_of(m->data);
      if (is(*m, meta_type::copyright) && line_.copyright.empty())
        line_.copyright = text_of(m->data);
    }
  }

private:
  void read(const meta_event& m, ticks at) {
    auto beside = nearest_sixteenth(at, ticks_);
    if (auto tempo = tempo_of(m)) {
      line_.tempos.push_back({beside, *tempo});
    } else if (auto key = key_signature_of(m)) {
      line_.keys.push_back({beside, *key});
    } else if (auto metre = time_signature_of(m)) {
      auto barline = grid_point(at, ticks_);
      // A barline inside a tuplet is a fault of the file.
      if (barline && (barline->denominator() & (barline->denominator() - 1)) == 0)
        line_.metres.push_back({*barline, *metre});
      else
        ++metres_off_grid_;
    } else if (is(m, meta_type::marker) || is(m, meta_type::cue_point)) {
      auto& texts = is(m, meta_type::marker) ? line_.markers : line_.cue_points;
      if (auto text = text_of(m.data); !text.empty()) texts.push_back({beside, std::move(text)});
    }
  }

  int ticks_;
  timeline line_;
  std::size_t metres_off_grid_ = 0;
};

}  // namespace

timeline timeline_of(const file& f, int ticks_per_quarter, std::vector<std::string>& remarks) {
  timeline_reading reading{ticks_per_quarter};
  for (std::size_t i = 0; i < f.tracks.size(); ++i) {
    reading.read(f.tracks[i]);
    // With notes, the first track of format 1 is a part, and its name is that of the part.
    reading.read_title(f.tracks[i], i == 0 && (f.format == 0 || !has_notes(f.tracks[i])));
  }
  return reading.take(remarks);
}

result<std::vector<measure_span>> measures_of(const timeline& t, rational end, std::size_t most) {
  std::vector<measure_span> measures;
  auto metre = t.metres.begin();
  rational at;
  bool says = true;
  do {
    if (measures.size() == most)
      return fail(
          {errc::out_of_range, "the file lasts more than " + std::to_string(most) + " measures"});
    auto next = metre + 1;
    auto stop = at + measure_length(metre->value).value;
    auto changes = next != t.metres.end() && next->at <= stop;
    if (changes) stop = next->at;
    measures.push_back({at, stop, metre->value, says});
    says = changes;
    if (changes) metre = next;
    at = stop;
  } while (at < end);
  return measures;
}

}  // namespace fermata::midi::smf

#include "midi/performance/pitch_curve.hpp"

#include "core/score/model/attribute_of.hpp"
#include "midi/performance/playback_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace fermata::midi {

namespace {

constexpr int jazz_slide = 200;  // cents

/// In cents; empty: the bend does not say how far.
std::optional<int> size_of_bend(const mark& m) {
  auto text = element_text(child_of(m.extra, "bend-alter"), "bend-alter");
  auto semitones = text ? number_in(*text) : std::nullopt;
  if (!semitones) return std::nullopt;
  return static_cast<int>(
      std::lround(std::clamp(*semitones * 100, -1.0 * widest_curve, 1.0 * widest_curve)));
}

/// Back towards the pitch of the note, not beyond it. A size of zero, as some programs write it:
/// all of the way.
int released(int bent, int size) {
  if (size == 0 || size >= std::abs(bent)) return 0;
  return bent > 0 ? bent - size : bent + size;
}

/// The bends of a note, one after another; `bent` cents are left from the note that is tied to it.
pitch_curve bends_of(const note& n, int bent) {
  auto count = std::count_if(n.marks.begin(), n.marks.end(),
                             [](auto& m) { return m.kind == mark_kind::bend; });
  pitch_curve curve;
  std::int64_t done = 0;
  auto now = bent;
  for (auto& m : n.marks) {
    if (m.kind != mark_kind::bend) continue;
    auto place = [&](rational share) { return (rational{done} + share) / rational{count}; };
    auto from = place(share_in(attribute_of(m.extra, "first-beat")).value_or(rational{1, 4}));
    auto to = std::max(
        from, place(share_in(attribute_of(m.extra, "last-beat")).value_or(rational{3, 4})));
    ++done;
    auto size = size_of_bend(m);
    if (!size) continue;
    auto is_release = !child_of(m.extra, "release").empty();
    auto is_pre_bend = !child_of(m.extra, "pre-bend").empty();
    if (is_pre_bend || (is_release && now == 0 && curve.empty())) now = std::abs(*size);
    curve.push_back({from, now});
    if (is_release)
      now = released(now, std::abs(*size));
    else if (!is_pre_bend)
      now = std::clamp(now + *size, -widest_curve, widest_curve);
    curve.push_back({to, now});
  }
  return curve;
}

}  // namespace

pitch_curve curve_of(const note& n, quarters length, int bent) {
  auto curve = bends_of(n, bent);
  if (!curve.empty() || length <= quarters{}) return curve;
  auto share = std::min(rational{1, 4}, rational{1, 2} / length.value);
  auto into = [&](int cents) { return pitch_curve{{rational{0}, bent + cents}, {share, bent}}; };
  auto out_of = [&](int cents) {
    return pitch_curve{{rational{1} - share, bent}, {rational{1}, bent + cents}};
  };
  auto add = [&](pitch_curve more) { curve.insert(curve.end(), more.begin(), more.end()); };
  for (auto& m : n.marks)
    if (m.kind == mark_kind::scoop || m.kind == mark_kind::plop) {
      add(into(m.kind == mark_kind::scoop ? -jazz_slide : jazz_slide));
      break;
    }
  for (auto& m : n.marks)
    if (m.kind == mark_kind::doit || m.kind == mark_kind::falloff) {
      add(out_of(m.kind == mark_kind::doit ? jazz_slide : -jazz_slide));
      break;
    }
  return curve;
}

}  // namespace fermata::midi

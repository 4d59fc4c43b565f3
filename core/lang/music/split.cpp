#include "core/lang/music/split.hpp"

#include <algorithm>

#include "core/score/metric_spelling.hpp"

namespace fermata {

namespace {

bool closes(const spanner& s) {
  return s.end == span_end::stop;
}

} // namespace

std::optional<std::pair<chord_rest, chord_rest>> split_at(const chord_rest& x, quarters first) {
  if (x.tuplet || x.grace || first <= quarters{} || first >= x.length)
    return std::nullopt;
  std::pair<chord_rest, chord_rest> pieces{x, x};
  auto& [a, b] = pieces;
  a.length = first;
  b.length = x.length - first;
  a.written.reset();
  b.written.reset();
  for (std::size_t i = 0; i < x.notes.size(); ++i) {
    auto& left = a.notes[i];
    auto& right = b.notes[i];
    left.beams.clear();
    right.beams.clear();
    // The accidental is in force until the tied note has sounded.
    right.accidental.reset();
    right.lyrics.clear();
    std::erase_if(left.marks, [](const mark& m) { return m.kind == mark_kind::fermata_mark; });
    std::erase_if(right.marks, [](const mark& m) { return m.kind != mark_kind::fermata_mark; });
    std::erase_if(left.spanners, closes);
    std::erase_if(right.spanners, [](const spanner& s) { return !closes(s); });
    if (std::holds_alternative<rest>(left.tone)) {
      std::get<rest>(left.tone).whole_measure = false;
      std::get<rest>(right.tone).whole_measure = false;
      continue;
    }
    left.tie.start = true;
    left.tie.start_undrawn = false;
    right.tie.stop = true;
    right.tie.stop_undrawn = false;
    // A drawn tie into the note belongs to its first piece, whatever else ends goes to the last.
    for (const auto& s : x.notes[i].spanners)
      if (s.kind == span_kind::tied && s.end == span_end::stop) {
        left.spanners.push_back(s);
        std::erase(right.spanners, s);
      } else if (s.kind == span_kind::tied) {
        right.spanners.push_back(s);
        std::erase(left.spanners, s);
      }
  }
  return pieces;
}

std::vector<placed_chord_rest> spelled(chord_rest x, measure_position at, const time_signature& t) {
  if (x.tuplet || x.grace || (x.written && length(*x.written) == x.length))
    return {{at, std::move(x)}};
  auto pieces
    = metric_pieces(at, x.length, t, is_rest(x) ? spelled_as::rest : spelled_as::note);
  std::vector<placed_chord_rest> out;
  if (pieces.size() < 2) {
    if (pieces.size() == 1)
      x.written = pieces.front().value;
    out.push_back({at, std::move(x)});
    return out;
  }
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    auto cut = split_at(x, length(pieces[i].value));
    cut->first.written = pieces[i].value;
    out.push_back({pieces[i].at, std::move(cut->first)});
    x = std::move(cut->second);
  }
  x.written = pieces.back().value;
  out.push_back({pieces.back().at, std::move(x)});
  return out;
}

} // namespace fermata

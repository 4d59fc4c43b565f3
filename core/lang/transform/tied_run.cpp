#include "core/lang/transform/tied_run.hpp"

#include "core/score/model/placing.hpp"

#include <algorithm>
#include <bit>

namespace fermata {

namespace {

bool same_tones(const chord_rest& a, const chord_rest& b) {
  return std::equal(a.notes.begin(), a.notes.end(), b.notes.begin(), b.notes.end(),
                    [](const note& x, const note& y) { return x.tone == y.tone; });
}

bool goes_on_into(const chord_rest& a, const chord_rest& b) {
  if (!is_plain(b) || !same_tones(a, b)) return false;
  auto starts = [](const note& n) { return n.tie.start; };
  auto stops = [](const note& n) { return n.tie.stop; };
  return is_rest(a) || (std::all_of(a.notes.begin(), a.notes.end(), starts) &&
                        std::all_of(b.notes.begin(), b.notes.end(), stops));
}

chord_rest without_beams(chord_rest x) {
  for (auto& n : x.notes)
    n.beams.clear();
  return x;
}

/// The whole of which these are the pieces; nothing when splitting it gives anything else.
std::optional<chord_rest> whole_of(const std::vector<const chord_rest*>& pieces, std::size_t count,
                                   quarters sum) {
  auto whole = without_beams(*pieces.front());
  whole.written.reset();
  whole.length = sum;
  const auto& last = *pieces[count - 1];
  for (std::size_t i = 0; i < whole.notes.size(); ++i) {
    auto& n = whole.notes[i];
    const auto& end = last.notes[i];
    n.tie.start = end.tie.start;
    n.tie.start_undrawn = end.tie.start_undrawn;
    for (const auto& m : end.marks)
      if (m.kind != mark_kind::tremolo) n.marks.push_back(m);
    n.spanners.insert(n.spanners.end(), end.spanners.begin(), end.spanners.end());
  }
  std::vector<note_value> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(*pieces[i]->written);
  auto split = tied_pieces(whole, values);
  for (std::size_t i = 0; i < count; ++i)
    if (split[i] != without_beams(*pieces[i])) return std::nullopt;
  return whole;
}

}  // namespace

bool is_plain(const chord_rest& x) {
  return x.written && !x.grace && !x.tuplet && !x.notes.empty() && x.length == length(*x.written) &&
         std::none_of(x.notes.begin(), x.notes.end(), [](const note& n) {
           auto r = std::get_if<rest>(&n.tone);
           return n.differs || (r && r->whole_measure);
         });
}

std::optional<joined_run> run_at(const std::vector<const chord_rest*>& pieces, rational factor) {
  if (pieces.empty() || !is_plain(*pieces.front())) return std::nullopt;
  auto first_has_value = note_value_for(pieces.front()->length * factor).has_value();
  // Where the factor leaves halves, tied notes as they are written stay so; rests always do.
  auto halves = std::has_single_bit(static_cast<std::uint64_t>(factor.denominator()));
  auto may_be_one = !halves && !first_has_value && !is_rest(*pieces.front());
  std::vector<note_value> values{*pieces.front()->written};
  auto sum = pieces.front()->length;
  std::optional<joined_run> found;
  for (std::size_t i = 1; i < pieces.size() && i < longest_run; ++i) {
    if (!goes_on_into(*pieces[i - 1], *pieces[i])) break;
    values.push_back(*pieces[i]->written);
    sum += pieces[i]->length;
    auto written = note_value_for(sum * factor);
    if (!written || (written->dots > 2 && first_has_value)) continue;
    auto was_split = tied_note_values(sum) == values;
    if (!was_split && (!may_be_one || found)) continue;
    if (auto whole = whole_of(pieces, i + 1, sum)) found = joined_run{i + 1, *whole};
  }
  return found;
}

}  // namespace fermata

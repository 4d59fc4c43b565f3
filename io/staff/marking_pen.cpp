#include "io/staff/marking_pen.hpp"

#include "core/utf8.hpp"
#include "io/staff/geometry.hpp"
#include "io/text/code_point.hpp"
#include "io/text/wrap.hpp"

#include <algorithm>
#include <cstdlib>

namespace fermata::io::staff {

namespace {

int cells_of(std::string_view text) { return static_cast<int>(display_width(text)); }

std::string repeated(std::string_view sign, int times) {
  std::string text;
  for (int i = 0; i < times; ++i)
    text += sign;
  return text;
}

/// Lines no wider than this, broken at blanks; a single word that is wider is broken anywhere.
std::vector<std::string> broken(const std::string& text, int width) {
  if (cells_of(text) <= width) return {text};
  std::vector<std::string> lines;
  auto wrapped_text = wrapped(text, static_cast<std::size_t>(width));
  for (std::string_view all = wrapped_text; !all.empty();) {
    auto line = all.substr(0, all.find('\n'));
    all.remove_prefix(std::min(line.size() + 1, all.size()));
    while (cells_of(line) > width) {
      std::size_t end = 0;
      for (int used = 0; end < line.size(); end += code_point_at(line, end).bytes)
        if ((used += static_cast<int>(cells(code_point_at(line, end).value))) > width) break;
      lines.emplace_back(line.substr(0, end));
      line.remove_prefix(end);
    }
    lines.emplace_back(line);
  }
  return lines;
}

}  // namespace

void marking_pen::begin_system(int notes_begin, int width) {
  notes_begin_ = notes_begin;
  width_ = width;
}

// --- notes ---------------------------------------------------------------------------------------

void marking_pen::chord(const drawn_chord& d, int column) {
  for (auto& m : d.marks) {
    if (m.dynamics) {
      bands_[{d.stave, m.side > 0 ? band::dynamics_above : band::dynamics_below}].push_back(
          {column, m.text});
      continue;
    }
    auto side = m.side != 0 ? m.side : m.above ? 1 : d.stem > 0 ? -1 : 1;
    if (m.near && !d.heads.empty() && side == (d.stem > 0 ? -1 : 1))
      near_mark(d, m, column, side);
    else
      far_mark(d, m, column, side);
  }
  slur_ends(d, column);
  syllables(d, column);
}

/// In the next space, where it touches no line (Read, Music Notation, ch. 15).
void marking_pen::near_mark(const drawn_chord& d, const mark_sign& m, int column, int side) {
  auto& c = canvases_[d.stave];
  auto place = side > 0 ? d.heads.back().place + 1 : d.heads.front().place - 1;
  auto on_line = [](int p) { return p % 2 == 0 && p >= 0 && p <= top_line; };
  while (on_line(place) || !c.is_clear(place, column, column + cells_of(m.text)))
    place += side;
  c.put(place, column, m.text);
}

/// Outside of the staff, of the heads and of the stem.
void marking_pen::far_mark(const drawn_chord& d, const mark_sign& m, int column, int side) {
  auto& c = canvases_[d.stave];
  auto place = side > 0 ? top_line + 1 : -1;
  if (!d.heads.empty()) {
    place = side > 0 ? std::max(place, d.heads.back().place + 1)
                     : std::min(place, d.heads.front().place - 1);
    if (d.stem == side)
      place = side > 0 ? std::max(place, d.stem_end + 1) : std::min(place, d.stem_end - 1);
  }
  // A text does not end where the next one begins.
  while (!c.is_clear(place, column, column + cells_of(m.text) + (cells_of(m.text) > 1 ? 1 : 0)))
    place += side;
  c.put(place, column, m.text);
}

// --- slurs ---------------------------------------------------------------------------------------

void marking_pen::slur_ends(const drawn_chord& d, int column) {
  if (d.heads.empty()) return;
  bool one_ended = false;
  for (auto& s : d.slurs) {
    if (s.begins) continue;
    auto found = open_slurs_.find({d.stave, s.number, d.voice});
    // It may come from another voice.
    if (found == open_slurs_.end())
      found = std::find_if(open_slurs_.begin(), open_slurs_.end(), [&](auto& open) {
        return std::get<0>(open.first) == d.stave && std::get<1>(open.first) == s.number;
      });
    if (found == open_slurs_.end()) continue;
    auto& from = found->second;
    if (from.side == 0) from.side = from.stem > 0 && d.stem > 0 ? -1 : 1;
    auto place = from.side > 0 ? d.heads.back().place : d.heads.front().place;
    slurs_.push_back({from, column, place, true});
    open_slurs_.erase(found);
    one_ended = true;
  }
  for (auto& s : d.slurs)
    if (s.begins) {
      // Where another one has just ended, this one begins beside it.
      open_slur from{d.stave, column + (one_ended ? 1 : 0), s.side, d.stem, 0, 0};
      from.place =
          s.side < 0 || (s.side == 0 && d.stem > 0) ? d.heads.front().place : d.heads.back().place;
      open_slurs_[{d.stave, s.number, d.voice}] = from;
    }
}

/// In the nearest row beyond all notes under it, within the staff in a space.
void marking_pen::draw(const slur& s) {
  auto& c = canvases_[s.from.stave];
  auto from = s.from.column < 0 ? notes_begin_ : s.from.column;
  auto to = std::max(s.to, from + 1);
  auto side = s.from.side != 0 ? s.from.side : s.from.stem > 0 ? -1 : 1;
  auto place = (side > 0 ? std::max(s.from.column < 0 ? s.to_place : s.from.place, s.to_place)
                         : std::min(s.from.column < 0 ? s.to_place : s.from.place, s.to_place)) +
               side;
  auto on_line = [](int p) { return p % 2 == 0 && p >= 0 && p <= top_line; };
  while (on_line(place) || !c.is_clear_beyond(place, side, from, to + 1))
    place += side;
  auto& signs = side > 0 ? g_.tie_above : g_.tie_below;
  for (auto x = from; x <= to; ++x)
    c.put(place, x,
          x == from && s.from.column >= 0 ? signs[0]
          : x == to && s.ends             ? signs[2]
                                          : signs[1]);
}

void marking_pen::draw_slurs() {
  for (auto& [key, from] : open_slurs_) {
    slurs_.push_back({from, width_ - 2, from.place, false});
    // Where the stems are on the other side of the break is not known; the side stays.
    if (from.side == 0) from.side = from.stem > 0 ? -1 : 1;
    from.column = -1;
  }
  // Inner ones first, so that the outer ones lie around them.
  std::stable_sort(slurs_.begin(), slurs_.end(),
                   [](auto& a, auto& b) { return a.to - a.from.column < b.to - b.from.column; });
  for (auto& s : slurs_)
    draw(s);
  slurs_.clear();
}

// --- words ---------------------------------------------------------------------------------------

void marking_pen::words(const placed_words& w, int column) {
  if (!w.text.empty()) bands_[{w.stave, w.where}].push_back({column, w.text});
}

void marking_pen::hairpin(const hairpin_end& h, int column) {
  std::tuple key{h.stave, h.above, h.number};
  auto found = open_hairpins_.find(key);
  if (found != open_hairpins_.end()) {
    draw_hairpin(h.stave, h.above, found->second, column - 2);
    open_hairpins_.erase(found);
  }
  if (h.sign != '\0') open_hairpins_[key] = {column, h.sign};
}

void marking_pen::draw_hairpin(std::size_t stave, bool above, const open_hairpin& h, int to) {
  auto from = h.column < 0 ? notes_begin_ : h.column;
  text_item item{from, {}, std::max(to, from + 1), h.sign};
  bands_[{stave, above ? band::dynamics_above : band::dynamics_below}].push_back(item);
}

/// Texts from left to right, each in the first row where there is room; hairpins begin behind a
/// dynamic at the same place.
void marking_pen::draw_band(std::size_t stave, std::vector<text_item> items, bool above) {
  auto& c = canvases_[stave];
  auto first = above ? c.highest() + 1 : c.lowest() - 1;
  auto step = above ? 1 : -1;
  std::stable_sort(items.begin(), items.end(), [](auto& a, auto& b) {
    return std::tuple{a.column, a.sign != '\0'} < std::tuple{b.column, b.sign != '\0'};
  });
  for (std::size_t i = 0; i < items.size(); ++i) {
    auto& item = items[i];
    if (item.sign != '\0') {
      if (i > 0 && items[i - 1].column == item.column && items[i - 1].sign == '\0')
        item.column += cells_of(items[i - 1].text) + 1;
      auto length = std::max(item.hairpin_end - item.column + 1, 2);
      auto line = repeated(g_.line, length - 1);
      item.text = item.sign == '<' ? '<' + line : line + '>';
    }
    auto lines = broken(item.text, room_);
    int width = 0;
    for (auto& line : lines)
      width = std::max(width, cells_of(line));
    auto column = std::max(std::min(item.column, room_ - width), 0);
    auto count = static_cast<int>(lines.size());
    auto has_room = [&](int place) {
      for (int n = 0; n < count; ++n)
        if (!c.is_clear(place + n * step, column - 1, column + width + 1)) return false;
      return true;
    };
    auto place = first;
    while (!has_room(place))
      place += step;
    for (int n = 0; n < count; ++n)
      c.put(place + n * step, column, lines[static_cast<std::size_t>(above ? count - 1 - n : n)]);
  }
}

// --- syllables -----------------------------------------------------------------------------------

void marking_pen::syllables(const drawn_chord& d, int column) {
  for (auto& [key, last] : verses_)
    if (key.first == d.stave && last.voice == d.voice && !d.heads.empty() && !d.grace)
      if (std::none_of(d.syllables.begin(), d.syllables.end(),
                       [&key = key](auto& s) { return s.verse == key.second; }))
        last.last_note = column;
  for (auto& s : d.syllables) {
    close_verse(d.stave, s.verse, column);
    lyrics_[{d.stave, s.verse}].push_back({column, s.text});
    verses_[{d.stave, s.verse}] = {column + cells_of(s.text), s.hyphen, s.extends, -1, d.voice};
  }
}

/// Between two syllables of a word a hyphen, under the notes that one goes on for a line.
void marking_pen::close_verse(std::size_t stave, const std::string& verse, int next) {
  auto found = verses_.find({stave, verse});
  if (found == verses_.end()) return;
  auto& last = found->second;
  auto begin = last.end < 0 ? notes_begin_ : last.end;
  if (last.hyphen) {
    auto at = std::max(begin, (begin + next - 1) / 2);
    if (at < next) lyrics_[{stave, verse}].push_back({at, "-"});
  } else if (last.extends && last.last_note >= begin) {
    lyrics_[{stave, verse}].push_back({begin, repeated("_", last.last_note - begin + 1)});
  }
  verses_.erase(found);
}

void marking_pen::draw_lyrics(std::size_t stave) {
  for (auto& [key, items] : lyrics_) {
    if (key.first != stave) continue;
    auto& c = canvases_[stave];
    auto first = c.lowest() - 1;
    for (auto& item : items) {
      auto place = first;
      while (!c.is_clear(place, item.column, item.column + cells_of(item.text)))
        --place;
      c.put(place, item.column, item.text);
    }
  }
}

// --- endings -------------------------------------------------------------------------------------

void marking_pen::ending_begins(const std::string& text, int column) {
  ending_ = {column, text, true};
}

void marking_pen::ending_ends(int column, bool closed) {
  if (!ending_.open) return;
  endings_.push_back({ending_, {column, closed}});
  ending_ = {};
}

void marking_pen::draw_ending(const open_ending& e, int to, bool closed) {
  auto& c = canvases_.front();
  auto from = e.column < 0 ? notes_begin_ : e.column;
  auto text = (e.column < 0 ? std::string{} : std::string{g_.left_top}) + e.text;
  auto place = c.highest();
  if (!c.is_clear(place, from, to + 2) || place <= top_line) ++place;
  for (auto x = from; x <= to; ++x)
    c.put(place, x, g_.line);
  c.put(place, from, text);
  if (closed) c.put(place, to, g_.right_top);
}

// --- the system ----------------------------------------------------------------------------------

void marking_pen::end_system() {
  draw_slurs();
  for (auto& [key, open] : open_hairpins_) {
    draw_hairpin(std::get<0>(key), std::get<1>(key), open, width_ - 2);
    open.column = -1;
  }
  std::vector<std::pair<std::size_t, std::string>> singing;
  for (auto& [key, last] : verses_)
    singing.push_back(key);
  for (auto& key : singing) {
    auto last = verses_[key];
    close_verse(key.first, key.second, width_ - 1);
    // A word or a line goes on in the next system.
    last.end = last.last_note = -1;
    if (last.extends) verses_[key] = last;
  }
  for (std::size_t stave = 0; stave < canvases_.size(); ++stave) {
    for (auto b : {band::dynamics_above, band::harmony, band::words_above})
      draw_band(stave, bands_[{stave, b}], true);
    draw_band(stave, bands_[{stave, band::dynamics_below}], false);
    draw_lyrics(stave);
    for (auto b : {band::figures, band::words_below, band::pedal})
      draw_band(stave, bands_[{stave, b}], false);
  }
  if (ending_.open) {
    endings_.push_back({ending_, {width_ - 1, false}});
    ending_.column = -1;
    ending_.text.clear();
  }
  for (auto& [e, end] : endings_)
    draw_ending(e, end.first, end.second);
  bands_.clear();
  lyrics_.clear();
  endings_.clear();
}

}  // namespace fermata::io::staff

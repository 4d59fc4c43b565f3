#include "core/lang/layout/decompile.hpp"

#include "core/lang/layout/compile.hpp"
#include "core/lang/value/make.hpp"
#include "core/music/instruments.hpp"
#include "core/score/model/numbering.hpp"
#include "core/score/model/part_defaults.hpp"
#include "core/score/model/staves.hpp"
#include "core/score/repair/hairpin_numbers.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// Whether a part with this header and this first measure compiles to the beginning of `p`.
bool begins_like(part_music header, const music_ptr& first, const part& p) {
  if (first) header.items = {first};
  if (header.header.id.empty()) header.header.id = p.id;
  auto made = compile_part(header, 0);
  if (!made) return false;
  auto same_header = made->name == p.name && made->abbreviation == p.abbreviation &&
                     made->instruments == p.instruments && made->extra == p.extra;
  return same_header && (!first || *made->measures.front() == *p.measures.front());
}

/// The list of parts with its groups, nested where they close in the right order.
class part_list_reader {
public:
  part_list_reader(const score& s, std::vector<music_ptr> parts)
    : s_(s), parts_(std::move(parts)) {}

  std::vector<music_ptr> read() { return read(0, s_.part_list.size(), 0); }

private:
  std::vector<music_ptr> read(std::size_t i, std::size_t end, int depth) {
    std::vector<music_ptr> out;
    for (; i < end; ++i) {
      if (auto index = std::get_if<std::size_t>(&s_.part_list[i])) {
        out.push_back(parts_[*index]);
        continue;
      }
      const auto& g = std::get<part_group>(s_.part_list[i]);
      part_group_music made{g, {}};
      if (g.type == "start")
        if (auto close = closing(i, end)) {
          made.group.type.clear();
          if (g.number == std::to_string(depth + 1)) made.group.number.clear();
          made.items = read(i + 1, *close, depth + 1);
          i = *close;
        }
      out.push_back(make_music(std::move(made)));
    }
    return out;
  }

  /// The plain stop of the group that opens at `i`, when everything between is closed before it.
  std::optional<std::size_t> closing(std::size_t i, std::size_t end) const {
    const auto& number = std::get<part_group>(s_.part_list[i]).number;
    std::vector<std::string> open;
    for (auto k = i + 1; k < end; ++k) {
      auto g = std::get_if<part_group>(&s_.part_list[k]);
      if (!g) continue;
      if (g->type == "start") {
        open.push_back(g->number);
      } else if (open.empty()) {
        part_group plain;
        plain.number = number;
        plain.type = "stop";
        return *g == plain ? std::optional{k} : std::nullopt;
      } else if (open.back() == g->number) {
        open.pop_back();
      } else {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  const score& s_;
  std::vector<music_ptr> parts_;
};

}  // namespace

music_ptr to_music(const part& p, bool id_is_implied) {
  part_music out;
  measure_count count;
  time_signature time;
  const auto typed = without_hairpin_numbers(p);
  for (const auto& m : typed.measures) {
    auto implied = m->number == count.next(m->implicit);
    count.pass(*m);
    out.items.push_back(to_music_as_numbered(*m, time, implied));
    for (const auto& item : m->items)
      if (auto a = std::get_if<attributes>(&item.content))
        for (const auto& t : a->times)
          if (!t.staff || t.staff == 1) time = t.value;
  }
  out.header.id = id_is_implied ? "" : p.id;
  auto first = out.items.empty() ? nullptr : out.items.front();
  // Staves that are missing would be made.
  const auto is_whole = missing_staff(p) == 0;
  // By its instrument, if that says all of it.
  if (auto row = find_instrument(p.name); row && is_whole) {
    part_music short_header;
    short_header.header.id = p.id;
    short_header.instrument = row->name;
    if (begins_like(short_header, first, p)) {
      out.instrument = row->name;
      return make_music(std::move(out));
    }
  }
  out.header.name = p.name;
  out.header.abbreviation = p.abbreviation;
  out.header.instruments = p.instruments;
  out.header.extra = p.extra;
  auto header = out;
  header.items.clear();
  out.plain = !is_whole || !begins_like(header, first, p);
  return make_music(std::move(out));
}

music_ptr to_music(const score& s) {
  score_music out;
  out.header = s.header;
  out.extra = s.extra;
  std::vector<music_ptr> parts;
  score before;
  for (const auto& p : s.parts) {
    parts.push_back(to_music(*p, free_part_id(before) == p->id));
    before.parts.push_back(p);
  }
  out.items = part_list_reader{s, std::move(parts)}.read();
  return make_music(std::move(out));
}

std::string print_score(const score& s, print_style style) {
  return print_form(to_form(*to_music(s), style)) + "\n";
}

}  // namespace fermata

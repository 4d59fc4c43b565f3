#pragma once

#include "core/score/model/mark.hpp"

#include <array>
#include <string_view>

namespace fermata::io::musicxml::detail {

/// One row per mark: where and under which element name it is written. Made from the same rows as
/// the language's options.
struct mark_name {
  std::string_view element;
  mark_group group;
};
inline constexpr mark_name mark_names[] = {
#define FERMATA_MARK(id, xml, group, value, option, aliases) {xml, mark_group::group},
#include "core/score/model/mark_table.inc"
#undef FERMATA_MARK
};

constexpr const mark_name& name_of(mark_kind k) { return mark_names[static_cast<int>(k)]; }

/// One row per kind of spanner.
struct span_name {
  spanner_kind kind;
  std::string_view element;
  mark_group group;
};
inline constexpr span_name span_names[] = {
    {spanner_kind::tied, "tied", mark_group::notation},
    {spanner_kind::slur, "slur", mark_group::notation},
    {spanner_kind::tuplet, "tuplet", mark_group::notation},
    {spanner_kind::glissando, "glissando", mark_group::notation},
    {spanner_kind::slide, "slide", mark_group::notation},
    {spanner_kind::wavy_line, "wavy-line", mark_group::ornament},
    {spanner_kind::hammer_on, "hammer-on", mark_group::technical},
    {spanner_kind::pull_off, "pull-off", mark_group::technical},
    {spanner_kind::tremolo, "tremolo", mark_group::ornament},
};
constexpr const span_name& name_of(spanner_kind k) { return span_names[static_cast<int>(k)]; }

/// MusicXML's word for an end of a spanner.
constexpr std::string_view name_of(span_end e) {
  switch (e) {
    case span_end::start: return "start";
    case span_end::stop: return "stop";
    case span_end::continue_: return "continue";
    case span_end::let_ring: return "let-ring";
  }
  return "start";
}

/// Whether the schema has this end of this kind of spanner.
constexpr bool has_end(spanner_kind k, span_end e) {
  switch (e) {
    case span_end::start:
    case span_end::stop: return true;
    case span_end::continue_:
      return k == spanner_kind::tied || k == spanner_kind::slur || k == spanner_kind::wavy_line;
    case span_end::let_ring: return k == spanner_kind::tied;
  }
  return false;
}

/// Dynamics that have an element of their own; the rest is <other-dynamics>.
inline constexpr std::string_view dynamics_names[] = {
    "p",    "pp",    "ppp",    "pppp", "ppppp", "pppppp", "f",   "ff",   "fff",
    "ffff", "fffff", "ffffff", "mp",   "mf",    "sf",     "sfp", "sfpp", "fp",
    "rf",   "rfz",   "sfz",    "sffz", "fz",    "n",      "pf",  "sfzp"};

}  // namespace fermata::io::musicxml::detail

#pragma once

#include "core/score/model/mark.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace fermata {

/// The names of the ends of slurs, glissandi and other spanners in note options.
struct span_name {
  spanner_kind kind;
  std::string_view option;
  std::string_view doc;
  std::vector<span_end> ends;  ///< those that MusicXML's type for it has
};

inline const std::vector<span_name>& span_names() {
  static const std::vector<span_end> both_ends{span_end::start, span_end::stop},
      over_lines{span_end::start, span_end::stop, span_end::continue_},
      of_ties{span_end::start, span_end::stop, span_end::continue_, span_end::let_ring};
  static const std::vector<span_name> table{
      {spanner_kind::slur, "slur", "slur: start or stop; (start 2) for a second one", over_lines},
      {spanner_kind::tied, "tied", "tie that is drawn but not played: start or stop", of_ties},
      {spanner_kind::tuplet, "tuplet", "tuplet bracket, without the tuplet form: start or stop",
       both_ends},
      {spanner_kind::glissando, "glissando", "glissando, drawn wavy: start or stop", both_ends},
      {spanner_kind::slide, "slide", "slide (portamento), drawn straight: start or stop",
       both_ends},
      {spanner_kind::wavy_line, "wavy-line", "line of a long trill: start, continue or stop",
       over_lines},
      {spanner_kind::hammer_on, "hammer-on", "hammer-on of a string: start or stop", both_ends},
      {spanner_kind::pull_off, "pull-off", "pull-off of a string: start or stop", both_ends},
      {spanner_kind::tremolo, "double-tremolo",
       "tremolo between two notes; start or stop; (start 2) for two strokes, 0 to 8", both_ends},
  };
  return table;
}

inline std::optional<span_end> parse_span_end(std::string_view word) {
  if (word == "start") return span_end::start;
  if (word == "stop" || word == "end") return span_end::stop;
  if (word == "continue") return span_end::continue_;
  if (word == "let-ring") return span_end::let_ring;
  return std::nullopt;
}

inline std::string_view name_of(span_end e) {
  switch (e) {
    case span_end::start: return "start";
    case span_end::stop: return "stop";
    case span_end::continue_: return "continue";
    case span_end::let_ring: return "let-ring";
  }
  return {};
}

}  // namespace fermata

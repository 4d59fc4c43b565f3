#pragma once

#include "core/score/mark.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace fermata {

/// How the ends of slurs, glissandi and the like are called in note options.
struct span_name {
  span_kind kind;
  std::string_view option;
  std::string_view doc;
};

inline const std::vector<span_name>& span_names() {
  static const std::vector<span_name> table{
      {span_kind::slur, "slur", "start or stop; (start 2) for a second one"},
      {span_kind::tied, "tied", "drawn tie apart from the sound"},
      {span_kind::tuplet, "tuplet", "tuplet bracket apart from the form"},
      {span_kind::glissando, "glissando", "start or stop"},
      {span_kind::slide, "slide", "start or stop"},
      {span_kind::wavy_line, "wavy-line", "start, continue or stop"},
      {span_kind::hammer_on, "hammer-on", "start or stop"},
      {span_kind::pull_off, "pull-off", "start or stop"},
      {span_kind::tremolo_double, "double-tremolo", "tremolo between two notes; start or stop"},
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

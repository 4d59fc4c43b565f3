#include "io/musicxml/import_context.hpp"

#include <algorithm>

namespace fermata::io::musicxml::detail {

line_column source_lines::at(std::size_t offset) const {
  if (starts_.empty()) {
    starts_.push_back(0);
    for (auto p = text_.find('\n'); p != std::string_view::npos; p = text_.find('\n', p + 1))
      starts_.push_back(p + 1);
  }
  offset = std::min(offset, text_.size());
  auto line = std::upper_bound(starts_.begin(), starts_.end(), offset) - starts_.begin();
  auto start = starts_[static_cast<std::size_t>(line) - 1];
  auto from = start;
  std::size_t column = 1;
  if (start == last_start_ && offset >= last_offset_) {
    from = last_offset_;
    column = last_column_;
  }
  for (auto i = from; i < offset; ++i)
    column += (static_cast<unsigned char>(text_[i]) & 0xC0) != 0x80;
  last_start_ = start;
  last_offset_ = offset;
  last_column_ = column;
  return {static_cast<std::size_t>(line), column};
}

std::string import_context::describe(pugi::xml_node where, std::string_view reason) const {
  std::string text;
  if (auto offset = where.offset_debug(); offset >= 0) {
    auto place = lines.at(static_cast<std::size_t>(offset));
    text = "line " + std::to_string(place.line) + ", column " + std::to_string(place.column) + ": ";
  }
  if (!part.empty()) text += "part " + part + ", ";
  if (!measure.empty()) text += "measure " + measure + ", ";
  // The path below the measure, or from the root.
  std::string path;
  for (auto n = where; n && n.type() == pugi::node_element; n = n.parent()) {
    if (!measure.empty() &&
        (std::string_view{n.name()} == "measure" || std::string_view{n.name()} == "part"))
      break;
    path = std::string{n.name()} + (path.empty() ? "" : "/") + path;
  }
  return text + "<" + path + ">: " + std::string{reason};
}

void import_context::warn(pugi::xml_node where, std::string_view reason, std::string hint) {
  if (warnings.size() >= limits.warnings) {
    ++warnings_not_listed;
    return;
  }
  std::optional<source_span> span;
  if (auto offset = where.offset_debug(); offset >= 0) {
    auto begin = static_cast<std::size_t>(offset);
    span = source_span{begin, begin + std::string_view{where.name()}.size()};
  }
  warnings.push_back({errc::invalid_musicxml, describe(where, reason), span, std::move(hint)});
}

void fail_at(const import_context& c, pugi::xml_node where, errc code, std::string_view reason,
             std::string hint) {
  std::optional<source_span> span;
  if (auto offset = where.offset_debug(); offset >= 0) {
    auto begin = static_cast<std::size_t>(offset);
    span = source_span{begin, begin + std::string_view{where.name()}.size()};
  }
  throw import_failure{error{code, c.describe(where, reason), span, std::move(hint)}};
}

}  // namespace fermata::io::musicxml::detail

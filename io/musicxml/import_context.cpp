#include "io/musicxml/import_context.hpp"

#include "core/utf8.hpp"

#include <algorithm>
#include <cstring>

namespace fermata::io::musicxml::detail {

namespace {

/// How often '\n' occurs, eight bytes at a time.
std::size_t spanner_ends(std::string_view text) {
  constexpr std::uint64_t low = 0x7f7f7f7f7f7f7f7f, ends = 0x0a0a0a0a0a0a0a0a;
  std::size_t n = 0;
  while (text.size() >= 8) {
    std::uint64_t eight;
    std::memcpy(&eight, text.data(), 8);
    eight ^= ends;
    // The highest bit of each byte that was a line end; the product adds them up in its top byte.
    auto found = ~(((eight & low) + low) | eight | low) >> 7;
    n += static_cast<std::size_t>(found * 0x0101010101010101u >> 56);
    text.remove_prefix(8);
  }
  return n + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

line_column source_lines::at(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  auto begin = offset / block * block;
  while (lines_before_.size() <= offset / block) {
    auto known = lines_before_.size() - 1;
    lines_before_.push_back(lines_before_.back() +
                            spanner_ends(text_.substr(known * block, block)));
  }
  auto line = lines_before_[offset / block] + spanner_ends(text_.substr(begin, offset - begin)) + 1;
  auto end_before = offset == 0 ? std::string_view::npos : text_.rfind('\n', offset - 1);
  auto start = end_before == std::string_view::npos ? 0 : end_before + 1;
  auto from = start;
  std::size_t column = 1;
  if (start == last_start_ && offset >= last_offset_) {
    from = last_offset_;
    column = last_column_;
  }
  for (auto i = from; i < offset; ++i)
    column += !is_utf8_continuation(text_[i]);
  last_start_ = start;
  last_offset_ = offset;
  last_column_ = column;
  return {line, column};
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

bool import_context::takes_attributes(element e) {
  static const auto table = [] {
    std::array<bool, element_count> takes{};
    for (std::size_t i = 0; i < element_count; ++i)
      takes[i] = !schema_of(static_cast<element>(i)).attributes.empty();
    return takes;
  }();
  return table[static_cast<std::size_t>(e)];
}

void import_context::remember_attributes(pugi::xml_node n) {
  with_attributes_.push_back({n, part, measure});
}

void import_context::forget_attributes(pugi::xml_node n) {
  std::erase_if(with_attributes_, [&](auto& place) { return place.node == n; });
}

void import_context::tell_attributes() {
  auto now_part = std::move(part), now_measure = std::move(measure);
  for (auto& place : with_attributes_) {
    part = place.part;
    measure = place.measure;
    for (auto a : place.node.attributes()) {
      if (std::string_view{a.name()}.starts_with("xmlns")) continue;
      warn(place.node, "MusicXML has no " + std::string{a.name()} + "=\"" + a.value() +
                           "\" here; it is left out");
      report.add(fate::dropped, std::string{place.node.name()} + "/@" + a.name(), part, measure);
    }
  }
  part = std::move(now_part);
  measure = std::move(now_measure);
  with_attributes_.clear();
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

#include "io/musicxml/encoding.hpp"

#include "core/utf8.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>

namespace fermata::io::musicxml {

namespace {

result<std::string> from_utf16(std::string_view bytes, bool big_endian) {
  std::string out;
  out.reserve(bytes.size());
  auto unit = [&](std::size_t i) -> std::uint32_t {
    auto a = static_cast<unsigned char>(bytes[i]), b = static_cast<unsigned char>(bytes[i + 1]);
    return big_endian ? std::uint32_t{a} << 8 | b : std::uint32_t{b} << 8 | a;
  };
  auto fault = [](std::size_t at) {
    return fail(error{errc::invalid_xml, "invalid UTF-16 at byte " + std::to_string(at),
                      std::nullopt, "save the file as UTF-8"});
  };
  if (bytes.size() % 2 != 0) return fault(bytes.size() - 1);
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    auto code = unit(i);
    if (code >= 0xD800 && code < 0xDC00) {
      if (i + 3 >= bytes.size()) return fault(i);
      auto low = unit(i + 2);
      if (low < 0xDC00 || low > 0xDFFF) return fault(i);
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      i += 2;
    } else if (code >= 0xDC00 && code < 0xE000) {
      return fault(i);
    }
    append_utf8(out, code);
  }
  return out;
}

std::string from_latin1(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 8);
  for (auto c : bytes)
    append_utf8(out, static_cast<unsigned char>(c));
  return out;
}

/// The encoding that the XML declaration names, in lower case; empty when there is none.
std::string declared_encoding(std::string_view text) {
  if (!text.starts_with("<?xml")) return {};
  auto declaration = text.substr(0, std::min(text.find("?>"), std::size_t{1000}));
  auto at = declaration.find("encoding");
  if (at == std::string_view::npos) return {};
  auto open = declaration.find_first_of("\"'", at);
  if (open == std::string_view::npos) return {};
  auto close = declaration.find(declaration[open], open + 1);
  if (close == std::string_view::npos) return {};
  std::string name{declaration.substr(open + 1, close - open - 1)};
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

bool one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

result<utf8_document> as_utf8(std::string_view bytes) {
  utf8_document doc;
  auto convert = [&](result<std::string> converted) -> result<utf8_document> {
    if (!converted) return fail(std::move(converted.error()));
    doc.converted = std::move(*converted);
    doc.text = doc.converted;
    return std::move(doc);
  };
  if (bytes.starts_with("\xFF\xFE")) return convert(from_utf16(bytes.substr(2), false));
  if (bytes.starts_with("\xFE\xFF")) return convert(from_utf16(bytes.substr(2), true));
  if (bytes.starts_with(std::string_view{"<\0?\0", 4})) return convert(from_utf16(bytes, false));
  if (bytes.starts_with(std::string_view{"\0<\0?", 4})) return convert(from_utf16(bytes, true));
  auto marked = bytes.starts_with("\xEF\xBB\xBF");
  if (marked) bytes.remove_prefix(3);
  auto declared = marked ? std::string{} : declared_encoding(bytes);
  if (one_of(declared, {"iso-8859-1", "iso_8859-1", "latin1", "latin-1", "iso8859-1", "l1"}))
    return convert(from_latin1(bytes));
  auto invalid = find_invalid_utf8(bytes);
  if (one_of(declared, {"", "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf16"})) {
    // A file that names UTF-16 but is not was converted by a tool that left the declaration.
    if (invalid != std::string_view::npos) {
      doc.warning =
          "invalid UTF-8 at byte " + std::to_string(invalid) + "; reading it as ISO-8859-1";
      return convert(from_latin1(bytes));
    }
    doc.text = bytes;
    return doc;
  }
  // Other encodings agree with ASCII, so a file without other characters reads the same.
  if (std::all_of(bytes.begin(), bytes.end(), [](unsigned char c) { return c < 0x80; })) {
    doc.text = bytes;
    return doc;
  }
  return fail(error{errc::invalid_xml, "the encoding \"" + declared + "\" is not read",
                    std::nullopt, "save the file as UTF-8"});
}

}  // namespace fermata::io::musicxml

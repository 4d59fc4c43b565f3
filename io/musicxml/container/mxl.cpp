#include "io/musicxml/container/mxl.hpp"

#include <pugixml.hpp>
#include <zip.h>

#include <memory>

namespace fermata::io::musicxml {

namespace {

struct zip_closer {
  void operator()(zip_t* z) const { zip_discard(z); }
  void operator()(zip_file_t* f) const { zip_fclose(f); }
};
using archive = std::unique_ptr<zip_t, zip_closer>;
using member = std::unique_ptr<zip_file_t, zip_closer>;

/// More members than any music needs.
constexpr zip_int64_t most_members = 10'000;
constexpr std::size_t largest_container = 1 << 20;

tl::unexpected<error> bad_archive(std::string reason) {
  return fail(error{errc::invalid_musicxml, "compressed MusicXML: " + std::move(reason),
                    std::nullopt, "unzip the file to see what it contains"});
}

result<archive> open_archive(std::string_view bytes) {
  zip_error_t fault;
  zip_error_init(&fault);
  auto* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &fault);
  auto* z = source ? zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &fault) : nullptr;
  if (!z) {
    std::string reason = zip_error_strerror(&fault);
    if (source) zip_source_free(source);
    zip_error_fini(&fault);
    return bad_archive("the archive is damaged (" + reason + ")");
  }
  zip_error_fini(&fault);
  return archive{z};
}

result<std::string> read_member(zip_t* z, const std::string& name, std::size_t limit) {
  member f{zip_fopen(z, name.c_str(), 0)};
  if (!f)
    return bad_archive("it has no member \"" + name + "\" that can be read (" + zip_strerror(z) +
                       ")");
  std::string out;
  char buffer[1 << 16];
  for (;;) {
    auto n = zip_fread(f.get(), buffer, sizeof buffer);
    if (n < 0) return bad_archive("the member \"" + name + "\" is damaged");
    if (n == 0) return out;
    if (out.size() + static_cast<std::size_t>(n) > limit)
      return fail(error{errc::input_too_large, "compressed MusicXML: \"" + name +
                                                   "\" unpacks to more than " +
                                                   std::to_string(limit) + " bytes"});
    out.append(buffer, static_cast<std::size_t>(n));
  }
}

/// The path of the first root file, as the specification of .mxl says; empty when none is named.
std::string root_file(const std::string& container) {
  pugi::xml_document doc;
  if (!doc.load_buffer(container.data(), container.size())) return {};
  auto files = doc.child("container").child("rootfiles");
  return files.child("rootfile").attribute("full-path").value();
}

bool looks_like_score(std::string_view name) {
  return !name.starts_with("META-INF/") && !name.starts_with("__MACOSX/") &&
         (name.ends_with(".xml") || name.ends_with(".musicxml"));
}

}  // namespace

bool is_zip(std::string_view bytes) { return bytes.starts_with("PK\x03\x04"); }

result<std::string> unpack_mxl(std::string_view bytes, std::size_t limit) {
  auto z = open_archive(bytes);
  if (!z) return fail(std::move(z.error()));
  auto count = zip_get_num_entries(z->get(), 0);
  if (count > most_members) return bad_archive("it has " + std::to_string(count) + " members");
  if (zip_name_locate(z->get(), "META-INF/container.xml", 0) >= 0) {
    auto container = read_member(z->get(), "META-INF/container.xml", largest_container);
    if (!container) return container;
    auto path = root_file(*container);
    if (path.empty()) return bad_archive("META-INF/container.xml names no score");
    return read_member(z->get(), path, limit);
  }
  std::string only;
  for (zip_int64_t i = 0; i < count; ++i) {
    auto* name = zip_get_name(z->get(), static_cast<zip_uint64_t>(i), 0);
    if (!name || !looks_like_score(name)) continue;
    if (!only.empty()) return bad_archive("it has no META-INF/container.xml and several scores");
    only = name;
  }
  if (only.empty()) return bad_archive("it has neither META-INF/container.xml nor a score");
  return read_member(z->get(), only, limit);
}

result<std::string> pack_mxl(std::string_view xml) {
  static constexpr std::string_view mimetype = "application/vnd.recordare.musicxml";
  static constexpr std::string_view container =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<container>\n"
      "  <rootfiles>\n"
      "    <rootfile full-path=\"score.musicxml\" "
      "media-type=\"application/vnd.recordare.musicxml+xml\"/>\n"
      "  </rootfiles>\n"
      "</container>\n";
  zip_error_t fault;
  zip_error_init(&fault);
  auto failed = [&](zip_source_t* source) {
    std::string reason = zip_error_strerror(&fault);
    if (source) zip_source_free(source);
    zip_error_fini(&fault);
    return fail(error{errc::internal, "compressed MusicXML cannot be written (" + reason + ")"});
  };
  auto* source = zip_source_buffer_create(nullptr, 0, 0, &fault);
  if (!source) return failed(nullptr);
  auto* z = zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &fault);
  if (!z) return failed(source);
  zip_source_keep(source);  // outlives the archive: the bytes are read from it afterwards
  archive holder{z};
  auto add = [&](const char* name, std::string_view bytes, bool compress) {
    auto* content = zip_source_buffer(z, bytes.data(), bytes.size(), 0);
    auto index = content ? zip_file_add(z, name, content, ZIP_FL_ENC_UTF_8) : -1;
    if (index < 0) {
      if (content) zip_source_free(content);
      return false;
    }
    auto i = static_cast<zip_uint64_t>(index);
    // The same score gives the same bytes: no clock in the archive (1 January 1980).
    zip_file_set_dostime(z, i, 0, 0x21, 0);
    return zip_set_file_compression(z, i, compress ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0) == 0;
  };
  if (!add("mimetype", mimetype, false) || !add("META-INF/container.xml", container, true) ||
      !add("score.musicxml", xml, true))
    return failed(source);
  if (zip_close(z) < 0) return failed(source);
  (void)holder.release();
  std::string out;
  zip_stat_t stat;
  if (zip_source_stat(source, &stat) < 0 || zip_source_open(source) < 0) return failed(source);
  out.resize(stat.size);
  auto read = zip_source_read(source, out.data(), out.size());
  zip_source_close(source);
  zip_source_free(source);
  zip_error_fini(&fault);
  if (read < 0 || static_cast<std::size_t>(read) != out.size())
    return fail(error{errc::internal, "compressed MusicXML cannot be read back"});
  return out;
}

}  // namespace fermata::io::musicxml

#include "io/store/session_list.hpp"

namespace fermata::io {

namespace {

session_on_disk look_at(const std::filesystem::path& folder, detail_level how) {
  session_on_disk found;
  found.folder = folder;
  auto& s = found.summary;
  // Where meta.json is damaged, the journal may be sound.
  s.meta.slug = s.meta.name = folder.filename().string();
  if (how == detail_level::names) {
    if (auto meta = read_meta(folder)) s.meta = std::move(*meta);
  } else if (auto summary = read_summary(folder)) {
    s = std::move(*summary);
  } else {
    found.is_readable = false;
  }
  if (how == detail_level::sizes) found.bytes = bytes_in(folder);
  return found;
}

std::vector<session_on_disk> look_at_all(const std::filesystem::path& above,
                                         const std::vector<std::string>& slugs, detail_level how) {
  std::vector<session_on_disk> all;
  all.reserve(slugs.size());
  for (auto& slug : slugs)
    all.push_back(look_at(above / slug, how));
  return all;
}

}  // namespace

std::vector<session_on_disk> sessions_on_disk(const std::filesystem::path& home, detail_level how,
                                              const wanted_slugs& is_wanted) {
  return look_at_all(home / "sessions", stored_sessions(home, is_wanted), how);
}

std::vector<session_on_disk> archived_on_disk(const std::filesystem::path& home, detail_level how) {
  return look_at_all(archive_folder(home), archived_sessions(home), how);
}

}  // namespace fermata::io

#include "apps/fermata/prompt/loading_notice.hpp"

#include "core/session/timeline/slug.hpp"
#include "io/store/home.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <system_error>

namespace fermata::app {

std::string loading_notice(const std::filesystem::path& home, const std::string& session) {
  constexpr std::uintmax_t short_one = 1'000'000, megabyte = 1'000'000;
  auto slug = session.empty() ? io::active_session(home) : slug_of(session);
  auto folder = io::session_folder(home, slug);
  if (!folder) return {};
  std::error_code failed;
  auto size = std::filesystem::file_size(*folder / "history.jsonl", failed);
  if (failed || size < short_one) return {};
  return fmt::format("Opening {}: loading its timeline ({} MB) from disk ...", slug,
                     size / megabyte);
}

}  // namespace fermata::app

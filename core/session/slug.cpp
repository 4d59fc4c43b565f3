#include "core/session/slug.hpp"

namespace fermata {

namespace {

constexpr std::size_t longest_slug = 64;

}  // namespace

std::string slug_of(std::string_view name) {
  std::string slug;
  for (char c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      slug += c;
    else if (!slug.empty() && slug.back() != '-')
      slug += '-';
  }
  if (slug.size() > longest_slug) slug.resize(longest_slug);
  while (!slug.empty() && slug.back() == '-')
    slug.pop_back();
  return slug;
}

std::string unique_slug(std::string_view name,
                        const std::function<bool(const std::string&)>& taken) {
  auto base = slug_of(name);
  auto unnamed = base.empty();
  if (unnamed)
    base = "session";
  else if (!taken(base))
    return base;
  for (int n = unnamed ? 1 : 2;; ++n)
    if (auto slug = base + '-' + std::to_string(n); !taken(slug)) return slug;
}

}  // namespace fermata

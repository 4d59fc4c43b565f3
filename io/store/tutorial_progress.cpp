#include "io/store/tutorial_progress.hpp"

#include "core/session/timeline/slug.hpp"
#include "io/json/object_reader.hpp"
#include "io/store/text_file.hpp"

#include <boost/json.hpp>

namespace fermata::io {

namespace {

constexpr auto place_file = "tutorial.json";
constexpr auto place_format = "fermata-tutorial";

}  // namespace

tutorial_place read_tutorial_place(const std::filesystem::path& home) {
  auto text = read_file(home / place_file);
  if (!text) return {};
  boost::json::error_code failed;
  auto v = boost::json::parse({text->data(), text->size()}, failed);
  auto o = failed ? nullptr : v.if_object();
  if (!o) return {};
  object_reader r{*o};
  auto step = r.or_else<std::int64_t>("step", 1);
  auto from = r.or_else<std::string>("from");
  if (!r.good()) return {};
  // What is no id names no session.
  if (slug_of(from) != from) from.clear();
  return {step > 1 ? static_cast<std::size_t>(step - 1) : 0, std::move(from)};
}

result<void> remember_tutorial_place(const std::filesystem::path& home,
                                     const tutorial_place& place) {
  if (auto made = make_private_folder(home); !made) return made;
  boost::json::object o{{"format", place_format}, {"version", 1}, {"step", place.step + 1}};
  if (!place.from.empty()) o["from"] = place.from;
  return replace_text(home / place_file, boost::json::serialize(o) + '\n');
}

}  // namespace fermata::io

#include "midi/sound/device_choice.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace fermata::midi {

namespace {

std::string in_lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

sound_result<device> chosen_device(const std::vector<device>& all, const std::string& word) {
  auto unknown = [&](std::string message) {
    std::vector<std::string_view> names;
    for (auto& d : all) {
      names.push_back(d.id);
      names.push_back(d.name);
    }
    auto like = nearest(word, names);
    return tl::unexpected(sound_failure{sound_failure::kind_t::no_device, std::move(message),
                                        like ? "Did you mean `" + *like + "`?" : std::string{}});
  };
  if (word.empty()) {
    // The virtual port is heard only if the user connects it.
    auto first = std::find_if(all.begin(), all.end(), [](auto& d) { return d.id != virtual_id; });
    if (first != all.end()) return *first;
    return unknown("no synthesizer and no MIDI ports");
  }
  auto wanted = in_lower_case(word);
  for (auto& d : all)
    if (d.id == word || in_lower_case(d.name) == wanted) return d;
  std::vector<const device*> found;
  for (auto& d : all)
    if (in_lower_case(d.name).find(wanted) != std::string::npos ||
        in_lower_case(d.id).find(wanted) != std::string::npos)
      found.push_back(&d);
  if (found.size() == 1) return *found.front();
  return unknown(found.empty() ? "unknown device `" + word + "`"
                               : "ambiguous device name `" + word + "`");
}

}  // namespace fermata::midi

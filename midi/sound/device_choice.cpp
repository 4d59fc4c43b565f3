#include "midi/sound/device_choice.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace fermata::midi {

namespace {

std::string in_lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Bridges change blanks and signs of the names of clients.
std::string letters_and_digits(const std::string& text) {
  std::string plain;
  for (auto c : in_lower_case(text))
    if (std::isalnum(static_cast<unsigned char>(c))) plain += c;
  return plain;
}

/// The client of an ALSA port: "alsa:Keystation:Keystation MIDI 1".
std::string client_of(const device& d) {
  auto begin = d.id.find(':') + 1;
  return letters_and_digits(d.id.substr(begin, d.id.find(':', begin) - begin));
}

}  // namespace

std::vector<device> all_inputs(const std::vector<device>& inputs) {
  std::vector<device> wanted;
  for (auto& d : inputs) {
    if (d.id == virtual_id || letters_and_digits(d.id).find("midithrough") != std::string::npos)
      continue;
    auto is_same = [&](const device& other) {
      if (other.id == d.id) return true;
      if (!d.id.starts_with("alsa:") || !other.id.starts_with("jack:")) return false;
      auto client = client_of(d);
      return !client.empty() &&
             letters_and_digits(other.id + other.name).find(client) != std::string::npos;
    };
    // Those of JACK are listed first.
    if (std::none_of(wanted.begin(), wanted.end(), is_same)) wanted.push_back(d);
  }
  return wanted;
}

std::optional<device> device_by_full_id(const std::string& word) {
  if (word.empty() || word == synth_id) return synth_device();
  for (auto [prefix, system] : {std::pair{"jack:", "JACK"}, std::pair{"alsa:", "ALSA"}})
    if (word.starts_with(prefix)) return device{word, word.substr(word.find(':') + 1), system};
  return std::nullopt;
}

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

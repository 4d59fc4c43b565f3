#include "midi/ports/alsa_names.hpp"

#include <set>
#include <utility>

namespace fermata::midi {

std::string stable_alsa_name(std::string name) {
  auto blank = name.rfind(' ');
  if (blank == name.npos) return name;
  auto numbers = name.substr(blank + 1);
  if (numbers.find_first_not_of("0123456789:") == numbers.npos) name.resize(blank);
  return name;
}

std::vector<alsa_listed_port> alsa_names::of(const std::vector<std::string>& full_names) {
  std::map<std::string, std::string> present;
  std::set<std::string> taken;
  for (auto& full : full_names)
    if (auto known = ids_.find(full); known != ids_.end()) {
      present.insert(*known);
      taken.insert(known->second);
    }
  std::vector<alsa_listed_port> ports;
  for (auto& full : full_names) {
    auto name = stable_alsa_name(full);
    if (name.empty() || name.starts_with("Fermata:")) continue;
    auto& id = present[full];
    if (id.empty()) {
      id = name;
      for (int number = 2; !taken.insert(id).second; ++number)
        id = name + " (" + std::to_string(number) + ")";
    }
    auto colon = id.find(':');
    ports.push_back({full, {"alsa:" + id, colon == id.npos ? id : id.substr(colon + 1), "ALSA"}});
  }
  ids_ = std::move(present);
  return ports;
}

}  // namespace fermata::midi

#include "midi/synth/soundfont.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace fermata::midi {

namespace {

/// In order of preference: the better ones before the small one. The .sf3 ones are last, as they are
/// compressed: with one of 40 MB, two seconds pass before the
/// first sound, and 0.03 with the small .sf2.
constexpr std::array<const char*, 7> places = {
    "/usr/share/sounds/sf2/default-GM.sf2",  // an alternative of Debian
    "/usr/share/soundfonts/default.sf2",
    "/usr/share/sounds/sf2/FluidR3_GM.sf2",
    "/usr/share/sounds/sf2/TimGM6mb.sf2",
    "/usr/share/sounds/sf3/default-GM.sf3",
    "/usr/share/sounds/sf3/MuseScore_General.sf3",
    "/usr/share/sounds/sf3/MuseScore_General_Lite.sf3",
};

/// A RIFF file of the kind "sfbk" (SoundFont Technical Specification 2.04, section 4); FluidSynth
/// says less of what it does not like.
bool is_soundfont(const std::string& file) {
  std::array<char, 12> head{};
  std::ifstream in{file, std::ios::binary};
  if (!in.read(head.data(), head.size())) return false;
  std::string_view text{head.data(), head.size()};
  return text.substr(0, 4) == "RIFF" && text.substr(8) == "sfbk";
}

sound_result<std::string> wanted_one(const std::string& file, std::string_view said_by) {
  std::error_code unknown;
  if (!std::filesystem::exists(file, unknown))
    return tl::unexpected(sound_failure{sound_failure::kind_t::no_soundfont,
                                        "there is no soundfont " + file,
                                        "Correct " + std::string{said_by} + "."});
  if (!is_soundfont(file))
    return tl::unexpected(sound_failure{sound_failure::kind_t::no_soundfont,
                                        file + " is not a soundfont (.sf2 or .sf3)",
                                        "Correct " + std::string{said_by} + "."});
  return file;
}

}  // namespace

sound_result<std::string> soundfont_in_use(const std::string& wanted) {
  if (!wanted.empty()) return wanted_one(wanted, "the name of the soundfont");
  // The program never sets it.
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  if (auto set = std::getenv("FERMATA_SOUNDFONT"); set && *set)
    return wanted_one(set, "the environment variable FERMATA_SOUNDFONT");
  for (auto file : places)
    if (is_soundfont(file)) return file;
  return tl::unexpected(
      sound_failure{sound_failure::kind_t::no_soundfont, "no soundfont is installed",
                    "Install the package timgm6mb-soundfont or fluid-soundfont-gm."});
}

}  // namespace fermata::midi

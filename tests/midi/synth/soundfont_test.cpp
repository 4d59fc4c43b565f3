#include "midi/synth/soundfont.hpp"

#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace fermata::midi::soundfont_test {

namespace {

/// The beginning of a soundfont (SoundFont Technical Specification 2.04, section 4).
std::string font(const std::filesystem::path& file) {
  std::ofstream{file, std::ios::binary} << std::string{"RIFF\4\0\0\0sfbk", 12};
  return file.string();
}

struct no_environment {
  no_environment() { ::unsetenv("FERMATA_SOUNDFONT"); }
  ~no_environment() { ::unsetenv("FERMATA_SOUNDFONT"); }
};

}  // namespace

TEST_CASE("the soundfont that is asked for comes before that of the environment, and both before "
          "others") {
  no_environment restored;
  temporary_folder folder;
  auto a = font(folder.path() / "a.sf2"), b = font(folder.path() / "b.sf3");
  auto installed = soundfont_in_use({});
  REQUIRE(installed);  // package timgm6mb-soundfont
  CHECK(*installed != b);
  ::setenv("FERMATA_SOUNDFONT", b.c_str(), 1);
  CHECK(soundfont_in_use({}) == b);
  CHECK(soundfont_in_use(a) == a);
  ::setenv("FERMATA_SOUNDFONT", "", 1);
  CHECK(soundfont_in_use({}) == *installed);
}

TEST_CASE("a soundfont that was named is used or refused, never replaced by another one") {
  no_environment restored;
  temporary_folder folder;
  auto text = (folder.path() / "text.sf2").string();
  std::ofstream{text} << "not a soundfont";
  auto wave = (folder.path() / "wave.sf2").string();
  std::ofstream{wave, std::ios::binary} << std::string{"RIFF\4\0\0\0WAVE", 12};
  auto empty = (folder.path() / "empty.sf2").string();
  std::ofstream{empty} << "";
  auto missing = (folder.path() / "missing.sf2").string();
  for (auto& file : {text, wave, empty, missing, folder.path().string()}) {
    INFO(file);
    auto found = soundfont_in_use(file);
    REQUIRE_FALSE(found);
    CHECK(found.error().kind == sound_failure::kind_t::no_soundfont);
    CHECK(found.error().message.find(file) != std::string::npos);
    CHECK(found.error().advice == "Correct the name of the soundfont.");
    ::setenv("FERMATA_SOUNDFONT", file.c_str(), 1);
    found = soundfont_in_use({});
    REQUIRE_FALSE(found);
    CHECK(found.error().advice.find("FERMATA_SOUNDFONT") != std::string::npos);
    ::unsetenv("FERMATA_SOUNDFONT");
  }
}

}  // namespace fermata::midi::soundfont_test

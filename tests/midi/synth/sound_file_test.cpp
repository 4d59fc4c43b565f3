#include "midi/synth/sound_file.hpp"

#include "midi/synth/soundfont.hpp"

#include <catch2/catch.hpp>
#include <sndfile.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

namespace fermata::midi::sound_file_test {

using namespace std::chrono_literals;

namespace {

struct folder {
  std::filesystem::path path;
  folder()
    : path(std::filesystem::temp_directory_path() /
           ("fermata-sound-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path);
  }
  ~folder() { std::filesystem::remove_all(path); }
  std::string file(const char* name) const { return (path / name).string(); }
};

rendered_message message(std::chrono::nanoseconds at, std::vector<std::uint8_t> bytes,
                         std::uint8_t group = 0) {
  rendered_message m;
  m.time = at;
  m.group = group;
  m.size = static_cast<std::uint8_t>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), m.bytes);
  return m;
}

/// One note of a second on a flute, whose tone is nearly a sine.
render_job flute(const std::string& file, std::uint8_t key) {
  render_job job;
  job.file = file;
  job.end = 1s;
  // The one that the packages of the tests have, whatever else is installed.
  job.synth.soundfont = "/usr/share/sounds/sf2/TimGM6mb.sf2";
  job.messages = {message(0s, {0xC0, 73}), message(0s, {0x90, key, 100}),
                  message(1s, {0x80, key, 64})};
  return job;
}

struct sound {
  SF_INFO info{};
  std::vector<float> left;
};

sound read(const std::string& file) {
  sound s;
  auto in = sf_open(file.c_str(), SFM_READ, &s.info);
  REQUIRE(in);
  std::vector<float> all(static_cast<std::size_t>(s.info.frames) * 2);
  CHECK(sf_readf_float(in, all.data(), s.info.frames) == s.info.frames);
  sf_close(in);
  for (std::size_t i = 0; i < all.size(); i += 2)
    s.left.push_back(all[i]);
  return s;
}

/// Power at one frequency (G. Goertzel, "An Algorithm for the Evaluation of Finite Trigonometric
/// Series", 1958), in decibels.
double power(const std::vector<float>& samples, double frequency, int rate) {
  auto w = 2 * std::numbers::pi * frequency / rate;
  double before = 0, now = 0;
  for (auto x : samples) {
    auto next = static_cast<double>(x) + 2 * std::cos(w) * now - before;
    before = now;
    now = next;
  }
  auto p = now * now + before * before - 2 * std::cos(w) * now * before;
  return 10 * std::log10(p + 1e-20);
}

/// Equal temperament, A4 = 440 Hz.
double frequency_of(double key) { return 440 * std::pow(2, (key - 69) / 12); }

}  // namespace

TEST_CASE("a rendered note has its pitch, and not that of its neighbours") {
  folder f;
  for (std::uint8_t key : {60, 66, 69, 76, 84}) {
    auto file = f.file("note.wav");
    auto done = render_to_file(flute(file, key));
    REQUIRE(done);
    auto s = read(file);
    CHECK(s.info.samplerate == 48'000);
    CHECK(s.info.channels == 2);
    CHECK(s.info.frames == done->frames);
    std::vector<float> middle(s.left.begin() + 12'000, s.left.begin() + 36'000);
    auto wanted = power(middle, frequency_of(key), 48'000);
    INFO("key " << int{key});
    CHECK(wanted > power(middle, frequency_of(key - 1), 48'000) + 10);
    CHECK(wanted > power(middle, frequency_of(key + 1), 48'000) + 10);
  }
}

TEST_CASE("a note begins when it is due, and the file ends after its last sound") {
  folder f;
  auto job = flute(f.file("late.wav"), 72);
  for (auto& m : job.messages)
    if (m.size == 3) m.time += 1s;
  job.end = 2s;
  REQUIRE(render_to_file(job));
  auto s = read(job.file);
  auto loud = [&](std::size_t from, std::size_t to) {
    float peak = 0;
    for (auto i = from; i < to; ++i)
      peak = std::max(peak, std::abs(s.left[i]));
    return peak;
  };
  // FluidSynth begins notes at multiples of 64 frames.
  CHECK(loud(0, 48'000 - 64) < 0.001F);
  CHECK(loud(48'000, 52'800) > 0.005F);
  REQUIRE(s.left.size() >= 96'000);
  CHECK(s.left.size() < 12U * 48'000);
  CHECK(std::abs(s.left.back()) < 0.001F);
}

TEST_CASE("groups of channels have programs of their own") {
  folder f;
  auto job = flute(f.file("groups.flac"), 69);
  job.groups = 2;
  for (auto& m : job.messages)
    m.group = 1;
  // A drum in the first group only: the second one's channel 1 is a flute.
  REQUIRE(render_to_file(job));
  auto s = read(job.file);
  CHECK((s.info.format & SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC);
  std::vector<float> middle(s.left.begin() + 12'000, s.left.begin() + 36'000);
  CHECK(power(middle, 440, 48'000) > power(middle, frequency_of(70), 48'000) + 10);
}

TEST_CASE("the same job gives the same samples") {
  folder f;
  REQUIRE(render_to_file(flute(f.file("a.wav"), 64)));
  REQUIRE(render_to_file(flute(f.file("b.wav"), 64)));
  CHECK(read(f.file("a.wav")).left == read(f.file("b.wav")).left);
}

TEST_CASE("music that is too loud is made softer as a whole") {
  folder f;
  auto job = flute(f.file("loud.wav"), 60);
  job.synth.gain = 10;
  for (std::uint8_t key = 62; key < 72; ++key)
    job.messages.insert(job.messages.begin() + 1, message(0s, {0x90, key, 127}));
  auto done = render_to_file(job);
  REQUIRE(done);
  CHECK(done->peak > 1);
  auto s = read(job.file);
  auto at_limit =
      std::count_if(s.left.begin(), s.left.end(), [](float x) { return std::abs(x) >= 0.9999F; });
  CHECK(at_limit < 8);  // a clipped wave would stay there
}

TEST_CASE("a refused job leaves no file, and an old one as it was") {
  folder f;
  auto old = f.file("old.wav");
  std::ofstream{old} << "precious";
  auto kept = [&] {
    std::ifstream in{old};
    return std::string{std::istreambuf_iterator<char>{in}, {}} == "precious" &&
           std::distance(std::filesystem::directory_iterator{f.path}, {}) == 1;
  };
  std::atomic<bool> cancelled{true};
  auto job = flute(old, 60);
  job.cancelled = &cancelled;
  auto stopped = render_to_file(job);
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == sound_failure::kind_t::interrupted);
  CHECK(kept());

  job.cancelled = nullptr;
  job.synth.soundfont = old;
  auto no_font = render_to_file(job);
  REQUIRE_FALSE(no_font);
  CHECK(no_font.error().kind == sound_failure::kind_t::no_soundfont);
  CHECK(no_font.error().message.find("is not a soundfont") != std::string::npos);
  CHECK(kept());

  job.synth.soundfont = f.file("missing.sf2");
  CHECK(render_to_file(job).error().message.find("there is no soundfont") != std::string::npos);
  job.synth.soundfont.clear();
  job.file = f.file("song.mp3");
  CHECK(render_to_file(job).error().advice == "Use .wav, .flac or .ogg.");
  job.file = f.file("nowhere/song.wav");
  CHECK(render_to_file(job).error().message.find("No such file or directory") != std::string::npos);
  CHECK(kept());
}

}  // namespace fermata::midi::sound_file_test

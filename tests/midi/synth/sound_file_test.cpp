#include "midi/synth/sound_file.hpp"

#include "tests/midi/synth/heard.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace fermata::midi::sound_file_test {

using namespace fermata::midi::synth_testing;
using namespace std::chrono_literals;

namespace {

struct folder : temporary_folder {
  std::string file(const char* name) const { return (path() / name).string(); }
  auto files() const { return std::distance(std::filesystem::directory_iterator{path()}, {}); }
};

/// Programs of General MIDI, from 0. The ocarina has nearly a sine as its tone and no vibrato; the
/// woodblock begins within 16 frames and is silent after a tenth of a second.
constexpr std::uint8_t piano = 0, ocarina = 79, woodblock = 115;

/// Of the package timgm6mb-soundfont: what is heard is measured, and other soundfonts sound
/// otherwise.
constexpr auto known_soundfont = "/usr/share/sounds/sf2/TimGM6mb.sf2";

/// One note of a second.
render_job note_of(std::uint8_t program, const std::string& file, std::uint8_t key = 69) {
  render_job job;
  job.synth.soundfont = known_soundfont;
  job.file = file;
  job.end = 1s;
  job.messages = {message(0s, {0xC0, program}), message(0s, {0x90, key, 100}),
                  message(1s, {0x80, key, 64})};
  return job;
}

sound rendered(const render_job& job) {
  auto done = render_to_file(job);
  REQUIRE(done);
  auto s = read_sound(job.file);
  CHECK(s.info.channels == 2);
  CHECK(s.info.samplerate == job.sample_rate);
  CHECK(s.info.frames == done->frames);
  return s;
}

constexpr float silence = 0.0005F;

}  // namespace

TEST_CASE("a rendered note has its pitch, and not that of its neighbours") {
  folder f;
  for (std::uint8_t key : {48, 60, 66, 69, 76, 84}) {
    INFO("key " << int{key});
    auto s = rendered(note_of(ocarina, f.file("note.wav"), key));
    CHECK(margin_of_key(s.part(250, 750), key) > sounds);
  }
}

TEST_CASE("the pitch does not depend on the sample rate") {
  folder f;
  for (int rate : {8'000, 22'050, 44'100, 96'000}) {
    INFO(rate << " Hz");
    auto job = note_of(ocarina, f.file("note.wav"));
    job.sample_rate = rate;
    CHECK(margin_of_key(rendered(job).part(250, 750), 69, rate) > sounds);
  }
}

TEST_CASE("a note begins when it is due, to 64 frames") {
  folder f;
  for (auto at : {0ns, 1ns, 333'333'333ns, 999'999'999ns, 1'000'000'000ns}) {
    INFO(at.count() << " ns");
    auto job = note_of(woodblock, f.file("late.wav"), 60);
    job.messages[1].time = at;
    job.messages[2].time = job.end = 2s;
    auto s = rendered(job);
    auto begun =
        std::find_if(s.left.begin(), s.left.end(), [](float x) { return std::abs(x) > silence; });
    auto due = static_cast<double>(at.count()) * 48'000 / 1e9;
    auto onset = static_cast<double>(begun - s.left.begin());
    // FluidSynth begins notes at multiples of 64 frames.
    CHECK(onset > due - 64);
    CHECK(onset < due + 64 + 48);
  }
}

TEST_CASE("a file ends with the last sound") {
  folder f;
  SECTION("at once where nothing sounds") {
    render_job job;
    job.file = f.file("rest.wav");
    job.end = 2s;
    auto s = rendered(job);
    CHECK(s.left.size() == 96'000);           // 1500 blocks of 64 frames
    CHECK(peak_of(s.left) <= 1.0F / 32'768);  // the reverb rounds to the smallest step
  }
  SECTION("after the release of the last note") {
    auto s = rendered(note_of(ocarina, f.file("note.wav")));
    CHECK(s.left.size() > 48'000);
    CHECK(s.left.size() < 96'000);
    CHECK(peak_of(s.part(900, 1'000)) > 0.01F);
    CHECK(std::abs(s.left.back()) < 0.001F);
  }
  SECTION("after ten seconds if a note does not end at all") {
    auto job = note_of(ocarina, f.file("held.wav"));
    job.messages.pop_back();
    CHECK(rendered(job).left.size() == 48'000 * 11);
  }
}

TEST_CASE("the damper pedal holds notes until it is lifted") {
  folder f;
  auto played = [&](bool pedal, std::chrono::nanoseconds lifted) {
    auto job = note_of(ocarina, f.file("pedal.wav"));
    job.messages.back().time = 300ms;
    if (pedal) {
      job.messages.insert(job.messages.begin() + 1, message(0s, {0xB0, 64, 127}));
      job.messages.push_back(message(lifted, {0xB0, 64, 0}));
    }
    job.end = 2s;
    return rendered(job);
  };
  CHECK(margin_of_key(played(true, 2s).part(1'000, 1'900), 69) > sounds);
  auto early = played(true, 1s);
  CHECK(margin_of_key(early.part(500, 1'000), 69) > sounds);
  CHECK(peak_of(early.part(1'700, 1'900)) < silence);
  CHECK(peak_of(played(false, 0s).part(1'000, 1'900)) < silence);
}

TEST_CASE("controllers, bends and programs are heard from their time on") {
  folder f;
  auto job = note_of(ocarina, f.file("changes.wav"));
  job.end = job.messages.back().time = 2s;
  SECTION("volume") {
    job.messages.insert(job.messages.begin() + 2, message(1s, {0xB0, 7, 0}));
    auto s = rendered(job);
    CHECK(margin_of_key(s.part(250, 900), 69) > sounds);
    CHECK(peak_of(s.part(1'400, 1'900)) < silence);
  }
  SECTION("a bend of two semitones, the range at the beginning (General MIDI)") {
    job.messages.insert(job.messages.begin() + 2, message(1s, {0xE0, 0x7F, 0x7F}));
    auto s = rendered(job);
    CHECK(margin_of_key(s.part(250, 900), 69) > sounds);
    CHECK(margin_of_key(s.part(1'200, 1'900), 71) > sounds);
  }
  SECTION("a program, for the next note") {
    job.messages = {message(0s, {0xC0, woodblock}),    message(0s, {0x90, 69, 100}),
                    message(900ms, {0x80, 69, 64}),    message(1s, {0xC0, ocarina}),
                    message(1'001ms, {0x90, 69, 100}), message(2s, {0x80, 69, 64})};
    auto s = rendered(job);
    CHECK(peak_of(s.part(0, 100)) > 0.01F);
    CHECK(peak_of(s.part(700, 900)) < 0.005F);
    CHECK(margin_of_key(s.part(1'200, 1'900), 69) > sounds);
  }
}

TEST_CASE("each group has sixteen channels of its own") {
  folder f;
  auto job = note_of(woodblock, f.file("groups.flac"), 60);
  job.groups = 2;
  SECTION("with programs of their own") {
    job.messages = {message(0s, {0xC0, ocarina}, 1), message(0s, {0xC0, woodblock}, 0),
                    message(0s, {0x90, 69, 100}, 1), message(0s, {0x90, 60, 100}, 0),
                    message(1s, {0x80, 69, 64}, 1)};
    CHECK(margin_of_key(rendered(job).part(250, 900), 69) > sounds);
  }
  SECTION("with volumes of their own") {
    job.messages = {message(0s, {0xC0, ocarina}, 1), message(0s, {0xB0, 7, 0}, 0),
                    message(0s, {0x90, 69, 100}, 1), message(500ms, {0xB0, 120, 0}, 0),
                    message(1s, {0x80, 69, 64}, 1)};
    CHECK(margin_of_key(rendered(job).part(500, 950), 69) > sounds);
  }
  SECTION("the tenth one with drums") {
    // A low tom and a piano's A2 have nothing in common; the same drums are the same.
    auto drum = [&](std::uint8_t group, std::uint8_t channel) {
      auto on = static_cast<std::uint8_t>(0x90 | channel);
      job.messages = {message(0s, {on, 45, 100}, group)};
      return rendered(job).left;
    };
    auto tom = drum(0, 9);
    CHECK(peak_of(tom) > 0.01F);
    CHECK(drum(1, 9) == tom);
    CHECK(drum(0, 0) != tom);
    CHECK(drum(1, 0) == drum(0, 0));
  }
  SECTION("up to the sixteenth") {
    job.groups = 16;
    job.messages = {message(0s, {0xCF, ocarina}, 15), message(0s, {0x9F, 69, 100}, 15)};
    CHECK(margin_of_key(rendered(job).part(250, 900), 69) > sounds);
  }
}

TEST_CASE("the same job gives the same samples") {
  folder f;
  auto first = rendered(note_of(piano, f.file("a.wav"), 64));
  auto second = rendered(note_of(piano, f.file("b.wav"), 64));
  CHECK(first.left == second.left);
}

TEST_CASE("the extension is the format") {
  folder f;
  struct row {
    const char* name;
    int format;
  };
  for (auto [name, format] : {row{"a.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16},
                              row{"a.FLAC", SF_FORMAT_FLAC | SF_FORMAT_PCM_24},
                              row{"a.b.Ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS}}) {
    INFO(name);
    auto s = rendered(note_of(ocarina, f.file(name)));
    CHECK((s.info.format & (SF_FORMAT_TYPEMASK | SF_FORMAT_SUBMASK)) == format);
    CHECK(margin_of_key(s.part(250, 750), 69) > sounds);
  }
}

TEST_CASE("gain is a factor of the samples") {
  folder f;
  auto job = note_of(ocarina, f.file("note.flac"));
  job.synth.gain = 0.2;
  auto soft = render_to_file(job);
  job.synth.gain = 0.4;
  auto loud = render_to_file(job);
  REQUIRE(soft);
  REQUIRE(loud);
  CHECK(loud->peak == Approx(2 * soft->peak).epsilon(0.01));
  job.synth.gain = 0;
  CHECK(render_to_file(job)->peak < silence);
}

TEST_CASE("music that is too loud is made softer as a whole") {
  folder f;
  auto job = note_of(ocarina, f.file("loud.flac"), 60);
  for (std::uint8_t key = 62; key < 72; ++key)
    job.messages.insert(job.messages.begin() + 1, message(0s, {0x90, key, 127}));
  job.synth.gain = 0.1;
  auto soft = rendered(job);
  auto soft_peak = render_to_file(job)->peak;
  REQUIRE(soft_peak < 1);
  job.synth.gain = 10;
  auto loud = rendered(job);
  auto loud_peak = render_to_file(job)->peak;
  REQUIRE(loud_peak > 1);
  // The same wave, a hundred times as large, and then divided by its peak: nothing is flattened.
  REQUIRE(loud.left.size() >= 48'000);
  REQUIRE(soft.left.size() >= 48'000);
  float worst = 0;
  for (std::size_t i = 0; i < 48'000; ++i)
    worst = std::max(worst,
                     std::abs(loud.left[i] - soft.left[i] * static_cast<float>(100 / loud_peak)));
  CHECK(worst < 0.001F);
  CHECK(peak_of(loud.left) <= 1);
}

TEST_CASE("progress goes from the beginning to the end") {
  folder f;
  auto job = note_of(ocarina, f.file("note.wav"));
  std::vector<double> told;
  job.progress = [&](double done) { told.push_back(done); };
  REQUIRE(render_to_file(job));
  REQUIRE(told.size() > 10);
  CHECK(std::is_sorted(told.begin(), told.end()));
  CHECK(told.front() < 0.1);
  CHECK(told.back() == 1);
}

TEST_CASE("a job that is refused or cancelled leaves no file, and an old one as it was") {
  folder f;
  auto old = f.file("old.wav");
  std::ofstream{old} << "precious";
  auto job = note_of(ocarina, old);
  auto error_of = [&] {
    auto done = render_to_file(job);
    REQUIRE_FALSE(done);
    std::ifstream in{old};
    CHECK(std::string{std::istreambuf_iterator<char>{in}, {}} == "precious");
    CHECK(f.files() == 1);
    return done.error();
  };
  auto contains = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };

  SECTION("cancelled") {
    std::atomic<bool> cancelled{true};
    job.cancelled = &cancelled;
    CHECK(error_of().kind == sound_failure::kind_t::interrupted);
    for (double when : {0.1, 0.4, 0.6, 0.9}) {
      cancelled = false;
      double last = 0;
      job.progress = [&](double done) {
        last = done;
        if (done >= when) cancelled = true;
      };
      CHECK(error_of().kind == sound_failure::kind_t::interrupted);
      CHECK(last < when + 0.03);  // one percent on, and not to the end
    }
  }
  SECTION("without a soundfont") {
    job.synth.soundfont = f.file("missing.sf2");
    auto e = error_of();
    CHECK(e.kind == sound_failure::kind_t::no_soundfont);
    CHECK(contains(e.message, "there is no soundfont"));
    job.synth.soundfont = old;
    e = error_of();
    CHECK(e.kind == sound_failure::kind_t::no_soundfont);
    CHECK(contains(e.message, "is not a soundfont"));
  }
  SECTION("with another extension") {
    for (auto name : {"song.mp3", "song", "song.wav.txt", ".wav"}) {
      job.file = f.file(name);
      auto e = error_of();
      CHECK(e.kind == sound_failure::kind_t::file);
      CHECK(e.advice == "Use .wav, .flac or .ogg.");
    }
  }
  SECTION("where there is no folder, or where a folder is") {
    job.file = f.file("nowhere/song.wav");
    CHECK(contains(error_of().message, "No such file or directory"));
    job.file = f.file("old.wav/song.wav");
    CHECK(contains(error_of().message, "Not a directory"));
    temporary_folder other;
    job.file = (other.path() / "folder.wav").string();
    std::filesystem::create_directory(job.file);
    CHECK(contains(error_of().message, "Is a directory"));
    CHECK(std::filesystem::is_empty(job.file));
  }
}

TEST_CASE("an old file is replaced") {
  folder f;
  std::ofstream{f.file("note.wav")} << "old";
  (void)rendered(note_of(ocarina, f.file("note.wav")));
  CHECK(f.files() == 1);
}

}  // namespace fermata::midi::sound_file_test

#include "midi/ports/recording.hpp"

#include "midi/sound/recorder_port.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

namespace fermata::midi {

namespace {

struct file_closer {
  void operator()(std::FILE* f) const noexcept { std::fclose(f); }
};
using file_ptr = std::unique_ptr<std::FILE, file_closer>;

std::string recording_file() {
  // Read when devices are listed and opened; the program never sets it.
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  auto set = std::getenv("FERMATA_MIDI_RECORD");
  return set ? set : "";
}

class recording_port final : public recorder_port {
public:
  explicit recording_port(file_ptr file) : file_(std::move(file)) {}
  ~recording_port() override {
    auto all = messages();
    for (auto& m : all) {
      auto time = std::chrono::nanoseconds{m.due - all.front().due}.count();
      std::fprintf(file_.get(), "%lld %d ", static_cast<long long>(time), m.group);
      for (auto byte : m.bytes)
        std::fprintf(file_.get(), "%02x", byte);
      std::fputc('\n', file_.get());
    }
  }

private:
  file_ptr file_;
};

}  // namespace

std::optional<device> recording_device() {
  if (recording_file().empty()) return std::nullopt;
  return device{memory_id, "Recording in FERMATA_MIDI_RECORD", "memory"};
}

sound_result<std::shared_ptr<output_port>> open_recording() {
  auto name = recording_file();
  if (name.empty())
    return tl::unexpected(sound_failure{sound_failure::kind_t::no_device,
                                        "there is no MIDI device `memory`",
                                        "`fermata devices` lists the devices."});
  file_ptr file{std::fopen(name.c_str(), "we")};
  if (!file)
    return tl::unexpected(sound_failure{sound_failure::kind_t::file,
                                        "cannot write " + name + ": " + std::strerror(errno),
                                        "Correct the path in FERMATA_MIDI_RECORD."});
  return std::make_shared<recording_port>(std::move(file));
}

}  // namespace fermata::midi

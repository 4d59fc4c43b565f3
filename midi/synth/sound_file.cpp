#include "midi/synth/sound_file.hpp"

#include "midi/synth/fluid_engine.hpp"
#include "midi/synth/soundfont.hpp"

#include <fcntl.h>
#include <sndfile.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <future>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace fermata::midi {

namespace {

constexpr std::int64_t longest_tail = 10;  // seconds
constexpr int channels = 2;

/// The sizes in a WAV file have 32 bits; a frame has four bytes, and headers need less than 1000.
constexpr std::int64_t most_wav_frames = (0xFFFF'FFFF - 1'000) / 4;

struct file_format {
  std::string_view extension;
  int format;
};
constexpr std::array<file_format, 3> formats = {{
    {".wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16},
    {".flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_24},
    {".ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS},
}};

tl::unexpected<sound_failure> failed(sound_failure::kind_t kind, std::string message,
                                     std::string advice = {}) {
  return tl::unexpected(sound_failure{kind, std::move(message), std::move(advice)});
}

tl::unexpected<sound_failure> cannot_write(const std::string& file, int reason) {
  return failed(sound_failure::kind_t::file,
                "cannot write " + file + ": " + std::generic_category().message(reason));
}

/// A file beside the wanted one, which takes its place at the end, and is removed otherwise.
class new_file {
public:
  static sound_result<new_file> create(const std::string& file) {
    new_file made;
    made.file_ = file;
    std::error_code unknown;
    if (std::filesystem::is_directory(file, unknown)) return cannot_write(file, EISDIR);
    for (int i = 0; i < 100; ++i) {
      auto name = file + '.' + std::to_string(::getpid()) + '-' + std::to_string(i);
      made.descriptor_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (made.descriptor_ < 0 && errno == EEXIST) continue;
      if (made.descriptor_ < 0) return cannot_write(file, errno);
      made.temporary_ = name;
      return made;
    }
    return cannot_write(file, EEXIST);
  }
  new_file(new_file&& other) noexcept
    : file_(std::move(other.file_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}
  new_file& operator=(new_file&&) = delete;
  ~new_file() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }

  int descriptor() const { return descriptor_; }

  sound_result<void> take_place() {
    if (::fsync(descriptor_) != 0) return cannot_write(file_, errno);
    if (::close(std::exchange(descriptor_, -1)) != 0) return cannot_write(file_, errno);
    if (::rename(temporary_.c_str(), file_.c_str()) != 0) return cannot_write(file_, errno);
    temporary_.clear();
    return {};
  }

private:
  new_file() = default;
  std::string file_, temporary_;
  int descriptor_ = -1;
};

/// The frames of a job, block by block.
class renderer {
public:
  renderer(const render_job& job, fluid_engine& engine) : job_(job), engine_(engine) {
    music_ = frame_of(job.end);
  }

  /// The next block, interleaved; empty: it is over.
  std::span<const float> next() {
    if (frame_ >= music_ + longest_tail * job_.sample_rate) return {};
    if (frame_ >= music_ && next_ == job_.messages.size() && engine_.voices() == 0) return {};
    for (; next_ < job_.messages.size(); ++next_) {
      auto& m = job_.messages[next_];
      if (frame_of(m.time) >= frame_ + fluid_engine::block) break;
      engine_.apply(m.group, {m.bytes, m.size});
    }
    engine_.render(buffer_.data(), buffer_.data() + 1, channels, fluid_engine::block);
    frame_ += fluid_engine::block;
    return buffer_;
  }
  std::int64_t frame() const { return frame_; }
  double done() const {
    return music_ == 0 ? 1
                       : std::min(1.0, static_cast<double>(frame_) / static_cast<double>(music_));
  }

private:
  std::int64_t frame_of(std::chrono::nanoseconds t) const {
    return static_cast<std::int64_t>(
        std::llround(std::chrono::duration<double>(t).count() * job_.sample_rate));
  }

  const render_job& job_;
  fluid_engine& engine_;
  std::int64_t frame_ = 0, music_ = 0;
  std::size_t next_ = 0;
  std::array<float, std::size_t{fluid_engine::block} * channels> buffer_{};
};

bool is_cancelled(const render_job& job) { return job.cancelled && job.cancelled->load(); }

tl::unexpected<sound_failure> interrupted(const render_job& job) {
  return failed(sound_failure::kind_t::interrupted,
                "interrupted; " + job.file + " was not written");
}

/// FluidSynth with the soundfont, which may take seconds: on a thread of its own that is left to
/// itself when the job is cancelled.
sound_result<std::unique_ptr<fluid_engine>> loaded(const render_job& job,
                                                   const std::string& soundfont) {
  std::packaged_task<sound_result<std::unique_ptr<fluid_engine>>()> load{
      [soundfont, rate = job.sample_rate, groups = job.groups, gain = job.synth.gain] {
        return fluid_engine::make(soundfont, rate, groups, gain);
      }};
  auto engine = load.get_future();
  std::thread{std::move(load)}.detach();
  while (engine.wait_for(std::chrono::milliseconds{20}) != std::future_status::ready)
    if (is_cancelled(job)) return interrupted(job);
  return engine.get();
}

/// Calls `use` for each block.
template <class Use>
sound_result<void> for_each_block(const render_job& job, const std::string& soundfont, double from,
                                  double to, Use use) {
  auto engine = loaded(job, soundfont);
  if (!engine) return tl::unexpected(engine.error());
  renderer r{job, **engine};
  int told = -1;
  for (auto block = r.next(); !block.empty(); block = r.next()) {
    if (is_cancelled(job)) return interrupted(job);
    if (auto done = use(block); !done) return done;
    auto percent = static_cast<int>((from + (to - from) * r.done()) * 100);
    if (job.progress && percent != std::exchange(told, percent)) job.progress(percent / 100.0);
  }
  return {};
}

sound_result<int> format_of(const std::string& file) {
  auto extension = std::filesystem::path{file}.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  auto found = std::find_if(formats.begin(), formats.end(),
                            [&](auto& f) { return f.extension == extension; });
  if (found == formats.end())
    return failed(sound_failure::kind_t::file,
                  "cannot tell the sound format of " + file + " by its extension",
                  "Use .wav, .flac or .ogg.");
  return found->format;
}

}  // namespace

sound_result<render_summary> render_to_file(const render_job& job) {
  auto format = format_of(job.file);
  if (!format) return tl::unexpected(format.error());
  auto soundfont = soundfont_in_use(job.synth.soundfont);
  if (!soundfont) return tl::unexpected(soundfont.error());
  auto file = new_file::create(job.file);
  if (!file) return tl::unexpected(file.error());
  render_summary summary;
  summary.soundfont = *soundfont;

  std::int64_t frames = 0;
  // The first time to find the peak: rendering is some twenty times as fast as playing, and storing
  // an hour of samples would take a gigabyte.
  auto measured = for_each_block(job, *soundfont, 0, 0.5, [&](auto block) -> sound_result<void> {
    for (auto sample : block)
      summary.peak = std::max(summary.peak, std::abs(static_cast<double>(sample)));
    frames += static_cast<std::int64_t>(block.size()) / channels;
    return {};
  });
  if (!measured) return tl::unexpected(measured.error());
  if ((*format & SF_FORMAT_TYPEMASK) == SF_FORMAT_WAV && frames > most_wav_frames)
    return failed(sound_failure::kind_t::file, "the music is too long for a .wav file, of 4 GiB",
                  "Write a .flac or .ogg file.");
  auto scale = summary.peak > 1 ? static_cast<float>(1 / summary.peak) : 1.0F;

  SF_INFO info{};
  info.samplerate = job.sample_rate;
  info.channels = channels;
  info.format = *format;
  auto out = sf_open_fd(file->descriptor(), SFM_WRITE, &info, SF_FALSE);
  if (!out)
    return failed(sound_failure::kind_t::file,
                  "cannot write " + job.file + ": " + sf_strerror(nullptr));
  sf_command(out, SFC_SET_CLIPPING, nullptr, SF_TRUE);
  std::vector<float> scaled;
  auto written = for_each_block(job, *soundfont, 0.5, 1, [&](auto block) -> sound_result<void> {
    scaled.assign(block.begin(), block.end());
    for (auto& sample : scaled)
      sample *= scale;
    auto count = static_cast<sf_count_t>(block.size()) / channels;
    if (sf_writef_float(out, scaled.data(), count) != count)
      return failed(sound_failure::kind_t::file,
                    "cannot write " + job.file + ": " + sf_strerror(out));
    summary.frames += count;
    return {};
  });
  auto closed = sf_close(out);
  if (!written) return tl::unexpected(written.error());
  if (closed != 0)
    return failed(sound_failure::kind_t::file,
                  "cannot write " + job.file + ": " + sf_error_number(closed));
  if (auto done = file->take_place(); !done) return tl::unexpected(done.error());
  return summary;
}

}  // namespace fermata::midi

#include "apps/fermata/commands/sound_commands.hpp"

#include "apps/fermata/commands/commands.hpp"
#include "apps/fermata/commands/score_input.hpp"
#include "core/session/timeline/score_text.hpp"
#include "io/config/config_file.hpp"
#include "io/formats/midi_format.hpp"
#include "io/store/home.hpp"
#include "io/terminal/signals.hpp"
#include "midi/sound/sound_library.hpp"
#include "midi/transport/plan_of_file.hpp"
#include "midi/transport/rendered_messages.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace fermata::app {

void complain(const midi::sound_failure& failure) {
  std::fprintf(stderr, "fermata: %s\n", failure.message.c_str());
  if (!failure.advice.empty()) std::fprintf(stderr, "  %s\n", failure.advice.c_str());
}

void complain_about_config() {
  for (auto& p : io::read_config(io::config_path(io::fermata_home())).problems)
    std::fprintf(stderr, "fermata: %s\n", p.c_str());
}

std::string sound_setting(std::string_view name) {
  auto value =
      effective_setting(name, {}, io::read_config(io::config_path(io::fermata_home())).values);
  return value == "auto" ? std::string{} : value;
}

midi::synth_settings synth_of(const std::string& soundfont, std::optional<double> gain) {
  midi::synth_settings synth;
  synth.soundfont = soundfont.empty() ? sound_setting("soundfont") : soundfont;
  synth.audio_output = sound_setting("audio-output");
  synth.gain = gain ? *gain : std::atoi(sound_setting("playback-gain").c_str()) / 100.0;
  return synth;
}

result<std::vector<bool>> parts_left_out(const score& s, const std::vector<std::string>& wanted) {
  if (wanted.empty()) return std::vector<bool>{};
  std::vector<bool> silent(s.parts.size(), true);
  for (auto& name : wanted) {
    auto part = the_part_called(s, name);
    if (!part) return fail(part.error());
    silent[*part] = false;
  }
  return silent;
}

result<midi::time_range> chosen_range(const midi::playback_plan& plan,
                                      const std::string& measures) {
  auto colon = measures.find(':');
  auto first = measures.substr(0, colon);
  return midi::range_of_measures(plan, first,
                                 colon == measures.npos ? first : measures.substr(colon + 1));
}

namespace {

/// A MIDI file is played as it stands, since a score of it would be played in another way. Prints
/// what is odd about it.
result<midi::playback_plan_ptr> plan_of_midi(const score_file& file, const std::string& path) {
  auto read = io::read_midi_file(file.bytes, file.format->name == "rmid");
  if (!read) return fail(read.error());
  for (auto& remark : read->remarks)
    std::fprintf(stderr, "%s: warning: %s\n", path.c_str(), midi::smf::to_string(remark).c_str());
  if (read->remarks_left_out > 0)
    std::fprintf(stderr, "%s: warning: ... and %zu more oddities of the file\n", path.c_str(),
                 read->remarks_left_out);
  return midi::plan_of_file(read->file);
}

/// Its parts, as if they were those of a score: they are chosen in the same way.
score parts_of_plan(const midi::playback_plan& plan) {
  score s;
  for (auto& name : plan.parts) {
    auto p = std::make_shared<part>();
    p->id = "P" + std::to_string(s.parts.size() + 1);
    p->name = name;
    s.parts.push_back(std::move(p));
  }
  return s;
}

}  // namespace

std::optional<chosen_music> music_of_file(const music_options& o) {
  auto file = file_to_read(o.input);
  if (!file) return std::nullopt;
  auto complained = [&](const error& e) {
    complain(e, {}, o.input);
    return std::nullopt;
  };
  result<midi::playback_plan_ptr> plan{nullptr};
  score_ptr score;
  if (io::looks_like_midi(file->bytes)) {
    plan = plan_of_midi(*file, o.input);
  } else {
    score = score_in(*file, o.input);
    if (!score) return std::nullopt;
    plan = midi::playback_plan_of(*score, o.exact ? midi::exact() : midi::performed());
  }
  if (!plan) return complained(plan.error());
  auto range = chosen_range(**plan, o.measures);
  if (!range) return complained(range.error());
  auto silent = parts_left_out(score ? *score : parts_of_plan(**plan), o.parts);
  if (!silent) return complained(silent.error());
  if (!midi::has_notes(**plan, *range, *silent))
    return complained(error{errc::out_of_range, "there is nothing to play"});
  for (auto& left : (*plan)->left_out)
    std::fprintf(stderr, "%s: note: %s\n", o.input.c_str(), left.c_str());
  return chosen_music{std::move(*plan), *range, std::move(*silent)};
}

namespace {

/// What `render` shows on a terminal while it works.
void show_progress(double done) {
  std::fprintf(stderr, "\r%3d %%", static_cast<int>(done * 100));
  std::fflush(stderr);
}

/// Sets a flag at the first signal.
class stop_flag {
public:
  stop_flag() : thread_([this] { watch(); }) {}
  ~stop_flag() {
    over_ = true;
    thread_.join();
  }
  const std::atomic<bool>* flag() const { return &set_; }
  int signal() const { return signal_; }

private:
  void watch() {
    while (!over_) {
      pollfd wait{signals_.descriptor(), POLLIN, 0};
      if (::poll(&wait, 1, 50) <= 0) continue;
      if (auto s = signals_.next()) {
        signal_ = *s;
        set_ = true;
      }
    }
  }

  io::signal_source signals_{SIGINT, SIGTERM, SIGHUP};
  std::atomic<bool> set_{false}, over_{false};
  std::atomic<int> signal_{0};
  std::thread thread_;
};

constexpr int exit_by_signal = 128;

}  // namespace

int render_command(const render_options& o) {
  stop_flag stop;
  complain_about_config();
  auto music = music_of_file(o);
  if (!music) return exit_failure;
  auto sound = midi::load_sound_system();
  if (!sound) {
    complain(sound.error());
    return exit_failure;
  }
  midi::render_job job;
  job.messages = midi::rendered_messages(*music->plan, music->range, music->silent);
  job.end = music->range.to - music->range.from;
  job.groups = music->plan->ports;
  job.file = o.output;
  job.sample_rate = o.sample_rate;
  job.synth = synth_of(o.soundfont, o.gain);
  job.cancelled = stop.flag();
  auto shows = ::isatty(STDERR_FILENO) == 1;
  if (shows) job.progress = show_progress;
  auto done = (*sound)->render(job);
  if (shows) std::fputs("\r     \r", stderr);
  if (!done) {
    complain(done.error());
    return stop.signal() > 0 ? exit_by_signal + stop.signal() : exit_failure;
  }
  auto seconds = static_cast<double>(done->frames) / o.sample_rate;
  auto softer = done->peak > 1 ? fmt::format(", made {:.1f} times softer to fit", done->peak) : "";
  std::printf("wrote %s (%.1f s%s)\n", o.output.c_str(), seconds, softer.c_str());
  return exit_ok;
}

int devices_command(const devices_options& o) {
  auto sound = midi::load_sound_system();
  if (!sound) {
    complain(sound.error());
    return exit_failure;
  }
  auto devices = (*sound)->devices();
  auto missing = (*sound)->missing();
  if (o.json) {
    boost::json::array all, why;
    for (auto& d : devices)
      all.push_back({{"id", d.id}, {"name", d.name}, {"system", d.system}});
    for (auto& m : missing)
      why.push_back({{"message", m.message}, {"advice", m.advice}});
    std::puts(
        boost::json::serialize(boost::json::object{{"devices", all}, {"missing", why}}).c_str());
    return exit_ok;
  }
  std::size_t width = 0;
  for (auto& d : devices)
    width = std::max(width, d.id.size());
  for (auto& d : devices)
    std::printf("%-*s  %s (%s)\n", static_cast<int>(width), d.id.c_str(), d.name.c_str(),
                d.system.c_str());
  if (devices.empty()) std::puts("no MIDI device and no synthesizer");
  for (auto& m : missing)
    std::printf("%s\n  %s\n", m.message.c_str(), m.advice.c_str());
  return exit_ok;
}

int midi_guard_command(const std::string& id) {
  // Silent: nobody reads what it says.
  auto sound = midi::load_sound_system();
  return sound ? (*sound)->run_guard(id, STDIN_FILENO) : exit_failure;
}

}  // namespace fermata::app

#include "actors/ipc/recording_queries.hpp"

#include "core/utf8.hpp"
#include "io/protocol/common_fields.hpp"
#include "io/store/home.hpp"
#include "midi/transcription/take.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <utility>

namespace fermata::actors {

namespace json = boost::json;
using io::protocol::fault;
using io::protocol::fault_code;

namespace {

constexpr std::size_t most_notes = 1'000;

double in_seconds(std::chrono::nanoseconds t) { return std::chrono::duration<double>{t}.count(); }

/// The notes of all parts, by onset, with times before the end of the take.
json::array notes_of(const midi::take& t) {
  std::vector<midi::performed_note> notes;
  for (auto& p : midi::performed_parts_of(t))
    notes.insert(notes.end(), p.notes.begin(), p.notes.end());
  std::stable_sort(notes.begin(), notes.end(), [](auto& a, auto& b) { return a.on < b.on; });
  if (notes.size() > most_notes)
    notes.erase(notes.begin(), notes.end() - static_cast<std::ptrdiff_t>(most_notes));
  json::array all;
  for (auto& n : notes)
    all.push_back({{"key", n.key},
                   {"ago", in_seconds(t.end - n.on)},
                   {"length", in_seconds(n.off - n.on)},
                   {"velocity", n.velocity},
                   {"channel", n.channel + 1}});
  return all;
}

/// Its beginning, up to the last whole line within the limit.
std::string limited(const std::string& text) {
  auto limit = static_cast<std::size_t>(io::protocol::default_text_limit);
  if (text.size() <= limit) return text;
  auto end = text.rfind('\n', limit);
  if (end == std::string::npos)
    for (end = limit; end > 0 && is_utf8_continuation(text[end]); --end) {
    }
  return text.substr(0, end);
}

}  // namespace

void recording_queries::with_remembered(const ipc_request_ptr& r, std::chrono::milliseconds last,
                                        std::function<void(const remembered_music&)> then) {
  if (!core_.settings->recorder)
    return requests_.refuse(
        r, fault{fault_code::unavailable, "recording is not available in this process", {}});
  core_.self->request(core_.settings->recorder, caf::infinite, atom::list_v, last)
      .then(std::move(then), [this, r](const caf::error& e) { requests_.refuse(r, e); });
}

void recording_queries::get_input_buffer(const ipc_request_ptr& r,
                                         const io::protocol::get_input_buffer& c) {
  with_remembered(r, c.last, [this, r](const remembered_music& all) {
    requests_.answer(r, {{"inputs", json::array(all.inputs.begin(), all.inputs.end())},
                         {"notes", notes_of(all.music)}});
  });
}

void recording_queries::get_recording(const ipc_request_ptr& r,
                                      const io::protocol::get_recording& c) {
  if (!core_.settings->quantizer)
    return requests_.refuse(
        r, fault{fault_code::unavailable, "takes are not available in this process", {}});
  sessions_.with_session(r, c.session, [this, r, c](const session_ref& ref) {
    quantization_job job;
    job.how = c.how;
    job.of_client = true;
    job.cancelled = r->interrupted = requests_.new_interrupt_flag();
    if (auto folder = io::session_folder(core_.settings->home, ref.slug))
      job.folder = folder->string();
    if (!c.last) return transcribe(r, ref.slug, std::move(job));
    with_remembered(r, *c.last, [this, r, job, slug = ref.slug](const remembered_music& all) {
      auto recent = job;
      auto take = std::make_shared<recorded_take>();
      take->what.music = all.music;
      recent.take = std::move(take);
      transcribe(r, slug, std::move(recent));
    });
  });
}

void recording_queries::transcribe(const ipc_request_ptr& r, const std::string& session,
                                   quantization_job job) {
  core_.self->request(core_.settings->quantizer, caf::infinite, std::move(job))
      .then(
          [this, r, session](const quantized_take& take) {
            json::array readings;
            for (auto& reading : take.readings)
              readings.push_back({{"meter", to_string(midi::signature_of(reading.metre))},
                                  {"tempo", reading.quarters_per_minute},
                                  {"reason", reading.reason}});
            auto text = limited(take.text);
            json::object result{{"session", session},
                                {"notes", take.notes},
                                {"seconds", in_seconds(take.length)},
                                {"readings", std::move(readings)},
                                {"reading", take.chosen + 1},
                                {"text", text}};
            if (take.number > 0) result["take"] = take.number;
            if (text.size() < take.text.size()) result["truncated"] = true;
            requests_.answer(r, std::move(result));
          },
          [this, r](const caf::error& e) { requests_.refuse(r, e); });
}

}  // namespace fermata::actors

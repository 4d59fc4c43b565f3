#include "actors/midi/recorder.hpp"
#include "actors/midi/recorder_answers.hpp"
#include "io/store/take_file.hpp"
#include "midi/transcription/compare_takes.hpp"
#include "midi/transcription/take.hpp"

#include <caf/all.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

// The takes of a session, listed and compared.

namespace fermata::actors {

namespace {

/// All notes of a take, whoever played them, in order of time.
std::vector<midi::performed_note> notes_of(const midi::take& t) {
  std::vector<midi::performed_note> all;
  for (auto& part : midi::performed_parts_of(t))
    all.insert(all.end(), part.notes.begin(), part.notes.end());
  std::stable_sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.on < b.on; });
  return all;
}

/// What is to be known of a take whose notes may not be all there; empty: nothing. `open`: the
/// number of the take that is being recorded.
std::string state_of(const io::stored_take& take, int number, int open) {
  if (number == open) return ", being recorded";
  if (!take.damage.empty()) return ", damaged at " + take.damage;
  return take.is_complete ? "" : ", interrupted";
}

result<std::string> compared_takes(const std::filesystem::path& folder, int first, int second,
                                   int open) {
  auto a = io::load_take(folder, first);
  if (!a) return fail(a.error());
  auto b = io::load_take(folder, second);
  if (!b) return fail(b.error());
  auto text = summary_of({first, *a}) + state_of(*a, first, open) + '\n' +
              summary_of({second, *b}) + state_of(*b, second, open) + '\n';
  auto compared = midi::compare_performances(notes_of(a->music), notes_of(b->music));
  return text + (compared ? midi::described(*compared, first, second)
                          : "they have too little in common to be compared");
}

}  // namespace

/// Its number in this session; 0: none.
int recorder_state::take_being_recorded(const recording_job& job) const {
  return take_ && take_->job.session == job.session ? take_->take->number : 0;
}

caf::result<recording_reply> recorder_state::perform(const recording_job& job,
                                                     const recording::list_takes& what) {
  if (what.compared) return compare_takes(job, *what.compared);
  auto text = std::make_shared<std::string>();
  auto promise = self_->make_response_promise<recording_reply>();
  with_files(
      reading_,
      [text, open = take_being_recorded(job), folder = job.folder,
       clock = job.clock]() -> result<void> {
        for (auto number : io::take_numbers(folder)) {
          if (!text->empty()) *text += '\n';
          auto read = io::load_take(folder, number);
          if (!read) {
            *text += fmt::format("take {}: {}", number, read.error().first().message);
            continue;
          }
          *text += summary_of({number, *read}) + ", " + to_text(read->started, clock) +
                   state_of(*read, number, open);
        }
        if (text->empty()) *text = "no takes; `:record` records one";
        return {};
      },
      [promise, text](const caf::error& failed) mutable {
        if (failed) return refuse(promise, failed);
        promise.deliver(recording_reply{*text, nullptr, {}});
      });
  return promise;
}

caf::result<recording_reply> recorder_state::compare_takes(const recording_job& job,
                                                           std::pair<int, int> numbers) {
  auto text = std::make_shared<std::string>();
  auto promise = self_->make_response_promise<recording_reply>();
  with_files(
      reading_,
      [text, numbers, open = take_being_recorded(job), folder = job.folder]() -> result<void> {
        auto compared = compared_takes(folder, numbers.first, numbers.second, open);
        if (!compared) return fail(compared.error());
        *text = std::move(*compared);
        return {};
      },
      [promise, text](const caf::error& failed) mutable {
        if (failed) return refuse(promise, failed);
        promise.deliver(recording_reply{*text, nullptr, {}});
      });
  return promise;
}

}  // namespace fermata::actors

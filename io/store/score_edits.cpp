#include "io/store/score_file.hpp"
#include "io/store/session_directory.hpp"

// score.ferm as edited outside Fermata, and scores that were rescued: how they are found and come
// to wait for `:reload`.

namespace fermata::io {

namespace {

std::string with_moved(std::string said, const kept_score& kept) {
  return kept.moved.empty() ? said : said + ' ' + kept.moved;
}

}  // namespace

void session_directory::know_branches(const session_state& state) {
  current_branch_ = state.branch;
  branches_ = {std::string{main_branch}, state.branch};
  for (auto& b : state.branches)
    branches_.insert(b.name);
}

void session_directory::look_at_score_after(const session_state& state, stored_session& loaded) {
  auto now = look_at_file(folder_ / score_name);
  if (read_only_ || !now || now == score_file_) return;
  // A checkpoint that was interrupted leaves a text that is newer than what it says, and ours.
  auto text = read_file(folder_ / score_name);
  if (!text) return;
  auto as_written = score_text_.empty() || score_text_hash(*text) == score_text_;
  if (*text == text_of_score(*state.score)) {
    score_text_ = score_text_hash(*text);
    score_file_ = now;
  } else if (journal_lost_ && as_written && score_of_text(*text)) {
    score_text_ = score_text_hash(*text);
    score_file_ = now;
    rescued_ = std::move(*text);
  } else if (auto said = score_was_edited()) {
    loaded.remarks.push_back(std::move(*said));
  }
}

/// The journal has lost what the checkpoint knew: the score as it was saved is sound, and offered
/// as one that was edited outside is; before one that waits already, which nobody has seen in the
/// score yet.
void session_directory::offer_rescued_score(const session_state& state, stored_session& loaded) {
  auto text = std::exchange(rescued_, std::nullopt);
  if (!text || *text == text_of_score(*state.score)) return;
  auto what = std::string{rescued_from_rest_ ? "The score, with later changes as far as they apply,"
                                             : "The last saved score"};
  kept_score kept;
  for (auto& w : pending_edits(folder_))
    if (auto waits = read_file(folder_ / w.name); waits && *waits == *text) kept.name = w.name;
  if (kept.name.empty()) {
    auto done = keep_score(folder_, *text, {});
    if (!done) {
      loaded.remarks.push_back(what + " could not be kept for `:reload` (" +
                               done.error().first().message + ").");
      return;
    }
    kept = std::move(*done);
  }
  loaded.remarks.push_back(with_moved(what + " is in " + kept.name +
                                          "; `:reload` loads it as one change that can be undone.",
                                      kept));
}

/// Keeps what it finds before it forgets that it has not seen it: what cannot be kept now is looked
/// at again.
result<void> session_directory::look_for_edit() {
  auto now = look_at_file(folder_ / score_name);
  if (!now || now == score_file_) return {};
  auto text = read_file(folder_ / score_name);
  if (!text) {
    auto moved = set_aside_damaged(folder_ / score_name, text.error().first().message);
    if (!moved) return fail(moved.error());
    unsaid_ = "score.ferm was edited outside Fermata and is no longer readable (" +
              text.error().first().message + "). It was moved to " + *moved + '.';
    return {};
  }
  auto hash = score_text_hash(*text);
  if (hash != score_text_) {
    auto kept = keep_score(folder_, *text, written_branch_, score_text_);
    if (!kept) return fail(kept.error());
    unsaid_ = with_moved("score.ferm was edited outside Fermata. `:reload` replaces the score with "
                         "it as one change that can be undone, dropping changes made since "
                         "score.ferm was saved; until then it is kept in " +
                             kept->name + '.',
                         *kept);
    score_text_ = std::move(hash);
  }
  score_file_ = now;
  return {};
}

std::optional<std::string> session_directory::score_was_edited() {
  // The next checkpoint says why it could not be kept.
  (void)look_for_edit();
  return std::exchange(unsaid_, std::nullopt);
}

result<offered_score> session_directory::edited_score() {
  // The requester knows of it, and is told what else waits.
  (void)score_was_edited();
  return offered_score_of(folder_, current_branch_, branches_);
}

void session_directory::forget_edited_score(const offered_score& taken) {
  forget_score(folder_, taken);
}

}  // namespace fermata::io

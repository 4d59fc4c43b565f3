#include "actors/session/effect_performer.hpp"
#include "actors/session/error_text.hpp"
#include "actors/session/session_rows.hpp"
#include "io/store/home.hpp"

#include <utility>

// Commands about sessions: `:session ...`.

namespace fermata::actors {

namespace {

/// The front end changes to another session.
effect_done changed_to(const session_ref& other, std::string_view what) {
  effect_done result{std::string{what} + other.slug, true};
  for (auto& remark : other.remarks)
    result.output += '\n' + remark;
  result.effect = {turn_effect::kind_t::switch_session, other.slug};
  return result;
}

/// Answers the command with the error of the manager.
template <class Request>
auto refuse_with_error(const Request& r) {
  return [r](caf::error& e) { r->answer(text_of(e), false); };
}

}  // namespace

void effect_performer::perform(const request_ptr& r, const manager_effect& given) {
  auto boss = core_.manager();
  if (!boss) return r->answer("sessions cannot be managed here", false);
  auto effect = given;
  effect.file = io::expand_path(effect.file, r->terminal.folder);
  if (effect.what != manager_effect::what_t::export_to) return ask_manager(r, boss, effect);
  // What is here is written before it is packed, where the disk accepts it; the archive may be on
  // another disk, and the only way to save anything.
  core_.writer->checkpoint([this, r, boss, effect](const caf::error&) {
    if (!core_.stopping) ask_manager(r, boss, effect);
  });
}

void effect_performer::ask_manager(const request_ptr& r, const session_manager_actor& boss,
                                   const manager_effect& effect) {
  using what_t = manager_effect::what_t;
  auto here = core_.shown()->meta.slug;
  auto named_or_here = effect.argument.empty() ? here : effect.argument;
  auto open_other = [&](std::string_view output, auto... message) {
    core_.self->request(boss, caf::infinite, std::move(message)...)
        .then([r, output](const session_ref& other) { r->then(changed_to(other, output)); },
              refuse_with_error(r));
  };
  switch (effect.what) {
    case what_t::list: return list(r, boss, effect.archived);
    case what_t::create: return open_other("created ", atom::create_v, effect.argument);
    case what_t::change_to: return open_other("switched to ", atom::activate_v, effect.argument);
    case what_t::rename: return rename(r, boss, effect.argument);
    case what_t::clone: return open_other("copied to ", atom::clone_v, here, effect.argument);
    case what_t::archive: return archive(r, boss, named_or_here, false);
    case what_t::remove:
      if (!effect.confirmed) return ask_for_confirmation(r, boss, named_or_here);
      return archive(r, boss, named_or_here, true);
    case what_t::unarchive: return unarchive(r, boss, effect.argument);
    case what_t::export_to:
      return export_session(r, boss,
                            {named_or_here, effect.file, effect.confirmed, effect.perhaps});
    case what_t::import_from:
      return open_other("created ", atom::import_session_v, effect.file, effect.argument);
  }
}

void effect_performer::list(const request_ptr& r, const session_manager_actor& boss,
                            bool archived) {
  auto answer = [this, r, archived](const std::vector<session_summary>& all) {
    r->answer(listed(*r, all, archived), true);
  };
  if (archived)
    core_.self->request(boss, caf::infinite, atom::archived_v).then(answer, refuse_with_error(r));
  else
    core_.self->request(boss, caf::infinite, atom::list_v, atom::sizes_v)
        .then(answer, refuse_with_error(r));
}

void effect_performer::rename(const request_ptr& r, const session_manager_actor& boss,
                              const std::string& wanted) {
  auto here = core_.shown()->meta.slug;
  core_.self->request(boss, caf::infinite, atom::rename_v, here, wanted)
      .then(
          [r, here, wanted](const std::string& called) {
            effect_done result{"session renamed to " + called + "; its id is still " + here, true};
            if (called != wanted) result.output += "\nthere is already a session called " + wanted;
            result.events.push_back(meta_changed{called, std::nullopt});
            result.afterwards = announce_name{};
            r->then(std::move(result));
          },
          refuse_with_error(r));
}

void effect_performer::unarchive(const request_ptr& r, const session_manager_actor& boss,
                                 const std::string& session) {
  core_.self->request(boss, caf::infinite, atom::restore_v, session)
      .then(
          [r](const session_ref& back) {
            auto output =
                back.slug + " was restored; `:session switch " + back.slug + "` goes there";
            if (!back.instead_of.empty())
              output +=
                  "\nit used to be " + back.instead_of + ", which is now the id of another session";
            r->answer(std::move(output), true);
          },
          refuse_with_error(r));
}

void effect_performer::export_session(const request_ptr& r, const session_manager_actor& boss,
                                      const export_request& what) {
  core_.self->request(boss, caf::infinite, atom::export_session_v, what)
      .then(
          [r](const exported_session& packed) {
            auto output = "wrote " + packed.slug + " to " + packed.file;
            for (auto& remark : packed.remarks)
              output += '\n' + remark;
            r->answer(std::move(output), true);
          },
          refuse_with_error(r));
}

void effect_performer::ask_for_confirmation(const request_ptr& r, const session_manager_actor& boss,
                                            const std::string& session) {
  archive_request what{session, core_.shown()->meta.slug, true, true};
  core_.self->request(boss, caf::infinite, atom::archive_session_v, what)
      .then(
          [r](const archive_answer& found) {
            // The command is not put into the input line: one Enter too many would delete.
            r->answer("session " + found.slug +
                          " was not deleted\nAdd --yes to confirm: `:session delete " + found.slug +
                          " --yes` moves it to the trash.",
                      false);
          },
          refuse_with_error(r));
}

void effect_performer::archive(const request_ptr& r, const session_manager_actor& boss,
                               const std::string& session, bool to_trash) {
  archive_request what{session, core_.shown()->meta.slug, to_trash};
  core_.self->request(boss, caf::infinite, atom::archive_session_v, what)
      .then(
          [r, to_trash](const archive_answer& answer) {
            if (answer.next.empty())
              return r->answer(
                  answer.slug + " was moved to the " + location_text(answer.slug, to_trash), true);
            effect_done result{"switched to " + answer.next, true};
            result.effect = {turn_effect::kind_t::switch_session, answer.next};
            result.afterwards = leave_session{answer.slug};
            r->then(std::move(result));
          },
          refuse_with_error(r));
}

std::string effect_performer::listed(const request& r, const std::vector<session_summary>& all,
                                     bool archived) const {
  auto here = core_.shown()->meta.slug;
  auto mark = [&](const session_summary& s) {
    auto is_here = !archived && s.meta.slug == here;
    if (r.accessible) return is_here ? "current: " : "";
    return is_here ? "* " : "  ";
  };
  std::string lines;
  for (auto& s : all) {
    lines += (lines.empty() ? "" : "\n") + std::string{mark(s)} + session_row(s, core_.clock);
    if (s.active && s.meta.slug != here) lines += ", active for clients";
    if (!s.written_by.empty()) lines += ", read-only: " + s.written_by + " is writing to it";
  }
  if (lines.empty()) lines = archived ? "the archive is empty" : "no sessions";
  return lines;
}

}  // namespace fermata::actors

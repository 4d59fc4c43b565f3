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

}  // namespace

void effect_performer::perform(const request_ptr& r, const manager_effect& given) {
  auto boss = core_.manager();
  if (!boss) return r->answer("sessions cannot be managed here", false);
  auto effect = given;
  effect.file = io::with_home(effect.file, r->terminal.folder);
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
  auto failed = [r](caf::error& e) { r->answer(text_of(e), false); };
  auto change_to = [r](std::string_view what) {
    return [r, what](const session_ref& other) { r->then(changed_to(other, what)); };
  };
  auto here = core_.shown()->meta.slug;
  auto& argument = effect.argument;
  auto* self = core_.self;
  switch (effect.what) {
    case what_t::list: {
      auto list = [this, r, archived = effect.archived](const std::vector<session_summary>& all) {
        r->answer(listed(*r, all, archived), true);
      };
      if (effect.archived)
        self->request(boss, caf::infinite, atom::archived_v).then(list, failed);
      else
        self->request(boss, caf::infinite, atom::list_v, atom::sizes_v).then(list, failed);
      return;
    }
    case what_t::create:
      self->request(boss, caf::infinite, atom::create_v, argument)
          .then(change_to("created "), failed);
      return;
    case what_t::change_to:
      self->request(boss, caf::infinite, atom::activate_v, argument)
          .then(change_to("switched to "), failed);
      return;
    case what_t::rename:
      self->request(boss, caf::infinite, atom::rename_v, here, argument)
          .then(
              [r, here, wanted = argument](const std::string& called) {
                effect_done result{"session renamed to " + called + "; its id is still " + here,
                                   true};
                if (called != wanted)
                  result.output += "\nthere is already a session called " + wanted;
                result.events.push_back(meta_changed{called, std::nullopt});
                result.afterwards = announce_name{};
                r->then(std::move(result));
              },
              failed);
      return;
    case what_t::clone:
      self->request(boss, caf::infinite, atom::clone_v, here, argument)
          .then(change_to("copied to "), failed);
      return;
    case what_t::archive: return archive(r, boss, argument.empty() ? here : argument, false);
    case what_t::remove:
      if (!effect.confirmed) return ask_for_confirmation(r, boss, argument);
      return archive(r, boss, argument.empty() ? here : argument, true);
    case what_t::unarchive:
      self->request(boss, caf::infinite, atom::bring_back_v, argument)
          .then(
              [r](const session_ref& back) {
                auto output =
                    back.slug + " was restored; `:session switch " + back.slug + "` goes there";
                if (!back.instead_of.empty())
                  output += "\nit used to be " + back.instead_of +
                            ", which is now the id of another session";
                r->answer(std::move(output), true);
              },
              failed);
      return;
    case what_t::export_to:
      self->request(boss, caf::infinite, atom::pack_v,
                    packing{argument.empty() ? here : argument, effect.file, effect.confirmed,
                            effect.perhaps})
          .then(
              [r](const packed_session& packed) {
                auto output = "wrote " + packed.slug + " to " + packed.file;
                for (auto& remark : packed.remarks)
                  output += '\n' + remark;
                r->answer(std::move(output), true);
              },
              failed);
      return;
    case what_t::import_from:
      self->request(boss, caf::infinite, atom::unpack_v, effect.file, argument)
          .then(change_to("created "), failed);
      return;
  }
}

void effect_performer::ask_for_confirmation(const request_ptr& r, const session_manager_actor& boss,
                                            const std::string& session) {
  auto here = core_.shown()->meta.slug;
  archive_request what{session.empty() ? here : session, here, true, true};
  core_.self->request(boss, caf::infinite, atom::archive_session_v, what)
      .then(
          [r](const archive_answer& found) {
            // The command is not put into the input line: one Enter too many would delete.
            r->answer("session " + found.slug +
                          " was not deleted\nAdd --yes to confirm: `:session delete " + found.slug +
                          " --yes` moves it to the trash.",
                      false);
          },
          [r](caf::error& e) { r->answer(text_of(e), false); });
}

void effect_performer::archive(const request_ptr& r, const session_manager_actor& boss,
                               const std::string& session, bool to_trash) {
  archive_request what{session, core_.shown()->meta.slug, to_trash};
  core_.self->request(boss, caf::infinite, atom::archive_session_v, what)
      .then(
          [r, to_trash](const archive_answer& answer) {
            if (answer.next.empty())
              return r->answer(
                  answer.slug + " was moved to the " + where_it_lies(answer.slug, to_trash), true);
            effect_done result{"switched to " + answer.next, true};
            result.effect = {turn_effect::kind_t::switch_session, answer.next};
            result.afterwards = leave_session{answer.slug};
            r->then(std::move(result));
          },
          [r](caf::error& e) { r->answer(text_of(e), false); });
}

std::string effect_performer::listed(const request& r, const std::vector<session_summary>& all,
                                     bool archived) const {
  auto here = core_.shown()->meta.slug;
  auto mark = [&](const session_summary& s) {
    auto is_here = !archived && s.meta.slug == here;
    if (r.in_words) return is_here ? "current: " : "";
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

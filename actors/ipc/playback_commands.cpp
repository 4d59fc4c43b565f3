#include "actors/ipc/playback_commands.hpp"

#include "actors/session/session_answers.hpp"
#include "core/session/timeline/entry.hpp"
#include "io/json/playback_json.hpp"

#include <boost/json/array.hpp>

#include <utility>

namespace fermata::actors {

namespace json = boost::json;
using io::protocol::fault;
using io::protocol::fault_code;

bool playback_commands::check_player(const ipc_request_ptr& r) {
  if (core_.settings->player) return true;
  requests_.refuse(r,
                   fault{fault_code::unavailable, "playback is not available in this process", {}});
  return false;
}

void playback_commands::list_devices(const ipc_request_ptr& r) {
  if (!check_player(r)) return;
  auto refuse = [this, r](const caf::error& e) { requests_.refuse(r, e); };
  core_.self->request(core_.settings->player, caf::infinite, atom::list_v)
      .then(
          [this, r, refuse](const device_list& all) {
            json::array devices, missing;
            for (const auto& d : all.devices)
              devices.push_back({{"id", d.id}, {"name", d.name}, {"system", d.system}});
            for (const auto& m : all.missing)
              missing.push_back({{"message", m.message}, {"advice", m.advice}});
            core_.self->request(core_.settings->player, caf::infinite, atom::transport_v)
                .then(
                    [this, r, devices, missing](const playback_status& status) {
                      requests_.answer(r, {{"devices", devices},
                                           {"missing", missing},
                                           {"transport", io::to_json(status)}});
                    },
                    refuse);
          },
          refuse);
}

/// A command in the client's name, recorded as its entry. What the command refuses is an error of
/// the request.
void playback_commands::control(const ipc_request_ptr& r, const io::protocol::control_playback& c) {
  sessions_.with_session(r, c.session, [this, r, c](const session_ref& ref) {
    core_.self->request(ref.actor, caf::infinite, requested_command{c.command, r->who})
        .then(
            [this, r](const turn& t) {
              auto entry = t.entries.empty() ? nullptr : t.entries.back();
              auto command = entry ? std::get_if<command_entry>(&entry->kind) : nullptr;
              if (!command)
                return requests_.refuse(
                    r, fault{fault_code::internal, "the command has no entry", {}});
              if (!command->ok)
                return requests_.refuse(r, fault{fault_code::failed, command->output, {}});
              requests_.answer(r, {{"session", t.after->meta.slug},
                                   {"revision", t.after->revision},
                                   {"entry", entry->index},
                                   {"output", command->output}});
            },
            [this, r](const caf::error& e) { requests_.refuse(r, e); });
  });
}

/// Messages may do anything to an instrument, so the user must have allowed this client everything.
void playback_commands::send(const ipc_request_ptr& r, io::protocol::send_midi& c) {
  if (!check_player(r)) return;
  sessions_.with_session(
      r, c.session, [this, r, messages = std::move(c.messages)](const session_ref& ref) {
        sessions_.with_snapshot(r, ref, [this, r, ref, messages](const session_snapshot& s) {
          if (auto policy = policy_for(*s, r->who.author); policy != remote_policy::allow)
            return requests_.refuse(r, not_permitted(policy, r->who));
          playback_job job;
          job.session = ref.slug;
          job.settings = s->settings;
          job.who = r->who;
          core_.self
              ->request(core_.settings->player, caf::infinite, atom::send_v, std::move(job),
                        messages)
              .then(
                  [this, r, slug = ref.slug, count = messages.size()](const midi::device& d) {
                    requests_.answer(r, {{"session", slug}, {"sent", count}, {"device", d.id}});
                  },
                  [this, r](const caf::error& e) { requests_.refuse(r, e); });
        });
      });
}

}  // namespace fermata::actors

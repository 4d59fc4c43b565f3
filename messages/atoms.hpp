#pragma once

#include <caf/atom.hpp>

namespace fermata::atom {

// One atom for each message that actors exchange. CAF packs at most ten characters.
using submit = caf::atom_constant<caf::atom("submit")>;
using snapshot = caf::atom_constant<caf::atom("snapshot")>;
using enqueue = caf::atom_constant<caf::atom("enqueue")>;
using propose = caf::atom_constant<caf::atom("propose")>;
using preview = caf::atom_constant<caf::atom("preview")>;
using cancel = caf::atom_constant<caf::atom("cancel")>;
using evaluate = caf::atom_constant<caf::atom("evaluate")>;
using observe = caf::atom_constant<caf::atom("observe")>;
using changed = caf::atom_constant<caf::atom("changed")>;
using client = caf::atom_constant<caf::atom("client")>;
using create = caf::atom_constant<caf::atom("create")>;
using find = caf::atom_constant<caf::atom("find")>;
using activate = caf::atom_constant<caf::atom("activate")>;
using active = caf::atom_constant<caf::atom("active")>;
using list = caf::atom_constant<caf::atom("list")>;
using sizes = caf::atom_constant<caf::atom("sizes")>;
using append = caf::atom_constant<caf::atom("append")>;
using load = caf::atom_constant<caf::atom("load")>;
using checkpoint = caf::atom_constant<caf::atom("checkpoint")>;
using when_due = caf::atom_constant<caf::atom("whendue")>;
using flush = caf::atom_constant<caf::atom("flush")>;
using history_search = caf::atom_constant<caf::atom("lookback")>;
using rest = caf::atom_constant<caf::atom("rest")>;
using stop = caf::atom_constant<caf::atom("stop")>;
using undo = caf::atom_constant<caf::atom("undo")>;
using resolve = caf::atom_constant<caf::atom("resolve")>;
using sync = caf::atom_constant<caf::atom("sync")>;
using restart = caf::atom_constant<caf::atom("restart")>;
using note = caf::atom_constant<caf::atom("note")>;
using clone = caf::atom_constant<caf::atom("clone")>;
using archive_session = caf::atom_constant<caf::atom("putaway")>;
using rename = caf::atom_constant<caf::atom("rename")>;
using renamed = caf::atom_constant<caf::atom("renamed")>;
using left = caf::atom_constant<caf::atom("left")>;
using bring_back = caf::atom_constant<caf::atom("bringback")>;
using archived = caf::atom_constant<caf::atom("archived")>;
using pack = caf::atom_constant<caf::atom("pack")>;
using unpack = caf::atom_constant<caf::atom("unpack")>;
using unwritten = caf::atom_constant<caf::atom("unwritten")>;
using reload = caf::atom_constant<caf::atom("reload")>;
using told = caf::atom_constant<caf::atom("told")>;
using follow = caf::atom_constant<caf::atom("follow")>;
using taken = caf::atom_constant<caf::atom("taken")>;
using listed = caf::atom_constant<caf::atom("listed")>;
using worked = caf::atom_constant<caf::atom("worked")>;
using has_read = caf::atom_constant<caf::atom("hasread")>;
using wait_over = caf::atom_constant<caf::atom("waitover")>;
using look_stall = caf::atom_constant<caf::atom("lookstall")>;
using look_gone = caf::atom_constant<caf::atom("lookgone")>;
using watch = caf::atom_constant<caf::atom("watch")>;
using look_files = caf::atom_constant<caf::atom("lookfiles")>;
using end_due = caf::atom_constant<caf::atom("enddue")>;
using hello_due = caf::atom_constant<caf::atom("hellodue")>;

// The atoms as values, for use in messages: self->request(session, ..., submit_v, line).
constexpr submit submit_v{};
constexpr snapshot snapshot_v{};
constexpr enqueue enqueue_v{};
constexpr propose propose_v{};
constexpr preview preview_v{};
constexpr cancel cancel_v{};
constexpr evaluate evaluate_v{};
constexpr observe observe_v{};
constexpr changed changed_v{};
constexpr client client_v{};
constexpr create create_v{};
constexpr find find_v{};
constexpr activate activate_v{};
constexpr active active_v{};
constexpr list list_v{};
constexpr sizes sizes_v{};
constexpr append append_v{};
constexpr load load_v{};
constexpr checkpoint checkpoint_v{};
constexpr when_due when_due_v{};
constexpr flush flush_v{};
constexpr history_search history_search_v{};
constexpr rest rest_v{};
constexpr stop stop_v{};
constexpr undo undo_v{};
constexpr resolve resolve_v{};
constexpr sync sync_v{};
constexpr restart restart_v{};
constexpr note note_v{};
constexpr clone clone_v{};
constexpr archive_session archive_session_v{};
constexpr rename rename_v{};
constexpr renamed renamed_v{};
constexpr left left_v{};
constexpr bring_back bring_back_v{};
constexpr archived archived_v{};
constexpr pack pack_v{};
constexpr unpack unpack_v{};
constexpr unwritten unwritten_v{};
constexpr reload reload_v{};
constexpr told told_v{};
constexpr follow follow_v{};
constexpr taken taken_v{};
constexpr listed listed_v{};
constexpr worked worked_v{};
constexpr has_read has_read_v{};
constexpr wait_over wait_over_v{};
constexpr look_stall look_stall_v{};
constexpr look_gone look_gone_v{};
constexpr watch watch_v{};
constexpr look_files look_files_v{};
constexpr end_due end_due_v{};
constexpr hello_due hello_due_v{};

}  // namespace fermata::atom

#include "core/session/timeline/event.hpp"

#include "core/session/timeline/branch_merging.hpp"
#include "core/session/timeline/branches.hpp"

#include <algorithm>
#include <utility>

namespace fermata {

namespace {

/// Decided proposals that are still shown.
constexpr std::ptrdiff_t decided_proposals_kept = 50;
/// Steps that can be taken back at least; they are trimmed when there are twice as many.
constexpr std::size_t steps_kept = 10'000;

error damaged(std::string message) {
  return error{errc::invalid_score, std::move(message), std::nullopt,
               "The journal does not fit this session."};
}

std::string entry_name(std::int64_t index) { return "entry " + std::to_string(index); }

/// Applies one kind of event each. The state is complete again after every call that succeeds.
struct reducer {
  explicit reducer(session_state start)
    : s(std::move(start)), score_before_(s.score), env_before_(s.env) {}

  session_state s;

  result<void> operator()(const entry_committed& e) {
    auto& entry = *e.entry;
    if (entry.index != s.history.next_index())
      return fail(damaged(entry_name(entry.index) + " comes where " +
                          entry_name(s.history.next_index()) + " should be"));
    if (auto delta = delta_of(entry); delta && !delta->empty()) {
      auto score = e.score ? result<score_ptr>{e.score} : applied(*delta, s.score);
      if (!score) return fail(score.error());
      s.score = std::move(*score);
      s.revision = *revision_after(entry);
    }
    if (auto change = env_change_of(entry); change && !change->empty())
      s.env = e.env ? e.env : applied(*change, s.env);
    if (auto eval = std::get_if<eval_entry>(&entry.kind);
        eval && (!eval->delta.empty() || !eval->env_change.empty())) {
      add_step(entry.index);
    }
    s.history.append(e.entry);
    s.meta.modified = std::max(s.meta.modified, entry.time);
    return {};
  }

  result<void> operator()(const message_queued& e) {
    s.queue.push_back(e.message);
    s.next_ticket = std::max(s.next_ticket, e.message.ticket + 1);
    return {};
  }

  result<void> operator()(const message_shown& e) {
    auto it =
        std::find_if(s.queue.begin(), s.queue.end(), [&](auto& m) { return m.ticket == e.ticket; });
    if (it == s.queue.end())
      return fail(damaged("message " + std::to_string(e.ticket) + " was shown but never queued"));
    s.queue.erase(it);
    return {};
  }

  result<void> operator()(const proposal_made& e) {
    // Of one that was accepted in part, this is what is left.
    auto known = std::find_if(s.proposals.begin(), s.proposals.end(),
                              [&](auto& p) { return p.number == e.made.number; });
    if (known != s.proposals.end())
      s.proposals.replace(known, e.made);
    else
      s.proposals.push_back(e.made);
    s.next_proposal = std::max(s.next_proposal, e.made.number + 1);
    return {};
  }

  result<void> operator()(const proposal_announced& e) {
    return with_proposal(e.number, [](proposal& p) { p.announced = true; });
  }

  result<void> operator()(const proposal_resolved& e) {
    auto done = with_proposal(e.number, [&](proposal& p) {
      p.state = e.accepted ? proposal::state_t::accepted : proposal::state_t::rejected;
      p.reason = e.reason;
      p.announced = true;
    });
    forget_old_proposals();
    return done;
  }

  result<void> operator()(const undone& e) {
    take_merge_back(e.entry, true);
    return move_step(e.entry, s.undo, s.redo);
  }
  result<void> operator()(const redone& e) {
    take_merge_back(e.entry, false);
    return move_step(e.entry, s.redo, s.undo);
  }

  result<void> operator()(const policy_changed& e) {
    if (!e.client.empty()) {
      if (e.policy)
        s.client_policies.insert_or_assign(e.client, *e.policy);
      else
        s.client_policies.erase(e.client);
      s.policies_before_off.erase(e.client);
      return {};
    }
    if (!e.policy) return fail(damaged("no policy for all clients"));
    s.policy = *e.policy;
    if (e.for_everybody) {
      for (auto& [client, policy] : s.client_policies)
        if (policy != remote_policy::allow) s.policies_before_off.insert_or_assign(client, policy);
      s.client_policies.clear();
    } else {
      s.client_policies.merge(s.policies_before_off);
      s.policies_before_off.clear();
    }
    return {};
  }

  result<void> operator()(const setting_changed& e) {
    if (e.value)
      s.settings.insert_or_assign(e.name, *e.value);
    else
      s.settings.erase(e.name);
    return {};
  }

  result<void> operator()(const meta_changed& e) {
    if (e.name) s.meta.name = *e.name;
    if (e.tags) s.meta.tags = *e.tags;
    return {};
  }

  result<void> operator()(const step_made&) {
    if (s.history.empty()) return fail(damaged("a step without an entry"));
    add_step(s.history.size());
    return {};
  }

  result<void> operator()(const branch_made& e) {
    if (find_branch(s, e.name)) return fail(damaged("branch " + e.name + " was made twice"));
    if (s.branches.empty()) {
      branch first;
      first.name = s.branch;
      first.base = first.score = empty_score();
      s.branches.push_back(std::move(first));
    }
    auto head = applied(e.delta, s.score);
    if (!head) return fail(head.error());
    branch made;
    made.name = e.name;
    made.parent = branch_at(s, e.from);
    made.from = e.from;
    made.made_by = s.history.size();
    made.made = e.made;
    made.base = made.score = std::move(*head);
    made.env = applied(e.env_change, s.env);
    s.branches.push_back(std::move(made));
    return {};
  }

  result<void> operator()(const branch_switched& e) {
    auto leaves = branch_named(s.branch), enters = branch_named(e.name);
    if (!leaves || !enters || leaves == enters)
      return fail(damaged("unknown branch " + e.name + " to change to"));
    leaves->score = score_before_;
    leaves->env = env_before_;
    leaves->undo = std::move(s.undo);
    leaves->redo = std::move(s.redo);
    s.score = std::exchange(enters->score, nullptr);
    s.env = std::exchange(enters->env, nullptr);
    s.undo = std::exchange(enters->undo, {});
    s.redo = std::exchange(enters->redo, {});
    s.branch = e.name;
    s.branch_moves.push_back({s.history.size(), e.name});
    return {};
  }

  result<void> operator()(const branch_merged& e) {
    auto other = branch_named(e.name);
    if (!other || e.name == s.branch) return fail(damaged("unknown branch " + e.name));
    auto base = common_base(s, *other);
    auto common = common_after_merge(base, other->score, e.first, e.last);
    // A merge that was taken back, and what was built on it, is no longer in common.
    auto of_both = [&](const branch_merge& m) { return is_between(m, s.branch, e.name); };
    auto gone = std::find_if(s.merges.begin(), s.merges.end(),
                             [&](auto& m) { return of_both(m) && m.taken_back; });
    s.merges.erase(std::remove_if(gone, s.merges.end(), of_both), s.merges.end());
    s.merges.push_back(
        {s.history.size(), s.branch, e.name, other->score, std::move(common), false});
    return {};
  }

  result<void> operator()(const answer_given& e) {
    auto& all = s.answers;
    all.push_back(e.answer);
    auto first = std::prev(all.end());
    for (auto bytes = text_bytes(*first); first != all.begin(); --first) {
      bytes += text_bytes(*std::prev(first));
      if (bytes > most_answer_bytes || all.end() - first >= std::ptrdiff_t{most_answers}) break;
    }
    all.erase(all.begin(), first);
    return {};
  }

private:
  void add_step(std::int64_t entry) {
    s.undo.push_back(entry);
    s.redo = {};
    if (s.undo.size() < 2 * steps_kept) return;
    undo_steps kept;
    for (auto i = s.undo.size() - steps_kept; i < s.undo.size(); ++i)
      kept.push_back(s.undo[i]);
    s.undo = std::move(kept);
  }

  void take_merge_back(std::int64_t entry, bool back) {
    for (auto& m : s.merges)
      if (m.entry == entry) m.taken_back = back;
  }

  branch* branch_named(std::string_view name) { return const_cast<branch*>(find_branch(s, name)); }

  template <class F>
  result<void> with_proposal(std::int64_t number, F change) {
    auto it = std::find_if(s.proposals.begin(), s.proposals.end(),
                           [number](auto& p) { return p.number == number; });
    if (it == s.proposals.end())
      return fail(damaged("no such proposal: " + std::to_string(number)));
    auto changed = *it;
    change(changed);
    s.proposals.replace(it, std::move(changed));
    return {};
  }

  void forget_old_proposals() {
    auto decided = std::count_if(s.proposals.begin(), s.proposals.end(),
                                 [](auto& p) { return p.state != proposal::state_t::open; });
    for (; decided > decided_proposals_kept; --decided)
      s.proposals.erase(std::find_if(s.proposals.begin(), s.proposals.end(),
                                     [](auto& p) { return p.state != proposal::state_t::open; }));
  }

  static result<void> move_step(std::int64_t entry, undo_steps& from, undo_steps& to) {
    if (from.empty() || from.back() != entry)
      return fail(damaged(entry_name(entry) + " is not the step that comes next"));
    from.pop_back();
    to.push_back(entry);
    return {};
  }

  score_ptr score_before_;  ///< before the transition
  environment_ptr env_before_;
};

/// What one event means for observers.
struct kind_for_observers {
  std::string_view operator()(const entry_committed& e) const {
    auto delta = delta_of(*e.entry);
    auto change = env_change_of(*e.entry);
    auto plays = delta && !delta->empty();
    // Of the settings that `:set` lists, this one is part of the environment.
    if (change && change->key_inference)
      return plays ? "entries score settings" : "entries settings";
    return plays ? "entries score" : "entries";
  }
  std::string_view operator()(const message_queued&) const { return "queued"; }
  std::string_view operator()(const message_shown&) const { return "queued"; }
  std::string_view operator()(const proposal_made&) const { return "proposal"; }
  std::string_view operator()(const proposal_announced&) const { return "proposal"; }
  std::string_view operator()(const proposal_resolved&) const { return "proposal"; }
  std::string_view operator()(const undone&) const { return "score"; }
  std::string_view operator()(const redone&) const { return "score"; }
  std::string_view operator()(const policy_changed&) const { return "settings"; }
  std::string_view operator()(const setting_changed&) const { return "settings"; }
  std::string_view operator()(const meta_changed&) const { return "settings"; }
  std::string_view operator()(const step_made&) const { return {}; }
  std::string_view operator()(const branch_made&) const { return "settings"; }
  std::string_view operator()(const branch_switched&) const { return "settings"; }
  std::string_view operator()(const branch_merged&) const { return {}; }
  std::string_view operator()(const answer_given&) const { return {}; }
};

}  // namespace

result<session_state> apply(session_state s, const journal_event& e) {
  reducer r{std::move(s)};
  if (auto done = std::visit(r, e); !done) return fail(done.error());
  return std::move(r.s);
}

result<session_state> apply(session_state s, const transition& t) {
  reducer r{std::move(s)};
  for (auto& e : t.events)
    if (auto done = std::visit(r, e); !done) return fail(done.error());
  return std::move(r.s);
}

entry_ptr entry_of(const transition& t) {
  for (auto& e : t.events)
    if (auto committed = std::get_if<entry_committed>(&e)) return committed->entry;
  return nullptr;
}

std::string kinds_of(const transition& t) { return kinds_of(std::vector{t}); }

std::string kinds_of(const std::vector<transition>& together) {
  std::string all;
  for (std::string_view kind : {"entries", "queued", "proposal", "score", "settings"}) {
    auto has_it = [&](const journal_event& e) {
      auto kinds = std::visit(kind_for_observers{}, e);
      return kinds.find(kind) != kinds.npos;
    };
    if (std::any_of(together.begin(), together.end(), [&](const transition& t) {
          return std::any_of(t.events.begin(), t.events.end(), has_it);
        }))
      all += (all.empty() ? "" : " ") + std::string{kind};
  }
  return all;
}

}  // namespace fermata

#include "core/lang/evaluation/evaluation_state.hpp"

#include "core/lang/value/music.hpp"
#include "core/memory_meter.hpp"

#include <algorithm>
#include <utility>

namespace fermata {

namespace {

/// How far the machine stack may grow below the start of an evaluation. Threads have 8 MiB on
/// Linux; the rest is room for one handler and for code without calls.
constexpr std::ptrdiff_t machine_stack = 4 << 20;

/// So many elements take as long to make as a call.
constexpr std::uint64_t elements_in_step = 16;

/// What a copied note takes, roughly: itself, and the music around it.
constexpr std::uint64_t bytes_of_note = sizeof(music) + sizeof(note);

/// How often `interrupted` is asked, in steps.
constexpr std::uint64_t steps_between_checks = 4096;

}  // namespace

void variable_stack::next_block(std::size_t n) {
  auto next = blocks_.empty() ? 0 : block_ + 1;
  if (next == blocks_.size() || blocks_[next].size < n) {
    auto size = std::max<std::size_t>(n, std::min<std::size_t>(512u << next, 1u << 16));
    blocks_.resize(next);
    blocks_.push_back({std::make_unique<value[]>(size), size, 0});
  }
  blocks_[next].used_below = used_;
  block_ = next;
  used_ = 0;
}

void variable_stack::release_blocks(mark m) {
  if (blocks_.empty()) return;
  for (; block_ > m.block; --block_) {
    drop(blocks_[block_].values.get(), blocks_[block_].values.get() + used_);
    used_ = blocks_[block_].used_below;
  }
  drop(blocks_[block_].values.get() + m.used, blocks_[block_].values.get() + used_);
  used_ = m.used;
}

evaluation_state::evaluation_state(const evaluation_request& r)
  : request(r), score(r.score), text(std::make_shared<const std::string>(r.text)) {
  if (r.env) {
    env.cursor = r.env->cursor;
    env.defaults = r.env->defaults;
    env.key_inference = r.env->key_inference;
  }
  auto here = static_cast<const char*>(__builtin_frame_address(0));
  stack_end_ = here - machine_stack;
  next_check_ = std::min(steps_between_checks, request.budget.steps);
}

// --- names ---------------------------------------------------------------------------------------

global_cell& evaluation_state::cell(const std::string& name) {
  auto [at, added] = cells_.try_emplace(name);
  if (added && request.env)
    if (auto b = request.env->bindings.find(name); b != request.env->bindings.end())
      at->second = {b->second.bound, true, false};
  return at->second;
}

const global_cell* evaluation_state::find_cell(const std::string& name) {
  auto& c = cell(name);
  return c.bound ? &c : nullptr;
}

void evaluation_state::restore(const kept_names& then) {
  for (auto i = then.definitions; i < definitions.size(); ++i) {
    auto& c = cells_.at(definitions[i].name);
    replaced_.push_back(std::move(c.v));
    c = {};
    if (auto was = then.cells.find(definitions[i].name); was != then.cells.end()) {
      c = was->second;
    } else if (request.env) {
      auto b = request.env->bindings.find(definitions[i].name);
      if (b != request.env->bindings.end()) c = {b->second.bound, true, false};
    }
  }
  definitions.erase(definitions.begin() + static_cast<std::ptrdiff_t>(then.definitions),
                    definitions.end());
}

std::vector<std::string_view> evaluation_state::bound_names() const {
  std::vector<std::string_view> names;
  if (request.env)
    for (auto& [name, b] : request.env->bindings)
      names.push_back(name);
  for (auto& [name, c] : cells_)
    if (c.bound) names.push_back(name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::optional<std::string> evaluation_state::suggestion(std::string_view name) const {
  auto candidates = bound_names();
  auto forms = form_names();
  candidates.insert(candidates.end(), forms.begin(), forms.end());
  if (auto near = nearest(name, candidates)) return near;
  // Names are written small: NOTE is note.
  std::string small{name};
  for (auto& c : small)
    c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return small == name ? std::nullopt : nearest(small, candidates);
}

global_cell* const* evaluation_state::find_links(const code_unit& unit) {
  auto [found, fresh] = links_.try_emplace(&unit);
  auto& links = found->second;
  // Kept even without names: another unit at the same address would be taken for this one.
  if (fresh) units_.push_back(unit.shared_from_this());
  if (links.size() < unit.globals.size()) {
    for (auto i = links.size(); i < unit.globals.size(); ++i)
      links.push_back(&cell(unit.globals[i]));
  }
  last_unit_ = &unit;
  return last_links_ = links.data();
}

// --- errors --------------------------------------------------------------------------------------

status evaluation_state::fail_with(errc code, std::string message, std::optional<source_span> at,
                                   std::string hint) {
  failure = error{code, std::move(message), at, std::move(hint)};
  return status::failed;
}

source_span evaluation_state::span_in(const node& n, const frame& f) const {
  return is_here(f) ? n.span : elsewhere;
}

status evaluation_state::located(const node& n, const frame& f, std::string_view in) {
  bool here = is_here(f);
  for (auto& d : failure.diagnostics) {
    if (d.span && d.span->begin == elsewhere.begin) d.span.reset();
    if (!d.span && here) {
      d.span = n.span;
      if (!in.empty()) d.message = "in `" + std::string{in} + "`: " + d.message;
    }
  }
  return status::failed;
}

// --- the budget ----------------------------------------------------------------------------------

status evaluation_state::over_budget(std::string_view what) {
  return fail_with(errc::budget_exceeded,
                   "the evaluation " + std::string{what} + "; nothing was changed", std::nullopt,
                   "look for endless loops or recursion, or produce less at once");
}

bool evaluation_state::check_budget() {
  if (steps_ >= request.budget.steps) {
    over_budget("took more than " + std::to_string(request.budget.steps) + " steps");
    return false;
  }
  if (is_interrupted()) return false;
  next_check_ = std::min(steps_ + steps_between_checks, request.budget.steps);
  return true;
}

bool evaluation_state::is_interrupted() {
  if (auto* meter = memory_meter::current(); meter != nullptr && meter->is_over()) {
    failure = error_of({stop_cause::out_of_memory, meter->pool().limit()});
    return true;
  }
  auto why = request.interrupted ? request.interrupted() : std::nullopt;
  if (!why) return false;
  if (*why == errc::cancelled)
    fail_with(errc::cancelled, "the evaluation was interrupted; nothing was changed", std::nullopt);
  else
    over_budget("took too long");
  return true;
}

result<void> evaluation_state::check_interrupted() {
  if (is_interrupted()) return fermata::fail(failure);
  return {};
}

bool evaluation_state::too_deep() {
  over_budget("exceeded a call depth of " + std::to_string(depth_ - 1));
  return false;
}

result<void> evaluation_state::produced(std::size_t n) {
  elements_ += std::min<std::uint64_t>(n, request.budget.elements + 1);
  // Producing costs time too, and a little of it many times as much as all at once.
  unpaid_ += n;
  steps_ += std::exchange(unpaid_, unpaid_ % elements_in_step) / elements_in_step;
  if (elements_ > request.budget.elements) {
    over_budget("produced more than " + std::to_string(request.budget.elements) +
                " list items or notes");
    return fermata::fail(failure);
  }
  if (steps_ >= next_check_ && !check_budget()) return fermata::fail(failure);
  return {};
}

result<void> evaluation_state::produced_bytes(std::uint64_t n) {
  bytes_ += std::min(n, request.budget.bytes + 1);
  if (bytes_ > request.budget.bytes) {
    over_budget("produced more than " + std::to_string(request.budget.bytes) +
                " bytes of text and music");
    return fermata::fail(failure);
  }
  return {};
}

result<void> evaluation_state::copied(std::uint64_t notes) {
  // Far beyond any budget, and far from an overflow of what is counted.
  notes = std::min(notes, std::uint64_t{1} << 40);
  if (auto ok = produced(notes); !ok) return ok;
  return produced_bytes(notes * bytes_of_note);
}

}  // namespace fermata

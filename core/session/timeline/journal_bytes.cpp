#include "core/session/timeline/journal_bytes.hpp"

#include <variant>
#include <vector>

namespace fermata {

namespace {

/// A note as JSON with its position, and what stands around the items of a measure.
constexpr std::uint64_t bytes_of_item = 120, bytes_of_measure = 60, bytes_of_line = 300;

std::uint64_t bytes_of(const std::vector<measure_ptr>& measures) {
  std::uint64_t bytes = 0;
  for (const auto& m : measures)
    bytes += bytes_of_measure + bytes_of_item * m->items.size();
  return bytes;
}

std::uint64_t bytes_of(const part_ptr& p) {
  std::uint64_t bytes = bytes_of_line;
  if (p)
    for (const auto& m : p->measures)
      bytes += bytes_of_measure + bytes_of_item * m->items.size();
  return bytes;
}

std::uint64_t bytes_of(const score_delta& d) {
  std::uint64_t bytes = 0;
  for (const auto& part : d.changed)
    for (const auto& r : part.measures)
      bytes += bytes_of(r.before) + bytes_of(r.after);
  for (const auto* side : {&d.removed, &d.added})
    for (const auto& p : *side)
      bytes += bytes_of(p.value);
  return bytes;
}

struct bytes_of_event {
  std::uint64_t operator()(const entry_committed& e) const {
    if (const auto* eval = std::get_if<eval_entry>(&e.entry->kind))
      return eval->text.size() + eval->output_text.size() + bytes_of(eval->delta);
    if (const auto* command = std::get_if<command_entry>(&e.entry->kind))
      return command->text.size() + command->output.size() + bytes_of(command->delta);
    return 0;
  }
  std::uint64_t operator()(const message_queued& e) const { return e.message.content.size(); }
  std::uint64_t operator()(const proposal_made& e) const {
    return e.made.text.size() + e.made.output_text.size() + bytes_of(e.made.delta);
  }
  std::uint64_t operator()(const answer_given& e) const {
    return e.answer.text.size() + e.answer.output_text.size();
  }
  template <class Other>
  std::uint64_t operator()(const Other&) const {
    return 0;
  }
};

}  // namespace

std::uint64_t journal_bytes(const transition& t) {
  auto bytes = bytes_of_line;
  for (const auto& e : t.events)
    bytes += std::visit(bytes_of_event{}, e);
  return bytes;
}

}  // namespace fermata

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// The steps moved by an `:undo` or `:redo`, as recorded in the text of its entry. The events of a
/// transition are not kept with the entries in memory, so this text is read back later; it is
/// written and read only here.

enum class step_way : std::uint8_t { back, forth };

struct moved_steps {
  step_way way = step_way::back;
  std::vector<std::int64_t> entries;  ///< whose changes they are, in the order they were moved
  bool operator==(const moved_steps&) const = default;
};

/// "Undid In[7], In[5]"; in words "Redid In 5, In 7". A run of three or more is written as a range:
/// "Undid In[9] to In[2]". Precondition: at least one step.
std::string to_text(const moved_steps& moved, bool accessible);

/// From the output of such a command: the text of `to_text`, a colon and anything. Empty if there
/// is no such text.
std::optional<moved_steps> read_moved_steps(std::string_view output);

/// False only if the text contains no such words: much cheaper than parsing it.
bool may_contain_moved_steps(std::string_view text);

}  // namespace fermata

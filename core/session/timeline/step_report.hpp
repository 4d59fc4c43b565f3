#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// Which steps an `:undo` or `:redo` moved, as its entry says it. The events of the transition are
/// not kept with the entries in memory, so whoever looks back reads these words; they are written
/// and read here only.

enum class step_way : std::uint8_t { back, forth };

struct moved_steps {
  step_way way = step_way::back;
  std::vector<std::int64_t> entries;  ///< whose changes they are, in the order they were moved
  bool operator==(const moved_steps&) const = default;
};

/// "Undid In[7], In[5]"; in words "Redid In 5, In 7". A run of three or more is written as a range:
/// "Undid In[9] to In[2]". Precondition: at least one step.
std::string to_text(const moved_steps& moved, bool in_words);

/// From what such a command printed: the words of `to_text`, a colon and anything. Nothing where
/// they do not stand.
std::optional<moved_steps> read_moved_steps(std::string_view output);

/// False only when no such words stand in this text: much cheaper than reading it.
bool may_tell_of_moved_steps(std::string_view text);

}  // namespace fermata

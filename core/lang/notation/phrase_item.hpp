#pragma once

#include "core/lang/value/music.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// An item of a phrase while it is read: later signs may still change it.
struct phrase_item {
  enum class what { timed, skip, other, group, tuplet } kind = what::other;
  chord_rest x;             ///< timed
  quarters length;          ///< timed, skip; of a group once it is fitted
  bool own_length = false;  ///< a duration was written
  music_ptr other;
  std::vector<phrase_item> inner;  ///< group, tuplet
  int actual = 1, normal = 1;
  std::optional<std::size_t> tied_at;  ///< position of its `~`
  std::string tied_place;              ///< the same as bar and beat
  std::size_t weight = 1;              ///< number of items in it
};

bool takes_time(const phrase_item& x);
/// Gives a note, chord or rest its written value and so its length.
void set_value(phrase_item& x, note_value v);
/// The number of items in a group of these, including itself.
std::size_t weight_of(const std::vector<phrase_item>& items);

/// Gives the contents of a group values that together last `whole`. If a group, this one or a
/// nested one, has a number of notes that does not fit its length: that number.
std::optional<int> fit(phrase_item& group, quarters whole);

/// Connects ties to the same pitch of the next sound. Returns the first item whose tie leads
/// nowhere, or null.
const phrase_item* join_ties(std::vector<phrase_item>& items);

/// Removes the ends of slurs whose other end is not among the items.
void keep_whole_slurs(std::vector<phrase_item>& items);

/// The music of the items.
void append_phrase(const std::vector<phrase_item>& items, std::vector<music_ptr>& out);

}  // namespace fermata

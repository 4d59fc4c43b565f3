#pragma once

#include "core/lang/value/music.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace fermata {

/// Small helpers to build music values.

inline music_ptr make_music(music::node&& data, source_span span = {}) {
  return std::make_shared<const music>(std::move(data), span);
}

inline value music_value(music::node&& data, source_span span = {}) {
  return value::of(make_music(std::move(data), span));
}

/// The leaf if `m` is one.
template <class T>
const T* leaf(const music& m) {
  auto content = std::get_if<measure_content>(&m.data);
  return content ? std::get_if<T>(content) : nullptr;
}

template <class T>
const T* as_node(const music& m) {
  return std::get_if<T>(&m.data);
}

/// The items of an inner node; null for leaves and other nodes without items.
const std::vector<music_ptr>* items_of(const music& m);
/// The same node with other items. `m` must have items.
music_ptr with_items(const music& m, std::vector<music_ptr> items);

/// The items, with plain seqs among them replaced by their items, since these have no meaning of
/// their own: a seq built by repeatedly adding to a seq stays flat.
std::vector<music_ptr> spliced(std::vector<music_ptr> items);

/// A single item itself, otherwise a seq of all.
music_ptr as_one(std::vector<music_ptr> items);

/// A grace note or a group of them.
bool is_grace(const music& m);
/// Whether `m` is a note, chord, rest or group with a position of its own in the sequence; marks
/// and grace notes belong to one that has.
bool takes_place(const music& m);

/// Whether `m` is or contains (in seqs, voices, staves, repeats and endings) a measure.
bool holds_measures(const music& m);

/// Whether `m` is or contains (in seqs) a part or a group of parts.
bool holds_parts(const music& m);

/// Whether `m` consists only of signs: before a measure they belong to its start.
bool is_mark_only(const music& m);

}  // namespace fermata

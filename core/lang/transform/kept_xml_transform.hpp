#pragma once

#include "core/lang/transform/copying.hpp"
#include "core/lang/value/music.hpp"
#include "core/score/model/kept_elements.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// The effect of a transformation on kept XML in music, by the table of kept elements
/// (core/score/model/kept_elements.hpp).

struct kept_edit {
  edit_operation operation;
  std::function<void(std::string_view what)> dropped;  ///< called for each dropped item
  rational factor{1};                                  ///< of augment: the factor of lengths
};

/// A leaf without what the operation contradicts, the rest adapted. Empty: all of it is dropped.
std::optional<measure_content> with_kept_edited(measure_content x, const kept_edit& e);
/// The same for content attached to a note, and for a tuplet's bracket.
chord_rest with_kept_edited(chord_rest x, const kept_edit& e);
preserved with_kept_edited(const preserved& x, const kept_edit& e);

/// The chord symbol without the displayed text of its old root and bass.
void drop_root_texts(harmony& x, const std::function<void(std::string_view what)>& dropped);
/// The key of a numeral, moved by so many fifths.
void move_numeral_key(harmony& x, int fifths);

/// Kept XML that applies from its position on (staff lines, measure styles) in reordered music: at
/// the start of a part it stays there, otherwise it is dropped.
class standing_xml {
public:
  standing_xml(edit_operation operation, copying& walk) : operation_(operation), walk_(walk) {}

  /// The music without it. Other kept XML is adapted to the operation.
  std::vector<music_ptr> taken_out(const std::vector<music_ptr>& items);
  /// The resulting music, parts in the same order, with the initial kept XML restored.
  std::vector<music_ptr> restored(const std::vector<music_ptr>& items);

private:
  music_ptr without(const music_ptr& m);
  music_ptr with(const music_ptr& m);

  edit_operation operation_;
  copying& walk_;
  std::vector<std::vector<fragment>> found_{1};  ///< outside of parts, then part by part
  std::size_t part_ = 0;
  bool after_notes_ = false;
};

}  // namespace fermata

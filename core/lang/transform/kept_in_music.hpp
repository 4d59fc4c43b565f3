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

/// What a transformation does to the XML that music keeps, as the table of kept elements says
/// (core/score/model/kept_elements.hpp).

struct kept_edit {
  edit_operation operation;
  std::function<void(std::string_view what)> dropped;  ///< told of each thing that goes
  rational factor{1};                                  ///< of augment: lengths times this
};

/// A leaf without what the operation contradicts, the rest made to fit. Nothing: all of it goes.
std::optional<measure_content> with_kept_edited(measure_content x, const kept_edit& e);
/// The same for what is attached to a note, and for a tuplet's bracket.
chord_rest with_kept_edited(chord_rest x, const kept_edit& e);
preserved with_kept_edited(const preserved& x, const kept_edit& e);

/// The chord symbol without what names its old root: the text of the root and of the bass.
void drop_root_texts(harmony& x, const std::function<void(std::string_view what)>& dropped);
/// The key that a numeral is counted in, moved by so many fifths.
void move_numeral_key(harmony& x, int fifths);

/// Kept XML that holds from where it stands (staff lines, measure styles) while music changes its
/// order: what stands at the beginning of a part stays there, all else goes.
class standing_xml {
public:
  standing_xml(edit_operation operation, copying& walk) : operation_(operation), walk_(walk) {}

  /// The music without it. What is not of this kind is made to fit the operation.
  std::vector<music_ptr> taken_out(const std::vector<music_ptr>& items);
  /// Music that was made of it, parts in the same order, with what stays at the beginning.
  std::vector<music_ptr> put_back(const std::vector<music_ptr>& items);

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

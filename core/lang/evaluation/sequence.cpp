#include "core/lang/evaluation/sequence.hpp"

#include "core/lang/value/make.hpp"
#include "core/lang/value/music.hpp"

namespace fermata {

std::optional<value> seq_of(std::span<const value> values) {
  seq_music seq;
  seq.items.reserve(values.size());
  for (auto& v : values) {
    auto m = v.get_if<music_ptr>();
    if (m == nullptr) return std::nullopt;
    seq.items.push_back(*m);
  }
  seq.items = spliced(std::move(seq.items));
  return value::of(std::make_shared<const music>(std::move(seq), source_span{}));
}

std::optional<std::vector<value>> items_of(const value& v) {
  if (auto list = v.as_list()) return list->items;
  if (auto m = v.as_music())
    if (auto seq = std::get_if<seq_music>(&m->data)) {
      std::vector<value> items;
      items.reserve(seq->items.size());
      for (auto& item : seq->items)
        items.push_back(value::of(item));
      return items;
    }
  return std::nullopt;
}

}  // namespace fermata

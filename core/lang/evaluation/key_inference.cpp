#include "core/lang/evaluation/key_inference.hpp"

#include "core/lang/names/spec.hpp"
#include "core/lang/value/form_spec.hpp"
#include "core/lang/value/make.hpp"
#include "core/score/model/part_defaults.hpp"
#include "core/score/model/walk.hpp"

#include <algorithm>
#include <initializer_list>
#include <tuple>

namespace fermata {

namespace {

/// Whether the pitch was typed without any accidental: a letter and an octave, no more.
bool is_bare(std::string_view typed) {
  auto letter = !typed.empty() &&
                ((typed[0] >= 'a' && typed[0] <= 'g') || (typed[0] >= 'A' && typed[0] <= 'G'));
  return letter && typed.size() > 1 &&
         typed.find_first_not_of("-0123456789", 1) == std::string_view::npos;
}

/// The name of the form that a list calls, an alias resolved.
std::string_view head_of(const value& v) {
  auto list = v.as_list();
  auto word =
      list && !list->bracketed && !list->items.empty() ? list->items[0].as_symbol() : nullptr;
  if (!word) return {};
  auto row = find_form(*word);
  return row ? std::string_view{row->name} : std::string_view{*word};
}

bool is_among(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// A form that puts music at a place of its own.
bool is_edit(std::string_view head) {
  return is_among(head, {"at", "replace", "insert-measure", "edit"});
}

/// Goes through what was typed in the order of the music and keeps the key that holds.
class inference {
public:
  inference(std::string_view text, const typed_keys& keys)
    : text_(text), keys_(keys), key_(keys.at_cursor) {}

  value walk(const value& v, source_span span) {
    if (auto p = v.as_pitch()) return spelt(v, *p, span);
    auto list = v.as_list();
    if (!list || depth_ == deepest) return v;
    ++depth_;
    auto out = walk_list(v, *list, span);
    --depth_;
    return out;
  }

private:
  /// Music is not nested deeper; each level has its own call on the machine stack.
  static constexpr int deepest = 500;

  value walk_list(const value& v, const list_data& list, source_span span) {
    auto head = head_of(v);
    if (head == "key") {
      say(v);
      return v;
    }
    auto outer = std::tuple{key_, staff_, in_score_};
    if (head == "score") {
      key_ = shared_ = keys_.of_new_score;
      in_score_ = true;
    } else if (head == "part") {
      key_ = in_score_ ? shared_ : keys_.of_new_part;
    } else if (head == "staff" && list.items.size() > 1 && int_of(list.items[1])) {
      staff_ = *int_of(list.items[1]);
    }
    if (is_edit(head) && list.items.size() > 1)
      if (auto there = keys_.at_place(head, list.items[1])) key_ = *there;
    auto copy = items(list, head);
    auto spans = list.spans;
    // What holds inside these says nothing of what follows them.
    if (is_among(head, {"score", "part", "def", "defn", "fn", "defmacro"}) || is_edit(head))
      key_ = std::get<0>(outer);
    std::tie(std::ignore, staff_, in_score_) = outer;
    if (head == "phrase" && is_unkeyed(copy)) {
      copy.push_back(value::kw("key"));
      copy.push_back(music_value(key_mark(key_)));
      spans.resize(copy.size(), span);
    }
    return value::list(std::move(copy), list.bracketed, std::move(spans), list.span);
  }

  static measure_content key_mark(const key_signature& key) {
    attributes a;
    a.keys.push_back({{}, key, {}});
    return a;
  }
  static bool is_unkeyed(const std::vector<value>& phrase) {
    return std::none_of(phrase.begin(), phrase.end(),
                        [](const value& v) { return v.as_keyword() && *v.as_keyword() == "key"; });
  }

  value spelt(const value& v, const pitch& p, source_span span) const {
    if (p.cents != 0 || span.end > text_.size() || span.begin >= span.end ||
        !is_bare(text_.substr(span.begin, span.end - span.begin)))
      return v;
    auto out = p;
    out.cents = static_cast<std::int16_t>(alteration(key_, p.letter));
    return value::of(out);
  }

  void say(const value& form) {
    auto said = keys_.meaning(form);
    if (!said || said->staff.value_or(staff_) != staff_) return;
    key_ = said->value;
  }

  std::vector<value> items(const list_data& list, std::string_view head) {
    std::vector<value> copy;
    copy.reserve(list.items.size());
    // Voices, staves and what sounds together begin in the same key.
    std::optional<key_signature> layers_begin, layers_end;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const auto& x = list.items[i];
      auto layer = head == "par" || is_among(head_of(x), {"staff", "voice"});
      if (layer && layers_begin)
        key_ = *layers_begin;
      else if (layer)
        layers_begin = key_;
      copy.push_back(walk(x, i < list.spans.size() ? list.spans[i] : source_span{}));
      if (layer) {
        // The first of them goes on behind them.
        if (!layers_end) layers_end = key_;
        key_ = *layers_end;
      } else {
        layers_begin = layers_end = std::nullopt;
      }
      if (head == "measure" && i > 0 && list.items[i - 1].as_keyword() &&
          *list.items[i - 1].as_keyword() == "key" && !x.as_list())
        say(value::list({value::sym("key"), x}));
      if (head == "score") shared_ = key_;
    }
    return copy;
  }

  std::string_view text_;
  const typed_keys& keys_;
  key_signature key_;
  key_signature shared_;  ///< of all parts of the score
  int staff_ = 1;
  int depth_ = 0;
  bool in_score_ = false;
};

}  // namespace

key_signature key_at(const score& s, const environment& env) {
  const auto& at = env.cursor;
  if (at.part >= s.parts.size() || s.parts[at.part]->measures.empty())
    return opening_attributes(s, at.part, env.defaults).keys.front().value;
  const auto& p = *s.parts[at.part];
  if (at.measure >= p.measures.size())
    return state_before(p, p.measures.size()).key_or_default(at.staff);
  return state_at(p, at.measure, at.position).key_or_default(at.staff);
}

value with_inferred_key(const value& datum, source_span span, std::string_view text,
                        const typed_keys& keys) {
  return inference{text, keys}.walk(datum, span);
}

}  // namespace fermata

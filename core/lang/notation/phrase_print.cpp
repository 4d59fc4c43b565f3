#include "core/lang/names/phrase_symbols.hpp"
#include "core/lang/notation/phrase.hpp"
#include "core/lang/value/make.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// Writes items as a phrase; gives up on whatever a phrase cannot say.
class phrase_writer {
public:
  bool write(const std::vector<music_ptr>& items) {
    for (const auto& x : items)
      if (!write(*x)) return false;
    return true;
  }
  std::string text() && { return std::move(text_); }

private:
  bool write(const music& m) {
    if (auto x = leaf<chord_rest>(m)) return write(*x);
    if (auto d = leaf<direction>(m)) {
      auto name = phrase_dynamic_name(*d);
      if (name) word("!" + *name);
      return name.has_value();
    }
    if (auto h = leaf<harmony>(m)) {
      auto symbol = harmony_symbol(*h);
      if (symbol) word("^" + *symbol);
      return symbol.has_value();
    }
    if (auto t = as_node<tuplet_music>(m)) {
      if (t->unit || t->extra || !t->marked) return false;
      word("{" + std::to_string(t->actual) + ":" + std::to_string(t->normal));
      auto ok = write(t->items);
      text_ += "}";
      return ok;
    }
    if (auto b = as_node<bar_check_music>(m)) {
      word(b->number ? "| " + *b->number : "|");
      return true;
    }
    if (auto s = as_node<skip_music>(m)) {
      auto v = note_value_for(s->distance);
      if (!v || s->distance <= quarters{}) return false;
      word("s");
      duration(*v);
      return true;
    }
    return false;
  }

  bool write(const chord_rest& x) {
    if (x.notes.empty()) return false;
    if (is_rest(x)) {
      word(std::get<rest>(x.notes.front().tone).whole_measure ? "R" : "r");
    } else if (x.notes.size() == 1) {
      auto p = std::get_if<pitch>(&x.notes.front().tone);
      if (!p) return false;
      word(name(*p));
    } else {
      word("<");
      const pitch* below = nullptr;
      for (const auto& n : x.notes) {
        auto p = std::get_if<pitch>(&n.tone);
        if (!p) return false;
        if (below) text_ += ' ';
        text_ += below ? name_above(*below, *p) : name(*p);
        below = p;
      }
      text_ += ">";
    }
    if (x.written) duration(*x.written);
    const auto& n = x.notes.front();
    for (const auto& m : n.marks) {
      auto sign = phrase_sign(m.kind);
      if (!sign) return false;
      text_ += '-';
      text_ += *sign;
    }
    for (const auto& s : n.spanners)
      text_ += s.end == span_end::start ? "(" : ")";
    if (n.tie.start) text_ += "~";
    return true;
  }

  std::string name(const pitch& p) {
    auto text = to_string(p);
    auto octave = std::to_string(p.octave);
    if (octave_ == p.octave && text.ends_with(octave)) text.resize(text.size() - octave.size());
    octave_ = p.octave;
    return text;
  }

  /// In a chord, behind the pitch `below`.
  static std::string name_above(const pitch& below, const pitch& p) {
    auto text = to_string(p);
    auto octave = std::to_string(p.octave);
    if (next_above(below, p) == p && text.ends_with(octave))
      text.resize(text.size() - octave.size());
    return text;
  }

  void duration(note_value v) {
    if (v == value_) return;
    value_ = v;
    text_ += ":" + to_string(v);
  }

  void word(const std::string& w) {
    if (!text_.empty()) text_ += ' ';
    text_ += w;
  }

  std::string text_;
  std::optional<int> octave_;  ///< written out at the beginning, for readers
  std::optional<note_value> value_;
};

}  // namespace

bool may_stand_in_phrase(const music& m) {
  return leaf<chord_rest>(m) || leaf<direction>(m) || leaf<harmony>(m) ||
         as_node<tuplet_music>(m) || as_node<bar_check_music>(m) || as_node<skip_music>(m);
}

std::optional<std::string> phrase_of(const std::vector<music_ptr>& items) {
  phrase_writer w;
  if (!w.write(items)) return std::nullopt;
  auto text = std::move(w).text();
  auto back = parse_phrase(text);
  auto same = back && back->size() == items.size() &&
              std::equal(back->begin(), back->end(), items.begin(),
                         [](const music_ptr& a, const music_ptr& b) { return *a == *b; });
  return same ? std::optional{std::move(text)} : std::nullopt;
}

}  // namespace fermata

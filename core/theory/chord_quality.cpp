#include "core/theory/chord_quality.hpp"

#include "core/music/pitch.hpp"
#include "core/theory/chord_type.hpp"

#include <algorithm>
#include <string>

namespace fermata {

namespace {

/// Longer than any quality in print; what is longer is none.
constexpr std::size_t max_quality_length = 48;

/// Decoration that does not change what a quality means is taken away and signs become ASCII.
std::string plain_quality(std::string_view text) {
  struct replacement {
    std::string_view from, to;
  };
  constexpr replacement replacements[] = {
      {"\u266f", "#"},
      {"\u266d", "b"},
      {"\u25b3", "\u0394"},
      {"\u2206", "\u0394"},
      {"\u00ba", "\u00b0"},
      {"\u00d8", "\u00f8"},
      {"\u2212", "-"},
      {"\u2013", "-"},
      {"(", ""},
      {")", ""},
      {"[", ""},
      {"]", ""},
      {",", ""},
      {" ", ""},
  };
  std::string out;
  while (!text.empty()) {
    auto r = std::find_if(std::begin(replacements), std::end(replacements),
                          [&](const replacement& x) { return text.starts_with(x.from); });
    if (r == std::end(replacements)) {
      out += text.front();
      text.remove_prefix(1);
    } else {
      out += r->to;
      text.remove_prefix(r->from.size());
    }
  }
  return out;
}

/// Semitones of the major or perfect interval with this number.
int natural(int number) {
  return semitones_above_c(static_cast<step>((number - 1) % 7)) + 12 * ((number - 1) / 7);
}

/// The tones above a root, addressed by the numbers musicians use.
class chord_tones {
public:
  bool has(int number) const { return std::any_of(tones_.begin(), tones_.end(), is(number)); }
  void remove(int number) { std::erase_if(tones_, is(number)); }
  void set(int number, int semitones) {
    remove(number);
    add(number, semitones);
  }
  /// Whether it was not there yet.
  bool add(int number, int semitones) {
    interval i{number - 1, semitones};
    if (std::find(tones_.begin(), tones_.end(), i) != tones_.end()) return false;
    tones_.push_back(i);
    return true;
  }
  std::vector<interval> ascending() const {
    auto result = tones_;
    std::sort(result.begin(), result.end(), [](interval a, interval b) {
      return a.steps != b.steps ? a.steps < b.steps : a.semitones < b.semitones;
    });
    return result;
  }

private:
  struct is {
    int number;
    explicit is(int n) : number(n) {}
    bool operator()(interval i) const { return i.steps == number - 1; }
  };
  std::vector<interval> tones_{{0, 0}};
};

/// Reads a quality from the left, part by part.
class quality_reader {
public:
  explicit quality_reader(std::string_view text) : text_(text) {}

  std::optional<std::vector<interval>> read() {
    third();
    extension();
    while (!text_.empty())
      if (!modifier()) return std::nullopt;
    return tones_.ascending();
  }

private:
  bool take(std::string_view word) {
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  template <class... Words>
  bool take_any(Words... words) {
    return (take(words) || ...);
  }
  bool take_major() {
    return take_any("major", "maj", "Maj", "MAJ", "ma", "Ma", "M", "^", "\u0394");
  }
  int take_number() {
    for (int n : {13, 11, 9, 7, 6, 5, 4, 3, 2})
      if (take(std::to_string(n))) return n;
    return 0;
  }

  void third() {
    tones_.set(3, 4);
    tones_.set(5, 7);
    if (take_major()) {
      seventh_ = 11;
    } else if (take_any("minor", "min", "Min", "MIN", "mi", "m", "-")) {
      tones_.set(3, 3);
      // Nobody calls a minor triad major: "m(maj)" has the major seventh.
      if (take_major()) tones_.set(7, 11);
    } else if (take_any("dim", "\u00b0", "o")) {
      tones_.set(3, 3);
      tones_.set(5, 6);
      seventh_ = take_major() ? 11 : 9;
    } else if (take_any("\u00f8", "h")) {
      tones_.set(3, 3);
      tones_.set(5, 6);
      tones_.set(7, 10);
    } else if (take_any("aug", "+")) {
      tones_.set(5, 8);
      seventh_ = take_major() ? 11 : 10;
    }
  }

  void extension() {
    auto before = text_;
    if (take_any("6/9", "69")) {
      tones_.set(6, 9);
      tones_.set(9, 14);
      return;
    }
    switch (auto n = take_number()) {
      case 5: tones_.remove(3); break;
      case 6: tones_.set(6, 9); break;
      case 7: seventh(); break;
      case 9:
      case 11:
      case 13:
        seventh();
        tones_.set(9, 14);
        if (n != 9) tones_.set(n, natural(n));
        break;
      default: text_ = before;
    }
  }

  void seventh() {
    if (!tones_.has(7)) tones_.set(7, seventh_);
  }

  void suspend(int number, int semitones) {
    tones_.remove(3);
    tones_.set(number, semitones);
  }

  bool modifier() {
    if (take("sus24")) {
      suspend(2, 2);
      tones_.set(4, 5);
    } else if (take("sus2")) {
      suspend(2, 2);
    } else if (take_any("sus4", "sus")) {
      suspend(4, 5);
    } else if (take("alt")) {
      seventh();
      tones_.set(5, 8);
      tones_.set(9, 15);
    } else if (take_any("omit", "no")) {
      auto n = take_number();
      tones_.remove(n);
      return n != 0;
    } else if (take_any("maj7", "Maj7", "ma7", "M7", "\u03947")) {
      tones_.set(7, 11);
    } else {
      return degree();
    }
    return true;
  }

  /// "b9", "#11", "add9", "/13", "13".
  bool degree() {
    bool added = take_any("add", "/");
    int shift = take_any("b", "-") ? -1 : take_any("#", "+") ? 1 : 0;
    auto n = take_number();
    if (n == 0 || n == 3 || n == 7) return false;
    if (n == 5) {
      tones_.set(5, natural(5) + shift);
      return true;
    }
    // Below the octave an altered tone is only named so; it sounds as tension above the chord.
    if (n == 2 || (n == 4 && shift != 0) || (n == 6 && shift != 0 && tones_.has(7))) n += 7;
    if (n == 13 && shift == 0 && !tones_.has(7)) n = 6;
    bool replaces = shift != 0 && !added && altered_ != n;
    altered_ = n;
    if (replaces)
      tones_.set(n, natural(n) + shift);
    else  // what is there already was typed twice by mistake: "Dm99"
      return tones_.add(n, natural(n) + shift);
    return true;
  }

  std::string_view text_;
  chord_tones tones_;
  int seventh_ = 10;  ///< the seventh that 7, 9, 11 and 13 bring
  int altered_ = 0;   ///< the degree altered last; a second alteration of it is another tone
};

}  // namespace

std::optional<std::vector<interval>> parse_chord_quality(std::string_view text) {
  if (text.size() > max_quality_length) return std::nullopt;
  if (auto type = find_chord(text)) return type->intervals;
  auto plain = plain_quality(text);
  if (auto type = find_chord(std::string_view{plain})) return type->intervals;
  return quality_reader{plain}.read();
}

}  // namespace fermata

#include "core/theory/roman_numeral.hpp"

#include <algorithm>
#include <array>

namespace fermata {

namespace {

/// Longer than any numeral in print.
constexpr std::size_t max_numeral_length = 64;

constexpr std::array<std::string_view, 7> capital_numerals{"I", "II", "III", "IV",
                                                           "V", "VI", "VII"};
constexpr std::array<std::string_view, 7> small_numerals{"i", "ii", "iii", "iv", "v", "vi", "vii"};

/// The figures below the bass and what they say about the chord. The first row of a chord is the
/// one that is printed.
struct figure_row {
  std::string_view figures;
  int extension;
  int inversion;
};
constexpr figure_row figure_table[] = {
    {"", 5, 0},    {"6", 5, 1},   {"64", 5, 2},  {"7", 7, 0},   {"65", 7, 1},
    {"43", 7, 2},  {"42", 7, 3},  {"9", 9, 0},   {"11", 11, 0}, {"13", 13, 0},
    {"5", 5, 0},   {"53", 5, 0},  {"63", 5, 1},  {"2", 7, 3},   {"643", 7, 2},
    {"653", 7, 1}, {"642", 7, 3}, {"753", 7, 0}, {"975", 9, 0}, {"97", 9, 0},
};

/// Chords with a name, and the figures they have when none are written.
struct named_row {
  std::string_view name;
  numeral_kind kind;
  int extension;
  int inversion;
};
constexpr named_row named_table[] = {
    {"Ger", numeral_kind::german_sixth, 7, 1}, {"Gn", numeral_kind::german_sixth, 7, 1},
    {"Fr", numeral_kind::french_sixth, 7, 2},  {"It", numeral_kind::italian_sixth, 5, 1},
    {"Sw", numeral_kind::swiss_sixth, 7, 2},   {"Cad", numeral_kind::cadential_six_four, 5, 2},
    {"N", numeral_kind::neapolitan, 5, 0},
};

const named_row* find_named(numeral_kind kind) {
  for (const auto& row : named_table)
    if (row.kind == kind) return &row;
  return nullptr;
}

bool is_figure_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads one numeral with its applied targets from the left.
class numeral_reader {
public:
  explicit numeral_reader(std::string_view text) : text_(text) {}

  std::optional<roman_numeral> read() {
    auto first = read_one();
    if (!first) return std::nullopt;
    std::vector<roman_numeral> chain{*first};
    while (take("/")) {
      auto target = read_one();
      if (!target || target->inversion != 0) return std::nullopt;
      chain.push_back(*target);
    }
    if (!text_.empty()) return std::nullopt;
    // V/V/ii is V of (V of ii): nest from the right.
    auto result = std::move(chain.back());
    for (auto i = chain.size() - 1; i-- > 0;) {
      chain[i].applied_to = {std::move(result)};
      result = std::move(chain[i]);
    }
    return result;
  }

private:
  bool take(std::string_view word) {
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  std::optional<roman_numeral> read_one() {
    roman_numeral n;
    for (const auto& row : named_table)
      if (take(row.name)) return named(n, row) && brackets(n) ? std::optional{n} : std::nullopt;
    n.accidental = accidental();
    if (!number(n)) return std::nullopt;
    quality(n);
    n.major_seventh = take("maj") || take("M");
    if (!figures(n) || (n.major_seventh && n.extension < 7) || !brackets(n)) return std::nullopt;
    if (n.quality == triad_quality::half_diminished && n.extension < 7 && n.inversion == 0)
      n.extension = 7;  // "vii/o" without figures is the seventh chord: a triad cannot be half
    return n;
  }

  /// The figures of a chord with a name; none are its usual ones, and so is a 6 with it.
  bool named(roman_numeral& n, const named_row& row) {
    n.kind = row.kind;
    if (!figures(n)) return false;
    bool bare = n.extension == 5 && n.inversion == 0;
    bool sixth = n.extension == 5 && n.inversion == 1;
    if (row.kind != numeral_kind::neapolitan && (bare || (sixth && row.extension == 7))) {
      n.extension = row.extension;
      n.inversion = row.inversion;
    }
    return n.extension == row.extension &&
           (row.kind != numeral_kind::cadential_six_four || n.inversion == row.inversion);
  }

  int accidental() {
    int semitones = 0;
    for (;;) {
      if (take("#") || take("\u266f"))
        ++semitones;
      else if (take("b") || take("\u266d"))
        --semitones;
      else
        return semitones;
      if (semitones > 3 || semitones < -3) return semitones;
    }
  }

  bool number(roman_numeral& n) {
    // Longest first, so that VII is not read as V.
    for (int i : {7, 3, 6, 4, 2, 5, 1}) {
      if (take(capital_numerals[static_cast<std::size_t>(i - 1)]))
        n.quality = triad_quality::major;
      else if (take(small_numerals[static_cast<std::size_t>(i - 1)]))
        n.quality = triad_quality::minor;
      else
        continue;
      n.degree = i;
      return true;
    }
    return false;
  }

  void quality(roman_numeral& n) {
    if (take("/o") || take("\u00f8") || take("/\u00b0"))
      n.quality = triad_quality::half_diminished;
    else if (take("o") || take("\u00b0") || take("\u00ba"))
      n.quality = triad_quality::diminished;
    else if (take("+"))
      n.quality = triad_quality::augmented;
  }

  /// Digits, with slashes between them allowed: "65" and "6/5".
  bool figures(roman_numeral& n) {
    std::string digits;
    while (!text_.empty() && digits.size() < 4) {
      if (is_figure_digit(text_.front()))
        digits += text_.front();
      else if (digits.empty() || text_.size() < 2 || text_.front() != '/' ||
               !is_figure_digit(text_[1]))
        break;
      text_.remove_prefix(1);
    }
    for (const auto& row : figure_table)
      if (row.figures == digits) {
        n.extension = row.extension;
        n.inversion = row.inversion;
        return true;
      }
    return false;
  }

  bool brackets(roman_numeral& n) {
    while (take("[")) {
      numeral_alteration a;
      if (take("no"))
        a.what = numeral_alteration::action::omit;
      else if (take("add"))
        a.what = numeral_alteration::action::add;
      a.semitones = accidental();
      a.number = 0;
      while (!text_.empty() && is_figure_digit(text_.front()) && a.number < 100) {
        a.number = a.number * 10 + (text_.front() - '0');
        text_.remove_prefix(1);
      }
      if (a.number < 1 || a.number > 15 || !take("]") || n.alterations.size() == 8) return false;
      n.alterations.push_back(a);
    }
    return true;
  }

  std::string_view text_;
};

std::string accidental_text(int semitones) {
  return std::string(static_cast<std::size_t>(semitones < 0 ? -semitones : semitones),
                     semitones < 0 ? 'b' : '#');
}

std::string_view figures_of(int extension, int inversion) {
  for (const auto& row : figure_table)
    if (row.extension == extension && row.inversion == inversion) return row.figures;
  return {};
}

}  // namespace

result<roman_numeral> parse_roman_numeral(std::string_view text) {
  if (text.size() <= max_numeral_length)
    if (auto n = numeral_reader{text}.read()) return *n;
  return fail({errc::invalid_chord,
               "not a Roman numeral: `" + std::string{text.substr(0, max_numeral_length)} + "`",
               std::nullopt, "write numerals such as I, V65, viio7, vii/o7, bVI, V7/V, N6, Ger65"});
}

result<std::vector<roman_numeral>> parse_roman_numerals(std::string_view text) {
  std::vector<roman_numeral> numerals;
  while (!text.empty()) {
    auto end = std::min(text.find_first_of(" \t\r\n|"), text.size());
    if (end > 0) {
      auto n = parse_roman_numeral(text.substr(0, end));
      if (!n) return fail(n.error());
      numerals.push_back(std::move(*n));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return numerals;
}

std::string to_string(const roman_numeral& n) {
  std::string out;
  if (auto named = find_named(n.kind)) {
    out = named->name;
    out += figures_of(n.extension, n.inversion);
  } else {
    auto i = static_cast<std::size_t>(n.degree - 1);
    bool capital = n.quality == triad_quality::major || n.quality == triad_quality::augmented;
    out = accidental_text(n.accidental);
    out += capital ? capital_numerals[i] : small_numerals[i];
    if (n.quality == triad_quality::diminished) out += "o";
    if (n.quality == triad_quality::half_diminished) out += "/o";
    if (n.quality == triad_quality::augmented) out += "+";
    if (n.major_seventh) out += "maj";
    out += figures_of(n.extension, n.inversion);
  }
  for (const auto& a : n.alterations) {
    out += a.what == numeral_alteration::action::omit  ? "[no"
           : a.what == numeral_alteration::action::add ? "[add"
                                                       : "[";
    out += accidental_text(a.semitones) + std::to_string(a.number) + "]";
  }
  if (!n.applied_to.empty()) out += "/" + to_string(n.applied_to.front());
  return out;
}

}  // namespace fermata

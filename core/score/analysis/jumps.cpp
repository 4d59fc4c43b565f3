#include "core/score/analysis/jumps.hpp"

#include <algorithm>
#include <cctype>

namespace fermata {

namespace {

/// Lower case, letters only, single blanks: "D.S. al  Coda" becomes "ds al coda".
std::string plain_words(std::string_view text) {
  std::string out;
  bool blank = false;
  for (unsigned char c : text) {
    if (std::isalpha(c)) {
      if (blank && !out.empty()) out += ' ';
      blank = false;
      out += static_cast<char>(std::tolower(c));
    } else if (std::isspace(c) || c == '-' || c == '_') {
      blank = true;
    }
  }
  return out;
}

bool has_child(const preserved& p, std::string_view element) {
  return p && std::any_of(p->children.begin(), p->children.end(), [&](auto& c) {
           auto start = "<" + std::string{element};
           return c.xml.compare(0, start.size(), start) == 0 &&
                  (c.xml.size() == start.size() ||
                   std::string_view{" />"}.find(c.xml[start.size()]) != std::string_view::npos);
         });
}

/// Collects the signs of one measure.
class sign_reader {
public:
  explicit sign_reader(measure_signs& signs) : signs_(signs) {}

  /// Coda signs without further words, with their place.
  std::vector<measure_position> bare_codas;

  void read(const measure& m) {
    for (auto& item : m.items) {
      at_ = item.at;
      std::visit(*this, item.content);
    }
  }

  void operator()(const barline& b) {
    if (b.repeat == "forward") signs_.forward = true;
    if (b.repeat == "backward") {
      signs_.backward = true;
      if (b.repeat_times) signs_.times = *b.repeat_times;
      signs_.after_jump |= b.after_jump == "yes";
    }
    if (b.ending_type == "start") {
      signs_.ending_starts = true;
      if (signs_.ending_numbers.empty())
        signs_.ending_numbers = numbers_of_ending(b.ending_numbers);
    } else if (b.ending_type == "stop" || b.ending_type == "discontinue") {
      signs_.ending_stops = true;
    }
    if (has_child(b.extra, "segno")) signs_.segno = true;
    if (has_child(b.extra, "coda")) bare_codas.push_back(at_);
  }

  void operator()(const sound& s) { read(s); }

  void operator()(const direction& d) {
    if (d.sound && (!d.sound->extra || read(*d.sound))) return;  // nothing, or what it says
    std::optional<word_sign> words_say;
    bool coda_sign = false;
    for (auto& t : d.types) {
      if (std::holds_alternative<segno_mark>(t)) {
        segno_sign_ = true;
      } else if (std::holds_alternative<coda_mark>(t)) {
        coda_sign = true;
      } else if (auto* w = std::get_if<words>(&t)) {
        if (!words_say) words_say = sign_in_words(w->text);
      }
    }
    if (words_say && words_say->jumps && !signs_.jumps) signs_.jumps = words_say->jumps;
    if (words_say && words_say->fine) note_fine();
    if (words_say && words_say->to_coda)
      leave_for_coda("");
    else if (coda_sign && !(words_say && words_say->jumps))
      bare_codas.push_back(at_);
    else if (words_say && words_say->coda)
      signs_.coda = true;
    // "D.S. al Coda" with a segno drawn beside it does not mark the place to jump to.
    if ((segno_sign_ && !(words_say && words_say->jumps)) || (words_say && words_say->segno))
      signs_.segno = true;
    segno_sign_ = false;
  }

  void operator()(const chord_rest&) {}
  void operator()(const attributes&) {}
  void operator()(const harmony&) {}
  void operator()(const figured_bass&) {}
  void operator()(const print_layout&) {}
  void operator()(const fragment&) {}

private:
  /// Whether the sound says anything about the way.
  bool read(const sound& s) {
    bool said = false;
    auto when = [&](std::string_view name, auto act) {
      if (auto value = s.attribute(name); !value.empty() && value != "no") {
        said = true;
        act(value == "yes" ? std::string{} : value);
      }
    };
    auto passes = numbers_of_ending(s.attribute("time-only"));
    when("forward-repeat", [&](auto) { signs_.forward = true; });
    when("segno", [&](auto label) {
      signs_.segno = true;
      signs_.segno_label = label;
    });
    when("coda", [&](auto label) {
      signs_.coda = true;
      signs_.coda_label = label;
    });
    when("dacapo", [&](auto) {
      signs_.jumps = jump{jump::to::beginning, "", jump_goal::unspecified, passes};
    });
    when("dalsegno", [&](auto label) {
      signs_.jumps = jump{jump::to::segno, label, jump_goal::unspecified, passes};
    });
    when("tocoda", [&](auto label) { leave_for_coda(label); });
    when("fine", [&](auto) { note_fine(); });
    return said;
  }

  /// Several parts say it; the first that says a place is right, and the end of the measure wins.
  void note_fine() {
    if (!signs_.fine && at_ > measure_position{}) signs_.fine_at = at_;
    if (at_ == measure_position{}) signs_.fine_at.reset();
    signs_.fine = true;
  }

  void leave_for_coda(const std::string& label) {
    (at_ == measure_position{} ? signs_.to_coda_before : signs_.to_coda_after) = label;
  }

  measure_signs& signs_;
  measure_position at_;
  bool segno_sign_ = false;
};

quarters longest_extent(const score& s, std::size_t m) {
  quarters length;
  for (auto& p : s.parts)
    if (m < p->measures.size()) length = std::max(length, extent(*p->measures[m]));
  return length;
}

/// Whether the piece really ends at a "Fine" within a measure, or behind the note it is attached
/// to.
bool ends_within(const score& s, std::size_t m, measure_position at) {
  auto rest_of_measure = measure_position{} + longest_extent(s, m) - at;
  if (rest_of_measure <= quarters{}) return false;
  for (auto& p : s.parts) {
    if (m >= p->measures.size()) continue;
    for (auto& item : p->measures[m]->items) {
      if (auto* x = std::get_if<chord_rest>(&item.content); x && item.at > at && !is_rest(*x))
        return true;
      if (auto* b = std::get_if<barline>(&item.content);
          b && item.at == at && b->location == "middle")
        return true;
    }
  }
  return m > 0 && longest_extent(s, 0) < longest_extent(s, m) &&
         longest_extent(s, 0) == rest_of_measure;
}

}  // namespace

std::vector<int> numbers_of_ending(std::string_view text) {
  std::vector<int> found;
  bool range = false;
  for (std::size_t i = 0; i < text.size();) {
    if (!std::isdigit(static_cast<unsigned char>(text[i]))) {
      range |= text[i] == '-' && !found.empty();
      if (text[i] == ',') range = false;
      ++i;
      continue;
    }
    int n = 0;
    for (; i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])); ++i)
      n = std::min(n * 10 + (text[i] - '0'), 1000);
    if (range)
      for (auto k = found.back() + 1; k < n; ++k)
        found.push_back(k);
    range = false;
    if (n > 0) found.push_back(n);
  }
  return found;
}

std::optional<word_sign> sign_in_words(std::string_view text) {
  auto w = plain_words(text);
  auto has = [&](std::string_view part) {
    auto at = w.find(part);
    return at != std::string::npos && (at == 0 || w[at - 1] == ' ') &&
           (at + part.size() == w.size() || w[at + part.size()] == ' ');
  };
  word_sign sign;
  bool capo = has("dc") || has("d c") || has("da capo");
  bool segno = has("ds") || has("d s") || has("dal segno") || has("del segno");
  if (capo || segno) {
    jump j;
    j.target = capo ? jump::to::beginning : jump::to::segno;
    if (has("fine"))
      j.goal = jump_goal::fine;
    else if (has("coda"))
      j.goal = jump_goal::coda;
    sign.jumps = j;
    return sign;
  }
  sign.to_coda = w == "to coda" || w == "al coda" || w == "alla coda";
  sign.fine = w == "fine";
  sign.segno = w == "segno";
  sign.coda = w == "coda";
  if (sign.to_coda || sign.fine || sign.segno || sign.coda) return sign;
  return std::nullopt;
}

std::vector<measure_signs> signs_of(const score& s) {
  std::size_t count = 0;
  for (auto& p : s.parts)
    count = std::max(count, p->measures.size());
  std::vector<measure_signs> all(count);
  struct bare_coda {
    std::size_t measure;
    measure_position at;
  };
  std::vector<bare_coda> bare;
  for (auto& p : s.parts)
    for (std::size_t m = 0; m < p->measures.size(); ++m) {
      sign_reader reader{all[m]};
      reader.read(*p->measures[m]);
      for (auto at : reader.bare_codas)
        if (std::none_of(bare.begin(), bare.end(), [&](auto& b) { return b.measure == m; }))
          bare.push_back({m, at});
    }
  for (std::size_t m = 0; m < count; ++m)
    if (all[m].fine_at && !ends_within(s, m, *all[m].fine_at)) all[m].fine_at.reset();
  std::sort(bare.begin(), bare.end(), [](auto& a, auto& b) { return a.measure < b.measure; });
  bool leaves = std::any_of(all.begin(), all.end(),
                            [](auto& m) { return m.to_coda_before || m.to_coda_after; });
  bool arrives = std::any_of(all.begin(), all.end(), [](auto& m) { return m.coda; });
  // A coda sign marks the coda; where nothing else says "to coda", the first of two does.
  for (std::size_t i = 0; i < bare.size(); ++i) {
    auto& signs = all[bare[i].measure];
    if (signs.to_coda_before || signs.to_coda_after || signs.coda) continue;
    bool is_departure = i == 0 && !leaves && (bare.size() > 1 || arrives);
    if (!is_departure)
      signs.coda = true;
    else if (bare[i].at == measure_position{})
      signs.to_coda_before = "";
    else
      signs.to_coda_after = "";
  }
  return all;
}

}  // namespace fermata

#include "io/lilypond/tuplets.hpp"

#include "core/music/duration.hpp"
#include "io/lilypond/syntax.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace fermata::io::lilypond {

namespace {

/// The number in <tuplet-actual> or <tuplet-normal> of a bracket.
std::optional<int> number_in(const spanner& bracket, std::string_view element) {
  if (!bracket.extra) return std::nullopt;
  for (auto& child : bracket.extra->children) {
    std::string_view xml = child.xml;
    if (!xml.starts_with("<" + std::string{element})) continue;
    auto at = xml.find("<tuplet-number");
    if (at == std::string_view::npos) continue;
    at = xml.find('>', at);
    int n = 0;
    if (at != std::string_view::npos &&
        std::from_chars(xml.data() + at + 1, xml.data() + xml.size(), n).ec == std::errc{} && n > 0)
      return n;
  }
  return std::nullopt;
}

}  // namespace

rational tuplet_ratio(const chord_rest& x) {
  if (!x.tuplet) return rational{1};
  if (x.written && x.length > quarters{}) return length(*x.written) / x.length;
  return x.tuplet->actual > 0 ? rational{x.tuplet->actual, std::max(1, x.tuplet->normal)}
                              : rational{1};
}

std::vector<const spanner*> tuplet_blocks::brackets(const chord_rest& x, span_end end) const {
  std::vector<const spanner*> found;
  for (auto& n : x.notes)
    for (auto& s : n.spanners)
      if (s.kind == spanner_kind::tuplet && s.end == end && !plan_.unwritten.contains(&s))
        found.push_back(&s);
  return found;
}

int tuplet_blocks::count_of(const chord_rest& x, span_end end) const {
  return static_cast<int>(brackets(x, end).size());
}

rational tuplet_blocks::ratio() const {
  rational product{1};
  for (auto& b : blocks_)
    product *= b.shown.ratio();
  return product;
}

tuplet_blocks::numbers tuplet_blocks::product() const {
  numbers all;
  for (auto& b : blocks_) {
    all.actual *= b.shown.actual;
    all.normal *= b.shown.normal;
  }
  return all;
}

tuplet_blocks::numbers tuplet_blocks::numbers_for(rational ratio, const chord_rest& x,
                                                  const spanner* bracket) const {
  auto fits = [&](numbers n) { return n.actual > 0 && n.normal > 0 && n.ratio() == ratio; };
  if (bracket) {
    numbers own{number_in(*bracket, "tuplet-actual").value_or(0),
                number_in(*bracket, "tuplet-normal").value_or(0)};
    if (own.normal > 0 && fits(own)) return own;
  }
  if (x.tuplet) {
    // The time modification is the product of all blocks around the chord.
    auto around = product();
    if (around.actual > 0 && around.normal > 0 && x.tuplet->actual % around.actual == 0 &&
        x.tuplet->normal % around.normal == 0) {
      numbers own{x.tuplet->actual / around.actual, x.tuplet->normal / around.normal};
      if (fits(own)) return own;
    }
  }
  return {static_cast<int>(ratio.numerator()), static_cast<int>(ratio.denominator())};
}

std::string tuplet_blocks::open(rational ratio, const chord_rest& x, const spanner* bracket) {
  std::string text;
  // A bracket over notes that are none is kept in mind, so that its end closes nothing else.
  numbers shown;
  if (bracket && ratio == rational{1}) ++without_ratio_;
  if (ratio != rational{1}) {
    shown = numbers_for(ratio, x, bracket);
    auto number = bracket ? attribute(bracket->extra, "show-number") : "none";
    auto actual = bracket ? number_in(*bracket, "tuplet-actual").value_or(shown.actual) : 0;
    auto normal = bracket ? number_in(*bracket, "tuplet-normal").value_or(shown.normal) : 0;
    const std::string set = "\\once \\override TupletNumber.text = #";
    if (number == "none")
      text += "\\once \\omit TupletNumber ";
    else if (number == "both" && actual == shown.actual && normal == shown.normal)
      text += set + "tuplet-number::calc-fraction-text ";
    else if (number == "both")
      text += set + "(tuplet-number::non-default-tuplet-fraction-text " + std::to_string(actual) +
              " " + std::to_string(normal) + ") ";
    else if (actual != shown.actual)
      text += set + "(tuplet-number::non-default-tuplet-denominator-text " +
              std::to_string(actual) + ") ";
    auto lines = bracket ? attribute(bracket->extra, "bracket") : "no";
    if (!bracket)
      text += "\\once \\omit TupletBracket ";
    else if (lines.empty() && plan_.on_one.contains(bracket))
      // Over a single note LilyPond draws none unless it is told to.
      text += "\\once \\override TupletBracket.bracket-visibility = ##t ";
    else if (lines == "yes" || lines == "no")
      text += std::string{"\\once \\override TupletBracket.bracket-visibility = "} +
              (lines == "yes" ? "##t " : "##f ");
    text += "\\tuplet " + std::to_string(shown.actual) + "/" + std::to_string(shown.normal) + " {";
  }
  blocks_.push_back({shown, bracket != nullptr});
  return text;
}

std::string tuplet_blocks::close(std::size_t count) {
  std::string text;
  for (; count > 0 && !blocks_.empty(); --count) {
    if (blocks_.back().shown.ratio() != rational{1}) text += text.empty() ? "}" : " }";
    blocks_.pop_back();
  }
  return text;
}

std::string tuplet_blocks::close_after(const chord_rest& x) {
  return close(static_cast<std::size_t>(count_of(x, span_end::stop)));
}

/// The first chord behind the innermost of `depth` brackets that begin on chord `k`, if that is
/// still within the others; else null.
const chord_rest* tuplet_blocks::chord_behind(const std::vector<const chord_rest*>& line,
                                              std::size_t k, int depth) const {
  for (auto j = k; j + 1 < line.size(); ++j) {
    depth +=
        (j == k ? 0 : count_of(*line[j], span_end::start)) - count_of(*line[j], span_end::stop);
    if (depth < 1) break;
    if (count_of(*line[j], span_end::stop) > 0) return line[j + 1];
  }
  return nullptr;
}

std::vector<std::string> tuplet_blocks::open_before(const std::vector<const chord_rest*>& line,
                                                    std::size_t k) {
  std::vector<std::string> words;
  auto add = [&](std::string word) {
    if (!word.empty()) words.push_back(std::move(word));
  };
  auto& x = *line[k];
  auto starts = brackets(x, span_end::start);
  auto wanted = tuplet_ratio(x);
  // An undrawn group ends where its ratio does.
  while (!blocks_.empty() && !blocks_.back().drawn && (!starts.empty() || wanted != ratio()))
    add(close(1));
  // Of several brackets that begin together the outer ones come first, and an outer one has the
  // ratio of the first chord behind the inner ones.
  std::stable_sort(starts.begin(), starts.end(),
                   [](auto* a, auto* b) { return a->number < b->number; });
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    auto behind = chord_behind(line, k, static_cast<int>(starts.size() - i));
    auto factor = behind ? tuplet_ratio(*behind) / ratio() : rational{1};
    add(open(factor, behind ? *behind : x, starts[i]));
  }
  auto factor = wanted / ratio();
  if (!starts.empty() || factor != rational{1})
    add(open(factor, x, starts.empty() ? nullptr : starts.back()));
  return words;
}

}  // namespace fermata::io::lilypond

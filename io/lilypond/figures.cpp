#include "io/lilypond/figures.hpp"

#include "io/lilypond/syntax.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <vector>

namespace fermata::io::lilypond {

namespace {

struct sign_row {
  std::string_view name, text;
};
/// Accidentals and strokes of figures, by MusicXML's words for prefix and suffix.
constexpr sign_row figure_signs[] = {
    {"sharp", "+"},        {"flat", "-"},         {"natural", "!"},      {"double-sharp", "++"},
    {"sharp-sharp", "++"}, {"flat-flat", "--"},   {"double-flat", "--"}, {"cross", "\\+"},
    {"plus", "\\+"},       {"backslash", "\\\\"}, {"slash", "/"},        {"vertical", "/"},
};

std::optional<std::string> sign_text(const std::string& name) {
  if (name.empty()) return std::string{};
  for (auto& row : figure_signs)
    if (row.name == name) return std::string{row.text};
  return std::nullopt;
}

/// "6", "_+", "4\\+"; nothing for what figure mode does not know.
std::optional<std::string> figure_text(const figured_bass::figure& f) {
  auto before = sign_text(f.prefix), behind = sign_text(f.suffix);
  auto digits = std::all_of(f.number.begin(), f.number.end(),
                            [](unsigned char c) { return std::isdigit(c); });
  if (!before || !behind || !digits || f.number.size() > 2) return std::nullopt;
  return (f.number.empty() ? "_" : f.number) + *before + *behind;
}

/// One <figured-bass> with the time from which it holds.
struct placed_figures {
  quarters onset;
  const figured_bass* what;
  std::size_t measure;
};

std::vector<placed_figures> figures_of(const score_plan& plan, const part& source) {
  std::vector<placed_figures> found;
  quarters start;
  for (std::size_t m = 0; m < plan.lengths.size(); ++m) {
    // Several before one note follow each other, each as long as it says.
    measure_position last;
    quarters behind;
    if (m < source.measures.size())
      for (auto& item : source.measures[m]->items)
        if (auto* f = std::get_if<figured_bass>(&item.content)) {
          if (item.at != last) behind = {};
          last = item.at;
          found.push_back({start + (item.at - measure_position{}) + behind, f, m});
          behind += f->length;
        }
    start += plan.lengths[m];
  }
  std::stable_sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.onset < b.onset; });
  return found;
}

}  // namespace

std::string write_figured_bass(const score_plan& plan, const part_plan& part) {
  auto figures = figures_of(plan, *plan.source.parts[part.index]);
  if (figures.empty()) return "";
  quarters end, now;
  for (auto length : plan.lengths)
    end += length;
  std::string text;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    auto& f = figures[i];
    auto next = i + 1 < figures.size() ? figures[i + 1].onset : std::max(end, f.onset);
    if (next == f.onset) {
      plan.losses.add("several figures at the same position", part.index, f.measure);
      continue;
    }
    std::string column;
    for (auto& figure : f.what->figures) {
      auto word = figure_text(figure);
      if (!word)
        plan.losses.add("figures \"" + figure.prefix + figure.number + figure.suffix + "\"",
                        part.index, f.measure);
      else
        column += (column.empty() ? "" : " ") + *word;
      if (figure.extra && std::any_of(figure.extra->children.begin(), figure.extra->children.end(),
                                      [](auto& x) { return x.xml.starts_with("<extend"); }))
        plan.losses.add("continuation lines of figures", part.index, f.measure);
    }
    if (f.what->parentheses) plan.losses.add("parentheses around figures", part.index, f.measure);
    if (column.empty()) continue;
    if (f.onset > now) text += "s1*" + whole_fraction(f.onset - now) + " ";
    auto length =
        f.what->length > quarters{} ? std::min(f.what->length, next - f.onset) : next - f.onset;
    text += "<" + column + ">1*" + whole_fraction(length) + "\n";
    now = f.onset + length;
  }
  return text;
}

}  // namespace fermata::io::lilypond

#include "core/session/score_text.hpp"

#include "core/lang/music/decompile.hpp"
#include "core/music/name_match.hpp"
#include "core/score/walk.hpp"
#include "core/score/wording.hpp"
#include "core/session/text_match.hpp"

#include <algorithm>

namespace fermata {

namespace {

std::string text_of(const measure& m, const time_signature& time) {
  return print_form(to_form(*to_music(m, time, false)));
}

/// The text with a sign before every line.
std::string signed_lines(char sign, const std::string& text) {
  std::string result;
  bool begins = true;
  for (char c : text) {
    if (begins) result += {sign, ' '};
    result += c;
    begins = c == '\n';
  }
  return result + '\n';
}

result<std::string> measures_text(const part& p, std::pair<int, int> measures) {
  auto count = static_cast<int>(p.measures.size());
  if (measures.first > count)
    return fail({errc::no_such_target,
                 part_label(p) + " has " + std::to_string(count) +
                     (count == 1 ? " measure; " : " measures; ") + std::to_string(measures.first) +
                     " is not among them",
                 std::nullopt, "Measures are counted from 1."});
  std::string text = "; " + part_label(p);
  for (auto i = measures.first - 1; i < std::min(measures.second, count); ++i) {
    auto index = static_cast<std::size_t>(i);
    auto time = time_in_force(p, index);
    text += '\n' + text_of(*p.measures[index], time.value_or(time_signature{}));
  }
  return text;
}

}  // namespace

bool is_called(const part& p, std::string_view name) {
  return same_name(p.id, name) || same_name(p.name, name);
}

result<std::string> score_text(const score& s, const std::optional<std::string>& wanted,
                               std::optional<std::pair<int, int>> measures) {
  if (!wanted && !measures)
    return s.parts.empty() ? std::string{"; the score is empty"} : print_score(s);
  std::string text;
  bool found = false;
  std::vector<std::string_view> names;
  for (auto& p : s.parts) {
    names.push_back(p->id);
    names.push_back(p->name);
    if (wanted && !is_called(*p, *wanted)) continue;
    found = true;
    auto piece = measures ? measures_text(*p, *measures)
                          : result<std::string>{print_form(to_form(*to_music(*p, false)))};
    if (!piece) return fail(piece.error());
    text += (text.empty() ? "" : "\n") + *piece;
  }
  if (found) return text;
  if (!wanted) return std::string{"; the score is empty"};
  auto guess = nearest(*wanted, names);
  // As it can be typed.
  if (guess) std::replace(guess->begin(), guess->end(), '\n', ' ');
  return fail({errc::no_such_target, "there is no part `" + *wanted + '`', std::nullopt,
               guess ? "Did you mean `" + *guess + "`?" : "`:session info` names the parts."});
}

std::string delta_text(const score_delta& d) {
  std::string text;
  for (auto& change : d.changed) {
    text += (change.name.empty() ? change.id : change.name) + '\n';
    if (change.header) text += "  name, instruments or layout of the part\n";
    for (auto& r : change.measures) {
      text += "measure " + std::to_string(r.first + 1) + '\n';
      for (auto& m : r.before)
        text += signed_lines('-', text_of(*m, {}));
      for (auto& m : r.after)
        text += signed_lines('+', text_of(*m, {}));
    }
  }
  for (auto& p : d.removed)
    text += signed_lines('-', print_form(to_form(*to_music(*p.value, false))));
  for (auto& p : d.added)
    text += signed_lines('+', print_form(to_form(*to_music(*p.value, false))));
  if (!text.empty()) text.pop_back();
  return text;
}

std::string change_summary(const score_delta& d, const environment_delta& env) {
  std::string text;
  auto add = [&](const std::string& what) { text += (text.empty() ? "" : "; ") + what; };
  if (!d.empty()) add(to_string(summarize(d)));
  for (auto& b : env.bindings)
    add(b.name + (!b.before ? " defined" : b.after ? " defined anew" : " forgotten"));
  if (env.defaults) add("defaults changed");
  return text.empty() ? to_string(summarize(d)) : text;
}

std::string definitions_text(const environment_delta& d) {
  std::string text;
  auto add = [&](const char* sign, const binding& b) {
    text += (text.empty() ? sign : std::string{"\n"} + sign) + b.source;
  };
  for (auto& b : d.bindings) {
    if (b.before) add("- ", *b.before);
    if (b.after) add("+ ", *b.after);
  }
  return text;
}

}  // namespace fermata

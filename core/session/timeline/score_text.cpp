#include "core/session/timeline/score_text.hpp"

#include "core/music/name_match.hpp"
#include "core/score/model/measure_names.hpp"
#include "core/score/model/part_names.hpp"
#include "core/score/model/same_music.hpp"
#include "core/score/model/walk.hpp"
#include "core/score/model/wording.hpp"
#include "core/session/timeline/text_match.hpp"

#include <algorithm>

namespace fermata {

namespace {

std::string text_of(const measure& m, const time_signature& time,
                    print_style style = print_style::explicit_forms) {
  return print_form(to_form(*to_music(m, time, false), style));
}

/// What stands before the lines that a change takes away, and before those that it puts there.
struct change_signs {
  std::string_view gone, come;
  bool once;  ///< before the first line of a piece, not before each
};
change_signs signs_for(bool accessible) {
  return accessible ? change_signs{"removed: ", "added: ", true} : change_signs{"- ", "+ ", false};
}

/// The text with a sign before every line; in words before the first.
std::string signed_lines(std::string_view sign, bool once, const std::string& text) {
  std::string result{sign};
  for (char c : text) {
    result += c;
    if (c == '\n' && !once) result += sign;
  }
  return result + '\n';
}

/// Some measures that follow each other, the first of them at `first`.
std::string in_words(const std::vector<measure_ptr>& all, std::size_t first) {
  return measures_in_words(printed_number(*all.front(), first),
                           printed_number(*all.back(), first + all.size() - 1));
}

/// "measure 5, where measure 3 was": where a replacement is found afterwards, `shift` behind where
/// it was; what goes, where it was.
std::string place_text(const measure_replacement& r, std::ptrdiff_t shift) {
  if (r.after.empty()) return in_words(r.before, r.first) + ", deleted";
  auto after = in_words(r.after, r.first + static_cast<std::size_t>(shift));
  if (r.before.empty()) return after + ", new";
  auto before = in_words(r.before, r.first);
  return after == before ? after
                         : after + ", where " + before + (r.before.size() == 1 ? " was" : " were");
}

/// `was`: the part before.
std::string renumbering_text(const renumbering& n, const part& was) {
  return measures_in_words(printed_number(was, n.first),
                           printed_number(was, n.first + n.count - 1)) +
         (n.by > 0 ? ": number +" : ": number ") + std::to_string(n.by);
}

/// What is the same before and after is left out.
std::string replacement_text(const measure_replacement& r, std::ptrdiff_t shift,
                             const change_signs& signs, in_force_between& between) {
  auto [in_front_of_before, in_front_of_after] = between.in_front_of(r);
  auto kept = same_measures(r.before, r.after, in_front_of_before, in_front_of_after);
  kept.emplace_back(r.before.size(), r.after.size());
  std::string text;
  std::size_t i = 0, j = 0;
  for (auto [kept_i, kept_j] : kept) {
    auto piece = [](const auto& all, std::size_t from, std::size_t to) {
      return std::vector(all.begin() + static_cast<std::ptrdiff_t>(from),
                         all.begin() + static_cast<std::ptrdiff_t>(to));
    };
    measure_replacement change;
    change.first = r.first + i;
    change.before = piece(r.before, i, kept_i);
    change.after = piece(r.after, j, kept_j);
    if (!change.before.empty() || !change.after.empty())
      text += place_text(change,
                         shift + static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(i)) +
              '\n';
    for (auto& m : change.before)
      text += signed_lines(signs.gone, signs.once, text_of(*m, {}));
    for (auto& m : change.after)
      text += signed_lines(signs.come, signs.once, text_of(*m, {}));
    i = kept_i + 1;
    j = kept_j + 1;
  }
  return text;
}

/// That a part ends in front of these measures.
error no_such_measures(const score& s, const part& p, int first) {
  auto count = p.measures.size();
  return {errc::no_such_target,
          part_label(p) + " has " + std::to_string(count) +
              (count == 1 ? " measure; " : " measures; ") +
              printed_number(s, static_cast<std::size_t>(first - 1)) + " does not exist",
          std::nullopt,
          count == 0
              ? ""
              : "It has " + measures_in_words(printed_number(p, 0), printed_number(p, count - 1)) +
                    '.'};
}

std::string measures_text(const part& p, std::pair<int, int> measures, print_style style) {
  auto count = static_cast<int>(p.measures.size());
  std::string text = "; " + part_label(p);
  for (auto i = measures.first - 1; i < std::min(measures.second, count); ++i) {
    auto index = static_cast<std::size_t>(i);
    auto time = time_in_force(p, index);
    text += '\n' + text_of(*p.measures[index], time.value_or(time_signature{}), style);
  }
  return text;
}

}  // namespace

std::string name_to_type(const score& s, const part& p) {
  auto alike = std::count_if(s.parts.begin(), s.parts.end(),
                             [&](auto& other) { return is_called(*other, p.name); });
  auto name = p.name.empty() || alike > 1 ? p.id : p.name;
  std::replace(name.begin(), name.end(), '\n', ' ');
  return name;
}

error no_such_part(const score& s, const std::string& name) {
  error e{errc::no_such_target, "unknown part `" + name + '`', std::nullopt, "The score is empty."};
  if (s.parts.empty()) return e;
  std::vector<std::string_view> names;
  for (auto& p : s.parts) {
    names.push_back(p->id);
    names.push_back(p->name);
  }
  if (auto guess = nearest(name, names)) {
    std::replace(guess->begin(), guess->end(), '\n', ' ');
    e.diagnostics.front().hint = "Did you mean `" + *guess + "`?";
    return e;
  }
  // Of an orchestra so many that one sees how they are called.
  constexpr std::size_t most = 12;
  auto shown = std::min(s.parts.size(), most), more = s.parts.size() - shown;
  std::string hint = s.parts.size() == 1 ? "The only part is " : "The parts are ";
  for (std::size_t i = 0; i < shown; ++i) {
    auto is_last = i + 1 == shown && more == 0;
    hint += (i == 0 ? "" : is_last ? " and " : ", ") + name_to_type(s, *s.parts[i]);
  }
  if (more > 0) hint += " and " + std::to_string(more) + " more";
  e.diagnostics.front().hint = hint + '.';
  return e;
}

result<std::size_t> the_part_called(const score& s, const std::string& word) {
  auto found = parts_called(s, word);
  if (found.empty()) return fail(no_such_part(s, word));
  std::string ids;
  for (auto i : found) {
    if (same_name(s.parts[i]->id, word)) return i;
    ids += (ids.empty() ? "" : ", ") + s.parts[i]->id;
  }
  if (found.size() == 1) return found.front();
  return fail({errc::no_such_target, "more than one part is called `" + word + "`: " + ids,
               std::nullopt, "Use the id of one of them."});
}

result<std::string> score_text(const score& s, const std::optional<std::string>& wanted,
                               std::optional<std::pair<int, int>> measures, print_style style) {
  if (!wanted && !measures)
    return s.parts.empty() ? std::string{"; the score is empty"} : print_score(s, style);
  std::string text;
  std::vector<std::size_t> shown;
  if (wanted)
    shown = parts_called(s, *wanted);
  else
    for (std::size_t i = 0; i < s.parts.size(); ++i)
      shown.push_back(i);
  if (measures && !shown.empty()) {
    // Where some parts are longer than others, those that have these measures.
    auto ends_before = [&](std::size_t i) {
      return static_cast<int>(s.parts[i]->measures.size()) < measures->first;
    };
    if (std::all_of(shown.begin(), shown.end(), ends_before))
      return fail(no_such_measures(s, *s.parts[shown.front()], measures->first));
    std::erase_if(shown, ends_before);
  }
  for (auto i : shown) {
    auto& p = *s.parts[i];
    text +=
        (text.empty() ? "" : "\n") + (measures ? measures_text(p, *measures, style)
                                               : print_form(to_form(*to_music(p, false), style)));
  }
  if (!shown.empty()) return text;
  if (!wanted) return std::string{"; the score is empty"};
  return fail(no_such_part(s, *wanted));
}

std::string delta_text(const score_delta& d, const score& before, bool accessible) {
  static const part unknown;
  auto signs = signs_for(accessible);
  std::string text;
  for (auto& change : d.changed) {
    text += (change.name.empty() ? change.id : change.name) + '\n';
    if (change.header) text += "  name, instruments or layout of the part\n";
    std::ptrdiff_t shift = 0;
    in_force_between between;
    for (auto& r : change.measures) {
      text += replacement_text(r, shift, signs, between);
      shift += std::ssize(r.after) - std::ssize(r.before);
    }
    auto is_known = change.index_before < before.parts.size() &&
                    before.parts[change.index_before]->measures.size() == change.measures_before;
    auto& was = is_known ? *before.parts[change.index_before] : unknown;
    for (auto& n : change.renumbered)
      text += renumbering_text(n, was) + '\n';
  }
  for (auto& p : d.removed)
    text += signed_lines(signs.gone, signs.once, print_form(to_form(*to_music(*p.value, false))));
  for (auto& p : d.added)
    text += signed_lines(signs.come, signs.once, print_form(to_form(*to_music(*p.value, false))));
  if (!text.empty()) text.pop_back();
  return text;
}

std::string change_summary(const score_delta& d, const environment_delta& env) {
  std::string text;
  auto add = [&](const std::string& what) { text += (text.empty() ? "" : "; ") + what; };
  if (!d.empty()) add(to_string(summarize(d)));
  for (auto& b : env.bindings)
    add(b.name + (!b.before ? " defined" : b.after ? " redefined" : " forgotten"));
  if (env.defaults) add("defaults changed");
  if (env.key_inference) add(env.key_inference->after ? "key inference on" : "key inference off");
  // It moves with everything that is written: worth a word only by itself.
  if (text.empty() && env.cursor) add("cursor moved");
  return text.empty() ? to_string(summarize(d)) : text;
}

std::string definitions_text(const environment_delta& d, bool accessible) {
  auto signs = signs_for(accessible);
  std::string text;
  auto add = [&](std::string_view sign, const binding& b) {
    text += (text.empty() ? "" : "\n") + std::string{sign} + b.source;
  };
  for (auto& b : d.bindings) {
    if (b.before) add(signs.gone, *b.before);
    if (b.after) add(signs.come, *b.after);
  }
  return text;
}

}  // namespace fermata

#include "core/session/timeline/entry_text.hpp"

#include <fmt/format.h>

namespace fermata {

namespace {

/// The text with every line after the first moved in.
std::string indented(std::string_view text, std::size_t columns) {
  std::string result;
  for (char c : text) {
    result += c;
    if (c == '\n') result.append(columns, ' ');
  }
  return result;
}

/// What is in no timeline has no number: index 0.
struct label_maker {
  const history_entry& e;
  bool accessible;

  /// The number with what stands before and behind it; nothing without a number.
  std::string number(std::string_view before, std::string_view behind = {}) const {
    return e.index == 0 ? std::string{} : fmt::format("{}{}{}", before, e.index, behind);
  }

  std::string operator()(const ai_message_entry&) const {
    auto who = to_text(e.source);
    return accessible ? "Message" + number(" ") + " from " + who + ": "
                      : number("[", "] ") + '[' + who + "]: ";
  }
  std::string operator()(const user_message_entry&) const {
    return accessible ? "You" + number(", ") + ": " : number("[", "] ") + "[you]: ";
  }
  std::string operator()(const system_entry&) const {
    return accessible ? "System" + number(", ") + ": " : number("[", "] ") + "(system) ";
  }
  std::string operator()(const command_entry&) const {
    if (accessible) return "Command" + number(" ") + ": ";
    // The colons of commands stand below each other while the numbers have at most five digits.
    return e.index == 0 ? std::string{} : fmt::format("{:<8}", number("[", "] "));
  }
  std::string operator()(const eval_entry&) const { return part("In"); }
  std::string part(std::string_view name) const { return part_label(e, name, accessible) + ": "; }
};

struct to_lines {
  const history_entry& e;
  bool accessible;
  label_maker label{e, accessible};

  std::string labelled(const std::string& head, std::string_view text) const {
    return head + indented(text, accessible ? 0 : head.size());
  }
  /// A line that belongs to what stands above it.
  std::string below(std::string_view text) const {
    constexpr std::size_t column = 8;
    return accessible ? '\n' + std::string{text}
                      : '\n' + std::string(column, ' ') + indented(text, column);
  }

  /// Who entered it, unless that was the user at the prompt.
  std::string by_whom() const {
    return e.source.channel == "terminal" ? std::string{} : "   ; " + to_text(e.source);
  }

  std::string operator()(const eval_entry& x) const {
    auto text = labelled(label(x), x.text) + by_whom();
    if (x.proposal)
      text += fmt::format(
          fmt::runtime(accessible ? "   ; accepted proposal {}" : "   ; accepted \u0394{}"),
          *x.proposal);
    if (x.failure)
      text += '\n' + labelled(label.part("Err"), message(*x.failure));
    else if (!x.output_text.empty())
      text += '\n' + labelled(label.part("Out"), x.output_text);
    for (const auto& remark : x.remarks)
      text += below(remark);
    if (!x.delta.empty())
      text += below((accessible ? "changes: " : "\u0394 ") + to_string(summarize(x.delta)));
    return text;
  }
  std::string operator()(const command_entry& x) const {
    auto text = labelled(label(x), x.text) + by_whom();
    if (x.output.empty()) return text;
    auto is_drawn = accessible && x.ok && x.text.find("--staff") != std::string::npos;
    return text + below(is_drawn ? "(a drawing of staves)" : x.output);
  }
  std::string operator()(const ai_message_entry& x) const { return labelled(label(x), x.content); }
  std::string operator()(const user_message_entry& x) const {
    return labelled(label(x), x.content);
  }
  std::string operator()(const system_entry& x) const {
    return labelled(label(x), words_of(x, accessible));
  }

  static std::string message(const error& failure) {
    std::string text;
    for (auto& d : failure.diagnostics) {
      if (!text.empty()) text += '\n';
      text += fmt::format("{}: {}", info(d.code).name, d.message);
    }
    return text;
  }
};

struct collect_texts {
  std::vector<std::string_view> operator()(const eval_entry& x) const {
    std::vector<std::string_view> texts{x.text, x.output_text};
    if (x.failure)
      for (auto& d : x.failure->diagnostics) {
        texts.push_back(d.message);
        texts.push_back(info(d.code).name);
      }
    return texts;
  }
  std::vector<std::string_view> operator()(const command_entry& x) const {
    return {x.text, x.output};
  }
  std::vector<std::string_view> operator()(const ai_message_entry& x) const { return {x.content}; }
  std::vector<std::string_view> operator()(const user_message_entry& x) const {
    return {x.content};
  }
  std::vector<std::string_view> operator()(const system_entry& x) const {
    return {x.event, x.text};
  }
};

}  // namespace

std::vector<std::string_view> texts_of(const history_entry& e) {
  return std::visit(collect_texts{}, e.kind);
}

std::string to_text(const history_entry& e, bool accessible) {
  return std::visit(to_lines{e, accessible}, e.kind);
}

std::string part_label(const history_entry& e, std::string_view name, bool accessible) {
  if (accessible && name == "Err") name = "Error";
  if (e.index == 0) return std::string{name};
  return fmt::format(fmt::runtime(accessible ? "{} {}" : "{}[{}]"), name, e.index);
}

std::string message_label(const history_entry& e, bool accessible) {
  return std::visit(label_maker{e, accessible}, e.kind);
}

std::string to_text(const entry_source& s) {
  if (s.channel == "terminal" && s.author == "user") return "you";
  return fmt::format("{} ({})", s.author, s.channel);
}

std::string words_of(const system_entry& said, bool accessible) {
  constexpr std::string_view sign = " proposes \u0394";
  auto at = said.text.find(sign);
  if (!accessible || said.event != "proposal" || at == std::string::npos) return said.text;
  return said.text.substr(0, at) + " proposes proposal " + said.text.substr(at + sign.size());
}

}  // namespace fermata

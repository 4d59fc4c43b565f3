#include "core/session/entry_text.hpp"

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

std::string label(std::string_view name, std::int64_t index) {
  return fmt::format("{}[{}]: ", name, index);
}

std::string labelled(const std::string& label, std::string_view text) {
  return label + indented(text, label.size());
}

struct to_lines {
  const history_entry& e;

  std::string operator()(const eval_entry& x) const {
    auto text = labelled(label("In", e.index), x.text);
    if (e.source.door != "terminal") text += "   ; " + to_text(e.source);
    if (x.proposal) text += fmt::format("   ; accepted \u0394{}", *x.proposal);
    if (x.failure)
      text += '\n' + labelled(label("Err", e.index), message(*x.failure));
    else if (!x.output_text.empty())
      text += '\n' + labelled(label("Out", e.index), x.output_text);
    if (!x.delta.empty()) text += "\n        \u0394 " + to_string(summarize(x.delta));
    return text;
  }
  std::string operator()(const command_entry& x) const {
    // The colons of commands stand below each other while the numbers have at most five digits.
    auto text = fmt::format("{:<7} ", fmt::format("[{}]", e.index)) + indented(x.text, 8);
    if (!x.output.empty()) text += "\n        " + indented(x.output, 8);
    return text;
  }
  std::string operator()(const ai_message_entry& x) const {
    return labelled(fmt::format("[{}] [{}]: ", e.index, to_text(e.source)), x.content);
  }
  std::string operator()(const user_message_entry& x) const {
    return labelled(fmt::format("[{}] [you]: ", e.index), x.content);
  }
  std::string operator()(const system_entry& x) const {
    return labelled(fmt::format("[{}] (system) ", e.index), x.text);
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

std::string to_text(const history_entry& e) { return std::visit(to_lines{e}, e.kind); }

std::string to_text(const entry_source& s) {
  if (s.door == "terminal" && s.author == "user") return "you";
  return fmt::format("{} ({})", s.author, s.door);
}

std::string to_text(timestamp t) {
  using namespace std::chrono;
  auto days = floor<std::chrono::days>(t);
  year_month_day date{days};
  hh_mm_ss time{floor<seconds>(t - days)};
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

}  // namespace fermata

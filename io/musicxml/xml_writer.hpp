#pragma once

#include "core/score/model/preserved.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace fermata::io::musicxml {

/// Writes XML by appending to one string: elements are opened and closed in order, nothing is held
/// as a tree. A score with a million notes is written in about a second, which building and saving
/// a DOM would take several times over.
///
/// Text is escaped; bytes that XML 1.0 cannot hold (control characters, broken UTF-8) become
/// U+FFFD, so the result is always well-formed UTF-8. With `indent` each element stands on its own
/// line, two spaces deeper than its parent; text elements stay on one line.
class xml_writer {
public:
  explicit xml_writer(bool indent) : indent_(indent) {}

  void declaration(std::string_view doctype);

  void open(std::string_view name) {
    start_line();
    put('<');
    put(name);
    ++depth_;
    state_ = state::in_tag;
  }
  void close(std::string_view name) {
    --depth_;
    if (state_ == state::in_tag) {
      put("/>");
    } else {
      if (state_ == state::after_element && indent_) new_line();
      put("</");
      put(name);
      put('>');
    }
    state_ = state::after_element;
  }

  /// Only directly after `open` or another attribute.
  void attribute(std::string_view name, std::string_view value) {
    links_ = links_ || name.starts_with("xlink:");
    put(' ');
    put(name);
    put("=\"");
    escape(value, true);
    put('"');
  }
  void attribute(std::string_view name, std::int64_t value) {
    put(' ');
    put(name);
    put("=\"");
    number(value);
    put('"');
  }
  /// Attribute text that is already escaped, with its leading blank: ` default-x="3"`.
  void raw_attributes(std::string_view text) {
    note_links(text);
    put(text);
  }

  void text(std::string_view value) {
    if (value.empty()) return;
    end_tag();
    escape(value, false);
    state_ = state::after_text;
  }
  void text(std::int64_t value) {
    end_tag();
    number(value);
    state_ = state::after_text;
  }

  /// <name>value</name>, or <name/> for empty text.
  void leaf(std::string_view name, std::string_view value) {
    if (value.empty()) return empty(name);
    start_line();
    put('<');
    put(name);
    put('>');
    escape(value, false);
    end_leaf(name);
  }
  void leaf(std::string_view name, std::int64_t value) {
    start_line();
    put('<');
    put(name);
    put('>');
    number(value);
    end_leaf(name);
  }
  void empty(std::string_view name) {
    start_line();
    put('<');
    put(name);
    put("/>");
    state_ = state::after_element;
  }

  /// A whole element in canonical compact form; indented like the rest when indentation is on.
  void element(std::string_view canonical_xml);
  /// <?target content?>; the content is written as it is.
  void instruction(std::string_view target, std::string_view content);
  /// The same inside the element that is open, without a line of its own: its text may follow.
  void inline_instruction(std::string_view target, std::string_view content);

  /// Whether an attribute of the namespace `xlink` was written.
  bool mentions_links() const { return links_; }

  std::size_t size() const { return out_.size() + used_; }
  void reserve(std::size_t bytes) { out_.reserve(bytes); }
  /// The finished text, with a final line break.
  std::string take() {
    put('\n');
    hand_on();
    return std::move(out_);
  }

private:
  enum class state : std::uint8_t { in_tag, after_text, after_element };

  void end_tag() {
    if (state_ == state::in_tag) put('>');
  }
  void start_line() {
    end_tag();
    if (indent_) new_line();
  }
  void new_line() {
    static constexpr std::string_view spaces = "\n                                                ";
    auto width = 1 + 2 * static_cast<std::size_t>(depth_);
    if (width <= spaces.size()) {
      put(spaces.substr(0, width));
    } else {
      put('\n');
      put(std::string(width - 1, ' '));
    }
  }
  void end_leaf(std::string_view name) {
    put("</");
    put(name);
    put('>');
    state_ = state::after_element;
  }
  void number(std::int64_t value) {
    std::array<char, 24> digits;
    auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    put({digits.data(), static_cast<std::size_t>(end - digits.data())});
  }
  void escape(std::string_view text, bool in_attribute);
  void note_links(std::string_view xml) {
    links_ = links_ || xml.find("xlink:") != std::string_view::npos;
  }

  // What is written are pieces of a few bytes, and appending such to a string costs more than the
  // bytes: they gather in a small block first.
  void put(char c) {
    if (used_ == block_.size()) hand_on();
    block_[used_++] = c;
  }
  void put(std::string_view piece) {
    if (piece.size() > block_.size() - used_) {
      hand_on();
      if (piece.size() > block_.size()) {
        out_ += piece;
        return;
      }
    }
    std::copy(piece.begin(), piece.end(), block_.data() + used_);  // also of no piece at all
    used_ += piece.size();
  }
  void hand_on() {
    out_.append(block_.data(), used_);
    used_ = 0;
  }

  std::string out_;                 ///< without what is in the block
  std::array<char, 4096> block_{};  ///< its first `used_` bytes
  std::size_t used_ = 0;
  bool indent_ = true;
  bool links_ = false;
  int depth_ = 0;
  state state_ = state::after_element;
};

/// Appends `text` to `out` so that it can stand in an attribute or between tags.
void append_escaped(std::string& out, std::string_view text, bool in_attribute);
/// `text` as it can stand in an attribute.
inline std::string escaped(std::string_view text) {
  std::string out;
  append_escaped(out, text, true);
  return out;
}
/// Appends `text` as it is, with U+FFFD for what XML cannot hold.
void append_xml_characters(std::string& out, std::string_view text);

}  // namespace fermata::io::musicxml

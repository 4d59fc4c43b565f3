#include "core/score/model/score.hpp"

#include "core/score/model/walk.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// With the pointers as a shortcut: after an edit nearly all of them are the same.
bool same(const std::vector<part_ptr>& a, const std::vector<part_ptr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](auto& x, auto& y) { return x == y || *x == *y; });
}

std::string counted(std::size_t n, std::string_view noun) {
  auto text = std::to_string(n) + " " + std::string{noun};
  return n == 1 ? text : text + "s";
}

/// "G major" where the mode is known, "1 sharp" where only the signature is.
std::string key_words(const key_signature& k) {
  if (!k.alterations.empty()) return "non-traditional key";
  auto mode_name = k.mode != mode::none ? std::string{to_string(k.mode)} : k.other_mode;
  if (k.mode != mode::none) {
    auto name = to_string(tonic(k));
    name.front() = static_cast<char>(name.front() - 'a' + 'A');
    return name + " " + mode_name;
  }
  if (k.fifths == 0) return "no sharps or flats";
  return counted(static_cast<std::size_t>(std::abs(k.fifths)), k.fifths > 0 ? "sharp" : "flat");
}

}  // namespace

bool operator==(const part& a, const part& b) {
  return a.id == b.id && a.name == b.name && a.abbreviation == b.abbreviation &&
         a.instruments == b.instruments && a.extra == b.extra && a.measures == b.measures;
}

bool operator==(const score& a, const score& b) {
  return a.header == b.header && a.part_list == b.part_list && a.extra == b.extra &&
         same(a.parts, b.parts);
}

score_ptr empty_score() {
  static const auto instance = std::make_shared<const score>();
  return instance;
}

std::string summary(const score& s) {
  if (s.parts.empty()) return "empty score";
  std::size_t measures = 0;
  for (auto& p : s.parts)
    measures = std::max(measures, p->measures.size());
  auto text = counted(s.parts.size(), "part") + ", " + counted(measures, "measure");
  std::optional<time_signature> time;
  std::optional<key_signature> key;
  for (auto& p : s.parts)
    if (!p->measures.empty()) {
      part_state state;
      state.apply(*p->measures.front());
      if (!time) time = state.staff(1).time;
      // A transposing part's key is not the key of the piece.
      if (!key && !state.staff(1).transpose) key = state.staff(1).key;
    }
  if (time) text += ", " + to_string(*time);
  if (key) text += ", " + key_words(*key);
  return text;
}

}  // namespace fermata

#include "midi/performance/pedal.hpp"

#include "midi/performance/event.hpp"
#include "midi/performance/playback_text.hpp"

#include <cmath>
#include <optional>

namespace fermata::midi {

namespace {

constexpr std::uint8_t pedal_down = 127;

/// MusicXML's yes-no-number.
std::optional<std::uint8_t> pedal_value(std::string_view text) {
  if (text == "yes") return pedal_down;
  if (text == "no") return std::uint8_t{0};
  auto percent = number_in(text);
  if (!percent || *percent < 0 || *percent > 100) return std::nullopt;
  return static_cast<std::uint8_t>(std::lround(*percent * 127 / 100));
}

/// Reads what stands in the part from left to right.
class pedal_reader {
public:
  explicit pedal_reader(std::array<pedal_line, 3>& lines) : lines_(lines) {}

  void read(std::size_t measure, measure_position at, const direction& d) {
    measure_ = measure;
    at_ = at;
    bool said = d.sound && read(*d.sound);
    for (auto& t : d.types)
      if (auto* p = std::get_if<pedal>(&t)) read(*p, said);
  }

  void read(std::size_t measure, measure_position at, const sound& s) {
    measure_ = measure;
    at_ = at;
    read(s);
  }

private:
  bool read(const sound& s) {
    constexpr std::string_view names[] = {"damper-pedal", "sostenuto-pedal", "soft-pedal"};
    bool said = false;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (auto value = pedal_value(s.attribute(names[i]))) {
        said = true;
        set(i, *value);
      }
    return said;
  }

  void read(const pedal& p, bool said) {
    if (p.type == "change") {
      auto& line = lines_[marked_];
      // The value that <sound> said for the same place comes behind the lift.
      auto again = said ? line.changes.back().value : pedal_down;
      if (said) line.changes.pop_back();
      set(marked_, 0);
      set(marked_, again);
    } else if (!said && (p.type == "start" || p.type == "sostenuto")) {
      marked_ = p.type == "sostenuto" ? 1 : 0;
      set(marked_, pedal_down);
    } else if (!said && p.type == "stop") {
      set(marked_, 0);
    }
  }

  void set(std::size_t line, std::uint8_t value) {
    lines_[line].changes.push_back({measure_, at_, value});
  }

  std::array<pedal_line, 3>& lines_;
  std::size_t measure_ = 0;
  measure_position at_;
  std::size_t marked_ = 0;  ///< the pedal that the marks speak of
};

}  // namespace

std::array<pedal_line, 3> pedals_of(const part& p) {
  std::vector<written_change<const measure_content*>> signs;
  for (std::size_t m = 0; m < p.measures.size(); ++m)
    for (auto& item : p.measures.music_at(m).items)
      if (std::holds_alternative<direction>(item.content) ||
          std::holds_alternative<sound>(item.content))
        signs.push_back({m, sounding_place(item), &item.content});
  sort_by_place(signs);
  std::array<pedal_line, 3> lines{pedal_line{controllers::damper_pedal, {{0, {}, 0}}},
                                  pedal_line{controllers::sostenuto_pedal, {{0, {}, 0}}},
                                  pedal_line{controllers::soft_pedal, {{0, {}, 0}}}};
  pedal_reader reader{lines};
  for (auto& sign : signs)
    if (auto* d = std::get_if<direction>(sign.value))
      reader.read(sign.measure, sign.at, *d);
    else
      reader.read(sign.measure, sign.at, std::get<sound>(*sign.value));
  return lines;
}

}  // namespace fermata::midi

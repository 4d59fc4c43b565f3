#pragma once

#include "core/score/model/measure.hpp"
#include "io/musicxml/export_context.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace fermata::io::musicxml::detail {

/// Walks a part measure by measure and finds the accidentals and beams that its notes need. Keeps
/// what is in force: the key of each staff and the time signature.
class part_progress {
public:
  /// The completion of the next measure; one entry per chord_rest in item order, empty when the
  /// options ask for neither. Valid until the next call.
  const std::vector<completed_chord>& next_measure(const measure& m, const write_options& options);

  bool first_measure() const { return measures_ == 0; }
  void measure_done() { ++measures_; }

private:
  /// Alteration of the seven letters in cents.
  using key_cents = std::array<std::int16_t, 7>;

  void complete_accidentals(const measure& m);
  void complete_beams(const measure& m);
  void apply_keys(const attributes& a);
  const key_cents& key_of(int staff) const;

  std::size_t measures_ = 0;
  key_cents key_of_all_{};
  std::map<int, key_cents> key_of_staff_;
  time_signature time_;

  // reused from measure to measure
  std::vector<completed_chord> completed_;
  std::vector<std::string_view> accidentals_;
};

}  // namespace fermata::io::musicxml::detail

#pragma once

#include "core/lang/layout/compile.hpp"
#include "core/lang/layout/named_staves.hpp"
#include "core/score/model/numbering.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fermata {

/// Builds the measures of one part from the contents of `(part ...)`: measures as written, and runs
/// of notes that fill measures, cut and tied at the barlines. Staves and voices start at the first
/// measure of the part, or of the repeat or ending that contains them, and are overlaid on what is
/// there; a repeated one continues where it ended.
///
/// A key or time signature in one layer applies to all of them. A time signature that only a lower
/// layer has is found after the upper ones have been cut into measures; then they are built again
/// with it.
class part_builder {
public:
  /// The measures of `items`, where `time` is in effect before them; `staves` are those that clefs
  /// denote in them. Errors are collected; see `faults`.
  static part_builder built(const std::vector<music_ptr>& items, const time_signature& time,
                            const staff_clefs& staves);
  /// The same over existing measures, each with its time signature. Key, time and clef of the items
  /// replace the existing ones.
  static part_builder laid_over(std::vector<measure> there,
                                const std::vector<time_signature>& times,
                                const std::vector<music_ptr>& items, const time_signature& time);

  std::vector<measure>& measures() { return measures_; }
  /// The number of measures that the items cover.
  std::size_t reached() const { return index_; }
  int staves() const { return staves_; }
  error& faults() { return faults_; }
  /// Whether the number of measure `index` was written, not counted.
  bool is_numbered(std::size_t index) const { return numbered_.contains(index); }

private:
  explicit part_builder(time_signature time) : time_(std::move(time)) {}

  /// The start of a layer without `:at`; inside a measure only for items other than measures.
  struct layer_begin {
    std::size_t index;
    quarters at;
  };

  /// Adds items of the part in order.
  void add(const std::vector<music_ptr>& items);
  /// Ends the last run.
  void finish();
  void add(const music_ptr& m);
  void add_measure(const measure_music& m, source_span span);
  void add_rests(int count, source_span span);
  void add_repeat(const repeat_music& m, source_span span);
  void add_ending(const ending_music& m, source_span span, std::optional<int> repeat_times);
  void add_layer(const std::vector<music_ptr>& items, std::string voice, std::uint8_t staff,
                 std::optional<layer_begin> at = {});

  layer_begin begin_of_layer(const std::vector<music_ptr>& items, const std::string& voice) const;

  void close_run();
  /// Cuts a run into measures from `index_` on; returns the marks after its end.
  void fill(const std::vector<music_ptr>& run);
  bool place(const flow_item& x, std::size_t from);
  bool place_tied(const chord_rest& x, source_span span);
  bool place_tuplet_tied(const chord_rest& x);
  void divide_tuplets(const flow& f, std::size_t first);
  bool too_many_measures(source_span span);
  void lay_over(std::size_t index, measure&& m);
  /// Joins the key, time and clef of a second layer with those at the same position. At the start
  /// they are before all notes, since they apply to all layers.
  void place_with_others(measure& m, measure_position at, attributes&& a);
  void add_barline(measure& m, measure_item&& item);
  void close_measure_before();
  void divide_double_repeat(std::size_t index);
  void set_time(std::size_t index, const time_signature& time);
  /// The time signature of an existing measure, or one from a lower layer.
  void take_up_time();
  /// Attributes of a lower layer in the next measure.
  void look_down();
  measure& measure_at(std::size_t index);
  void fault(error e);
  void set_barline(std::size_t index, const std::string& location,
                   const std::function<void(barline&)>& change);

  struct timing {
    time_signature time;
    quarters length;  ///< of a measure to be filled; zero: senza misura
  };

  time_signature time_;  ///< in effect after the last measure reached
  std::vector<measure> measures_;
  measure_count count_;                                ///< of `measures_`
  std::vector<timing> timings_;                        ///< of each measure
  std::size_t index_ = 0;                              ///< the next measure
  std::size_t layers_begin_ = 0;                       ///< where layers start over
  std::set<std::string> layers_inside_;                ///< voices of layers in the innermost repeat
  std::map<std::string, std::size_t> behind_repeats_;  ///< where they continue after it
  bool takes_place_ = false;                           ///< new attributes replace existing ones
  std::map<std::size_t, time_signature> from_below_;   ///< from lower layers, by measure
  std::map<std::size_t, time_signature> said_late_;    ///< not known to the upper ones
  std::vector<music_ptr> run_;                         ///< not yet cut into measures
  std::string voice_ = "1";
  std::uint8_t staff_ = 0;
  int staves_ = 0;  ///< highest staff number that has a `staff` form
  struct hint {
    std::size_t from = 0, index = 0;
    quarters begin;  ///< of measure `index`, counted from measure `from`
  } place_hint_;
  struct bar_start {
    quarters at;               ///< from the start of the run
    std::size_t index = 0;     ///< of its measure
  } bar_begin_;                ///< after the last bar check
  measure_position place_at_;  ///< of the last item placed, in its measure
  bool forward_next_ = false;  ///< the next measure starts with a repeat sign
  struct divided_piece {
    std::size_t index;  ///< of its measure
    measure_position at;
    std::string voice;
  };
  std::vector<divided_piece> divided_;  ///< pieces of notes in tuplets, of the run being filled
  std::set<std::size_t> numbered_;
  std::vector<std::pair<std::size_t, std::size_t>> drawn_rests_;  ///< first measure, how many
  std::set<std::size_t> barred_;  ///< measures with a barline from among loose notes
  error faults_;
};

}  // namespace fermata

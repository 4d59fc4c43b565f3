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

/// Makes the measures of one part out of what stands inside `(part ...)`: measures as written,
/// and runs of notes that fill measures by themselves, cut and tied at the barlines. Staves and
/// voices start over at the first measure, of the part or of the repeat or ending that they stand
/// in, and are laid over what is there; one that comes again goes on where it ended.
///
/// A key or a metre that one layer says holds for all of them. A metre that only a lower layer says
/// is known when the upper ones have been cut into measures; they are then built once more with it.
class part_builder {
public:
  /// The measures of `items`, where `time` is in force before them; `staves` are those that clefs
  /// name in them. Faults are collected; see `faults`.
  static part_builder built(const std::vector<music_ptr>& items, const time_signature& time,
                            const staff_clefs& staves);
  /// The same over measures that are there, each in its metre. What the items say of key, time and
  /// clef takes the place of what was said there.
  static part_builder laid_over(std::vector<measure> there,
                                const std::vector<time_signature>& times,
                                const std::vector<music_ptr>& items, const time_signature& time);

  std::vector<measure>& measures() { return measures_; }
  /// How many measures the items reach over.
  std::size_t reached() const { return index_; }
  int staves() const { return staves_; }
  error& faults() { return faults_; }
  /// Whether measure `index` has a number that was written, not counted.
  bool is_numbered(std::size_t index) const { return numbered_.contains(index); }

private:
  explicit part_builder(time_signature time) : time_(std::move(time)) {}

  /// Where a layer begins that has no `:at`; in the middle of a measure only what is no measure.
  struct layer_begin {
    std::size_t index;
    quarters at;
  };

  /// Adds items of the part in order.
  void add(const std::vector<music_ptr>& items);
  /// Closes the last run.
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
  /// Cuts a run into measures from `index_` on; gives back the marks that stand after its end.
  void fill(const std::vector<music_ptr>& run);
  bool place(const flow_item& x, std::size_t from);
  bool place_tied(const chord_rest& x, source_span span);
  bool place_tuplet_tied(const chord_rest& x);
  void divide_tuplets(const flow& f, std::size_t first);
  bool too_many_measures(source_span span);
  void lay_over(std::size_t index, measure&& m);
  /// Puts the key, time and clef of a second layer to those that change at the same place. At the
  /// beginning they stand in front of all notes, since they hold for all layers.
  void place_with_others(measure& m, measure_position at, attributes&& a);
  void add_barline(measure& m, measure_item&& item);
  void close_measure_before();
  void divide_double_repeat(std::size_t index);
  void set_time(std::size_t index, const time_signature& time);
  /// The time signature of a measure that is there already, or that a lower layer says.
  void take_up_time();
  /// What a lower layer says in the measure that comes next.
  void look_down();
  measure& measure_at(std::size_t index);
  void fault(error e);
  void set_barline(std::size_t index, const std::string& location,
                   const std::function<void(barline&)>& change);

  struct timing {
    time_signature time;
    quarters length;  ///< of a measure that is filled; zero: senza misura
  };

  time_signature time_;  ///< in force after the last measure reached
  std::vector<measure> measures_;
  measure_count count_;                                ///< of `measures_`
  std::vector<timing> timings_;                        ///< of each measure
  std::size_t index_ = 0;                              ///< the next measure
  std::size_t layers_begin_ = 0;                       ///< where layers start over
  std::set<std::string> layers_inside_;                ///< voices of layers in the innermost repeat
  std::map<std::string, std::size_t> behind_repeats_;  ///< where they go on behind it
  bool takes_place_ = false;                          ///< what is said is newer than what was there
  std::map<std::size_t, time_signature> from_below_;  ///< that lower layers say, by measure
  std::map<std::size_t, time_signature> said_late_;   ///< and that the upper ones did not know
  std::vector<music_ptr> run_;                        ///< what waits to be filled into measures
  std::string voice_ = "1";
  std::uint8_t staff_ = 0;
  int staves_ = 0;  ///< highest staff number that has a `staff` form
  struct hint {
    std::size_t from = 0, index = 0;
    quarters begin;  ///< of measure `index`, counted from measure `from`
  } place_hint_;
  struct bar_start {
    quarters at;               ///< counted from where the run begins
    std::size_t index = 0;     ///< of its measure
  } bar_begin_;                ///< behind the last bar check
  measure_position place_at_;  ///< of the last item placed, in its measure
  bool forward_next_ = false;  ///< the next measure begins with a repeat sign
  struct divided_piece {
    std::size_t index;  ///< of its measure
    measure_position at;
    std::string voice;
  };
  std::vector<divided_piece> divided_;  ///< pieces of notes in tuplets, of the run being filled
  std::set<std::size_t> numbered_;
  std::vector<std::pair<std::size_t, std::size_t>> drawn_rests_;  ///< first measure, how many
  std::set<std::size_t> barred_;  ///< measures with a barline that stood among loose notes
  error faults_;
};

}  // namespace fermata

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io::staff {

/// The rows of one staff in one system, a cell at a time. A row is named by its place on the staff
/// (geometry.hpp); rows above and below the five lines exist once something is put there.
class canvas {
public:
  /// The staff lines take `columns`; beside them there is `room` in all.
  canvas(int columns, std::string_view line, int room = 0);

  /// Puts characters, whatever stood there: one that takes two cells covers both, one that takes
  /// none joins the one before it. Outside of the room nothing happens.
  void put(int place, int column, std::string_view text);
  /// Only where nothing but a staff line stands.
  void put_behind(int place, int column, std::string_view text);

  bool is_free(int place, int column) const;
  bool holds(int place, int column, std::string_view text) const;
  /// Whether the cells from `from` up to `to` (not included) are free; those outside of the room
  /// count as free.
  bool is_clear(int place, int from, int to) const;
  /// The same for this row and all rows beyond it.
  bool is_clear_beyond(int place, int side, int from, int to) const;

  int highest() const { return rows_.rbegin()->first; }
  int lowest() const { return rows_.begin()->first; }
  /// The row, its cells joined; blanks for one that nothing was put into.
  std::string row(int place) const;

private:
  std::vector<std::string>& open(int place);

  std::size_t room_;
  std::string line_;
  std::map<int, std::vector<std::string>> rows_;
};

}  // namespace fermata::io::staff

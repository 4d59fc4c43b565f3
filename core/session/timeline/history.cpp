#include "core/session/timeline/history.hpp"

#include <algorithm>

namespace fermata {

namespace {

entry_ptr unreadable(std::int64_t index, const error& e) {
  return unreadable_entry(index, e.diagnostics.empty() ? std::string{"no reason given"}
                                                       : e.first().message);
}

}  // namespace

entry_ptr unreadable_entry(std::int64_t index, const std::string& reason, timestamp time) {
  auto entry = std::make_shared<history_entry>();
  entry->index = index;
  entry->time = time;
  entry->source = {"fermata", "system"};
  entry->kind = system_entry{"unreadable",
                             "Entry " + std::to_string(index) + " could not be read: " + reason};
  return entry;
}

history history::on_disk(std::int64_t count, entry_loader_ptr loader) {
  history h;
  h.entries_ = shared_vector<entry_ptr>::filled(static_cast<std::size_t>(count), nullptr);
  h.on_disk_ = count;
  h.loader_ = std::move(loader);
  return h;
}

entry_ptr history::at(std::int64_t index) const {
  if (index < 1 || index > size()) return nullptr;
  if (auto& entry = entries_[static_cast<std::size_t>(index - 1)]) return entry;
  if (!loader_) return unreadable(index, error{errc::internal, "its file is unknown"});
  auto loaded = loader_->load(index);
  return loaded ? *loaded : unreadable(index, loaded.error());
}

entry_ptr history::at_if(std::int64_t index, const history_query& q) const {
  if (index < 1 || index > size()) return nullptr;
  if (auto& entry = entries_[static_cast<std::size_t>(index - 1)]) return entry;
  if (!loader_) return at(index);
  auto loaded = loader_->load_if(index, q);
  return loaded ? *loaded : unreadable(index, loaded.error());
}

bool history::is_on_disk(std::int64_t index) const {
  return loader_ && index >= 1 && index <= size() && !entries_[static_cast<std::size_t>(index - 1)];
}

void history::append(entry_ptr entry) { entries_.push_back(std::move(entry)); }

history history::read_through(entry_loader_ptr loader) const {
  auto h = *this;
  h.loader_ = std::move(loader);
  return h;
}

void history::leave_on_disk(std::int64_t keep, entry_loader_ptr loader) {
  loader_ = std::move(loader);
  auto droppable = static_cast<std::size_t>(std::max<std::int64_t>(size() - keep, 0));
  auto dropped = static_cast<std::int64_t>(entries_.blank_front(droppable, nullptr));
  on_disk_ = std::max(on_disk_, dropped);
}

}  // namespace fermata

#include "io/protocol/instance_files.hpp"

#include <system_error>
#include <utility>

namespace fermata::io::protocol {

namespace fs = std::filesystem;

instance_files::instance_files(fs::path home, instance_record record)
  : home_(std::move(home)), record_(std::move(record)) {}

result<std::shared_ptr<instance_files>> instance_files::make(const fs::path& home,
                                                             instance_record record) {
  std::shared_ptr<instance_files> out{new instance_files{home, std::move(record)}};
  auto fault = out->make_socket();
  if (!fault) fault = out->make_record();
  if (!fault) return out;
  // What is in the way may be moved away; a path that is too long stays so.
  std::error_code ec;
  auto may_be_made = fs::is_directory(home, ec) && fits_socket_address(home / first_socket_name);
  if (!may_be_made) return fail(std::move(*fault));
  out->socket_.reset();
  out->closed_ = std::move(fault);
  return out;
}

instance_files::~instance_files() {
  std::error_code ec;
  fs::remove(record_file_, ec);
}

std::vector<fs::path> instance_files::watched() const {
  if (socket_) return {socket_->path(), record_file_};
  return {home_ / first_socket_name, run_folder(home_)};
}

result<instance_files::made_t> instance_files::recreate() {
  std::error_code ec;
  // All of it was removed.
  if (!fs::is_directory(home_, ec)) return made_t::nothing;
  const bool has_socket = socket_ && socket_->is_there();
  if (has_socket && fs::exists(record_file_, ec)) return made_t::nothing;
  if (!has_socket)
    if (auto fault = make_socket()) return fail(std::move(*fault));
  if (auto fault = make_record()) {
    // Both are made the next time: nobody listens at the new socket yet.
    if (!has_socket) socket_.reset();
    return fail(std::move(*fault));
  }
  return has_socket ? made_t::record : made_t::socket;
}

std::optional<error> instance_files::make_socket() {
  auto made = socket_file::listen(home_);
  if (!made) return std::move(made.error());
  socket_.emplace(std::move(*made));
  std::error_code ec;
  record_.socket = fs::absolute(socket_->path(), ec).string();
  closed_.reset();
  return std::nullopt;
}

std::optional<error> instance_files::make_record() {
  auto written = write_record(home_, record_);
  if (!written) return std::move(written.error());
  record_file_ = std::move(*written);
  return std::nullopt;
}

}  // namespace fermata::io::protocol

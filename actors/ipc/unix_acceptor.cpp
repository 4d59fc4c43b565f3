#include "actors/ipc/unix_acceptor.hpp"

#include <caf/io/middleman.hpp>
#include <caf/io/network/default_multiplexer.hpp>
#include <caf/io/network/doorman_impl.hpp>
#include <caf/io/network/stream_impl.hpp>
#include <caf/io/scribe.hpp>
#include <caf/make_counted.hpp>
#include <caf/policy/tcp.hpp>

#include <sys/socket.h>

#include <cerrno>

namespace fermata::actors {

namespace network = caf::io::network;

namespace {

/// Reads and writes like TCP, except that the end of input becomes one last byte.
struct half_close_policy {
  bool ended = false;

  network::rw_state read_some(std::size_t& n, network::native_socket fd, void* buf,
                              std::size_t len) {
    n = 0;
    if (ended || len == 0) return network::rw_state::indeterminate;
    auto got = ::recv(fd, buf, len, MSG_NOSIGNAL);
    if (got < 0)
      return errno == EAGAIN || errno == EINTR ? network::rw_state::indeterminate
                                               : network::rw_state::failure;
    if (got == 0) {
      ended = true;
      *static_cast<char*>(buf) = end_of_input;
      got = 1;
    }
    n = static_cast<std::size_t>(got);
    return network::rw_state::success;
  }

  static network::rw_state write_some(std::size_t& n, network::native_socket fd, const void* buf,
                                      std::size_t len) {
    return caf::policy::tcp::write_some(n, fd, buf, len);
  }

  static constexpr bool must_read_more(network::native_socket, std::size_t) { return false; }
};

/// A handler holds its manager from the moment it asks to be polled until it is told that it is not
/// any more. One that begins and ends between two rounds of the multiplexer is told nothing (CAF
/// 0.17.6 lets the two events cancel each other out) and would hold its manager for ever.
template <class Handler>
void forget_if_never_polled(Handler& h) {
  if (h.eventbf() == 0) h.removed_from_loop(network::operation::read);
}

class unix_scribe : public caf::io::scribe {
public:
  unix_scribe(network::default_multiplexer& mpx, network::native_socket fd)
    : caf::io::scribe(network::conn_hdl_from_socket(fd)), stream_(mpx, fd) {}

  void configure_read(caf::io::receive_policy::config config) override {
    stream_.configure_read(config);
    if (!launched_) {
      launched_ = true;
      stream_.start(this);
    }
  }
  void ack_writes(bool enable) override { stream_.ack_writes(enable); }
  std::vector<char>& wr_buf() override { return stream_.wr_buf(); }
  std::vector<char>& rd_buf() override { return stream_.rd_buf(); }
  void flush() override { stream_.flush(this); }
  void graceful_shutdown() override {
    caf::intrusive_ptr<unix_scribe> alive{this};
    stream_.graceful_shutdown();
    detach(&stream_.backend(), false);
    forget_if_never_polled(stream_);
  }
  std::string addr() const override { return "local"; }
  std::uint16_t port() const override { return 0; }
  void add_to_loop() override { stream_.activate(this); }
  void remove_from_loop() override { stream_.passivate(); }

private:
  bool launched_ = false;
  network::stream_impl<half_close_policy> stream_;
};

class unix_doorman : public network::doorman_impl {
public:
  using network::doorman_impl::doorman_impl;

  bool new_connection() override {
    if (detached()) return false;
    auto& mpx = acceptor_.backend();
    auto servant = caf::make_counted<unix_scribe>(mpx, acceptor_.accepted_socket());
    auto hdl = servant->hdl();
    parent()->add_scribe(std::move(servant));
    return doorman::new_connection(&mpx, hdl);
  }
  void graceful_shutdown() override {
    caf::intrusive_ptr<unix_doorman> alive{this};
    doorman_impl::graceful_shutdown();
    forget_if_never_polled(acceptor_);
  }
  std::string addr() const override { return "local"; }
  std::uint16_t port() const override { return 0; }
};

}  // namespace

caf::io::accept_handle add_unix_acceptor(caf::io::abstract_broker& self, int listening) {
  auto& mpx = dynamic_cast<network::default_multiplexer&>(self.backend());
  auto servant = caf::make_counted<unix_doorman>(mpx, listening);
  auto hdl = servant->hdl();
  self.add_doorman(std::move(servant));
  return hdl;
}

}  // namespace fermata::actors

#pragma once

#include "io/mcp/backend.hpp"

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace fermata::io::mcp {

/// Running Fermatas that answer when the test says so.
class fake_backend : public repl_backend {
public:
  struct question {
    std::uint64_t number = 0;
    std::string instance, method, params;
    done then;
  };

  std::vector<repl_instance> running;
  std::deque<question> asked;  ///< and not answered
  std::vector<std::uint64_t> forgotten;
  std::string client;
  std::string unreachable;  ///< what is said of those that run and cannot be talked to
  std::size_t looked = 0;

  const std::vector<repl_instance>& instances() override {
    ++looked;
    return running;
  }
  std::uint64_t call(const std::string& instance, std::string_view method, std::string_view params,
                     done then) override {
    asked.push_back({++last_, instance, std::string{method}, std::string{params}, std::move(then)});
    return last_;
  }
  void forget(std::uint64_t number) override {
    forgotten.push_back(number);
    std::erase_if(asked, [&](const auto& q) { return q.number == number; });
  }
  std::string out_of_reach() override { return unreachable; }
  void sign_as(std::string name, std::string) override { client = std::move(name); }

  void start(std::int64_t pid, std::string cwd = "/music") {
    running.push_back({"id-" + std::to_string(pid), pid, "/sock", std::move(cwd)});
  }
  void answer(call_outcome::kind_t kind, std::string body) {
    auto q = std::move(asked.front());
    asked.pop_front();
    q.then({kind, std::move(body)});
  }
  void result(std::string body) { answer(call_outcome::kind_t::result, std::move(body)); }

private:
  std::uint64_t last_ = 0;
};

}  // namespace fermata::io::mcp

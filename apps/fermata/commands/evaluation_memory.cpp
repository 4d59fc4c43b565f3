#include "apps/fermata/commands/evaluation_memory.hpp"

#include "io/config/config_file.hpp"
#include "io/store/home.hpp"

#include <cstdint>
#include <string>

namespace fermata::app {

std::shared_ptr<memory_pool> evaluation_memory(const setting_values& configured) {
  // The table of settings has seen to it that it is a number.
  auto mebibytes = std::stoull(effective_setting("evaluation-memory", {}, configured));
  return std::make_shared<memory_pool>(std::uint64_t{mebibytes} << 20);
}

std::shared_ptr<memory_pool> evaluation_memory() {
  return evaluation_memory(io::read_config(io::config_path(io::fermata_home())).values);
}

}  // namespace fermata::app

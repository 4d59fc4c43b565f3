#include "midi/sound/sound_library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

namespace fermata::midi {

namespace {

std::filesystem::path library_file() {
  // Read at each start of the program and never set by it.
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  if (auto set = std::getenv("FERMATA_SOUND_LIBRARY"); set && *set) return set;
  std::error_code failed;
  auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  return program.parent_path().parent_path() / "lib" / "fermata" / "fermata_sound.so";
}

sound_failure cannot_load(std::string why) {
  return {sound_failure::kind_t::internal, "cannot load the sound library: " + std::move(why),
          "Reinstall Fermata: the library belongs to the program."};
}

sound_result<std::shared_ptr<sound_system>> load() {
  auto file = library_file();
  // It stays loaded: libjack and PulseAudio leave threads and handlers behind.
  auto library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) return tl::unexpected(cannot_load(::dlerror()));
  auto make = reinterpret_cast<decltype(&fermata_make_sound_system)>(
      ::dlsym(library, "fermata_make_sound_system"));
  if (!make) return tl::unexpected(cannot_load(file.string() + " has no entry point"));
  std::shared_ptr<sound_system> made{make(FERMATA_SOUND_VERSION)};
  if (!made)
    return tl::unexpected(cannot_load(file.string() + " belongs to another version of Fermata"));
  return made;
}

}  // namespace

sound_result<std::shared_ptr<sound_system>> load_sound_system() {
  static const auto loaded = load();
  return loaded;
}

}  // namespace fermata::midi

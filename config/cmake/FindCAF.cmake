# Finds the C++ Actor Framework; Debian ships it without a CMake package configuration.
#
#   find_package(CAF 0.17.6 EXACT REQUIRED COMPONENTS core io)
#
# defines the imported targets CAF::core and CAF::io (which links core). A component that is not asked for
# here, openssl, would define CAF::openssl (which links io). CAF_ROOT selects another installation, for
# example one built with a sanitizer.

set(_caf_known_components core io openssl)

find_path(CAF_INCLUDE_DIR NAMES caf/detail/build_config.hpp)
mark_as_advanced(CAF_INCLUDE_DIR)

# caf/config.hpp says `#define CAF_VERSION 1706`: major * 10000 + minor * 100 + patch.
if(CAF_INCLUDE_DIR)
  file(STRINGS "${CAF_INCLUDE_DIR}/caf/config.hpp" _caf_version_line
    REGEX "^#define CAF_VERSION [0-9]+" LIMIT_COUNT 1)
  if(_caf_version_line MATCHES "([0-9]+)$")
    math(EXPR _caf_major "${CMAKE_MATCH_1} / 10000")
    math(EXPR _caf_minor "${CMAKE_MATCH_1} / 100 % 100")
    math(EXPR _caf_patch "${CMAKE_MATCH_1} % 100")
    set(CAF_VERSION "${_caf_major}.${_caf_minor}.${_caf_patch}")
  endif()
endif()

foreach(_caf_component IN LISTS CAF_FIND_COMPONENTS)
  if(NOT _caf_component IN_LIST _caf_known_components)
    message(FATAL_ERROR "FindCAF: unknown component '${_caf_component}' "
      "(known: ${_caf_known_components})")
  endif()
  find_library(CAF_${_caf_component}_LIBRARY NAMES caf_${_caf_component})
  mark_as_advanced(CAF_${_caf_component}_LIBRARY)
  if(CAF_${_caf_component}_LIBRARY)
    set(CAF_${_caf_component}_FOUND TRUE)
  endif()
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CAF
  REQUIRED_VARS CAF_INCLUDE_DIR
  VERSION_VAR CAF_VERSION
  HANDLE_COMPONENTS)

if(CAF_FOUND)
  find_package(Threads REQUIRED)
  if(CAF_openssl_FOUND)
    find_package(OpenSSL REQUIRED)
  endif()
  set(_caf_links_core Threads::Threads)
  set(_caf_links_io CAF::core)
  set(_caf_links_openssl CAF::io OpenSSL::SSL OpenSSL::Crypto)
  foreach(_caf_component IN LISTS _caf_known_components)
    if(CAF_${_caf_component}_FOUND AND NOT TARGET CAF::${_caf_component})
      add_library(CAF::${_caf_component} UNKNOWN IMPORTED)
      set_target_properties(CAF::${_caf_component} PROPERTIES
        IMPORTED_LOCATION "${CAF_${_caf_component}_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${CAF_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES "${_caf_links_${_caf_component}}")
    endif()
  endforeach()
endif()

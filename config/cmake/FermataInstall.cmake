# Installing: the programs stripped, their debug symbols apart, the manual page, completion scripts
# and documentation. Two components: `program` is what a user needs, `debug` is for debuggers.
# Needs the target fermata; makes the target fermata_share, which `all` builds.

include(GNUInstallDirs)

# --- what the program itself writes --------------------------------------------------------------

set(share "${PROJECT_BINARY_DIR}/share")
file(MAKE_DIRECTORY "${share}")
find_program(FERMATA_GZIP gzip REQUIRED)
mark_as_advanced(FERMATA_GZIP)
add_custom_command(
  OUTPUT "${share}/fermata.1.gz" "${share}/fermata.bash" "${share}/_fermata" "${share}/fermata.fish"
  COMMAND fermata manual > "${share}/fermata.1"
  # Without name and time, so that the same page gives the same bytes.
  COMMAND "${FERMATA_GZIP}" -9nf "${share}/fermata.1"
  COMMAND fermata completion bash > "${share}/fermata.bash"
  COMMAND fermata completion zsh > "${share}/_fermata"
  COMMAND fermata completion fish > "${share}/fermata.fish"
  DEPENDS fermata
  VERBATIM)
add_custom_target(fermata_share ALL
  DEPENDS "${share}/fermata.1.gz" "${share}/fermata.bash" "${share}/_fermata" "${share}/fermata.fish")

install(FILES "${share}/fermata.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT program)
install(FILES "${share}/fermata.bash" RENAME fermata
  DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT program)
install(FILES "${share}/fermata.fish"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" COMPONENT program)
# Debian's zsh reads vendor-completions below /usr, every zsh site-functions below /usr/local.
set(FERMATA_ZSH_COMPLETIONS "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" CACHE STRING
  "Where the completion for zsh is installed")
mark_as_advanced(FERMATA_ZSH_COMPLETIONS)
install(FILES "${share}/_fermata" DESTINATION "${FERMATA_ZSH_COMPLETIONS}" COMPONENT program)

# --- programs ------------------------------------------------------------------------------------

# fermata_install_program(<target> <folder>): stripped; the symbols go where gdb looks for those of
# this build id, below the folder of libraries.
function(fermata_install_program target folder)
  install(PROGRAMS "$<TARGET_FILE:${target}>" DESTINATION "${folder}" COMPONENT program)
  install(CODE "
    set(program \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}/$<TARGET_FILE_NAME:${target}>\")
    execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-unneeded \"\${program}\"
      COMMAND_ERROR_IS_FATAL ANY)" COMPONENT program)
  install(CODE "
    execute_process(COMMAND \"${CMAKE_READELF}\" -n \"$<TARGET_FILE:${target}>\"
      OUTPUT_VARIABLE notes COMMAND_ERROR_IS_FATAL ANY)
    if(notes MATCHES \"Build ID: ([0-9a-f][0-9a-f])([0-9a-f]+)\")
      set(symbols \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/debug/.build-id/\${CMAKE_MATCH_1}\")
      file(MAKE_DIRECTORY \"\${symbols}\")
      set(symbols \"\${symbols}/\${CMAKE_MATCH_2}.debug\")
      execute_process(COMMAND \"${CMAKE_OBJCOPY}\" --only-keep-debug --compress-debug-sections
        \"$<TARGET_FILE:${target}>\" \"\${symbols}\" COMMAND_ERROR_IS_FATAL ANY)
      file(CHMOD \"\${symbols}\" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
      message(STATUS \"Installing: \${symbols}\")
      list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"\${symbols}\")
    endif()" COMPONENT debug)
endfunction()

fermata_install_program(fermata "${CMAKE_INSTALL_BINDIR}")
# Started by `fermata mcp`, never by hand (apps/fermata/mcp_command.cpp).
fermata_install_program(fermata_mcp "libexec/fermata")

# --- documentation -------------------------------------------------------------------------------

install(FILES "${PROJECT_SOURCE_DIR}/README.md" DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  COMPONENT program)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" RENAME copyright
  DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT program)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/" DESTINATION "${CMAKE_INSTALL_DOCDIR}/docs"
  COMPONENT program FILES_MATCHING PATTERN "*.md")

# --- a Debian package (./dev package) ------------------------------------------------------------

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME fermata)
set(CPACK_PACKAGE_VENDOR "Fermata")
set(CPACK_PACKAGE_CONTACT "Fermata <fermata@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "interactive environment for writing and analysing music")
set(CPACK_PACKAGE_DESCRIPTION
"Fermata is a prompt for music: notation is typed in a Lisp-like language, put into a score,
transformed, analysed and exported to MusicXML and LilyPond. An assistant that speaks the Model
Context Protocol sees the same session and can propose changes to it.")
set(CPACK_PACKAGING_INSTALL_PREFIX "/usr")
set(CPACK_STRIP_FILES OFF)  # done above
# Packing builds nothing: `all` has the tests as well.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY TRUE)
set(CPACK_COMPONENTS_ALL program debug)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME fermata)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION sound)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "less")
set(CPACK_COMPONENT_DEBUG_DESCRIPTION "Debug symbols of fermata, for gdb.")
set(CPACK_DEBIAN_DEBUG_PACKAGE_NAME fermata-dbgsym)
set(CPACK_DEBIAN_DEBUG_PACKAGE_SECTION debug)
set(CPACK_DEBIAN_DEBUG_PACKAGE_DEPENDS "fermata (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEBUG_DESCRIPTION "debug symbols for fermata")
include(CPack)

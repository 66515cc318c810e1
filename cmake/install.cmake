# `make install` puts both components in place: the program with its completions and its manual page, which it writes
# itself, and the library with its headers, a CMake package (find_package(Land), land::land) and a file for pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS land RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)

function(install_written_by_land file folder name)
  set(written ${PROJECT_BINARY_DIR}/share/${file})
  install(CODE "file(MAKE_DIRECTORY \"${PROJECT_BINARY_DIR}/share\")
                execute_process(COMMAND \"$<TARGET_FILE:land>\" ${ARGN} OUTPUT_FILE \"${written}\" COMMAND_ERROR_IS_FATAL ANY)"
          COMPONENT program)
  install(FILES ${written} DESTINATION ${folder} RENAME ${name} COMPONENT program)
endfunction()

install_written_by_land(land.bash ${CMAKE_INSTALL_DATADIR}/bash-completion/completions land completion bash)
install_written_by_land(_land ${CMAKE_INSTALL_DATADIR}/zsh/site-functions _land completion zsh)
install_written_by_land(land.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d land.fish completion fish)
install_written_by_land(land.1 ${CMAKE_INSTALL_MANDIR}/man1 land.1 manual)

set(LAND_PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/Land)
install(TARGETS land_core EXPORT land ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/land DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library
        FILES_MATCHING PATTERN "*.h")
install(EXPORT land NAMESPACE land:: FILE LandTargets.cmake DESTINATION ${LAND_PACKAGE_FOLDER} COMPONENT library)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/LandConfig.cmake.in ${PROJECT_BINARY_DIR}/generated/LandConfig.cmake
                              INSTALL_DESTINATION ${LAND_PACKAGE_FOLDER})
# Before 1.0 every minor version may change what it likes.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/LandConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/LandConfig.cmake ${PROJECT_BINARY_DIR}/generated/LandConfigVersion.cmake
        DESTINATION ${LAND_PACKAGE_FOLDER} COMPONENT library)

# Its prefix is found from where it lies, since `cmake --install --prefix` and DESTDIR choose it after this.
file(RELATIVE_PATH LAND_PREFIX_FROM_PC /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" LAND_PREFIX_FROM_PC ${LAND_PREFIX_FROM_PC})
configure_file(${CMAKE_CURRENT_LIST_DIR}/land.pc.in ${PROJECT_BINARY_DIR}/generated/land.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/generated/land.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)

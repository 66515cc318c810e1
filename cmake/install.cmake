# cmake --install build --component program: the program, its completions and its manual page, which it writes itself.
include(GNUInstallDirs)
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

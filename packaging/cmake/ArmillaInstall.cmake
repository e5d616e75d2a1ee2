# Install rules, and the Debian package built from these rules.
install(TARGETS armilla RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(ARMILLA_HAVE_MPI)
    install(TARGETS armilla-mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/armilla)
endif()
set(pages_of_programs ${CMAKE_BINARY_DIR}/documents/armilla.1)
if(ARMILLA_GUI)
    install(TARGETS armilla-gui RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    # ArmillaLibrary installs the other modules, which the shared library loads too.
    install(TARGETS armilla-draw LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/armilla)
    install(FILES ${CMAKE_SOURCE_DIR}/packaging/desktop/io.github.armilla.Armilla.desktop
            DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
    install(FILES ${CMAKE_SOURCE_DIR}/packaging/appstream/io.github.armilla.Armilla.metainfo.xml
            DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
    install(FILES ${CMAKE_SOURCE_DIR}/packaging/mime/armilla.xml
            DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
    install(FILES ${CMAKE_SOURCE_DIR}/resources/icons/armilla.svg
            DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
    list(APPEND pages_of_programs ${CMAKE_SOURCE_DIR}/packaging/man/armilla-gui.1)
endif()

# The command itself prints its manual page and its shell completions.
set(documents ${CMAKE_BINARY_DIR}/documents)
set(armilla_documents)
macro(armilla_document name)
    add_custom_command(OUTPUT ${documents}/${name}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${documents}
        COMMAND armilla help ${ARGN} > ${documents}/${name}
        DEPENDS armilla VERBATIM)
    list(APPEND armilla_documents ${documents}/${name})
endmacro()
armilla_document(armilla.1 --man)
armilla_document(armilla.bash --completion bash)
armilla_document(_armilla --completion zsh)
armilla_document(armilla.fish --completion fish)
install(FILES ${documents}/armilla.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME armilla)
install(FILES ${documents}/_armilla DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${documents}/armilla.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# Pictures of the guide, rendered by the program without a display and without the user's settings.
# The program finds the pictures beside itself, built or installed.
if(ARMILLA_GUI AND NOT ARMILLA_SANITIZER AND NOT CMAKE_CROSSCOMPILING)
    set(pictures ${CMAKE_BINARY_DIR}/share/armilla/help)
    foreach(scene window smooth)
        set(options)
        if(scene STREQUAL "smooth")
            set(options --smoothed)
        endif()
        add_custom_command(OUTPUT ${pictures}/guide-${scene}.png
            COMMAND ${CMAKE_COMMAND} -E make_directory ${pictures} ${CMAKE_BINARY_DIR}/guide-home
            COMMAND ${CMAKE_COMMAND} -E env QT_QPA_PLATFORM=offscreen
                    XDG_CONFIG_HOME=${CMAKE_BINARY_DIR}/guide-home
                    XDG_STATE_HOME=${CMAKE_BINARY_DIR}/guide-home
                    $<TARGET_FILE:armilla-gui> --theme light --size 1280x800 ${options}
                    --screenshot ${pictures}/guide-${scene}.png
            DEPENDS armilla-gui VERBATIM)
        list(APPEND guide_pictures ${pictures}/guide-${scene}.png)
    endforeach()
    add_custom_target(armilla_guide ALL DEPENDS ${guide_pictures})
    install(FILES ${guide_pictures} DESTINATION ${CMAKE_INSTALL_DATADIR}/armilla/help)
    install(FILES ${guide_pictures} DESTINATION armilla/share/armilla/help COMPONENT python EXCLUDE_FROM_ALL)
endif()

# The manual as pages, if `./dev manual` has built it.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/build/manual/html DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/armilla
        COMPONENT doc OPTIONAL)

# Manual pages are installed compressed; -n omits the date, so that equal pages give equal bytes.
find_program(ARMILLA_GZIP gzip REQUIRED)
foreach(page ${pages_of_programs})
    get_filename_component(name ${page} NAME)
    set(packed ${CMAKE_BINARY_DIR}/man/${name}.gz)
    add_custom_command(OUTPUT ${packed}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/man
        COMMAND ${ARMILLA_GZIP} -9nc ${page} > ${packed}
        DEPENDS ${page} VERBATIM)
    list(APPEND packed_pages ${packed})
endforeach()
add_custom_target(armilla_man ALL DEPENDS ${packed_pages} ${armilla_documents})
install(FILES ${packed_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)


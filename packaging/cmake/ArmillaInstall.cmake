# Install rules, and the Debian package made from them.
install(TARGETS armilla armilla-gui RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${CMAKE_SOURCE_DIR}/packaging/desktop/io.github.armilla.Armilla.desktop
        DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES ${CMAKE_SOURCE_DIR}/packaging/appstream/io.github.armilla.Armilla.metainfo.xml
        DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES ${CMAKE_SOURCE_DIR}/packaging/mime/armilla.xml
        DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
install(FILES ${CMAKE_SOURCE_DIR}/resources/icons/armilla.svg
        DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
install(FILES ${CMAKE_SOURCE_DIR}/packaging/man/armilla.1
        DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/LICENSE
        DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Two packages from two builds: without CUDA, and with it; only the second is named so. Both carry
# the CUDA run time inside (static) and start without a driver.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME armilla)
if(ARMILLA_HAVE_CUDA)
    set(CPACK_PACKAGE_NAME armilla-cuda)
    set(CPACK_DEBIAN_PACKAGE_CONFLICTS armilla)
    set(CPACK_DEBIAN_PACKAGE_PROVIDES armilla)
    set(CPACK_DEBIAN_PACKAGE_REPLACES armilla)
endif()
set(CPACK_PACKAGE_CONTACT "The Armilla developers <maintainers@armilla.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION
    "Opens HEALPix maps, smooths them live, compares, measures spectra, exports FITS and figures.")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Loaded at run time, so that shlibdeps cannot see them: the X11 platform, SVG icons, a font.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libqt6svg6, libxcb-cursor0, fonts-dejavu-core, libgl1, libegl1")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libgl1-mesa-dri")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
include(CPack)

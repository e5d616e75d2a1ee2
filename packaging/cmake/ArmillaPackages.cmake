# The Debian packages: the programs, the shared library, its headers and the Python module. A build with CUDA
# gives packages with CUDA in their names, which replace those without. The CUDA run time is linked
# statically, and the programs start without a driver.
set(variant)
if(ARMILLA_HAVE_CUDA)
    set(variant -cuda)
endif()
set(library_package libarmilla${PROJECT_VERSION_MAJOR})
set(same_version "(= ${PROJECT_VERSION})")

# The changelog of Debian is compressed; -n omits the date, so that equal texts give equal bytes.
set(debian_changelog ${CMAKE_BINARY_DIR}/debian/changelog.gz)
add_custom_command(OUTPUT ${debian_changelog}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/debian
    COMMAND ${ARMILLA_GZIP} -9nc ${CMAKE_SOURCE_DIR}/packaging/debian/changelog > ${debian_changelog}
    DEPENDS ${CMAKE_SOURCE_DIR}/packaging/debian/changelog VERBATIM)
add_custom_target(armilla_debian_changelog ALL DEPENDS ${debian_changelog})

# armilla_package(COMPONENT NAME section SUMMARY text TEXT text DEPENDS packages): a Debian package of an
# install component. Debian expects the copyright file under the package's name.
macro(armilla_package component name)
    cmake_parse_arguments(ARG "PLAIN" "SECTION;SUMMARY;TEXT;DEPENDS" "" ${ARGN})
    string(TOUPPER ${component} key)
    list(APPEND CPACK_COMPONENTS_ALL ${component})
    set(package_name ${name})
    if(variant AND NOT ARG_PLAIN)
        set(package_name ${name}${variant})
        set(CPACK_DEBIAN_${key}_PACKAGE_CONFLICTS ${name})
        set(CPACK_DEBIAN_${key}_PACKAGE_REPLACES ${name})
        set(CPACK_DEBIAN_${key}_PACKAGE_PROVIDES "${name} ${same_version}")
    endif()
    set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${package_name})
    set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${ARG_SECTION})
    set(CPACK_DEBIAN_${key}_PACKAGE_DEPENDS "${ARG_DEPENDS}")
    set(CPACK_DEBIAN_${key}_DESCRIPTION "${ARG_SUMMARY}\n${ARG_TEXT}")
    install(FILES ${CMAKE_SOURCE_DIR}/packaging/debian/copyright ${debian_changelog} COMPONENT ${component} EXCLUDE_FROM_ALL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package_name})
endmacro()

# OpenGL, a font and the plugin for SVG are loaded at run time, so dpkg-shlibdeps does not find them.
armilla_package(Unspecified armilla SECTION science SUMMARY "${PROJECT_DESCRIPTION}"
    DEPENDS "${library_package} ${same_version}, fonts-dejavu-core, libgl1, libegl1, qt6-svg-plugins | libqt6svg6 (<< 6.7)"
    TEXT "Armilla opens HEALPix maps, catalogs, images and curves, lets them move under
the hand in six projections, smooths maps live while a slider moves, compares,
measures angular power spectra, finds point sources, grids scattered samples,
counts pairs of catalogs, and writes the results as FITS and figures. The
command armilla does the same without a display.")
install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/CHANGELOG.md
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/armilla${variant})
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_RECOMMENDS libgl1-mesa-dri)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SUGGESTS "openmpi-bin, libopenmpi3")
armilla_package(library ${library_package} SECTION libs SUMMARY "Library for HEALPix maps of the whole sky"
    TEXT "Transforms, smoothing, gridding, pair counts, spectra and point sources of maps
on HEALPix, and readers of their files, for programs in C++.")
# dpkg runs ldconfig once for all packages.
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/packaging/debian/triggers)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_STRICT_PERMISSION ON)
install(FILES ${CMAKE_SOURCE_DIR}/packaging/debian/library.lintian-overrides COMPONENT library
    DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME ${library_package}${variant} EXCLUDE_FROM_ALL)
if(ARMILLA_HAVE_CUDA)
    # Both libraries are loaded at run time. Without cuFFT our own kernels replace it, except for complex
    # rows; without NCCL ranks exchange data by MPI.
    set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS "libcufft-13-0 | libcufft-12-9 | libcufft11 | libcufft10, libnccl2")
endif()
# Headers are the same with and without CUDA.
armilla_package(development libarmilla-dev PLAIN SECTION libdevel
    SUMMARY "Headers of the library for HEALPix maps of the whole sky" DEPENDS "${library_package} ${same_version}"
    TEXT "A program writes find_package(Armilla) in CMake and links Armilla::compute,
Armilla::io or Armilla::operations.")

# The manual as pages, if `./dev manual` has built it.
if(EXISTS ${CMAKE_SOURCE_DIR}/build/manual/html)
    armilla_package(doc armilla-doc PLAIN SECTION doc SUMMARY "Manual of Armilla"
        TEXT "The manual of the programs and of the Python module as pages for a browser.")
    set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
endif()

# The binding is for the Python of the build. It finds the modules of the library by the link bin.
if(ARMILLA_HAVE_PYTHON)
    set(python_folder lib/python3/dist-packages)
    math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
    armilla_package(python3 python3-armilla SECTION python SUMMARY "Python module for HEALPix maps of the whole sky"
        DEPENDS "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_minor}), python3-numpy, ${library_package} ${same_version}, armilla ${same_version}"
        TEXT "Every operation of the command armilla as a function of numpy arrays and files,
plans of spherical harmonic transforms, and the names of healpy.")
    armilla_install_module(${python_folder} python3)
    file(RELATIVE_PATH modules_folder /usr/${python_folder}/armilla /usr/${CMAKE_INSTALL_LIBDIR}/armilla)
    install(CODE "
        file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${python_folder}/armilla\")
        file(CREATE_LINK ${modules_folder}
            \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${python_folder}/armilla/bin\" SYMBOLIC)"
        COMPONENT python3 EXCLUDE_FROM_ALL)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_PACKAGE_NAME armilla)
# Otherwise CPack writes the project's line above the descriptions of the packages.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_PACKAGE_CONTACT "The Armilla developers <maintainers@armilla.invalid>")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/CheckShlibdeps.cmake)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
include(CPack)

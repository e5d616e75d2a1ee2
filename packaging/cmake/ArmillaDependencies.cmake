# Each third party behind one armilla:: target. System packages only; configuring needs no network.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

function(armilla_pkg_config name module)
    pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${module})
    add_library(armilla_dep_${name} INTERFACE)
    target_link_libraries(armilla_dep_${name} INTERFACE PkgConfig::${name})
    add_library(armilla::${name} ALIAS armilla_dep_${name})
endfunction()

armilla_pkg_config(cfitsio cfitsio)
armilla_pkg_config(pugixml pugixml)
armilla_pkg_config(hdf5 hdf5)
armilla_pkg_config(wcslib wcslib)
armilla_pkg_config(zlib zlib)
armilla_pkg_config(fftw3 fftw3)
armilla_pkg_config(healpix_cxx healpix_cxx)
armilla_pkg_config(hwy libhwy)
armilla_pkg_config(epoxy epoxy)

# MPI: its headers, and the name of the library that the program loads; never linked.
set(ARMILLA_HAVE_MPI FALSE)
if(NOT ARMILLA_MPI STREQUAL "OFF")
    pkg_search_module(ARMILLA_MPI_C mpi-c ompi-c mpich)
    if(ARMILLA_MPI_C_FOUND)
        find_library(ARMILLA_MPI_FILE NAMES mpi mpich HINTS ${ARMILLA_MPI_C_LIBRARY_DIRS} NO_DEFAULT_PATH)
    endif()
    if(ARMILLA_MPI_FILE)
        get_filename_component(file ${ARMILLA_MPI_FILE} REALPATH)
        string(REGEX REPLACE "^.*/(lib[a-z]+\\.so\\.[0-9]+).*$" "\\1" ARMILLA_MPI_LIBRARY ${file})
        add_library(armilla_dep_mpi INTERFACE)
        target_include_directories(armilla_dep_mpi SYSTEM INTERFACE ${ARMILLA_MPI_C_INCLUDE_DIRS})
        add_library(armilla::mpi ALIAS armilla_dep_mpi)
        set(ARMILLA_HAVE_MPI TRUE)
    elseif(ARMILLA_MPI STREQUAL "ON")
        message(FATAL_ERROR "ARMILLA_MPI=ON, but no MPI was found (libopenmpi-dev)")
    endif()
endif()

find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Network Widgets OpenGL OpenGLWidgets Concurrent Svg)
find_package(QCustomPlotQt6 REQUIRED)
find_package(CLI11 REQUIRED)

if(BUILD_TESTING)
    # What the tests hold the program's own results against. HEALPix C++ computes on OpenMP threads;
    # tests set their number.
    find_package(OpenMP REQUIRED COMPONENTS CXX)
endif()

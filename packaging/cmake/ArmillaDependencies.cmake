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
armilla_pkg_config(healpix_cxx healpix_cxx)
armilla_pkg_config(hwy libhwy)
armilla_pkg_config(epoxy epoxy)

find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets OpenGL OpenGLWidgets Concurrent Svg)
find_package(QCustomPlotQt6 REQUIRED)
find_package(CLI11 REQUIRED)

if(BUILD_TESTING)
    # What the tests hold the program's own results against. HEALPix C++ computes on OpenMP threads;
    # tests set their number.
    find_package(OpenMP REQUIRED COMPONENTS CXX)
endif()

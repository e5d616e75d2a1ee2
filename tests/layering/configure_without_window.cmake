# Configures a build without the window, and checks that it looks for none of the libraries of the window.
# cmake -D SOURCE=... -D FOLDER=... -D COMPILER=... -P configure_without_window.cmake
#
# CMake refuses Qt and QCustomPlot here, and pkg-config sees only the files linked into FOLDER.
find_program(pkg_config pkg-config REQUIRED)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER}/visible)
foreach(module cfitsio fftw3 hdf5 libhwy pugixml wcslib yaml-cpp zlib)
    execute_process(COMMAND ${pkg_config} --variable=pcfiledir ${module} OUTPUT_STRIP_TRAILING_WHITESPACE
        OUTPUT_VARIABLE place COMMAND_ERROR_IS_FATAL ANY)
    file(CREATE_LINK ${place}/${module}.pc ${FOLDER}/visible/${module}.pc SYMBOLIC)
endforeach()
set(ENV{PKG_CONFIG_LIBDIR} ${FOLDER}/visible)
set(ENV{PKG_CONFIG_PATH} "")
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${FOLDER}/build -G Ninja -D ARMILLA_GUI=OFF
    -D ARMILLA_CUDA=OFF -D ARMILLA_PYTHON=OFF -D CMAKE_CXX_COMPILER=${COMPILER}
    -D CMAKE_DISABLE_FIND_PACKAGE_Qt6=ON -D CMAKE_DISABLE_FIND_PACKAGE_QCustomPlotQt6=ON
    OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE status)
if(NOT status EQUAL 0 OR NOT said MATCHES "window, figures and tests: not in this build")
    message(FATAL_ERROR "expected a build without the window, found:\n${said}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --build ${FOLDER}/build -- -t targets all OUTPUT_VARIABLE targets
    COMMAND_ERROR_IS_FATAL ANY)
foreach(expected armilla armilla_library armilla-hdf5 armilla-tiles)
    if(NOT targets MATCHES "(^|\n)${expected}: phony")
        message(FATAL_ERROR "expected the target ${expected}, found none")
    endif()
endforeach()
foreach(refused armilla-gui armilla-draw armilla-healpix tst_mask)
    if(targets MATCHES "(^|\n)${refused}: phony")
        message(FATAL_ERROR "expected no target ${refused}, found it")
    endif()
endforeach()

# Options, the language level, and helper functions of all targets.
set(ARMILLA_CUDA AUTO CACHE STRING "Build the CUDA parts: AUTO, ON or OFF")
set_property(CACHE ARMILLA_CUDA PROPERTY STRINGS AUTO ON OFF)
set(ARMILLA_MPI AUTO CACHE STRING "Build the module for transforms over MPI: AUTO, ON or OFF")
set_property(CACHE ARMILLA_MPI PROPERTY STRINGS AUTO ON OFF)
set(ARMILLA_PYTHON AUTO CACHE STRING "Build the Python module: AUTO, ON or OFF")
set_property(CACHE ARMILLA_PYTHON PROPERTY STRINGS AUTO ON OFF)
set(ARMILLA_PYTHON_EXECUTABLE ${CMAKE_SOURCE_DIR}/build/module-python/bin/python CACHE FILEPATH
    "Python with nanobind, for which the module is built")
option(ARMILLA_GUI "Build the window and figures, which need Qt and OpenGL" ON)
option(ARMILLA_WERROR "Treat warnings as errors" OFF)
set(ARMILLA_SANITIZER "" CACHE STRING "Sanitizers, as for -fsanitize=")
option(ARMILLA_PACKAGE "Build the CUDA parts for every supported GPU, not only for the one here" OFF)
option(ARMILLA_COVERAGE "Instrument for line coverage" OFF)
# The tests are programs of Qt Test.
include(CMakeDependentOption)
cmake_dependent_option(BUILD_TESTING "Build the tests" ON ARMILLA_GUI OFF)
option(ARMILLA_FUZZ "Build the fuzz target (clang, ARMILLA_SANITIZER with fuzzer-no-link)" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set_property(GLOBAL PROPERTY GLOBAL_DEPENDS_NO_CYCLES ON)
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ON)
include(GNUInstallDirs)

find_program(ARMILLA_CCACHE ccache)
if(ARMILLA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_SOURCE_DIR}/packaging/cmake/cached_compile.sh ${ARMILLA_CCACHE})
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${ARMILLA_CCACHE})
endif()

# Generated sources in the build folder are not linted; clang-tidy requires at least one check.
if(CMAKE_CXX_CLANG_TIDY)
    file(WRITE ${CMAKE_BINARY_DIR}/.clang-tidy "Checks: '-*,bugprone-sizeof-container'\n")
endif()

# CUDA: AUTO uses a compiler if there is one, and never requires it.
set(ARMILLA_HAVE_CUDA FALSE)
if(NOT ARMILLA_CUDA STREQUAL "OFF")
    include(CheckLanguage)
    # Set before the language is enabled; otherwise CMake builds for one old architecture only. A local
    # build targets the GPU of this machine, a package all supported GPUs (ARMILLA_PACKAGE).
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
        if(ARMILLA_PACKAGE)
            set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 86-real 89-real 90-real 90-virtual)
        else()
            execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                OUTPUT_VARIABLE found ERROR_QUIET RESULT_VARIABLE status)
            if(status EQUAL 0 AND found MATCHES "^([0-9]+)\\.([0-9]+)")
                set(CMAKE_CUDA_ARCHITECTURES ${CMAKE_MATCH_1}${CMAKE_MATCH_2})
            else()
                set(CMAKE_CUDA_ARCHITECTURES 90)
            endif()
        endif()
    endif()
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        enable_language(CUDA)
        if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12)
            message(STATUS "CUDA ${CMAKE_CUDA_COMPILER_VERSION} is older than 12 and is not used")
        else()
            find_package(CUDAToolkit REQUIRED)
            set(ARMILLA_HAVE_CUDA TRUE)
        endif()
    endif()
    if(ARMILLA_CUDA STREQUAL "ON" AND NOT ARMILLA_HAVE_CUDA)
        message(FATAL_ERROR "ARMILLA_CUDA=ON, but no CUDA compiler of version 12 or later was found")
    endif()
endif()

# Compiler options of all our targets. Set per target, so that dependencies do not get them.
function(armilla_target target)
    target_compile_options(${target} PRIVATE
        $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor>
        # GCC 12 gives false warnings about overlapping copies in std::string + (GCC bug 105651).
        $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
        $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${ARMILLA_WERROR}>>:-Werror>
        # -ffp-contract=off: one formula gives the same bits in every translation unit, so that
        # pictures, pixel indices and files do not depend on the unit that computed a value.
        $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
    if(ARMILLA_PACKAGE)
        # Packages do not name the folder of the build.
        target_compile_options(${target} PRIVATE
            $<$<COMPILE_LANGUAGE:CXX>:-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=>
            $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=>)
    endif()
    if(ARMILLA_SANITIZER)
        target_compile_options(${target} PRIVATE
            $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${ARMILLA_SANITIZER} -fno-omit-frame-pointer>
            # With instrumentation, GCC gives false warnings for std::regex.
            $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
        target_link_options(${target} PRIVATE -fsanitize=${ARMILLA_SANITIZER})
    endif()
    if(ARMILLA_COVERAGE)
        # Several threads count the same lines: without atomic counters gcovr finds negative numbers.
        # Without optimization some tests exceed their time limit.
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:--coverage -O1 -fprofile-update=atomic>)
        target_link_options(${target} PRIVATE --coverage)
    endif()
endfunction()

# For code whose speed users and files limit: -O1 compiles in two thirds of the time of -O3. The sources
# listed after the target loop over pixels or samples and keep their optimization level.
function(armilla_plain target)
    target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>)
    set_source_files_properties(${ARGN} PROPERTIES
        COMPILE_OPTIONS $<$<CONFIG:Release>:-O3> SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# Precompiles the headers that nearly all sources of a target include: a third less compile time.
# A header that few sources include stays out, because each source instantiates its inline functions
# anew. CUDA sources use none. With <string> precompiled, GCC 12 reports false overflows of its
# copies (GCC bug 105651), so these two warnings are off. Sanitizer builds precompile nothing and so keep
# both warnings. Call this after armilla_target, whose -Wall enables the warnings.
function(armilla_precompile target)
    if(NOT ARMILLA_SANITIZER)
        target_precompile_headers(${target} PRIVATE ${ARGN})
        target_compile_options(${target} PRIVATE
            $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-stringop-overflow -Wno-array-bounds>)
    endif()
endfunction()

# armilla_module(name SOURCES ... LIBS ...): a part of the program that is loaded on first use
# (armilla/core/loaded_module.h). A build places it beside the program.
function(armilla_module name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
    add_library(${name} MODULE ${ARG_SOURCES})
    set_target_properties(${name} PROPERTIES PREFIX ""
        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
    target_link_libraries(${name} PRIVATE ${ARG_LIBS})
    armilla_target(${name})
    set_property(GLOBAL APPEND PROPERTY ARMILLA_MODULES ${name})
endfunction()

# CMake 3.25 has no C++20 mode for nvcc, so the flag is set explicitly.
function(armilla_cuda_target target)
    set_target_properties(${target} PROPERTIES CUDA_STANDARD_REQUIRED OFF CUDA_SEPARABLE_COMPILATION OFF)
    target_compile_options(${target} PRIVATE
        $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20 --expt-relaxed-constexpr>)
    # Line numbers for profilers name the sources by their paths on the machine of the build.
    if(NOT ARMILLA_PACKAGE)
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>)
    endif()
endfunction()

# Public headers of a layer, with an include root of its own. The target all_verify_interface_header_sets
# compiles each header alone.
function(armilla_public_headers target)
    target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS include FILES ${ARGN})
endfunction()

# Options, the language level, and helpers that every target uses.
set(ARMILLA_CUDA AUTO CACHE STRING "Build the CUDA parts: AUTO, ON or OFF")
set_property(CACHE ARMILLA_CUDA PROPERTY STRINGS AUTO ON OFF)
set(ARMILLA_MPI AUTO CACHE STRING "Build the module for transforms over MPI: AUTO, ON or OFF")
set_property(CACHE ARMILLA_MPI PROPERTY STRINGS AUTO ON OFF)
option(ARMILLA_WERROR "Treat warnings as errors" OFF)
set(ARMILLA_SANITIZER "" CACHE STRING "Sanitizers, as for -fsanitize=")
option(ARMILLA_PACKAGE "Build the CUDA parts for every supported GPU, not only for the one here" OFF)
option(ARMILLA_COVERAGE "Instrument for line coverage" OFF)
option(BUILD_TESTING "Build the tests" ON)
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

# What tools write into the build folder is not ours to lint; clang-tidy wants one check at least.
if(CMAKE_CXX_CLANG_TIDY)
    file(WRITE ${CMAKE_BINARY_DIR}/.clang-tidy "Checks: '-*,bugprone-sizeof-container'\n")
endif()

# CUDA: looked for, never required by AUTO.
set(ARMILLA_HAVE_CUDA FALSE)
if(NOT ARMILLA_CUDA STREQUAL "OFF")
    include(CheckLanguage)
    # Set before the language is enabled; otherwise CMake builds for one old architecture only. What
    # is built to be run here is built for the GPU found here; a package for all (ARMILLA_PACKAGE).
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

# What every target of ours is compiled with. Set per target, so that dependencies are spared.
function(armilla_target target)
    target_compile_options(${target} PRIVATE
        $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor>
        # GCC 12 warns falsely of overlapping copies in std::string + (GCC bug 105651).
        $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
        $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${ARMILLA_WERROR}>>:-Werror>
        # -ffp-contract=off: the same formula gives the same bits in every translation unit, so that
        # pictures, pixel indices and files do not depend on which one a value came from.
        $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
    if(ARMILLA_SANITIZER)
        target_compile_options(${target} PRIVATE
            $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${ARMILLA_SANITIZER} -fno-omit-frame-pointer>
            # GCC warns falsely of what its own instrumentation hides from it (std::regex).
            $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
        target_link_options(${target} PRIVATE -fsanitize=${ARMILLA_SANITIZER})
    endif()
    if(ARMILLA_COVERAGE)
        # Threads count the same lines: without atomic counters gcovr meets negative numbers. Without
        # optimization some tests run into their time limit.
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:--coverage -O1 -fprofile-update=atomic>)
        target_link_options(${target} PRIVATE --coverage)
    endif()
endfunction()

# Code that waits for people and files: at -O1 it compiles in two thirds of the time of -O3. The sources
# named after the target go over pixels or samples and stay as they are.
function(armilla_plain target)
    target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>)
    set_source_files_properties(${ARGN} PROPERTIES
        COMPILE_OPTIONS $<$<CONFIG:Release>:-O3> SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# Headers that nearly all sources of a target include, and no more: what other inline functions use
# is instantiated in each source anew. CUDA sources have none. Only where warnings are no errors: with
# <string> precompiled, GCC 12 takes its copies for ones beyond their bounds (GCC bug 105651). Called
# after armilla_target, whose -Wall asks for these warnings again.
function(armilla_precompile target)
    if(NOT ARMILLA_WERROR)
        target_precompile_headers(${target} PRIVATE ${ARGN})
        target_compile_options(${target} PRIVATE
            $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-stringop-overflow -Wno-array-bounds>)
    endif()
endfunction()

# A part of the program that is loaded on first use (core/loaded_module.h), beside the program in a
# build: armilla_module(name SOURCES ... LIBS ...).
function(armilla_module name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
    add_library(${name} MODULE ${ARG_SOURCES})
    set_target_properties(${name} PROPERTIES PREFIX ""
        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
    target_link_libraries(${name} PRIVATE ${ARG_LIBS})
    armilla_target(${name})
    set_property(GLOBAL APPEND PROPERTY ARMILLA_MODULES ${name})
endfunction()

# CMake 3.25 knows no C++20 mode for nvcc, so the flag is passed by hand.
function(armilla_cuda_target target)
    set_target_properties(${target} PROPERTIES CUDA_STANDARD_REQUIRED OFF CUDA_SEPARABLE_COMPILATION OFF)
    target_compile_options(${target} PRIVATE
        $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20 --expt-relaxed-constexpr -lineinfo>)
endfunction()

# Public headers of a layer: its own include root. Each compiles alone: in the source of its name,
# which includes it first (tests/layering/check_includes.py), or by the target
# all_verify_interface_header_sets. Where headers are precompiled the source shows it in builds
# without them (preset tidy).
function(armilla_public_headers target)
    get_target_property(sources ${target} SOURCES)
    set(shown)
    foreach(source ${sources})
        if(source MATCHES "[.](cpp|cu)$")
            get_filename_component(name ${source} NAME_WE)
            list(APPEND shown ${name})
        endif()
    endforeach()
    set(alone)
    set(others)
    foreach(header ${ARGN})
        get_filename_component(name ${header} NAME_WE)
        if(name IN_LIST shown)
            list(APPEND others ${header})
        else()
            list(APPEND alone ${header})
        endif()
    endforeach()
    target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS include FILES ${others}
        FILE_SET alone TYPE HEADERS BASE_DIRS include FILES ${alone})
    set_target_properties(${target} PROPERTIES INTERFACE_HEADER_SETS_TO_VERIFY alone)
endfunction()

# What the configuration found, at its end.
message(STATUS "Armilla ${PROJECT_VERSION}: build type ${CMAKE_BUILD_TYPE}")
if(ARMILLA_HAVE_CUDA)
    message(STATUS "  CUDA ${CMAKE_CUDA_COMPILER_VERSION}, architectures ${CMAKE_CUDA_ARCHITECTURES}")
else()
    message(STATUS "  CUDA: not in this build (ARMILLA_CUDA=${ARMILLA_CUDA})")
endif()
message(STATUS "  warnings as errors: ${ARMILLA_WERROR}; sanitizers: ${ARMILLA_SANITIZER}; tests: ${BUILD_TESTING}")

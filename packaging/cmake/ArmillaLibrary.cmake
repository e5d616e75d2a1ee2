# The shared library for other programs: all of compute and the operations, without Qt and OpenGL. It
# is made of the objects of the static libraries, so it costs one link.
add_library(armilla_library SHARED ${CMAKE_SOURCE_DIR}/packaging/library/version.cpp)
set_target_properties(armilla_library PROPERTIES OUTPUT_NAME armilla EXPORT_NAME library
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
target_compile_features(armilla_library INTERFACE cxx_std_20)
target_compile_definitions(armilla_library PRIVATE ARMILLA_VERSION="${PROJECT_VERSION}")
target_include_directories(armilla_library INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set(library_parts armilla_core armilla_device armilla_io armilla_compute armilla_operations)
target_link_libraries(armilla_library PRIVATE ${library_parts})
# Whole archives come first, so the same archives add nothing later. Operations draw small figures with
# functions of armilla_render that need no OpenGL, so its libraries are not needed.
set(archives)
foreach(part ${library_parts})
    list(APPEND archives $<TARGET_FILE:${part}>)
endforeach()
list(JOIN archives "," archives)
target_link_options(armilla_library PRIVATE "LINKER:--whole-archive,${archives},--no-whole-archive,--as-needed")

# A consumer links the part that it needs; the parts are one file.
foreach(part compute io operations)
    add_library(armilla_${part}_part INTERFACE)
    set_target_properties(armilla_${part}_part PROPERTIES EXPORT_NAME ${part})
    target_link_libraries(armilla_${part}_part INTERFACE armilla_library)
endforeach()
install(TARGETS armilla_library armilla_compute_part armilla_io_part armilla_operations_part EXPORT ArmillaTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
# Modules that the library loads on first use.
get_property(armilla_modules GLOBAL PROPERTY ARMILLA_MODULES)
list(REMOVE_ITEM armilla_modules armilla-draw)  # needs Qt
install(TARGETS ${armilla_modules} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/armilla COMPONENT library)
foreach(folder compute/core compute/device compute/io compute/ops app/operations)
    install(DIRECTORY ${CMAKE_SOURCE_DIR}/${folder}/include/armilla DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT development FILES_MATCHING PATTERN "*.h" PATTERN "device/cuda" EXCLUDE)
endforeach()
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Armilla)
install(EXPORT ArmillaTargets NAMESPACE Armilla:: FILE ArmillaConfig.cmake DESTINATION ${package_folder}
    COMPONENT development)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/ArmillaConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/ArmillaConfigVersion.cmake DESTINATION ${package_folder} COMPONENT development)

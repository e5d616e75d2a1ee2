# Converts text files to C++ string constants, at build time and without any library.
#
# Included: armilla_embed_text(TARGET HEADER FILE...) generates <build>/embedded/HEADER and adds it to
# TARGET. The header defines `inline constexpr std::string_view k<Name> = ...` in namespace
# armilla::embedded for each FILE, named after the file (sky.frag -> kSkyFrag).
# Run as a script (cmake -P): generates the header.
if(CMAKE_SCRIPT_MODE_FILE)
    set(content "// Made by EmbedText.cmake; edit the files it names.\n#pragma once\n#include <string_view>\n")
    string(APPEND content "namespace armilla::embedded {\n")
    foreach(file IN LISTS FILES)
        get_filename_component(name "${file}" NAME)
        string(REGEX REPLACE "[._]" ";" words "${name}")
        set(identifier k)
        foreach(word IN LISTS words)
            string(SUBSTRING "${word}" 0 1 first)
            string(SUBSTRING "${word}" 1 -1 rest)
            string(TOUPPER "${first}" first)
            string(APPEND identifier "${first}${rest}")
        endforeach()
        file(READ "${file}" text)
        string(APPEND content "// ${name}\ninline constexpr std::string_view ${identifier} = R\"EMBED(${text})EMBED\";\n")
    endforeach()
    string(APPEND content "}  // namespace armilla::embedded\n")
    file(WRITE "${OUTPUT}" "${content}")
    return()
endif()

set(ARMILLA_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
function(armilla_embed_text target header)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded/${header})
    # A list inside one argument of a command line needs its separators escaped.
    string(REPLACE ";" "\\;" files "${ARGN}")
    add_custom_command(OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DFILES=${files} -P ${ARMILLA_EMBED_SCRIPT}
        DEPENDS ${ARGN} ${ARMILLA_EMBED_SCRIPT}
        COMMENT "Embedding ${header}" VERBATIM)
    target_sources(${target} PRIVATE ${output})
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/embedded)
endfunction()

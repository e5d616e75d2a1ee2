// SPDX-License-Identifier: GPL-3.0-or-later
// A linked shader program.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "gl/gl_handles.h"

namespace armilla::gl {

class Program {
public:
    // Each of the two shaders is the concatenation of its sources; `defines` are lines after
    // #version. Throws DeviceError with the compiler's or linker's log.
    Program(std::initializer_list<std::string_view> vertex,
            std::initializer_list<std::string_view> fragment, std::string_view defines);

    void use() const { glUseProgram(name_.name()); }
    // Location of a uniform, looked up once; -1, which OpenGL ignores, if absent from the program.
    GLint uniform(const char* name);
    void set(const char* name, float value) { glUniform1f(uniform(name), value); }
    void set(const char* name, int value) { glUniform1i(uniform(name), value); }
    void set(const char* name, double) = delete;  // the precision must be explicit

private:
    void link();
    ProgramName name_;
    std::unordered_map<std::string, GLint> uniforms_;
};

}  // namespace armilla::gl

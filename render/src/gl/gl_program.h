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
    // Each of the two shaders is the concatenation of its sources; `defines` are lines put behind
    // #version. Throws DeviceError with the compiler's or linker's log.
    Program(std::initializer_list<std::string_view> vertex,
            std::initializer_list<std::string_view> fragment, std::string_view defines);
    // Of one compute shader, likewise; for contexts that `whyNoCompute` says nothing against.
    Program(std::initializer_list<std::string_view> compute, std::string_view defines);
    // Why this context runs no compute shaders; empty if it does. Those of OpenGL 4.3 do, and older
    // ones that have its parts as extensions, as they may where 3.3 was asked for.
    static std::string whyNoCompute();

    void use() const { glUseProgram(name_.name()); }
    // Location of a uniform, looked up once; -1, which OpenGL ignores, if the program has none.
    GLint uniform(const char* name);
    void set(const char* name, float value) { glUniform1f(uniform(name), value); }
    void set(const char* name, int value) { glUniform1i(uniform(name), value); }
    void set(const char* name, double) = delete;  // say which precision is meant

private:
    void link();
    ProgramName name_;
    std::unordered_map<std::string, GLint> uniforms_;
};

}  // namespace armilla::gl

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gl/gl_program.h"

#include <vector>

#include "core/error.h"
#include "gl/gl_check.h"

namespace armilla::gl {

namespace {

void compile(GLuint shader, const std::string& source, std::string_view kind) {
    const char* text = source.c_str();
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    GLint good = GL_FALSE, length = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good == GL_TRUE) return;
    glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
    std::vector<char> log(static_cast<size_t>(length) + 1, '\0');
    glGetShaderInfoLog(shader, length, nullptr, log.data());
    throw DeviceError("OpenGL: expected the " + std::string(kind) +
                      " shader to compile, found: " + log.data());
}

}  // namespace

Program::Program(std::initializer_list<std::string_view> vertex,
                 std::initializer_list<std::string_view> fragment, std::string_view defines)
    : name_(ProgramName::make()) {
    const std::string head = "#version 330 core\n" + std::string(defines);
    const VertexShader first = VertexShader::make();
    const auto joined = [&](std::initializer_list<std::string_view> parts) {
        std::string source = head;
        for (const std::string_view part : parts) source += part;
        return source;
    };
    compile(first.name(), joined(vertex), "vertex");
    const FragmentShader second = FragmentShader::make();
    compile(second.name(), joined(fragment), "fragment");
    glAttachShader(name_.name(), first.name());
    glAttachShader(name_.name(), second.name());
    glLinkProgram(name_.name());
    glDetachShader(name_.name(), first.name());
    glDetachShader(name_.name(), second.name());
    GLint good = GL_FALSE, length = 0;
    glGetProgramiv(name_.name(), GL_LINK_STATUS, &good);
    if (good != GL_TRUE) {
        glGetProgramiv(name_.name(), GL_INFO_LOG_LENGTH, &length);
        std::vector<char> log(static_cast<size_t>(length) + 1, '\0');
        glGetProgramInfoLog(name_.name(), length, nullptr, log.data());
        throw DeviceError(std::string("OpenGL: expected the shaders to link, found: ") +
                          log.data());
    }
    check("making a shader program");
}

GLint Program::uniform(const char* name) {
    const auto found = uniforms_.find(name);
    if (found != uniforms_.end()) return found->second;
    return uniforms_.emplace(name, glGetUniformLocation(name_.name(), name)).first->second;
}

}  // namespace armilla::gl

// SPDX-License-Identifier: GPL-3.0-or-later
// Owners of OpenGL names. Creation and destruction need the same current context; debug builds
// check that the current context contains the name.
#pragma once

#include <epoxy/gl.h>

#include <cassert>
#include <utility>

namespace armilla::gl {

// Traits: `static GLuint make()`, `static void free(GLuint)`, `static bool known(GLuint)`.
template <class Traits>
class Handle {
public:
    Handle() = default;
    ~Handle() { reset(); }
    Handle(Handle&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
    Handle& operator=(Handle&& other) noexcept {
        if (this != &other) {
            reset();
            name_ = std::exchange(other.name_, 0);
        }
        return *this;
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    static Handle make() {
        Handle handle;
        handle.name_ = Traits::make();
        return handle;
    }
    GLuint name() const { return name_; }
    explicit operator bool() const { return name_ != 0; }
    void reset() {
        if (name_ == 0) return;
        assert(Traits::known(name_) && "an OpenGL name must die in the context that made it");
        Traits::free(std::exchange(name_, 0));
    }

private:
    GLuint name_ = 0;
};

// glGen* only reserves a name, which becomes an object at its first binding. `known` is therefore
// true only after that binding, which precedes any use.
struct TextureTraits {
    static GLuint make() {
        GLuint name = 0;
        glGenTextures(1, &name);
        return name;
    }
    static void free(GLuint name) { glDeleteTextures(1, &name); }
    static bool known(GLuint name) { return glIsTexture(name) == GL_TRUE; }
};
struct FramebufferTraits {
    static GLuint make() {
        GLuint name = 0;
        glGenFramebuffers(1, &name);
        return name;
    }
    static void free(GLuint name) { glDeleteFramebuffers(1, &name); }
    static bool known(GLuint name) { return glIsFramebuffer(name) == GL_TRUE; }
};
struct BufferTraits {
    static GLuint make() {
        GLuint name = 0;
        glGenBuffers(1, &name);
        return name;
    }
    static void free(GLuint name) { glDeleteBuffers(1, &name); }
    static bool known(GLuint name) { return glIsBuffer(name) == GL_TRUE; }
};
struct VertexArrayTraits {
    static GLuint make() {
        GLuint name = 0;
        glGenVertexArrays(1, &name);
        glBindVertexArray(name);
        return name;
    }
    static void free(GLuint name) { glDeleteVertexArrays(1, &name); }
    static bool known(GLuint name) { return glIsVertexArray(name) == GL_TRUE; }
};
struct ProgramTraits {
    static GLuint make() { return glCreateProgram(); }
    static void free(GLuint name) { glDeleteProgram(name); }
    static bool known(GLuint name) { return glIsProgram(name) == GL_TRUE; }
};
struct VertexShaderTraits {
    static GLuint make() { return glCreateShader(GL_VERTEX_SHADER); }
    static void free(GLuint name) { glDeleteShader(name); }
    static bool known(GLuint name) { return glIsShader(name) == GL_TRUE; }
};
struct FragmentShaderTraits {
    static GLuint make() { return glCreateShader(GL_FRAGMENT_SHADER); }
    static void free(GLuint name) { glDeleteShader(name); }
    static bool known(GLuint name) { return glIsShader(name) == GL_TRUE; }
};

using Texture = Handle<TextureTraits>;
using Framebuffer = Handle<FramebufferTraits>;
using Buffer = Handle<BufferTraits>;
using VertexArray = Handle<VertexArrayTraits>;
using ProgramName = Handle<ProgramTraits>;
using VertexShader = Handle<VertexShaderTraits>;
using FragmentShader = Handle<FragmentShaderTraits>;

}  // namespace armilla::gl

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gl/gl_check.h"

#include <cstdio>

#include "armilla/core/error.h"

namespace armilla::gl {

namespace {

// Limit, because a lost context may report errors endlessly.
constexpr int kMaxErrors = 32;

}  // namespace

void clearErrors() {
    for (int i = 0; i < kMaxErrors && glGetError() != GL_NO_ERROR; ++i) {
    }
}

void check(std::string_view what) {
    const GLenum error = glGetError();
    if (error == GL_NO_ERROR) return;
    clearErrors();
    if (error == GL_OUT_OF_MEMORY)
        throw OutOfMemory("OpenGL: expected memory for " + std::string(what) +
                          ", found too little on " + text(GL_RENDERER));
    char code[16];
    std::snprintf(code, sizeof code, "0x%04X", error);
    throw DeviceError("OpenGL: expected " + std::string(what) + " to work, found error " + code);
}

std::string text(GLenum name) {
    const GLubyte* found = glGetString(name);
    return found != nullptr ? reinterpret_cast<const char*>(found) : "";
}

}  // namespace armilla::gl

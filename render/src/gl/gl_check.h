// SPDX-License-Identifier: GPL-3.0-or-later
// OpenGL's errors as exceptions.
#pragma once

#include <epoxy/gl.h>

#include <string>
#include <string_view>

namespace armilla::gl {

// Throws OutOfMemory for GL_OUT_OF_MEMORY and DeviceError for other errors since the last check;
// `what` names the operation.
void check(std::string_view what);
// Forgets errors that others left behind, so that `check` tells of ours only.
void clearErrors();
std::string text(GLenum name);  // glGetString, never null

}  // namespace armilla::gl

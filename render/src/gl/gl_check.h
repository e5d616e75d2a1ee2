// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of OpenGL errors to exceptions.
#pragma once

#include <epoxy/gl.h>

#include <string>
#include <string_view>

namespace armilla::gl {

// Throws OutOfMemory for GL_OUT_OF_MEMORY and DeviceError for other errors since the last check;
// `what` names the operation.
void check(std::string_view what);
// Discards errors of earlier calls by other code, so that `check` reports only our own.
void clearErrors();
std::string text(GLenum name);  // glGetString, never null

}  // namespace armilla::gl

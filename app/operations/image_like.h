// SPDX-License-Identifier: GPL-3.0-or-later
// The pixel grid of an image file, as a target.
#pragma once

#include <optional>
#include <string>

#include "armilla/core/equatorial_frame.h"
#include "armilla/io/image_file.h"

namespace armilla {

// Frame of an image. If its file names no known frame, the frame stated for the output or for all
// inputs. Throws IoError, and InvalidArgument or UsageError if statements contradict each other.
ImageGrid gridLike(const std::string& path, std::optional<Frame> stated,
                   const std::optional<StatedFrame>& statedOfInputs, JobContext& job);

}  // namespace armilla

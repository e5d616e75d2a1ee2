// SPDX-License-Identifier: GPL-3.0-or-later
#include "image_like.h"

#include "armilla/core/error.h"
#include "armilla/operations/usage_error.h"

namespace armilla {

ImageGrid gridLike(const std::string& path, std::optional<Frame> stated,
                   const std::optional<StatedFrame>& statedOfInputs, JobContext& job) {
    std::string why;
    try {
        ImageGrid grid = readImageGrid(path, job);
        if (stated && *stated != grid.frame)
            throw InvalidArgument("expected no --frame, or " +
                                  std::string(1, frameLetter(grid.frame)) + " as " + path +
                                  " says, found " + std::string(1, frameLetter(*stated)));
        return grid;
    } catch (const IoError& error) {
        why = error.message();
    }
    const auto image = [&]() -> std::optional<Image> {
        try {
            return readImageHeader(path, job);
        } catch (const IoError&) {
            return std::nullopt;  // the error of the header remains
        }
    }();
    if (!image || image->frame != Frame::Unknown) throw IoError(why);
    if (!stated && !statedOfInputs)
        throw IoError(why + " (--frame G, E or C states the frame of the image)");
    if (stated && statedOfInputs && *stated != statedOfInputs->frame)
        throw UsageError("expected one frame of " + path + ", found --frame " +
                         std::string(1, frameLetter(*stated)) + " and --input-frame " +
                         statedFrameWord(*statedOfInputs));
    return {image->width, image->height, stated ? *stated : statedOfInputs->frame, image->wcsCards};
}

}  // namespace armilla

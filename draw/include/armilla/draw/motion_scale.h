// SPDX-License-Identifier: GPL-3.0-or-later
// Resolution reduction during interaction, so that frames keep up with the cursor.
#pragma once

namespace armilla {

// Adapts to the frame times drawn, which are assumed proportional to the number of pixels.
class MotionScale {
public:
    // `frameSeconds`: time budget of a frame during interaction.
    explicit MotionScale(double frameSeconds = 1.0 / 40.0) : budget_(frameSeconds) {}

    // Reports that a frame of `scale` times the full width and height took `seconds` to completion
    // (glFinish, or a timer query).
    void drawn(double scale, double seconds);
    // The scale for the next frame during interaction: 1, 3/4, 1/2, 1/3 or 1/4. Few steps, so that
    // the picture's size is stable and its buffer is seldom reallocated. 1/2 before the first
    // measurement.
    double scale() const { return scale_; }

private:
    double budget_;
    double fullFrame_ = 0.0;  // smoothed frame time at scale 1, seconds; 0: unknown
    double scale_ = 0.5;
};

}  // namespace armilla

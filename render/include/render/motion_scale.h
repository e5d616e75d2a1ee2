// SPDX-License-Identifier: GPL-3.0-or-later
// How much coarser to draw while the hand moves, so that frames keep up with it.
#pragma once

namespace armilla {

// Learns from the frames drawn. Time is taken to grow with the number of pixels.
class MotionScale {
public:
    // `frameSeconds`: what a frame may take while moving.
    explicit MotionScale(double frameSeconds = 1.0 / 40.0) : budget_(frameSeconds) {}

    // Reports that a frame of `scale` times the full width and height took `seconds`, drawn to the
    // end (glFinish, or a timer query).
    void drawn(double scale, double seconds);
    // The scale for the next frame while moving: 1, 3/4, 1/2, 1/3 or 1/4. Few steps, so that the
    // picture does not breathe and its buffer is seldom remade. 1/2 before anything is known.
    double scale() const { return scale_; }

private:
    double budget_;
    double fullFrame_ = 0.0;  // smoothed seconds of a frame at scale 1; 0: unknown
    double scale_ = 0.5;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Brings the inputs of one operation to one frame.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "armilla/operations/operation.h"

namespace armilla {

// An input or a layer, with the frame that it names.
struct NamedFrame {
    std::string name;
    Frame frame = Frame::Unknown;
};
using NoteLine = std::function<void(const std::string&)>;

// Reports with a line that `other` is rotated to the frame of `first`, if they differ, or that two
// unknown frames are assumed equal. Throws InvalidArgument, naming --input-frame, if only one frame
// is known.
void compareFrames(const NamedFrame& first, const NamedFrame& other, const NoteLine& note);

// Frame of an input; none for kinds of data without one, and for words and numbers.
std::optional<Frame> frameOf(const Input& input);

// Throws InvalidArgument for Q without U and for U without Q among the fields, or among all fields:
// the two rotate together. `advice` ends the message.
void requireWholePolarization(const HealpixMap& map, std::span<const int> fields,
                              std::string_view advice = {});
void requireWholePolarization(const HealpixMap& map, std::string_view advice = {});
// Throws InvalidArgument for components along meridians other than Q and U, as alm2map names them
// (SPIN1_RE, DX_T, ...). Rotations of pixels do not turn these.
void requireNoComponents(const HealpixMap& map, std::span<const int> fields);

// Map of an input in the frame of `first`: the same map if the frames agree. Otherwise interpolated
// between four pixels, Q and U rotated with the frame (rotatedFrame of armilla/ops/resample.h);
// cells of several orders become pixels. Throws as compareFrames(), and for Q without U.
std::shared_ptr<const HealpixMap> mapInFrameOf(const NamedFrame& first, const Input& input,
                                               const NoteLine& note, JobContext& job);

// Compares inputs whose slots have a FrameRule with the first input, and rotates those of
// FrameRule::Turned. `runOperation` calls it.
void bringToOneFrame(const Operation& operation, Context& context, Inputs& inputs);

}  // namespace armilla

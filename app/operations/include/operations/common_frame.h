// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs of one operation in one frame: compared, and turned where they differ.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "operations/operation.h"

namespace armilla {

// An input, or a layer, and the frame that it names.
struct NamedFrame {
    std::string name;
    Frame frame = Frame::Unknown;
};
using NoteLine = std::function<void(const std::string&)>;

// Whether `other` has to be turned into the frame of `first`; a line says so. Two unknown frames
// are taken as equal, with a line. Throws InvalidArgument where one is known and the other is not,
// naming --input-frame.
bool isToBeTurned(const NamedFrame& first, const NamedFrame& other, const NoteLine& note);

// The frame of an input; none for kinds of data that have none, and for words and numbers.
std::optional<Frame> frameOf(const Input& input);

// The map of an input in the frame of `first`: the same map where nothing is to be turned, else
// interpolated between four pixels, Q and U turned with the frame (rotatedFrame of ops/resample.h);
// cells of several orders become pixels. Throws as isToBeTurned, and for Q without U.
std::shared_ptr<const HealpixMap> mapInFrameOf(const NamedFrame& first, const Input& input,
                                               const NoteLine& note, JobContext& job);

// Compares the inputs whose slots have a FrameRule with the first input, and turns those of
// FrameRule::Turned. `runOperation` calls it.
void bringToOneFrame(const Operation& operation, Context& context, Inputs& inputs);

}  // namespace armilla

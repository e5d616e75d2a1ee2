// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/common_frame.h"

#include <algorithm>
#include <numeric>

#include "armilla/operations/map_values.h"
#include "armilla/ops/frame_turn.h"
#include "armilla/ops/resample.h"
#include "spin_fields.h"

namespace armilla {

namespace {

std::string words(Frame frame) {
    return std::string(frameName(frame));
}

FrameRule ruleOf(const Operation& operation, std::string_view slot) {
    for (const InputSlot& each : operation.inputs)
        if (each.name == slot) return each.frame;
    return FrameRule::Own;
}

// First input of the first slot, in the order of the slots. Inputs may be read in another order.
const Input* firstOf(const Operation& operation, const Inputs& inputs) {
    for (const InputSlot& slot : operation.inputs)
        if (const Input* input = inputs.find(slot.name); input != nullptr && frameOf(*input))
            return input;
    return nullptr;
}

}  // namespace

void requireWholePolarization(const HealpixMap& map, std::span<const int> fields,
                              std::string_view advice) {
    const auto pairs = map.polarizationPairs();
    for (const int index : fields) {
        const Field& field = map.field(index);
        const bool isPaired = std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
            return pair.first == index || pair.second == index;
        });
        if (isHalfOfPolarization(field) && !isPaired)
            throw InvalidArgument("expected both Q and U, which rotate together, found " +
                                  field.name + " alone" + std::string(advice));
    }
}

void requireNoComponents(const HealpixMap& map, std::span<const int> fields) {
    for (const int index : fields) {
        const std::string& name = map.field(index).name;
        if (isComponent(name))
            throw InvalidArgument(
                "expected scalar fields, or Q and U, to rotate between frames, "
                "found " +
                name +
                ", a component along meridians; alm2map --frame rotates the "
                "coefficients before");
    }
}

void requireWholePolarization(const HealpixMap& map, std::string_view advice) {
    std::vector<int> fields(static_cast<size_t>(map.fieldCount()));
    std::iota(fields.begin(), fields.end(), 0);
    requireWholePolarization(map, fields, advice);
}

void compareFrames(const NamedFrame& first, const NamedFrame& other, const NoteLine& note) {
    const bool isKnown = other.frame != Frame::Unknown;
    if (isKnown != (first.frame != Frame::Unknown)) {
        const NamedFrame &known = isKnown ? other : first, &unknown = isKnown ? first : other;
        throw InvalidArgument(unknown.name + ": expected a frame, as " + known.name + " has one (" +
                              words(known.frame) +
                              "), found none; state it with --input-frame G|E|C");
    }
    if (!note) return;
    if (!isKnown)
        note(other.name + ": assumed to be in the frame of " + first.name +
             "; neither names its frame; --input-frame G|E|C states it");
    else if (first.frame != other.frame)
        note(other.name + ": rotated from " + words(other.frame) + " to " + words(first.frame) +
             ", the frame of " + first.name);
}

std::optional<Frame> frameOf(const Input& input) {
    if (input.view) return input.view->outline.frame();
    return std::visit(
        [](const auto& held) -> std::optional<Frame> {
            if constexpr (requires { held->frame(); }) {
                if (held) return held->frame();
            } else if constexpr (requires { held->frame; }) {
                if (held) return held->frame;
            }
            return std::nullopt;
        },
        input.data);
}

std::shared_ptr<const HealpixMap> mapInFrameOf(const NamedFrame& first, const Input& input,
                                               const NoteLine& note, JobContext& job) {
    const HealpixMap& map = input.map();  // throws for other kinds
    compareFrames(first, {input.name, map.frame()}, note);
    if (first.frame == map.frame()) return std::get<std::shared_ptr<const HealpixMap>>(input.data);
    return naming(input.name, [&] {
        requireNoComponents(map, input.fields);
        requireWholePolarization(map, input.fields,
                                 "; rotate the whole map with `armilla convert --frame`");
        const bool hasOrders = map.coverage() == Coverage::MultiOrder;
        return std::make_shared<const HealpixMap>(rotatedFrame(
            hasOrders ? atOneOrder(map, input.name, "rotated", note, job) : map, first.frame, job));
    });
}

void bringToOneFrame(const Operation& operation, Context& context, Inputs& inputs) {
    const Input* first = firstOf(operation, inputs);
    if (first == nullptr) return;
    const NamedFrame wanted{first->name, *frameOf(*first)};
    JobContext quiet(context.job.stopToken(), {}, context.job.threads());
    for (Input& input : inputs.all) {
        const FrameRule rule = ruleOf(operation, input.slot);
        const std::optional<Frame> frame = frameOf(input);
        if (&input == first || rule == FrameRule::Own || !frame) continue;
        if (rule == FrameRule::Compared) {
            compareFrames(wanted, {input.name, *frame}, context.note);
            continue;
        }
        if (!std::holds_alternative<std::shared_ptr<const HealpixMap>>(input.data)) continue;
        const auto turned = mapInFrameOf(wanted, input, context.note, quiet);
        if (turned == std::get<std::shared_ptr<const HealpixMap>>(input.data)) continue;
        input.data = turned;
        input.isShared = false;
    }
}

}  // namespace armilla

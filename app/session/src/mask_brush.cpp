// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/mask_brush.h"

#include <QUndoStack>
#include <algorithm>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/operations/live_form.h"
#include "armilla/session/job_runner.h"
#include "map_work.h"
#include "operation_values.h"

namespace armilla {

namespace {

std::optional<OperationRequest> requestFor(const Layer* layer) {
    if (!layer || !layer->map || layer->live || layer->recipe.kind != RecipeKind::Operation)
        return std::nullopt;
    try {
        OperationRequest request = requestOf(layer->recipe.record);
        if (paintedParameterOf(*request.operation).name.empty()) return std::nullopt;
        return request;
    } catch (const Error&) {
        return std::nullopt;  // made by another program version
    }
}

bool isGiven(const ParameterValue& value) {
    if (const bool* flag = std::get_if<bool>(&value)) return *flag;
    return !std::holds_alternative<std::monostate>(value);
}

std::vector<MaskStroke> strokesIn(const OperationRequest& request) {
    const ParameterValue value =
        request.parameters.value(paintedParameterOf(*request.operation).name);
    const auto* text = std::get_if<std::string>(&value);
    return text ? parseStrokes(*text) : std::vector<MaskStroke>();
}

Recipe withStrokes(const Recipe& recipe, const std::vector<MaskStroke>& strokes) {
    OperationRequest request = requestOf(recipe.record);
    request.parameters.set(paintedParameterOf(*request.operation).name, strokeText(strokes));
    Recipe changed = recipe;
    changed.record = toQt(toJson(recordOf(request)));
    return changed;
}

bool isPrefix(const std::vector<MaskStroke>& part, const std::vector<MaskStroke>& all) {
    return part.size() <= all.size() && std::equal(part.begin(), part.end(), all.begin());
}

struct Work {
    std::shared_ptr<const HealpixMap> base, value;
    std::vector<MaskStroke> strokes;
};

}  // namespace

struct PaintStroke : QUndoCommand {
    MaskBrush& brush;
    LayerId layer;
    MaskStroke stroke;
    PaintStroke(MaskBrush& owner, LayerId of, MaskStroke made)
        : QUndoCommand(made.good ? MaskBrush::tr("Erase a stroke")
                                 : MaskBrush::tr("Paint a stroke")),
          brush(owner),
          layer(of),
          stroke(std::move(made)) {}
    void undo() override {
        std::vector<MaskStroke> all = brush.strokes(layer);
        // A stroke whose painting failed is no longer in the list.
        if (all.empty() || !(all.back() == stroke)) return;
        all.pop_back();
        brush.want(layer, std::move(all));
    }
    void redo() override {
        std::vector<MaskStroke> all = brush.strokes(layer);
        all.push_back(stroke);
        brush.want(layer, std::move(all));
    }
};

MaskBrush::MaskBrush(Document& document, JobRunner& jobs, QObject* parent)
    : QObject(parent), document_(document), jobs_(jobs) {
    connect(&document_, &Document::entriesChanged, this, &MaskBrush::forget);
    // A cancelled job withdraws its strokes.
    connect(&jobs_, &JobRunner::jobCancelled, this, [this](int job) {
        for (auto& [layer, of] : all_)
            if (of.runs && of.job == job) {
                of.runs = false;
                of.wanted = of.done;
                emit strokesChanged(layer);
            }
    });
}

MaskBrush::~MaskBrush() = default;

bool MaskBrush::canPaint(LayerId layer) const {
    const auto request = requestFor(document_.entry(layer));
    if (!request) return false;
    const std::vector<std::string_view>& later = paintedParameterOf(*request->operation).later;
    return std::none_of(later.begin(), later.end(), [&](std::string_view name) {
        return isGiven(request->parameters.value(name));
    });
}

// Painting state of a layer; read from its recipe at the first call.
MaskBrush::Painted* MaskBrush::painted(LayerId layer) {
    if (!canPaint(layer)) return nullptr;
    const auto found = all_.find(layer);
    if (found != all_.end()) return &found->second;
    const Layer* entry = document_.entry(layer);
    Painted fresh;
    fresh.wanted = fresh.done = strokesIn(*requestFor(entry));
    fresh.value = entry->map;
    if (fresh.done.empty()) fresh.base = entry->map;
    return &(all_[layer] = std::move(fresh));
}

std::vector<MaskStroke> MaskBrush::strokes(LayerId layer) const {
    const auto found = all_.find(layer);
    if (found != all_.end()) return found->second.wanted;
    const auto request = requestFor(document_.entry(layer));
    return request ? strokesIn(*request) : std::vector<MaskStroke>();
}

size_t MaskBrush::shownStrokes(LayerId layer) const {
    const auto found = all_.find(layer);
    if (found == all_.end()) return strokes(layer).size();
    const Painted& of = found->second;
    const auto [end, other] =
        std::mismatch(of.done.begin(), of.done.end(), of.wanted.begin(), of.wanted.end());
    return static_cast<size_t>(end - of.done.begin());
}

void MaskBrush::paint(LayerId layer, const MaskStroke& stroke) {
    if (!painted(layer) || stroke.path.empty()) return;
    document_.history().stack()->push(new PaintStroke(*this, layer, stroke));
}

void MaskBrush::want(LayerId layer, std::vector<MaskStroke> strokes) {
    Painted* of = painted(layer);
    if (!of) return;  // closed; its recipe is restored unchanged
    of->wanted = std::move(strokes);
    emit strokesChanged(layer);
    work(layer);
}

void MaskBrush::work(LayerId layer) {
    Painted* of = painted(layer);
    if (!of || of->runs || of->done == of->wanted) return;
    of->runs = true;
    const Layer* entry = document_.entry(layer);
    const bool isNext = of->value && isPrefix(of->done, of->wanted);
    const Recipe plain = withStrokes(entry->recipe, {});
    std::vector<LayerValue> inputs;
    if (!isNext && !of->base)
        for (const LayerId id : plain.inputs()) {
            const Layer* input = document_.entry(id);
            if (!input) {
                of->runs = false;
                of->wanted = of->done;
                emit strokesChanged(layer);
                return emit failed(tr("expected what %1 was made of to be open, found it closed")
                                       .arg(entry->name));
            }
            inputs.push_back(*input);
        }
    const auto from = isNext ? of->value : of->base;
    const size_t skip = isNext ? of->done.size() : 0;
    of->job = jobs_.run<std::shared_ptr<Work>>(
        tr("Paint %1").arg(entry->name), JobLane::Compute, {}, this,
        [from, isNext, skip, base = of->base, wanted = of->wanted, plain, inputs](JobContext& job) {
            auto made = std::make_shared<Work>();
            made->base = base;
            made->strokes = wanted;
            auto start = from;
            if (!start) {
                QString note;
                const auto again =
                    remadeByOperation(plain, {plain.output}, inputs, Device::cpu(), job, note);
                start = made->base = again.front().map;
            }
            auto mask = std::make_shared<HealpixMap>(*start);
            paintStrokes(*mask, {wanted.begin() + static_cast<std::ptrdiff_t>(skip), wanted.end()},
                         job);
            if (isNext && skip == 0) made->base = from;
            made->value = std::move(mask);
            return made;
        },
        [this, layer](const std::shared_ptr<Work>& made) {
            const auto found = all_.find(layer);
            if (found == all_.end()) return;
            found->second.runs = false;
            const Layer* now = document_.entry(layer);
            if (!now) return forget();  // closed meanwhile
            found->second.base = made->base;
            found->second.value = made->value;
            found->second.done = made->strokes;
            document_.setValue(layer, made->value, withStrokes(now->recipe, made->strokes));
            emit shownChanged(layer);
            work(layer);
        },
        [this, layer](const QString& line) {
            if (const auto found = all_.find(layer); found != all_.end()) {
                found->second.runs = false;
                found->second.wanted = found->second.done;
                emit strokesChanged(layer);
            }
            emit failed(line);
        });
}

// Forgets closed layers, and layers that undo has restored with other values.
void MaskBrush::forget() {
    std::erase_if(all_, [this](const auto& each) {
        const Layer* layer = document_.entry(each.first);
        return !each.second.runs && (!layer || layer->map != each.second.value);
    });
}

}  // namespace armilla

#include "armilla/session/moc_mask_brush.cpp"

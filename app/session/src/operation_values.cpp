// SPDX-License-Identifier: GPL-3.0-or-later
#include "operation_values.h"

#include <QJsonDocument>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "armilla/core/error.h"
#include "armilla/core/icrs_positions.h"
#include "armilla/figure/unit_text.h"
#include "armilla/io/image_file.h"
#include "armilla/operations/files.h"
#include "armilla/session/shown_text.h"
#include "armilla/session/window_words.h"
#include "map_work.h"

namespace armilla {

namespace {

std::vector<int> fieldsOf(const Columns& columns, const HealpixMap& map,
                          const std::vector<int>& chosen) {
    switch (columns.choice) {
        case Columns::Choice::Polarization: {
            const auto triple = map.polarizationFields();
            if (!triple) throw InvalidArgument("expected a map with fields T, Q and U, found none");
            return {triple->begin(), triple->end()};
        }
        case Columns::Choice::All: break;
        case Columns::Choice::Named: {
            std::vector<int> fields;
            for (const std::string& name : columns.names) fields.push_back(map.fieldIndex(name));
            if (!fields.empty()) return fields;
            break;
        }
        case Columns::Choice::One:
        case Columns::Choice::Several:
        case Columns::Choice::OneWithPartner: return chosen.empty() ? std::vector<int>{0} : chosen;
    }
    std::vector<int> all(static_cast<size_t>(map.fieldCount()));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

// The catalog with positions from the named columns, as when read from a file.
std::shared_ptr<const Catalog> withPositions(const std::shared_ptr<const Catalog>& catalog,
                                             const Columns& columns) {
    JobContext quiet;
    auto placed = withPlaces(catalog, columns, quiet);
    if (placed->position.lon < 0)
        throw InvalidArgument("expected a catalog with positions, found none");
    return placed;
}

}  // namespace

Input inputOf(const InputSlot& slot, const ParameterSet& parameters, const LayerValue& value,
              const std::string& name, const std::vector<int>& fields) {
    Input input;
    input.slot = slot.name;
    input.name = name;
    if (!value || !canServe(slot, value.kind()))
        throw InvalidArgument(name + ": expected a " + std::string(dataKindName(slot.kind)) +
                              ", found " +
                              (value ? "a " + std::string(factsOf(value.kind()).id) : "nothing"));
    naming(name, [&] {
        switch (slot.kind) {
            case DataKind::Map:
                if (value.image) {
                    input.data = value.image;
                    break;
                }
                if (value.catalog) {
                    input.data = withPositions(value.catalog,
                                               slot.columns ? slot.columns(parameters) : Columns{});
                    break;
                }
                input.data = value.map;
                input.fields = fieldsOf(slot.columns ? slot.columns(parameters) : Columns{},
                                        *value.map, fields);
                break;
            case DataKind::Catalog:
                input.data = withPositions(value.catalog,
                                           slot.columns ? slot.columns(parameters) : Columns{});
                break;
            case DataKind::Table:
                input.data = std::shared_ptr<const Table>(value.catalog, &value.catalog->table);
                break;
            case DataKind::Image: input.data = value.image; break;
            case DataKind::Curve: input.data = value.curve; break;
            case DataKind::Spectra:
                input.data = std::make_shared<const Spectra>(spectraOf(*value.curve));
                break;
            case DataKind::Beam:
                input.data = std::make_shared<const Beam>(beamOf(*value.curve));
                break;
            case DataKind::Kernel:
                input.data = std::make_shared<const RadialKernel>(kernelOf(*value.curve));
                break;
            case DataKind::Alm: break;
        }
        return 0;
    });
    return input;
}

LayerValue layerOf(const Data& data) {
    struct Visitor {
        LayerValue operator()(const std::shared_ptr<const HealpixMap>& map) { return map; }
        LayerValue operator()(const std::shared_ptr<const Catalog>& catalog) { return catalog; }
        LayerValue operator()(const std::shared_ptr<const Table>& table) {
            // A table without positions becomes a catalog with nothing to draw.
            auto catalog = std::make_shared<Catalog>();
            catalog->table = *table;
            catalog->position = findPositions(*table).value_or(PositionColumns{});
            return catalog;
        }
        LayerValue operator()(const std::shared_ptr<const Image>& image) { return image; }
        LayerValue operator()(const std::shared_ptr<const Curve>& curve) { return curve; }
        LayerValue operator()(const std::shared_ptr<const AlmSet>&) { return {}; }
        LayerValue operator()(const std::shared_ptr<const Spectra>& spectra) {
            return std::make_shared<const Curve>(curveOf(*spectra));
        }
        LayerValue operator()(const std::shared_ptr<const Beam>& beam) {
            return std::make_shared<const Curve>(curveOf(*beam));
        }
        LayerValue operator()(const std::shared_ptr<const RadialKernel>& kernel) {
            return std::make_shared<const Curve>(curveOf(*kernel));
        }
        LayerValue operator()(std::monostate) { return {}; }
    };
    return std::visit(Visitor{}, data);
}

std::optional<LayerKind> layerKindFor(DataKind kind) {
    switch (kind) {
        case DataKind::Map: return LayerKind::Map;
        case DataKind::Catalog:
        case DataKind::Table: return LayerKind::Catalog;
        case DataKind::Image: return LayerKind::Image;
        case DataKind::Curve:
        case DataKind::Spectra:
        case DataKind::Beam:
        case DataKind::Kernel: return LayerKind::Curve;
        case DataKind::Alm: break;
    }
    return std::nullopt;
}

bool canServe(const InputSlot& slot, LayerKind kind) {
    return layerKindFor(slot.kind) == kind || (slot.orImage && kind == LayerKind::Image) ||
           (slot.orCatalog && kind == LayerKind::Catalog);
}

bool runsOnLayers(const Operation& operation) {
    return std::all_of(operation.inputs.begin(), operation.inputs.end(),
                       [](const InputSlot& slot) {
                           return slot.isOptional || slot.isOption || layerKindFor(slot.kind);
                       }) &&
           std::any_of(operation.outputs.begin(), operation.outputs.end(),
                       [](const OutputSlot& slot) { return layerKindFor(slot.kind).has_value(); });
}

QString withLabels(const QString& line, const OperationRequest& request) {
    return withLabelsOf(line, *request.operation);
}

QString problemOf(const OperationRequest& request) {
    GivenSlots given = request.wanted;
    for (const OperationRequest::Given& input : request.inputs)
        given.insert(input.slot.toStdString());
    for (const InputSlot& slot : request.operation->inputs)
        if (!slot.isOptional && !slot.isOption && !given.contains(slot.name))
            return inWindowWords(QStringLiteral("expected %1 (%2), found none")
                                     .arg(shownText(slot.label()), shownText(slot.help)),
                                 request.operation);
    const Problems problems = problemsOf(*request.operation, request.parameters, given);
    return problems.empty()
               ? QString()
               : inWindowWords(QString::fromStdString(problems.front().text()), request.operation);
}

QJsonObject toQt(const Json& json) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(json.text())).object();
}

Json fromQt(const QJsonObject& json) {
    return Json::parse(QJsonDocument(json).toJson(QJsonDocument::Compact).toStdString());
}

Record recordOf(const OperationRequest& request) {
    Record record{request.operation, request.parameters, {}, request.wanted};
    for (const OperationRequest::Given& given : request.inputs)
        record.inputs.push_back({given.slot.toStdString(), given.layer.number(), given.fields,
                                 given.literal.toStdString(), given.variable.toStdString()});
    return record;
}

OperationRequest requestOf(const QJsonObject& json) {
    const Record record = recordFromJson(fromQt(json));
    OperationRequest request{record.operation, record.parameters, {}, record.wanted};
    for (const RecordInput& input : record.inputs)
        request.inputs.push_back({QString::fromStdString(input.slot),
                                  LayerId(static_cast<int>(input.layer)), input.fields,
                                  QString::fromStdString(input.literal),
                                  QString::fromStdString(input.variable)});
    return request;
}

Inputs inputsOf(const OperationRequest& request, const std::vector<LayerValue>& values,
                const QStringList& names) {
    const Operation& operation = *request.operation;
    const auto slotNamed = [&](const QString& name) -> const InputSlot& {
        for (const InputSlot& slot : operation.inputs)
            if (slot.name == name.toStdString()) return slot;
        throw InvalidArgument("expected an input of " + std::string(operation.id) + ", found " +
                              name.toStdString());
    };
    Inputs inputs;
    size_t next = 0;
    for (const OperationRequest::Given& given : request.inputs) {
        const InputSlot& slot = slotNamed(given.slot);
        if (!given.layer.isValid()) {
            Input literal;
            literal.slot = slot.name;
            literal.name = literal.literal = given.literal.toStdString();
            literal.variable = given.variable.toStdString();
            inputs.all.push_back(std::move(literal));
            continue;
        }
        inputs.all.push_back(inputOf(slot, request.parameters, values.at(next),
                                     names.at(static_cast<qsizetype>(next)).toStdString(),
                                     given.fields));
        inputs.all.back().variable = given.variable.toStdString();
        ++next;
    }
    return inputs;
}

OperationResult runRequest(const OperationRequest& request, const std::vector<LayerValue>& values,
                           const QStringList& names, const Device& device, JobContext& job,
                           KeptFilter* kept) {
    const Operation& operation = *request.operation;
    OperationResult result{{}, {}, request, {}};
    const auto execute = [&](const Device& on) {
        ParameterSet parameters = request.parameters;
        Inputs inputs = inputsOf(request, values, names);
        for (size_t i = 0; i < inputs.all.size(); ++i)
            if (request.inputs[i].layer.isValid())
                result.taken.inputs[i].fields = inputs.all[i].fields;
        // Writers of results keep the receiver of notes; after the run it drops them.
        struct Notes {
            QStringList lines;
            bool isOpen = true;
        };
        const auto notes = std::make_shared<Notes>();
        Context context{on, job, {}, request.wanted, [notes](const std::string& line) {
                            if (notes->isOpen) notes->lines << QString::fromStdString(line);
                        }};
        context.keptFilter = kept;
        Outputs outputs = runOperation(operation, context, inputs, parameters);
        result.taken.parameters = parameters;
        notes->isOpen = false;
        for (const QString& line : notes->lines) result.notes << noteTypeset(line);
        return outputs;
    };
    // Operations without device support run on the CPU.
    const bool takesDevice = device.kind == DeviceKind::Cpu || operation.devices.cuda;
    QString note;
    const Outputs outputs = onDevice(takesDevice ? device : Device::cpu(), note, execute);
    if (!note.isEmpty()) result.notes.prepend(note);
    result.deviceFailure = note;
    const QString title = QString::fromStdString(shownTitleOf(operation, result.taken.parameters));
    for (const Output& output : outputs) {
        LayerValue value = layerOf(output.data);
        if (!value) continue;
        if (output.write)
            value.writer = std::make_shared<const LayerWriter>(output.write);
        else if (value.image)
            value.writer = std::make_shared<const LayerWriter>(
                [image = value.image](const std::string& path, const FileWriteOptions& options,
                                      JobContext& writing) {
                    writeImage(*image, path, options, writing);
                });
        QString name = title;
        // The distinctive part of the name comes first, for short lists. Images beside the main
        // result do not cover it.
        const bool isBeside = outputs.size() > 1 && output.slot != "OUT";
        if (isBeside)
            name = shownText(OutputSlot{.name = output.slot}.resultName()) + QStringLiteral(" · ") +
                   title;
        const bool isCovering = isBeside && value.image;
        result.layers.push_back({std::move(value), name, !isCovering});
        if (!output.summary.empty())
            result.notes << noteTypeset(QString::fromStdString(output.summary));
    }
    if (result.layers.empty())
        throw Unsupported(
            "expected a result that can be shown, found a file only: use the command");
    return result;
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Operations run by blocks and in memory, and the files that they write.
#pragma once

#include <QFile>
#include <QTemporaryDir>
#include <QtGlobal>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "armilla/operations/by_blocks.h"
#include "armilla/operations/files.h"

namespace armilla {

struct BlockResult {
    Outputs outputs;
    Json figures = Json::object();
    std::vector<std::string> notes;
    std::string summary;
};

class BlockBench {
public:
    using Pairs = std::vector<std::pair<std::string, std::string>>;
    // Declined: by blocks is asked for, and the operation must decline.
    enum class Strategy { InMemory, ByBlocks, Declined };
    struct How {
        Strategy strategy = Strategy::InMemory;
        std::function<void(BlockCall&)> refine = {};  // states the sizes of a call
        GivenSlots wanted = {};
        // Receives the progress of reading, work and writing as the command divides it; one thread
        // then works, so that every step is reported.
        ProgressFunction progress = {};
    };

    std::string path(const std::string& name) const {
        return folder_.filePath(QString::fromStdString(name)).toStdString();
    }
    // Runs an operation and writes its outputs: the first as `out`, others as SLOT.fits.
    BlockResult run(const char* id, const Pairs& options, const Pairs& files,
                    const std::string& out, const How& how) {
        const Operation& operation = *findOperation(id);
        ParameterSet parameters = operation.defaults();
        for (const auto& [name, text] : options) parameters.set(name, text);
        BlockResult result;
        const Device device = Device::cpu();
        const JobContext all = how.progress ? JobContext({}, how.progress, 1) : JobContext();
        JobContext reading = all.part(0.0, 0.1), working = all.part(0.1, 0.9),
                   writing = all.part(0.9, 1.0);
        Context context{device, working, {}, how.wanted, {}};
        context.note = [&](const std::string& line) { result.notes.push_back(line); };
        BlockCall blocks{context, operation, parameters, {}, {}};
        if (how.refine) how.refine(blocks);
        for (const auto& [slot, text] : files)
            for (const InputSlot& each : operation.inputs)
                if (each.name == slot) blocks.inputs.emplace_back(&each, text);
        std::optional<Outputs> outputs;
        if (how.strategy != Strategy::InMemory) outputs = runByBlocks(blocks);
        if (outputs.has_value() != (how.strategy == Strategy::ByBlocks))
            qFatal("not the strategy that is tested");
        if (!outputs) {
            Inputs inputs;
            const auto count = static_cast<double>(blocks.inputs.size());
            for (const auto& [slot, text] : blocks.inputs) {
                const auto done = static_cast<double>(inputs.all.size());
                JobContext part = reading.part(done / count, (done + 1.0) / count);
                inputs.all.push_back(readInput(*slot, parameters, text, blocks.reading, part));
            }
            outputs = runOperation(operation, context, inputs, parameters);
        }
        const auto count = static_cast<double>(outputs->size());
        for (size_t i = 0; i < outputs->size(); ++i) {
            const auto done = static_cast<double>(i);
            JobContext part = writing.part(done / count, (done + 1.0) / count);
            const Output& output = (*outputs)[i];
            writeOutput(output, path(i == 0 ? out : std::string(output.slot) + ".fits"), true, {},
                        {"a line"}, part);
        }
        result.summary = outputs->front().summary;
        result.outputs = std::move(*outputs);
        result.figures = context.figures;
        return result;
    }
    // The bytes of a file without the cards of time and checksum.
    QByteArray content(const std::string& name) const {
        QFile file(QString::fromStdString(path(name)));
        if (!file.open(QIODevice::ReadOnly)) return {};
        QByteArray bytes = file.readAll();
        for (const char* card : {"DATE    =", "CHECKSUM="})
            for (qsizetype at = bytes.indexOf(card); at >= 0; at = bytes.indexOf(card, at))
                bytes.remove(at, 80);
        return bytes;
    }

private:
    QTemporaryDir folder_;
};

}  // namespace armilla

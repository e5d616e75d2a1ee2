// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that make a file from opened files, one after another.
#pragma once

#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "armilla/figure/figure.h"
#include "armilla/ops/device.h"
#include "armilla/session/document.h"
#include "armilla/session/exporter.h"

namespace armilla {

struct OperationRequest;
struct SpectrumResult;

struct CommandChain {
    struct Step {
        QString line;
        // The step whose HISTORY the output of this one continues, if any.
        std::optional<size_t> continued;
    };
    QString output;                  // intermediate files lie beside it
    std::vector<Step> steps;         // the last one writes the output
    std::map<LayerId, size_t> made;  // steps of intermediate layers, by layer

    // For a shell: the commands joined by "&&".
    QString text() const;
    // "out_step1.fits" beside "out.fits".
    QString nextFile() const;
    QString fileOf(size_t step) const;
};

// The options of a view by name, in the syntax of `armilla project` and `render`. An option without
// text is a flag.
std::vector<std::pair<QString, QString>> viewWords(const Camera& camera, int width, int height,
                                                   double resolution);

// Finds the commands that make the layers and views of a document, and the HISTORY of their files.
class CommandLines {
public:
    // The document must outlive this object. `device` returns the device that computes.
    CommandLines(const Document& document, std::function<Device()> device);

    // The commands that make a file; none if there are no such commands.
    std::optional<CommandChain> chainOf(LayerId layer, const QString& outputPath) const;
    std::optional<CommandChain> chainOf(const OperationRequest& request,
                                        const QString& outputPath) const;
    std::optional<CommandChain> projectChain(const QString& outputPath, int width,
                                             int height) const;
    std::optional<CommandChain> figureChain(const FigureRequest& request, const FigureSetup& setup,
                                            const QString& outputPath) const;
    std::optional<CommandChain> spectrumChain(const SpectrumResult& spectrum,
                                              const QString& outputPath, SpectrumForm form) const;
    // The value of --input-frame for these layers; none if no single value is right for all. The
    // command refuses a file that names another frame, except for files given as an option.
    std::optional<Frame> statedFrame(const OperationRequest& request) const;
    // The steps that made a layer, the first one first, for files that no command makes.
    QStringList recipeChain(LayerId layer) const;
    // HISTORY of an export: program; command line or description; device. `on`: the device that
    // made the result, if it is not the session's.
    std::vector<std::string> history(const QString& what, const QString& command) const;
    std::vector<std::string> history(const QString& what, const QString& command,
                                     const Device& on) const;
    // HISTORY of the last command of a chain, after the HISTORY that its file takes from its input.
    std::vector<std::string> history(const CommandChain& chain, const Device& on) const;

private:
    // How a command reads the file of a layer that may have stated facts, which apply to all inputs
    // of one command: a stated frame to those that name none.
    enum class FileUse {
        Alone,     // the facts are stated to the command
        Beside,    // a file with facts other than a frame is written by a command before
        Unstated,  // a file with any stated fact is written by a command before
    };
    // Adds to `chain` the command of a view. `verb`: project or render; `resolution` in radians per
    // pixel.
    std::optional<CommandChain> viewChain(CommandChain chain, const QString& verb, int width,
                                          int height, double resolution, FileUse use) const;
    // " --panels ... --catalog FILE", after steps for their files in `chain`; none if no file has
    // them.
    std::optional<QString> contentWords(CommandChain& chain, const FigureSetup& setup) const;
    // Add the command for a layer or a request; none if there is no such command. fileFor() returns
    // the file of a layer: its own, or one that the chain makes before.
    bool addStep(CommandChain& chain, LayerId id, const QString& outputPath) const;
    bool addStep(CommandChain& chain, const OperationRequest& request,
                 const QString& outputPath) const;
    bool addSmooth(CommandChain& chain, const Recipe& recipe, int64_t nside,
                   const QString& outputPath) const;
    std::optional<QString> fileFor(CommandChain& chain, LayerId layer, FileUse use) const;
    // The name of a field for --field, as the file of the layer counts.
    QString fieldWord(LayerId layer, int field) const;
    // The same in the file that fileFor() returned.
    QString fieldWordIn(const QString& file, LayerId layer, int field) const;
    std::optional<QString> rodLengthWords() const;

    const Document& document_;
    std::function<Device()> device_;
};

}  // namespace armilla

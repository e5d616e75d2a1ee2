// SPDX-License-Identifier: GPL-3.0-or-later
// Recipe of a layer: the information to recompute it here or with the `armilla` command.
#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "armilla/core/sky_vector.h"
#include "armilla/ops/convolve.h"
#include "armilla/session/shown.h"
#include "armilla/session/stated_file.h"

namespace armilla {

// MaskedDifference: smoothed with Masked::Normalize minus smoothed with Masked::Ignore. Operation:
// an operation of app/operations, by name. Rows: selected rows of a catalog.
enum class RecipeKind { Open, SampleSky, Smooth, Difference, MaskedDifference, Operation, Rows };

// The operation, parameters and inputs that make a layer. Members apply to the kinds named in their
// comments.
struct Recipe {
    RecipeKind kind = RecipeKind::Open;
    QString path;             // Open: the file, with "[HDU]" if the user named one
    QStringList fields;       // Open: the fields read, by name or number; empty: all
    int64_t sampleNside = 0;  // SampleSky
    SmoothParameters smooth;  // Smooth, MaskedDifference; applies to `field` of `input`
    QString profilePath;      // Smooth: file of the beam or kernel, if any
    LayerId input;            // layer ids in the document: Smooth, Difference
    int field = 0;
    Quantity quantity = Quantity::Field;  // Difference: minuend is this quantity of `input` ...
    LayerId other;                        // ... and the subtrahend comes from this layer
    int otherField = 0;
    Quantity otherQuantity = Quantity::Field;
    // Operation: its record and its title in the history. The record is {"operation", "version",
    // "parameters", "inputs": [{"slot", "layer", "fields"} or {"slot", "literal"}]}, the format of
    // armilla/operations/record.h. Rows: {"inputs": [{"slot", "layer"}], "rows": [...]}.
    QJsonObject record;
    QString recordTitle;
    int output = 0;  // Operation: index of the result, if there are several
    // The frame that the user stated, for a layer that does not name its own.
    Frame statedFrame = Frame::Unknown;
    StatedFile statedFile;  // Open: further facts that the user stated

    // Ids of all input layers, in the order of use.
    std::vector<LayerId> inputs() const;
    // The format of session files.
    QJsonObject toJson() const;
    // Throws InvalidArgument with the expected and found content; `json` is untrusted.
    static Recipe fromJson(const QJsonObject& json);
    // "open sky_143GHz.fits", "smooth 60′": the title in the history list and in files.
    QString title() const;
    // The title for display, in the user's language.
    QString shownTitle() const;
    // ", frame stated: Galactic", with the other stated facts; or empty.
    QString statedText() const;
};

// A word for a shell, in printable ASCII; quoted if necessary.
QString shellQuoted(const QString& word);
// A path that the command line does not parse as an option.
QString shellPath(const QString& path);

// Turns a name into the stem of a file name: "sky_143GHz.fits", "x.fits[IMAGE]" and "smooth 1.22°"
// give sky_143GHz, x_IMAGE and smooth_1.22deg. A suffix begins with a letter. Two widths give two
// names.
QString fileStem(QString name);

// The `armilla` command that makes the same file from `inputPath` (shell-quoted). Empty if the beam
// or kernel did not come from a file (`profilePath`), because no command exists then.
QString smoothCommand(const QString& inputPath, const QString& outputPath, int field,
                      const SmoothParameters& parameters, const QString& profilePath = {});

}  // namespace armilla

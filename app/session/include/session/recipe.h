// SPDX-License-Identifier: GPL-3.0-or-later
// How a layer came to be: enough to make it again, here or with the `armilla` command.
#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/sky_vector.h"
#include "ops/convolve.h"
#include "session/shown.h"

namespace armilla {

// MaskedDifference: smoothed with Masked::Normalize minus smoothed with Masked::Ignore.
// Operation: any of app/operations, by its name. Rows: some rows of a catalog.
enum class RecipeKind { Open, SampleSky, Smooth, Difference, MaskedDifference, Operation, Rows };

struct Recipe {
    RecipeKind kind = RecipeKind::Open;
    QString path;             // Open: the file, with "[HDU]" if one was named
    QStringList fields;       // Open: the fields read, by name or number; empty: all
    int64_t sampleNside = 0;  // SampleSky
    SmoothParameters smooth;  // Smooth, MaskedDifference; of `field` of `input`
    QString profilePath;      // Smooth: where the beam or kernel was read from, if it was
    int input = -1;           // entry ids in the document: Smooth, Difference
    int field = 0;
    Quantity quantity = Quantity::Field;  // Difference: of `input`, minus ...
    int other = -1;                       // ... this entry's
    int otherField = 0;
    Quantity otherQuantity = Quantity::Field;
    // Operation: its record, {"operation", "version", "parameters", "inputs": [{"slot", "layer",
    // "fields"} or {"slot", "literal"}]}, as operations/record.h writes and reads it; and what the
    // history calls it. Rows: {"inputs": [{"slot", "layer"}], "rows": [...]}.
    QJsonObject record;
    QString recordTitle;
    int output = 0;  // Operation: which of the results, if there are several
    // Of a layer that does not name its frame: the one that the user stated.
    Frame statedFrame = Frame::Unknown;

    // Every layer that it takes, by id, in the order in which it takes them.
    std::vector<int> inputs() const;
    QJsonObject toJson() const;
    // Throws InvalidArgument with what was expected and found; nothing in `json` is trusted.
    static Recipe fromJson(const QJsonObject& json);
    // "open sky_143GHz.fits", "smooth 60′": the line of the history list, in files.
    QString title() const;
    // The same on the screen, in the user's language.
    QString shownTitle() const;
    // ", frame stated: Galactic", or nothing.
    QString statedText() const;
};

// A word as a shell takes it, in printable ASCII: quoted where needed.
QString shellQuoted(const QString& word);
// A path that the command line does not take for an option.
QString shellPath(const QString& path);

// "sky_143GHz.fits", "x.fits[IMAGE]" and "smooth 1.22°" as the beginning of a file name:
// sky_143GHz, x_IMAGE, smooth_1.22deg. A suffix begins with a letter; two widths are two names.
QString fileStem(QString name);

// The `armilla` command that makes the same file from `inputPath` (shell-quoted); empty if there is
// none, because a beam or kernel did not come from a file (`profilePath`).
QString smoothCommand(const QString& inputPath, const QString& outputPath, int field,
                      const SmoothParameters& parameters, const QString& profilePath = {});

}  // namespace armilla

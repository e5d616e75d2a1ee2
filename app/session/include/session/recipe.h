// SPDX-License-Identifier: GPL-3.0-or-later
// How a map came to be: enough to make it again, here or with the `armilla` command.
#pragma once

#include <QJsonObject>
#include <QString>
#include <optional>
#include <vector>

#include "ops/convolve.h"

namespace armilla {

enum class RecipeKind { Open, SampleSky, Smooth, Difference };

struct Recipe {
    RecipeKind kind = RecipeKind::Open;
    QString path;             // Open: the file
    int64_t sampleNside = 0;  // SampleSky
    SmoothParameters smooth;  // Smooth; applied to `input`
    int field = 0;
    int input = -1, other = -1;  // entry ids in the document

    QJsonObject toJson() const;
    // Throws InvalidArgument with what was expected and found.
    static Recipe fromJson(const QJsonObject& json);
    // "open sky_143GHz.fits", "smooth 60′": the line of the history list.
    QString title() const;
};

// The `armilla` command that makes the same file from `inputPath` (shell-quoted), or why there is
// none.
QString smoothCommand(const QString& inputPath, const QString& outputPath, int field,
                      const SmoothParameters& parameters);

}  // namespace armilla

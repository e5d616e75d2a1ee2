// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that make a file from opened files, one after another.
#pragma once

#include <QString>
#include <map>
#include <optional>
#include <vector>

namespace armilla {

struct Recipe;

struct CommandChain {
    struct Step {
        QString line;
        // The step whose HISTORY the output of this one continues, if any.
        std::optional<size_t> continued;
    };
    QString output;              // intermediate files lie beside it
    std::vector<Step> steps;     // the last one writes the output
    std::map<int, size_t> made;  // steps of intermediate layers, by layer

    // For a shell: the commands joined by "&&".
    QString text() const;
    // "out_step1.fits" beside "out.fits".
    QString nextFile() const;
    QString fileOf(size_t step) const;
};

// " --input-frame G --input-nside 64": what the user stated about an opened file; else empty.
QString statedOptions(const Recipe& recipe);

}  // namespace armilla

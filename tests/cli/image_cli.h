// SPDX-License-Identifier: GPL-3.0-or-later
// Commands on images: images of doubles written and read back.
#pragma once

#include <variant>
#include <vector>

#include "armilla/core/image.h"
#include "armilla/core/job_context.h"
#include "armilla/io/image_file.h"
#include "cli_fixture.h"

namespace armilla::test {

class ImageCli {
protected:
    static std::vector<double>& valuesOf(Image& image) {
        return std::get<std::vector<double>>(image.values);
    }
    void writeImageAs(const Image& image, const QString& name) {
        FileWriteOptions options;
        options.overwrite = true;
        options.precision = StoredPrecision::Double;
        writeImage(image, cli_.path(name).toStdString(), options, job_);
    }
    Image readBack(const QString& name) { return readImage(cli_.path(name).toStdString(), job_); }
    // Runs a command whose failure the test will show, and prints its error.
    Outcome must(const QString& line) {
        const Outcome outcome = cli_.run(line + " --overwrite");
        if (outcome.status != 0) qWarning("%s", outcome.error.constData());
        return outcome;
    }

    CliFixture cli_;
    JobContext job_;
};

}  // namespace armilla::test

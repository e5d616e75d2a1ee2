// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures by `armilla render`.
#pragma once

#include <QImage>

#include "cli_fixture.h"

namespace armilla::test {

// The picture r.png; null, with the error printed, if the command fails.
inline QImage rendered(CliFixture& cli, const QString& map, const QString& options) {
    const Outcome outcome = cli.run("render " + map + " {r.png} --overwrite " + options);
    if (outcome.status != 0) qWarning("%s", outcome.error.constData());
    return outcome.status == 0 ? QImage(cli.path("r.png")) : QImage();
}

}  // namespace armilla::test

// SPDX-License-Identifier: GPL-3.0-or-later
// The parts that jobs of a session need, for tests of one part without a session around it.
#pragma once

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "armilla/session/document.h"
#include "armilla/session/job_runner.h"
#include "armilla/session/notices.h"
#include "armilla/session/region_book.h"
#include "armilla/session/source_review.h"
#include "armilla/session/verdicts.h"
#include "job_followers.h"
#include "layer_pictures.h"
#include "session_maps.h"
#include "support/patience.h"

namespace armilla::test {

struct PartDesk {
    QTemporaryDir folder;
    Document document;
    Notices notices{document};
    VerdictBook verdicts{*document.history().stack()};
    RegionBook regions{*document.history().stack()};
    JobRunner runner;
    SourceReview review{document, verdicts, runner};
    JobFollowers followers{runner};
    LayerPictures pictures{document, runner, followers, notices};
    QSignalSpy raised{&notices, &Notices::messageRaised};

    QString path(const QString& name) const { return folder.filePath(name); }
    LayerId addMap(const std::shared_ptr<const HealpixMap>& map) {
        return document.addLayer(map, QStringLiteral("map"), {});
    }
    // Waits until no job is left and none follows: jobs follow in events that are due at once.
    bool settle() {
        for (int quiet = 0; quiet < 3;) {
            if (!QTest::qWaitFor([this] { return runner.isIdle(); }, kPatience)) return false;
            QCoreApplication::processEvents();
            quiet = runner.isIdle() ? quiet + 1 : 0;
        }
        return true;
    }
    // Lines of errors, without news.
    QStringList errors() const {
        QStringList lines;
        for (const auto& message : raised)
            if (message[1].toBool()) lines << message[0].toString();
        return lines;
    }
};

}  // namespace armilla::test

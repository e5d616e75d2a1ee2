// SPDX-License-Identifier: GPL-3.0-or-later
// A session in temporary folders, and maps to compare, for tests of its commands.
#pragma once

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

#include "armilla/core/pixel_geometry.h"
#include "armilla/io/map_io.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/notices.h"
#include "armilla/session/session.h"
#include "session_maps.h"
#include "support/patience.h"

namespace armilla::test {

inline SessionPaths pathsIn(const QString& folder) {
    return {folder + "/settings.conf", folder + "/state"};
}

inline void writeFile(const QString& path, const QByteArray& content) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

// A session that records its messages.
struct SpokenSession {
    Session session;
    QStringList errors, news;
    explicit SpokenSession(const QString& folder) : session(pathsIn(folder)) {
        QObject::connect(
            &session.notices(), &Notices::messageRaised, &session,
            [this](const QString& line, bool isError) { (isError ? errors : news) << line; });
    }
    Document& document() { return session.document(); }
    // Waits until no job is left and none follows.
    bool settle() {
        for (int quiet = 0; quiet < 3;) {
            if (!QTest::qWaitFor([this] { return session.jobs().isIdle(); }, kPatience))
                return false;
            QTest::qWait(5);
            quiet = session.jobs().isIdle() ? quiet + 1 : 0;
        }
        return true;
    }
};

struct OwnFolder {
    QTemporaryDir folder;
};
struct Bench : OwnFolder, SpokenSession {
    Bench() : SpokenSession(folder.path()) {}
    QString path(const QString& name) const { return folder.filePath(name); }
    QString write(const HealpixMap& map, const QString& name) const {
        JobContext job;
        writeMap(map, path(name).toStdString(), {}, job);
        return path(name);
    }
    void open(const QStringList& paths) {
        for (const QString& each : paths) {
            session.files().openFiles({each});
            QVERIFY(settle());
        }
    }
};

inline HealpixMap readBack(const QString& path) {
    JobContext job;
    return readMap(path.toStdString(), {}, job);
}

inline double largestDifference(const HealpixMap& a, const HealpixMap& b) {
    double largest = 0.0;
    for (int64_t i = 0; i < a.elementCount(); ++i) {
        const double x = a.field(0).at(i), y = b.field(0).at(i);
        if (std::isnan(x) != std::isnan(y)) return INFINITY;
        if (!std::isnan(x)) largest = std::max(largest, std::abs(x - y));
    }
    return largest;
}

// A smooth sky: a constant, a dipole and one pole-on wave, so that curvature is visible at any
// nside.
inline std::shared_ptr<const HealpixMap> waveMap(int64_t nside, Ordering ordering = Ordering::Ring,
                                                 Frame frame = Frame::Galactic) {
    std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
    for (size_t i = 0; i < values.size(); ++i) {
        const auto pixel = static_cast<int64_t>(i);
        const Vec3 v = ordering == Ordering::Ring ? directionFromRing(nside, pixel)
                                                  : directionFromNested(nside, pixel);
        values[i] = static_cast<float>(1.0 + v.x + v.z * v.z);
    }
    return std::make_shared<const HealpixMap>(nside, ordering, frame,
                                              std::vector<Field>{field("WAVE", std::move(values))});
}

}  // namespace armilla::test

// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window with isolated settings and a temporary folder, for tests with simulated input.
// With ARMILLA_SHOTS=FOLDER screenshots of its states are saved there.
#pragma once

#include <QApplication>
#include <QDir>
#include <QPointer>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <limits>
#include <memory>

#include "armilla/core/pixel_geometry.h"
#include "armilla/io/map_io.h"
#include "armilla/session/english_plurals.h"
#include "armilla/ui/main_window.h"
#include "armilla/ui/theme.h"
#include "support/patience.h"

namespace armilla::test {

class WindowBench {
protected:
    // Called once, before the first window.
    void prepareSettings() {
        QStandardPaths::setTestModeEnabled(true);
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
        QCoreApplication::installTranslator(new EnglishPlurals(qApp));
        QCoreApplication::setOrganizationName(QStringLiteral("armilla-test"));
        QCoreApplication::setApplicationName(QStringLiteral("armilla-test"));
        const bool light = qEnvironmentVariable("ARMILLA_SHOTS_THEME") == QLatin1String("light");
        applyTheme(*qApp, light ? ThemeKind::Light : ThemeKind::Dark);
    }
    // With settings of a first start and an empty folder.
    void openWindow(QSize size = {1600, 1000}) {
        folder_ = std::make_unique<QTemporaryDir>();
        QSettings().clear();
        window_ = new MainWindow;
        window_->resize(size);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_, kPatience));
    }
    void closeWindow() {
        if (!window_) return;
        window_->close();
        // Unsaved results or running work ask once.
        if (window_ && window_->isVisible()) window_->close();
        QTRY_VERIFY_WITH_TIMEOUT(window_.isNull(), kPatience);
    }
    // Waits until no job is left and, for `looks` checks 10 ms apart, none follows.
    void waitUntilIdle(int looks = 3) {
        for (int quiet = 0; quiet < looks;) {
            QVERIFY(
                QTest::qWaitFor([this] { return window_->session().jobs().isIdle(); }, kPatience));
            QTest::qWait(10);
            quiet = window_->session().jobs().isIdle() ? quiet + 1 : 0;
        }
    }
    void shot(const QString& name) {
        const QString folder = qEnvironmentVariable("ARMILLA_SHOTS");
        if (folder.isEmpty()) return;
        QTest::qWait(1500);
        QDir().mkpath(folder);
        QVERIFY(window_->grab().save(QDir(folder).filePath(name + QStringLiteral(".png"))));
    }
    void waitForPicture() {
        Document& document = window_->session().document();
        QTRY_VERIFY_WITH_TIMEOUT(document.view().shown().entry.isValid(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(document.drawings().drawable(document.view().shown()) != nullptr,
                                 kPatience);
    }
    // A smooth sky of known values, with a hole around the south pole if it is partial.
    QString writeFile(const QString& name, int64_t nside, bool partial, bool polarized) {
        std::vector<std::string> names{"I_STOKES"};
        if (polarized) names.insert(names.end(), {"Q_STOKES", "U_STOKES"});
        std::vector<Field> fields;
        for (const auto& field : names)
            fields.push_back({field, "uK", DiskType::Float32,
                              std::vector<float>(static_cast<size_t>(pixelCount(nside)), 0.0F)});
        HealpixMap map(nside, Ordering::Ring, Frame::Galactic, std::move(fields));
        const Vec3 places[] = {direction({0.6, 0.4}), direction({4.0, -0.5}),
                               direction({2.0, 1.0})};
        // Filled through pixelAt from a grid of directions finer than the pixels.
        const int rows = static_cast<int>(8 * nside), columns = 2 * rows;
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j) {
                const Vec3 v =
                    direction({kTwoPi * (j + 0.5) / columns, kPi * ((i + 0.5) / rows - 0.5)});
                const auto pixel = static_cast<size_t>(map.pixelAt(v));
                for (int field = 0; field < map.fieldCount(); ++field)
                    std::get<std::vector<float>>(map.field(field).values)[pixel] =
                        partial && v.z < -0.5
                            ? std::numeric_limits<float>::quiet_NaN()
                            : static_cast<float>(
                                  100.0 * std::exp(20.0 * (dot(v, places[field]) - 1.0)) -
                                  20.0 * v.z * field);
            }
        const QString path = inFolder(name);
        JobContext job;
        writeMap(map, path.toStdString(), {}, job);
        return path;
    }
    QString inFolder(const QString& name) const { return folder_->filePath(name); }
    QPointer<MainWindow> window_;

private:
    QTemporaryDir settings_;
    std::unique_ptr<QTemporaryDir> folder_ = std::make_unique<QTemporaryDir>();
};

}  // namespace armilla::test

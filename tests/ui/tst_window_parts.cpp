// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a window, each without the window around it.
#include <QClipboard>
#include <QGuiApplication>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "armilla/core/pixel_queries.h"
#include "armilla/core/units.h"
#include "armilla/session/compared_pair.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/interop.h"
#include "armilla/session/live_spectrum.h"
#include "armilla/session/notices.h"
#include "armilla/session/session.h"
#include "armilla/ui/inspector_widget.h"
#include "armilla/ui/sky_view_widget.h"
#include "panels/message_bar.h"
#include "support/patience.h"
#include "window/comparisons.h"
#include "window/file_commands.h"
#include "window/new_layer_views.h"
#include "window/place_search.h"
#include "window/rows_on_sky.h"
#include "window/window_questions.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// A map of `fields` fields with a value per pixel, good only within `radius` of longitude 40,
// latitude 20 degrees.
std::shared_ptr<const HealpixMap> cap(double radius, Frame frame = Frame::Galactic,
                                      int fields = 1) {
    constexpr int64_t nside = 32;
    const Vec3 center = direction(LonLat{40.0 * kDegree, 20.0 * kDegree});
    std::vector<Field> all;
    for (int f = 0; f < fields; ++f) {
        std::vector<double> values(static_cast<size_t>(pixelCount(nside)), std::nan(""));
        for (size_t i = 0; i < values.size(); ++i)
            if (angularDistance(center, directionFromPixel(nside, Ordering::Ring,
                                                           static_cast<int64_t>(i))) < radius)
                values[i] = static_cast<double>(i);
        all.push_back({"I" + std::to_string(f), "K", DiskType::Float64, std::move(values)});
    }
    return std::make_shared<const HealpixMap>(nside, Ordering::Ring, frame, std::move(all));
}

struct Desk {
    QTemporaryDir folder;
    Session session{SessionPaths{folder.filePath("settings.ini"), folder.filePath("state")}};
    QWidget window;
    SkyViewWidget sky{session.document(), &window};
    MessageBar messages{&window};

    LayerId add(const std::shared_ptr<const HealpixMap>& map, RecipeKind kind = RecipeKind::Open) {
        Recipe recipe;
        recipe.kind = kind;
        return session.document().addLayer(map, QStringLiteral("map"), recipe);
    }
    QStringList buttons() const {
        QStringList texts;
        for (const QPushButton* each : messages.findChildren<QPushButton*>()) texts << each->text();
        return texts;
    }
};

}  // namespace

class WindowPartsTest : public QObject {
    Q_OBJECT
private slots:
    void aPairIsTheNextMapOrField() {
        Desk desk;
        const LayerId first = desk.add(cap(1.0, Frame::Galactic, 2));
        ComparedPair pair = pairToCompare(desk.session.document());
        QCOMPARE(pair.first, (Shown{first, 0, Quantity::Field}));
        QCOMPARE(*pair.second, (Shown{first, 1, Quantity::Field}));
        const LayerId second = desk.add(cap(1.0));
        desk.session.document().view().setShown({first, 0, Quantity::Field});
        pair = pairToCompare(desk.session.document());
        QCOMPARE(*pair.second, (Shown{second, 0, Quantity::Field}));
    }
    // A first start has a sample sky, and the user opens three files.
    void theSampleSkyIsComparedLast() {
        Desk desk;
        const Document& document = desk.session.document();
        const LayerId sample = desk.add(cap(1.0), RecipeKind::SampleSky);
        const LayerId first = desk.add(cap(1.0));
        QCOMPARE(pairToCompare(document).second->entry, sample);
        const LayerId second = desk.add(cap(1.0));
        desk.add(cap(1.0));
        desk.session.document().view().setShown({first, 0, Quantity::Field});
        QCOMPARE(pairToCompare(document).second->entry, second);
    }
    void comparisonsNeedTwoMaps() {
        Desk desk;
        Comparisons comparisons(desk.session, desk.messages, &desk.window);
        desk.add(cap(1.0));
        comparisons.compare(Comparison::Swipe);
        QCOMPARE(desk.session.document().view().comparison(), Comparison::Single);
        QCOMPARE(desk.messages.lines().size(), 1);
        desk.add(cap(1.0));
        comparisons.compare(Comparison::Swipe);
        QCOMPARE(desk.session.document().view().comparison(), Comparison::Swipe);
    }
    void theSearchPinsAPositionAndReportsWords() {
        Desk desk;
        PlaceSearch search(desk.session, desk.sky, desk.messages, &desk.window);
        desk.add(cap(1.0));
        QVERIFY(search.goTo(QStringLiteral("40 20")));
        QVERIFY(desk.sky.inspector()->isPinned());
        QVERIFY(!search.goTo(QStringLiteral("40 20 20 20 20")));
        QCOMPARE(desk.messages.lines().size(), 1);
        // The next search withdraws the message.
        QVERIFY(search.goTo(QStringLiteral("10 10")));
        QVERIFY(desk.messages.lines().isEmpty());
    }
    void theSkyPinsTheInspectorThatIsShown() {
        Desk desk;
        PlaceSearch search(desk.session, desk.sky, desk.messages, &desk.window);
        desk.add(cap(1.0));
        const InspectorWidget* inspector = desk.sky.inspector();
        QVERIFY(search.goTo(QStringLiteral("40 20")) && inspector->isPinned());
        QTest::keyClick(&desk.sky, Qt::Key_P);
        QVERIFY(!inspector->isPinned());
        QTest::keyClick(&desk.sky, Qt::Key_P);
        QVERIFY(inspector->isPinned());
        desk.sky.inspector()->hide();
        QTest::keyClick(&desk.sky, Qt::Key_P);
        QVERIFY(inspector->isPinned());
    }
    void theQuestionForAFrameEndsWithTheLayer() {
        Desk desk;
        WindowQuestions questions(desk.session, desk.messages, &desk.window);
        const LayerId id = desk.add(cap(1.0, Frame::Unknown));
        emit desk.session.notices().frameNeeded(id);
        QCOMPARE(desk.messages.lines().size(), 1);
        desk.session.document().removeLayer(id);
        QVERIFY(desk.messages.lines().isEmpty());
    }
    void unsavedResultsAreAskedAboutBeforeTheEnd() {
        Desk desk;
        WindowQuestions questions(desk.session, desk.messages, &desk.window);
        QVERIFY(!questions.askToClose([](bool) {}));
        QVERIFY(desk.messages.lines().isEmpty());
        QVERIFY(!questions.offerRecovery());
    }
    // A map within 5 degrees is zoomed to when it is opened, once. The projection of a small disc
    // is gnomonic.
    void aSmallMapIsZoomedTo() {
        Desk desk;
        NewLayerViews views(desk.session.document(), desk.sky, desk.messages, &desk.window);
        QSignalSpy cameras(&desk.session.document().view(), &DocumentView::cameraChanged);
        desk.add(cap(5.0 * kDegree));
        desk.window.resize(800, 600);
        desk.sky.resize(800, 600);
        QTRY_COMPARE_WITH_TIMEOUT(desk.session.document().view().camera().projection,
                                  Projection::Gnomonic, kPatience);
        QVERIFY(desk.session.document().view().camera().zoom > 1.0);
    }
    void aMapAroundTheSkyIsNot() {
        Desk desk;
        NewLayerViews views(desk.session.document(), desk.sky, desk.messages, &desk.window);
        desk.add(cap(4.0));
        QCoreApplication::processEvents();
        QCOMPARE(desk.session.document().view().camera().zoom, 1.0);
    }
    void commandsAreCopied() {
        Desk desk;
        FileCommands files(desk.session, desk.window, desk.sky, desk.messages);
        files.offerCommand({});
        QVERIFY(desk.messages.lines().isEmpty());
        files.offerCommand(QStringLiteral("armilla stats x.fits"));
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("armilla stats x.fits"));
        QCOMPARE(desk.messages.lines().size(), 1);
        files.exportSpectrum(std::nullopt);
        QCOMPARE(desk.messages.lines().size(), 2);
        files.showHeader(desk.add(cap(1.0), RecipeKind::Rows));
        QCOMPARE(desk.messages.lines().size(), 3);
    }
};

QTEST_MAIN(WindowPartsTest)
#include "tst_window_parts.moc"

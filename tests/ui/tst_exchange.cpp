// SPDX-License-Identifier: GPL-3.0-or-later
// What comes into the window from elsewhere: catalogs that are dropped on it, names that are gone
// to, and other programs at a hub of the tests.
#include <QApplication>
#include <QDropEvent>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QPointer>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <cmath>

#include "io/map_io.h"
#include "io/table_io.h"
#include "panels/data_panel.h"
#include "panels/message_bar.h"
#include "session/interop.h"
#include "session/layer_samples.h"
#include "src/interop_menu.h"
#include "support/samp_hub.h"
#include "ui/main_window.h"
#include "ui/sky_view_widget.h"
#include "ui/theme.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr int kPatience = 240000;  // a loaded machine

}  // namespace

class TestExchange : public QObject {
    Q_OBJECT
    QPointer<MainWindow> window_;
    QTemporaryDir settings_, folder_;

    QString path(const QString& name) const { return folder_.filePath(name); }
    Document& document() { return window_->session().document(); }
    void settle() {
        for (int quiet = 0; quiet < 3;) {
            QVERIFY(QTest::qWaitFor([this] { return window_->session().jobs().isIdle(); }, 240000));
            QTest::qWait(10);
            quiet = window_->session().jobs().isIdle() ? quiet + 1 : 0;
        }
    }
    // Where the view looks, in equatorial coordinates.
    Vec3 middle() {
        const Camera& camera = document().camera();
        return frameRotation(Frame::Equatorial, camera.frame) * direction(camera.center());
    }
    // The camera takes some frames to get there.
    bool looksAt(const Vec3& place, double within) {
        return QTest::qWaitFor([&] { return angularDistance(middle(), place) < within; },
                               kPatience);
    }
    bool drop(const QStringList& paths) {
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& each : paths) urls << QUrl::fromLocalFile(each);
        data.setUrls(urls);
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window_, &enter);
        QDropEvent event({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window_, &event);
        return enter.isAccepted() && event.isAccepted();
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
        QCoreApplication::setOrganizationName(QStringLiteral("armilla-test"));
        QCoreApplication::setApplicationName(QStringLiteral("armilla-test"));
        applyTheme(*qApp, ThemeKind::Dark);
    }
    void init() {
        window_ = new MainWindow;
        window_->resize(1200, 800);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_));
    }
    void cleanup() {
        window_->session().jobs().cancelAll();
        settle();
        delete window_;
    }
    void catalogsThatAreDroppedAreLayers_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");  // empty: what the program writes itself
        for (const char* suffix : {"fits", "vot", "csv", "ecsv"})
            QTest::newRow(suffix) << QString("stars.%1").arg(suffix) << QByteArray();
        QByteArray rows, semicolons = "name;RA;Dec\n", blanks = "# ra dec name\n";
        QByteArray ecsv =
            "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n"
            "# - {name: ra, unit: deg, datatype: float64}\n"
            "# - {name: dec, unit: deg, datatype: float64}\n"
            "# - {name: name, datatype: string}\nra,dec,name\n";
        QByteArray cells;
        for (int i = 0; i < 20; ++i) {
            const QByteArray n = QByteArray::number(i), ra = QByteArray::number(10.0 + 0.5 * i);
            rows += n + "," + ra + ",-5.25,star " + n + "\r\n";
            semicolons += "star " + n + ";0" + QByteArray::number(i % 10) + ":10:20.5;-05:15:00\n";
            blanks += ra + " -5.25 star" + n + "\n";
            ecsv += ra + ",-5.25,star " + n + "\n";
            cells += "<TR><TD>" + ra + "</TD><TD>-5.25</TD><TD>star " + n + "</TD></TR>\n";
        }
        QTest::newRow("spreadsheet")
            << "sheet.csv" << QByteArray("\xEF\xBB\xBFid,ra,dec,name\r\n") + rows;
        QTest::newRow("sexagesimal") << "hours.csv" << semicolons;
        QTest::newRow("blanks") << "list.txt" << blanks;
        QTest::newRow("astropy's ecsv") << "a.ecsv" << ecsv;
        QTest::newRow("votable of others")
            << "other.xml"
            << "<?xml version='1.0'?>\n<VOTABLE version=\"1.3\" "
               "xmlns=\"http://www.ivoa.net/xml/VOTable/v1.3\">\n<RESOURCE>\n<TABLE name=\"t1\">\n"
               "<FIELD name=\"RAJ2000\" datatype=\"double\" unit=\"deg\" "
               "ucd=\"pos.eq.ra;meta.main\"/>"
               "<FIELD name=\"DEJ2000\" datatype=\"double\" unit=\"deg\" "
               "ucd=\"pos.eq.dec;meta.main\"/>"
               "<FIELD name=\"name\" datatype=\"char\" arraysize=\"*\" ucd=\"meta.id\"/>\n"
               "<DATA><TABLEDATA>\n" +
                   cells + "</TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>\n";
    }
    void catalogsThatAreDroppedAreLayers() {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        const QString file = path(name);
        if (content.isEmpty()) {
            JobContext job;
            writeTable(randomCatalog(20, Frame::Equatorial).table, file.toStdString(), {true, {}},
                       job);
        } else {
            QFile out(file);
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(content);
        }
        QVERIFY(drop({file}));
        const auto isOver = [this] {
            return !document().entries().empty() || !window_->messages()->lines().isEmpty();
        };
        QVERIFY(QTest::qWaitFor(isOver, kPatience));
        settle();
        QCOMPARE(window_->messages()->lines(), QStringList());
        QCOMPARE(document().entries().size(), size_t{1});
        const Layer& layer = document().entries().front();
        QVERIFY(layer.catalog);
        QCOMPARE(layer.name, name);
        QCOMPARE(layer.catalog->rows(), int64_t{20});
        QCOMPARE(layer.catalog->frame(), Frame::Equatorial);
        for (int64_t row = 0; row < 20; ++row) QVERIFY(std::isfinite(layer.catalog->at(row).lon));
        QVERIFY(document().markers(layer.id));
        QCOMPARE(document().active(), layer.id);
        QVERIFY(window_->dataPanel()->hasData());
    }
    void severalAtOnce() {
        JobContext job;
        writeTable(randomCatalog(5).table, path("a.fits").toStdString(), {true, {}}, job);
        writeTable(randomCatalog(6).table, path("b.vot").toStdString(), {true, {}}, job);
        writeMap(*noiseMap(8), path("m.fits").toStdString(), {}, job);
        QVERIFY(drop({path("m.fits"), path("a.fits"), path("b.vot"), path("nowhere.csv")}));
        QTRY_COMPARE_WITH_TIMEOUT(document().entries().size(), size_t{3}, kPatience);
        settle();
        QVERIFY(document().entries()[0].map);
        QCOMPARE(document().entries()[1].catalog->rows(), int64_t{5});
        QCOMPARE(document().entries()[2].catalog->rows(), int64_t{6});
        QCOMPARE(window_->messages()->lines().size(), 1);
        // What is no file is not taken.
        QMimeData data;
        data.setUrls({QUrl("http://example.org/x.fits")});
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        enter.ignore();
        QApplication::sendEvent(window_, &enter);
        QVERIFY(!enter.isAccepted());
    }
    void namesOfRowsAreGoneTo() {
        const auto stars = std::make_shared<const Catalog>(randomCatalog(30));
        document().addLayer(noiseMap(8), "noise", {});
        const int id = document().addLayer(stars, "stars", {});
        settle();
        QVERIFY(window_->goTo("STAR 12"));
        QCOMPARE(document().selection(), (RowSelection{id, 12}));
        QCOMPARE(document().active(), id);
        const Vec3 there =
            frameRotation(Frame::Equatorial, Frame::Galactic) * direction(stars->at(12));
        QVERIFY(looksAt(there, 0.1 * kDegree));
        QVERIFY(window_->goTo("M 104"));
        QVERIFY(looksAt(direction({189.998 * kDegree, -11.623 * kDegree}), 0.1 * kDegree));
        QVERIFY(!window_->goTo("star 30"));
        QTRY_COMPARE_WITH_TIMEOUT(window_->messages()->lines().size(), 1, kPatience);
    }
    void otherProgramsAreShown() {
        SampTestHub hub;
        auto* state = window_->findChild<QToolButton*>("interopState");
        QVERIFY(state && !state->isVisible());
        const auto entry = [&](const QString& text) {
            for (QAction* action : window_->interopMenu()->actions())
                if (QString(action->text()).remove('&') == text) return action;
            return static_cast<QAction*>(nullptr);
        };
        QVERIFY(entry("Connect to other programs") && entry("Send layer to"));
        QVERIFY(!entry("Send layer to")->isEnabled());
        entry("Connect to other programs")->trigger();
        SampClient other({{"samp.name", "TOPCAT"}},
                         {"table.load.votable", "table.highlight.row", "table.select.rowList"});
        std::vector<SampMessage> taken;
        connect(&other, &SampClient::received, this, [&](const SampMessage& message) {
            taken.push_back(message);
            other.reply(message);
        });
        other.connectToHub();
        QTRY_COMPARE_WITH_TIMEOUT(state->text(), QString("SAMP · TOPCAT"), kPatience);
        QVERIFY(state->isVisible());

        const auto stars = std::make_shared<const Catalog>(randomCatalog(30));
        document().addLayer(noiseMap(8), "noise", {});
        const int id = document().addLayer(stars, "stars", {});
        settle();
        const auto send = [&](const QString& menu) {
            QMenu* to = entry(menu)->menu();
            emit to->aboutToShow();
            for (QAction* action : to->actions())
                if (action->isEnabled() && action->text() == "TOPCAT") return action->trigger();
        };
        send("Send coverage to");  // it takes none
        send("Send layer to");
        QTRY_COMPARE_WITH_TIMEOUT(taken.size(), size_t{1}, kPatience);
        QCOMPARE(taken[0].mtype, QString("table.load.votable"));
        QTRY_VERIFY_WITH_TIMEOUT(!window_->messages()->lines().isEmpty(), kPatience);
        QVERIFY(window_->messages()->lines().last().contains("TOPCAT has taken stars"));

        // Rows: from the table here to there, and from there to the sky here.
        window_->dataPanel()->table()->selectRow(4);
        QTRY_COMPARE_WITH_TIMEOUT(taken.size(), size_t{2}, kPatience);
        QCOMPARE(taken[1].parameters["row"].toString(), QString("4"));
        QVariantMap row = taken[0].parameters;
        row["row"] = "21";
        document().setActive(document().entries().front().id);
        other.notify({}, "table.highlight.row", row);
        QTRY_COMPARE_WITH_TIMEOUT(document().selection(), (RowSelection{id, 21}), kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(document().active(), id, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(window_->dataPanel()->table()->currentIndex().row(), 21,
                                  kPatience);
        other.notify({}, "table.select.rowList",
                     {{"table-id", row["table-id"]}, {"row-list", QVariantList{"1", "2", "3"}}});
        QTRY_COMPARE_WITH_TIMEOUT(window_->session().interop().chosen().rows.size(), size_t{3},
                                  kPatience);
        QVERIFY(window_->messages()->lines().last().contains("3 row"));
        other.notify({}, "coord.pointAt.sky", {{"ra", "83.633"}, {"dec", "22.014"}});
        QVERIFY(looksAt(direction({83.633 * kDegree, 22.014 * kDegree}), 0.1 * kDegree));
        QCOMPARE(taken.size(), size_t{2});

        hub.shutDown();
        QTRY_VERIFY_WITH_TIMEOUT(!state->isVisible(), kPatience);
        QVERIFY(!entry("Connect to other programs")->isChecked());
        QVERIFY(window_->messages()->lines().last().contains("hub has ended"));
    }
};

QTEST_MAIN(TestExchange)
#include "tst_exchange.moc"

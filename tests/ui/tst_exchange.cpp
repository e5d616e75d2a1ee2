// SPDX-License-Identifier: GPL-3.0-or-later
// External input of the window: dropped catalogs, searched names, and other programs at a hub of
// the tests.
#include <QAbstractButton>
#include <QDropEvent>
#include <QMimeData>
#include <QSignalSpy>
#include <QTableView>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "armilla/io/table_io.h"
#include "armilla/session/interop.h"
#include "armilla/session/sky_names.h"
#include "dialogs/help_dialogs.h"
#include "panels/data_panel.h"
#include "panels/message_bar.h"
#include "session/layer_samples.h"
#include "support/samp_hub.h"
#include "window/interop_menu.h"
#include "window/place_search.h"
#include "window/window_panels.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

class TestExchange : public QObject, private WindowBench {
    Q_OBJECT
    QString path(const QString& name) const { return inFolder(name); }
    Document& document() { return window_->session().document(); }
    // Center of the view, in equatorial coordinates.
    Vec3 middle() {
        const Camera& camera = document().view().camera();
        return frameRotation(Frame::Equatorial, camera.frame) * direction(camera.center());
    }
    // The camera needs some frames to arrive.
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
    // One window for all tests, emptied between.
    void initTestCase() {
        prepareSettings();
        openWindow({1200, 800});
    }
    void cleanup() {
        window_->session().jobs().cancelAll();
        waitUntilIdle();
        window_->closeAll();
        waitUntilIdle();
        for (const QString& line : window_->messages()->lines())
            window_->messages()->withdraw(line);
        QVERIFY(document().entries().empty());
    }
    void cleanupTestCase() { closeWindow(); }
    void catalogsThatAreDroppedAreLayers_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");  // empty: a file written by the program itself
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
        waitUntilIdle();
        QCOMPARE(window_->messages()->lines(), QStringList());
        QCOMPARE(document().entries().size(), size_t{1});
        const Layer& layer = document().entries().front();
        QVERIFY(layer.catalog);
        QCOMPARE(layer.name, name);
        QCOMPARE(layer.catalog->rows(), int64_t{20});
        QCOMPARE(layer.catalog->frame(), Frame::Equatorial);
        for (int64_t row = 0; row < 20; ++row) QVERIFY(std::isfinite(layer.catalog->at(row).lon));
        QVERIFY(document().drawings().markers(layer.id));
        QCOMPARE(document().active(), layer.id);
        QVERIFY(window_->panels().data()->hasData());
    }
    void severalAtOnce() {
        JobContext job;
        writeTable(randomCatalog(5).table, path("a.fits").toStdString(), {true, {}}, job);
        writeTable(randomCatalog(6).table, path("b.vot").toStdString(), {true, {}}, job);
        writeMap(*noiseMap(8), path("m.fits").toStdString(), {}, job);
        QVERIFY(drop({path("m.fits"), path("a.fits"), path("b.vot"), path("nowhere.csv")}));
        QTRY_COMPARE_WITH_TIMEOUT(document().entries().size(), size_t{3}, kPatience);
        waitUntilIdle();
        QVERIFY(document().entries()[0].map);
        QCOMPARE(document().entries()[1].catalog->rows(), int64_t{5});
        QCOMPARE(document().entries()[2].catalog->rows(), int64_t{6});
        QCOMPARE(window_->messages()->lines().size(), 1);
        // Data other than files are not accepted.
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
        const LayerId id = document().addLayer(stars, "stars", {});
        waitUntilIdle();
        QVERIFY(window_->search().goTo("STAR 12"));
        QCOMPARE(document().view().selection(), (RowSelection{id, 12}));
        QCOMPARE(document().active(), id);
        const Vec3 there =
            frameRotation(Frame::Equatorial, Frame::Galactic) * direction(stars->at(12));
        QVERIFY(looksAt(there, 0.1 * kDegree));
        QVERIFY(window_->search().goTo("M 104"));
        QVERIFY(window_->search().goTo("sombrer"));  // the only completion
        QVERIFY(looksAt(direction({189.998 * kDegree, -11.623 * kDegree}), 0.1 * kDegree));
        QVERIFY(!window_->search().goTo("star 30"));
        QTRY_VERIFY_WITH_TIMEOUT(window_->messages()->lines().join('\n').contains("star 30"),
                                 kPatience);
        // Text that is no name gives an error as a position.
        QVERIFY(!window_->search().goTo("12h30m 95d"));
        QVERIFY(!window_->messages()->lines().join('\n').contains("armilla/names"));
    }
    // The message names the folder for tables, and its button lists the present tables; a new table
    // is found without a restart.
    void moreNamesComeFromTables() {
        document().addLayer(noiseMap(8), "noise", {});
        waitUntilIdle();
        const QString folder = NameSearch::userFolder();
        QDir(folder).removeRecursively();
        const auto lines = [&] { return window_->messages()->lines().join('\n'); };
        QVERIFY(!window_->search().goTo("Far Away"));
        QVERIFY2(lines().contains("armilla/names has (none there yet), found 'Far Away'"),
                 qPrintable(lines()));
        const auto buttons = window_->messages()->findChildren<QAbstractButton*>();
        const auto more = std::find_if(buttons.begin(), buttons.end(), [](QAbstractButton* button) {
            return button->text() == "More names";
        });
        QVERIFY(more != buttons.end());
        (*more)->click();
        auto* guide = window_->findChild<GuideDialog*>();
        QVERIFY(guide && guide->isVisible());
        const auto* text = guide->findChild<QTextBrowser*>();
        QCOMPARE(text->textCursor().block().text(), QString("Go to a place"));
        QVERIFY(text->toPlainText().contains("CC BY-SA 4.0"));
        QVERIFY(text->viewport()->rect().contains(text->cursorRect().center()));
        guide->close();
        QVERIFY(QDir().mkpath(folder));
        QFile table(folder + "/far.csv");
        QVERIFY(table.open(QIODevice::WriteOnly));
        table.write("Name,RA,Dec\nFar Away,10.0,20.0\n");
        table.close();
        QVERIFY(!window_->search().goTo("Nearby"));
        QTRY_VERIFY_WITH_TIMEOUT(lines().contains("(1 looked through), found 'Nearby'"), kPatience);
        QVERIFY(!window_->search().goTo(
            "far away"));  // the synchronous search covers open catalogs only
        waitUntilIdle();
        QVERIFY(looksAt(direction({10.0 * kDegree, 20.0 * kDegree}), 0.1 * kDegree));
        QVERIFY(QDir(folder).removeRecursively());
    }
    // "10 20" is a position even if a row is called 1020, and an earlier search does not move the
    // view.
    void positionsComeBeforeNames() {
        Catalog numbered = randomCatalog(30);
        std::get<std::vector<std::string>>(numbered.table.columns[2].values)[3] = "1020";
        document().addLayer(noiseMap(8), "noise", {});
        document().addLayer(std::make_shared<const Catalog>(std::move(numbered)), "few", {});
        document().addLayer(std::make_shared<const Catalog>(randomCatalog(400000)), "many", {});
        waitUntilIdle();
        const Frame frame = document().view().camera().frame;
        const Vec3 there =
            frameRotation(Frame::Equatorial, frame) * direction({10.0 * kDegree, 20.0 * kDegree});
        QVERIFY(!window_->search().goTo("star 399999"));  // searched in a job
        QVERIFY(window_->search().goTo("10 20"));
        waitUntilIdle();
        QVERIFY(looksAt(there, 0.01 * kDegree));
        QTest::qWait(100);
        QVERIFY(looksAt(there, 0.01 * kDegree));
        QCOMPARE(document().view().selection().row, int64_t{-1});
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
        const LayerId id = document().addLayer(stars, "stars", {});
        waitUntilIdle();
        const auto send = [&](const QString& menu) {
            QMenu* to = entry(menu)->menu();
            emit to->aboutToShow();
            for (QAction* action : to->actions())
                if (action->isEnabled() && action->text() == "TOPCAT") return action->trigger();
        };
        send("Send coverage to");  // it accepts none
        send("Send layer to");
        QTRY_COMPARE_WITH_TIMEOUT(taken.size(), size_t{1}, kPatience);
        QCOMPARE(taken[0].mtype, QString("table.load.votable"));
        QTRY_VERIFY_WITH_TIMEOUT(!window_->messages()->lines().isEmpty(), kPatience);
        QVERIFY(window_->messages()->lines().last().contains("TOPCAT has taken stars"));

        // Rows: from the table here to the other program, and from there to the sky here.
        window_->panels().data()->table()->selectRow(4);
        QTRY_COMPARE_WITH_TIMEOUT(taken.size(), size_t{2}, kPatience);
        QCOMPARE(taken[1].parameters["row"].toString(), QString("4"));
        QVariantMap row = taken[0].parameters;
        row["row"] = "21";
        document().setActive(document().entries().front().id);
        other.notify({}, "table.highlight.row", row);
        QTRY_COMPARE_WITH_TIMEOUT(document().view().selection(), (RowSelection{id, 21}), kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(document().active(), id, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(window_->panels().data()->table()->currentIndex().row(), 21,
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

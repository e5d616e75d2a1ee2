// SPDX-License-Identifier: GPL-3.0-or-later
// Layers, positions and rows to and from other programs, at a hub of the tests. Hubs of other
// authors: tst_samp_jsamp, tst_samp_topcat, tst_samp_astropy.
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>

#include "armilla/core/sky_ranges.h"
#include "armilla/io/image_file.h"
#include "armilla/io/moc_io.h"
#include "armilla/io/table_io.h"
#include "armilla/session/exporter.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/interop.h"
#include "armilla/session/project_keeper.h"
#include "armilla/session/region_book.h"
#include "layer_samples.h"
#include "session_bench.h"
#include "support/patience.h"
#include "support/samp_hub.h"

using namespace armilla;
using namespace armilla::test;

namespace {

const QStringList kAll{"table.load.votable",    "table.load.fits",     "image.load.fits",
                       "coord.pointAt.sky",     "table.highlight.row", "table.select.rowList",
                       "coverage.load.moc.fits"};

std::shared_ptr<const Catalog> stars(int64_t rows = 20) {
    return std::make_shared<const Catalog>(randomCatalog(rows));
}

QString pathOf(const QVariantMap& parameters) {
    return QUrl(parameters["url"].toString()).toLocalFile();
}

// Another program, which records its messages and reports success.
struct OtherProgram {
    SampClient client;
    std::vector<SampMessage> taken;
    QString refusesWith;
    explicit OtherProgram(const QStringList& mtypes = kAll, const char* name = "Other")
        : client({{"samp.name", name}}, mtypes) {
        QObject::connect(&client, &SampClient::received, &client, [this](const SampMessage& m) {
            taken.push_back(m);
            client.reply(m, refusesWith);
        });
        client.connectToHub();
    }
};

// A session at a hub, with another program.
struct Pair : Bench {
    OtherProgram other;
    explicit Pair(const QStringList& mtypes = kAll) : other(mtypes) {
        interop().client().connectToHub();
        [&] {
            QTRY_COMPARE_WITH_TIMEOUT(interop().client().state(), SampClient::State::Connected,
                                      kPatience);
            QTRY_VERIFY_WITH_TIMEOUT(!other.client.ownId().isEmpty(), kPatience);
            QTRY_VERIFY_WITH_TIMEOUT(
                knows(other.client, interop().client().ownId(), "table.load.votable"), kPatience);
            QTRY_VERIFY_WITH_TIMEOUT(
                knows(interop().client(), other.client.ownId(), mtypes.front()), kPatience);
        }();
    }
    static bool knows(const SampClient& client, const QString& id, const QString& mtype) {
        for (const SampPeer& peer : client.peers())
            if (peer.id == id) return peer.takes(mtype);
        return false;
    }
    Interop& interop() { return session.interop(); }
    const QString& own() { return interop().client().ownId(); }
    // The next message to the other program.
    SampMessage next() {
        const size_t before = heard_;
        [&] { QTRY_VERIFY_WITH_TIMEOUT(other.taken.size() > before, kPatience); }();
        return other.taken.size() > before ? other.taken[heard_++] : SampMessage();
    }
    // The session's response to a message of the other program.
    QString answer(const QString& mtype, const QVariantMap& parameters) {
        QSignalSpy answers(&other.client, &SampClient::answered);
        other.client.call(own(), mtype, parameters, "tag");
        [&] { QTRY_COMPARE_WITH_TIMEOUT(answers.count(), 1, kPatience); }();
        return answers.isEmpty() ? "no answer" : answers[0][2].toString();
    }

private:
    size_t heard_ = 0;
};

QString urlOf(const QString& path) {
    return QUrl::fromLocalFile(path).toString(QUrl::FullyEncoded);
}

}  // namespace

class InteropTest : public QObject {
    Q_OBJECT

private slots:
    void offUntilAsked() {
        SampTestHub hub;
        Bench bench;
        QTest::qWait(50);
        QCOMPARE(bench.session.interop().client().state(), SampClient::State::Off);
        QVERIFY(hub.methods.isEmpty());
        bench.session.interop().sendPlace({1.0, 0.0, 0.0}, Frame::Galactic);
        bench.document().addLayer(stars(), "stars", {});
        bench.session.interop().sendLayer(bench.document().active(), Interop::Form::Layer);
        QCOMPARE(bench.errors.size(), 1);
        QVERIFY(bench.errors[0].contains("layer (catalog)"));
        qunsetenv("SAMP_HUB");
        qputenv("SAMP_HUB", "std-lockurl:file:///nowhere");
        bench.session.interop().connectIfPossible();
        QCOMPARE(bench.errors.size(), 1);
        bench.session.interop().client().connectToHub();
        QCOMPARE(bench.errors.size(), 2);
        QVERIFY(bench.errors[1].contains("hub"));
    }
    void catalogsAreSent_data() {
        QTest::addColumn<QStringList>("mtypes");
        QTest::addColumn<QString>("mtype");
        QTest::newRow("votable first") << kAll << "table.load.votable";
        QTest::newRow("fits alone") << QStringList{"table.load.fits"} << "table.load.fits";
    }
    void catalogsAreSent() {
        QFETCH(QStringList, mtypes);
        QFETCH(QString, mtype);
        SampTestHub hub;
        Pair pair(mtypes);
        const auto sent = stars();
        const LayerId id =
            pair.document().addLayer(sent, QStringLiteral("stars \u00B7 20\u2032"), {});
        QCOMPARE(pair.interop().takers(id, Interop::Form::Layer).size(), size_t{1});
        QVERIFY(pair.interop().takers(id, Interop::Form::Coverage).empty());
        pair.interop().sendLayer(id, Interop::Form::Layer);
        const SampMessage message = pair.next();
        QCOMPARE(message.mtype, mtype);
        QCOMPARE(message.parameters["name"].toString(), QString("stars - 20arcmin"));
        QVERIFY(!message.parameters["table-id"].toString().isEmpty());
        JobContext job;
        const Catalog back = readCatalog(pathOf(message.parameters).toStdString(), job);
        QCOMPARE(back.rows(), int64_t{20});
        for (int64_t row = 0; row < 20; ++row) {
            QCOMPARE(back.at(row).lon, sent->at(row).lon);
            QCOMPARE(back.at(row).lat, sent->at(row).lat);
        }
        QTRY_COMPARE_WITH_TIMEOUT(pair.news.size(), 1, kPatience);
        QVERIFY(pair.news[0].startsWith("Other has taken stars"));
        // Sending again uses the same file; a refusal is reported.
        pair.other.refusesWith = "no room";
        pair.interop().sendLayer(id, Interop::Form::Layer, pair.other.client.ownId());
        QCOMPARE(pair.next().parameters, message.parameters);
        QTRY_COMPARE_WITH_TIMEOUT(pair.errors.size(), 1, kPatience);
        QVERIFY(pair.errors[0].contains("no room"));
    }
    // A subscription may be a pattern, and its owner receives a VOTable. Armilla's own client,
    // which accepts exact types only, refuses, and that is reported.
    void patternsAreSubscriptions() {
        SampTestHub hub;
        Pair pair({"table.load.*"});
        const LayerId id = pair.document().addLayer(stars(), "stars", {});
        QCOMPARE(pair.interop().takers(id, Interop::Form::Layer).size(), size_t{1});
        QVERIFY(pair.interop().takers(id, Interop::Form::Coverage).empty());
        pair.interop().sendLayer(id, Interop::Form::Layer);
        QTRY_COMPARE_WITH_TIMEOUT(pair.errors.size(), 1, kPatience);
        QVERIFY(pair.errors[0].contains("did not take"));
        QCOMPARE(hub.mtypes.count("table.load.votable"), 1);
        QVERIFY(!hub.mtypes.contains("table.load.fits"));
    }
    void filesThatWereSentGo() {
        SampTestHub hub;
        QString path;
        {
            Pair pair;
            const LayerId id = pair.document().addLayer(stars(), "stars", {});
            pair.interop().sendLayer(id, Interop::Form::Layer);
            path = pathOf(pair.next().parameters);
            QVERIFY(QFileInfo::exists(path));
            // Readable only by the owner.
            QCOMPARE(QFileInfo(QFileInfo(path).path()).permissions() &
                         (QFile::ReadGroup | QFile::ReadOther | QFile::ExeOther | QFile::ExeGroup),
                     QFile::Permissions());
        }
        QVERIFY(!QFileInfo::exists(path));
        QVERIFY(!QFileInfo::exists(QFileInfo(path).path()));
    }
    void mapsImagesAndCoveragesAreSent() {
        SampTestHub hub;
        Pair pair;
        JobContext job;
        const auto map = waveMap(16, Ordering::Nested, Frame::Equatorial);
        const LayerId id = pair.document().addLayer(map, "wave", {});
        pair.interop().sendLayer(id, Interop::Form::Layer);
        SampMessage message = pair.next();
        QCOMPARE(message.mtype, QString("image.load.fits"));
        QCOMPARE(largestDifference(readBack(pathOf(message.parameters)), *map), 0.0);
        pair.interop().sendLayer(id, Interop::Form::Coverage);
        message = pair.next();
        QCOMPARE(message.mtype, QString("coverage.load.moc.fits"));
        QVERIFY(!message.parameters["coverage-id"].toString().isEmpty());
        const SkyRanges wanted = rangesWhere(*map, 0, job);
        const HealpixMap back = readBack(pathOf(message.parameters));
        QVERIFY(joinedRanges(rangesWhere(back, 0, job), wanted, RangeJoin::SymmetricDifference)
                    .empty());
        QVERIFY(shareOf(wanted) > 0.1 && shareOf(wanted) < 1.0);

        const LayerId image =
            pair.document().addLayer(std::make_shared<const Image>(placedImage()), "image", {});
        pair.interop().sendLayer(image, Interop::Form::Layer);
        message = pair.next();
        QCOMPARE(message.mtype, QString("image.load.fits"));
        QCOMPARE(readImage(pathOf(message.parameters).toStdString(), job).width, int64_t{3});

        pair.interop().sendRegions();
        QCOMPARE(pair.errors.size(), 1);  // no regions are drawn
        Region disc;
        disc.frame = Frame::Equatorial;
        disc.points = {{1.0, 0.5}};
        disc.first = 0.1;
        pair.session.regions().add({{disc, "disc"}});
        pair.interop().sendRegions();
        message = pair.next();
        // Area of a disc, within the pixels of its edge.
        const double share = shareOf(rangesWhere(readBack(pathOf(message.parameters)), 0, job));
        QVERIFY(std::abs(share / (0.5 * (1.0 - std::cos(0.1))) - 1.0) < 0.02);
    }
    void programsThatTakeTablesAloneGetMapsAsTables() {
        SampTestHub hub;
        Pair pair({"table.load.fits"});
        const LayerId id = pair.document().addLayer(waveMap(8), "wave", {});
        pair.interop().sendLayer(id, Interop::Form::Layer);
        QCOMPARE(pair.next().mtype, QString("table.load.fits"));
    }
    void filesAreTaken_data() {
        QTest::addColumn<QString>("mtype");
        QTest::addColumn<QString>("suffix");
        QTest::addColumn<int>("kind");
        const int map = static_cast<int>(LayerKind::Map);
        const int catalog = static_cast<int>(LayerKind::Catalog);
        QTest::newRow("votable") << "table.load.votable"
                                 << "vot" << catalog;
        QTest::newRow("fits table") << "table.load.fits"
                                    << "fits" << catalog;
        QTest::newRow("map") << "image.load.fits"
                             << "fits" << map;
        QTest::newRow("image") << "image.load.fits"
                               << "fits" << static_cast<int>(LayerKind::Image);
        QTest::newRow("moc") << "coverage.load.moc.fits"
                             << "fits" << map;
    }
    // From a file, and from a server of this machine.
    void filesAreTaken() {
        QFETCH(QString, mtype);
        QFETCH(QString, suffix);
        QFETCH(int, kind);
        SampTestHub hub;
        Pair pair;
        JobContext job;
        const QString path = pair.path("what it is. " + suffix + "." + suffix);
        const std::string name = path.toStdString();
        if (kind == static_cast<int>(LayerKind::Catalog))
            writeTable(stars()->table, name, {}, job);
        else if (mtype == "coverage.load.moc.fits")
            writeMoc(normalizedRanges({{0, int64_t{1} << 56}}), name, {}, job);
        else if (kind == static_cast<int>(LayerKind::Image))
            writeImage(placedImage(), name, {}, job);
        else
            pair.write(*waveMap(8), QFileInfo(path).fileName());
        QCOMPARE(pair.answer(mtype, {{"url", urlOf(path)}, {"name", "from there"}}), QString());
        QCOMPARE(pair.document().entries().size(), size_t{1});
        QCOMPARE(static_cast<int>(pair.document().entries()[0].kind()), kind);
        QCOMPARE(pair.document().entries()[0].name, QString("from there"));
        QVERIFY(pair.session.files().recentFiles().isEmpty());

        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        connect(&server, &QTcpServer::newConnection, &server, [&] {
            QTcpSocket* socket = server.nextPendingConnection();
            QFile file(path);
            if (!file.open(QIODevice::ReadOnly)) return;
            const QByteArray content = file.readAll();
            socket->write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" +
                          QByteArray::number(content.size(), 16) + "\r\n" + content +
                          "\r\n0\r\n\r\n");
            socket->disconnectFromHost();
        });
        const QString url = QString("http://127.0.0.1:%1/a/t1.x").arg(server.serverPort());
        QCOMPARE(pair.answer(mtype, {{"url", url}}), QString());
        QCOMPARE(pair.document().entries().size(), size_t{2});
        QCOMPARE(static_cast<int>(pair.document().entries()[1].kind()), kind);
        QCOMPARE(pair.document().entries()[1].name, QString("t1.x"));
        QVERIFY2(pair.errors.isEmpty(), qPrintable(pair.errors.join("\n")));
    }
    // A file received over HTTP exists nowhere else, so it counts as not exported, and is restored.
    void receivedFilesAreNotLost() {
        SampTestHub hub;
        QTemporaryDir folder;
        const HealpixMap sent = *waveMap(8);
        {
            JobContext job;
            writeMap(sent, folder.filePath("sent.fits").toStdString(), {}, job);
        }
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        connect(&server, &QTcpServer::newConnection, &server, [&] {
            QTcpSocket* socket = server.nextPendingConnection();
            QFile file(folder.filePath("sent.fits"));
            if (file.open(QIODevice::ReadOnly))
                socket->write("HTTP/1.0 200 OK\r\n\r\n" + file.readAll());
            socket->disconnectFromHost();
        });
        const QString url = QString("http://127.0.0.1:%1/map").arg(server.serverPort());
        {
            SpokenSession spoken(folder.path());
            Interop& interop = spoken.session.interop();
            OtherProgram other;
            interop.client().connectToHub();
            QTRY_VERIFY_WITH_TIMEOUT(
                Pair::knows(other.client, interop.client().ownId(), "image.load.fits"), kPatience);
            QSignalSpy answers(&other.client, &SampClient::answered);
            other.client.call(interop.client().ownId(), "image.load.fits",
                              {{"url", url}, {"name", "theirs"}}, "tag");
            QTRY_COMPARE_WITH_TIMEOUT(answers.count(), 1, kPatience);
            QCOMPARE(answers[0][2].toString(), QString());
            QVERIFY(spoken.settle());
            const LayerId id = spoken.document().entries().front().id;
            QCOMPARE(spoken.session.project().unsavedResults(), std::vector<LayerId>{id});
            // A session file refers to it, but does not contain it.
            spoken.news.clear();
            spoken.session.project().saveSession(folder.filePath("a.armilla"));
            QVERIFY(spoken.settle());
            QCOMPARE(spoken.session.project().unsavedResults(), std::vector<LayerId>{id});
            QVERIFY2(spoken.news.join("\n").contains("theirs: received from another program"),
                     qPrintable(spoken.news.join("\n")));
            spoken.session.project().keepForNextStart(LeftBehind::OpenResults);
        }
        SpokenSession spoken(folder.path());
        spoken.session.project().recoverCrashedSession();
        QVERIFY(spoken.settle());
        QVERIFY2(spoken.errors.isEmpty(), qPrintable(spoken.errors.join("\n")));
        QCOMPARE(spoken.document().entries().size(), size_t{1});
        const Layer& back = spoken.document().entries().front();
        QCOMPARE(largestDifference(*back.map, sent), 0.0);
        QCOMPARE(spoken.session.project().unsavedResults(), std::vector<LayerId>{back.id});
        spoken.session.exporter().exportLayer(back.id, folder.filePath("kept.fits"), true);
        QVERIFY(spoken.settle());
        QVERIFY(spoken.session.project().unsavedResults().empty());
    }
    void badFilesAreRefused_data() {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("line");
        QTest::newRow("none") << ""
                              << "expected a file or an address of this machine";
        QTest::newRow("network") << "http://example.org/x.fits"
                                 << "nothing from the network";
        QTest::newRow("https") << "https://127.0.0.1/x.fits"
                               << "nothing from the network";
        QTest::newRow("ftp") << "ftp://127.0.0.1/x.fits"
                             << "nothing from the network";
        QTest::newRow("elsewhere") << "file://example.org/tmp/x"
                                   << "address of this machine";
        QTest::newRow("gone") << "file:///nowhere/x.fits"
                              << "/nowhere/x.fits: expected a file";
        QTest::newRow("folder") << "file:///tmp"
                                << "/tmp: expected a file";
        QTest::newRow("device") << "file:///dev/zero"
                                << "/dev/zero: expected a file";
        QTest::newRow("no table") << "file:///proc/version"
                                  << "expected";
        QTest::newRow("nobody listens") << "http://127.0.0.1:1/x"
                                        << "refused";
        QTest::newRow("script") << "javascript:alert(1)"
                                << "address of this machine";
    }
    void badFilesAreRefused() {
        QFETCH(QString, url);
        QFETCH(QString, line);
        SampTestHub hub;
        Pair pair;
        const QString answer = pair.answer("table.load.votable", {{"url", url}});
        QVERIFY2(answer.contains(line), qPrintable(answer));
        QVERIFY(pair.document().entries().empty());
        QCOMPARE(pair.errors.size(), 1);
    }
    void rowsGoBothWays() {
        SampTestHub hub;
        Pair pair;
        const auto catalog = stars();
        const LayerId id = pair.document().addLayer(catalog, "stars", {});
        // Unknown to other programs so far.
        pair.document().view().setSelection({id, 3});
        pair.interop().sendRows(id, {1});
        QCOMPARE(pair.errors.size(), 1);
        pair.errors.clear();
        pair.interop().sendLayer(id, Interop::Form::Layer);
        const QVariantMap known = pair.next().parameters;
        QCOMPARE(pair.other.taken.size(), size_t{1});
        pair.document().view().setSelection({id, 7});
        SampMessage message = pair.next();
        QCOMPARE(message.mtype, QString("table.highlight.row"));
        QCOMPARE(message.parameters["row"].toString(), QString("7"));
        QCOMPARE(message.parameters["table-id"], known["table-id"]);
        QCOMPARE(message.parameters["url"], known["url"]);
        pair.interop().sendRows(id, {2, 5});
        message = pair.next();
        QCOMPARE(message.mtype, QString("table.select.rowList"));
        QCOMPARE(message.parameters["row-list"].toList(), (QVariantList{"2", "5"}));

        // By the id or by the address alone; and no echo.
        QSignalSpy rows(&pair.interop(), &Interop::rowReceived),
            chosen(&pair.interop(), &Interop::chosenChanged);
        const QVariantMap byId{{"table-id", known["table-id"]}, {"row", "19"}};
        QCOMPARE(pair.answer("table.highlight.row", byId), QString());
        QCOMPARE(pair.document().view().selection(), (RowSelection{id, 19}));
        const QVariantMap byUrl{{"url", known["url"]}, {"row", "0"}};
        QCOMPARE(pair.answer("table.highlight.row", byUrl), QString());
        QCOMPARE(pair.document().view().selection(), (RowSelection{id, 0}));
        QCOMPARE(rows.count(), 2);
        QVERIFY(pair.answer("table.highlight.row", {{"url", known["url"]}, {"row", "20"}})
                    .contains("0 to 19"));
        QVERIFY(pair.answer("table.highlight.row", {{"url", known["url"]}, {"row", "-1"}})
                    .contains("0 to 19"));
        QVERIFY(pair.answer("table.highlight.row", {{"url", known["url"]}, {"row", "1e1"}})
                    .contains("\"1e1\""));
        QVERIFY(pair.answer("table.highlight.row", {{"url", "file:///x"}, {"row", "1"}})
                    .contains("open here"));
        QVERIFY(pair.answer("table.highlight.row", {}).contains("open here"));
        QVariantMap list{{"table-id", known["table-id"]}, {"row-list", QVariantList{"4", "6"}}};
        QCOMPARE(pair.answer("table.select.rowList", list), QString());
        QCOMPARE(pair.interop().chosen().layer, id);
        QCOMPARE(pair.interop().chosen().rows, (std::vector<int64_t>{4, 6}));
        list["row-list"] = QVariantList{"4", "x"};
        QVERIFY(!pair.answer("table.select.rowList", list).isEmpty());
        QCOMPARE(pair.interop().chosen().rows, (std::vector<int64_t>{4, 6}));
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(pair.other.taken.size(), size_t{3});
        QVERIFY(pair.errors.isEmpty());
        pair.document().removeLayer(id);
        QCOMPARE(pair.interop().chosen().layer, LayerId());
        QVERIFY(!pair.answer("table.highlight.row", byId).isEmpty());
    }
    // Long lists run in a job each; the last list counts, however long the previous one was.
    void longListsDoNotHoldUpTheWindow() {
        SampTestHub hub;
        Pair pair;
        const LayerId id = pair.document().addLayer(stars(), "stars", {});
        pair.interop().sendLayer(id, Interop::Form::Layer);
        QVariantMap list{{"table-id", pair.next().parameters["table-id"]}};
        int jobs = 0;
        connect(&pair.session.jobs(), &JobRunner::jobFinished, this, [&] { ++jobs; });
        QSignalSpy answers(&pair.other.client, &SampClient::answered);
        const auto say = [&](const QVariantList& rows, const char* tag) {
            list["row-list"] = rows;
            pair.other.client.call(pair.own(), "table.select.rowList", list, tag);
        };
        say(QVariantList(200000, "3"), "long");
        say({"1", "2"}, "short");
        say(QVariantList(200000, "20"), "wrong");
        QTRY_COMPARE_WITH_TIMEOUT(answers.count(), 3, kPatience);
        for (const QList<QVariant>& answer : answers)
            QCOMPARE(answer[2].toString().contains("0 to 19"), answer[0].toString() == "wrong");
        QCOMPARE(pair.interop().chosen().rows, (std::vector<int64_t>{1, 2}));
        QTRY_COMPARE_WITH_TIMEOUT(jobs, 2, kPatience);
        QVERIFY(pair.errors.isEmpty());
        // A cancelled list also gets a response; the previous list still applies.
        QTimer hand;
        connect(&hand, &QTimer::timeout, this, [&] { pair.session.jobs().cancelAll(); });
        hand.start(0);
        say(QVariantList(200000, "3"), "cancelled");
        QTRY_COMPARE_WITH_TIMEOUT(answers.count(), 4, kPatience);
        QVERIFY2(answers.back()[2].toString().contains("cancelled"),
                 qPrintable(answers.back()[2].toString()));
        QCOMPARE(pair.interop().chosen().rows, (std::vector<int64_t>{1, 2}));
    }
    // Another value with the same id is another table.
    void exchangedLayersAreTheirValues() {
        SampTestHub hub;
        Pair pair;
        JobContext job;
        writeTable(stars()->table, pair.path("a.vot").toStdString(), {}, job);
        pair.open({pair.path("a.vot")});
        const LayerId id = pair.document().entries().front().id;
        pair.interop().sendLayer(id, Interop::Form::Layer);
        const QVariantMap known = pair.next().parameters;
        QVERIFY(pair.interop().isExchanged(id));
        pair.session.project().saveSession(pair.path("a.armilla"));
        QVERIFY(pair.settle());
        writeTable(stars(30)->table, pair.path("a.vot").toStdString(), {true, {}}, job);
        pair.session.project().loadSession(pair.path("a.armilla"));
        QVERIFY(pair.settle());
        QCOMPARE(pair.document().entries().size(), size_t{1});
        QCOMPARE(pair.document().entries().front().id, id);
        QVERIFY(!pair.interop().isExchanged(id));
        QVERIFY(pair.answer("table.highlight.row", {{"table-id", known["table-id"]}, {"row", "1"}})
                    .contains("open here"));
    }
    // Rows of a table received from the other program, under that program's names.
    void rowsOfReceivedTables() {
        SampTestHub hub;
        Pair pair;
        JobContext job;
        const QString path = pair.path("t.vot");
        writeTable(stars()->table, path.toStdString(), {}, job);
        QCOMPARE(
            pair.answer("table.load.votable", {{"url", urlOf(path)}, {"table-id", "topcat-1"}}),
            QString());
        const LayerId id = pair.document().active();
        QCOMPARE(pair.answer("table.highlight.row", {{"table-id", "topcat-1"}, {"row", "3"}}),
                 QString());
        QCOMPARE(pair.document().view().selection(), (RowSelection{id, 3}));
        pair.document().view().setSelection({id, 4});
        QCOMPARE(pair.next().parameters["table-id"].toString(), QString("topcat-1"));
    }
    void placesGoBothWays() {
        SampTestHub hub;
        Pair pair;
        pair.interop().sendPlace(direction({1.0, -0.5}), Frame::Equatorial);
        const SampMessage message = pair.next();
        QCOMPARE(message.mtype, QString("coord.pointAt.sky"));
        // The message prints degrees in decimal digits. The limit requires 1e-10 rad, which is 2e-5
        // arcsec.
        QVERIFY(std::abs(message.parameters["ra"].toString().toDouble() * kDegree - 1.0) < 1e-10);
        QVERIFY(std::abs(message.parameters["dec"].toString().toDouble() * kDegree + 0.5) < 1e-10);
        QSignalSpy places(&pair.interop(), &Interop::placeReceived);
        QCOMPARE(pair.answer("coord.pointAt.sky", {{"ra", "83.633"}, {"dec", "-5.5"}}), QString());
        QCOMPARE(places.count(), 1);
        const auto at = places[0][0].value<LonLat>();
        QCOMPARE(at.lon, 83.633 * kDegree);
        QCOMPARE(at.lat, -5.5 * kDegree);
        for (const QVariantMap& bad :
             {QVariantMap{}, QVariantMap{{"ra", "1"}}, QVariantMap{{"ra", "x"}, {"dec", "1"}},
              QVariantMap{{"ra", "nan"}, {"dec", "1"}}, QVariantMap{{"ra", "1"}, {"dec", "90.1"}},
              QVariantMap{{"ra", "inf"}, {"dec", "1"}}, QVariantMap{{"ra", "361"}, {"dec", "0"}}})
            QVERIFY(pair.answer("coord.pointAt.sky", bad).contains("in degrees"));
        QCOMPARE(places.count(), 1);
        pair.interop().sendPlace({1.0, 0.0, 0.0}, Frame::Unknown);
        QVERIFY(pair.errors.last().contains("known"));
    }
};

QTEST_GUILESS_MAIN(InteropTest)
#include "tst_interop.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The user-stated frame of layers that do not name their own: storage, undo, export, messages.
#include <QJsonDocument>
#include <QSignalSpy>
#include <QtTest>

#include "armilla/core/error.h"
#include "armilla/io/image_file.h"
#include "armilla/io/table_io.h"
#include "armilla/session/exporter.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/image_lookup.h"
#include "armilla/session/layer_links.h"
#include "armilla/session/live_preview.h"
#include "armilla/session/notices.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/project_keeper.h"
#include "armilla/session/stated_frame.h"
#include "command_line.h"
#include "layer_samples.h"
#include "session_bench.h"
#include "support/image_cards.h"

using namespace armilla;
using namespace armilla::test;

namespace {

QString openUnframed(Bench& bench, const QString& name, unsigned seed = 1) {
    const QString path =
        bench.write(*noiseMap(16, {"I"}, Frame::Unknown, Ordering::Ring, seed), name);
    bench.open({path});
    return path;
}

Frame frameOf(const Bench& bench, LayerId id) {
    const Layer* layer = const_cast<Bench&>(bench).document().entry(id);
    return layer ? factsOf(layer->kind()).frame(*layer) : Frame::Unknown;
}

}  // namespace

class StatedFrameTest : public QObject {
    Q_OBJECT
private slots:
    void isAStepOfTheHistory() {
        Bench bench;
        openUnframed(bench, "u.fits");
        Document& document = bench.document();
        const LayerId id = document.view().shown().entry;
        QCOMPARE(document.view().camera().frame, Frame::Unknown);
        QVERIFY(document.entry(id)->detail.startsWith("frame unknown · nside 16"));
        const auto before = document.entry(id)->map;
        bench.session.operations().stateFrame(id, Frame::Equatorial);
        QVERIFY(bench.settle());
        QCOMPARE(frameOf(bench, id), Frame::Equatorial);
        QCOMPARE(document.view().camera().frame, Frame::Equatorial);
        QCOMPARE(document.drawings().drawable(document.view().shown())->frame(), Frame::Equatorial);
        QVERIFY(!document.entry(id)->detail.contains("unknown"));
        QCOMPARE(largestDifference(*before, *document.entry(id)->map), 0.0);
        QCOMPARE(document.history().stack()->undoText(),
                 QString("Frame of u.fits: equatorial (ICRS)"));
        for (int round = 0; round < 2; ++round) {
            document.history().stack()->undo();
            QVERIFY(bench.settle());
            QCOMPARE(frameOf(bench, id), Frame::Unknown);
            QCOMPARE(recipeOf(document, id)->statedFrame, Frame::Unknown);
            QCOMPARE(document.view().camera().frame, Frame::Unknown);
            document.history().stack()->redo();
            QVERIFY(bench.settle());
            QCOMPARE(frameOf(bench, id), Frame::Equatorial);
            QCOMPARE(recipeOf(document, id)->statedFrame, Frame::Equatorial);
            QCOMPARE(document.view().camera().frame, Frame::Equatorial);
        }
        // Stating the same frame is no step; another frame is one, and so is withdrawal.
        const int steps = document.history().stack()->count();
        bench.session.operations().stateFrame(id, Frame::Equatorial);
        QVERIFY(bench.settle());
        QCOMPARE(document.history().stack()->count(), steps);
        bench.session.operations().stateFrame(id, Frame::Unknown);
        QVERIFY(bench.settle());
        QCOMPARE(frameOf(bench, id), Frame::Unknown);
        QCOMPARE(document.history().stack()->count(), steps + 1);
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join('\n')));
    }
    // A command that fails for want of a frame asks for the frame, in place of an error that names
    // an option. The answer runs the command again.
    void commandsAskForIt() {
        Bench bench;
        openUnframed(bench, "u.fits");
        Document& document = bench.document();
        const LayerId id = document.view().shown().entry;
        QSignalSpy needed(&bench.session.notices(), &Notices::frameNeeded);
        OperationRequest request{findOperation("convert"),
                                 findOperation("convert")->defaults(),
                                 {{QStringLiteral("MAP"), id, {}, {}}},
                                 {}};
        std::vector<Parameter> rows = request.parameters.rows();
        for (Parameter& row : rows)
            if (row.name == "frame") row.assign(row.parse("G"));
        bench.session.operations().runOperation(request);
        QVERIFY(bench.settle());
        QCOMPARE(needed.size(), 1);
        QCOMPARE(needed.front().front().value<LayerId>(), id);
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join('\n')));
        QVERIFY(bench.session.jobs().jobs().empty());
        bench.session.operations().answerFrame(id, Frame::Equatorial);
        QVERIFY(bench.settle());
        QCOMPARE(document.entries().size(), size_t{2});
        QCOMPARE(document.entries().back().map->frame(), Frame::Galactic);
        QCOMPARE(needed.size(), 1);
        // Stating a frame in the list of layers runs nothing.
        bench.session.operations().stateFrame(id, Frame::Unknown);
        QVERIFY(bench.settle());
        QCOMPARE(document.entries().size(), size_t{2});
    }
    // Undo without values: a restored layer is read again, in its frame at that step.
    void undoneWithoutValues() {
        Bench bench;
        openUnframed(bench, "a.fits");
        Document& document = bench.document();
        document.history().setBudget(0);
        const LayerId id = document.view().shown().entry;
        bench.session.operations().stateFrame(id, Frame::Equatorial);
        QVERIFY(bench.settle());
        const uint64_t stated = document.entry(id)->revision;
        document.history().stack()->undo();
        QVERIFY(bench.settle());
        QCOMPARE(frameOf(bench, id), Frame::Unknown);
        QVERIFY(document.entry(id)->revision != stated);
        QVERIFY(document.entry(id)->detail.startsWith(unknownFrameText()));
        document.history().stack()->redo();
        QVERIFY(bench.settle());
        QCOMPARE(frameOf(bench, id), Frame::Equatorial);
    }
    void isRefusedOfFilesThatNameTheirs() {
        Bench bench;
        bench.open({bench.write(*noiseMap(4), "g.fits")});
        const LayerId id = bench.document().view().shown().entry;
        QVERIFY(!takesStatedFrame(*bench.document().entry(id)));
        bench.session.operations().stateFrame(id, Frame::Equatorial);
        bench.session.operations().stateFrame(LayerId(99), Frame::Equatorial);
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 2);
        QVERIFY(bench.errors.front().contains("does not name its frame, found g.fits"));
        QCOMPARE(frameOf(bench, id), Frame::Galactic);
    }
    // A result of a map, and the other input of that result, are in the same frame.
    void goesWithWhatWasMade() {
        Bench bench;
        openUnframed(bench, "a.fits", 1);
        openUnframed(bench, "b.fits", 2);
        openUnframed(bench, "c.fits", 3);
        Document& document = bench.document();
        bench.session.operations().showDifference({LayerId(1), 0}, {LayerId(2), 0});
        QVERIFY(bench.settle());
        QCOMPARE(document.entries().size(), size_t{4});
        QCOMPARE(statedTogether(document, LayerId(4)),
                 (std::vector<LayerId>{LayerId(1), LayerId(2), LayerId(4)}));
        const int steps = document.history().stack()->count();
        bench.session.operations().stateFrame(LayerId(4), Frame::Ecliptic);
        QVERIFY(bench.settle());
        QCOMPARE(document.history().stack()->count(), steps + 1);
        for (const LayerId id : {LayerId(1), LayerId(2), LayerId(4)})
            QCOMPARE(frameOf(bench, id), Frame::Ecliptic);
        QCOMPARE(frameOf(bench, LayerId(3)), Frame::Unknown);
        // A frame cannot be stated anew while results depend on it.
        bench.session.operations().showDifference({LayerId(4), 0}, {LayerId(1), 0});
        QVERIFY(bench.settle());
        QCOMPARE(frameOf(bench, LayerId(5)), Frame::Ecliptic);
        bench.session.operations().stateFrame(LayerId(1), Frame::Galactic);
        QVERIFY(bench.settle());
        QCOMPARE(bench.errors.size(), 1);
        QCOMPARE(frameOf(bench, LayerId(1)), Frame::Ecliptic);
        document.removeLayer(LayerId(5));
        bench.session.operations().stateFrame(LayerId(1), Frame::Galactic);
        QVERIFY(bench.settle());
        for (const LayerId id : {LayerId(1), LayerId(2), LayerId(4)})
            QCOMPARE(frameOf(bench, id), Frame::Galactic);
        QCOMPARE(bench.errors.size(), 1);
    }
    // A file that lacks another fact asks for it, one after another; the answers go with the
    // recipe, the command and the session.
    void filesAskForTheirFacts() {
        Bench bench;
        Table table;
        TableColumn cells, values;
        cells.name = "CELL";
        values.name = "SIGNAL";
        values.unit = "K";
        std::vector<double> numbers, signal;
        for (int i = 0; i < 100; ++i) {
            numbers.push_back(100.0 + i);
            signal.push_back(0.5 * i);
        }
        cells.values = numbers;
        values.values = signal;
        table.columns = {cells, values};
        table.cards = {imageCard("PIXTYPE", "'HEALPIX'"), imageCard("ORDERING", "'SPIRAL'"),
                       imageCard("INDXSCHM", "'EXPLICIT'"), imageCard("COORDSYS", "'G'")};
        JobContext job;
        const QString path = bench.path("bare.fits");
        writeTable(table, path.toStdString(), {}, job);
        QSignalSpy asked(&bench.session.files(), &FileOpener::fileFactNeeded);
        bench.open({path});
        StatedFile facts;
        std::vector<FileFact> order;
        for (int round = 0; round < 3 && asked.size() > round; ++round) {
            const auto question = asked[round][0].value<FileQuestion>();
            QCOMPARE(question.path, path);
            QCOMPARE(question.stated, facts);
            order.push_back(question.fact);
            if (question.fact == FileFact::Nside) facts.nside = 16;
            if (question.fact == FileFact::Ordering) facts.ordering = Ordering::Nested;
            if (question.fact == FileFact::Index) {
                QCOMPARE(question.columns, (QStringList{"CELL", "SIGNAL"}));
                facts.index = "CELL";
            }
            bench.session.files().openStated(path, facts);
            QVERIFY(bench.settle());
        }
        QCOMPARE(order.size(), size_t{3});
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join('\n')));
        QCOMPARE(bench.document().entries().size(), size_t{1});
        const Layer& made = bench.document().entries().front();
        QVERIFY(made.map && made.map->nside() == 16 && made.map->ordering() == Ordering::Nested);
        QCOMPARE(made.map->elementCount(), int64_t{100});
        QCOMPARE(made.map->value(0, 103), 1.5);
        QCOMPARE(Recipe::fromJson(made.recipe.toJson()).statedFile, facts);
        const QString command =
            bench.session.exporter().commandFor(made.id, bench.path("out.fits"));
        QVERIFY2(command.contains("--input-nside 16 --input-ordering nested --input-index CELL"),
                 qPrintable(command));
        if (!hasCommandLine()) return;
        QCOMPARE(failureOf(command), QString());
        QCOMPARE(readBack(bench.path("out.fits")).value(0, 103), 1.5);
    }
    // Spectra without names, and names without C_l or D_l.
    void spectraAskForTheirColumns() {
        Bench bench;
        QByteArray bare, lensed("# L TT EE BB TE PP\n");
        for (int l = 0; l < 40; ++l) {
            if (l >= 2)
                bare += QByteArray::number(l) + " " + QByteArray::number(2.0 * l) + " 3 4\n";
            lensed += QByteArray::number(l) + " 6 1 1 1 1\n";
        }
        writeFile(bench.path("bare.txt"), bare);
        writeFile(bench.path("lensed.txt"), lensed);
        QSignalSpy asked(&bench.session.files(), &FileOpener::fileFactNeeded);
        bench.open({bench.path("bare.txt"), bench.path("lensed.txt")});
        QVERIFY2(asked.size() == 2, qPrintable(bench.errors.join('\n')));
        QCOMPARE(asked[0][0].value<FileQuestion>().fact, FileFact::Columns);
        QCOMPARE(asked[1][0].value<FileQuestion>().fact, FileFact::SpectrumForm);
        StatedFile facts;
        facts.columns = QStringList{"L", "TT", "-", "BB"};
        facts.isDl = false;
        bench.session.files().openStated(bench.path("bare.txt"), facts);
        // Files opened by separate calls are added in the order in which they are ready.
        QVERIFY(bench.settle());
        facts = {};
        facts.isDl = true;
        bench.session.files().openStated(bench.path("lensed.txt"), facts);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join('\n')));
        QCOMPARE(bench.document().entries().size(), size_t{2});
        const auto atTwo = [](const Curve& curve) {
            const auto two = std::find(curve.x.begin(), curve.x.end(), 2.0);
            return curve.series[0].values.at(static_cast<size_t>(two - curve.x.begin()));
        };
        const Curve& first = *bench.document().entries()[0].curve;
        QCOMPARE(atTwo(first), 4.0);
        // D_l = 6 at l = 2: C_l = 6 * 2 pi / (2 * 3); rounding of one quotient.
        QVERIFY(std::abs(atTwo(*bench.document().entries()[1].curve) - kTwoPi) < 1e-14);
    }
    void catalogsToo() {
        Bench bench;
        Catalog catalog = randomCatalog(20);
        catalog.table.columns[0].name = "LON";
        catalog.table.columns[1].name = "LAT";
        JobContext job;
        writeTable(catalog.table, bench.path("c.fits").toStdString(), {}, job);
        bench.open({bench.path("c.fits")});
        const LayerId id = bench.document().entries().front().id;
        QCOMPARE(frameOf(bench, id), Frame::Unknown);
        bench.session.operations().stateFrame(id, Frame::Galactic);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join('\n')));
        QCOMPARE(frameOf(bench, id), Frame::Galactic);
        QCOMPARE(bench.document().drawings().markers(id)->frame(), Frame::Galactic);
        bench.document().history().stack()->undo();
        QVERIFY(bench.settle());
        QCOMPARE(bench.document().drawings().markers(id)->frame(), Frame::Unknown);
    }
    // Drawn, read out, exported and restored in the stated frame.
    void imagesToo() {
        Bench bench;
        Image image = placedImage();
        for (std::string& card : image.wcsCards)
            if (card.starts_with("CTYPE")) card[card.find('G')] = 'S';
        image.frame = Frame::Unknown;
        JobContext job;
        writeImage(image, bench.path("s.fits").toStdString(), {}, job);
        bench.open({bench.path("s.fits")});
        QVERIFY(bench.settle());
        Document& document = bench.document();
        const LayerId id = document.entries().front().id;
        QCOMPARE(frameOf(bench, id), Frame::Unknown);
        QVERIFY(document.entry(id)->detail.startsWith("frame unknown · 3 × 2"));
        QVERIFY(takesStatedFrame(*document.entry(id)));
        QCOMPARE(document.view().camera().frame, Frame::Unknown);  // no layer names a frame
        bench.session.operations().stateFrame(id, Frame::Ecliptic);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join('\n')));
        QCOMPARE(frameOf(bench, id), Frame::Ecliptic);
        QCOMPARE(document.drawings().imageMesh(id)->frame(), Frame::Ecliptic);
        QCOMPARE(document.view().camera().frame,
                 Frame::Ecliptic);  // the sky has the frame of the image
        const ImageLookup lookup(document.entry(id)->image);
        const Vec3 middle = direction({30.0 * kDegree, 60.0 * kDegree});
        const Vec3 turned = frameRotation(Frame::Galactic, Frame::Ecliptic) * middle;
        QVERIFY(lookup.pixelAt(middle, Frame::Ecliptic));
        QVERIFY(lookup.pixelAt(turned, Frame::Galactic));
        QVERIFY(!lookup.pixelAt(middle, Frame::Galactic));
        bench.session.exporter().exportLayer(id, bench.path("out.fits"), false);
        bench.session.project().saveSession(bench.path("s.armilla"));
        QVERIFY(bench.settle());
        QCOMPARE(readImage(bench.path("out.fits").toStdString(), job).frame, Frame::Ecliptic);
        Bench other;
        other.open({bench.path("s.armilla")});
        QVERIFY2(other.errors.isEmpty(), qPrintable(other.errors.join('\n')));
        QCOMPARE(frameOf(other, id), Frame::Ecliptic);
        document.history().stack()->undo();
        QVERIFY(bench.settle());
        QCOMPARE(frameOf(bench, id), Frame::Unknown);
        QCOMPARE(document.drawings().imageMesh(id)->frame(), Frame::Unknown);
    }
    void isKeptInSessions() {
        Bench bench;
        openUnframed(bench, "a.fits", 1);
        openUnframed(bench, "b.fits", 2);
        bench.session.operations().showDifference({LayerId(1), 0}, {LayerId(2), 0});
        QVERIFY(bench.settle());
        bench.session.operations().stateFrame(LayerId(1), Frame::Ecliptic);
        QVERIFY(bench.settle());
        bench.document().removeLayer(LayerId(2));
        bench.session.project().saveSession(bench.path("s.armilla"));
        QVERIFY(bench.settle());
        QFile file(bench.path("s.armilla"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray written = file.readAll();
        QVERIFY(written.contains("\"inputFrame\": \"ecliptic\""));
        Bench other;
        other.open({bench.path("s.armilla")});
        QVERIFY2(other.errors.isEmpty(), qPrintable(other.errors.join('\n')));
        QCOMPARE(frameOf(other, LayerId(1)), Frame::Ecliptic);
        QCOMPARE(frameOf(other, LayerId(3)), Frame::Ecliptic);
        QCOMPARE(other.document().view().camera().frame, Frame::Ecliptic);
        // An invalid frame is refused, and changes nothing.
        QByteArray damaged = written;
        damaged.replace("\"inputFrame\": \"ecliptic\"", "\"inputFrame\": \"of another kind\"");
        armilla::test::writeFile(bench.path("d.armilla"), damaged);
        other.open({bench.path("d.armilla")});
        QCOMPARE(other.errors.size(), 1);
        QCOMPARE(frameOf(other, LayerId(1)), Frame::Ecliptic);
    }
    // The file itself names another frame when the session is restored: the file takes precedence.
    void fileThatNamesItLater() {
        Bench bench;
        openUnframed(bench, "a.fits");
        bench.session.operations().stateFrame(LayerId(1), Frame::Ecliptic);
        QVERIFY(bench.settle());
        bench.session.project().saveSession(bench.path("s.armilla"));
        QVERIFY(bench.settle());
        QVERIFY(QFile::remove(bench.path("a.fits")));
        bench.write(*noiseMap(16, {"I"}), "a.fits");
        Bench other;
        other.open({bench.path("s.armilla")});
        QCOMPARE(frameOf(other, LayerId(1)), Frame::Galactic);
        QVERIFY2(other.news.join('\n').contains("stated was ecliptic"),
                 qPrintable(other.news.join('\n')));
    }
    void exportsSayIt() {
        Bench bench;
        const QString path = openUnframed(bench, "u.fits");
        bench.session.setDevice(Device::cpu());
        bench.session.operations().stateFrame(LayerId(1), Frame::Equatorial);
        QVERIFY(bench.settle());
        SmoothParameters parameters;
        parameters.fwhm = 9.0 * kDegree;
        bench.session.preview().previewSmooth(parameters);
        bench.session.preview().keepSmooth();
        QVERIFY(bench.settle());
        const LayerId smoothed = bench.document().view().shown().entry;
        QCOMPARE(frameOf(bench, smoothed), Frame::Equatorial);
        bench.session.exporter().exportLayer(LayerId(1), bench.path("gui0.fits"), false);
        bench.session.exporter().exportLayer(smoothed, bench.path("gui1.fits"), false);
        bench.document().view().setShown({LayerId(1), 0});
        // With a known frame the view can be in another one.
        bench.document().view().setCamera(
            bench.document().view().camera().inFrame(Frame::Galactic));
        bench.session.exporter().exportView(bench.path("gui2.fits"), 160, 80, false);
        QVERIFY(bench.settle());
        QVERIFY2(bench.errors.isEmpty(), qPrintable(bench.errors.join('\n')));
        QFile file(bench.path("gui0.fits"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        QVERIFY(bytes.contains("COORDSYS= 'C"));
        QVERIFY(bytes.contains("--input-frame"));
        if (!hasCommandLine()) QSKIP("this build has no command line");
        const QString commands[] = {
            bench.session.exporter().commandFor(LayerId(1), bench.path("cli0.fits")),
            bench.session.exporter().commandFor(smoothed, bench.path("cli1.fits")),
            bench.session.exporter().commandForView(bench.path("cli2.fits"), 160, 80)};
        for (int i = 0; i < 3; ++i) {
            QVERIFY2(commands[i].endsWith(" --input-frame C"), qPrintable(commands[i]));
            const QString failure = failureOf(commands[i]);
            QVERIFY2(failure.isEmpty(), qPrintable(failure));
            if (i == 2) continue;
            const HealpixMap ours = readBack(bench.path(QString("gui%1.fits").arg(i)));
            const HealpixMap theirs = readBack(bench.path(QString("cli%1.fits").arg(i)));
            QCOMPARE(ours.frame(), Frame::Equatorial);
            QCOMPARE(theirs.frame(), Frame::Equatorial);
            QCOMPARE(largestDifference(ours, theirs), 0.0);
        }
        // The values of the pictures: the same options give the same bytes except for the date.
        const auto pixels = [&](const QString& name) {
            QFile one(bench.path(name));
            return one.open(QIODevice::ReadOnly) ? one.readAll().right(160 * 80 * 4) : QByteArray();
        };
        QCOMPARE(pixels("gui2.fits").size(), 160 * 80 * 4);
        QCOMPARE(pixels("gui2.fits"), pixels("cli2.fits"));
    }
    // One --input-frame applies to all files of a command.
    void commandsOfSeveralFrames() {
        Bench bench;
        openUnframed(bench, "a.fits", 1);
        openUnframed(bench, "b.fits", 2);
        bench.open({bench.write(*noiseMap(16), "g.fits")});
        const auto command = [&](LayerId a, LayerId b) {
            OperationRequest made;
            made.operation = findOperation("correlate-maps");
            made.parameters = made.operation->defaults();
            made.parameters.set("bins", "1deg,10deg,5");
            const auto slot = [&](size_t input) {
                const std::string_view name = made.operation->inputs[input].name;
                return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
            };
            made.inputs = {{slot(0), a, {0}, {}}, {slot(1), b, {0}, {}}};
            return bench.session.exporter().commandForOperation(made, "out.fits");
        };
        QVERIFY(!command(LayerId(1), LayerId(2)).contains("--input-frame"));
        bench.session.operations().stateFrame(LayerId(1), Frame::Equatorial);
        QVERIFY(bench.settle());
        QCOMPARE(command(LayerId(1), LayerId(2)), QString());  // the other one has no frame
        bench.session.operations().stateFrame(LayerId(2), Frame::Equatorial);
        QVERIFY(bench.settle());
        QVERIFY2(command(LayerId(1), LayerId(2)).contains(" --input-frame C"),
                 qPrintable(command(LayerId(1), LayerId(2)) + bench.errors.join('\n')));
        QCOMPARE(bench.errors.size(), 1);
    }
};

QTEST_GUILESS_MAIN(StatedFrameTest)
#include "tst_stated_frame.moc"

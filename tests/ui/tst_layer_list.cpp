// SPDX-License-Identifier: GPL-3.0-or-later
// The window with a thousand layers: what every act on the list takes of the window's thread, the
// lay-out and the repaint that follow included, and what it takes with twenty.
#include <QHash>
#include <QJsonArray>
#include <QLineEdit>
#include <QTreeView>
#include <QUndoStack>
#include <algorithm>
#include <ctime>
#include <functional>

#include "document_writer.h"
#include "models/maps_model.h"
#include "panels/maps_panel.h"
#include "session/layer_samples.h"
#include "ui/sky_view_widget.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr int kLayers = 1000, kFew = 20;
// What any act may take with a thousand layers, ms, also one that lays the window out anew; where
// others work on the same cores, that counts as up to a half more.
constexpr double kMost = 16.0, kNoise = 0.5;
// So many repeats, and more where others leave none of them in peace.
constexpr int kRepeats = 7, kMostRepeats = 28;

// Of the thread's own work: what others do on the machine does not count.
double threadMilliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

}  // namespace

class TestLayerList : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase() { prepareSettings(); }
    void cleanup() { closeWindow(); }
    void fewLayers() { actOn(kFew); }
    void aThousandLayers() { actOn(kLayers); }

private:
    void actOn(int count);
    // The least of some repeats of `act`, since others on the machine only add to it, with `back`
    // between them, which counts for itself. `before` each of them, and not counted, things are put
    // as they are where `act` takes longest.
    void measure(const QString& name, const std::function<void()>& act,
                 const std::function<void()>& back = {}, const std::function<void()>& before = {});
    double once(const std::function<void()>& act);

    bool isFew_ = true;
    QHash<QString, double> few_;  // ms, with few layers
};

double TestLayerList::once(const std::function<void()>& act) {
    const double before = threadMilliseconds();
    act();
    // What waits in the queue comes after that: sorting out rows, lay-out, repaint.
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
    return threadMilliseconds() - before;
}

void TestLayerList::measure(const QString& name, const std::function<void()>& act,
                            const std::function<void()>& back,
                            const std::function<void()>& before) {
    std::vector<double> times, backs;
    constexpr double kLimit = (1.0 + kNoise) * kMost;
    const auto isSlow = [&] {
        const auto leastOf = [](const auto& all) {
            return *std::min_element(all.begin(), all.end());
        };
        return !isFew_ && (leastOf(times) > kLimit || (back && leastOf(backs) > kLimit));
    };
    for (int i = 0; i < kRepeats || (i < kMostRepeats && isSlow()); ++i) {
        if (before) once(before);
        times.push_back(once(act));
        if (back) backs.push_back(once(back));
        waitUntilIdle(1);
    }
    for (auto* all : {&times, &backs}) {
        if (all->empty()) continue;
        std::sort(all->begin(), all->end());
        const double least = all->front();
        const QString what = all == &times ? name : name + ", back";
        if (isFew_) {
            few_[what] = least;
            continue;
        }
        qInfo("%s: %.1f ms (to %.1f), with %d layers %.1f", qPrintable(what), least, all->back(),
              kFew, few_[what]);
        QVERIFY2(least <= kLimit, qPrintable(what));
    }
}

void TestLayerList::actOn(int count) {
    isFew_ = count == kFew;
    openWindow();
    Session& session = window_->session();
    Document& document = session.document();
    // The sky itself is drawn by threads of its own: what it costs is another matter.
    window_->skyView()->setDrawChoice(DrawChoice::Cpu);
    Recipe opened;
    opened.path = QStringLiteral("/data/layer.fits");
    std::vector<Document::NewLayer> many;
    for (int i = 0; i < count; ++i) {
        const LayerKind kind = kLayerKinds[i % 4];
        many.push_back({sampleLayer(kind), QStringLiteral("layer %1").arg(i), false});
    }
    // One by one, as files come; every tenth is made of the one before it.
    for (int i = 0; i < count; ++i) {
        Recipe recipe = opened;
        int parent = -1;
        if (i % 10 == 9) {
            recipe = {};
            recipe.kind = RecipeKind::Operation;
            recipe.recordTitle = QStringLiteral("something");
            recipe.record = {{"operation", "something"},
                             {"version", 1},
                             {"inputs", QJsonArray{QJsonObject{{"slot", "MAP"}, {"layer", i}}}}};
            parent = i;
        }
        document.addLayers({many[static_cast<size_t>(i)]}, recipe, parent);
    }
    waitForPicture();
    waitUntilIdle();
    // Numbers begin with 1, kinds take turns; of `source` the next one was made.
    const int map = 5, otherMap = count - 3, catalog = count / 2 - count / 2 % 4 + 6;
    const int otherCatalog = catalog - 4, source = count / 40 * 20 + 9;
    QVERIFY(document.entry(map)->map && document.entry(catalog)->catalog);
    MapsPanel* panel = window_->findChild<MapsPanel*>();
    QVERIFY(panel);
    auto* model = qobject_cast<MapsModel*>(panel->view()->model());
    QVERIFY(model);
    QCOMPARE(document.entries().size(), static_cast<size_t>(count));

    measure(
        "choose a layer", [&] { document.setActive(catalog); },
        [&] { document.setActive(otherCatalog); });
    // The panel of data goes with the catalog, and the window is laid out anew.
    measure(
        "show a map",
        [&] {
            document.setShown({map, 0});
        },
        [&] {
            document.setShown({otherMap, 0});
        },
        [&] { document.setActive(catalog); });
    QUndoStack* undo = document.undoStack();
    const auto takeBack = [&] { undo->undo(); };
    measure(
        "show a layer", [&] { panel->toggleVisible(model->indexOfEntry(catalog)); }, takeBack);
    measure(
        "rename", [&] { document.renameLayer(map, QStringLiteral("other")); }, takeBack);
    measure(
        "opacity",
        [&] {
            LayerStyle style = document.entry(catalog)->style;
            style.opacity = 0.5;
            document.setStyle(catalog, style);
        },
        takeBack);
    measure(
        "add a map", [&] { document.addLayer(sampleLayer(LayerKind::Map), "new", opened); },
        takeBack);
    measure(
        "move", [&] { document.moveLayer(catalog, map); }, takeBack);
    measure(
        "close one", [&] { document.removeLayer(catalog); }, takeBack,
        [&] { document.setActive(catalog); });
    // What is looked at, and what was made of it: the rows of that move, and its panels come.
    measure(
        "close one that another was made of", [&] { document.removeLayer(source); }, takeBack,
        [&] {
            document.setShown({source, 0});
            document.setActive(source);
        });
    auto* filter = panel->findChild<QLineEdit*>();
    QVERIFY(filter && filter->isVisible());
    measure(
        "search the list", [&] { filter->setText("layer 77"); }, [&] { filter->clear(); });
    measure("tell the memory", [&] {
        const MemoryLedger ledger = session.memoryLedger(window_->skyView()->deviceBytes());
        QCOMPARE(ledger.rows.size(), static_cast<size_t>(count));
        QVERIFY(ledger.lines().size() < 30);
    });
    // The autosave's part in the window's thread; its file is written by another.
    std::function<QJsonObject()> written;
    measure("snapshot", [&] { written = jsonWriter(document); });
    QCOMPARE(written()["layers"].toArray().size(), qsizetype{count});
    measure(
        "close all", [&] { document.removeAll(); }, takeBack);
    QCOMPARE(document.entries().size(), static_cast<size_t>(count));
}

QTEST_MAIN(TestLayerList)
#include "tst_layer_list.moc"

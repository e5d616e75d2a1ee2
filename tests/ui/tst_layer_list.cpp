// SPDX-License-Identifier: GPL-3.0-or-later
// The window with a thousand layers: work in the window's thread for every action on the list,
// including layout and repaint, compared with twenty layers. Work is counted as allocations of that
// thread, which other work on the machine does not change.
#include <QHash>
#include <QJsonArray>
#include <QLineEdit>
#include <QTreeView>
#include <QUndoStack>
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <new>

#include "armilla/session/document_json.h"
#include "armilla/ui/sky_view_widget.h"
#include "models/maps_model.h"
#include "panels/maps_panel.h"
#include "session/layer_samples.h"
#include "window_bench.h"

using namespace armilla;
using namespace armilla::test;

namespace {

constexpr int kLayers = 1000, kFew = 20;
// An action may visit every layer once, which costs some allocations a layer where rows, names or
// JSON are made of all. It may not do so for each layer, which would be a thousand times more.
constexpr int64_t kPerLayer = 100;

thread_local int64_t allocations = 0;

}  // namespace

// Replaces the program's operator new, so that libraries call it, too. Not inlined: GCC 14 would
// see free() of what it takes for memory of another allocator.
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(std::max<std::size_t>(size, 1))) return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/) noexcept {
    std::free(memory);
}

class TestLayerList : public QObject, private WindowBench {
    Q_OBJECT
private slots:
    void initTestCase() { prepareSettings(); }
    void cleanup() { closeWindow(); }
    void fewLayers() { actOn(kFew); }
    void aThousandLayers() { actOn(kLayers); }

private:
    void actOn(int count);
    // Work of `act`, and of `back`, which is counted separately. `before`, not counted, sets the
    // state in which `act` is most expensive.
    void measure(const QString& name, const std::function<void()>& act,
                 const std::function<void()>& back = {}, const std::function<void()>& before = {});
    static int64_t once(const std::function<void()>& act);

    bool isFew_ = true;
    QHash<QString, int64_t> few_;  // with few layers
};

int64_t TestLayerList::once(const std::function<void()>& act) {
    const int64_t before = allocations;
    act();
    // Queued work comes afterwards: sorting of rows, layout, repaint.
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
    return allocations - before;
}

void TestLayerList::measure(const QString& name, const std::function<void()>& act,
                            const std::function<void()>& back,
                            const std::function<void()>& before) {
    const auto take = [&](const QString& what, const std::function<void()>& work) {
        const int64_t count = once(work);
        if (isFew_) {
            few_[what] = count;
            return;
        }
        qInfo("%s: %lld allocations, with %d layers %lld", qPrintable(what),
              static_cast<long long>(count), kFew, static_cast<long long>(few_[what]));
        QVERIFY2(count <= few_[what] + kPerLayer * (kLayers - kFew), qPrintable(what));
    };
    if (before) once(before);
    take(name, act);
    if (back) take(name + QStringLiteral(", back"), back);
    waitUntilIdle(1);
}

void TestLayerList::actOn(int count) {
    isFew_ = count == kFew;
    openWindow();
    Session& session = window_->session();
    Document& document = session.document();
    // The sky itself is drawn by separate threads, whose cost is tested elsewhere.
    window_->skyView()->setDrawChoice(DrawChoice::Cpu);
    Recipe opened;
    opened.path = QStringLiteral("/data/layer.fits");
    std::vector<Document::NewLayer> many;
    for (int i = 0; i < count; ++i) {
        const LayerKind kind = kLayerKinds[i % 4];
        many.push_back({sampleLayer(kind), QStringLiteral("layer %1").arg(i), false});
    }
    // One by one, like files; every tenth is made from the previous one.
    for (int i = 0; i < count; ++i) {
        Recipe recipe = opened;
        LayerId parent;
        if (i % 10 == 9) {
            recipe = {};
            recipe.kind = RecipeKind::Operation;
            recipe.recordTitle = QStringLiteral("something");
            recipe.record = {{"operation", "something"},
                             {"version", 1},
                             {"inputs", QJsonArray{QJsonObject{{"slot", "MAP"}, {"layer", i}}}}};
            parent = LayerId(i);
        }
        document.addLayers({many[static_cast<size_t>(i)]}, recipe, parent);
    }
    waitForPicture();
    waitUntilIdle();
    // Ids begin with 1, kinds alternate; the next layer was made from `source`.
    const int middle = count / 2 - count / 2 % 4 + 2;
    const LayerId map(5), otherMap(count - 3), catalog(middle + 4), otherCatalog(middle);
    const LayerId source(count / 40 * 20 + 9);
    QVERIFY(document.entry(map)->map && document.entry(catalog)->catalog);
    MapsPanel* panel = window_->findChild<MapsPanel*>();
    QVERIFY(panel);
    auto* model = qobject_cast<MapsModel*>(panel->view()->model());
    QVERIFY(model);
    QCOMPARE(document.entries().size(), static_cast<size_t>(count));

    measure(
        "choose a layer", [&] { document.setActive(catalog); },
        [&] { document.setActive(otherCatalog); });
    // The data panel closes with the catalog, and the window is laid out again.
    measure(
        "show a map",
        [&] {
            document.view().setShown({map, 0});
        },
        [&] {
            document.view().setShown({otherMap, 0});
        },
        [&] { document.setActive(catalog); });
    QUndoStack* undo = document.history().stack();
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
            document.drawings().setStyle(catalog, style);
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
    // The shown map, and a result made from it: its row moves, and its panels appear.
    measure(
        "close one that another was made of", [&] { document.removeLayer(source); }, takeBack,
        [&] {
            document.view().setShown({source, 0});
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
    // The autosave's work in the window's thread; another thread writes its file.
    std::function<QJsonObject()> written;
    measure("snapshot", [&] { written = jsonWriter(document); });
    QCOMPARE(written()["layers"].toArray().size(), qsizetype{count});
    measure(
        "close all", [&] { document.removeAll(); }, takeBack);
    QCOMPARE(document.entries().size(), static_cast<size_t>(count));
}

QTEST_MAIN(TestLayerList)
#include "tst_layer_list.moc"

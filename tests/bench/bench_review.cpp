// SPDX-License-Identifier: GPL-3.0-or-later
// Benchmark of the source review, as a JSON array on standard output. A catalog of 100,000 rows
// over a map is sorted, filtered, scrolled and reviewed; the threshold moves, and stamps are made.
//
// Each action has the time until the list (or the histogram) is painted, by wall clock and in CPU
// time of the window's thread. A further figure is all following CPU time of that thread. CPU time
// does not depend on the load of the machine. Options: --nside N (2048), --rows N (100000), --beam
// ARCMIN (10).
#include <QAction>
#include <QApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableView>
#include <QTemporaryDir>
#include <cmath>
#include <random>

#include "armilla/session/source_review.h"
#include "armilla/ui/main_window.h"
#include "armilla/ui/theme.h"
#include "panels/data_panel.h"
#include "panels/tool_dock.h"
#include "panels/tool_rail.h"
#include "tools/candidate_list.h"
#include "tools/sources_panel.h"
#include "tools/stamp_strip.h"
#include "tools/threshold_histogram.h"
#include "window/window_panels.h"
#include "window_watch.h"

using namespace armilla;
using namespace armilla::bench;

namespace {

std::shared_ptr<const HealpixMap> noise(int64_t nside, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    Field field;
    field.name = "TEMPERATURE";
    field.unit = "uK";
    std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
    for (float& value : values) value = normal(random);
    field.values = std::move(values);
    return std::make_shared<const HealpixMap>(nside, Ordering::Ring, Frame::Galactic,
                                              std::vector<Field>{std::move(field)});
}

// Resembles the result of a search: names, positions, significances as a power law above 3.5, ten
// more columns.
std::shared_ptr<const Catalog> candidates(int64_t rows) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> even(0.0, 1.0);
    Catalog catalog;
    Table& table = catalog.table;
    table.frame = Frame::Galactic;
    const auto add = [&](const char* name, const char* unit, const auto& value) {
        TableColumn column;
        column.name = name;
        column.unit = unit;
        std::vector<double> values;
        for (int64_t row = 0; row < rows; ++row) values.push_back(value());
        column.values = std::move(values);
        table.columns.push_back(std::move(column));
    };
    add("GLON", "deg", [&] { return 360.0 * even(random); });
    add("GLAT", "deg", [&] { return std::asin(2.0 * even(random) - 1.0) / kDegree; });
    add("SNR", "", [&] { return 3.5 * std::pow(1.0 - even(random), -0.8); });
    for (const char* name : {"PEAK", "PEAK_ERR", "FLUX", "FLUX_ERR", "LOC_RMS", "POS_ERR",
                             "GAU_SEMI1", "GAU_SEMI2", "GAU_THETA", "CONTAM"})
        add(name, "", [&] { return even(random); });
    TableColumn name;
    name.name = "NAME";
    std::vector<std::string> names;
    for (int64_t row = 0; row < rows; ++row)
        names.push_back("G" + std::to_string(random() % 1000000) + "+" + std::to_string(row));
    name.values = std::move(names);
    table.columns.push_back(std::move(name));
    catalog.position = findPositions(table).value();
    return std::make_shared<const Catalog>(std::move(catalog));
}

class PaintWatch : public QObject {
public:
    explicit PaintWatch(QWidget* of) : of_(of) { of->installEventFilter(this); }
    ~PaintWatch() override { of_->removeEventFilter(this); }
    bool painted = false;
    bool eventFilter(QObject* watched, QEvent* event) override {
        painted = painted || event->type() == QEvent::Paint;
        return QObject::eventFilter(watched, event);
    }

private:
    QWidget* of_;
};

// Runs an action `runs` times; `seen` is the widget whose painting shows completion.
void measure(const char* name, qint64 nside, QWidget* seen, int runs,
             const std::function<void(int)>& act, Report& report) {
    report.enter(name);
    std::vector<double> wall, work, all;
    for (int run = 0; run < runs; ++run) {
        rest(120);
        PaintWatch watch(seen);
        const StopTime began = std::chrono::steady_clock::now();
        const double before = cpuSeconds(CLOCK_THREAD_CPUTIME_ID);
        act(run);
        // Work that a list triggers is painted in the same iteration of the event loop.
        waitFor([&] { return watch.painted; });
        work.push_back(cpuSeconds(CLOCK_THREAD_CPUTIME_ID) - before);
        wall.push_back(seconds(began, std::chrono::steady_clock::now()));
        rest(300);
        all.push_back(cpuSeconds(CLOCK_THREAD_CPUTIME_ID) - before);
    }
    QJsonObject made = row(name, nside, wall);
    made["work"] = QJsonObject{{"median", ranked(work, 1, 2)}, {"max", ranked(work, 1, 1)}};
    made["work_after"] = QJsonObject{{"median", ranked(all, 1, 2)}, {"max", ranked(all, 1, 1)}};
    report.add(made);
    std::fprintf(stderr, "%-26s wall %6.1f (%6.1f) ms, work %6.1f (%6.1f), all %6.1f (%6.1f)\n",
                 name, 1e3 * ranked(wall, 1, 2), 1e3 * ranked(wall, 1, 1), 1e3 * ranked(work, 1, 2),
                 1e3 * ranked(work, 1, 1), 1e3 * ranked(all, 1, 2), 1e3 * ranked(all, 1, 1));
}

// Adds the catalog as the result of a search of the map with this beam.
void addCandidates(MainWindow& window, int64_t rows, qint64 nside, double beam) {
    Document& document = window.session().document();
    const LayerId map = document.addLayer(noise(nside, 1), "map", {});
    document.addLayer(noise(nside, 2), "other", {});
    Recipe recipe;
    recipe.kind = RecipeKind::Operation;
    recipe.record = QJsonObject{
        {"operation", "sources"},
        {"version", 1},
        {"parameters", QJsonObject{{"fwhm", beam}}},
        {"inputs", QJsonArray{QJsonObject{
                       {"slot", "MAP"}, {"layer", map.number()}, {"fields", QJsonArray{0}}}}}};
    const LayerId found = document.addLayer(candidates(rows), "found", recipe, map);
    document.view().setShown({map, 0, Quantity::Field});
    for (ToolDock* dock : window.panels().rail()->tools())
        if (dock->content() == window.panels().sources()) window.panels().rail()->open(dock);
    window.session().review().setLayer(found);
    document.setActive(found);
    rest(500);
    waitFor([&] { return window.session().jobs().isIdle(); }, 4 * kPatience);
    rest(1000);
}

void measureList(MainWindow& window, qint64 nside, Report& report) {
    auto* list = window.panels().data()->findChild<CandidateList*>();
    SourceReview& review = window.session().review();
    QTableView* table = list->table();
    const int own = CandidateRows::DecisionColumns;
    const auto sort = [&](const char* column) {
        return [&review, table, own, column](int run) {
            table->horizontalHeader()->setSortIndicator(
                own + *review.catalog()->table.find(column),
                run % 2 == 0 ? Qt::AscendingOrder : Qt::DescendingOrder);
        };
    };
    measure("review.sort.number", nside, table->viewport(), 10, sort("PEAK"), report);
    measure("review.sort.text", nside, table->viewport(), 10, sort("NAME"), report);
    const QStringList filters{QStringLiteral("SNR > 7"), QString(), QStringLiteral("|GLAT| > 20"),
                              QStringLiteral("123"), QStringLiteral("SNR > 5 17")};
    measure(
        "review.filter", nside, table->viewport(), 10,
        [&](int run) { list->filterLine()->setText(filters[run % filters.size()]); }, report);
    list->filterLine()->clear();
    QScrollBar* bar = table->verticalScrollBar();
    measure(
        "review.scroll", nside, table->viewport(), 20,
        [&](int run) { bar->setValue(((run + 1) * 7919 * bar->pageStep()) % bar->maximum()); },
        report);
    measure(
        "review.select", nside, table->viewport(), 20,
        [&](int run) { review.setCurrent(review.rows()[static_cast<size_t>(run) * 997]); }, report);
    measure(
        "review.next", nside, table->viewport(), 20, [&](int) { review.step(1); }, report);
    measure(
        "review.accept", nside, table->viewport(), 20,
        [&](int) { review.judge(Verdict::Accepted); }, report);
}

int run(QApplication& application) {
    const auto valueOf = [&](const char* option, double otherwise) {
        const QStringList words = application.arguments();
        const auto at = words.indexOf(QLatin1String(option));
        return at > 0 && at + 1 < words.size() ? words[at + 1].toDouble() : otherwise;
    };
    const auto nside = static_cast<qint64>(valueOf("--nside", 2048));
    Report report;
    const auto end = endAfter(240, report);
    auto* window = new MainWindow;
    window->resize(1600, 1000);
    window->show();
    addCandidates(*window, static_cast<int64_t>(valueOf("--rows", 100000)), nside,
                  valueOf("--beam", 10.0) * kArcmin);
    measureList(*window, nside, report);
    SourceReview& review = window->session().review();
    measure(
        "review.threshold", nside, window->panels().sources()->histogram(), 40,
        [&](int i) { review.thresholds().set(i % 2 == 0 ? 3.5 + 0.1 * i : 30.0 - 0.5 * i); },
        report);
    review.thresholds().set(3.5);
    // Slider steps are close to each other.
    measure(
        "review.threshold.step", nside, window->panels().sources()->histogram(), 20,
        [&](int i) { review.thresholds().set(3.5 + 0.01 * (i + 1)); }, report);
    std::vector<double> stamps;
    for (int i = 0; i < 20; ++i) {
        review.step(37);
        rest(200);
        stamps.push_back(1e-3 * window->panels().sources()->stamps()->millisecondsEach());
    }
    report.add(row("review.stamp", nside, stamps));
    std::fprintf(stderr, "review.stamp: %.2f ms, at most %.2f\n", 1e3 * ranked(stamps, 1, 2),
                 1e3 * ranked(stamps, 1, 1));
    report.print();
    std::fflush(stderr);
    std::_Exit(0);  // skips questions about unsaved results
}

}  // namespace

int main(int argc, char** argv) {
    const QTemporaryDir folder;
    for (const char* place : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"})
        qputenv(place, folder.path().toLocal8Bit());
    QApplication application(argc, argv);
    applyTheme(application, ThemeKind::Dark);
    try {
        return run(application);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_review: %s\n", error.what());
        return 1;
    }
}

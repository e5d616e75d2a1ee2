// SPDX-License-Identifier: GPL-3.0-or-later
// Latencies of the window by wall clock, as a JSON array on standard output; run this on an idle
// machine. Rows that time out are left out, with a line on standard error. After --seconds the
// program ends with the finished rows and exit status 3. Live pictures also report each latency
// mark, on standard error as a table.
//
// Options:
// - --nside N (2048)
// - --only live: only the rows of the slider; --only device: also without those of the CPU
// - --only catalog: frames of a rotating sky with and without a catalog of a million rows, and
//   picks of its rows
// - --only told: updates besides the pictures during a drag on a device, in CPU time of the
//   window's thread
// - --only spectrum: the spectrum outside a mask, after changes of its settings
// - --lmax L (2 nside): of that spectrum
// - --widths A,B,...: FWHM in arcmin; --frames N (200) of each width
// - --drag FILE: a drag over all widths, with the time of each frame as CSV
// - --map masked: a fifth of the pixels are bad; --map polarized: T, Q and U are smoothed together,
//   and Q is shown
// - --draw gl, cuda or cpu: overrides the choice of the window
// - --panel still: the tool with the slider is not painted
// - --seconds N (240)
#include <QApplication>
#include <QCheckBox>
#include <QExposeEvent>
#include <QMouseEvent>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QSurfaceFormat>
#include <QTemporaryDir>
#include <QWindow>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <random>
#include <thread>
#include <utility>

#include "armilla/core/table.h"
#include "armilla/core/view_geometry.h"
#include "armilla/io/map_io.h"
#include "armilla/session/notices.h"
#include "armilla/ui/theme.h"
#include "view/picture.h"
#include "window/window_panels.h"
#include "window_hand.h"
#include "window_spectra.h"
#include "window_told.h"

using namespace armilla;
using namespace armilla::bench;

namespace {

constexpr int kLaterSteps = 15;

enum class Sky { Plain, Masked, Polarized };

HealpixMap noise(int64_t nside, Sky sky) {
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
    // More draws would take longer than the measured work.
    constexpr size_t kDrawn = size_t{1} << 26;
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = i < kDrawn ? normal(random) : values[i - kDrawn];
    const auto field = [](const char* name, std::vector<float> of) {
        return Field{name, "K_CMB", DiskType::Float32, std::move(of)};
    };
    std::vector<Field> fields;
    if (sky == Sky::Polarized)
        fields = {field("TEMPERATURE", values), field("Q_POLARISATION", values),
                  field("U_POLARISATION", values)};
    if (sky == Sky::Masked)  // around the equator
        std::fill(values.begin() + static_cast<std::ptrdiff_t>(values.size() / 5 * 2),
                  values.begin() + static_cast<std::ptrdiff_t>(values.size() / 5 * 3),
                  std::numeric_limits<float>::quiet_NaN());
    if (fields.empty()) fields.push_back(field("TEMPERATURE", std::move(values)));
    return {nside, Ordering::Ring, Frame::Galactic, std::move(fields)};
}

// Repaints of an idle window, and frames of its sky, in two seconds; both should be zero.
void measureRest(MainWindow& window, Report& report) {
    class Repaints : public QObject {
    public:
        int count = 0;
        bool eventFilter(QObject* watched, QEvent* event) override {
            count += event->type() == QEvent::UpdateRequest ? 1 : 0;
            return QObject::eventFilter(watched, event);
        }
    } repaints;
    window.installEventFilter(&repaints);
    int frames = 0;
    QObject::connect(window.skyView(), &SkyViewWidget::frameTimeChanged, &repaints,
                     [&] { ++frames; });
    if (auto* const canvas = canvasOf(window))
        QObject::connect(canvas, &GlCanvas::frameSwapped, &repaints, [&] { ++frames; });
    rest(2000);
    report.add({{"name", "window.rest"}, {"repaints", repaints.count}, {"frames", frames}});
}

// Cost of a frame on this display without drawing: a buffer swap of a cleared window of the sky's
// size, to the end of the device's work.
void measureDisplay(Report& report) {
    QWindow window;
    window.setSurfaceType(QSurface::OpenGLSurface);
    window.resize(1600, 900);
    window.show();
    QOpenGLContext context;
    if (!context.create()) return;
    waitFor([&] { return window.isExposed(); });
    std::vector<double> times;
    for (int i = 0; i < 60; ++i) {
        const StopTime began = std::chrono::steady_clock::now();
        if (!context.makeCurrent(&window)) return;
        context.functions()->glClearColor(0.01F * static_cast<float>(i), 0.0F, 0.0F, 1.0F);
        context.functions()->glClear(GL_COLOR_BUFFER_BIT);
        context.swapBuffers(&window);
        context.functions()->glFinish();
        context.doneCurrent();
        if (i >= 10) times.push_back(seconds(began, std::chrono::steady_clock::now()));
    }
    report.add(row("display.swap", 0, times));
}

// Repaints without a new picture of the sky: a panel, all widgets, and the sky alone.
void measureRepaints(MainWindow& window, Report& report) {
    // The panel's own painting, in CPU time of the window's thread.
    std::vector<double> paints;
    QImage image(window.panels().smooth()->size(), QImage::Format_ARGB32_Premultiplied);
    for (int i = 0; i < 30; ++i) {
        const double before = cpuSeconds(CLOCK_THREAD_CPUTIME_ID);
        window.panels().smooth()->render(&image);
        paints.push_back(cpuSeconds(CLOCK_THREAD_CPUTIME_ID) - before);
    }
    report.add(row("window.panel.paint", 0, paints));
    // Until the display has the picture; for the sky, until the swap.
    const auto measured = [&](const std::function<void()>& act) {
        std::vector<double> times;
        for (int i = 0; i < 40; ++i) {
            const StopTime began = std::chrono::steady_clock::now();
            act();
            if (i >= 10) times.push_back(seconds(began, std::chrono::steady_clock::now()));
            rest(5);
        }
        return times;
    };
    report.add(
        row("window.repaint.panel", 0, measured([&] { window.panels().smooth()->repaint(); })));
    report.add(row("window.repaint.all", 0, measured([&] { window.repaint(); })));
    if (auto* const canvas = canvasOf(window)) {
        const auto frame = [&] {
            bool swapped = false;
            const auto watch =
                QObject::connect(canvas, &GlCanvas::frameSwapped, canvas, [&] { swapped = true; });
            QCoreApplication::postEvent(canvas, new QExposeEvent(QRegion()));
            waitFor([&] { return swapped; });
            QObject::disconnect(watch);
        };
        report.add(row("window.repaint.sky", 0, measured(frame)));
    }
}

// A million rows, uniform over the sphere.
Catalog millionRows() {
    constexpr int64_t kRows = 1000000;
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> even(-1.0, 1.0);
    TableColumn lon, lat;
    lon.name = "GLON";
    lat.name = "GLAT";
    lon.unit = lat.unit = "deg";
    std::vector<double> lons, lats;
    for (int64_t i = 0; i < kRows; ++i) {
        lons.push_back(180.0 * (1.0 + even(random)));
        lats.push_back(std::asin(even(random)) / kDegree);
    }
    lon.values = std::move(lons);
    lat.values = std::move(lats);
    Catalog catalog;
    catalog.table.columns = {std::move(lon), std::move(lat)};
    catalog.position = positionsNamed(catalog.table, "GLON", "GLAT");
    catalog.position.frame = Frame::Galactic;
    return catalog;
}

// A rotating sky, alternately without and with a catalog, so that both meet the same machine load.
void measureMarkers(MainWindow& window, LayerId id, qint64 nside, Report& report) {
    constexpr int kRounds = 10, kFrames = 6;
    struct Strategy {
        const char* name;
        bool shows;
        std::vector<double> times = {};
    };
    std::vector<Strategy> strategies{{"window.catalog.frame.without", false},
                                     {"window.catalog.frame", true}};
    int frames = 0;
    const auto counting = QObject::connect(window.skyView(), &SkyViewWidget::frameTimeChanged,
                                           &window, [&] { ++frames; });
    Document& document = window.session().document();
    double turn = 0.0;
    for (int i = 0; i < kRounds; ++i)
        for (Strategy& strategy : strategies) {
            LayerStyle style = document.entry(id)->style;
            style.visible = strategy.shows;
            document.drawings().setStyle(id, style);
            rest(400);
            for (int k = 0; k < kFrames; ++k) {
                const int before = frames;
                document.view().setCamera(document.view().camera().centeredOn({turn += 0.01, 0.3}));
                waitFor([&] { return frames > before; });
                // The first frame of a movement is an outlier.
                if (k > 0) strategy.times.push_back(1e-3 * window.skyView()->frameTime());
            }
        }
    QObject::disconnect(counting);
    for (const Strategy& strategy : strategies)
        report.add(row(strategy.name, nside, strategy.times));
}

// Positions of markers in the view, logical pixels: about `count`, none near the edge.
std::vector<QPoint> placesOfMarkers(MainWindow& window, const Catalog& catalog, int count) {
    constexpr double kInner = 0.25;  // fraction of the view on either side of its center
    const int width = window.skyView()->width(), height = window.skyView()->height();
    const ViewGeometry view = geometryFor(withEdge(window.session().document().view().camera()),
                                          {width, height}, catalog.position.frame);
    const auto& columns = catalog.table.columns;
    const auto& lon =
        std::get<std::vector<double>>(columns[static_cast<size_t>(catalog.position.lon)].values);
    const auto& lat =
        std::get<std::vector<double>>(columns[static_cast<size_t>(catalog.position.lat)].values);
    std::vector<QPoint> places;
    for (size_t i = 0; i < lon.size() && static_cast<int>(places.size()) < count; ++i) {
        double column = 0.0, row = 0.0;
        const Vec3 at = direction({lon[i] * kDegree, lat[i] * kDegree});
        if (imageFromSky(view, at, column, row) && std::abs(column / width - 0.5) < kInner &&
            std::abs(row / height - 0.5) < kInner)
            places.emplace_back(static_cast<int>(column), static_cast<int>(row));
    }
    return places;
}

// Rows picked by a click.
void measurePicks(MainWindow& window, const Catalog& catalog, qint64 nside, Report& report) {
    constexpr int kPicks = 20;
    Document& document = window.session().document();
    // Close enough for separate markers.
    Camera near = document.view().camera();
    near.zoom = 60.0;
    document.view().setCamera(near);
    rest(1000);
    std::vector<double> picks;
    for (size_t i = 0; i < kPicks; ++i) {
        document.view().setSelection({});
        rest(200);
        // Recomputed each time, because a picked row opens a panel, which makes the view smaller.
        const std::vector<QPoint> places = placesOfMarkers(window, catalog, kPicks);
        if (places.size() <= i) break;
        const QPoint at = places[i];
        bool isPicked = false;
        const auto watch = QObject::connect(&document.view(), &DocumentView::selectionChanged,
                                            &window, [&] { isPicked = true; });
        const StopTime began = std::chrono::steady_clock::now();
        for (const QEvent::Type type :
             {QEvent::MouseMove, QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
            const bool isMove = type == QEvent::MouseMove;
            QMouseEvent event(type, at, window.skyView()->mapToGlobal(at),
                              isMove ? Qt::NoButton : Qt::LeftButton,
                              type == QEvent::MouseButtonPress ? Qt::LeftButton : Qt::NoButton, {});
            QApplication::sendEvent(window.skyView(), &event);
        }
        if (isPicked) picks.push_back(seconds(began, std::chrono::steady_clock::now()));
        QObject::disconnect(watch);
        rest(600);  // avoids a double click
    }
    if (picks.empty())
        std::fputs("bench_window: no marker was under the pointer\n", stderr);
    else
        report.add(row("window.catalog.pick", nside, picks));
}

void measureCatalog(MainWindow& window, qint64 nside, Report& report) {
    Document& document = window.session().document();
    const auto catalog = std::make_shared<const Catalog>(millionRows());
    const LayerId id = document.addLayer(catalog, "million", {});
    waitFor([&] { return !document.drawings().markerGroups(id).empty(); });
    measureMarkers(window, id, nside, report);
    LayerStyle style = document.entry(id)->style;
    style.visible = true;
    document.drawings().setStyle(id, style);
    measurePicks(window, *catalog, nside, report);
    document.removeLayer(id);
}

// Paint events of the sky view.
class PaintWatch : public QObject {
public:
    bool painted = false;
    bool eventFilter(QObject* watched, QEvent* event) override {
        painted = painted || event->type() == QEvent::Paint;
        return QObject::eventFilter(watched, event);
    }
};

struct Requests {
    qint64 nside = 2048;
    bool onlyLive = false, onlyDevice = false, onlyCatalog = false, onlyTold = false,
         onlySpectrum = false;
    Sky sky = Sky::Plain;
    QString drag, draw;
    bool stillPanel = false;
    int seconds = 240, frames = 200, lmax = 0;
    // FWHM in arcmin: the full range of the slider.
    std::vector<double> widths{1.0, 2.0, 5.0, 10.0, 20.0, 60.0, 180.0, 300.0, 1200.0, 3600.0};
};

void measurePreviews(WindowBench& bench, MainWindow& window, qint64 nside, Report& report) {
    report.enter("the first preview");
    // A user needs a second to move from the picture to the slider; meanwhile the spectrum is
    // computed.
    rest(1000);
    const auto first = bench.smoothedTo(1.0 * kDegree);
    report.add(row("window.first_preview.map", nside, {first.map}));
    report.add(row("window.first_preview.drawable", nside, {first.drawable}));
    report.add(row("window.first_preview", nside, {first.picture}));
    report.enter("later previews");
    std::vector<double> maps, drawables, pictures;
    for (int i = 1; i <= kLaterSteps; ++i) {
        bench.waitUntilIdle();
        rest(300);  // until the last frame is drawn
        const auto later = bench.smoothedTo((1.0 + 0.1 * i) * kDegree);
        maps.push_back(later.map);
        drawables.push_back(later.drawable);
        pictures.push_back(later.picture);
    }
    report.add(row("window.later_preview.map", nside, maps));
    report.add(row("window.later_preview.drawable", nside, drawables));
    report.add(row("window.later_preview", nside, pictures));
    // The next movement starts before the picture is refined.
    std::vector<double> onward;
    for (int i = 1; i <= kLaterSteps; ++i) {
        rest(150);
        if (!window.session().jobs().isIdle())
            onward.push_back(bench.smoothedTo((2.5 - 0.1 * i) * kDegree).picture);
    }
    if (!onward.empty()) report.add(row("window.preview_while_refining", nside, onward));
    bench.waitUntilIdle();
}

void measure(MainWindow& window, const Requests& requests, const QString& folder, Report& report) {
    const qint64 nside = requests.nside;
    const auto leavingOut = [&](const char* stage, const std::function<void()>& act) {
        report.enter(stage);
        try {
            act();
        } catch (const OutOfPatience& error) {
            std::fprintf(stderr, "bench_window: %s left out: %s\n", stage, error.what());
        }
    };
    QObject::connect(
        &window.session().notices(), &Notices::messageRaised, &window,
        [](const QString& line) { std::fprintf(stderr, "bench_window: %s\n", qPrintable(line)); });
    PaintWatch watch;
    window.installEventFilter(&watch);
    window.resize(1600, 1000);
    for (const auto& [name, choice] :
         {std::pair("gl", DrawChoice::OpenGl), std::pair("cuda", DrawChoice::Cuda),
          std::pair("cpu", DrawChoice::Cpu)})
        if (requests.draw == QLatin1String(name)) window.skyView()->setDrawChoice(choice);
    window.show();
    waitFor([&] { return watch.painted; });
    report.add(row("window.start", 0, {processSeconds()}));
    report.enter("the opening of a map");
    const QString path = folder + QStringLiteral("/map.fits");
    {
        JobContext job;
        writeMap(noise(nside, requests.sky), path.toStdString(), {}, job);
    }
    WindowBench bench(window);
    Document& document = window.session().document();
    report.add(row(
        "window.open", nside,
        {bench.untilPicture([&] { window.openFiles({path}); }, [&] { return bench.isDrawn(); })}));
    if (requests.onlyCatalog)
        return leavingOut("a catalog", [&] {
            bench.waitUntilIdle();
            measureCatalog(window, nside, report);
        });
    if (requests.onlyTold)
        return leavingOut("what a drag tells", [&] {
            bench.waitUntilIdle();
            ToldBench(window, bench).measure(nside, report);
        });
    if (requests.onlySpectrum)
        return leavingOut("a spectrum", [&] {
            bench.waitUntilIdle();
            const int lmax = requests.lmax > 0 ? requests.lmax : static_cast<int>(2 * nside);
            SpectraBench(window).measure(nside, lmax, kLaterSteps, report);
        });
    if (requests.sky == Sky::Polarized) {
        document.view().setShown({document.view().shown().entry, 1});
        window.panels().smooth()->findChild<QCheckBox*>(QStringLiteral("polarization"))->click();
    }
    leavingOut("repaints", [&] {
        rest(500);
        measureDisplay(report);
        measureRepaints(window, report);
    });
    if (!requests.onlyLive)
        leavingOut("previews", [&] { measurePreviews(bench, window, nside, report); });
    LiveBench live(window, bench,
                   requests.sky == Sky::Masked      ? ".masked"
                   : requests.sky == Sky::Polarized ? ".polarized"
                                                    : "",
                   requests.widths);
    if (requests.stillPanel) window.panels().smooth()->setUpdatesEnabled(false);
    bool onDevice = false;
    leavingOut("live pictures on the device", [&] {
        onDevice = live.isPossible();
        if (!onDevice)
            std::fputs("bench_window: no live picture on the device that draws\n", stderr);
        else
            live.onDevice(nside, requests.frames, report);
    });
    if (!requests.drag.isEmpty()) leavingOut("a drag", [&] { live.drag(requests.drag, onDevice); });
    const auto atRest = [&] {
        leavingOut("a window at rest", [&] {
            rest(500);  // the host's copy of a live map begins
            bench.waitUntilIdle();
            rest(1000);
            measureRest(window, report);
        });
    };
    if (requests.onlyDevice) return atRest();
    leavingOut("live pictures on the CPU", [&] {
        bench.waitUntilIdle();
        window.session().setDevice(Device::cpu());
        live.onCpu(nside, report);
    });
    atRest();
    if (requests.onlyLive) return;
    leavingOut("a window that smooths", [&] {
        bench.waitUntilIdle();
        report.add(row("window.longest_wait", nside, {bench.longestWait()}));
    });
}

Requests requestsOf(const QStringList& arguments) {
    Requests requests;
    const auto valueOf = [&](const char* name) {
        const qsizetype at = arguments.indexOf(QLatin1String(name));
        return at > 0 ? arguments.value(at + 1) : QString();
    };
    if (const QString nside = valueOf("--nside"); !nside.isEmpty())
        requests.nside = nside.toLongLong();
    if (const QString seconds = valueOf("--seconds"); !seconds.isEmpty())
        requests.seconds = seconds.toInt();
    if (const QString frames = valueOf("--frames"); !frames.isEmpty())
        requests.frames = std::max(1, frames.toInt());
    if (const QString widths = valueOf("--widths"); !widths.isEmpty()) {
        requests.widths.clear();
        for (const QString& width : widths.split(QLatin1Char(',')))
            requests.widths.push_back(width.toDouble());
    }
    requests.onlyDevice = valueOf("--only") == QLatin1String("device");
    requests.onlyLive = requests.onlyDevice || valueOf("--only") == QLatin1String("live");
    requests.onlyCatalog = valueOf("--only") == QLatin1String("catalog");
    requests.onlyTold = valueOf("--only") == QLatin1String("told");
    requests.onlySpectrum = valueOf("--only") == QLatin1String("spectrum");
    requests.lmax = valueOf("--lmax").toInt();
    requests.drag = valueOf("--drag");
    requests.stillPanel = valueOf("--panel") == QLatin1String("still");
    requests.draw = valueOf("--draw");
    if (const QString sky = valueOf("--map"); sky == QLatin1String("masked"))
        requests.sky = Sky::Masked;
    else if (sky == QLatin1String("polarized"))
        requests.sky = Sky::Polarized;
    return requests;
}

}  // namespace

int main(int argc, char** argv) {
    // Isolated settings and sessions.
    const QTemporaryDir folder;
    for (const char* variable : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"})
        qputenv(variable, folder.path().toLocal8Bit());
    // Frames are not limited by the screen's refresh rate, so that the program is measured.
    QSurfaceFormat format = QSurfaceFormat::defaultFormat();
    format.setSwapInterval(0);
    QSurfaceFormat::setDefaultFormat(format);
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("armilla"));
    QCoreApplication::setApplicationName(QStringLiteral("armilla"));
    const Requests requests = requestsOf(QCoreApplication::arguments());
    Report report;
    const std::jthread end = endAfter(requests.seconds, report);
    applyTheme(application, ThemeKind::Dark);
    try {
        auto* window = new MainWindow;
        measure(*window, requests, folder.path(), report);
        report.print();
        report.enter("the end of the window");
        delete window;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_window: %s: %s\n", report.stage().c_str(), error.what());
        report.print();
        return 1;
    }
    return 0;
}

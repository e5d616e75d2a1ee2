// SPDX-License-Identifier: GPL-3.0-or-later
// What a person at the window waits for, by the wall clock, as a JSON array on standard output: run
// it on a quiet machine. Rows that do not come in time are left out, with a line on standard error;
// the whole ends after --seconds at the latest, with the rows there are and exit status 3.
// Options: --nside N (2048); --only live: no rows but those of the slider, --only device: nor those
// of the CPU; --frames N (200) of each width; --drag FILE: a hand's drag over all widths, each
// frame's time as CSV; --map masked: a fifth of its pixels are bad; --map polarized: T, Q and U are
// smoothed together, and Q is shown; --draw gl, cuda or cpu, rather than what the window chooses;
// --panel still: the tool at the slider is not painted; --seconds N (240). Rows of live pictures
// tell each stop of the way, on standard error as a table, too.
#include <QApplication>
#include <QCheckBox>
#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QExposeEvent>
#include <QJsonObject>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QSurfaceFormat>
#include <QTemporaryDir>
#include <QTimer>
#include <QWindow>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <random>
#include <thread>
#include <utility>

#include "io/map_io.h"
#include "panels/smooth_panel.h"
#include "src/view/gl_canvas.h"
#include "ui/main_window.h"
#include "ui/sky_view_widget.h"
#include "ui/theme.h"
#include "window_watch.h"

using namespace armilla;
using namespace armilla::bench;

namespace {

constexpr int kLaterSteps = 15;
constexpr double kWidths[] = {1.0, 2.0, 5.0, 10.0, 20.0, 60.0, 180.0, 300.0, 1200.0, 3600.0};

enum class Sky { Plain, Masked, Polarized };

HealpixMap noise(int64_t nside, Sky sky) {
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
    // More than this would take longer than what is measured.
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

// The window in the window that OpenGL draws in; null: the CPU draws.
GlCanvas* canvasOf(const MainWindow& window) {
    for (QWindow* child : window.windowHandle()->findChildren<QWindow*>())
        if (auto* canvas = qobject_cast<GlCanvas*>(child)) return canvas;
    return nullptr;
}

class WindowBench {
public:
    explicit WindowBench(MainWindow& window)
        : window_(window), document_(window.session().document()) {
        QObject::connect(window.skyView(), &SkyViewWidget::frameTimeChanged, &window,
                         [this] { ++frames_; });
    }
    // From the call of `act` to the first frame behind the moment at which `ready` holds. That is
    // asked at each change of the document, before the frame it leads to: seen later, the frame
    // might be over, and at rest there is no other.
    double untilPicture(const std::function<void()>& act, const std::function<bool()>& ready) {
        int before = -1;
        const auto look = [&] {
            if (before < 0 && ready()) before = frames_;
        };
        QObject watcher;
        QObject::connect(&document_, &Document::entriesChanged, &watcher, look);
        QObject::connect(&document_, &Document::drawableChanged, &watcher, look);
        QElapsedTimer timer;
        timer.start();
        double seconds = 0.0;
        QObject::connect(window_.skyView(), &SkyViewWidget::frameTimeChanged, &watcher, [&] {
            if (before >= 0 && seconds == 0.0)
                seconds = 1e-9 * static_cast<double>(timer.nsecsElapsed());
        });
        act();
        waitFor([&] { return seconds > 0.0; });
        return seconds;
    }
    bool isDrawn() const {
        const Layer* entry = document_.entry(document_.shown().entry);
        const auto drawn = document_.drawable(document_.shown());
        return entry && drawn && drawn->revision == entry->revision;
    }
    // Also to the live map, and to what is drawn of it.
    struct Preview {
        double map = 0.0, drawable = 0.0, picture = 0.0;
    };
    Preview smoothedTo(double fwhm) {
        Preview preview;
        QElapsedTimer timer;
        const auto seconds = [&] { return 1e-9 * static_cast<double>(timer.nsecsElapsed()); };
        const auto come = QObject::connect(&document_, &Document::entriesChanged, [&] {
            if (preview.map == 0.0 && isLive(fwhm)) preview.map = seconds();
        });
        const auto drawn = QObject::connect(&document_, &Document::drawableChanged, [&] {
            if (preview.drawable == 0.0 && isLive(fwhm) && isDrawn()) preview.drawable = seconds();
        });
        timer.start();
        preview.picture = untilPicture([&] { window_.smoothPanel()->setFwhm(fwhm); },
                                       [&] { return isLive(fwhm) && isDrawn(); });
        QObject::disconnect(come);
        QObject::disconnect(drawn);
        return preview;
    }
    bool isLive(double fwhm) const {
        const Layer* live = document_.live();
        return live && live->recipe.smooth.fwhm == fwhm;
    }
    void waitUntilIdle() {
        // A full smoothing may be under way.
        waitFor([&] { return window_.session().jobs().isIdle(); }, 4 * kPatience);
    }
    // The longest time between two pulses of the event loop while the full map is smoothed.
    double longestWait() {
        const Pulse pulse;
        window_.smoothPanel()->setFwhm(0.5 * kDegree);
        window_.session().keepSmooth();
        waitUntilIdle();
        return pulse.longest();
    }

private:
    MainWindow& window_;
    Document& document_;
    int frames_ = 0;
};

// From the slider to the fence of the frame that shows it, at widths all over the slider, each a
// little different from the last so that every one is computed.
class LiveBench {
public:
    // `suffix`: of the names of rows.
    LiveBench(MainWindow& window, WindowBench& bench, std::string suffix)
        : window_(window), bench_(bench), suffix_(std::move(suffix)) {
        QObject::connect(&window.session(), &Session::livePresented, &window,
                         [this] { ++presented_; });
        if (const auto* canvas = canvasOf(window))
            QObject::connect(canvas, &GlCanvas::frameSwapped, &window, [this] { ++swaps_; });
    }
    // Whether pictures stay on a device that also draws. The plan is warm then.
    bool isPossible() {
        // The plan of a large map takes long.
        const bool couldBe = window_.skyView()->pathName().startsWith(QLatin1String("CUDA"));
        try {
            ask(1.0 * kDegree, couldBe ? kPlanPatience : kFramePatience);
        } catch (const OutOfPatience&) {
            return false;
        }
        return true;
    }
    void onDevice(qint64 nside, int frames, Report& report) {
        for (const double arcmin : kWidths) {
            std::vector<Asked> asked;
            try {
                for (int i = 0; i < kWarm; ++i) ask(widthOf(arcmin, i));
                const Pulse pulse;
                for (int i = kWarm; i < kWarm + frames; ++i)
                    asked.push_back(ask(widthOf(arcmin, i)));
                std::vector<double> seconds;
                for (const Asked& one : asked) seconds.push_back(one.seconds);
                QJsonObject made = liveRow(("window.live.device" + suffix_).c_str(), nside, arcmin,
                                           seconds, pulse);
                made["stops"] = stopsOf(asked, arcmin);
                report.add(made);
                bench_.waitUntilIdle();
            } catch (const OutOfPatience& error) {
                std::fprintf(stderr, "bench_window: %.3g arcmin left out after %zu frames: %s\n",
                             arcmin, asked.size(), error.what());
            }
        }
    }
    // On the CPU, to the first picture of a width; what was refined before is stopped.
    void onCpu(qint64 nside, Report& report) {
        constexpr int kAsks = 6;
        for (const double arcmin : kWidths) {
            std::vector<double> seconds, work;
            try {
                const Pulse pulse;
                for (int i = 0; i < kAsks; ++i) {
                    const double before = cpuSeconds(CLOCK_PROCESS_CPUTIME_ID);
                    seconds.push_back(bench_.smoothedTo(widthOf(arcmin, 10 * i)).picture);
                    work.push_back(cpuSeconds(CLOCK_PROCESS_CPUTIME_ID) - before);
                    rest(100);
                }
                QJsonObject made =
                    liveRow(("window.live.cpu" + suffix_).c_str(), nside, arcmin, seconds, pulse);
                // Of all threads until the picture is there: half of it where two cores are free.
                made["cpu_seconds"] = ranked(work, 1, 2);
                report.add(made);
            } catch (const OutOfPatience& error) {
                std::fprintf(stderr, "bench_window: %.3g arcmin left out after %zu pictures: %s\n",
                             arcmin, seconds.size(), error.what());
            }
        }
    }
    // A hand that goes from 60 degrees to 1 arcmin and back, a step at each 4 ms; of each frame
    // when it was there, the width asked for last, and how long it took from the slider (on a
    // device) or to be drawn.
    void drag(const QString& file, bool onDevice) {
        constexpr double kSeconds = 8.0;
        std::FILE* const out = std::fopen(file.toLocal8Bit().constData(), "w");
        if (!out) throw std::runtime_error("expected to write " + file.toStdString());
        std::fputs("time_ms,fwhm_arcmin,frame_ms\n", out);
        QElapsedTimer timer;
        double arcmin = 3600.0;
        const auto note = [&](double milliseconds) {
            std::fprintf(out, "%.3f,%.6g,%.3f\n", 1e-6 * static_cast<double>(timer.nsecsElapsed()),
                         arcmin, milliseconds);
        };
        QObject watcher;
        if (onDevice)
            QObject::connect(&window_.session(), &Session::livePresented, &watcher, note);
        else
            QObject::connect(window_.skyView(), &SkyViewWidget::frameTimeChanged, &watcher, note);
        QTimer hand;
        hand.setTimerType(Qt::PreciseTimer);
        QObject::connect(&hand, &QTimer::timeout, &watcher, [&] {
            const double at = 1e-9 * static_cast<double>(timer.nsecsElapsed()) / kSeconds;
            arcmin = 3600.0 * std::pow(3600.0, -(1.0 - std::abs(2.0 * std::min(at, 1.0) - 1.0)));
            window_.smoothPanel()->setFwhm(arcmin * kArcmin);
        });
        timer.start();
        hand.start(4);
        rest(static_cast<int>(1000 * kSeconds));
        hand.stop();
        rest(500);
        std::fclose(out);
    }

private:
    static constexpr int kWarm = 10, kFramePatience = 5000, kPlanPatience = 90000;
    static double widthOf(double arcmin, int i) {
        const double share = arcmin < 3000.0 ? 1.0 + 1e-4 * (i + 1) : 1.0 - 1e-4 * (i + 1);
        return arcmin * share * kArcmin;
    }
    static QJsonObject liveRow(const char* name, qint64 nside, double arcmin,
                               const std::vector<double>& seconds, const Pulse& pulse) {
        QJsonObject made = row(name, nside, seconds);
        made["fwhm_arcmin"] = arcmin;
        made["p99"] = ranked(seconds, 99, 100);
        made["longest_wait"] = pulse.longest();
        made["longest_work"] = pulse.longestWork();
        return made;
    }
    // OutOfPatience where no live picture comes.
    Asked ask(double fwhm, int patience = kFramePatience) {
        const int before = presented_, swapsBefore = swaps_;
        Asked asked;
        StopTime last = std::chrono::steady_clock::now();
        const StopTime began = last;
        QObject watcher;
        QObject::connect(&window_.session(), &Session::livePresented, &watcher, [&] {
            const LiveStops& stops = window_.session().liveStops();
            for (size_t i = 0; i < std::size(kLegs); ++i) {
                const StopTime to =
                    kLegs[i].to ? stops.*kLegs[i].to : stops.frame.*kLegs[i].toOfFrame;
                asked.legs[i] = seconds(std::exchange(last, to), to);
            }
            asked.seconds = seconds(began, last);
            asked.swaps = swaps_ - swapsBefore;
        });
        window_.smoothPanel()->setFwhm(fwhm);
        waitFor([&] { return presented_ > before; }, patience);
        return asked;
    }
    MainWindow& window_;
    WindowBench& bench_;
    std::string suffix_;
    int presented_ = 0, swaps_ = 0;
};

// Repaints of a window that nobody touches, in two seconds: there should be none.
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
    rest(2000);
    report.add({{"name", "window.rest"}, {"repaints", repaints.count}});
}

// What every frame costs on this display, whoever draws: a swap of a window of the sky's size that
// is cleared and nothing else, to the end of the device's work.
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

// Repaints without a new picture of the sky: of a panel, of all widgets, and of the sky alone.
void measureRepaints(MainWindow& window, Report& report) {
    // The panel's own painting, in work of the window's thread.
    std::vector<double> paints;
    QImage image(window.smoothPanel()->size(), QImage::Format_ARGB32_Premultiplied);
    for (int i = 0; i < 30; ++i) {
        const double before = cpuSeconds(CLOCK_THREAD_CPUTIME_ID);
        window.smoothPanel()->render(&image);
        paints.push_back(cpuSeconds(CLOCK_THREAD_CPUTIME_ID) - before);
    }
    report.add(row("window.panel.paint", 0, paints));
    // Until it is with the display; then, of the sky, until it is swapped.
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
    report.add(row("window.repaint.panel", 0, measured([&] { window.smoothPanel()->repaint(); })));
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

// Paint events of the sky view.
class PaintWatch : public QObject {
public:
    bool painted = false;
    bool eventFilter(QObject* watched, QEvent* event) override {
        painted = painted || event->type() == QEvent::Paint;
        return QObject::eventFilter(watched, event);
    }
};

struct Wishes {
    qint64 nside = 2048;
    bool onlyLive = false, onlyDevice = false;
    Sky sky = Sky::Plain;
    QString drag, draw;
    bool stillPanel = false;
    int seconds = 240, frames = 200;
};

void measurePreviews(WindowBench& bench, MainWindow& window, qint64 nside, Report& report) {
    report.enter("the first preview");
    // A hand needs a second from the picture to the slider. The spectrum is being computed then.
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
    // The hand goes on before the picture is refined.
    std::vector<double> onward;
    for (int i = 1; i <= kLaterSteps; ++i) {
        rest(150);
        if (!window.session().jobs().isIdle())
            onward.push_back(bench.smoothedTo((2.5 - 0.1 * i) * kDegree).picture);
    }
    if (!onward.empty()) report.add(row("window.preview_while_refining", nside, onward));
    bench.waitUntilIdle();
}

void measure(MainWindow& window, const Wishes& wishes, const QString& folder, Report& report) {
    const qint64 nside = wishes.nside;
    const auto leavingOut = [&](const char* stage, const std::function<void()>& act) {
        report.enter(stage);
        try {
            act();
        } catch (const OutOfPatience& error) {
            std::fprintf(stderr, "bench_window: %s left out: %s\n", stage, error.what());
        }
    };
    QObject::connect(&window.session(), &Session::messageRaised, &window, [](const QString& line) {
        std::fprintf(stderr, "bench_window: %s\n", qPrintable(line));
    });
    PaintWatch watch;
    window.installEventFilter(&watch);
    window.resize(1600, 1000);
    for (const auto& [name, choice] :
         {std::pair("gl", DrawChoice::OpenGl), std::pair("cuda", DrawChoice::Cuda),
          std::pair("cpu", DrawChoice::Cpu)})
        if (wishes.draw == QLatin1String(name)) window.skyView()->setDrawChoice(choice);
    window.show();
    waitFor([&] { return watch.painted; });
    report.add(row("window.start", 0, {processSeconds()}));
    report.enter("the opening of a map");
    const QString path = folder + QStringLiteral("/map.fits");
    {
        JobContext job;
        writeMap(noise(nside, wishes.sky), path.toStdString(), {}, job);
    }
    WindowBench bench(window);
    Document& document = window.session().document();
    report.add(row(
        "window.open", nside,
        {bench.untilPicture([&] { window.openFiles({path}); }, [&] { return bench.isDrawn(); })}));
    if (wishes.sky == Sky::Polarized) {
        document.setShown({document.shown().entry, 1});
        window.smoothPanel()->findChild<QCheckBox*>(QStringLiteral("polarization"))->click();
    }
    leavingOut("repaints", [&] {
        rest(500);
        measureDisplay(report);
        measureRepaints(window, report);
    });
    if (!wishes.onlyLive)
        leavingOut("previews", [&] { measurePreviews(bench, window, nside, report); });
    LiveBench live(window, bench,
                   wishes.sky == Sky::Masked      ? ".masked"
                   : wishes.sky == Sky::Polarized ? ".polarized"
                                                  : "");
    if (wishes.stillPanel) window.smoothPanel()->setUpdatesEnabled(false);
    bool onDevice = false;
    leavingOut("live pictures on the device", [&] {
        onDevice = live.isPossible();
        if (!onDevice)
            std::fputs("bench_window: no live picture on the device that draws\n", stderr);
        else
            live.onDevice(nside, wishes.frames, report);
    });
    if (!wishes.drag.isEmpty()) leavingOut("a drag", [&] { live.drag(wishes.drag, onDevice); });
    if (wishes.onlyDevice) return;
    leavingOut("live pictures on the CPU", [&] {
        bench.waitUntilIdle();
        window.session().setDevice(Device::cpu());
        live.onCpu(nside, report);
    });
    leavingOut("a window at rest", [&] {
        bench.waitUntilIdle();
        rest(1000);
        measureRest(window, report);
    });
    if (wishes.onlyLive) return;
    leavingOut("a window that smooths", [&] {
        bench.waitUntilIdle();
        report.add(row("window.longest_wait", nside, {bench.longestWait()}));
    });
}

Wishes wishesOf(const QStringList& arguments) {
    Wishes wishes;
    const auto valueOf = [&](const char* name) {
        const qsizetype at = arguments.indexOf(QLatin1String(name));
        return at > 0 ? arguments.value(at + 1) : QString();
    };
    if (const QString nside = valueOf("--nside"); !nside.isEmpty())
        wishes.nside = nside.toLongLong();
    if (const QString seconds = valueOf("--seconds"); !seconds.isEmpty())
        wishes.seconds = seconds.toInt();
    if (const QString frames = valueOf("--frames"); !frames.isEmpty())
        wishes.frames = std::max(1, frames.toInt());
    wishes.onlyDevice = valueOf("--only") == QLatin1String("device");
    wishes.onlyLive = wishes.onlyDevice || valueOf("--only") == QLatin1String("live");
    wishes.drag = valueOf("--drag");
    wishes.stillPanel = valueOf("--panel") == QLatin1String("still");
    wishes.draw = valueOf("--draw");
    if (const QString sky = valueOf("--map"); sky == QLatin1String("masked"))
        wishes.sky = Sky::Masked;
    else if (sky == QLatin1String("polarized"))
        wishes.sky = Sky::Polarized;
    return wishes;
}

}  // namespace

int main(int argc, char** argv) {
    // Settings and sessions of its own.
    const QTemporaryDir folder;
    for (const char* variable : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"})
        qputenv(variable, folder.path().toLocal8Bit());
    // Frames as fast as they come: what is measured is the program, not the screen's beat.
    QSurfaceFormat format = QSurfaceFormat::defaultFormat();
    format.setSwapInterval(0);
    QSurfaceFormat::setDefaultFormat(format);
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("armilla"));
    QCoreApplication::setApplicationName(QStringLiteral("armilla"));
    const Wishes wishes = wishesOf(QCoreApplication::arguments());
    Report report;
    const std::jthread end = endAfter(wishes.seconds, report);
    applyTheme(application, ThemeKind::Dark);
    try {
        auto* window = new MainWindow;
        measure(*window, wishes, folder.path(), report);
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

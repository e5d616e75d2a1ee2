// SPDX-License-Identifier: GPL-3.0-or-later
// What a person at the window waits for, by the wall clock, as a JSON array on standard output: run
// it on a quiet machine. Option: --nside N (2048).
#include <QApplication>
#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSurfaceFormat>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>

#include "io/map_io.h"
#include "panels/smooth_panel.h"
#include "ui/main_window.h"
#include "ui/sky_view_widget.h"
#include "ui/theme.h"

#include <unistd.h>

using namespace armilla;

namespace {

constexpr int kPatience = 300000;  // milliseconds
constexpr int kLaterSteps = 15;

// Since this process was started, to a hundredth of a second: field 22 of /proc/self/stat.
double processSeconds() {
    std::ifstream file("/proc/self/stat");
    std::string line;
    std::getline(file, line);
    std::istringstream fields(line.substr(line.rfind(')') + 2));
    std::string word;
    for (int i = 3; i <= 22; ++i) fields >> word;
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) -
           std::stod(word) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

HealpixMap noise(int64_t nside) {
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
    for (float& value : values) value = normal(random);
    return {nside,
            Ordering::Ring,
            Frame::Galactic,
            {{"TEMPERATURE", "K_CMB", DiskType::Float32, std::move(values)}}};
}

QJsonObject row(const char* name, qint64 nside, std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    return {{"name", name},
            {"nside", nside},
            {"seconds", QJsonObject{{"median", seconds[seconds.size() / 2]},
                                    {"min", seconds.front()},
                                    {"max", seconds.back()},
                                    {"runs", static_cast<int>(seconds.size())}}}};
}

// In an event loop like that of the program; QTest::qWaitFor sleeps 10 ms between its turns.
void waitFor(const std::function<bool()>& done) {
    QTimer tick;  // for what comes without an event
    tick.start(5);
    const QDeadlineTimer patience(kPatience);
    while (!done()) {
        if (patience.hasExpired())
            throw std::runtime_error(
                "expected the window to get there, found it waiting after minutes");
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
}

void rest(int milliseconds) {
    const QDeadlineTimer end(milliseconds);
    waitFor([&] { return end.hasExpired(); });
}

class WindowBench {
public:
    explicit WindowBench(MainWindow& window)
        : window_(window), document_(window.session().document()) {
        QObject::connect(window.skyView(), &SkyViewWidget::frameTimeChanged, &window,
                         [this] { ++frames_; });
    }
    // From the call of `act` to the first frame behind the moment at which `ready` holds.
    double untilPicture(const std::function<void()>& act, const std::function<bool()>& ready) {
        QElapsedTimer timer;
        timer.start();
        act();
        int before = -1;
        waitFor([&] {
            if (before < 0 && ready()) before = frames_;
            return before >= 0 && frames_ > before;
        });
        return 1e-9 * static_cast<double>(timer.nsecsElapsed());
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
        waitFor([&] { return window_.session().jobs().isIdle(); });
    }
    // The longest time between two pulses of the event loop while the full map is smoothed.
    double longestWait() {
        QElapsedTimer since;
        double longest = 0.0;
        QTimer pulse;
        pulse.setTimerType(Qt::PreciseTimer);
        QObject::connect(&pulse, &QTimer::timeout, &window_, [&] {
            longest = std::max(longest, 1e-9 * static_cast<double>(since.nsecsElapsed()));
            since.start();
        });
        window_.smoothPanel()->setFwhm(0.5 * kDegree);
        window_.session().keepSmooth();
        since.start();
        pulse.start(1);
        waitUntilIdle();
        return longest;
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
    LiveBench(MainWindow& window, WindowBench& bench) : window_(window), bench_(bench) {
        QObject::connect(&window.session(), &Session::livePresented, &window,
                         [this] { ++presented_; });
    }
    bool isPossible() {
        ask(1.0 * kDegree);
        return presented_ > 0;
    }
    // Frames that come within this say that the plan is warm.
    QJsonArray rows(qint64 nside) {
        QJsonArray rows;
        for (const double arcmin : {1.0, 5.0, 10.0, 20.0, 60.0, 300.0, 1200.0, 3600.0}) {
            std::vector<double> seconds;
            for (int i = 0; i < kWarm; ++i) ask(widthOf(arcmin, i));
            for (int i = 0; i < kFrames; ++i) seconds.push_back(ask(widthOf(arcmin, i)));
            QJsonObject made = row("window.live.device", nside, seconds);
            std::sort(seconds.begin(), seconds.end());
            made["fwhm_arcmin"] = arcmin;
            made["p99"] = seconds[(seconds.size() * 99) / 100];
            rows << made;
            bench_.waitUntilIdle();
        }
        return rows;
    }

private:
    static constexpr int kWarm = 10, kFrames = 200;
    static double widthOf(double arcmin, int i) {
        const double share = arcmin < 3000.0 ? 1.0 + 1e-4 * i : 1.0 - 1e-4 * i;
        return arcmin * share * kArcmin;
    }
    // Seconds; counts nothing where no live picture comes.
    double ask(double fwhm) {
        const int before = presented_;
        QElapsedTimer timer;
        timer.start();
        window_.smoothPanel()->setFwhm(fwhm);
        const QDeadlineTimer patience(5000);
        waitFor([&] { return presented_ > before || patience.hasExpired(); });
        return 1e-9 * static_cast<double>(timer.nsecsElapsed());
    }
    MainWindow& window_;
    WindowBench& bench_;
    int presented_ = 0;
};

// Paint events of the sky view.
class PaintWatch : public QObject {
public:
    bool painted = false;
    bool eventFilter(QObject* watched, QEvent* event) override {
        painted = painted || event->type() == QEvent::Paint;
        return QObject::eventFilter(watched, event);
    }
};

QJsonArray measure(MainWindow& window, qint64 nside, const QString& folder) {
    QJsonArray rows;
    PaintWatch watch;
    window.installEventFilter(&watch);
    window.resize(1600, 1000);
    window.show();
    waitFor([&] { return watch.painted; });
    rows << row("window.start", 0, {processSeconds()});

    const QString path = folder + QStringLiteral("/map.fits");
    {
        JobContext job;
        writeMap(noise(nside), path.toStdString(), {}, job);
    }
    WindowBench bench(window);
    rows << row(
        "window.open", nside,
        {bench.untilPicture([&] { window.openFiles({path}); }, [&] { return bench.isDrawn(); })});
    // A hand needs a second from the picture to the slider. The spectrum is being computed then.
    rest(1000);
    const auto first = bench.smoothedTo(1.0 * kDegree);
    rows << row("window.first_preview.map", nside, {first.map})
         << row("window.first_preview.drawable", nside, {first.drawable})
         << row("window.first_preview", nside, {first.picture});
    std::vector<double> maps, drawables, pictures;
    for (int i = 1; i <= kLaterSteps; ++i) {
        bench.waitUntilIdle();
        rest(300);  // until the last frame is drawn
        const auto later = bench.smoothedTo((1.0 + 0.1 * i) * kDegree);
        maps.push_back(later.map);
        drawables.push_back(later.drawable);
        pictures.push_back(later.picture);
    }
    rows << row("window.later_preview.map", nside, maps)
         << row("window.later_preview.drawable", nside, drawables)
         << row("window.later_preview", nside, pictures);
    // The hand goes on before the picture is refined.
    std::vector<double> onward;
    for (int i = 1; i <= kLaterSteps; ++i) {
        rest(150);
        if (!window.session().jobs().isIdle())
            onward.push_back(bench.smoothedTo((2.5 - 0.1 * i) * kDegree).picture);
    }
    if (!onward.empty()) rows << row("window.preview_while_refining", nside, onward);
    bench.waitUntilIdle();
    LiveBench live(window, bench);
    if (live.isPossible())
        for (const QJsonValue& one : live.rows(nside)) rows << one;
    else
        std::fputs("bench_window: no live picture on the device that draws\n", stderr);
    bench.waitUntilIdle();
    rows << row("window.longest_wait", nside, {bench.longestWait()});
    return rows;
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
    const QStringList arguments = QCoreApplication::arguments();
    const qsizetype at = arguments.indexOf(QStringLiteral("--nside"));
    const qint64 nside = at > 0 ? arguments.value(at + 1).toLongLong() : 2048;
    applyTheme(application, ThemeKind::Dark);
    try {
        auto* window = new MainWindow;
        const QJsonArray rows = measure(*window, nside, folder.path());
        std::fputs(QJsonDocument(rows).toJson().constData(), stdout);
        delete window;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_window: %s\n", error.what());
        return 1;
    }
    return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Frame times of each drawing method, as a JSON array on standard output. Options: --nside N
// (repeatable; 2048 and 8192 by default), --repeat N (15 by default).
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>

#include "armilla/core/error.h"
#include "armilla/draw/camera.h"
#include "armilla/draw/image_renderer.h"
#include "armilla/render/sky_renderer.h"
#include "support/gl_fixture.h"
#include "support/pictures.h"

using namespace armilla;
using namespace armilla::test;

namespace {

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Median, minimum and maximum of `repeat` runs after two warm-up runs; `run` receives the number of
// the run, so that every frame has another view.
QJsonObject timed(int repeat, const std::function<void(int)>& run) {
    std::vector<double> times;
    for (int i = -2; i < repeat; ++i) {
        const double start = seconds();
        run(i);
        if (i >= 0) times.push_back(seconds() - start);
    }
    std::sort(times.begin(), times.end());
    return {{"median", times[times.size() / 2]},
            {"min", times.front()},
            {"max", times.back()},
            {"runs", repeat}};
}

struct Case {
    qint64 nside;
    int width, height;
    double zoom;
    Projection projection;
    const char* projectionName;
};

class Bench {
public:
    Bench(GlFixture& gl, int repeat) : gl_(gl), repeat_(repeat) { renderer_.initialize(); }

    void run(qint64 nside) {
        JobContext job;
        const HealpixMap map = noiseMap(nside, Ordering::Ring);
        MapPyramid pyramid;
        row("view.pyramid", nside, "cpu",
            timed(3, [&](int) { pyramid = MapPyramid::build(map, 0, nside, job); }));
        cases(nside, [&](const Case& c) {
            row("view.frame", nside, "cpu",
                timed(repeat_, [&](int i) { renderImage(pyramid, view(c, i), ColorScale{}, job); }),
                &c);
        });
        for (const DrawPath path : renderer_.availablePaths()) graphics(path, nside, pyramid);
    }
    QJsonArray rows() const { return rows_; }

private:
    void graphics(DrawPath path, qint64 nside, const MapPyramid& pyramid) {
        const QString device = QString(path == DrawPath::Cuda ? "cuda into " : "opengl ") +
                               QString::fromStdString(renderer_.deviceName());
        try {
            renderer_.setPath(path);
            MapHandle map = 0;
            row("view.upload", nside, device, timed(3, [&](int i) {
                    if (i > -2) renderer_.remove(map);
                    map = renderer_.upload(pyramid);
                    gl_.finish();
                }));
            uploadInSteps(nside, device, pyramid);
            cases(nside, [&](const Case& c) {
                gl_.bindFramebuffer(c.width, c.height);
                row("view.frame", nside, device,
                    timed(repeat_,
                          [&](int i) {
                              renderer_.draw(map, view(c, i), ColorScale{},
                                             {0, 0, c.width, c.height});
                              gl_.finish();
                          }),
                    &c);
            });
            renderer_.remove(map);
        } catch (const OutOfMemory& error) {
            rows_ << QJsonObject{{"name", "view.upload"},
                                 {"nside", nside},
                                 {"device", device},
                                 {"failure", error.what()}};
        }
    }

    // Uploads as the window does. Blocking times are the first call, which allocates the memory,
    // and then the longest step.
    void uploadInSteps(qint64 nside, const QString& device, const MapPyramid& pyramid) {
        double start = seconds();
        const MapHandle map = renderer_.upload(pyramid, UploadPace::InPieces);
        gl_.finish();
        const double first = seconds() - start;
        double longest = 0.0;
        for (bool whole = false; !whole;) {
            start = seconds();
            whole = renderer_.advanceUpload(map, 8e-3);
            longest = std::max(longest, seconds() - start);
        }
        renderer_.remove(map);
        row("view.upload_first", nside, device, {{"median", first}, {"runs", 1}});
        row("view.upload_longest_step", nside, device, {{"median", longest}, {"runs", 1}});
    }

    static void cases(qint64 nside, const std::function<void(const Case&)>& each) {
        for (const auto& [width, height] : {std::pair{1600, 900}, std::pair{1920, 1080}})
            for (const double zoom : {1.0, 30.0}) {
                each({nside, width, height, zoom, Projection::Mollweide, "mollweide"});
                each({nside, width, height, zoom, Projection::Orthographic, "orthographic"});
            }
    }
    // A pan: each frame a little farther.
    static ViewGeometry view(const Case& c, int frame) {
        Camera camera;
        camera.projection = c.projection;
        camera.zoom = c.zoom;
        return camera.centeredOn({0.02 * frame, 0.3}).geometry(c.width, c.height, Frame::Galactic);
    }
    void row(const char* name, qint64 nside, const QString& device, const QJsonObject& times,
             const Case* c = nullptr) {
        QJsonObject object{
            {"name", name}, {"nside", nside}, {"device", device}, {"seconds", times}};
        if (c != nullptr) {
            object["width"] = c->width;
            object["height"] = c->height;
            object["zoom"] = c->zoom;
            object["projection"] = c->projectionName;
        }
        rows_ << object;
    }

    GlFixture& gl_;
    int repeat_;
    SkyRenderer renderer_;
    QJsonArray rows_;
};

}  // namespace

int main(int argc, char** argv) {
    QGuiApplication app(argc, argv);
    const QStringList arguments = app.arguments();
    std::vector<qint64> nsides;
    int repeat = 15;
    for (int i = 1; i + 1 < arguments.size(); i += 2) {
        if (arguments[i] == "--nside") nsides.push_back(arguments[i + 1].toLongLong());
        if (arguments[i] == "--repeat") repeat = std::max(1, arguments[i + 1].toInt());
    }
    if (nsides.empty()) nsides = {2048, 8192};
    GlFixture gl;
    if (!gl.valid()) {
        std::fputs("bench_view: expected an OpenGL 3.3 context, found none\n", stderr);
        return 1;
    }
    try {
        Bench bench(gl, repeat);
        for (const qint64 nside : nsides) bench.run(nside);
        std::fputs(QJsonDocument(bench.rows()).toJson().constData(), stdout);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_view: %s\n", error.what());
        return 1;
    }
    return 0;
}

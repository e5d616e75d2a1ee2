// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the CUDA kernel compared with those of the CPU and of the shader. Needs a CUDA device
// that draws the OpenGL context; ARMILLA_REQUIRE_GPU=1 makes its absence a failure.
#include <QtTest>

#include "armilla/core/error.h"
#include "armilla/device/device_picture.h"
#include "armilla/draw/camera.h"
#include "armilla/draw/image_renderer.h"
#include "armilla/ops/convolve.h"
#include "armilla/render/sky_renderer.h"
#include "support/gl_fixture.h"
#include "support/picture_rows.h"
#include "support/pictures.h"

using namespace armilla;
using namespace armilla::test;

namespace {

// 1601 and 899 are no multiples of the kernel's block size.
constexpr int kWidth = 1601, kHeight = 899;

}  // namespace

Q_DECLARE_METATYPE(armilla::Projection)
Q_DECLARE_METATYPE(armilla::Scale)

class SkyRendererCudaTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const bool required = qEnvironmentVariableIntValue("ARMILLA_REQUIRE_GPU") != 0;
        gl_ = std::make_unique<GlFixture>();
        QString reason;
        if (gl_->valid()) {
            renderer_ = std::make_unique<SkyRenderer>();
            renderer_->initialize();
            reason = QString::fromStdString(renderer_->whyNot(DrawPath::Cuda));
        } else {
            reason = "no OpenGL 3.3 context here";
        }
        if (reason.isEmpty()) return;
        if (required) QFAIL(qPrintable(reason));
        QSKIP(qPrintable(reason));
    }
    void cleanupTestCase() {
        renderer_.reset();
        gl_.reset();
    }

    void pictures_data() { addPictureRows({1.0, 25.0, 2000.0}); }
    void pictures() {
        QFETCH(Projection, projection);
        QFETCH(Scale, scale);
        QFETCH(double, zoom);
        JobContext job;
        const MapPyramid pyramid =
            MapPyramid::build(noiseMap(256, Ordering::Nested, 0.1), 0, 8192, job);
        ColorScale colors = tellingScale(scale);
        colors.outside = {10, 20, 30, 255};
        Camera camera;
        camera.projection = projection;
        camera.zoom = zoom;
        camera.orientation = skyFromViewRotation({2.1, 0.3}, 0.1);
        const ViewGeometry view = camera.geometry(kWidth, kHeight, Frame::Galactic);
        const auto expected = renderImage(pyramid, view, colors, job);
        // The kernel computes in double precision, so at most a handful of pixel centers lie within
        // 1e-14 of a border. The limit is one step of the color map, at most 6, where a logarithm
        // rounds differently. The shader is accurate to 1e-7 nside pixels: 3e-5 of the picture's
        // pixels, and as many again for blends about 1/2 with bad pixels.
        const std::pair<DrawPath, long> limits[] = {{DrawPath::Cuda, 20}, {DrawPath::OpenGl, 200}};
        for (const auto& [path, allowed] : limits) {
            renderer_->setPath(path);
            const MapHandle map = renderer_->upload(pyramid);
            gl_->bindFramebuffer(kWidth, kHeight);
            renderer_->draw(map, view, colors, {0, 0, kWidth, kHeight});
            const long different = comparePictures(gl_->picture(), expected, kWidth, kHeight, 6,
                                                   allowed, QTest::currentDataTag());
            QVERIFY2(different >= 0 && different <= allowed,
                     qPrintable(QString("path %1: %2").arg(static_cast<int>(path)).arg(different)));
            renderer_->remove(map);
        }
    }

    // Sizes change, maps are replaced and the path switches while a map is live.
    void switchesUnderALivingMap() {
        JobContext job;
        const MapPyramid first =
            MapPyramid::build(noiseMap(64, Ordering::Ring, 0.0, 1), 0, 64, job);
        const MapPyramid second =
            MapPyramid::build(noiseMap(32, Ordering::Ring, 0.0, 2), 0, 32, job);
        renderer_->setPath(DrawPath::OpenGl);
        const MapHandle map = renderer_->upload(first);
        Camera camera;
        for (int round = 0; round < 6; ++round) {
            renderer_->setPath(round % 2 == 0 ? DrawPath::Cuda : DrawPath::OpenGl);
            const MapPyramid& shown = round < 3 ? first : second;
            if (round == 3) renderer_->replace(map, second);
            const int width = 300 + 40 * round, height = 170 + 10 * round;
            const ViewGeometry view = camera.geometry(width, height, Frame::Galactic);
            const ColorScale colors;
            gl_->bindFramebuffer(width, height, {0, 0, 0, 0});
            renderer_->draw(map, view, colors, {0, 0, width, height});
            const long different =
                comparePictures(gl_->picture(), renderImage(shown, view, colors, job), width,
                                height, 6, 20, "switch");
            QVERIFY2(different >= 0 && different <= 20, qPrintable(QString::number(different)));
        }
        renderer_->remove(map);
        renderer_->setPath(DrawPath::OpenGl);
    }

    // A picture made on the device draws the same as the map of the same plan through the host:
    // pixel for pixel, by either path, in sequence.
    void adoptedPictures() {
        const std::optional<int> index = renderer_->pictureDevice();
        QVERIFY(index.has_value());
        JobContext job;
        const auto map = std::make_shared<const HealpixMap>(noiseMap(100, Ordering::Ring, 0.1, 5));
        SmoothPlan plan(map, {0}, Device::fromText("cuda:" + std::to_string(*index), kShtSupport));
        DevicePictures pictures(*index, plan.pictureNside());
        MapHandle adopted = 0;
        ColorScale colors;
        colors.mapping = {Scale::Linear, 0.4F, 0.6F, 0.5F, 0.1F};
        Camera camera;
        camera.zoom = 1.3;
        const ViewGeometry view = camera.geometry(kWidth, kHeight, Frame::Galactic);
        const auto drawn = [&](MapHandle handle) {
            gl_->bindFramebuffer(kWidth, kHeight);
            renderer_->draw(handle, view, colors, {0, 0, kWidth, kHeight});
            return gl_->picture();
        };
        for (int round = 0; round < 6; ++round) {
            renderer_->setPath(round % 3 == 2 ? DrawPath::OpenGl : DrawPath::Cuda);
            SmoothParameters p;
            p.fwhm = (3.0 + 4.0 * round) * kDegree;
            plan.prepare(p, job);
            const auto picture = pictures.next();
            QVERIFY(picture != nullptr);
            plan.enqueue(p, 0, *picture);
            if (adopted == 0)
                adopted = renderer_->adopt(picture);
            else
                renderer_->adopt(adopted, picture);
            const auto found = drawn(adopted);
            const MapHandle uploaded =
                renderer_->upload(MapPyramid::build(plan.execute(p, job), 0, 8192, job));
            const auto expected = drawn(uploaded);
            renderer_->remove(uploaded);
            QVERIFY2(found == expected, qPrintable(QString("round %1").arg(round)));
        }
        // The handle returns to host maps, and the path changes under a picture.
        renderer_->setPath(DrawPath::Cuda);
        const MapPyramid pyramid = MapPyramid::build(*map, 0, 8192, job);
        const MapHandle plain = renderer_->upload(pyramid);
        const auto expected = drawn(plain);
        renderer_->replace(adopted, pyramid);
        QVERIFY(drawn(adopted) == expected);
        QVERIFY_EXCEPTION_THROWN(renderer_->adopt(adopted, nullptr), InvalidArgument);
        renderer_->remove(plain);
        renderer_->remove(adopted);
        renderer_->setPath(DrawPath::OpenGl);
    }

private:
    std::unique_ptr<GlFixture> gl_;
    std::unique_ptr<SkyRenderer> renderer_;
};

QTEST_MAIN(SkyRendererCudaTest)
#include "tst_sky_renderer_cuda.moc"

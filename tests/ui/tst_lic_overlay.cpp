// SPDX-License-Identifier: GPL-3.0-or-later
// Line integral convolution: which of its requests are computed.
#include <QtTest>
#include <cmath>
#include <functional>
#include <utility>

#include "armilla/core/pixel_queries.h"
#include "support/patience.h"
#include "view/lic_overlay.h"

using namespace armilla;
using armilla::test::kPatience;

namespace {

std::shared_ptr<const HealpixMap> polarizedMap() {
    constexpr int64_t kNside = 16;
    const int64_t pixels = pixelCount(kNside);
    std::vector<float> q, u;
    for (int64_t pixel = 0; pixel < pixels; ++pixel) {
        const Vec3 at = directionFromPixel(kNside, Ordering::Ring, pixel);
        q.push_back(static_cast<float>(at.x));
        u.push_back(static_cast<float>(at.y * at.z));
    }
    return std::make_shared<const HealpixMap>(
        kNside, Ordering::Ring, Frame::Galactic,
        std::vector<Field>{{"Q", "K", DiskType::Float32, std::move(q)},
                           {"U", "K", DiskType::Float32, std::move(u)}});
}

// Calls `act` once, when the first result of the overlay's thread is about to be received.
class BeforeReceipt : public QObject {
public:
    explicit BeforeReceipt(std::function<void()> act) : act_(std::move(act)) {}
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::MetaCall && act_) std::exchange(act_, nullptr)();
        return false;
    }

private:
    std::function<void()> act_;
};

}  // namespace

class LicOverlayTest : public QObject {
    Q_OBJECT
private slots:
    // A texture that exists at the next request does not replace its result.
    void theLatestRequestIsFulfilled() {
        TextureRecipe first;
        first.map = polarizedMap();
        first.nside = 64;
        TextureRecipe second = first;
        second.nside = 128;
        ViewGeometry view;
        view.width = 200;
        view.height = 100;
        view.radiansPerPixel = kTwoPi / 200;
        const Camera camera;
        LicOverlay lic;
        bool isAsked = false, hasShade = false;
        BeforeReceipt filter([&] {
            isAsked = true;
            hasShade = !lic.shade(second, camera, view, false).isNull();
        });
        lic.installEventFilter(&filter);
        QVERIFY(lic.shade(first, camera, view, false).isNull());
        QTRY_VERIFY_WITH_TIMEOUT(!lic.isBusy(), kPatience);
        QVERIFY(isAsked && !hasShade);
        JobContext job;
        const auto texture = LineIntegralTexture::build(*second.map, second.qField, second.uField,
                                                        second.convention, second.nside, {}, job);
        QCOMPARE(lic.shade(second, camera, view, true), licImage(*texture, view, 1.0, job));
        QVERIFY(!lic.isBusy());
    }
};

QTEST_GUILESS_MAIN(LicOverlayTest)
#include "tst_lic_overlay.moc"

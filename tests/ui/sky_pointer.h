// SPDX-License-Identifier: GPL-3.0-or-later
// A sky view with two maps, and simulated pointer input.
#pragma once

#include <QApplication>
#include <QMouseEvent>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>
#include <cmath>
#include <memory>

#include "armilla/ui/sky_view_widget.h"
#include "support/comparisons.h"
#include "support/patience.h"
#include "view_fixture.h"

namespace armilla::test {

// Directions pass once through the projection and back, each within 1e-13 (view_geometry.h), and a
// camera adds a few products of 3x3 matrices.
inline constexpr double kDirectionLimit = 1e-11;
inline constexpr QSize kSize(640, 420);

inline void send(QWidget& widget, QEvent::Type type, QPointF at, Qt::MouseButton button,
                 Qt::MouseButtons buttons, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QMouseEvent event(type, at, widget.mapToGlobal(at), button, buttons, modifiers);
    QApplication::sendEvent(&widget, &event);
}
inline void press(QWidget& widget, QPointF at, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    send(widget, QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton, modifiers);
}
inline void moveTo(QWidget& widget, QPointF at, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    send(widget, QEvent::MouseMove, at, Qt::NoButton, Qt::LeftButton, modifiers);
}
inline void release(QWidget& widget, QPointF at) {
    send(widget, QEvent::MouseButtonRelease, at, Qt::LeftButton, Qt::NoButton);
}
inline void drag(QWidget& widget, QPointF from, QPointF to,
                 Qt::KeyboardModifiers mods = Qt::NoModifier) {
    press(widget, from, mods);
    for (int i = 1; i <= 5; ++i) moveTo(widget, from + (to - from) * (i / 5.0), mods);
    release(widget, to);
}
inline void wheel(QWidget& widget, QPointF at, int angle, int pixels = 0) {
    QWheelEvent event(at, widget.mapToGlobal(at), QPoint(0, pixels), QPoint(0, angle), Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

// Two maps in a separate view.
struct Fixture {
    Document document;
    std::shared_ptr<const HealpixMap> first = waveMap(8), second = waveMap(4);
    LayerId a, b;
    std::unique_ptr<SkyViewWidget> view;

    explicit Fixture(DrawChoice choice) {
        b = addReady(document, second, QStringLiteral("second"));
        a = addReady(document, first, QStringLiteral("first"));
        setCompared(document, {b, 0, Quantity::Field});
        setComparison(document, Comparison::Single);
        document.overlays().setGraticule(false, 0.0);
        view = std::make_unique<SkyViewWidget>(document);
        view->setDrawChoice(choice);
        view->setInertia(false);
        setBlinkInterval(kNever);
        view->setInspectorVisible(false);
        view->resize(kSize);
        view->show();
        QVERIFY(QTest::qWaitForWindowExposed(view.get(), kPatience));
        QTRY_VERIFY_WITH_TIMEOUT(view->cursorAt(middle()).has_value(), kPatience);
    }
    // The view blinks by key only, unless a test sets a shorter time.
    static constexpr int kNever = 1 << 30;  // milliseconds
    void setBlinkInterval(int milliseconds) {
        view->findChild<QTimer*>(QStringLiteral("blink"))->setInterval(milliseconds);
    }
    QPointF middle() const { return QPointF(0.5 * kSize.width(), 0.5 * kSize.height()); }
    Vec3 under(QPointF at) const {
        const auto place = view->cursorAt(at);
        return place ? place->direction : Vec3{};
    }
    QColor expected(const SkyCursor& place) const {
        const HealpixMap& map = place.shown.entry == a ? *first : *second;
        const ColorScale scale = document.drawings().colorScale(place.shown);
        const Rgba c = colorOf(scale, colorTable(scale.colorMap, scale.reversed),
                               static_cast<float>(map.value(0, map.pixelAt(place.direction))));
        return {c.r, c.g, c.b};
    }
    // Compares image pixels whose neighborhood lies in one map pixel; pixels at borders may belong
    // to either side.
    int differences(const QImage& image, int& compared) const {
        int wrong = 0;
        compared = 0;
        for (int y = 70; y < kSize.height() - 110; y += 5)
            for (int x = 60; x < kSize.width() - 60; x += 5) {
                const auto place = view->cursorAt(QPointF(x + 0.5, y + 0.5));
                if (!place || nearDivider(x) || !alone(*place, x, y)) continue;
                ++compared;
                const QColor want = expected(*place), got = image.pixelColor(x, y);
                // One step of the 256-color table from rounding of the color position.
                const int off = std::max({std::abs(want.red() - got.red()),
                                          std::abs(want.green() - got.green()),
                                          std::abs(want.blue() - got.blue())});
                if (off > 6) ++wrong;
            }
        return wrong;
    }
    bool nearDivider(int x) const {
        return document.view().comparison() == Comparison::Swipe &&
               std::abs(x - document.view().swipe() * kSize.width()) < 20.0;
    }
    bool alone(const SkyCursor& place, int x, int y) const {
        const HealpixMap& map = place.shown.entry == a ? *first : *second;
        const int64_t pixel = map.pixelAt(place.direction);
        for (const QPointF step :
             {QPointF(-1, -1), QPointF(2, -1), QPointF(-1, 2), QPointF(2, 2)}) {
            const auto near = view->cursorAt(QPointF(x, y) + step);
            if (!near || !(near->shown == place.shown) || map.pixelAt(near->direction) != pixel)
                return false;
        }
        return true;
    }
    // Grabs until the picture agrees with the map, because coarse and late pictures may arrive
    // first.
    bool picturesAgree() const {
        int compared = 0, wrong = 0;
        // Without a pointer there are no linked crosses over the picture.
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(view.get(), &leave);
        const auto agree = [&] {
            wrong = differences(view->grab().toImage(), compared);
            return wrong == 0 && compared > 100;
        };
        if (QTest::qWaitFor(agree, kPatience)) return true;
        qWarning("%d of %d pixels differ", wrong, compared);
        return false;
    }
};

inline double apart(Vec3 a, Vec3 b) {
    return angularDistance(a, b);
}

}  // namespace armilla::test

// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the sky view and its companions for visual inspection: view_gallery FOLDER
// [dark|light] [gl|cpu]. Run with QT_SCALE_FACTOR=2 for a high-resolution screen.
#include <QApplication>
#include <QDir>
#include <QEventLoop>
#include <QLabel>
#include <QTimer>
#include <QVBoxLayout>
#include <cstdio>
#include <functional>

#include "armilla/ui/color_bar_widget.h"
#include "armilla/ui/histogram_widget.h"
#include "armilla/ui/inspector_widget.h"
#include "armilla/ui/sky_view_widget.h"
#include "armilla/ui/theme.h"
#include "view_fixture.h"

using namespace armilla;

namespace {

void wait(int milliseconds) {
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

struct Window {
    QWidget frame;
    SkyViewWidget* view = nullptr;
    CursorReadout* readout = nullptr;
    HistogramWidget* histogram = nullptr;
    ColorBarWidget* bar = nullptr;
};

void compose(Window& window, Document& document) {
    auto* rows = new QVBoxLayout(&window.frame);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    auto* columns = new QHBoxLayout;
    window.view = new SkyViewWidget(document);
    columns->addWidget(window.view, 1);
    auto* side = new QVBoxLayout;
    side->setContentsMargins(12, 12, 12, 12);
    auto* heading = new QLabel(QStringLiteral("Color"));
    heading->setProperty("role", "heading");
    heading->setFont(Theme::of(&window.frame).headingFont(heading->font()));
    side->addWidget(heading);
    window.histogram = new HistogramWidget;
    window.histogram->setFixedWidth(280);
    side->addWidget(window.histogram);
    window.bar = new ColorBarWidget;
    side->addWidget(window.bar);
    side->addStretch(1);
    columns->addLayout(side);
    rows->addLayout(columns, 1);
    window.readout = new CursorReadout(document, &window.frame);
    rows->addWidget(new ReadoutWidget(*window.readout));
    QObject::connect(window.view, &SkyViewWidget::cursorMoved, window.readout,
                     &CursorReadout::setCursor);
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    const QStringList arguments = application.arguments();
    if (arguments.size() < 2) {
        std::fprintf(stderr, "usage: view_gallery FOLDER [dark|light] [gl|cpu]\n");
        return 2;
    }
    const QDir folder(arguments[1]);
    const QString kind = arguments.value(2, QStringLiteral("dark"));
    const QString way = arguments.value(3, QStringLiteral("cpu"));
    applyTheme(application, kind == QLatin1String("light") ? ThemeKind::Light : ThemeKind::Dark);

    Document document;
    Window window;
    compose(window, document);
    QObject::connect(window.view, &SkyViewWidget::messageRaised,
                     [](const QString& line) { std::printf("message: %s\n", qPrintable(line)); });
    window.view->setDrawChoice(way == QLatin1String("gl") ? DrawChoice::OpenGl : DrawChoice::Cpu);
    window.frame.resize(1400, 860);
    window.frame.show();
    const auto save = [&](const char* name) {
        wait(900);
        window.frame.grab().save(
            folder.filePath(QStringLiteral("%1-%2-%3.png").arg(QLatin1String(name), kind, way)));
        std::printf("%s: %s, %.1f ms\n", name, qPrintable(window.view->pathName()),
                    window.view->frameTime());
    };
    save("empty");

    const auto map = test::waveMap(256);
    const auto other = test::waveMap(64, Frame::Galactic, 0.6);
    const LayerId b = test::addReady(document, other, QStringLiteral("smoothed 60′"));
    const LayerId a = test::addReady(document, map, QStringLiteral("sky_143GHz.fits"));
    const Shown shown{a, 0, Quantity::Field};
    ColorScale scale = document.drawings().colorScale(shown);
    window.histogram->setSample(document.drawings().drawable(shown)->sortedSample);
    window.histogram->setScale(scale);
    window.bar->setScale(scale);
    window.bar->setText({QStringLiteral("TEMPERATURE, uK"), scaleName(scale.mapping.scale)});
    const QSize size = window.view->size();
    const auto cursor = window.view->cursorAt(QPointF(0.42 * size.width(), 0.37 * size.height()));
    window.readout->setCursor(cursor);
    window.view->inspector()->follow(cursor);
    save("single");

    const auto compare = [&](Comparison comparison) {
        document.view().compare(document.view().shown(), {b}, comparison);
    };
    compare(Comparison::Swipe);
    if (cursor) window.view->inspector()->pin(*cursor);
    save("swipe");
    compare(Comparison::SideBySide);
    save("side-by-side");
    compare(Comparison::Single);
    for (const auto& [projection, name] :
         {std::pair{Projection::Orthographic, "globe"}, std::pair{Projection::Gnomonic, "gnomonic"},
          std::pair{Projection::Cartesian, "cartesian"},
          std::pair{Projection::Lambert, "lambert"}}) {
        Camera camera = document.view().camera().centeredOn({0.6, 0.5});
        camera.projection = projection;
        document.view().setCamera(camera);
        save(name);
    }
    const LayerId polarized =
        test::addReady(document, test::polarizedWaveMap(256), "polarized.fits");
    document.view().setShown({polarized, 0, Quantity::Field});
    document.overlays().setRodsVisible(true);
    document.view().setCamera(Camera{});
    save("rods");
    Camera pole = document.view().camera().centeredOn({0.3, 1.3});
    pole.projection = Projection::Orthographic;
    pole.zoom = 3.0;
    document.view().setCamera(pole);
    save("rods-close");
    document.overlays().setRodsVisible(false);
    Camera close = document.view().camera();
    close.projection = Projection::Mollweide;
    close.zoom = 60.0;
    document.view().setCamera(close);
    save("close");
    return 0;
}

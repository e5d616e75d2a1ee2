// SPDX-License-Identifier: GPL-3.0-or-later
// Figures: content and positions in each format.
#include <QFile>
#include <QFileInfo>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/figure/figure.h"
#include "armilla/figure/figure_overlays.h"
#include "averaged_down.h"
#include "quick_mollweide.h"
#include "support/equal_places.h"
#include "support/less_memory.h"
#include "support/tolerance.h"

using namespace armilla;

namespace {

// 1 within `radius` of `center`, 0 elsewhere.
std::shared_ptr<const HealpixMap> spot(int64_t nside, Vec3 center, double radius) {
    std::vector<float> values(static_cast<size_t>(pixelCount(nside)));
    for (size_t p = 0; p < values.size(); ++p)
        values[p] =
            angularDistance(directionFromRing(nside, static_cast<int64_t>(p)), center) < radius
                ? 1.0F
                : 0.0F;
    return std::make_shared<const HealpixMap>(
        nside, Ordering::Ring, Frame::Galactic,
        std::vector<Field>{{"S", "K", DiskType::Float32, std::move(values)}});
}

FigureRequest request(std::shared_ptr<const HealpixMap> map) {
    FigureRequest result;
    result.map = std::move(map);
    result.scale.colorMap = "gray";
    result.scale.mapping.low = 0.0F;
    result.scale.mapping.high = 1.0F;
    result.width = 600;
    result.height = 400;
    return result;
}

}  // namespace

class tst_figure : public QObject {
    Q_OBJECT

private slots:
    // 6 x 4 pixels to 3 x 2: means of four; a transparent neighbor does not change the color. To 4
    // x 4: each pixel takes one and a half pixels of a row.
    void smallerPicturesAreMeans() {
        std::vector<Rgba> pixels(24, Rgba{100, 0, 200, 255});
        pixels[0] = {200, 40, 0, 255};
        pixels[4] = {7, 7, 7, 0};
        const QImage half = averagedDown(pixels, 6, 4, {3, 2});
        QCOMPARE(half.format(), QImage::Format_ARGB32_Premultiplied);
        const auto* line = reinterpret_cast<const QRgb*>(half.constScanLine(0));
        QCOMPARE(line[0], qRgba(125, 10, 150, 255));
        // Premultiplied: three quarters of the color, and of opacity.
        QCOMPARE(line[2], qRgba(75, 0, 150, 191));
        const QImage wide = averagedDown(pixels, 6, 4, {4, 4});
        // (200 + 100 / 2) / 1.5 = 166.7
        QCOMPARE(qRed(reinterpret_cast<const QRgb*>(wide.constScanLine(0))[0]), 167);
        QCOMPARE(qGreen(reinterpret_cast<const QRgb*>(wide.constScanLine(3))[3]), 0);
    }
    // Formats that writers of vector formats take as they are.
    void vectorFormats() {
        const QImage part = imageOf({{200, 100, 50, 255}, {200, 100, 50, 51}}, 2, 1);
        QCOMPARE(part.pixel(0, 0), qRgba(200, 100, 50, 255));
        const QImage vector = inVectorFormat(part);
        QCOMPARE(vector.format(), QImage::Format_ARGB32);
        QCOMPARE(vector.pixel(1, 0), qRgba(200, 100, 50, 51));
        const QImage whole = inVectorFormat(imageOf({{200, 100, 50, 255}}, 1, 1));
        QCOMPARE(whole.format(), QImage::Format_RGB32);
        QCOMPARE(whole.pixel(0, 0), qRgb(200, 100, 50));
    }
    void sizeBackgroundAndMetadata() {
        for (const bool dark : {false, true}) {
            FigureRequest figure = request(spot(16, {1, 0, 0}, 4.0));
            figure.look.background = dark ? FigureBackground::Dark : FigureBackground::Light;
            figure.recipe = "made by a test";
            figure.title = "A title";
            const QImage image = draw(figure, "a.png");
            QCOMPARE(image.size(), QSize(600, 400));
            QCOMPARE(image.dotsPerMeterX(), 3937);
            QCOMPARE(image.text("Description"), "made by a test");
            QCOMPARE(image.text("Title"), "A title");
            const int corner = qGray(image.pixel(0, 0));
            QVERIFY(dark ? corner < 40 : corner == 255);
            // The whole sky is 1, which is the upper end of the gray scale.
            QCOMPARE(qGray(image.pixel(300, 190)), 255);
        }
    }

    // A disc of known radius: its position and its size in pixels.
    void placeAndResolution() {
        const LonLat center{1.1, -0.4};
        const double radius = 4.0 * kDegree;
        const double resolution = 6.0 * kArcmin;
        FigureRequest figure = request(spot(256, direction(center), radius));
        figure.camera.projection = Projection::Lambert;
        figure.camera.orientation = skyFromViewRotation(center, 0.3);
        figure.radiansPerPixel = resolution;
        const QImage image = draw(figure, "b.png");
        double count = 0.0;
        QPointF sum;
        for (int y = 0; y < 330; ++y)
            for (int x = 0; x < image.width(); ++x) {
                const QColor color = image.pixelColor(x, y);
                const bool inPanel = x > 40 && x < 560 && y > 40;
                if (!inPanel) continue;
                const double share = color.valueF();
                count += share;
                sum += share * QPointF(x + 0.5, y + 0.5);
            }
        // Equal areas: 2 pi (1 - cos r) of the sky. Pixels of 14' on an edge of 8 degrees diameter
        // give noise of 14'/8 deg/sqrt(100 pixels): under 1 %.
        const double expected = 2.0 * kPi * (1.0 - std::cos(radius)) / (resolution * resolution);
        QVERIFY2(std::abs(count / expected - 1.0) < 0.01,
                 qPrintable(QString::number(count / expected)));
        QVERIFY(std::abs(sum.x() / count - 300.0) < 1.0);
        QVERIFY(sum.y() / count > 100.0 && sum.y() / count < 200.0);
    }

    void eastIsLeft() {
        for (const bool flip : {false, true}) {
            FigureRequest figure =
                request(spot(64, direction({40.0 * kDegree, 0.0}), 15.0 * kDegree));
            figure.camera.flip = flip;
            const QImage image = draw(figure, "c.png");
            int left = 0;
            int right = 0;
            for (int y = 60; y < 300; ++y)
                for (int x = 60; x < 540; ++x) {
                    const bool inside = std::hypot((x - 300) / 260.0, (y - 160) / 125.0) < 0.95;
                    if (inside && qGray(image.pixel(x, y)) > 200) (x < 300 ? left : right)++;
                }
            QVERIFY(flip ? right > 10 * left : left > 10 * right);
        }
    }

    // Units at the color bar are typeset, in the window and in the command alike.
    void unitsAreTypeset() {
        const auto text = [](const char* unit) {
            return colorBarText({"S", unit, DiskType::Float32, {}});
        };
        QCOMPARE(text("uK_CMB"), QStringLiteral("S  [µKᴄᴍʙ]"));
        QCOMPARE(text("pix-1"), QStringLiteral("S  [pix⁻¹]"));
        QCOMPARE(text(""), QStringLiteral("S"));
    }
    void labelsAreText() {
        FigureRequest figure = request(spot(16, {1, 0, 0}, 0.3));
        figure.title = "Signal & noise";
        figure.unit = "S [K]";
        figure.graticuleStep = 30.0 * kDegree;
        figure.recipe = "made by <a test>";
        draw(figure, "d.svg");
        const QString text = QString::fromUtf8(read("d.svg"));
        QVERIFY(text.contains("<title>Signal &amp; noise</title>"));
        QVERIFY(text.contains("made by &lt;a test&gt;"));
        QVERIFY(text.contains("S [K]"));
        QVERIFY(text.contains("Galactic"));
        QVERIFY(text.count("<text") >= 10);
        QVERIFY(text.contains(QString::fromUtf8("60°")));
        draw(figure, "d.pdf");
        const QByteArray pdf = read("d.pdf");
        QVERIFY(pdf.startsWith("%PDF-1."));
        QVERIFY(pdf.contains("made by &lt;a test&gt;"));
        // 600 x 400 pixels at 100 an inch are 432 x 288 points.
        QVERIFY(QRegularExpression("MediaBox \\[0(\\.0+)? 0(\\.0+)? 432(\\.0+)? 288")
                    .match(QString::fromLatin1(pdf))
                    .hasMatch());
    }

    // Contour lines lie below the labels on the sky, which would otherwise be unreadable among many
    // lines.
    void labelsLieOverContours() {
        FigureRequest figure = request(spot(16, {1, 0, 0}, 0.3));
        figure.graticuleStep = 30.0 * kDegree;
        const auto linesBelowLabels = [&](const FigureOverlays& overlays) {
            JobContext job;
            writeFigure(figure, overlays, folder_.filePath("o.svg"), true, job);
            const QByteArray text = read("o.svg");
            return text.left(text.indexOf("<text")).count("<path");
        };
        FigureOverlays contours;
        contours.contours = {0.5};
        QVERIFY(linesBelowLabels(contours) > linesBelowLabels({}));
    }

    // Contours of noise lie in a vector format as an image; a few lines stay lines.
    void manyContoursAreAnImage() {
        std::vector<float> values(static_cast<size_t>(pixelCount(128)));
        uint32_t state = 1;
        for (float& value : values) {
            state = 1664525 * state + 1013904223;
            value = static_cast<float>(state >> 8) / 16777216.0F;
        }
        const auto noise = std::make_shared<const HealpixMap>(
            128, Ordering::Ring, Frame::Galactic,
            std::vector<Field>{{"N", "K", DiskType::Float32, std::move(values)}});
        const auto images = [&](const FigureRequest& figure, const FigureOverlays& overlays) {
            JobContext job;
            writeFigure(figure, overlays, folder_.filePath("o.svg"), true, job);
            return read("o.svg").count("<image");
        };
        FigureOverlays contours;
        contours.contours = {0.5};
        const FigureRequest few = request(spot(16, {1, 0, 0}, 0.3)), many = request(noise);
        QCOMPARE(images(few, contours), images(few, {}));
        const auto without = images(many, {});
        QCOMPARE(images(many, contours), without + 1);
        // Lines would take tens of megabytes.
        const qint64 size = QFileInfo(folder_.filePath("o.svg")).size();
        QVERIFY2(size < 8'000'000, qPrintable(QString::number(size)));
        for (const QString& path : {folder_.filePath("o.svg"), folder_.filePath("o.png")}) {
            JobContext job;
            QVERIFY(writeFigure(few, contours, path, true, job).empty());
            QVERIFY(writeFigure(many, contours, path, true, job).find("as pixels") !=
                    std::string::npos);
        }
    }

    // The contours of a fine checkerboard, half a pixel of the page apart, cover the sky in the
    // color of lines. The map without contours has the colors of its ends.
    void manyContoursCoverTheSky() {
        std::vector<float> values(static_cast<size_t>(pixelCount(512)));
        for (size_t p = 1; p < values.size(); p += 2) values[p] = 1.0F;
        const auto board = std::make_shared<const HealpixMap>(
            512, Ordering::Nested, Frame::Galactic,
            std::vector<Field>{{"N", "K", DiskType::Float32, std::move(values)}});
        FigureOverlays contours;
        contours.contours = {0.5};
        FigureRequest figure = request(board);
        figure.width = figure.height = 1500;
        JobContext job;
        const auto grayAround = [&](const FigureOverlays& overlays) {
            const QImage image = figureImage(figure, overlays, job);
            double sum = 0.0;
            for (int y = 740; y < 760; ++y)
                for (int x = 740; x < 760; ++x) sum += qGray(image.pixel(x, y)) / 400.0;
            return sum;
        };
        const double without = grayAround({}), with = grayAround(contours);
        QVERIFY2(std::min(with, 255.0 - with) < 0.5 * std::min(without, 255.0 - without),
                 qPrintable(QString("%1, %2").arg(without).arg(with)));
    }

    void markersLieOnTheirPositions() {
        FigureRequest figure = request(spot(16, {1, 0, 0}, 4.0));
        figure.camera.projection = Projection::Orthographic;
        const QImage before = draw(figure, "e.png");
        figure.markers.push_back({{0.0, 0.0}, "core"});
        figure.markers.push_back({{kPi, 0.0}, "hidden"});
        const QImage after = draw(figure, "e.png");
        QRect changed;
        for (int y = 0; y < after.height(); ++y)
            for (int x = 0; x < after.width(); ++x)
                if (before.pixel(x, y) != after.pixel(x, y)) changed |= QRect(x, y, 1, 1);
        QVERIFY(changed.left() > 285 && changed.left() < 300);
        QVERIFY(changed.width() > 15 && changed.width() < 80);
    }

    // The name of the frame keeps its distance from the text at the color bar, and from its ticks.
    void frameHasItsPlace_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<QString>("unit");
        for (const int width : {260, 300, 340, 420, 600})
            for (const char* unit : {"", "K", "a text that takes a good part of the row"})
                QTest::addRow("%d, %s", width, unit) << width << QString(unit);
    }
    void frameHasItsPlace() {
        QFETCH(int, width);
        QFETCH(QString, unit);
        FigureRequest figure = request(spot(16, {1, 0, 0}, 4.0));
        figure.width = width;
        figure.unit = unit;
        figure.camera.frame = Frame::Equatorial;
        figure.scale.mapping.low = -300000.0F;
        figure.scale.mapping.high = 300000.0F;
        draw(figure, "n.svg");
        // Boxes of texts, in the pixels of 1200 an inch that the file is written in.
        std::vector<std::pair<QString, QRectF>> texts;
        QXmlStreamReader xml(read("n.svg"));
        QString family;
        double size = 0.0;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement) continue;
            const auto attributes = xml.attributes();
            if (attributes.hasAttribute("font-family")) {
                family = attributes.value("font-family").toString();
                size = attributes.value("font-size").toDouble();
            }
            if (xml.name() != QLatin1String("text")) continue;
            const QPointF at(attributes.value("x").toDouble(), attributes.value("y").toDouble());
            const QString text = xml.readElementText().trimmed();
            QFont font(family);
            font.setPixelSize(std::max(1, static_cast<int>(std::lround(size))));
            const QFontMetricsF metrics(font);
            texts.emplace_back(text, QRectF(at.x(), at.y() - metrics.capHeight(),
                                            metrics.horizontalAdvance(text), metrics.capHeight()));
        }
        QVERIFY(texts.size() >= 3);
        int frames = 0;
        for (const auto& [text, box] : texts) {
            if (!text.startsWith("Equatorial")) continue;
            ++frames;
            for (const auto& [other, otherBox] : texts)
                if (other != text)
                    QVERIFY2(!box.intersects(otherBox), qPrintable(text + " and " + other));
        }
        QCOMPARE(frames, 1);
    }

    // Plane points of all longitudes and latitudes: within the bound stated at kError.
    void quickMollweide() {
        const QuickMollweide quick;
        double worst = 0.0;
        int found = 0;
        for (int i = 0; i <= 4000; ++i)
            for (int j = 0; j <= 36; ++j) {
                const double z = i / 2000.0 - 1.0, across = std::sqrt((1.0 - z) * (1.0 + z));
                const double lon = (10 * j - 180) * kDegree;
                const Vec3 d{across * std::cos(lon), across * std::sin(lon), z};
                PlanePoint at, truth;
                if (!quick.point(j % 2 == 0, d, at)) continue;
                ++found;
                QVERIFY(planeFromDirection(Projection::Mollweide, j % 2 == 0, d, truth));
                worst = std::max({worst, std::abs(at.x - truth.x), std::abs(at.y - truth.y)});
            }
        // All but the caps of 1/64 of each hemisphere.
        QVERIFY(found > 4001 * 37 * 62 / 64);
        ARMILLA_VERIFY_BELOW(worst, QuickMollweide::kError);
        // On the seam the sign of a zero selects the side, as in planeFromDirection().
        for (const double y : {0.0, -0.0}) {
            PlanePoint at, truth;
            QVERIFY(quick.point(false, {-1.0, y, 0.0}, at));
            QVERIFY(planeFromDirection(Projection::Mollweide, false, {-1.0, y, 0.0}, truth));
            QVERIFY(std::signbit(at.x) == std::signbit(truth.x));
        }
        PlanePoint none;
        QVERIFY(!quick.point(false, {0.0, 0.0, 1.0}, none));
        QVERIFY(!quick.point(false, {std::nan(""), 0.0, 1.0}, none));
    }

    // Many places are a density, an image also in vector formats, at the middles of their rings.
    void densityInFigures() {
        FigureRequest figure = request(spot(16, {1, 0, 0}, 4.0));
        figure.camera.projection = Projection::Orthographic;
        const QImage before = draw(figure, "e.png");
        const auto changes = [&](int64_t count) {
            figure.places = equalPlaces(count, direction({0.3, 0.2}));
            const QImage after = draw(figure, "e.png");
            QRect changed;
            for (int y = 0; y < after.height(); ++y)
                for (int x = 0; x < after.width(); ++x)
                    if (before.pixel(x, y) != after.pixel(x, y)) changed |= QRect(x, y, 1, 1);
            return changed;
        };
        const QRect ring = changes(1000), crowd = changes(30000);
        // A dot within the ring, and around its middle to a pixel.
        QVERIFY(crowd.isValid() && ring.contains(crowd));
        const QPoint off = crowd.center() - ring.center();
        QVERIFY(std::abs(off.x()) <= 1 && std::abs(off.y()) <= 1);
        draw(figure, "c.svg");
        const auto pictures = read("c.svg").count("<image");
        figure.places = nullptr;
        draw(figure, "c.svg");
        QCOMPARE(pictures, read("c.svg").count("<image") + 1);
    }

    void refusals() {
        JobContext job;
        FigureRequest figure = request(spot(4, {1, 0, 0}, 1.0));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument,
                                 writeFigure(figure, folder_.filePath("f.gif"), false, job));
        figure.width = 40;
        QVERIFY_THROWS_EXCEPTION(InvalidArgument,
                                 writeFigure(figure, folder_.filePath("f.png"), false, job));
        figure.width = 600;
        writeFigure(figure, folder_.filePath("f.png"), false, job);
        const QByteArray first = read("f.png");
        QVERIFY_THROWS_EXCEPTION(IoError,
                                 writeFigure(figure, folder_.filePath("f.png"), false, job));
        writeFigure(figure, folder_.filePath("f.png"), true, job);
        QCOMPARE(read("f.png"), first);
    }

    // SVG and PDF cannot represent control characters.
    void textsAreCleaned() {
        FigureRequest figure = request(spot(16, {1, 0, 0}, 1.0));
        figure.title = QStringLiteral("a\x1b[31m <b>");
        figure.unit = QStringLiteral("\x01unit");
        // Unpaired surrogates, the second one at the end, and a complete pair.
        figure.recipe = QStringLiteral("one\ntwo\x02") + QChar(0xfffe) + QChar(0xffff) +
                        QChar(0xdc00) + QChar(0xd800) + "b" + QString::fromUcs4(U"\U0001f30c") +
                        QChar(0xd83c);
        draw(figure, "t.svg");
        QXmlStreamReader xml(read("t.svg"));
        while (!xml.atEnd()) xml.readNext();
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        const QChar none = QChar::ReplacementCharacter;
        QVERIFY(read("t.svg").contains(
            ("one\ntwo" + QString(5, none) + "b" + QString::fromUcs4(U"\U0001f30c") + none)
                .toUtf8()));
    }

    // If Qt cannot allocate the pixels, the image is null; nothing is written to it.
    void noRoomIsSaid() {
        const std::vector<Rgba> pixels(16, Rgba{1, 2, 3, 255});
        const test::LessMemory less(int64_t{64} << 20);
        QVERIFY_THROWS_EXCEPTION(OutOfMemory, averagedDown(pixels, 4, 4, QSize(20000, 20000)));
        QVERIFY_THROWS_EXCEPTION(OutOfMemory,
                                 imageWithRoom(QSize(20000, 20000), QImage::Format_RGB32));
    }

    // At the scale of the line segments, a unit is typeset as at the color bar.
    void unitOfRodsIsTypeset() {
        auto sky = spot(16, {1, 0, 0}, 4.0);
        std::vector<Field> fields;
        for (const char* name : {"Q", "U"})
            fields.push_back({name, "uK_CMB", DiskType::Float32, std::vector<float>(3072, 1.0F)});
        FigurePolarization polarization;
        polarization.map = std::make_shared<const HealpixMap>(16, Ordering::Ring, Frame::Galactic,
                                                              std::move(fields));
        polarization.rodSpacing = 0.3;
        FigureRequest figure = request(sky);
        QImage drawn[3];
        const char* units[] = {"uK_CMB", "µK_CMB", "K"};
        for (int i = 0; i < 3; ++i) {
            polarization.unit = QString::fromUtf8(units[i]);
            figure.polarization = polarization;
            drawn[i] = draw(figure, "u.png");
        }
        QCOMPARE(drawn[0], drawn[1]);
        QVERIFY(drawn[0] != drawn[2]);
    }

    // A cropped page of a whole sky is as tall as its content: the ellipse of Mollweide's
    // projection is half as tall as wide and touches the margins of 2 points at left and right.
    void croppedPages() {
        FigureRequest figure = request(spot(16, {1, 0, 0}, 4.0));
        figure.look.cropped = true;
        figure.look.bar = BarPlace::None;
        figure.camera.frame = Frame::Galactic;
        figure.dpi = 144.0;  // 2 points are 4 pixels
        figure.height = figureHeight(figure);
        const QImage image = draw(figure, "crop.png");
        QCOMPARE(image.width(), 600);
        // The sky is 591 pixels wide, a whole number below 600 - 2 * 4, and 296 tall. Below it are
        // the name of the frame (1.35 * 9.5 points = 25.65 pixels), a gap of 1 point, the margins.
        const double expected = 295.5 + 25.65 + 2.0 + 8.0;
        QVERIFY2(std::abs(image.height() - expected) <= 3.0,
                 qPrintable(QString::number(image.height())));
        const QRgb paper = qRgb(255, 255, 255);
        int left = 0;
        const int middle = 4 + 148;
        while (left < 300 && image.pixel(left, middle) == paper) ++left;
        QVERIFY2(left >= 2 && left <= 6, qPrintable(QString::number(left)));
    }

    // Pixels beside the sky are transparent; those of the sky are the same as on paper.
    void transparentPages() {
        FigureRequest figure = request(spot(16, {1, 0, 0}, 1.0));
        figure.scale.colorMap = "viridis";
        const QImage paper = draw(figure, "paper.png");
        figure.look.background = FigureBackground::Transparent;
        const QImage clear = draw(figure, "clear.png");
        QCOMPARE(qAlpha(paper.pixel(1, 1)), 255);
        QCOMPARE(qAlpha(clear.pixel(1, 1)), 0);
        QCOMPARE(clear.pixel(300, 190), paper.pixel(300, 190));
        QCOMPARE(qAlpha(clear.pixel(300, 190)), 255);
        // On white the page is the one on paper, within the rounding of two blends.
        int most = 0;
        for (int y = 0; y < clear.height(); ++y)
            for (int x = 0; x < clear.width(); ++x) {
                const QRgb under = paper.pixel(x, y), over = clear.pixel(x, y);
                const int alpha = qAlpha(over);
                for (int shift : {0, 8, 16}) {
                    const int on = static_cast<int>((over >> shift) & 255U);
                    const int mixed = (on * alpha + 255 * (255 - alpha) + 127) / 255;
                    most =
                        std::max(most, std::abs(mixed - static_cast<int>((under >> shift) & 255U)));
                }
            }
        // Text with its smooth edges loses up to two levels a blend.
        QVERIFY2(most <= 4, qPrintable(QString::number(most)));
    }

    // Two maps on one page have the colors of one scale: 0 is black, 1 is white.
    void panelsShareAScale() {
        FigureRequest figure = request(spot(16, {1, 0, 0}, 0.0));        // all 0
        figure.panels.push_back({spot(16, {1, 0, 0}, 4.0), 0, "ones"});  // all 1
        figure.panelTitle = "zeros";
        figure.columns = 2;
        const QImage image = draw(figure, "panels.png");
        QCOMPARE(qGray(image.pixel(156, 170)), 0);
        QCOMPARE(qGray(image.pixel(444, 170)), 255);
        figure.columns = 1;
        const QImage tall = draw(figure, "panels.png");
        QCOMPARE(qGray(tall.pixel(300, 100)), 0);
        QCOMPARE(qGray(tall.pixel(300, 245)), 255);
    }

    // The inset shows the disc at its center: a disc of 5 degrees in an inset of 20 covers
    // pi tan(5 deg)^2 / (2 tan(10 deg))^2 of it.
    void insets() {
        const LonLat center{2.0, 0.5};
        FigureRequest figure = request(spot(256, direction(center), 5.0 * kDegree));
        figure.inset = FigureInset{center, 20.0 * kDegree, FigureCorner::TopRight};
        const QImage image = draw(figure, "inset.png");
        const QImage without = [&] {
            figure.inset.reset();
            return draw(figure, "inset.png");
        }();
        // The box: the pixels that differ in the upper right.
        QRect box;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (x > 400 && y < 200 && image.pixel(x, y) != without.pixel(x, y))
                    box |= QRect(x, y, 1, 1);
        QVERIFY(box.width() > 80 && std::abs(box.width() - box.height()) <= 3);
        double bright = 0.0;
        const QRect inner = box.adjusted(4, 4, -4, -4);
        for (int y = inner.top(); y <= inner.bottom(); ++y)
            for (int x = inner.left(); x <= inner.right(); ++x)
                bright += qGray(image.pixel(x, y)) / 255.0;
        const double side = box.width() - 2.0;  // the frame is a line of two pixels
        const double share = bright / (side * side);
        const double half = std::tan(10.0 * kDegree);
        const double expected = kPi * std::pow(std::tan(5.0 * kDegree), 2) / (4.0 * half * half);
        // Map pixels of 14 arcmin at the edge of the disc: 2 % of its area at most.
        QVERIFY2(std::abs(share / expected - 1.0) < 0.05, qPrintable(QString::number(share)));
    }

    // Labels of the color bar, as text of an SVG.
    void ticksAndPlaceOfTheBar() {
        FigureRequest figure = request(spot(16, {1, 0, 0}, 4.0));
        figure.ticks = {0.25, 0.7, 3.0};  // the last one is off the bar
        for (const BarPlace place : {BarPlace::Below, BarPlace::Right}) {
            figure.look.bar = place;
            draw(figure, "ticks.svg");
            const QString text = QString::fromUtf8(read("ticks.svg"));
            QVERIFY(text.contains(">0.25</text>") && text.contains(">0.7</text>"));
            QVERIFY(!text.contains(">3</text>") && !text.contains(">0.5</text>"));
        }
        figure.look.bar = BarPlace::None;
        draw(figure, "ticks.svg");
        QVERIFY(!QString::fromUtf8(read("ticks.svg")).contains(">0.25</text>"));
    }

    // The legend names the markers; the size of text scales; unknown fonts are refused.
    void legendAndFont() {
        FigureRequest figure = request(spot(16, {1, 0, 0}, 4.0));
        figure.legend = "Radio sources";
        draw(figure, "legend.svg");
        QVERIFY(!read("legend.svg").contains("Radio sources"));
        figure.places = equalPlaces(1, direction({1.0, 0.2}));
        draw(figure, "legend.svg");
        QVERIFY(read("legend.svg").contains(">Radio sources</text>"));
        figure.look.family = "No such font";
        JobContext job;
        QVERIFY_THROWS_EXCEPTION(Unsupported,
                                 writeFigure(figure, folder_.filePath("font.png"), true, job));
    }

    void stops() {
        std::stop_source stop;
        stop.request_stop();
        JobContext job(stop.get_token(), {}, 1);
        QVERIFY_THROWS_EXCEPTION(Cancelled, writeFigure(request(spot(64, {1, 0, 0}, 1.0)),
                                                        folder_.filePath("g.png"), false, job));
        QVERIFY(!QFile::exists(folder_.filePath("g.png")));
    }

private:
    QImage draw(const FigureRequest& figure, const QString& name) {
        JobContext job;
        writeFigure(figure, folder_.filePath(name), true, job);
        return name.endsWith(".png") ? QImage(folder_.filePath(name)) : QImage();
    }
    QByteArray read(const QString& name) {
        QFile file(folder_.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QTemporaryDir folder_;
};

QTEST_MAIN(tst_figure)
#include "tst_figure.moc"

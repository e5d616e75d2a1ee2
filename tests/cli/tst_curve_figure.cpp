// SPDX-License-Identifier: GPL-3.0-or-later
// Curves as figures: content and positions in each format.
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/plot/curve_figure.h"

using namespace armilla;

namespace {

// Two columns over l = 1 to 200, of which the first falls by four powers of ten.
std::shared_ptr<const Curve> falling() {
    Curve curve;
    curve.kind = CurveKind::Spectrum;
    curve.xName = "l";
    curve.series = {{"TT", "uK^2", {}, {}}, {"EE", "uK^2", {}, {}}};
    for (int l = 1; l <= 200; ++l) {
        curve.x.push_back(l);
        curve.series[0].values.push_back(1000.0 / (l * l));
        curve.series[1].values.push_back(1.0 / (l * l));
    }
    return std::make_shared<const Curve>(curve);
}

// Three points in a row, the middle one at 0, with errors.
std::shared_ptr<const Curve> level(bool withErrors) {
    Curve curve;
    curve.xName = "theta";
    curve.xUnit = "deg";
    curve.x = {1.0, 2.0, 3.0};
    curve.series = {{"W", "", {-1.0, 0.0, 1.0}, {}}};
    if (withErrors) curve.series[0].errors = {1.0, 1.0, 1.0};
    return std::make_shared<const Curve>(curve);
}

CurveFigureRequest requestOf(std::shared_ptr<const Curve> curve) {
    CurveFigureRequest request;
    request.axes = suitedAxes(*curve);
    request.curves = {{QString(), std::move(curve), QColor()}};
    request.page = {600, 400, 96.0, QString(), "made by a test"};
    return request;
}

// Pixels of a column with more blue than red, as the first curve has.
int bluePixels(const QImage& image, int column) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        const QRgb color = image.pixel(column, y);
        if (qBlue(color) - qRed(color) > 40) ++count;
    }
    return count;
}

// Mean difference of two pictures, in levels of 255.
double difference(const QImage& a, const QImage& b) {
    double sum = 0.0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            sum += std::abs(qGray(a.pixel(x, y)) - qGray(b.pixel(x, y)));
    return sum / (a.width() * a.height());
}

}  // namespace

class CurveFigureTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString write(const CurveFigureRequest& request, const QString& name) {
        JobContext job;
        const QString path = folder_.filePath(name);
        writeCurveFigure(request, path, true, job);
        return path;
    }
    QImage draw(const CurveFigureRequest& request) { return QImage(write(request, "a.png")); }

private slots:
    void sizeGroundAndMetadata() {
        for (const bool dark : {false, true}) {
            CurveFigureRequest request = requestOf(falling());
            request.darkBackground = dark;
            request.page.title = "A title";
            const QImage image = draw(request);
            QCOMPARE(image.size(), QSize(600, 400));
            QCOMPARE(image.text("Description"), "made by a test");
            QCOMPARE(image.text("Title"), "A title");
            QVERIFY(dark ? qGray(image.pixel(0, 0)) < 40 : qGray(image.pixel(0, 0)) == 255);
            // Twice the pixels at twice the dpi give the same picture.
            request.page.width = 1200;
            request.page.height = 800;
            request.page.dpi = 192.0;
            const QImage fine = draw(request);
            QCOMPARE(fine.size(), QSize(1200, 800));
            QVERIFY(difference(image, fine.scaled(600, 400, Qt::IgnoreAspectRatio,
                                                  Qt::SmoothTransformation)) < 3.0);
        }
    }
    void formatsShowTheSame() {
        CurveFigureRequest request = requestOf(falling());
        const QImage image = draw(request);
        QSvgRenderer renderer(write(request, "a.svg"));
        QVERIFY(renderer.isValid());
        QImage svg(600, 400, QImage::Format_RGB32);
        svg.fill(Qt::white);
        QPainter painter(&svg);
        renderer.render(&painter);
        painter.end();
        QVERIFY(difference(image, svg) < 3.0);
        QFile text(folder_.filePath("a.svg"));
        QVERIFY(text.open(QIODevice::ReadOnly));
        const QString content = QString::fromUtf8(text.readAll());
        for (const char* word : {"TT", "EE", "µK", "made by a test"})
            QVERIFY2(content.contains(QString::fromUtf8(word)), word);
        QFile pdf(write(request, "a.pdf"));
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        QVERIFY(pdf.readAll().contains("made by a test"));
    }
    // An error bar of one unit either way is a third of an axis from -2 to 2; without it only the
    // point is in the middle column.
    void errorsAreDrawn() {
        const auto atMiddle = [&](bool withErrors) {
            CurveFigureRequest request = requestOf(level(withErrors));
            request.least = -2.0;
            request.most = 2.0;
            const QImage image = draw(request);
            int most = 0;
            for (int x = 250; x < 400; ++x) most = std::max(most, bluePixels(image, x));
            return most;
        };
        // 400 pixels less title and labels: about 340 for four units.
        QVERIFY(atMiddle(true) > 120);
        QVERIFY(atMiddle(false) < 20);
    }
    void axesFollowTheValues() {
        QCOMPARE(suitedAxes(*falling()), (CurveAxes{true, true, false}));
        QCOMPARE(suitedAxes(*level(true)), CurveAxes());
        CurveFigureRequest request = requestOf(falling());
        const QImage logarithmic = draw(request);
        request.axes = {};
        QVERIFY(draw(request) != logarithmic);
    }
    // Thousands have no power of ten, and neighbors have different numbers.
    void ticksAreReadable() {
        const auto labels = [&](double low, double high) {
            Curve curve;
            curve.xName = "x";
            curve.x = {0.0, 1.0};
            curve.series = {{"Y", "", {low, high}, {}}};
            QFile file(write(requestOf(std::make_shared<const Curve>(curve)), "ticks.svg"));
            [&] { QVERIFY(file.open(QIODevice::ReadOnly)); }();
            return QString::fromUtf8(file.readAll());
        };
        const QString thousands = labels(1000.0, 5500.0);
        for (const char* word : {">2000<", ">5000<"}) QVERIFY2(thousands.contains(word), word);
        const QString narrow = labels(12340.0, 12341.5);
        for (const char* word : {">12340<", ">12340.5<", ">12341<"})
            QVERIFY2(narrow.contains(word), word);
    }
    // Column names if there are several columns, and the requested label.
    void legendAndLabel() {
        CurveFigureRequest request = requestOf(falling());
        const auto both = write(request, "both.svg");
        request.curves.front().curve = firstColumn(*falling());
        request.label = "power";
        const auto one = write(request, "one.svg");
        const auto texts = [](const QString& path) {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
        };
        QVERIFY(texts(both).contains("EE") && !texts(both).contains("power"));
        QVERIFY(texts(one).contains("power") && !texts(one).contains("EE"));
        QVERIFY(!texts(one).contains(">TT"));
    }
    // Legend lines are at the middle height of the adjacent capitals. These are the two groups at
    // the right of the picture, separated by 7 layout pixels, which are 4 pixels each.
    void legendLinesMeetTheirNames() {
        CurveFigureRequest request = requestOf(falling());
        request.page = {2400, 1600, 384.0, QString(), "made by a test"};
        const QImage image = draw(request);
        constexpr int kScale = 4;
        const auto isInk = [&](int x, int y) { return qGray(image.pixel(x, y)) < 200; };
        const auto hasInk = [&](int x) {
            for (int y = 0; y < image.height() / 2; ++y)
                if (isInk(x, y)) return true;
            return false;
        };
        int right = image.width() - 1;
        while (right > 0 && !hasInk(right)) --right;
        int left = right;  // left edge of the name
        for (int x = right; left - x < 4 * kScale && x > 0; --x)
            if (hasInk(x)) left = x;
        int line = left - 4 * kScale;
        while (line > 0 && !hasInk(line)) --line;
        // The middle of the topmost ink between two columns.
        const auto middle = [&](int from, int to) {
            const auto isRow = [&](int y) {
                for (int x = from; x <= to; ++x)
                    if (isInk(x, y)) return true;
                return false;
            };
            int top = 0;
            while (top < image.height() - 1 && !isRow(top)) ++top;
            int bottom = top;
            while (bottom < image.height() - 1 && isRow(bottom + 1)) ++bottom;
            return 0.5 * (top + bottom);
        };
        const double name = middle(left, right), beside = middle(line - 8 * kScale, line);
        QVERIFY2(std::abs(beside - name) <= 0.5 * kScale + 1.0,
                 qPrintable(QStringLiteral("line at %1, name at %2").arg(beside).arg(name)));
    }
    // No control character gets into the metadata, whatever the names in the file.
    void namesAreCleaned() {
        auto curve = std::make_shared<Curve>(*falling());
        curve->series[0].name = "T\x01T";
        CurveFigureRequest request = requestOf(curve);
        request.page.title = QString(
            "a\x02"
            "b");
        QFile file(write(request, "a.svg"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray content = file.readAll();
        for (const char c : content) QVERIFY(c < 0 || c >= ' ' || c == '\n' || c == '\t');
    }
    void refusals() {
        CurveFigureRequest request = requestOf(falling());
        request.page.width = 90;
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, write(request, "x.png"));
        request = requestOf(falling());
        request.least = 0.0;
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, write(request, "x.png"));
        request = requestOf(falling());
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, write(request, "x.gif"));
        QVERIFY(!QFile::exists(folder_.filePath("x.png")));
    }
};

QTEST_MAIN(CurveFigureTest)
#include "tst_curve_figure.moc"

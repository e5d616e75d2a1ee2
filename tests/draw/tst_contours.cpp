// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <limits>

#include "armilla/core/error.h"
#include "armilla/draw/contours.h"

using namespace armilla;

namespace {

constexpr int kSize = 101;

template <class Function>
std::vector<float> valuesOf(const Function& value) {
    std::vector<float> values;
    for (int y = 0; y < kSize; ++y)
        for (int x = 0; x < kSize; ++x)
            values.push_back(static_cast<float>(value(x + 0.5, y + 0.5)));
    return values;
}
double fromMiddle(double x, double y) {
    return std::hypot(x - 50.5, y - 50.5);
}

}  // namespace

class ContoursTest : public QObject {
    Q_OBJECT
private slots:
    // Linear between pixels: the line of a plane is straight within the rounding of its single
    // values.
    void linesOfAPlane() {
        const auto values = valuesOf([](double x, double y) { return 2.0 * x + y; });
        const auto lines = contourLines(values, kSize, kSize, 120.0);
        QCOMPARE(lines.size(), size_t{1});
        QVERIFY(lines[0].size() > 50);
        for (const ImagePoint& p : lines[0])
            // Single precision of values of up to 300 is 3e-5, so the line is within that.
            QVERIFY(std::fabs(2.0 * p.column + p.row - 120.0) < 1e-4);
    }
    // The contour of a cone is a closed circle: linear interpolation errs by at most 1 / (8 r) of a
    // pixel.
    void circleCloses() {
        const auto values = valuesOf(fromMiddle);
        const auto lines = contourLines(values, kSize, kSize, 20.3);
        QCOMPARE(lines.size(), size_t{1});
        const Polyline& line = lines[0];
        QVERIFY(line.front().column == line.back().column && line.front().row == line.back().row);
        double turned = 0.0;
        for (size_t i = 0; i + 1 < line.size(); ++i) {
            QVERIFY(std::fabs(fromMiddle(line[i].column, line[i].row) - 20.3) < 1.0 / (8 * 20.0));
            const double a = std::atan2(line[i].row - 50.5, line[i].column - 50.5);
            const double b = std::atan2(line[i + 1].row - 50.5, line[i + 1].column - 50.5);
            turned += std::remainder(b - a, 2.0 * M_PI);
        }
        // A sum of angles that turn once is 2 pi up to rounding. A missed turn would change it by 2
        // pi.
        QVERIFY(std::fabs(std::fabs(turned) - 2.0 * M_PI) < 1e-9);
    }
    void saddlesAndHoles() {
        // Two peaks: two lines above the saddle, one below it.
        const auto peaks = valuesOf([](double x, double y) {
            return std::exp(-0.005 * (std::pow(x - 30, 2) + std::pow(y - 50, 2))) +
                   std::exp(-0.005 * (std::pow(x - 70, 2) + std::pow(y - 50, 2)));
        });
        QCOMPARE(contourLines(peaks, kSize, kSize, 0.6).size(), size_t{2});
        QCOMPARE(contourLines(peaks, kSize, kSize, 0.2).size(), size_t{1});
        // Every corner of a checkerboard is a saddle: lines end or close, none branches.
        const auto board =
            valuesOf([](double x, double y) { return (int(x) + int(y)) % 2 == 0 ? 1.0 : 0.0; });
        size_t points = 0;
        for (const Polyline& line : contourLines(board, kSize, kSize, 0.5))
            points += line.size() - 1;
        QCOMPARE(points, size_t{2} * (kSize - 1) * (kSize - 1));
        std::vector<float> holed = valuesOf(fromMiddle);
        for (int y = 0; y < kSize; ++y)
            holed[static_cast<size_t>(y) * kSize + 50] = std::numeric_limits<float>::quiet_NaN();
        const auto halves = contourLines(holed, kSize, kSize, 20.3);
        QCOMPARE(halves.size(), size_t{2});
        for (const Polyline& line : halves)
            for (const ImagePoint& p : line) QVERIFY(std::fabs(p.column - 50.5) > 0.999);
        // The pieces one by one are those of the lines.
        JobContext job;
        for (const std::vector<float>& each : {peaks, board, holed})
            for (const double level : {0.2, 0.5, 0.6, 20.3}) {
                double lengths = 0.0, pieces = 0.0;
                int64_t ofLines = 0, visited = 0;
                const auto apart = [](ImagePoint a, ImagePoint b) {
                    return std::hypot(a.column - b.column, a.row - b.row);
                };
                for (const Polyline& line : contourLines(each, kSize, kSize, level))
                    for (size_t i = 0; i + 1 < line.size(); ++i, ++ofLines)
                        lengths += apart(line[i], line[i + 1]);
                forEachContourPiece(
                    each, kSize, kSize, level,
                    [&](ImagePoint a, ImagePoint b) {
                        ++visited;
                        pieces += apart(a, b);
                    },
                    job);
                QCOMPARE(visited, ofLines);
                QCOMPARE(contourPieceCount(each, kSize, kSize, level, job), ofLines);
                // Rounding of sums of a few thousand lengths.
                QVERIFY(std::abs(pieces - lengths) < 1e-9);
            }
        std::stop_source stop;
        stop.request_stop();
        JobContext canceled(stop.get_token(), {}, 1);
        QVERIFY_THROWS_EXCEPTION(Cancelled, contourPieceCount(board, kSize, kSize, 0.5, canceled));
    }
    void refuses() {
        QVERIFY_EXCEPTION_THROWN(contourLines(std::vector<float>(5), 2, 2, 0.0), InvalidArgument);
        QVERIFY(contourLines(std::vector<float>(4), 2, 2, 1.0).empty());
    }
};

QTEST_APPLESS_MAIN(ContoursTest)
#include "tst_contours.moc"

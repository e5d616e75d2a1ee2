// SPDX-License-Identifier: GPL-3.0-or-later
// Histogram and color bar: effect of the handles on the scale, and positions of colors and ticks.
#include <QFontMetricsF>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <random>

#include "armilla/ui/color_bar_widget.h"
#include "armilla/ui/histogram_widget.h"
#include "armilla/ui/theme.h"
#include "support/patience.h"
#include "tools/threshold_histogram.h"

using namespace armilla;
using armilla::test::kPatience;

namespace {

std::vector<float> normalSample(double mean, double sigma) {
    std::mt19937 generator(7);
    std::normal_distribution<float> normal(static_cast<float>(mean), static_cast<float>(sigma));
    std::vector<float> values(20000);
    for (float& v : values) v = normal(generator);
    std::sort(values.begin(), values.end());
    return values;
}

ColorScale scaleOf(Scale kind, float low, float high, float linear = 1.0F) {
    ColorScale scale;
    scale.mapping.scale = kind;
    scale.mapping.low = low;
    scale.mapping.high = high;
    scale.mapping.linear = linear;
    for (size_t i = 0; i < scale.cumulative.size(); ++i)
        scale.cumulative[i] = low + (high - low) * static_cast<float>(i) / 255.0F;
    return scale;
}

void send(QWidget& widget, QEvent::Type type, QPointF at, Qt::MouseButtons buttons) {
    QMouseEvent event(type, at, widget.mapToGlobal(at),
                      type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton, buttons,
                      Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}
void drag(QWidget& widget, QPointF from, QPointF to) {
    send(widget, QEvent::MouseButtonPress, from, Qt::LeftButton);
    send(widget, QEvent::MouseMove, 0.5 * (from + to), Qt::LeftButton);
    send(widget, QEvent::MouseMove, to, Qt::LeftButton);
    send(widget, QEvent::MouseButtonRelease, to, Qt::NoButton);
}

struct Fixture {
    HistogramWidget widget;
    explicit Fixture(const ColorScale& scale) {
        widget.resize(400, 120);
        widget.setSample(normalSample(50.0, 20.0));
        widget.setScale(scale);
    }
    QPointF at(double value) { return {widget.xOf(value), 40.0}; }
};

}  // namespace

class TstColorWidgets : public QObject {
    Q_OBJECT
private slots:
    void placesAndValuesAreInverse_data();
    void placesAndValuesAreInverse();
    void dragsTheEnds();
    void endsCannotCross();
    void theMiddleGetsTheMiddleColor_data() { placesAndValuesAreInverse_data(); }
    void theMiddleGetsTheMiddleColor();
    void thresholdsMove();
    void theGroundStaysWhileThePointerHolds();
    void keysMoveHandles();
    void paintsCountsAndColors();
    void emptyAndConstantFields();
    void barShowsTheTable();
    void shortBarsTellTheirScale();
    void labelsKeepEqualSteps();
    void themesAreComplete();
};

void TstColorWidgets::placesAndValuesAreInverse_data() {
    QTest::addColumn<Scale>("kind");
    QTest::newRow("linear") << Scale::Linear;
    QTest::newRow("log") << Scale::Log;
    QTest::newRow("symlog") << Scale::SymLog;
    QTest::newRow("asinh") << Scale::Asinh;
    QTest::newRow("histogram") << Scale::Histogram;
}

void TstColorWidgets::placesAndValuesAreInverse() {
    QFETCH(Scale, kind);
    Fixture f(scaleOf(kind, 5.0F, 95.0F, 10.0F));
    double last = -1e9;
    for (const double value : {5.0, 12.5, 40.0, 70.0, 95.0}) {
        const double x = f.widget.xOf(value);
        QVERIFY(x > last);
        last = x;
        // The scale's formulas are in single precision.
        QVERIFY(std::abs(f.widget.valueAt(x) - value) < 2e-5 * value);
    }
}

void TstColorWidgets::thresholdsMove() {
    ThresholdHistogram histogram;
    histogram.resize(300, 110);
    histogram.setSignificances({3.0F, 4.0F, 8.0F, 100.0F, NAN});
    histogram.setThreshold(5.0);
    for (const double snr : {3.5, 10.0, 90.0})
        // A logarithm and an exponential round by a few machine epsilons; pixels would show.
        QVERIFY(std::abs(histogram.significanceAt(histogram.xOf(snr)) - snr) < 1e-9 * snr);
    QSignalSpy moved(&histogram, &ThresholdHistogram::thresholdMoved);
    QTest::keyClick(&histogram, Qt::Key_Right);
    QCOMPARE(moved.count(), 1);
    // The threshold after one step of 0.1 rounds by a machine epsilon of 5.
    QVERIFY(std::abs(histogram.threshold() - 5.1) < 1e-12);
    QTest::mouseClick(&histogram, Qt::LeftButton, {}, QPoint(290, 40));
    QVERIFY(histogram.threshold() > 50.0 && histogram.threshold() < 101.0);
    QTest::keyClick(&histogram, Qt::Key_Home);
    QCOMPARE(histogram.threshold(), 3.0);
    QTest::keyClick(&histogram, Qt::Key_Left);  // the end
    QCOMPARE(histogram.threshold(), 3.0);
}

void TstColorWidgets::dragsTheEnds() {
    Fixture f(scaleOf(Scale::Linear, 10.0F, 90.0F));
    QSignalSpy edited(&f.widget, &HistogramWidget::scaleEdited);
    QSignalSpy finished(&f.widget, &HistogramWidget::editingFinished);
    const QPointF to = f.at(30.0);
    drag(f.widget, f.at(10.0), to);
    QCOMPARE(edited.count(), 2);
    QCOMPARE(finished.count(), 1);
    const auto scale = edited.last()[0].value<ColorScale>();
    // Single precision rounds values below 128 by 4e-6, once in the scale and once in the axis.
    QVERIFY(std::abs(scale.mapping.low - 30.0F) < 1e-5F);
    QCOMPARE(scale.mapping.high, 90.0F);
    QCOMPARE(f.widget.activeHandle(), HistogramWidget::Handle::Low);
    drag(f.widget, f.at(90.0), f.at(60.0));
    QVERIFY(std::abs(f.widget.scale().mapping.high - 60.0F) < 1e-5F);
    // A press away from the handles moves the nearer end there.
    const QPointF far = f.at(45.0) + QPointF(30.0, 0.0);
    const double there = f.widget.valueAt(far.x());
    QVERIFY(there > 47.0 && there < 58.0);
    drag(f.widget, far, far);
    // The same rounding.
    QVERIFY(std::abs(f.widget.scale().mapping.high - there) < 1e-5);
}

void TstColorWidgets::endsCannotCross() {
    Fixture f(scaleOf(Scale::Linear, 20.0F, 60.0F));
    drag(f.widget, f.at(20.0), f.at(60.0) + QPointF(80.0, 0.0));
    QVERIFY(f.widget.scale().mapping.low < f.widget.scale().mapping.high);
    QCOMPARE(f.widget.scale().mapping.high, 60.0F);
}

void TstColorWidgets::theMiddleGetsTheMiddleColor() {
    QFETCH(Scale, kind);
    Fixture f(scaleOf(kind, 5.0F, 95.0F, 10.0F));
    QSignalSpy edited(&f.widget, &HistogramWidget::scaleEdited);
    const double middle = valueAtPosition(f.widget.scale(), 0.5);
    const double wanted = 0.7 * middle + 0.3 * 95.0;
    drag(f.widget, f.at(middle), f.at(wanted));
    QVERIFY(!edited.isEmpty());
    const auto scale = edited.last()[0].value<ColorScale>();
    const float position =
        colorPosition(scale.mapping, scale.cumulative.data(), static_cast<float>(wanted));
    // A pixel of the widget is a quarter of a percent of the axis. The press hits the handle
    // itself, so only rounding in single precision remains.
    QVERIFY2(std::abs(position - 0.5F) < 1e-3F, qPrintable(QString::number(position)));
    QCOMPARE(scale.mapping.low, 5.0F);
    QCOMPARE(scale.mapping.high, 95.0F);
    send(f.widget, QEvent::MouseButtonDblClick, f.at(wanted), Qt::LeftButton);
    QCOMPARE(f.widget.scale().mapping.middle, 0.5F);
}

void TstColorWidgets::theGroundStaysWhileThePointerHolds() {
    Fixture f(scaleOf(Scale::Asinh, 20.0F, 60.0F, 5.0F));
    const QPointF from = f.at(60.0);
    send(f.widget, QEvent::MouseButtonPress, from, Qt::LeftButton);
    const double before = f.widget.xOf(40.0);
    for (int i = 1; i <= 20; ++i) {
        send(f.widget, QEvent::MouseMove, from + QPointF(2.0 * i, 0.0), Qt::LeftButton);
        // The document returns the scale, with a linear width that follows the range.
        ColorScale back = f.widget.scale();
        back.mapping.linear = 0.1F * back.mapping.high;
        f.widget.setScale(back);
        QCOMPARE(f.widget.xOf(40.0), before);
    }
    send(f.widget, QEvent::MouseButtonRelease, from + QPointF(40.0, 0.0), Qt::NoButton);
    QVERIFY(f.widget.scale().mapping.high > 60.0F);
    QVERIFY(f.widget.xOf(40.0) != before);
}

void TstColorWidgets::keysMoveHandles() {
    Fixture f(scaleOf(Scale::Linear, 20.0F, 80.0F));
    f.widget.show();
    f.widget.setFocus(Qt::TabFocusReason);
    QTRY_COMPARE_WITH_TIMEOUT(f.widget.activeHandle(), HistogramWidget::Handle::Low, kPatience);
    QTest::keyClick(&f.widget, Qt::Key_Right);
    const float step = f.widget.scale().mapping.low - 20.0F;
    QVERIFY(step > 0.0F);
    QTest::keyClick(&f.widget, Qt::Key_Left, Qt::ShiftModifier);
    QVERIFY(f.widget.scale().mapping.low < 20.0F + step);
    QVERIFY(f.widget.scale().mapping.low > 20.0F);
    QTest::keyClick(&f.widget, Qt::Key_Tab);
    QCOMPARE(f.widget.activeHandle(), HistogramWidget::Handle::Middle);
    QTest::keyClick(&f.widget, Qt::Key_Tab);
    QCOMPARE(f.widget.activeHandle(), HistogramWidget::Handle::High);
    QTest::keyClick(&f.widget, Qt::Key_Left, Qt::ControlModifier);
    QVERIFY(f.widget.scale().mapping.high < 80.0F - 3.0F * step);
}

void TstColorWidgets::paintsCountsAndColors() {
    Fixture f(scaleOf(Scale::Linear, 0.0F, 100.0F));
    const QImage image = f.widget.grab().toImage();
    const QColor fill = Theme::of(&f.widget).histogram;
    const auto height = [&](double value) {
        int count = 0;
        for (int y = 0; y < image.height(); ++y)
            if (image.pixelColor(static_cast<int>(f.widget.xOf(value)), y) == fill) ++count;
        return count;
    };
    // The sample is a normal distribution about 50. Its tails are lower than its center, and the
    // logarithm of the counts keeps the tails visible.
    QVERIFY(height(60.0) > height(95.0));
    QVERIFY(height(95.0) > 5);
    // The strip under the plot has the color of each value.
    const ColorScale& scale = f.widget.scale();
    const ColorTable table = colorTable(scale.colorMap, scale.reversed);
    for (const double value : {10.0, 33.0, 71.0, 90.0}) {
        const int x = static_cast<int>(f.widget.xOf(value));
        const Rgba c = colorOf(scale, table, static_cast<float>(f.widget.valueAt(x + 0.5)));
        bool found = false;
        for (int y = 0; y < image.height(); ++y) {
            const QColor p = image.pixelColor(x, y);
            found = found || (std::abs(p.red() - c.r) < 6 && std::abs(p.green() - c.g) < 6 &&
                              std::abs(p.blue() - c.b) < 6);
        }
        QVERIFY2(found, qPrintable(QString::number(value)));
    }
}

void TstColorWidgets::emptyAndConstantFields() {
    HistogramWidget widget;
    widget.resize(300, 100);
    widget.setSample({});
    widget.setScale(scaleOf(Scale::Log, 0.0F, 1.0F));
    QVERIFY(std::isfinite(widget.xOf(0.5)));
    widget.grab();
    const std::vector<float> same(100, 3.0F);
    widget.setSample(same);
    widget.setScale(scaleOf(Scale::Linear, 3.0F, 3.0F));
    QVERIFY(std::isfinite(widget.xOf(3.0)));
    widget.grab();
}

void TstColorWidgets::barShowsTheTable() {
    ColorBarWidget bar;
    bar.resize(400, bar.sizeHint().height());
    ColorScale scale = scaleOf(Scale::Linear, -1.0F, 1.0F);
    scale.colorMap = "viridis";
    bar.setScale(scale);
    bar.setText({QStringLiteral("I, K"), scaleName(Scale::Linear)});
    const ColorTable table = colorTable(scale.colorMap, false);
    const QImage image = bar.grab().toImage();
    const int y = static_cast<int>(0.5 * image.height());
    for (const double share : {0.1, 0.35, 0.6, 0.9}) {
        const QColor got = image.pixelColor(static_cast<int>(1 + share * 398), y);
        const Rgba want = table[static_cast<size_t>(share * 255.0)];
        // A screen pixel is less than one entry wide; neighbors of viridis differ by up to 4.
        QVERIFY(std::abs(got.red() - want.r) <= 8 && std::abs(got.green() - want.g) <= 8 &&
                std::abs(got.blue() - want.b) <= 8);
    }
    // Separate colors beyond the ends are shown as tips.
    scale.ownAbove = true;
    scale.above = {255, 0, 255, 255};
    bar.setScale(scale);
    QCOMPARE(bar.grab().toImage().pixelColor(396, y).blue(), 255);
    QCOMPARE(scaleName(Scale::SymLog), QStringLiteral("symlog"));
}

// Bars of any length have two numbers and the unit.
void TstColorWidgets::shortBarsTellTheirScale() {
    ColorScale scale;
    for (const auto& [low, high] : {std::pair{-197.4F, 197.4F}, {0.0F, 0.0085F}, {64.0F, 113.0F}}) {
        scale.mapping.low = low;
        scale.mapping.high = high;
        const std::vector<Tick> ticks = ticksOfBar(scale, 2);
        QVERIFY(std::count_if(ticks.begin(), ticks.end(), [](const Tick& tick) {
                    return tick.position >= 0.0 && tick.position <= 1.0;
                }) >= 2);
    }
    const QFontMetricsF metrics(QApplication::font());
    const QString title = QStringLiteral("TEMPERATURE, µK");
    QCOMPARE(titleOfBar(metrics, title, 1000.0), title);
    const QString cut = titleOfBar(metrics, title, 0.7 * metrics.horizontalAdvance(title));
    QVERIFY(cut != title && cut.endsWith(QStringLiteral(", µK")) && cut.contains(QChar(0x2026)));
    QVERIFY(metrics.horizontalAdvance(cut) <= 0.7 * metrics.horizontalAdvance(title));
    QVERIFY(titleOfBar(metrics, title, 20.0).size() < 4);
}

// All labels if they fit; else at equal steps that include zero; if that leaves only one, as many
// as fit.
void TstColorWidgets::labelsKeepEqualSteps() {
    const auto lefts = [](const std::vector<double>& places, double width, int zero, double gap) {
        std::vector<TickLabel> labels;
        for (size_t i = 0; i < places.size(); ++i)
            labels.push_back(
                {QString::number(i), places[i], places[i] + width, static_cast<int>(i) == zero});
        QList<double> found;
        for (const TickLabel& label : labelsWithRoom(labels, gap)) found << label.left;
        return found;
    };
    const std::vector<double> even{0, 10, 20, 30, 40};
    QCOMPARE(lefts(even, 8, -1, 2), (QList<double>{0, 10, 20, 30, 40}));
    // A gap that is slightly too small leaves every second label.
    QCOMPARE(lefts(even, 8.001, -1, 2), (QList<double>{0, 20, 40}));
    // From zero: the second and fourth stay.
    QCOMPARE(lefts(even, 12, 1, 2), (QList<double>{10, 30}));
    QCOMPARE(lefts(even, 12, 2, 2), (QList<double>{0, 20, 40}));
    QCOMPARE(lefts(even, 25, -1, 2), (QList<double>{0, 30}));
    // Steps of three from the second would leave it and the last, steps of four it alone.
    QCOMPARE(lefts(even, 25, 1, 2), (QList<double>{10, 40}));
    // No two at any step: the first, and those with space after it.
    QCOMPARE(lefts({0, 5, 30}, 20, 1, 2), (QList<double>{0, 30}));
    QCOMPARE(lefts({0, 10}, 30, -1, 2), (QList<double>{0}));
    QCOMPARE(lefts({}, 30, -1, 2), QList<double>());
}

void TstColorWidgets::themesAreComplete() {
    for (const Theme* theme : {&Theme::darkTheme(), &Theme::lightTheme()}) {
        // Every name in the sheet was replaced by a color.
        QVERIFY(!theme->styleSheet().contains(QLatin1Char('@')));
        QVERIFY(theme->styleSheet().contains(theme->primary.name()));
        // Text on panels is legible: contrast of at least 7 (WCAG 2.1, 1.4.6), second lines 4.5.
        const auto luminance = [](const QColor& c) {
            const auto part = [](double v) {
                return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
            };
            return 0.2126 * part(c.redF()) + 0.7152 * part(c.greenF()) + 0.0722 * part(c.blueF());
        };
        const auto contrast = [&](const QColor& a, const QColor& b) {
            const double la = luminance(a), lb = luminance(b);
            return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
        };
        for (const QColor& ground : {theme->window, theme->panel, theme->card, theme->control}) {
            QVERIFY(contrast(theme->text, ground) >= 7.0);
            for (const QColor& color : {theme->textMuted, theme->textFaint, theme->accent,
                                        theme->success, theme->warning, theme->error})
                QVERIFY2(contrast(color, ground) >= 4.5,
                         qPrintable(color.name() + QStringLiteral(" on ") + ground.name()));
        }
        // The hovered and the selected state.
        for (const QColor& ground : {theme->controlHover, theme->accentFill}) {
            QVERIFY(contrast(theme->text, ground) >= 7.0);
            QVERIFY(contrast(theme->textMuted, ground) >= 4.5);
        }
        QVERIFY(contrast(theme->textFaint, theme->controlHover) >= 4.5);
        QVERIFY(contrast(theme->primaryText, theme->primary) >= 4.5);
        static const QRegularExpression hover(
            QStringLiteral("default:hover \\{ background: (#[0-9a-f]{6});"));
        const QColor below(hover.match(theme->styleSheet()).captured(1));
        QVERIFY(below.isValid() && contrast(theme->primaryText, below) >= 4.5);
        // Plates over a picture of any colors, and messages in the color of their tone.
        const auto over = [](const QColor& top, const QColor& ground) {
            const auto mix = [&](double a, double b) {
                return static_cast<float>(top.alphaF() * a + (1.0 - top.alphaF()) * b);
            };
            return QColor::fromRgbF(mix(top.redF(), ground.redF()),
                                    mix(top.greenF(), ground.greenF()),
                                    mix(top.blueF(), ground.blueF()));
        };
        for (const Qt::GlobalColor picture : {Qt::black, Qt::white, Qt::gray}) {
            const QColor plate = over(theme->chip, QColor(picture));
            for (const QColor& ink : {theme->chipText, theme->text, theme->textMuted})
                QVERIFY2(contrast(ink, plate) >= 4.5, qPrintable(ink.name() + plate.name()));
        }
        for (QColor tone : {theme->error, theme->warning, theme->accent}) {
            tone.setAlphaF(0.10F);
            QVERIFY(contrast(theme->text, over(tone, theme->card)) >= 7.0);
            QVERIFY(contrast(theme->textMuted, over(tone, theme->card)) >= 4.5);
        }
        for (const QColor& line : {theme->first, theme->second, theme->third})
            QVERIFY(contrast(line, theme->plotBackground) >= 4.5);
    }
}

QTEST_MAIN(TstColorWidgets)
#include "tst_color_widgets.moc"
